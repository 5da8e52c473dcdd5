package wording

import (
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Orphan is an issue that came to its end without the reflection that its lifecycle asks for.
type Orphan struct {
	State string
	// By is who ended it; without a login, no one that could be asked.
	By lifecycle.Actor
	At time.Time
	// Words are what the reflection begins with.
	Words string
	// EventID is the label event that ended it.
	EventID int64
}

// RenderOrphan asks for the reflection, with its marker.
func RenderOrphan(o Orphan) string {
	return render("orphan", o) + "\n\n" + Marker(Orphans, o.EventID)
}
