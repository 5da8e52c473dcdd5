package reconcile_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

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
	w.Guard(otherEyes)
	i := w.stateful("colony:in-development")
	i.Label("tara", "colony:in-review")
	w.Settle()
	i.Has("colony:in-review")

	i.Label("tara", "colony:merge-pending")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonySays("four-eyes", "Somebody else than the one who asked for the review has to approve, see <https://wiki.example.com/four-eyes>")

	refused := i.Comment("tara", "/colony:move merge-pending")
	w.Settle()
	i.Has("colony:in-review")
	i.ColonyReacts(refused, "confused")
	i.ColonySays("did not move the issue from `in-review` to `merge-pending`", "four-eyes")

	granted := i.Comment("olivia", "/colony:move merge-pending")
	w.Settle()
	i.Has("colony:merge-pending")
	i.ColonyReacts(granted, "+1")
}

// What a guard reads is judged as of when Colony reads it, and stays judged so: the log keeps the verdict.
func TestAGuardThatReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Guard(acme.Leads)
	by := func(who string) *issue {
		i := w.stateful("colony:in-review")
		i.Swap(who, "colony:in-review", "colony:merge-pending")
		w.Settle()
		return i
	}
	refused, granted := by("tara"), by("mona")
	refused.Has("colony:in-review", "colony:needs-human")
	refused.ColonySays("leads", "A maintainer has to approve")
	granted.Has("colony:merge-pending")

	trivial := w.stateful("colony:in-review")
	trivial.Label("olivia", "trivial")
	trivial.Label("tara", "colony:merge-pending")
	w.Settle()
	trivial.Has("colony:merge-pending", "trivial")
	trivial.Unlabel("tara", "trivial") // later it would be refused
	w.Settle()
	trivial.Label("olivia", "bug")
	w.Sweep()
	trivial.Has("colony:merge-pending", "bug")
	granted.Has("colony:merge-pending")
}

// Where Colony only warns, it reads what a guard needs of a move that it lets stand, and says what it would have done.
func TestAGuardThatReadsWhereColonyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
	w.Guard(acme.Leads)
	w.Asks(lifecycle.ModeWarn)
	for who, granted := range map[string]bool{"tara": false, "mona": true} {
		i := w.stateful("colony:in-review")
		i.Swap(who, "colony:in-review", "colony:merge-pending")
		w.Settle()
		i.Has("colony:merge-pending")
		if !granted {
			i.ColonySays("would have undone", "leads", "A maintainer has to approve")
		}
		i.NothingUnread()
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
			w := newWorld(t)
			w.Guard(acme.Leads)
			i := w.stateful("colony:in-review")
			again := w.noPermissions()
			left := []string{"colony:in-review", "colony:merge-pending"}
			if both {
				i.Swap(who, "colony:in-review", "colony:merge-pending")
				left = left[1:]
			} else {
				i.Label(who, "colony:merge-pending")
			}
			for range 20 {
				w.clock.Advance(time.Minute)
				w.Settle()
			}
			i.Has(append(left, "colony:needs-human")...)
			i.ColonySays("neither made nor undid the move from `in-review` to `merge-pending`", "cannot read which permission "+who+" has")
			w.Sweep()
			w.Sweep()
			i.Has(append(left, "colony:needs-human")...)

			again()
			w.Sweep()
			switch end {
			case "colony:in-review":
				i.Has(end, "colony:needs-human")
				i.ColonySays("the guard `leads` refuses it")
			default:
				i.Has(end) // whoever is asked for has acted: the move counts
			}
			w.stopColony()
			w.start() // with nothing remembered
			w.Sweep()
		}
	}
}

// Where Colony only warns, a move whose guard cannot be read waits for its warning: what Colony writes in between could pass for a grant.
func TestAWarningWaitsForWhatItsGuardReads(t *testing.T) {
	t.Parallel()
	for _, who := range []string{"mona", "tara"} {
		for _, both := range []bool{false, true} {
			t.Run(fmt.Sprint(who, both), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
				w.Guard(acme.Leads)
				w.Asks(lifecycle.ModeWarn)
				i := w.stateful("colony:in-review")
				again := w.noPermissions()
				left := []string{"colony:in-review", "colony:merge-pending"}
				i.Label(who, "colony:merge-pending")
				if both {
					i.Unlabel(who, "colony:in-review")
					left = left[1:]
				}
				w.Settle()
				i.Has(left...)
				i.ColonySays("neither made nor undid the move from `in-review` to `merge-pending`", "cannot read which permission "+who+" has")
				again()
				w.Sweep()
				if who == "mona" {
					i.Has("colony:merge-pending")
				} else {
					i.Has(left...)
					i.ColonySays("Colony would have undone this move", "the guard `leads` refuses it")
				}
				i.NothingUnread()
			})
		}
	}
}

