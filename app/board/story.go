package board

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/statemachine"
)

// storiesKept is how many stories are remembered until something is seen of their issues again.
const storiesKept = 500

// told is what was read of an issue, as of when it was last seen.
type told struct {
	of    *Issue
	story *inspect.Issue
}

// story reads what became of an issue. It is read again when something was seen of the issue since.
func (p *Pages) story(ctx context.Context, i *Issue) (*inspect.Issue, error) {
	key := i.Ref.String()
	if t, ok := p.stories.Get(key); ok && t.of == i {
		return t.story, nil
	}
	s, err := p.Read(ctx, i.Ref)
	if err == nil {
		if i.Closed {
			s.Allowed = nil
		}
		p.stories.Add(key, told{i, s})
	}
	return s, err
}

type event struct {
	At       time.Time
	Who      string
	From, To string
	Refused  bool
	Words    []string // why, and what came of it
	Link     string
	Lasted   string // how long the state before had lasted
}

// moveKinds say what is special about a move.
var moveKinds = map[statemachine.MoveKind]string{
	statemachine.ForcedMove: "Forced past the lifecycle's table.",
	statemachine.BadRequest: "A bot asked for what it may not.",
	statemachine.Exhausted:  "A limit was reached.",
	statemachine.Stood:      "The lifecycle does not allow it, and Colony does not undo it here.",
	statemachine.Settled:    "It stood before Colony judges.",
}

// events are what happened, the latest first.
func events(life *statemachine.Table, s *inspect.Issue) []event {
	var all []event
	for n, m := range s.Trail {
		e := event{At: m.At, Who: m.By.Login, From: m.From, To: m.To, Link: m.URL}
		if n > 0 {
			e.Lasted = spanOf(m.At.Sub(s.Trail[n-1].At))
		}
		if w := moveKinds[m.Kind]; w != "" {
			e.Words = append(e.Words, w)
		}
		if m.Command != "" {
			e.Words = append(e.Words, "With the command /colony:"+m.Command+".")
		}
		if m.Reason != "" {
			e.Words = append(e.Words, "Reason: "+m.Reason)
		}
		if m.Why != "" {
			e.Words = append(e.Words, "Because "+m.Why)
		}
		if m.About != "" {
			e.Words = append(e.Words, "Caused by "+m.About)
		}
		if pair, ok := life.Pair(m.From, m.To); ok && len(e.Words) == 0 && pair.Why != "" {
			e.Words = append(e.Words, "The lifecycle has this move for: "+pair.Why)
		}
		all = append(all, e)
	}
	for _, r := range s.Refused {
		e := event{At: r.At, Who: r.By.Login, From: r.From, To: r.To, Refused: true, Words: []string{"Refused: " + r.Why}}
		if r.LedTo != "" {
			e.Words = append(e.Words, "It led to "+r.LedTo+".")
		}
		all = append(all, e)
	}
	slices.Reverse(all) // of one second, the later ones come first, too
	slices.SortStableFunc(all, func(a, b event) int { return b.At.Compare(a.At) })
	return all
}
