package reconcile_test

import (
	"testing"

	"github.com/colony-app/colony/bench/acme"
)

const answeredGuards = `
  - name: answered
    why: A person has to answer first.
    from: analyzing
    to: ready-for-dev
    requires:
      - fact: person-replied
  - name: answered-by-author
    why: The author has to answer first.
    from: analyzing
    to: ready-for-dev
    requires:
      - fact: author-replied
`

// A guard can ask for a reply where no trigger does.
func TestAGuardThatAsksForAReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	w.Guard(answeredGuards)
	i := w.stateful("colony:analyzing")
	w.clock.Advance(hour)
	i.Label("tara", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:analyzing")
	i.ColonySays("A person has to answer first")
	w.clock.Advance(hour)
	i.Comment("ada", "It is red.")
	w.clock.Advance(hour)
	i.Comment("olivia", "And I like it.")
	w.clock.Advance(hour)
	i.Label("tara", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:ready-for-dev")
}

// Whose right cannot be read says nothing about what others replied: nothing is refused for want of a reply that is there.
func TestAReplyOfWhichNothingIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	w.Guard(answeredGuards)
	i := w.stateful("colony:analyzing")
	w.clock.Advance(hour)
	i.Comment("ada", "It is red.")
	w.clock.Advance(hour)
	i.Comment("olivia", "And I like it.")
	w.clock.Advance(hour)
	again := w.noPermissions()
	i.Label("tara", "colony:ready-for-dev")
	for range 5 {
		w.clock.Advance(hour / 60)
		w.Settle()
	}
	i.Has("colony:analyzing", "colony:ready-for-dev")
	i.ColonySays("neither made nor undid the move", "cannot read the facts of the issue")
	again()
	w.Sweep()
	i.Has("colony:ready-for-dev")
}
