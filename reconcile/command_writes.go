package reconcile

import (
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// answering is what the commands of a comment came to. The reply goes first and carries a marker, the receipt goes last: what happens in
// between, the next reconciliation finds in the log.
type answering struct {
	commands.Result
	commentID int64
	replied   bool     // the comment has its reply already
	labels    []string // that the issue has before
}

// WritesOfCommands turns the result of a comment's commands into the writes for which nothing else is read, on an issue with these labels.
func WritesOfCommands(life *statemachine.Table, commentID int64, replied bool, r commands.Result, labels []string) []issues.Write {
	return pureWrites(planning{settings: Settings{Policy: policy.Policy{Lifecycle: life}}, answer: &answering{r, commentID, replied, labels}})
}

var (
	replyFeature = feature{
		name:    "reply",
		applies: func(p planning) bool { return p.answer != nil && len(p.answer.Replies) > 0 && !p.answer.replied },
		writes: func(p planning) []issues.Write {
			return []issues.Write{{Comment: wording.Reply(p.answer.commentID, p.answer.Replies, p.answer.Recorded...), Purpose: purpose(wording.Answers, p.answer.commentID)}}
		},
	}
	// unforceFeature closes a bracket that was left open: what follows is not forced.
	unforceFeature = feature{
		name:    "unforce",
		applies: func(p planning) bool { return p.answer != nil && p.answer.unforces() },
		writes:  func(planning) []issues.Write { return []issues.Write{{Remove: lifecycle.Forced}} },
	}
	movesFeature = feature{
		name:    "moves",
		applies: func(p planning) bool { return p.answer != nil && len(p.answer.Moves) > 0 },
		writes:  func(p planning) []issues.Write { return p.answer.moving(p.settings.Lifecycle) },
	}
	putBackFeature = feature{
		name:    "put back",
		applies: func(p planning) bool { return p.answer != nil && p.answer.PutBack != "" && len(p.answer.Moves) == 0 },
		writes: func(p planning) []issues.Write {
			return []issues.Write{{Add: []string{p.settings.Lifecycle.Label(p.answer.PutBack)}}}
		},
	}
	linksFeature = feature{
		name:    "links",
		applies: func(p planning) bool { return p.answer != nil && len(p.answer.Links) > 0 },
		writes:  func(p planning) []issues.Write { return writesOfLinks(p.answer.Links) },
	}
	markFeature = feature{
		name: "mark",
		applies: func(p planning) bool {
			a := p.answer
			return a != nil && a.NeedsHuman && !lifecycle.HasLabel(afterWrites(a.labels, a.moving(p.settings.Lifecycle)), lifecycle.NeedsHuman)
		},
		writes: func(planning) []issues.Write { return []issues.Write{{Add: []string{lifecycle.NeedsHuman}}} },
	}
	unmarkFeature = feature{
		name:    "unmark",
		applies: planning.answerUnmarks,
		writes:  func(planning) []issues.Write { return []issues.Write{{Remove: lifecycle.NeedsHuman}} },
	}
	receiptFeature = feature{
		name:    "receipt",
		applies: func(p planning) bool { return p.answer != nil },
		writes: func(p planning) []issues.Write {
			return []issues.Write{{Reaction: &issues.Reaction{CommentID: p.answer.commentID, Content: reactions[p.answer.Answer]}}}
		},
	}
)

// answerUnmarks reports whether the commands take off the mark that asks for a person.
func (p planning) answerUnmarks() bool {
	a := p.answer
	return a != nil && a.Legal && !a.NeedsHuman && lifecycle.HasLabel(a.labels, lifecycle.NeedsHuman)
}

// unforces reports whether the mark of a forced move is there, and the first move is not forced.
func (a *answering) unforces() bool {
	return lifecycle.HasLabel(a.labels, lifecycle.Forced) && (len(a.Moves) == 0 || !a.Moves[0].Forced)
}

// moving turns the moves into writes.
func (a *answering) moving(life *statemachine.Table) []issues.Write {
	labels := a.labels
	if a.unforces() {
		labels = afterWrites(labels, []issues.Write{{Remove: lifecycle.Forced}})
	}
	return writesOfMoves(life, a.Moves, a.NeedsHuman, labels)
}

// removals take labels off an issue.
func removals(labels []string) []issues.Write {
	writes := make([]issues.Write, len(labels))
	for i, label := range labels {
		writes[i] = issues.Write{Remove: label}
	}
	return writes
}

// namesOn lists by which names labels of an issue can be that of a state. One with a former name gets the present one before anything is
// written.
func namesOn(life *statemachine.Table, state string, labels []string) (names []string) {
	for _, label := range labels {
		if s, is := life.StateOf(label); is && s.Name == state {
			names = append(names, label)
		}
	}
	if len(names) > 0 && !lifecycle.HasLabel(names, life.Label(state)) {
		names = append(names, life.Label(state))
	}
	return names
}

// writesOfMoves turns the moves of commands into writes, on an issue that has these labels. Where a person is asked for, the mark comes with
// the label of the state that work which failed, or a refused command, leads to.
func writesOfMoves(life *statemachine.Table, moves []commands.Move, asksPerson bool, labels []string) []issues.Write {
	var writes []issues.Write
	for _, m := range moves {
		if m.Forced {
			if lifecycle.HasLabel(afterWrites(labels, writes), lifecycle.Forced) { // someone else's opens no bracket
				writes = append(writes, issues.Write{Remove: lifecycle.Forced})
			}
			writes = append(writes, issues.Write{Add: []string{lifecycle.Forced}})
		}
		// A label that is there although it was refused (the breaker leaves such labels) has to go first. There is no event of putting on what is
		// there. That holds for one more round in the same state as well.
		writes = append(writes, removals(namesOn(life, m.To, afterWrites(labels, writes)))...)
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
