package issues

import (
	"testing"
	"time"
)

func TestEdited(t *testing.T) {
	at := func(second, millisecond int) time.Time {
		return time.Date(2026, 11, 21, 12, 0, second, millisecond*int(time.Millisecond), time.UTC)
	}
	for _, row := range []struct {
		name             string
		created, updated time.Time
		want             bool
	}{
		{"as it was written", at(1, 0), at(1, 0), false},
		{"written with milliseconds", at(1, 999), at(2, 1), false},
		{"the next second", at(1, 0), at(2, 0), true},
		{"later", at(1, 0), at(59, 0), true},
		{"no times", time.Time{}, time.Time{}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := edited(row.created, row.updated); got != row.want {
				t.Errorf("edited: %v", got)
			}
		})
	}
}
