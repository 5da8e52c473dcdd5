package reconcile

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A person who undoes Colony's move has decided about what held then: a conflict, a dependency. What comes later, or ends and comes again, moves
// the issue once more. GitHub does not date it, so Colony notes what the person has decided about, and when it first saw the rest.

// override is what holds although a person undid the move that it asks for. The time is when Colony first saw it; zero if the person decided
// about it.
type override struct {
	Move  int64                `json:"move"` // the event of the person's move
	Holds map[string]time.Time `json:"holds"`
}

func noteOfOverride(ref issues.Ref) string { return fmt.Sprintf("override.%d.%d", ref.ID, ref.Number) }

// readOverride reads what is noted of the last override; facts are what it can be about.
func readOverride(ctx context.Context, q *inquiry) (noted override, facts []lifecycle.Fact, err error) {
	facts, by := statemachine.Overridden(q.settings.Lifecycle, q.standing)
	if len(facts) == 0 {
		return noted, nil, nil
	}
	noted, err = ReadNote[override](ctx, q.Notes, noteOfOverride(q.view.Ref))
	if noted.Move != by.ID {
		noted = override{Move: by.ID}
	}
	return noted, facts, err
}

// cause tells what a fact is about. Which files of a pull request overlap makes no difference.
func cause(o statemachine.Observation) string {
	about, _, _ := strings.Cut(o.About, ":")
	return string(o.Fact) + " " + about
}

// dateOverridden dates what has come since a person undid the move that it asks for.
func dateOverridden(ctx context.Context, q *inquiry) error {
	noted, facts, err := readOverride(ctx, q)
	if err != nil || noted.Holds == nil {
		return err
	}
	for i := range q.facts.Observed {
		if o := &q.facts.Observed[i]; slices.Contains(facts, o.Fact) {
			since, known := noted.Holds[cause(*o)]
			if !known {
				since = q.read
			}
			o.At = issues.Latest(o.At, since)
		}
	}
	return nil
}

// noteOverride notes what holds although a person undid the move that it asks for, if all of it could be read.
func noteOverride(ctx context.Context, rc *reconciliation) error {
	noted, facts, err := readOverride(ctx, rc.inquiry)
	if err != nil || len(facts) == 0 || !rc.facts.HaveAll(facts) || rc.unsettled {
		return err
	}
	holds := map[string]time.Time{}
	for _, o := range rc.facts.Observed {
		if !slices.Contains(facts, o.Fact) {
			continue
		}
		since, known := noted.Holds[cause(o)]
		if !known && noted.Holds != nil {
			since = rc.read
		}
		holds[cause(o)] = since
	}
	if noted.Holds != nil && maps.EqualFunc(noted.Holds, holds, time.Time.Equal) {
		return nil
	}
	return WriteNote(ctx, rc.Notes, noteOfOverride(rc.view.Ref), override{noted.Move, holds})
}
