package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// guard gives the repository widgets the lifecycle colony with other guards.
func (w *world) guard(guards string) {
	w.t.Helper()
	text, err := lifecycle.ShippedFile("colony")
	if err != nil {
		w.t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "\nguards:\n")
	_, after, _ := strings.Cut(rest, "\n\n")
	w.commitAndSettle("widgets", policy.LifecycleFile, before+"\nguards:\n"+guards+"\n"+after)
}

const otherEyes = `
  - name: four-eyes
    why: Somebody else than the one who asked for the review has to approve.
    link: https://wiki.example.com/four-eyes
    from: in-review
    to: merge-pending
    forbids:
      - is: previous-mover
`

// Who asked for the review may not approve, neither by label nor by command; somebody else may.
func TestFourEyes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.guard(otherEyes)
	i := w.stateful("colony:in-development")
	i.label("tara", "colony:in-review")
	w.settle()
	i.has("colony:in-review")

	i.label("tara", "colony:merge-pending")
	w.settle()
	i.has("colony:in-review")
	i.colonySays("four-eyes", "Somebody else than the one who asked for the review has to approve, see <https://wiki.example.com/four-eyes>")

	refused := i.comment("tara", "/colony:move merge-pending")
	w.settle()
	i.has("colony:in-review")
	i.colonyReacts(refused, "confused")
	i.colonySays("did not move the issue from `in-review` to `merge-pending`", "four-eyes")

	granted := i.comment("olivia", "/colony:move merge-pending")
	w.settle()
	i.has("colony:merge-pending")
	i.colonyReacts(granted, "+1")
}

const leads = `
  - name: leads
    why: A maintainer has to approve.
    from: in-review
    to: merge-pending
    requires:
      - permission: maintain
    unless:
      - label: trivial
        why: Trivial changes need none.
    needs-human: true
`

// What a guard reads is judged as of when Colony reads it, and stays judged so: the log keeps the verdict.
func TestAGuardThatReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.guard(leads)
	by := func(who string) *issue {
		i := w.stateful("colony:in-review")
		i.swap(who, "colony:in-review", "colony:merge-pending")
		w.settle()
		return i
	}
	refused, granted := by("tara"), by("mona")
	refused.has("colony:in-review", "colony:needs-human")
	refused.colonySays("leads", "A maintainer has to approve")
	granted.has("colony:merge-pending")

	trivial := w.stateful("colony:in-review")
	trivial.label("olivia", "trivial")
	trivial.label("tara", "colony:merge-pending")
	w.settle()
	trivial.has("colony:merge-pending", "trivial")
	trivial.unlabel("tara", "trivial") // later it would be refused
	w.settle()
	trivial.label("olivia", "bug")
	w.sweep()
	trivial.has("colony:merge-pending", "bug")
	granted.has("colony:merge-pending")
}

// Where Colony only warns, it reads what a guard needs of a move that it lets stand, and says what it would have done.
func TestAGuardThatReadsWhereColonyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(lifecycle.ModeWarn))
	w.guard(leads)
	w.asks(lifecycle.ModeWarn)
	for who, granted := range map[string]bool{"tara": false, "mona": true} {
		i := w.stateful("colony:in-review")
		i.swap(who, "colony:in-review", "colony:merge-pending")
		w.settle()
		i.has("colony:merge-pending")
		if !granted {
			i.colonySays("would have undone", "leads", "A maintainer has to approve")
		}
		i.nothingUnread()
	}
}

// noPermissions makes GitHub fail to tell what anybody may do, until it is called.
func (w *world) noPermissions() (again func()) {
	return w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(`/collaborators/.*/permission$`),
	})
}

// A guard whose facts cannot be read neither grants nor refuses. Colony tries again, says so once, and decides at a later sweep.
func TestAGuardOfWhichNothingIsKnown(t *testing.T) {
	t.Parallel()
	for who, end := range map[string]string{"mona": "colony:merge-pending", "tara": "colony:in-review"} {
		for _, both := range []bool{false, true} {
			w := newWorld(t, onDisk(t))
			w.guard(leads)
			i := w.stateful("colony:in-review")
			again := w.noPermissions()
			left := []string{"colony:in-review", "colony:merge-pending"}
			if both {
				i.swap(who, "colony:in-review", "colony:merge-pending")
				left = left[1:]
			} else {
				i.label(who, "colony:merge-pending")
			}
			for range 20 {
				w.clock.Advance(time.Minute)
				w.settle()
			}
			i.has(append(left, "colony:needs-human")...)
			i.colonySays("neither made nor undid the move from `in-review` to `merge-pending`", "cannot read which permission "+who+" has")
			w.sweep()
			w.sweep()
			i.has(append(left, "colony:needs-human")...)

			again()
			w.sweep()
			switch end {
			case "colony:in-review":
				i.has(end, "colony:needs-human")
				i.colonySays("the guard `leads` refuses it")
			default:
				i.has(end) // whoever is asked for has acted: the move counts
			}
			w.stopColony()
			w.start() // with nothing remembered
			w.sweep()
		}
	}
}

