package reconcile_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// A form puts labels on whatever role the author has: from people without triage they are requests.
func TestLabelOfAnIssueFormIsTheAuthorsRequest(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.InMode(lifecycle.ModeEnforce), func(w *world, after func()) {
		done, two := w.Form("ada", "colony:done"), w.Form("ada", "colony:new", "colony:in-review", "bug")
		triaged, written := w.Form("tara", "colony:ready-for-dev"), w.Form("olivia", "colony:in-review")
		after()
		done.Has()
		done.ColonySays("`colony:done`", "`ada`", "triage")
		two.Has("bug")
		two.ColonySays("`colony:new`", "`colony:in-review`")
		triaged.Has("colony:ready-for-dev")
		written.Has("colony:in-review")

		// A refused label stays refused, also for a process that remembers nothing, and no matter what the author may do later.
		w.github.SetPermission("acme", "widgets", "ada", "write")
		w.stopColony()
		w.clock.Advance(time.Hour)
		w.start()
		done.Comment("rita", "Me too.")
		w.Sweep()
		done.Has()
		done.Label("olivia", "colony:new") // which no move leads to from done
		w.Settle()
		done.Has("colony:new")
	})
}

func TestFormOfAWantedIssueTakesItIn(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.TakesIn(policy.Every), func(w *world, after func()) {
		same, other := w.Form("ada", "colony:new"), w.Form("ada", "colony:done", "colony:in-review")
		after()
		same.Has("colony:new")
		other.Has("colony:new")
		w.stopColony()
		w.clock.Advance(time.Hour)
		w.start()
		w.Sweep()
		same.Has("colony:new")
		other.Has("colony:new")
		other.Label("olivia", "colony:analyzing")
		after()
		other.Has("colony:analyzing")
	})
}

func TestFormOfAnIssueThatOthersMovedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.HoldDeliveries()
	claimed, moved := w.Form("ada", "colony:ready-for-dev"), w.Form("ada", "colony:ready-for-dev")
	claimed.Label("dev[bot]", "colony:in-development")
	moved.Label("olivia", "colony:in-development")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.Settle()
	claimed.Has() // nobody decided that there is something to claim
	claimed.ColonySays("`ada`", "`dev[bot]`")
	moved.Has("colony:in-development") // somebody did
}

func TestLabelOfAFormThatSomebodyTookOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.HoldDeliveries()
	i, own := w.Form("ada", "colony:in-review"), w.Form("olivia", "colony:in-review")
	i.Unlabel("tara", "colony:in-review")
	own.Unlabel("tara", "colony:in-review")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.Settle()
	i.Has()
	own.Has("colony:in-review", "colony:needs-human")
	own.ColonySays("@tara")
}

// The permission is read once for an issue, and only where something depends on it.
func TestAuthorsPermissionIsReadOnlyWhereItMatters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	permissions := func() (reads int) {
		for _, c := range w.github.Calls() {
			if c.Actor == "colony[bot]" && regexp.MustCompile(`/collaborators/[^/]+/permission$`).MatchString(c.Path) {
				reads++
			}
		}
		return reads
	}
	i := w.Form("olivia", "colony:new")
	w.Settle()
	if n := permissions(); n != 1 {
		t.Errorf("%d reads for a label in the opening, want 1", n)
	}
	w.github.ResetCalls()
	i.Comment("olivia", "Hello.")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	plain := w.open("ada", "No label.")
	plain.Label("olivia", "colony:new")
	w.Form("ada", "bug")
	w.Settle()
	if n := permissions(); n != 0 {
		t.Errorf("%d reads where nothing depends on it", n)
	}
	i.Has("colony:analyzing")
	plain.Has("colony:new")
}

// "Could not check" is not "not allowed".
func TestAuthorsPermissionThatCannotBeReadChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cancel := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(`/permission$`), Actor: "colony[bot]"})
	i := w.Form("ada", "colony:done")
	w.Settle()
	i.Has("colony:done")
	if n := len(i.ColonyComments()); n > 0 {
		t.Errorf("%d comments, although nothing is known", n)
	}
	cancel()
	for range 4 {
		w.clock.Advance(10 * time.Second)
		w.Settle()
	}
	i.Has()
	i.ColonySays("`colony:done`")
}

// Colony may end between any two of its writes: the label's, and the comment's or that of the state it is taken in to.
func TestRefusalOfAFormSurvivesACrash(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]bool{"refused": false, "taken in": true} {
		for _, method := range []string{http.MethodDelete, http.MethodPost} {
			t.Run(name+", without "+method, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, func(c *config.Config) {
					if taken {
						c.Intake.When = policy.Every
					}
				})
				cancel := w.github.Fault(playground.Fault{
					Kind: playground.FaultStatus, Status: http.StatusBadGateway, Method: method, Path: regexp.MustCompile(`/issues/\d+/(labels|comments)`), Actor: "colony[bot]",
				})
				i := w.Form("ada", "colony:done")
				w.Settle()
				w.stopColony()
				cancel()
				w.start()
				for range 3 {
					w.clock.Advance(time.Minute)
					w.Sweep()
				}
				if taken {
					i.Has("colony:new")
					return
				}
				i.Has()
				i.ColonySays("`colony:done`")
			})
		}
	}
}
