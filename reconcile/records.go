package reconcile

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Why Colony moved an issue on its own is written in its comments. It is in the one that tells of the move, where the move asks for a person, and
// otherwise in the issue's trail. The trail is one comment, which is edited before each such move. So a crash leaves a reason without a move,
// which no one takes for a move, and no move without its reason.

// records is what Colony's comments on an issue say about its own moves.
type records struct {
	told  []wording.RecordedMove // by comments that tell of moves
	trail []wording.RecordedMove
	// trailID is the comment that is the trail; 0 without a trail. One that a person edited has no moves: see issues.Store.Comments.
	trailID int64
}

// hasTrail reports whether the trail is among what was read.
func (r *records) hasTrail() bool { return len(r.trail) > 0 }

// read adds what a comment of Colony's says on an issue. Of the addresses in it, only those of GitHub's pages count, which are at web.
func (r *records) read(number int, web string, c issues.Comment) {
	moves, isTrail := wording.TrailOf(number, c.Body)
	if !isTrail {
		said, _ := wording.RecordOf(c.Body)
		moves = said.Verdicts
	}
	for i := range moves {
		moves[i].Link = wording.GitHubAddress(web, moves[i].Link)
	}
	switch {
	case isTrail && (r.trailID == 0 || !r.hasTrail() && len(moves) > 0):
		r.trail, r.trailID = moves, c.ID
	case isTrail:
	default:
		for _, m := range moves {
			if m.Outcome == wording.AutomaticMove && m.Kind == lifecycle.Colony {
				r.told = append(r.told, m)
			}
		}
	}
}

// of returns what is said about a move that Colony began at a time; ok is false if nothing is.
func (r *records) of(m statemachine.Move, begun time.Time) (said wording.RecordedMove, ok bool) {
	for _, t := range r.told {
		if slices.Contains(t.Events, m.ID) && t.Why != "" {
			return t, true
		}
	}
	for _, t := range slices.Backward(r.trail) {
		if tells(t, m, begun) {
			return t, true
		}
	}
	return wording.RecordedMove{}, false
}

// tells reports whether an entry of a trail is about a move that Colony began at a time.
func tells(t wording.RecordedMove, m statemachine.Move, begun time.Time) bool {
	return m.By.Kind == lifecycle.Colony && m.To == t.To && reason{At: t.At}.of(begun) // from where, a stale read might have had wrong
}

// readRecords reads what Colony's comments say about its moves: all of them, or only the latest if they have the trail.
func (q *inquiry) readRecords(ctx context.Context, whole bool) (records, error) {
	if q.conversation != nil && !whole && q.conversation.records.hasTrail() {
		return q.conversation.records, nil
	}
	comments, err := q.store.Comments(ctx, q.view.Ref, q.view.Created)
	var found records
	for _, c := range comments {
		if c.By.Kind == lifecycle.Colony {
			found.read(q.view.Ref.Number, q.Web, c)
		}
	}
	return found, err
}

// trailFeature puts into the issue's trail why Colony is about to move it, unless a comment will tell of the move, or the trail has it from
// an attempt that was cut off.
var trailFeature = feature{
	name: "trail",
	applies: func(p planning) bool {
		return p.Automatic != nil && !p.Automatic.TakesIn && !p.Automatic.AsksPerson && p.settings.Mode.Writes()
	},
	plan: planTrail,
}

func planTrail(ctx context.Context, p planning) ([]issues.Write, error) {
	q, a := p.issue, *p.Automatic
	found, err := q.readRecords(ctx, false)
	if err != nil {
		return nil, err
	}
	now := q.Clock.Now().UTC().Truncate(time.Second)
	made := q.standing.Trail
	isMade := func(t wording.RecordedMove) bool {
		return slices.ContainsFunc(made, func(m statemachine.Move) bool { return tells(t, m, q.begunAt(m.From, m.To, m.Moment)) })
	}
	entry := wording.RecordAutomatic(a)
	entry.Link = linkTo(q, a)
	trail := slices.Clone(found.trail)
	for i, t := range slices.Backward(found.trail) {
		if isMade(t) {
			continue
		}
		if same := t.From == entry.From && t.To == entry.To && t.Why == entry.Why && t.About == entry.About && slices.Equal(t.Causes, entry.Causes); same && (reason{At: t.At}).of(now) {
			return nil, nil
		}
		if now.Sub(t.At) > q.settings.Thresholds.Lag { // until then the log can hide the move
			trail = slices.Delete(trail, i, i+1)
		}
	}
	entry.At = now
	return []issues.Write{{Edits: found.trailID, Comment: wording.RenderTrail(q.view.Ref.Number, append(trail, entry)), Purpose: purpose(wording.Trail, int64(q.view.Ref.Number))}}, nil
}

