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

// A comment with a command that moves the issue begins no round before that. Where the command moves nothing, it is a reply like any other.
func TestARoundAndACommandInOneComment(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"olivia", "ada"} {
		w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
		w.SetPermission("acme", "widgets", "ada", "triage")
		i := w.through("refining")
		w.clock.Advance(time.Minute)
		i.ColonyReacts(i.CommentAndSettle(who, "It is red.\n\n/colony:resume"), "confused")
		i.Has("colony:refining")
		i.HasTrail("refining -> refining: A person replied " + who)
		i.ColonySays("works only in")
		w.clock.Advance(time.Minute)
		i.ColonyReacts(i.CommentAndSettle(who, "Good plan.\n\n/colony:approve"), "+1")
		i.Has("colony:approved")
		i.HasTrail("refining -> refining: A person replied " + who)
		w.Sweep()
		i.Has("colony:approved")
	}
}

// A bot that opened an issue answers first, and then its command is run: from the state of a question it could not move the issue.
func TestACommandOfABotThatIsTheAuthor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("analyzer[bot]", "", "colony:new")
	for _, to := range []string{"analyzing", "needs-clarification"} {
		w.clock.Advance(time.Minute)
		i.Label("olivia", "colony:"+to)
		w.Settle()
	}
	w.clock.Advance(time.Minute)
	i.ColonyReacts(i.CommentAndSettle("analyzer[bot]", "It is red.\n\n/colony:move ready-for-dev"), "+1")
	i.HasTrail("needs-clarification -> analyzing: The author answered analyzer[bot]")
	i.Has("colony:ready-for-dev")
}
