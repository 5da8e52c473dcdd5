package reconcile

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// A comment, reaction or link that GitHub refuses for good holds up nothing, and is not tried again immediately: labels are right all the same. It
// is kept here, so that an admin sees it, and so that it is written once GitHub takes it. That is when the conversation is unlocked, or the
// installation was granted more.

type refusedWrite struct {
	issues.Refused
	at time.Time
}

// refusedKept bounds what is kept of one issue.
const refusedKept = 20

func (r *remembered) refuse(refused issues.Refused, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refused = slices.DeleteFunc(r.refused, func(w refusedWrite) bool { return sameWrite(w.Write, refused.Write) })
	r.refused = append(r.refused, refusedWrite{refused, at})
	r.refused = r.refused[max(0, len(r.refused)-refusedKept):]
}

// sameWrite reports whether two writes say or do the same: comments for the same do, no matter what has become of the issue.
func sameWrite(a, b issues.Write) bool {
	switch {
	case a.Comment != "" && b.Comment != "":
		return a.On == b.On && a.Purpose.Is(b.Purpose)
	case a.Reaction != nil && b.Reaction != nil:
		return *a.Reaction == *b.Reaction
	case a.Link != nil && b.Link != nil:
		return *a.Link == *b.Link
	}
	return a.Comment == b.Comment && a.ClosePull == b.ClosePull && a.Reaction == b.Reaction && a.Link == b.Link
}

// explains reports whether a write is a comment on the issue that explains events.
func explains(w issues.Write) bool {
	return w.On == 0 && (w.Purpose.Kind == wording.Explains || w.Purpose.Kind == wording.Halts)
}

// takeRefused returns what was refused on the issue, and forgets it.
func (r *remembered) takeRefused() []refusedWrite {
	r.mu.Lock()
	defer r.mu.Unlock()
	refused := r.refused
	r.refused = nil
	return refused
}

func (r *remembered) listRefused() []refusedWrite {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.refused)
}

// refusedToExplain reports whether GitHub refused a comment that explains an event, and nothing says yet that it takes it now. Where many
// requests about a locked conversation wait, each of them would else spend Colony's budget of comments on the same one.
func (r *remembered) refusedToExplain(eventID int64) bool {
	return slices.ContainsFunc(r.listRefused(), func(w refusedWrite) bool {
		return explains(w.Write) && slices.Contains(w.Write.Purpose.IDs, eventID)
	})
}

// RefusedWrite is one of them. It holds nothing that people wrote.
type RefusedWrite struct {
	Repository   string    `json:"repository"`
	Issue        int       `json:"issue"`
	Installation int64     `json:"installation"`
	Write        string    `json:"write"`
	Refused      time.Time `json:"refused"`
	Error        string    `json:"error"`
}

// RefusedWrites lists what GitHub refused and what was not tried again since, oldest first.
type RefusedWrites struct {
	RefusedWrites []RefusedWrite `json:"refused_writes"`
}

// RefusedOn lists the issues of an installation on which GitHub refused something; 0 is all installations.
func (r *Reconciler) RefusedOn(installation int64) []issues.Ref {
	var refs []issues.Ref
	for _, on := range r.memories.of.Values() {
		if (installation == 0 || on.ref.Installation == installation) && len(on.listRefused()) > 0 {
			refs = append(refs, on.ref)
		}
	}
	return refs
}

// RefusedWrites lists what GitHub refused for good and what was not tried again since, oldest first.
func (r *Reconciler) RefusedWrites() []RefusedWrite {
	all := []RefusedWrite{}
	for _, on := range r.memories.of.Values() {
		for _, w := range on.listRefused() {
			all = append(all, RefusedWrite{
				Repository: on.ref.Repository.String(), Issue: on.ref.Number, Installation: on.ref.Installation,
				Write: w.Write.String(), Refused: w.at, Error: w.Err.Error(),
			})
		}
	}
	slices.SortStableFunc(all, func(a, b RefusedWrite) int {
		return cmp.Or(a.Refused.Compare(b.Refused), cmp.Compare(a.Issue, b.Issue))
	})
	return all
}

// unlockedSince reports whether the conversation was unlocked since GitHub refused something there: its webhook might have got lost.
func unlockedSince(q *inquiry) bool {
	return !q.view.Locked && !q.view.Unlocked.IsZero() && slices.ContainsFunc(q.memory.listRefused(), func(w refusedWrite) bool {
		return w.at.Before(q.view.Unlocked.Add(statemachine.ClocksDiffer))
	})
}

// takeRefused takes what GitHub refused on the issue, if GitHub might accept it now. Explanations are made again, as far as they are still due;
// the other writes are to be made as they were.
func (rc *reconciliation) takeRefused() {
	if !rc.request.Retry && !unlockedSince(rc.inquiry) {
		return
	}
	for _, w := range rc.memory.takeRefused() {
		switch {
		case w.Write.ClosePull != 0: // who asked for it was notified, and might have done something else about it
		case explains(w.Write):
			for _, id := range w.Write.Purpose.IDs {
				rc.memory.forget(note{kind: noteExplained, id: id})
			}
		default:
			rc.again = append(rc.again, w)
		}
	}
}

// writeRefused writes what GitHub refused before. What is there by now, because another process or this reconciliation wrote it, is left
// out.
func (rc *reconciliation) writeRefused(ctx context.Context) error {
	if slices.ContainsFunc(rc.again, func(w refusedWrite) bool { return w.Write.Comment != "" }) {
		if err := rc.readConversation(ctx); err != nil {
			return err
		}
		rc.again = slices.DeleteFunc(rc.again, func(w refusedWrite) bool {
			about := w.Write.Purpose
			return about.Kind != wording.Explains && slices.ContainsFunc(about.IDs, func(id int64) bool {
				return slices.Contains(rc.conversation.marked[about.Kind], id) || slices.ContainsFunc(rc.written, func(written issues.Write) bool {
					return written.Purpose.Kind == about.Kind && slices.Contains(written.Purpose.IDs, id)
				})
			})
		})
	}
	writes := make([]issues.Write, len(rc.again))
	for i, w := range rc.again {
		writes[i] = w.Write
	}
	err := rc.write(ctx, writes)
	if err == nil {
		rc.again = nil
	}
	return err
}

// restoreRefused restores what was not written again.
func (rc *reconciliation) restoreRefused() {
	for _, w := range rc.again {
		rc.memory.refuse(w.Refused, w.at)
	}
}
