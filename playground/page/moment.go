package page

import (
	"fmt"
	"time"
)

// moment is a point in time as the page shows it.
type moment struct {
	At  time.Time
	Ago string
}

func (v *visit) moment(at time.Time) moment {
	return moment{At: at.UTC(), Ago: ago(v.now().Sub(at))}
}

// Stamp is the time for machines.
func (m moment) Stamp() string { return m.At.Format(time.RFC3339) }

// Full is the time for those who want to know exactly.
func (m moment) Full() string { return m.At.Format("2006-01-02 15:04:05 MST") }

// ago words a duration: coarse, as the page shows events in order anyway.
func ago(passed time.Duration) string {
	units := []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}}
	for _, unit := range units {
		switch n := passed / unit.length; {
		case n == 1:
			return "1 " + unit.name + " ago"
		case n > 1:
			return fmt.Sprintf("%d %ss ago", n, unit.name)
		}
	}
	return "just now"
}
