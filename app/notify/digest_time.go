package notify

import (
	"fmt"
	"strings"
	"time"
	_ "time/tzdata" // the image of the Dockerfile has none
)

// DigestTime is when a digest is sent each day: an hour and a minute, in a time zone.
type DigestTime struct {
	hour, minute int
	zone         *time.Location
}

// ParseDigestTime reads "08:00", which is UTC, or "08:00 Europe/Berlin".
func ParseDigestTime(text string) (DigestTime, error) {
	clock, name, _ := strings.Cut(strings.TrimSpace(text), " ")
	at, err := time.Parse("15:04", clock)
	if err != nil {
		return DigestTime{}, fmt.Errorf("%q is not a time of day like 08:00", clock)
	}
	name = strings.TrimSpace(name)
	if name == "Local" {
		return DigestTime{}, fmt.Errorf("%q is the time zone of some machine", name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return DigestTime{}, fmt.Errorf("%q is no time zone like Europe/Berlin", name)
	}
	return DigestTime{at.Hour(), at.Minute(), zone}, nil
}

// Next returns the first such time after another. On a day on which the clocks skip it, it is as much later as they are put forward.
func (t DigestTime) Next(after time.Time) time.Time {
	day := after.In(t.zone)
	for {
		next := time.Date(day.Year(), day.Month(), day.Day(), t.hour, t.minute, 0, 0, t.zone)
		if next.After(after) {
			return next
		}
		day = time.Date(day.Year(), day.Month(), day.Day()+1, 12, 0, 0, 0, t.zone)
	}
}

// Day names the day of a time in the zone.
func (t DigestTime) Day(at time.Time) string { return at.In(t.zone).Format(time.DateOnly) }
