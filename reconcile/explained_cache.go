package reconcile

import (
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// explainedCache remembers which rejections Colony has explained, and what there is nothing to tell of because a command made it. The
// truth is in the comments; this only saves reading them. It is bounded, and forgetting is harmless. It is safe for concurrent
// use.
type explainedCache struct {
	seen *lru.Cache[string, bool] // whether a command made the move
	// orders remembers who ordered a move of Colony's: nobody, if the actor has no kind.
	requesters *lru.Cache[string, requester]
}

// requester is who ordered a move of Colony's, and when.
type requester struct {
	lifecycle.Actor
	at time.Time
}

// answersKept bounds the memory to some megabytes.
const answersKept = 50_000

// newExplainedCache returns an empty memory.
func newExplainedCache() *explainedCache {
	return &explainedCache{seen: bounded.New[string, bool](answersKept), requesters: bounded.New[string, requester](answersKept)}
}

func (a *explainedCache) add(ref issues.Ref, ids ...int64) {
	for _, id := range ids {
		a.seen.Add(answerKey(ref, id), false)
	}
}

// forget makes the next reconciliation find out anew whether something was explained.
func (a *explainedCache) forget(ref issues.Ref, ids ...int64) {
	for _, id := range ids {
		a.seen.Remove(answerKey(ref, id))
	}
}

// command remembers that a command made a move.
func (a *explainedCache) command(ref issues.Ref, id int64) { a.seen.Add(answerKey(ref, id), true) }

func (a *explainedCache) commanded(ref issues.Ref, id int64) bool {
	byCommand, _ := a.seen.Peek(answerKey(ref, id))
	return byCommand
}

// ask remembers that a person was asked about something, where GitHub may not have taken the comment.
func (a *explainedCache) ask(ref issues.Ref, id int64) {
	a.seen.Add("asked/"+answerKey(ref, id), false)
}

func (a *explainedCache) asked(ref issues.Ref, id int64) bool {
	return a.seen.Contains("asked/" + answerKey(ref, id))
}

// setRequester remembers who ordered a move of Colony's.
func (a *explainedCache) setRequester(ref issues.Ref, id int64, by requester) {
	a.requesters.Add(answerKey(ref, id), by)
}

func (a *explainedCache) requesterOf(ref issues.Ref, id int64) (by requester, known bool) {
	return a.requesters.Get(answerKey(ref, id))
}

func (a *explainedCache) has(ref issues.Ref, id int64) bool {
	return a.seen.Contains(answerKey(ref, id))
}

// all reports whether every rejection that is open, and every move that is to be told of, is known to be explained: then the
// comments need not be read.
func (a *explainedCache) all(ref issues.Ref, life *statemachine.Table, standing statemachine.Standing) bool {
	for _, id := range life.MayAnnounce(standing) {
		if !a.has(ref, id) {
			return false
		}
	}
	for _, r := range standing.Rejections {
		known := r.Withdrawn
		for _, id := range r.IDs {
			known = known || a.has(ref, id)
		}
		if !known {
			return false
		}
	}
	return true
}

func answerKey(ref issues.Ref, id int64) string {
	return fmt.Sprintf("%d/%d/%d", ref.ID, ref.Number, id)
}
