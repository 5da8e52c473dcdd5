package wording

import (
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/statemachine"
)

// Reminder is that an issue will have been in its state for too long.
type Reminder struct {
	// State is where it is, and To where Colony moves it then.
	State, To string
	// At is when.
	At time.Time
}

// RenderReminder renders the comment that says so, and what people can do. stay is the event that the stay in the state began with.
func RenderReminder(l *statemachine.Table, standing statemachine.Standing, r Reminder, stay int64) string {
	return render("reminder", r) + "\n\n" + nextStep(l, standing, advice.Request{Reason: advice.Late}, "") + "\n\n" + Marker(Reminds, stay)
}
