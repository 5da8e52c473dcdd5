package reconcile

import (
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// What a decision and the result of commands come to on GitHub is a pure function of them: a reconciliation writes it, and a replay counts
// it.

// WritesOf turns a decision into writes, in the order that survives a crash between any two; see plan. Notices are those on pull requests.
func WritesOf(by Settings, standing statemachine.Standing, d statemachine.Decision, notices []issues.Write) []issues.Write {
	var writes []issues.Write
	comment := func(on policy.Finding, text string) {
		writes = append(writes, issues.Write{Comment: wording.WithMentions(text, policy.Mentioned(by.Notify, on, d.State))})
	}
	if d.Repeat != "" {
		writes = append(writes, issues.Write{Remove: d.Repeat}, issues.Write{Add: []string{d.Repeat}})
	}
	if len(d.Add) > 0 {
		writes = append(writes, issues.Write{Add: d.Add})
	}
	for _, label := range d.Remove {
		writes = append(writes, issues.Write{Remove: label})
	}
	writes = append(writes, notices...)
	if len(d.Explain) > 0 {
		comment(policy.FindsRefused, wording.Rejections(by.Lifecycle, standing, d.Explain, by.Mentions))
	}
	if len(d.Announce) > 0 {
		comment(policy.FindsMoved, wording.Announcements(by.Lifecycle, standing, d.Announce))
	}
	if len(d.Ask) > 0 {
		comment(policy.FindsAsked, wording.RenderAsked(by.Lifecycle, standing, d.Ask))
	}
	if d.HaltUnsaid {
		p, halt := by.Thresholds, wording.Halted
		if d.Halted.Verdict == lifecycle.Legal {
			halt = wording.Loops
		}
		comment(policy.FindsHalted, halt(p.BreakerRejections, p.BreakerWindow, d.Halted.IDs...))
	}
	if d.Close != "" {
		writes = append(writes, issues.Write{Close: d.Close})
	}
	return writes
}

// WritesOfCommands turns the result of a comment's commands into writes. The reply goes first and carries a marker, the
// receipt goes last: whatever happens in between is found in the log by the next reconciliation.
func WritesOfCommands(life *statemachine.Table, commentID int64, replied bool, r commands.Result, labels []string) []issues.Write {
	var writes []issues.Write
	if len(r.Replies) > 0 && !replied {
		writes = append(writes, issues.Write{Comment: wording.Reply(commentID, r.Replies, r.Recorded...)})
	}
	if lifecycle.HasLabel(labels, lifecycle.Forced) && (len(r.Moves) == 0 || !r.Moves[0].Forced) {
		// From a bracket that a Colony before this one left open: what follows is not forced.
		writes = append(writes, issues.Write{Remove: lifecycle.Forced})
	}
	writes = append(writes, writesOfMoves(life, r.Moves, r.NeedsHuman, labels)...)
	writes = append(writes, writesOfLinks(r.Links)...)
	needed := lifecycle.HasLabel(afterWrites(labels, writes), lifecycle.NeedsHuman)
	switch {
	case r.NeedsHuman && !needed:
		writes = append(writes, issues.Write{Add: []string{lifecycle.NeedsHuman}})
	case r.Legal && !r.NeedsHuman && needed:
		writes = append(writes, issues.Write{Remove: lifecycle.NeedsHuman})
	}
	return append(writes, issues.Write{Reaction: &issues.Reaction{CommentID: commentID, Content: reactions[r.Answer]}})
}

// removals take labels off an issue.
func removals(labels []string) []issues.Write {
	writes := make([]issues.Write, len(labels))
	for i, label := range labels {
		writes[i] = issues.Write{Remove: label}
	}
	return writes
}

// writesOfMoves turns the moves of commands into writes, on an issue that has these labels. Where a person is asked for, the mark comes with
// the label of the state that work which failed, or a refused command, leads to.
func writesOfMoves(life *statemachine.Table, moves []commands.Move, asksPerson bool, labels []string) []issues.Write {
	var writes []issues.Write
	for _, m := range moves {
		if m.Forced {
			if lifecycle.HasLabel(afterWrites(labels, writes), lifecycle.Forced) { // somebody else's opens no bracket
				writes = append(writes, issues.Write{Remove: lifecycle.Forced})
			}
			writes = append(writes, issues.Write{Add: []string{lifecycle.Forced}})
		}
		// A label that stands there although it was refused (the breaker leaves such labels) has to go first: there is no event
		// of putting on what is there.
		// That holds for one more round in the same state as well.
		if to := life.Label(m.To); lifecycle.HasLabel(afterWrites(labels, writes), to) {
			writes = append(writes, issues.Write{Remove: to})
		}
		add := []string{life.Label(m.To)}
		if asksPerson && (m.Led != "" || m.To == life.BadRequest) && !lifecycle.HasLabel(afterWrites(labels, writes), lifecycle.NeedsHuman) {
			add = append(add, lifecycle.NeedsHuman)
		}
		writes = append(writes, issues.Write{Add: add})
		if m.From != m.To {
			writes = append(writes, removals(life.Leaving(afterWrites(labels, writes), m.From))...)
		}
		if m.Forced {
			writes = append(writes, issues.Write{Remove: lifecycle.Forced})
		}
	}
	return writes
}
