package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// readFacts reads what can move the issue in addition to its labels. It reads only what the rows of its state ask for, or guards of the moves from
// there.
func (q *inquiry) readFacts(ctx context.Context, at statemachine.Standing, needs []lifecycle.Reading) error {
	ctx = q.log.WithContext(ctx)
	ask := issues.Ask{Needs: slices.DeleteFunc(slices.Clone(needs), func(r lifecycle.Reading) bool { return r == lifecycle.ReadComments })}
	for _, e := range q.request.Expected() {
		if e.PullRequest > 0 { // there is one at most
			ask.PullRequest, ask.PullRequestUpdated = e.PullRequest, issues.Latest(ask.PullRequestUpdated, e.At)
		}
	}
	depends := []lifecycle.Reading{lifecycle.ReadDependencies, lifecycle.ReadCycles, lifecycle.ReadEarly}
	if slices.ContainsFunc(needs, func(r lifecycle.Reading) bool { return slices.Contains(depends, r) }) {
		links, err := linksOf(ctx, q)
		if err != nil {
			return err
		}
		ask.Links = links
	}
	ask.Planned = planned(q, at.State)
	ask.Approval, ask.Heads = q.approval(at), q.settings.Lifecycle.Triggers.SealHead(at.State)
	ask.Outcome = func(labels []string) lifecycle.Outcome { return statemachine.OutcomeOf(q.settings.Lifecycle, labels) }
	found, err := q.store.Facts(ctx, q.view, ask)
	if err != nil {
		return err
	}
	if found.Unread != nil {
		q.log.Error().Err(found.Unread).Msg("GitHub refuses what the lifecycle's triggers need; they move nothing")
		q.Metrics.Unread(found.Refused...)
	}
	q.unsettled = q.unsettled || found.Unsettled
	noteWhereFrom(q, found)
	late, err := mayHide(ctx, q, found.Facts)
	if err != nil {
		return err
	}
	late = late || found.Behind
	if err := markLater(ctx, q, at, found.Observed); err != nil {
		return err
	}
	q.facts.Read = append(q.facts.Read, found.Read...)
	q.facts.Observed = append(q.facts.Observed, found.Observed...)
	if slices.Contains(needs, lifecycle.ReadComments) {
		if late, err = readReplies(ctx, q, at, late); err != nil {
			return err
		}
	}
	q.facts.Late = q.facts.Late || late && q.mayWait
	return nil
}

// noteWhereFrom notes if something can move the issue that changes nothing in its repository.
func noteWhereFrom(q *inquiry, found issues.Found) {
	if found.Elsewhere || found.Unsettled || found.Unread != nil {
		q.memory.add(note{kind: noteElsewhere})
	}
}

// readReplies reads the comments that are facts. It is late if GitHub hides the comment of a webhook.
func readReplies(ctx context.Context, q *inquiry, at statemachine.Standing, late bool) (bool, error) {
	if err := q.readConversation(ctx); err != nil {
		return late, err
	}
	found, err := Replies{
		Lifecycle: q.settings.Lifecycle, Author: q.view.Author.Login, From: q.standing, At: at, Said: q.conversation.replies, Pending: q.conversation.toRun,
		MayMove: func(c issues.Comment) (bool, error) { return mayMove(ctx, q, c.By) },
		Link:    func(c issues.Comment) string { return linkToComment(q, c) },
	}.Observed()
	if err != nil {
		return late, err
	}
	q.facts.Read = append(q.facts.Read, lifecycle.ReadComments)
	q.facts.Observed = append(q.facts.Observed, found...)
	return late || !q.conversation.showsAll(q.request.Expected()), nil
}

// mayHide reports whether GitHub can hide something of a moment ago.
func mayHide(ctx context.Context, q *inquiry, found statemachine.Facts) (bool, error) {
	if mayHidePullRequest(q, found.Observed) || mayHideMerge(q, found) {
		return true, nil
	}
	return mayHideRound(ctx, q)
}

