package reconcile_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// statusLifecycle is the shipped lifecycle with labels like status/new.
func statusLifecycle(t *testing.T) string {
	t.Helper()
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(strings.ReplaceAll(string(text), "label: colony:", "label: status/"), "initial: unlabeled", "label-prefix: status/\ninitial: unlabeled", 1)
}

// A lifecycle may name its labels otherwise; what begins with colony: is nothing to it then, but for the marks.
func TestLabelsWithAnotherPrefix(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bring(statusLifecycle(t))
	i := w.open("ada", "")
	i.Label("olivia", "status/in-development")
	w.Settle()
	i.Label("olivia", "Status/in-review")
	w.Settle()
	i.Has("status/in-review")
	i.Label("olivia", "status/new")
	w.Settle()
	i.Has("status/in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	i.Unlabel("olivia", "status/in-review")
	w.Settle()
	i.Has("status/in-review", "colony:needs-human")
	i.ColonySays("put the label of")
	i.Label("olivia", "colony:new", "status/merge-pending")
	w.Settle()
	i.Has("status/merge-pending", "colony:new")
}

// A Colony that has just begun has read no repository's lifecycle: the label of a state reaches it all the same.
func TestLabelsWithAPrefixThatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Bring(statusLifecycle(t))
	i := w.open("ada", "")
	i.Label("olivia", "status/in-development")
	w.Settle()
	w.stopColony()
	w.github.HoldDeliveries()
	i.Label("olivia", "status/in-review")
	w.start()
	w.github.ReleaseDeliveries(playground.InOrder)
	w.Settle()
	i.Has("status/in-review")
}
