package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

// everythingMoves are triggers of every kind: the facts hold for each issue of these tests, and so does the time-out.
const everythingMoves = `triggers:
  - {on: pull-request-missing, in: state-a, to: state-b, why: There is no pull request}
  - {on: dependency-open, in: state-b, to: state-c, why: It depends on others}
time-outs:
  - {in: state-c, after: 2h, to: state-b, why: It waited for too long}
limits:
  - {count: rounds, to: state-c, from: state-a, at-most: 1, instead: state-b, why: Once was enough}
`

// standing labels an issue for each state, so long before anybody installs Colony.
func (w *world) standing(before time.Duration) []*issue {
	w.t.Helper()
	blocker := w.open("mona", "")
	var stood []*issue
	for _, label := range []string{"colony:a", "colony:b", "colony:c"} {
		i := w.open("ada", fmt.Sprintf("Depends on #%d", blocker.Number))
		i.Label("olivia", label)
		stood = append(stood, i)
	}
	w.clock.Advance(before)
	w.start()
	w.install()
	return stood
}

// Issues keep the state they had when Colony was installed: no trigger and no time-out moves them until somebody
// moves them.
func TestInstallingMovesNothing(t *testing.T) {
	t.Parallel()
	for _, before := range []time.Duration{time.Second, time.Hour, 100 * time.Hour} {
		t.Run(before.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t, acme.Follows)
			w.Commit("widgets", policy.LifecycleFile, acme.RowsLifecycle(everythingMoves))
			w.Commit("widgets", policy.SettingsFile, "dispatch: [{from: [state-b], to: state-c, at-most: 10}]\n")
			stood := w.standing(before)
			untouched := func() {
				t.Helper()
				for n, label := range []string{"colony:a", "colony:b", "colony:c"} {
					stood[n].Has(label)
					if moves := stood[n].StateChanges(); moves != 0 {
						t.Errorf("Colony labelled #%d %d times", stood[n].Number, moves)
					}
				}
			}
			untouched()
			for range 3 {
				stood[0].Comment("ada", "Still so.") // wakes Colony
				w.Sweep()
				w.clock.Advance(50 * time.Hour)
				w.Sweep()
				untouched()
			}
			untouched()
		})
	}
}

// Colony judges an issue that somebody moves after its installation like any other.
func TestWhatIsMovedAfterTheInstallationIsJudged(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows)
	w.Commit("widgets", policy.LifecycleFile, acme.RowsLifecycle(everythingMoves))
	stood := w.standing(time.Hour)
	stood[2].Swap("olivia", "colony:c", "colony:a") // leads through both triggers
	moved := stood[1].Comment("olivia", "/colony:move state-c")
	w.Settle()
	stood[1].ColonyReacts(moved, "+1")
	w.clock.Advance(10 * time.Second) // GitHub may show pull requests later than labels
	w.Sweep()
	stood[0].Has("colony:a")
	stood[1].Has("colony:c")
	stood[2].Has("colony:c")
	w.clock.Advance(3 * time.Hour)
	w.Sweep()
	for _, i := range stood[1:] {
		i.ColonySays("It waited for too long")
	}
}

// A repository, or the server, can ask Colony to adopt the issues that were there: then triggers hold for them at once, and time runs from then on.
func TestWhatStoodIsAdopted(t *testing.T) {
	t.Parallel()
	for name, adopt := range map[string]func(w *world){
		"the repository says so":       func(w *world) { w.Commit("widgets", policy.SettingsFile, "adopt: true\n") },
		"the server says so":           func(w *world) { w.Config.Adopt = true },
		"the repository says so later": func(*world) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorldWithoutColony(t, acme.Follows)
			w.Commit("widgets", policy.LifecycleFile, acme.RowsLifecycle(everythingMoves))
			adopt(w)
			stood := w.standing(time.Hour)
			if name == "the repository says so later" {
				w.Sweep()
				stood[0].Has("colony:a")
				w.CommitAndSettle("widgets", policy.SettingsFile, "adopt: true\n")
			}
			w.Sweep()
			for _, i := range stood {
				i.Has("colony:c")
			}
			w.clock.Advance(3 * time.Hour)
			w.Sweep()
			for _, i := range stood {
				i.ColonySays("It waited for too long")
			}
		})
	}
}

// A repository can say otherwise than the server.
func TestARepositoryIsNotAdopted(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows, func(c *config.Config) { c.Adopt = true })
	w.Commit("widgets", policy.LifecycleFile, acme.RowsLifecycle(everythingMoves))
	w.Commit("widgets", policy.SettingsFile, "adopt: false\n")
	stood := w.standing(time.Hour)
	w.Sweep()
	stood[0].Has("colony:a")
}

// The limits of a lifecycle do not count what was done before Colony came.
func TestLimitsCountFromTheInstallation(t *testing.T) {
	t.Parallel()
	life := acme.RowsLifecycle(`executors:
  - {role: there, works-in: state-a, requests: state-c}
  - {role: back, works-in: state-c, requests: state-a}
limits:
  - {count: rounds, to: state-c, from: state-a, at-most: 1, instead: state-b, why: Once was enough}
`)
	w := newWorldWithoutColony(t)
	w.Commit("widgets", policy.LifecycleFile, life)
	i := w.OpenIn("colony:a", "")
	i.Swap("dev[bot]", "colony:a", "colony:c")
	i.Swap("dev[bot]", "colony:c", "colony:a")
	w.clock.Advance(time.Hour)
	w.start()
	w.install()
	i.Swap("dev[bot]", "colony:a", "colony:c")
	w.Settle()
	i.Has("colony:c")
	i.Swap("dev[bot]", "colony:c", "colony:a")
	w.Settle()
	i.Swap("dev[bot]", "colony:a", "colony:c")
	w.Settle()
	i.Has("colony:b", "colony:needs-human")
	i.ColonySays("Once was enough")
}
