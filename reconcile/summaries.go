package reconcile

import (
	"fmt"
	"time"

	"github.com/maypok86/otter/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// summaries remembers what the settled beginnings of logs come to, so that only what came after them is folded again. Each is kept with
// what it was made from; where anything of that changes, the whole log is folded and summed up anew. It is bounded, and forgetting is
// harmless. It is safe for concurrent use.
type summaries struct {
	of *otter.Cache[string, summedUp]
}

// summedUp is what is remembered of one issue.
type summedUp struct {
	version string                // of what it was made from
	pages   int                   // how many settled pages of the log are summed up
	summary *statemachine.Summary // nil: they cannot be
}

// What is remembered is bounded in bytes, and weighs about so much.
const (
	summariesBytes = 8 << 20
	summaryBytes   = 4 << 10
	moveBytes      = 256
)

func newSummaries() *summaries {
	return &summaries{bounded.ByWeight(summariesBytes, func(_ string, s summedUp) int {
		if s.summary == nil {
			return summaryBytes
		}
		return summaryBytes + moveBytes*s.summary.Moves()
	})}
}

// forget makes the next fold of an issue's log begin with its first event.
func (s *summaries) forget(ref issues.Ref) {
	if s != nil {
		s.of.Invalidate(issueKey(ref))
	}
}

// fold finds out where the issue stands by what was read of it. Whose commands made its moves is found out anew: there may be others.
func (rc *reconciliation) fold() { rc.standing, rc.attributions = rc.foldSince(rc.judgedSince), nil }

// foldSince finds out where the issue stands if what changed before a time is settled.
func (rc *reconciliation) foldSince(judgedSince time.Time) statemachine.Standing {
	standing, ok := rc.foldOn(judgedSince)
	if ok {
		return standing
	}
	history := rc.view.History(judgedSince)
	rc.tell(&history)
	rc.log.Debug().Int("changes", len(history.Changes)).Msg("fold the whole log")
	return rc.settings.Lifecycle.Fold(history)
}

// tell adds to a history what is known beside the log.
func (rc *reconciliation) tell(history *statemachine.History) {
	history.Ordered, history.Answers, history.Explained = rc.requesterOf, rc.conditions.answer, rc.isExplained
	history.Stands = !rc.settings.Mode.Undoes()
}

// foldOn folds what came after the settled pages of the log. ok is false if the whole log has to be folded.
func (rc *reconciliation) foldOn(judgedSince time.Time) (standing statemachine.Standing, ok bool) {
	settled := rc.view.Settled
	if rc.summaries == nil || rc.version == "" || rc.reattributed || settled.Pages() == 0 || !settled.Until().Before(judgedSince) {
		return standing, false
	}
	history := rc.view.Recent(judgedSince)
	rc.tell(&history)
	summary := rc.summary(history)
	if summary == nil {
		return standing, false
	}
	rc.log.Debug().Int("changes", len(history.Changes)).Msg("fold what came after the settled part of the log")
	return rc.settings.Lifecycle.FoldOn(summary, history)
}

// summary sums up the settled pages of the log, or what was added to them since they were.
func (rc *reconciliation) summary(history statemachine.History) *statemachine.Summary {
	settled, key := rc.view.Settled, issueKey(rc.view.Ref)
	madeFrom := func(s issues.Settled) string {
		return fmt.Sprintf("%s %s %d %d %q %d %t", rc.version, s.Version(), history.Begun.UnixNano(), history.Installed.UnixNano(), history.Opening.By, history.Opening.At.UnixNano(), history.Opening.OnlyAsks)
	}
	known, there := rc.summaries.of.GetIfPresent(key)
	if there = there && known.pages <= settled.Pages() && known.version == madeFrom(settled.First(known.pages)); !there {
		known = summedUp{}
	}
	if there && known.pages == settled.Pages() {
		return known.summary
	}
	if known.summary == nil {
		known.pages = 0
	}
	history.Changes = settled.Changes(known.pages)
	rc.log.Debug().Int("changes", len(history.Changes)).Msg("sum up the settled part of the log")
	next := rc.settings.Lifecycle.Summarize(known.summary, history)
	if next == nil && known.summary != nil { // it may be possible from the beginning
		history.Changes = settled.Changes(0)
		next = rc.settings.Lifecycle.Summarize(nil, history)
	}
	rc.summaries.of.Set(key, summedUp{madeFrom(settled), settled.Pages(), next})
	return next
}