// A command waits for what its guard needs, and is refused if that stays unknown.
func TestACommandWhoseGuardCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.guard(`
  - name: secure
    why: What depends on others waits for them.
    to: merge-pending
    forbids:
      - fact: dependency-open
`)
	i := w.stateful("colony:in-review")
	i.blockedBy(i.number, i.other(), true)
	again := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(`/dependencies/`),
	})
	lost := i.comment("olivia", "/colony:move merge-pending")
	w.settle()
	i.colonyReacts(lost, "eyes")
	for range 20 {
		w.clock.Advance(time.Minute)
		w.settle()
	}
	i.colonyReacts(lost, "confused")
	i.colonySays("cannot check a condition of that move", "`secure`: What depends on others waits for them.")
	i.has("colony:in-review")
	again()
	asked := i.comment("olivia", "/colony:move merge-pending")
	w.settle()
	i.colonyReacts(asked, "confused")
	i.colonySays("`secure`")
	i.has("colony:in-review")
}

// A Colony that is killed after any of its calls decides the same about a guarded move.
func TestStopAfterEveryCallOfAGuardedMove(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"olivia", "mona"} {
		for _, both := range []bool{false, true} {
			if !long.Whole() && both == (who == "mona") {
				continue
			}
			t.Run(fmt.Sprint(who, both), func(t *testing.T) {
				t.Parallel()
				scenario := func(w *world) {
					i := w.issues[0]
					if both {
						i.swap(who, "colony:in-development", "colony:in-review")
					} else {
						i.label(who, "colony:in-review")
					}
				}
				guarded := func(w *world) {
					w.guard(strings.ReplaceAll(strings.ReplaceAll(leads, "in-review", "in-development"), "merge-pending", "in-review"))
				}
				want, calls := endAfter(t, guarded, scenario, 0)
				for k := range crashPoints(calls) {
					if got, _ := endAfter(t, guarded, scenario, k); got != want {
						t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
					}
				}
				if !strings.Contains(want, map[string]string{"olivia": "[colony:in-development colony:needs-human]", "mona": "[colony:in-review]"}[who]) {
					t.Error(want)
				}
			})
		}
	}
}

// Who made the move before is known as well where they asked for it by command, a bot or a person, and where no limit asks who it was.
func TestFourEyesByCommand(t *testing.T) {
	t.Parallel()
	for _, detour := range []bool{false, true} {
		w := newWorld(t)
		text, err := lifecycle.ShippedFile("colony")
		w.must(err)
		without := regexp.MustCompile(`(?s)\n(guards|limits|time-outs):\n.*?\n\n`).ReplaceAllString(string(text), "\n")
		w.commitAndSettle("widgets", policy.LifecycleFile, without+"\nguards:\n"+otherEyes)
		i := w.stateful("colony:in-development")
		asked := i.comment("tara", "/colony:move in-review")
		w.settle()
		i.colonyReacts(asked, "+1")
		i.has("colony:in-review")
		w.clock.Advance(100 * time.Hour) // which is more than what Colony reads of the comments
		if detour {
			i.swap("olivia", "colony:in-review", "colony:paused")
			w.settle()
			i.swap("olivia", "colony:paused", "colony:in-review")
			w.settle()
			w.clock.Advance(time.Hour)
		}
		i.label("tara", "colony:merge-pending")
		w.settle()
		i.colonySays("Colony undid this move", "four-eyes")
		w.clock.Advance(time.Minute)
		refused := i.comment("tara", "/colony:move merge-pending")
		w.settle()
		i.colonyReacts(refused, "confused")
		i.colonySays("did not move the issue from `in-review` to `merge-pending`", "four-eyes")
		i.has("colony:in-review")
		i.colonyReacts(i.commentAndSettle("olivia", "/colony:move merge-pending"), "+1")
		i.has("colony:merge-pending")
	}
}

// Only comments tell who wrote the command that made the move before. While they cannot be read, nobody knows whether who asks did.
func TestFourEyesWhileNobodyKnowsWhoMovedBefore(t *testing.T) {
	t.Parallel()
	for who, granted := range map[string]bool{"tara": false, "olivia": true} {
		for _, byCommand := range []bool{false, true} {
			t.Run(fmt.Sprint(who, byCommand), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, onDisk(t))
				w.guard(otherEyes)
				i := w.stateful("colony:in-development")
				ordered := i.comment("tara", "/colony:move in-review")
				w.settle()
				i.colonyReacts(ordered, "+1")
				w.stopColony()
				w.start() // with nothing remembered
				again := w.github.Fault(playground.Fault{
					Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(fmt.Sprintf("/issues/%d/comments$", i.number)),
				})
				written := int64(0)
				if byCommand {
					written = i.comment(who, "/colony:move merge-pending")
					w.settle()
					i.has("colony:in-review")
				} else {
					i.label(who, "colony:merge-pending")
					w.settle()
					i.has("colony:in-review", "colony:merge-pending")
				}
				again()
				w.sweep()
				if granted {
					i.has("colony:merge-pending")
				} else {
					i.has("colony:in-review")
					i.colonySays("the guard `four-eyes` refuses it")
				}
				if byCommand {
					i.colonyReacts(written, map[bool]string{true: "+1", false: "confused"}[granted])
				}
			})
		}
	}
}
