package issues

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"time"
	"unique"

	"github.com/colony-app/colony/statemachine"
)

// Settled is the beginning of a log on which nothing is judged any more: whole pages, which are not read again. What they tell is the
// same each time, so it is summed up once rather than gone through each time. The zero value is empty.
type Settled struct {
	pages  []logPage
	actors *Actors
}

// Pages returns how many pages there are.
func (s Settled) Pages() int { return len(s.pages) }

// First returns the first pages.
func (s Settled) First(pages int) Settled { return Settled{s.pages[:pages], s.actors} }

// Until returns the time of the latest event; zero if there is none.
func (s Settled) Until() time.Time {
	var until time.Time
	for _, p := range s.pages {
		if p.newest.After(until) {
			until = p.newest
		}
	}
	return until
}

// Version tells what the pages say from whatever else they could, and those whom it is about as well.
func (s Settled) Version() string {
	if len(s.pages) == 0 {
		return ""
	}
	return fmt.Sprintf("%x %s", sumOf(s.pages), s.actors.version())
}

// Has reports whether an event is on the pages, of which those that come after are said to be none.
func (s Settled) Has(eventID int64) bool {
	for _, p := range slices.Backward(s.pages) {
		if n := len(p.events); n > 0 {
			return eventID <= p.events[n-1].id
		}
	}
	return false
}

// Changes returns the changes of labels after so many pages. That costs as much as there are.
func (s Settled) Changes(after int) []statemachine.Change {
	return changesOf(s.actors, s.pages[after:])
}

// changesOf returns the changes of labels on pages.
func changesOf(cast *Actors, pages []logPage) []statemachine.Change {
	events := 0
	for _, p := range pages {
		events += len(p.events)
	}
	changes := make([]statemachine.Change, 0, events)
	type who struct {
		login unique.Handle[string]
		bot   bool
		via   int64
	}
	known := map[who]statemachine.Actor{} // few people make many events
	for _, p := range pages {
		for _, e := range p.events {
			by, there := known[who{e.login, e.bot, e.via}]
			if !there {
				by = cast.actor(e.login.Value(), e.bot, e.via)
				known[who{e.login, e.bot, e.via}] = by
			}
			changes = append(changes, statemachine.Change{
				ID: e.id, Added: e.kind == labeled, Label: e.label.Value(), By: by, At: e.time(),
			})
		}
	}
	return changes
}

// digestOf hashes what is remembered of changes of labels.
func digestOf(events []logEvent) [sha256.Size]byte {
	var text []byte
	for _, e := range events {
		text = fmt.Appendf(text, "%d %d %d %d %t %q %q\n", e.id, e.at, e.via, e.kind, e.bot, e.label.Value(), e.login.Value())
	}
	return sha256.Sum256(text)
}

// sumOf hashes what is remembered of pages.
func sumOf(pages []logPage) []byte {
	sum := sha256.New()
	for _, p := range pages {
		sum.Write(p.digest[:])
	}
	return sum.Sum(nil)
}

// version tells who counts as what.
func (c *Actors) version() string {
	text := fmt.Appendf(nil, "%q %d %q", c.Self(), c.AppID, c.Former)
	for _, login := range slices.Sorted(maps.Keys(c.Executors)) {
		text = fmt.Appendf(text, " %q %q", login, c.Executors[login])
	}
	return fmt.Sprintf("%x", sha256.Sum256(text))
}
