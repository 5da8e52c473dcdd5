package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Observation is a fact that holds for an issue.
type Observation struct {
	Fact lifecycle.Fact
	// At is when it came. Facts that last have it where they depend on that, or where a person is asked about them: see FactSpec.Own and
	// Trigger.To.
	At time.Time
	// About names what it is about, for people: "#12", a login.
	About string
	// Link is where it can be seen; empty if there is no such place, or if that is what About names.
	Link string
	// Version tells apart what has the same name and came at different times: the head of a pull request.
	Version string
	// Later says of a fact that lasts that it came after a move of Colony's that a person undid: the record of the move does not name it.
	Later bool
	// Waits says that it moves nothing yet: the commands of the same comment go first.
	Waits bool
}

// Cause names a fact in the record of a move. Which files of a pull request overlap makes no difference.
func (o Observation) Cause() string {
	about, _, _ := strings.Cut(o.About, ":")
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", o.Fact, about, o.Version))
}

// Facts is what was read about an issue in addition to its labels.
type Facts struct {
	// Read lists the readings that were made: only their facts can be missed.
	Read     []lifecycle.Reading
	Observed []Observation
	// Late says that GitHub might not show yet what rows depend on, or cannot be read now: only Colony's own move waits for that.
	Late bool
	// Assumed says that nothing was read: what a decision depends on is taken to be as it was.
	Assumed bool
}

// Unread lists those of some readings that were not made.
func (f Facts) Unread(needs []lifecycle.Reading) []lifecycle.Reading {
	return slices.DeleteFunc(slices.Clone(needs), func(r lifecycle.Reading) bool { return slices.Contains(f.Read, r) })
}