// A command waits for what its guard needs, and is refused if that stays unknown.
func TestACommandWhoseGuardCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Guard(`
  - name: secure
    why: What depends on others waits for them.
    to: merge-pending
    forbids:
      - fact: dependency-open
`)
	i := w.stateful("colony:in-review")
	i.BlockedBy(i.Number, i.Other(), true)
	again := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(`/dependencies/`),
	})
	lost := i.Comment("olivia", "/colony:move merge-pending")
	w.Settle()
	i.ColonyReacts(lost, "eyes")
	for range 20 {
		w.clock.Advance(time.Minute)
		w.Settle()
	}
	i.ColonyReacts(lost, "confused")
	i.ColonySays("cannot check a condition of that move", "`secure`: What depends on others waits for them.")
	i.Has("colony:in-review")
	again()
	asked := i.Comment("olivia", "/colony:move merge-pending")
	w.Settle()
	i.ColonyReacts(asked, "confused")
	i.ColonySays("`secure`")
	i.Has("colony:in-review")
}

// Who made the move before is known as well where they asked for it by command, a bot or a person, and where no limit asks who it was.
func TestFourEyesByCommand(t *testing.T) {
	t.Parallel()
	for _, detour := range []bool{false, true} {
		w := newWorld(t)
		text, err := lifecycle.ShippedFile("colony")
		w.Must(err)
		without := regexp.MustCompile(`(?s)\n(guards|limits|time-outs):\n.*?\n\n`).ReplaceAllString(string(text), "\n")
		w.CommitAndSettle("widgets", policy.LifecycleFile, without+"\nguards:\n"+otherEyes)
		i := w.stateful("colony:in-development")
		asked := i.Comment("tara", "/colony:move in-review")
		w.Settle()
		i.ColonyReacts(asked, "+1")
		i.Has("colony:in-review")
		w.clock.Advance(100 * time.Hour) // which is more than what Colony reads of the comments
		if detour {
			i.Swap("olivia", "colony:in-review", "colony:paused")
			w.Settle()
			i.Swap("olivia", "colony:paused", "colony:in-review")
			w.Settle()
			w.clock.Advance(time.Hour)
		}
		i.Label("tara", "colony:merge-pending")
		w.Settle()
		i.ColonySays("Colony undid this move", "four-eyes")
		w.clock.Advance(time.Minute)
		refused := i.Comment("tara", "/colony:move merge-pending")
		w.Settle()
		i.ColonyReacts(refused, "confused")
		i.ColonySays("did not move the issue from `in-review` to `merge-pending`", "four-eyes")
		i.Has("colony:in-review")
		i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:move merge-pending"), "+1")
		i.Has("colony:merge-pending")
	}
}

// Only comments tell who wrote the command that made the move before. While they cannot be read, nobody knows whether who asks did.
func TestFourEyesWhileNobodyKnowsWhoMovedBefore(t *testing.T) {
	t.Parallel()
	for who, granted := range map[string]bool{"tara": false, "olivia": true} {
		for _, byCommand := range []bool{false, true} {
			t.Run(fmt.Sprint(who, byCommand), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.Guard(otherEyes)
				i := w.stateful("colony:in-development")
				ordered := i.Comment("tara", "/colony:move in-review")
				w.Settle()
				i.ColonyReacts(ordered, "+1")
				w.stopColony()
				w.start() // with nothing remembered
				again := w.github.Fault(playground.Fault{
					Kind: playground.FaultStatus, Actor: "colony[bot]", Status: http.StatusBadGateway, Path: regexp.MustCompile(fmt.Sprintf("/issues/%d/comments$", i.Number)),
				})
				written := int64(0)
				if byCommand {
					written = i.Comment(who, "/colony:move merge-pending")
					w.Settle()
					i.Has("colony:in-review")
				} else {
					i.Label(who, "colony:merge-pending")
					w.Settle()
					i.Has("colony:in-review", "colony:merge-pending")
				}
				again()
				w.Sweep()
				if granted {
					i.Has("colony:merge-pending")
				} else {
					i.Has("colony:in-review")
					i.ColonySays("the guard `four-eyes` refuses it")
				}
				if byCommand {
					i.ColonyReacts(written, map[bool]string{true: "+1", false: "confused"}[granted])
				}
			})
		}
	}
}

// The comment names the guard that refuses, also where the first try to write it failed and the label was taken off before.
func TestTheGuardThatRefusesIsNamedAfterAFailedComment(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.Colibri)
	i := w.open("ada", "Paint it.")
	i.Label("olivia", "colony:init")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusBadGateway, Method: http.MethodPost,
		Path: regexp.MustCompile(`/comments$`), Actor: "colony[bot]", Times: 2,
	})
	i.Label("dev[bot]", "colony:gather")
	w.Settle()
	w.clock.Advance(time.Minute)
	w.Settle()
	i.ColonySays("the guard `one-role` refuses it")
}

// What a guard just refused is not among what is also allowed.
func TestTheListLeavesOutWhatAGuardRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, acme.WithLifecycle("autoralph"))
	i := w.open("ada", "Paint it.")
	i.Through("autoralph", "building")
	w.Settle()
	w.clock.Advance(time.Minute)
	i.Label("olivia", "colony:in-review")
	w.Settle()
	said := i.ColonyComments()[0].GetBody()
	if regexp.MustCompile("(?m)^Also allowed:.*`in-review`").MatchString(said) {
		t.Error(said)
	}
	i.ColonySays("`pull-request-open` refuses it")
}
