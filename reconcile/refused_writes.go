package reconcile

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
)

// A comment, reaction or link that GitHub refuses for good holds up nothing, and is not tried again at once: labels are right all
// the same. It is kept here, so that an operator sees it, and so that it is written once GitHub takes it: when the conversation is
// unlocked, or the installation was granted more.

// refusedWrites keeps them by issue. The issues that were last in trouble are kept; a process that starts anew comes across the others
// by its sweeps. It is safe for concurrent use.
type refusedWrites struct {
	mu sync.Mutex
	of *lru.Cache[string, *refusedOn]
}

// refusedOn is what GitHub refused on one issue.
type refusedOn struct {
	ref    issues.Ref
	writes []refusedWrite
}

type refusedWrite struct {
	issues.Refused
	at time.Time
}

const (
	// refusedIssuesKept and refusedEachKept bound the memory to some megabytes.
	refusedIssuesKept = 1_000
	refusedEachKept   = 20
)

func newRefusedWrites() *refusedWrites {
	return &refusedWrites{of: bounded.New[string, *refusedOn](refusedIssuesKept)}
}

func (r *refusedWrites) add(ref issues.Ref, refused issues.Refused, at time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	on, ok := r.of.Get(issueKey(ref))
	if !ok {
		on = &refusedOn{}
		r.of.Add(issueKey(ref), on)
	}
	on.ref = ref
	on.writes = slices.DeleteFunc(on.writes, func(w refusedWrite) bool { return sameWrite(w.Write, refused.Write) })
	on.writes = append(on.writes, refusedWrite{refused, at})
	on.writes = on.writes[max(0, len(on.writes)-refusedEachKept):]
}

// sameWrite reports whether two writes say or do the same: comments that carry the same markers do, whatever has become of the issue.
func sameWrite(a, b issues.Write) bool {
	switch markers := wording.Markers(a.Comment); {
	case a.Comment != "" && len(markers) > 0 && a.On == b.On:
		return maps.EqualFunc(markers, wording.Markers(b.Comment), slices.Equal)
	case a.Reaction != nil && b.Reaction != nil:
		return *a.Reaction == *b.Reaction
	case a.Link != nil && b.Link != nil:
		return *a.Link == *b.Link
	}
	return a.Comment == b.Comment && a.On == b.On && a.ClosePull == b.ClosePull && a.Reaction == b.Reaction && a.Link == b.Link
}

// take returns what was refused on an issue, and forgets it.
func (r *refusedWrites) take(ref issues.Ref) []refusedWrite {
	r.mu.Lock()
	defer r.mu.Unlock()
	on, ok := r.of.Peek(issueKey(ref))
	if !ok {
		return nil
	}
	r.of.Remove(issueKey(ref))
	return on.writes
}

// explains reports whether GitHub refused a comment that explains an event, and nothing says yet that it takes it now. Where many
// requests about a locked conversation wait, each of them would else spend Colony's budget of comments on the same one.
func (r *refusedWrites) explains(ref issues.Ref, eventID int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	on, ok := r.of.Peek(issueKey(ref))
	return ok && slices.ContainsFunc(on.writes, func(w refusedWrite) bool {
		markers := wording.Markers(w.Write.Comment)
		return w.Write.On == 0 && (slices.Contains(markers[wording.Explains], eventID) || slices.Contains(markers[wording.Halts], eventID))
	})
}

// before reports whether something was refused on an issue before a time.
func (r *refusedWrites) before(ref issues.Ref, at time.Time) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	on, ok := r.of.Peek(issueKey(ref))
	return ok && slices.ContainsFunc(on.writes, func(w refusedWrite) bool { return w.at.Before(at) })
}

// refs lists the issues of an installation on which something was refused; 0 is all installations.
func (r *refusedWrites) refs(installation int64) []issues.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refs []issues.Ref
	for _, on := range r.of.Values() {
		if installation == 0 || on.ref.Installation == installation {
			refs = append(refs, on.ref)
		}
	}
	return refs
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
	return r.refusedWrites.refs(installation)
}

// RefusedWrites lists what GitHub refused for good and what was not tried again since, oldest first.
func (r *Reconciler) RefusedWrites() []RefusedWrite { return r.refusedWrites.list() }

func (r *refusedWrites) list() []RefusedWrite {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := []RefusedWrite{}
	for _, on := range r.of.Values() {
		for _, w := range on.writes {
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

// unlockedSince reports whether the conversation was unlocked since GitHub refused something there: its webhook may have got lost.
func (q *inquiry) unlockedSince() bool {
	return !q.view.Locked && !q.view.Unlocked.IsZero() && q.refusedWrites.before(q.view.Ref, q.view.Unlocked.Add(clocksDiffer))
}

// takeRefused takes what GitHub refused on the issue, if it may be taken now. Explanations are made anew, as far as they are still due;
// the other writes are to be made as they were.
func (rc *reconciliation) takeRefused() {
	if !rc.request.Retry && !rc.unlockedSince() {
		return
	}
	for _, w := range rc.refusedWrites.take(rc.view.Ref) {
		markers := wording.Markers(w.Write.Comment)
		explained := slices.Concat(markers[wording.Explains], markers[wording.Halts])
		switch {
		case w.Write.ClosePull != 0: // who asked for it was told, and may have done something else about it
		case len(explained) == 0 || w.Write.On != 0:
			rc.again = append(rc.again, w)
		default:
			rc.explained.forget(rc.view.Ref, explained...)
		}
	}
}

// writeRefused writes what GitHub refused before. What is there by now, because another process wrote it, is left out.
func (rc *reconciliation) writeRefused(ctx context.Context) error {
	if slices.ContainsFunc(rc.again, func(w refusedWrite) bool { return w.Write.Comment != "" }) {
		if err := rc.readConversation(ctx); err != nil {
			return err
		}
		rc.again = slices.DeleteFunc(rc.again, func(w refusedWrite) bool {
			markers := wording.Markers(w.Write.Comment)
			there := func(have []int64) func(int64) bool {
				return func(id int64) bool { return slices.Contains(have, id) }
			}
			return slices.ContainsFunc(markers[wording.Answers], there(rc.conversation.replied)) ||
				slices.ContainsFunc(markers[wording.Asks], there(rc.conversation.asked)) ||
				slices.ContainsFunc(markers[wording.Orphans], there(rc.conversation.orphans))
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

// restoreRefused puts back what was not written again.
func (rc *reconciliation) restoreRefused() {
	for _, w := range rc.again {
		rc.refusedWrites.add(rc.view.Ref, w.Refused, w.at)
	}
}
