package reconcile

import (
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// What Colony tells of a decision in comments.

var refusalFeature = feature{
	name:    "refusal",
	applies: func(p planning) bool { return len(p.Explain) > 0 },
	writes: telling(policy.FindsRefused, wording.Explains, func(p planning) (string, []int64) {
		var ids []int64
		for _, r := range p.Explain {
			ids = append(ids, r.IDs...)
		}
		return wording.Rejections(p.settings.Lifecycle, p.standing, p.Explain, wording.Telling{Mentions: p.settings.Mentions, Question: asksWhere(p.issue), Stuck: stuck(p.issue, p.standing)}), ids
	}),
}

var announcementFeature = feature{
	name:    "announcement",
	applies: func(p planning) bool { return len(p.Announce) > 0 },
	writes: telling(policy.FindsMoved, wording.Explains, func(p planning) (string, []int64) {
		var ids []int64
		for _, a := range p.Announce {
			ids = append(ids, a.ID)
		}
		return wording.Announcements(p.settings.Lifecycle, p.standing, p.Announce), ids
	}),
}

var questionFeature = feature{
	name:    "question",
	applies: func(p planning) bool { return len(p.Ask) > 0 },
	writes: telling(policy.FindsAsked, wording.Asks, func(p planning) (string, []int64) {
		var ids []int64
		for _, a := range p.Ask {
			ids = append(ids, a.IDs...)
		}
		return wording.RenderAsked(p.settings.Lifecycle, p.standing, p.Ask), ids
	}),
}

var haltFeature = feature{
	name:    "halt",
	applies: func(p planning) bool { return p.HaltUnsaid },
	writes: telling(policy.FindsHalted, wording.Halts, func(p planning) (string, []int64) {
		by := p.settings.Thresholds
		if p.Halted.Verdict == lifecycle.Legal {
			var facts statemachine.Facts
			if p.issue != nil {
				facts = p.issue.facts
			}
			return wording.Loops(by.BreakerRejections, by.BreakerWindow, facts.LoopCause(p.settings.Lifecycle, *p.Halted), p.Halted.IDs...), p.Halted.IDs
		}
		return wording.Halted(by.BreakerRejections, by.BreakerWindow, p.Halted.IDs...), p.Halted.IDs
	}),
}

// telling plans a comment, which mentions the people whom the repository wants notified of such a finding.
func telling(of policy.Finding, kind wording.MarkerKind, about func(p planning) (text string, ids []int64)) func(planning) []issues.Write {
	return func(p planning) []issues.Write {
		text, ids := about(p)
		return []issues.Write{{Comment: wording.WithMentions(text, policy.Mentioned(p.settings.Notify, of, p.State)), Purpose: purpose(kind, ids...)}}
	}
}

func purpose(kind wording.MarkerKind, ids ...int64) issues.Purpose {
	return issues.Purpose{Kind: kind, IDs: ids}
}
