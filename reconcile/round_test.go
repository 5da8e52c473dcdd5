package reconcile_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// A round begins when Colony takes the label off, and GitHub can refuse for a long time to take it back. Colony still knows why.
func TestTheReasonOfARoundThatWasCutInTwo(t *testing.T) {
	t.Parallel()
	for name, restarts := range map[string]bool{"the same process": false, "another one": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
			i := w.through("refining")
			w.clock.Advance(time.Minute)
			stops := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/labels$`), Status: http.StatusBadGateway})
			i.Comment("ada", "It is red.")
			w.Settle()
			i.Has()
			stops()
			w.clock.Advance(20 * time.Minute)
			if restarts {
				w.restart(true)
			}
			w.Sweep()
			i.Has("colony:refining")
			i.HasTrail("refining -> refining: A person replied ada")
			i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:history"), "+1")
			i.ColonySays("A person replied")
			w.clock.Advance(time.Hour)
			i.Comment("ada", "Or blue.")
			w.Settle()
			i.Has("colony:refining")
			i.HasTrail("refining -> refining: A person replied ada", "refining -> refining: A person replied ada")
		})
	}
}