// mayHideRound reports whether the log can hide that Colony began another round in the issue's state a moment ago: the two events of a round
// cancel each other out in the labels. Colony notes each round before it begins.
func mayHideRound(ctx context.Context, q *inquiry) (bool, error) {
	state, lag := q.standing.State, q.settings.Thresholds.Lag
	if q.Notes == nil || !q.mayWait || !slices.ContainsFunc(q.settings.Lifecycle.Triggers, func(t lifecycle.Trigger) bool { return t.Moves(state, state) }) {
		return false, nil
	}
	if q.read.Sub(q.Notes.NotesSince()) < lag { // a note might be lost
		return q.read.Sub(q.view.Updated) < lag && q.view.Updated.Sub(q.standing.LastChange) >= time.Second, nil
	}
	noted, err := ReadNote[reason](ctx, q.Notes, noteOfMove(q.view.Ref, state))
	round := labelWrite{labelChange: labelChange{label: q.settings.Lifecycle.Label(state), added: true}, after: noted.After}
	return q.read.Sub(noted.At) < lag && !round.shownIn(q.view.Changes), err
}

// mayHidePullRequest reports whether GitHub can hide a pull request. GitHub notes what mentions an issue a moment after the pull request is there.
// Someone who opens one and then moves the issue must not find that it has none.
func mayHidePullRequest(q *inquiry, found []statemachine.Observation) bool {
	const missing = "pull-request-missing"
	return HasTrigger(q.settings.Lifecycle, q.standing.State, missing) && q.read.Sub(q.standing.LastChange) < q.settings.Thresholds.Lag &&
		slices.ContainsFunc(found, func(o statemachine.Observation) bool { return o.Fact == missing })
}

// mayHideMerge reports whether GitHub can hide the merge that closed the issue a moment ago.
func mayHideMerge(q *inquiry, found statemachine.Facts) bool {
	const merged = "issue-merged"
	return q.view.Closed && q.read.Sub(q.view.ClosedAt) < q.settings.Thresholds.Lag && HasTrigger(q.settings.Lifecycle, q.standing.State, merged) &&
		slices.Contains(found.Read, lifecycle.ReadPullRequests) && !slices.ContainsFunc(found.Observed, func(o statemachine.Observation) bool { return o.Fact == merged })
}

// blockers is what holds the issue up: that it is closed, and what was read of it for the triggers of its state.
func (q *inquiry) blockers(standing statemachine.Standing) (all []statemachine.Blocker) {
	if state, _ := q.settings.Lifecycle.State(standing.State); q.view.Closed && state.Label != "" && state.Type != lifecycle.Terminal {
		all = append(all, statemachine.ClosedEarly)
	}
	if standing.State == q.standing.State {
		all = append(all, q.facts.Blockers()...)
	}
	return all
}

// stuck reports whether nothing that was read moves the issue on from a state that waits for a fact.
func stuck(q *inquiry, standing statemachine.Standing) bool {
	return q != nil && standing.State == q.standing.State && q.facts.Stuck(q.settings.Lifecycle, standing.State)
}

// HasTrigger reports whether a fact can move an issue in a state.
func HasTrigger(life *statemachine.Table, state string, fact lifecycle.Fact) bool {
	return slices.ContainsFunc(life.Triggers, func(t lifecycle.Trigger) bool { return t.On == fact && slices.Contains(t.In, state) })
}

// MoveCause is what a trigger's move was made for. The log does not tell it, so it goes from the request that moved the
// issue to the one that tells of it.
type MoveCause struct {
	To   string `json:"to"`
	What string `json:"what"`
	Why  string `json:"why"` // several rows can lead to the same state
	Link string `json:"link,omitempty"`
	// Causes lists all that asked for it; see statemachine.Automatic.
	Causes []string `json:"causes,omitempty"`
}
