package reconcile

import (
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// What Colony tells of a decision in comments.

var refusalFeature = feature{
	name:    "refusal",
	applies: func(p planning) bool { return len(p.Explain) > 0 },
	writes: telling(policy.FindsRefused, func(p planning) string {
		return wording.Rejections(p.settings.Lifecycle, p.standing, p.Explain, p.settings.Mentions)
	}),
}

var announcementFeature = feature{
	name:    "announcement",
	applies: func(p planning) bool { return len(p.Announce) > 0 },
	writes: telling(policy.FindsMoved, func(p planning) string {
		return wording.Announcements(p.settings.Lifecycle, p.standing, p.Announce)
	}),
}

var questionFeature = feature{
	name:    "question",
	applies: func(p planning) bool { return len(p.Ask) > 0 },
	writes: telling(policy.FindsAsked, func(p planning) string {
		return wording.RenderAsked(p.settings.Lifecycle, p.standing, p.Ask)
	}),
}

var haltFeature = feature{
	name:    "halt",
	applies: func(p planning) bool { return p.HaltUnsaid },
	writes: telling(policy.FindsHalted, func(p planning) string {
		halt := wording.Halted
		if p.Halted.Verdict == lifecycle.Legal {
			halt = wording.Loops
		}
		return halt(p.settings.Thresholds.BreakerRejections, p.settings.Thresholds.BreakerWindow, p.Halted.IDs...)
	}),
}

// telling plans a comment, which mentions those whom the repository has told of such a finding.
func telling(of policy.Finding, text func(p planning) string) func(planning) []issues.Write {
	return func(p planning) []issues.Write {
		return []issues.Write{{Comment: wording.WithMentions(text(p), policy.Mentioned(p.settings.Notify, of, p.State))}}
	}
}
