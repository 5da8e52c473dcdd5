package statemachine

import (
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
	// Waits says that it moves nothing yet: the commands of the same comment go first.
	Waits bool
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
