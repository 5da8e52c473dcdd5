package app_test

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
	w.bring(statusLifecycle(t))
	i := w.open("ada", "")
	i.label("olivia", "status/in-development")
	w.settle()
	i.label("olivia", "Status/in-review")
	w.settle()
	i.has("status/in-review")
	i.label("olivia", "status/new")
	w.settle()
	i.has("status/in-review", "colony:needs-human")
	i.colonySays("from `in-review` to `new`")
	i.unlabel("olivia", "status/in-review")
	w.settle()
	i.has("status/in-review", "colony:needs-human")
	i.colonySays("put the label of")
	i.label("olivia", "colony:new", "status/merge-pending")
	w.settle()
	i.has("status/merge-pending", "colony:new")
}

// A Colony that has just begun has read no repository's lifecycle: the label of a state reaches it all the same.
func TestLabelsWithAPrefixThatIsNotKnownYet(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	w.bring(statusLifecycle(t))
	i := w.open("ada", "")
	i.label("olivia", "status/in-development")
	w.settle()
	w.stopColony()
	w.github.HoldDeliveries()
	i.label("olivia", "status/in-review")
	w.start()
	w.github.ReleaseDeliveries(playground.InOrder)
	w.settle()
	i.has("status/in-review")
}
