package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
)

// Where Colony would analyse it otherwise, a status says what an issue waits for.
func TestStatusOfADependentIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	w.CommitAndSettle("widgets", ".github/colony.yml", "mode: enforce\ndispatch: [{from: [new], to: analyzing, at-most: 3}]\n")
	i := w.open("ada", "Paint it.")
	number := i.Other()
	i.BlockedBy(i.Number, number, true)
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonyReacts(i.CommentAndSettle("ada", "/colony:status"), "+1")
	i.ColonySays(fmt.Sprintf("What holds it up: open dependencies, `#%d`.", number))
}

// A bot's claim of an issue that depends on an open one is refused, each time, with what the issue waits for. Colony says it once.
func TestABotCannotClaimADependentIssue(t *testing.T) {
	t.Parallel()
	for _, swaps := range []bool{false, true} {
		w := newWorld(t, acme.Follows)
		i := w.open("ada", "Paint it.")
		number := i.Other()
		i.BlockedBy(i.Number, number, true)
		i.Label("olivia", "colony:new")
		w.Settle()
		claim := func() {
			if swaps {
				i.Swap("analyzer[bot]", "colony:new", "colony:analyzing")
			} else {
				i.Label("analyzer[bot]", "colony:analyzing")
			}
			w.Settle()
		}
		for n := range 9 {
			claim()
			i.Has("colony:new")
			if n == 0 {
				i.ColonySays("dependencies-first", fmt.Sprintf("It waits for `#%d`.", number))
			}
			i.NothingUnread()
			w.clock.Advance(time.Minute)
		}
		i.CloseAs(number, "completed")
		w.Settle()
		i.Has("colony:new")
		claim()
		i.Has("colony:analyzing")
	}
}

// So is its command, and a person may begin all the same.
func TestAPersonMayClaimADependentIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	number := i.Other()
	i.BlockedBy(i.Number, number, true)
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonyReacts(i.CommentAndSettle("analyzer[bot]", "/colony:move analyzing"), "confused")
	i.ColonySays("dependencies-first", fmt.Sprintf("It waits for `#%d`.", number))
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:new")
	w.clock.Advance(time.Minute)
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:analyzing")
}
