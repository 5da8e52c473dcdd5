package board

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Story is what became of an issue until now.
type Story struct {
	Life     *statemachine.Table
	Standing statemachine.Standing
	Steps    []reconcile.Step
}

// ReadStory reads the story of an issue from GitHub: the issue, its log and its comments. It writes nothing.
func ReadStory(ctx context.Context, r *reconcile.Reconciler, ref issues.Ref) (Story, error) {
	found, since, err := r.PolicyOf(ctx, ref.Repository)
	if err != nil {
		return Story{}, err
	}
	basis := r.Basis(found, since, r.Clock.Now().Add(-r.ServerSettings.Horizon))
	inspected, err := r.Inspect(ctx, ref, basis)
	if err != nil {
		return Story{}, fmt.Errorf("read %s: %w", ref, err)
	}
	steps, err := inspected.Trail(ctx)
	if err != nil {
		return Story{}, fmt.Errorf("read the trail of %s: %w", ref, err)
	}
	return Story{Life: basis.Settings.Lifecycle, Standing: inspected.Standing(), Steps: steps}, nil
}

// storiesKept is how many stories are remembered until something is seen of their issues again.
const storiesKept = 500

// told is a story, as of when the issue was last seen.
type told struct {
	of    *Issue
	story Story
}

// story returns the story of an issue. It is read again when something was seen of the issue since.
func (p *Pages) story(ctx context.Context, i *Issue) (Story, error) {
	key := i.Ref.String()
	if t, ok := p.stories.Get(key); ok && t.of == i {
		return t.story, nil
	}
	s, err := p.Read(ctx, i.Ref)
	if err == nil {
		p.stories.Add(key, told{i, s})
	}
	return s, err
}

// event is one entry of the time line.
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
func events(i *Issue, s Story) []event {
	var all []event
	for n, step := range s.Steps {
		e := event{At: step.At, Who: step.Who.Login, From: step.From, To: step.To}
		if n > 0 {
			e.Lasted = spanOf(step.At.Sub(s.Steps[n-1].At))
		}
		if w := moveKinds[step.Kind]; w != "" {
			e.Words = append(e.Words, w)
		}
		if step.Command != "" {
			e.Words = append(e.Words, "With the command /colony:"+step.Command+".")
		}
		if step.Reason != "" {
			e.Words = append(e.Words, "Reason: "+step.Reason)
		}
		if step.Why != "" {
			e.Words = append(e.Words, "Because "+step.Why)
		}
		if step.About != "" {
			e.Words = append(e.Words, "Caused by "+step.About)
		}
		if pair, ok := s.Life.Pair(step.From, step.To); ok && len(e.Words) == 0 && pair.Why != "" {
			e.Words = append(e.Words, "The lifecycle has this move for: "+pair.Why)
		}
		if step.CommentID != 0 {
			e.Link = fmt.Sprintf("%s#issuecomment-%d", i.URL, step.CommentID)
		}
		all = append(all, e)
	}
	for _, r := range s.Standing.Rejections {
		e := event{At: r.At, Who: r.By.Login, From: r.From, To: r.To, Refused: true, Words: []string{"Refused: " + verdicts[r.Verdict] + "."}}
		if r.LedTo != "" {
			e.Words = append(e.Words, "It led to "+r.LedTo+".")
		}
		all = append(all, e)
	}
	latestFirst(all)
	return all
}