// reasonsOf returns why Colony made each of some moves on its own, as far as that is known, by the id of the move's event. Comments are read only
// if the move might be among them.
func reasonsOf(ctx context.Context, q *inquiry, moves []statemachine.Move, ordered func(eventID int64) bool) (map[int64]MoveCause, error) {
	reasons := map[int64]MoveCause{}
	open := slices.DeleteFunc(slices.Clone(moves), func(m statemachine.Move) bool {
		own := m.By.Kind == lifecycle.Colony && m.Kind != statemachine.Settled && m.Ordered.Kind == ""
		return !own || ordered(m.ID) || addEvident(q.settings.Lifecycle, reasons, m)
	})
	for _, whole := range []bool{false, true} {
		if len(open) == 0 || whole && q.conversation == nil {
			break
		}
		found, err := q.readRecords(ctx, whole)
		if err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(m statemachine.Move) bool {
			said, ok := found.of(m, q.begunAt(m.From, m.To, m.Moment))
			if ok {
				reasons[m.ID] = MoveCause{To: m.To, Why: said.Why, What: said.About, Link: said.Link, Causes: said.Causes}
			}
			return ok
		})
		if q.conversation == nil || !q.conversation.records.hasTrail() { // all of them were read
			break
		}
	}
	if n := len(moves); n > 0 && slices.ContainsFunc(open, func(m statemachine.Move) bool { return m.ID == moves[n-1].ID }) {
		return reasons, addNoted(ctx, q, reasons, moves[n-1])
	}
	return reasons, nil
}

// addEvident adds the reason of a move that can have but one by the lifecycle.
func addEvident(life *statemachine.Table, reasons map[int64]MoveCause, m statemachine.Move) bool {
	why, evident := life.Evident(m)
	if evident {
		reasons[m.ID] = MoveCause{To: m.To, Why: why}
	}
	return evident
}

// addNoted adds the noted reason of the latest move, if it is that move's.
func addNoted(ctx context.Context, q *inquiry, reasons map[int64]MoveCause, last statemachine.Move) error {
	noted, err := ReadNote[reason](ctx, q.Notes, noteOfMove(q.view.Ref, last.To))
	if err == nil && noted.of(q.begunAt(last.From, last.To, last.Moment)) {
		reasons[last.ID] = noted.MoveCause
	}
	return err
}

// linkTo is where people see what caused a move; empty if there is no such place.
func linkTo(q *inquiry, a statemachine.Automatic) string {
	if address := wording.GitHubAddress(q.Web, a.Link); address != "" {
		return address
	}
	if m := leadingNumber.FindStringSubmatch(a.About); m != nil {
		return linkToIssue(q, m[1])
	}
	return ""
}

// linkToIssue is where people see an issue or pull request of the repository, or what is on its page; empty if there is no such place.
func linkToIssue(q *inquiry, what string) string {
	if q.Web == "" {
		return ""
	}
	return fmt.Sprintf("%s/%s/%s/issues/%s", q.Web, q.view.Ref.Owner, q.view.Ref.Name, what)
}

// linkToComment is where people see a comment; empty if there is no such place.
func linkToComment(q *inquiry, said issues.Comment) string {
	if said.ID == 0 {
		return ""
	}
	return linkToIssue(q, fmt.Sprintf("%d#issuecomment-%d", q.view.Ref.Number, said.ID))
}

// leadingNumber matches the issue or pull request of the repository that a cause begins with.
var leadingNumber = regexp.MustCompile(`^#(\d{1,9})\b`)

func causeOf(a statemachine.Automatic) MoveCause {
	return MoveCause{To: a.To, What: a.About, Why: a.Why, Link: a.Link, Causes: a.Causes}
}
