package board

import (
	"cmp"
	"slices"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// unread is what a list says of an issue whose log was not read.
type unread struct {
	// view is the issue without its texts.
	view issues.View
	// whole says that the issue has to be read too: no list had it.
	whole bool
	// left says that it could not be read: it is left until a list has it again.
	left bool
}

// Listed takes note of issues of a repository that a list had. Where an issue was not seen before as it is now, its label tells the state. Its
// log, which is to be read, tells how long it has been there. An issue that bears no label of Colony's is where all begin, since it was opened.
func (x *Index) Listed(repo issues.Repository, life *statemachine.Table, views []issues.View) {
	now := x.clock.Now()
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.at(repo)
	r.life = life
	for _, v := range views {
		before := r.issues[v.Ref.Number]
		known := before != nil && before.unread == nil
		switch {
		case known && before.shows(v):
			if before.Title != v.Title {
				renamed := *before
				renamed.Title = v.Title
				x.keep(r, &renamed)
			}
		case known && before.Updated.After(v.Updated): // it changed since it was listed
		case before == nil && x.omits(r, v):
		default:
			listed := listedIssue(v, life, x.web)
			if listed.seen = now; before != nil {
				listed.stays, listed.refusals = before.stays, before.refusals
			}
			x.keep(r, listed)
		}
	}
}

// omits reports whether an issue that is not on the board stays off it: no one would look for it there, or the board is full.
func (x *Index) omits(r *repository, v issues.View) bool {
	return r.isDone(v) || v.Closed && !isInLifecycle(r.life, v) || x.total >= x.most && !lifecycle.HasLabel(v.Labels, lifecycle.NeedsHuman)
}

// isDone reports whether an issue was read as it is, and no one would look for it on the board.
func (r *repository) isDone(v issues.View) bool {
	at, known := r.done[v.Ref.Number]
	return known && !v.Updated.After(at)
}

// shows reports whether an issue is known as a list has it.
func (i *Issue) shows(v issues.View) bool {
	return i.Closed == v.Closed && len(i.Labels) == len(v.Labels) && !slices.ContainsFunc(v.Labels, func(l string) bool { return !lifecycle.HasLabel(i.Labels, l) })
}

// isInLifecycle reports whether the labels of an issue say that it is in a state, or asks for a person.
func isInLifecycle(life *statemachine.Table, v issues.View) bool {
	return slices.ContainsFunc(v.Labels, func(label string) bool {
		_, isState := life.StateOf(label)
		return isState || lifecycle.SameLabel(label, lifecycle.NeedsHuman) || lifecycle.SameLabel(label, lifecycle.Forced)
	})
}

// listedIssue is what the board keeps of an issue whose log was not read.
func listedIssue(v issues.View, life *statemachine.Table, web string) *Issue {
	s := statemachine.Standing{State: life.Initial}
	for _, state := range life.States { // of several, the last counts, as where a log begins with several
		if len(life.OnIssue(v.Labels, state.Name)) > 0 {
			s.State = state.Name
		}
	}
	i := issueIn(s.State, life, v, v.Ref, web)
	if !isInLifecycle(life, v) {
		i.stays = []stay{{State: s.State, Entered: v.Created}}
		return i
	}
	v.Body, v.Assignees, v.Milestone, v.NodeID = "", nil, "", ""
	i.Since, i.unread = v.Updated, &unread{view: v}
	i.needs = i.needsOf(life, s, advice.Attended{Labels: v.Labels, Closed: v.Closed, Author: v.Author.Login, Now: far})
	return i
}

// Missed makes those issues of a repository be read that were seen before a time, and that no list had since. The lists have each issue that is
// open or changed within the window, so these might be gone.
func (x *Index) Missed(repo issues.Repository, before time.Time, listed map[int]bool) {
	start := x.clock.Now().Add(-x.window)
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.repositories[issues.NameKey(repo.Owner, repo.Name)]
	if r == nil {
		return
	}
	for number, i := range r.issues {
		if listed[number] || !i.seen.Before(before) || i.Closed && i.Updated.Before(start) {
			continue
		}
		missed := *i
		missed.unread = &unread{view: issues.View{Ref: i.Ref, Updated: i.Updated}, whole: true}
		r.issues[number] = &missed
	}
}

// Unread lists the issues of an installation whose logs are to be read. First come the issues that wait for a person, then the open ones, then
// the ones that ended. Within each group, the issues that changed since a time come last, because a sweep reads them. The rest is in no order,
// so that replicas that read at the same time begin with different ones.
func (x *Index) Unread(installation int64, since time.Time) []*Issue {
	x.mu.RLock()
	var all []*Issue
	for _, r := range x.repositories {
		if r.named.Installation != installation {
			continue
		}
		for _, i := range r.issues {
			if i.unread != nil && !i.unread.left {
				all = append(all, i)
			}
		}
	}
	x.mu.RUnlock()
	rank := func(i *Issue) int {
		return 4*boolean(len(i.needs) == 0) + 2*boolean(i.Closed) + boolean(i.Updated.After(since))
	}
	slices.SortStableFunc(all, func(a, b *Issue) int { return cmp.Compare(rank(a), rank(b)) })
	return all
}

// isUnread reports whether an issue is still as it was when the reading of it began.
func (x *Index) isUnread(i *Issue) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	r := x.repositories[issues.NameKey(i.Ref.Owner, i.Ref.Name)]
	return r != nil && r.issues[i.Ref.Number] == i
}

// leave leaves an issue that cannot be read as its list says it is.
func (x *Index) leave(i *Issue) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if r := x.repositories[issues.NameKey(i.Ref.Owner, i.Ref.Name)]; r != nil && r.issues[i.Ref.Number] == i {
		left := *i
		left.unread = &unread{view: i.unread.view, whole: i.unread.whole, left: true}
		r.issues[i.Ref.Number] = &left
	}
}
