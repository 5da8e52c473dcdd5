package app_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// form opens an issue with an issue form that names labels.
func (w *world) form(by string, labels ...string) *issue {
	w.t.Helper()
	number, err := w.github.OpenWithForm("acme", "widgets", "It squeaks", "Always.", labels, by)
	w.must(err)
	i := &issue{world: w, number: number, comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
	return i
}

// A form puts labels on whatever role the author has: from people without triage they are requests.
func TestLabelOfAnIssueFormIsTheAuthorsRequest(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, onDisk(t), func(w *world, after func()) {
		done, two := w.form("ada", "colony:done"), w.form("ada", "colony:new", "colony:in-review", "bug")
		triaged, written := w.form("tara", "colony:ready-for-dev"), w.form("olivia", "colony:in-review")
		after()
		done.has()
		done.colonySays("`colony:done`", "`ada`", "triage")
		two.has("bug")
		two.colonySays("`colony:new`", "`colony:in-review`")
		triaged.has("colony:ready-for-dev")
		written.has("colony:in-review")

		// A refused label stays refused, also for a process that remembers nothing, and no matter what the author may do later.
		w.github.SetPermission("acme", "widgets", "ada", "write")
		w.stopColony()
		w.clock.Advance(time.Hour)
		w.start()
		done.comment("rita", "Me too.")
		w.sweep()
		done.has()
		done.label("olivia", "colony:new") // which no move leads to from done
		w.settle()
		done.has("colony:new")
	})
}

func TestFormOfAWantedIssueTakesItIn(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, takesIn(policy.Every), func(w *world, after func()) {
		same, other := w.form("ada", "colony:new"), w.form("ada", "colony:done", "colony:in-review")
		after()
		same.has("colony:new")
		other.has("colony:new")
		w.stopColony()
		w.clock.Advance(time.Hour)
		w.start()
		w.sweep()
		same.has("colony:new")
		other.has("colony:new")
		other.label("olivia", "colony:analyzing")
		after()
		other.has("colony:analyzing")
	}, onDisk(t))
}

func TestFormOfAnIssueThatOthersMovedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.HoldDeliveries()
	claimed, moved := w.form("ada", "colony:ready-for-dev"), w.form("ada", "colony:ready-for-dev")
	claimed.label("dev[bot]", "colony:in-development")
	moved.label("olivia", "colony:in-development")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.settle()
	claimed.has() // nobody decided that there is something to claim
	claimed.colonySays("`ada`", "`dev[bot]`")
	moved.has("colony:in-development") // somebody did
}

func TestLabelOfAFormThatSomebodyTookOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.HoldDeliveries()
	i, own := w.form("ada", "colony:in-review"), w.form("olivia", "colony:in-review")
	i.unlabel("tara", "colony:in-review")
	own.unlabel("tara", "colony:in-review")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.settle()
	i.has()
	own.has("colony:in-review", "colony:needs-human")
	own.colonySays("@tara")
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
	i := w.form("olivia", "colony:new")
	w.settle()
	if n := permissions(); n != 1 {
		t.Errorf("%d reads for a label in the opening, want 1", n)
	}
	w.github.ResetCalls()
	i.comment("olivia", "Hello.")
	i.label("olivia", "colony:analyzing")
	w.settle()
	plain := w.open("ada", "No label.")
	plain.label("olivia", "colony:new")
	w.form("ada", "bug")
	w.settle()
	if n := permissions(); n != 0 {
		t.Errorf("%d reads where nothing depends on it", n)
	}
	i.has("colony:analyzing")
	plain.has("colony:new")
}

// "Could not check" is not "not allowed".
func TestAuthorsPermissionThatCannotBeReadChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cancel := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(`/permission$`), Actor: "colony[bot]"})
	i := w.form("ada", "colony:done")
	w.settle()
	i.has("colony:done")
	if n := len(i.colonyComments()); n > 0 {
		t.Errorf("%d comments, although nothing is known", n)
	}
	cancel()
	for range 4 {
		w.clock.Advance(10 * time.Second)
		w.settle()
	}
	i.has()
	i.colonySays("`colony:done`")
}

// Colony may end between any two of its writes: the label's, and the comment's or that of the state it is taken in to.
func TestRefusalOfAFormSurvivesACrash(t *testing.T) {
	t.Parallel()
	for name, taken := range map[string]bool{"refused": false, "taken in": true} {
		for _, method := range []string{http.MethodDelete, http.MethodPost} {
			t.Run(name+", without "+method, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, onDisk(t), func(c *config.Config) {
					if taken {
						c.Intake.When = policy.Every
					}
				})
				cancel := w.github.Fault(playground.Fault{
					Kind: playground.FaultStatus, Status: http.StatusBadGateway, Method: method, Path: regexp.MustCompile(`/issues/\d+/(labels|comments)`), Actor: "colony[bot]",
				})
				i := w.form("ada", "colony:done")
				w.settle()
				w.stopColony()
				cancel()
				w.start()
				for range 3 {
					w.clock.Advance(time.Minute)
					w.sweep()
				}
				if taken {
					i.has("colony:new")
					return
				}
				i.has()
				i.colonySays("`colony:done`")
			})
		}
	}
}
