package reconcile

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Colony's own writes, and comments without a command, change the time of an issue, and so does much else that moves no issue. Therefore a process
// remembers how it left an issue, in a few bytes. One question about many issues then finds the issues to which nothing happened: they need not be read.

type left struct {
	nodeID string
	// sum is of what a snapshot tells, as it was read, with the lines that Colony's writes added.
	sum uint64
	// own is how many of the newest lines are Colony's, made after the time read. GitHub's times of them are not known.
	own   int
	read  time.Time
	blind time.Duration // see blindFor
}

// settle notes that there is nothing to do about an issue, after what was written to it.
func settle(q *inquiry, written []issues.Write) {
	at := rest{version: policyVersion(q), due: dueOf(q), left: leftBy(q, written)}
	if len(written) == 0 { // else GitHub's time of the last change is not known
		at.updated, at.until = q.view.Updated, q.restsUntil()
		if q.memory.hides(q.view.Changes, q.read, hidesAtMost) { // a snapshot can hide the same
			at.left = nil
		}
	}
	q.memory.noteRest(checkedAll, at)
}

// leftBy returns how an issue was left; nil if something else than its labels and its being closed can make work there, or a write led to
// another state: what is due there was not found out.
func leftBy(q *inquiry, written []issues.Write) *left {
	elsewhere := func(w issues.Write) bool {
		from, leaves := q.settings.Lifecycle.StateOf(w.Remove)
		return w.Close != "" || leaves && from.Name == q.standing.State || slices.ContainsFunc(w.Add, func(label string) bool {
			state, is := q.settings.Lifecycle.StateOf(label)
			return is && state.Name != q.standing.State
		})
	}
	assigned := q.standing.State == q.settings.Lifecycle.Initial && q.settings.Intake.When == policy.Assigned
	if q.view.NodeID == "" || q.view.Locked || len(q.memory.listRefused()) > 0 || movesUnchanged(q) || assigned || slices.ContainsFunc(written, elsewhere) {
		return nil
	}
	then := q.after(written)
	own := len(then.Changes) - len(q.view.Changes)
	if own >= issues.SnapshotLines {
		return nil
	}
	return &left{nodeID: q.view.NodeID, sum: sumOf(then.Snapshot(), own), own: own, read: q.read, blind: q.blindFor()}
}

// lose notes that only reading the issue tells what there is to do.
func (r *remembered) lose() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if at, there := r.rests[checkedAll]; there {
		at.left = nil
		r.rests[checkedAll] = at
	}
}

// isShownBy reports whether a snapshot shows an issue as it was left.
func (l *left) isShownBy(s issues.Snapshot) bool {
	if s.Locked || len(s.Lines) < l.own || sumOf(s, l.own) != l.sum {
		return false
	}
	return !slices.ContainsFunc(s.Lines[len(s.Lines)-l.own:], func(line issues.SnapshotLine) bool {
		return line.At.Before(l.read.Add(-statemachine.ClocksDiffer))
	})
}

// sumSeed is that of all sums of this process.
var sumSeed = maphash.MakeSeed()

// sumOf is a sum of what a snapshot shows, without the times of the newest lines.
func sumOf(s issues.Snapshot, untimed int) uint64 {
	labels := slices.Clone(s.Labels)
	for i := range labels {
		labels[i] = strings.ToLower(labels[i])
	}
	slices.Sort(labels)
	var h maphash.Hash
	h.SetSeed(sumSeed)
	fmt.Fprintf(&h, "%q %t %q", s.Title, s.Closed, labels)
	for i, line := range s.Lines {
		at := line.At.Unix()
		if i >= len(s.Lines)-untimed {
			at = 0
		}
		fmt.Fprintf(&h, " %d %s %q %q", at, line.Event, strings.ToLower(line.Label), strings.ToLower(line.By))
	}
	return h.Sum64()
}

// asked is how many issues one question is about. GitHub gives up on a question after ten seconds.
const asked = 50

// Recognize asks about the issues of a list that changed since this process looked at them, and notes which are as it left them: IsClean then holds for
// them. An issue to which something happened is not asked about again.
func (r *Reconciler) Recognize(ctx context.Context, repo issues.Repository, list []issues.Entry) error {
	now := r.Clock.Now()
	type known struct {
		of   *remembered
		left *left
	}
	all := map[string]known{}
	var nodeIDs []string
	for _, e := range list {
		ref := issues.Ref{Repository: repo, Number: e.Number}
		of, at := r.memories.rest(checkedAll, ref)
		isDue := !at.due.IsZero() && !now.Before(at.due)
		if at.left != nil && !isDue && !r.IsClean(ref, e.Updated, now) {
			nodeIDs, all[at.left.nodeID] = append(nodeIDs, at.left.nodeID), known{of, at.left}
		}
	}
	for some := range slices.Chunk(nodeIDs, asked) {
		read := r.Clock.Now()
		shown, err := r.Store.Snapshots(ctx, repo, some)
		if err != nil {
			return fmt.Errorf("recognize issues: %w", err)
		}
		for _, id := range some {
			is, there := shown[id]
			all[id].of.recognize(all[id].left, is, there, read)
		}
	}
	return nil
}

// recognize notes what a snapshot, read at a time, shows of an issue that was left so.
func (r *remembered) recognize(l *left, is issues.Snapshot, there bool, read time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.rests[checkedAll]
	switch {
	case at.left != l: // it was reconciled in between
		return
	case !there || !l.isShownBy(is):
		at.left = nil
	case read.Sub(is.Updated) >= l.blind:
		at.updated, at.until = is.Updated, at.due
	}
	r.rests[checkedAll] = at
}
