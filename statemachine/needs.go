package statemachine

import (
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Needs lists the evidence that has to be read before anything is decided. The zero value: nothing is missing. A decision that comes with a
// need has no writes.
type Needs struct {
	// OrdersSince asks who ordered Colony's moves from that time; see History.Ordered. Zero: not needed.
	OrdersSince time.Time
	// Guards are the pending moves whose guards have unread conditions.
	Guards []lifecycle.Asking
	// Said asks for the comments: Colony's own and the commands.
	Said bool
	// Facts lists the readings that rows of the lifecycle use.
	Facts []lifecycle.Reading
}

// IsZero reports whether nothing is missing.
func (n Needs) IsZero() bool {
	return n.OrdersSince.IsZero() && len(n.Guards) == 0 && !n.Said && len(n.Facts) == 0
}

// equal reports whether two needs ask for the same evidence.
func (n Needs) equal(other Needs) bool {
	sameMove := func(a, b lifecycle.Asking) bool { return a.EventID == b.EventID && a.From == b.From && a.To == b.To }
	return n.OrdersSince.Equal(other.OrdersSince) && slices.EqualFunc(n.Guards, other.Guards, sameMove) &&
		n.Said == other.Said && slices.Equal(n.Facts, other.Facts)
}

// String names the missing evidence, for errors.
func (n Needs) String() string {
	var moves []int64
	for _, a := range n.Guards {
		moves = append(moves, a.EventID)
	}
	return fmt.Sprintf("orders since %s, guards of the moves %v, comments %t, facts %v", n.OrdersSince.Format(time.RFC3339), moves, n.Said, n.Facts)
}

// Meet reads evidence until ask needs nothing more. It fails if read fails, or if ask needs again what was read already: then reading does
// not help.
func Meet(ask func() Needs, read func(Needs) error) error {
	var met []Needs
	for {
		need := ask()
		if need.IsZero() {
			return nil
		}
		if slices.ContainsFunc(met, need.equal) {
			return fmt.Errorf("reading did not tell what is needed: %s", need)
		}
		if err := read(need); err != nil {
			return err
		}
		met = append(met, need)
	}
}
