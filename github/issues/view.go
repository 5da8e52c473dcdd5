package issues

import (
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// View is what Colony knows about one issue at one moment.
type View struct {
	Ref Ref
	// ID is GitHub's own number of the issue, and NodeID what GraphQL calls it.
	ID     int64
	NodeID string
	Title  string
	Body   string
	Author lifecycle.Actor
	// AuthorOnlyAsks says that the author is not allowed to set states, as far as that was asked for; it is not read with the issue.
	AuthorOnlyAsks bool
	// Association is what GitHub calls the author's association with the repository, in its capitals.
	Association string
	Created     time.Time
	// Updated is when GitHub last changed anything about the issue.
	Updated     time.Time
	PullRequest bool
	// Dashboard says that Colony shows figures in it, and that it is no work.
	Dashboard bool
	// Closed says whether it is closed; then ClosedAt says when, and ClosedAs as what in GitHub's words, as far as the server tells.
	Closed   bool
	ClosedAt time.Time
	ClosedAs string
	// Closures lists when it was closed and opened again.
	Closures []statemachine.Closure
	// Arrived is the last transfer of the issue from another repository.
	Arrived statemachine.Arrival
	// Deleted lists the deletions of comments, oldest first. GitHub does not say which comment it was.
	Deleted []Deletion
	// Locked says that only people with write access can talk there; Unlocked is when that ended last, zero if it never did.
	Locked   bool
	Unlocked time.Time
	Labels   []string
	// Assignees are the logins of the accounts assigned to it, and Assignments what its log tells of that.
	Assignees   []string
	Assignments []Assignment
	// Milestone is the title of the milestone that it is in, and Type the name of its issue type; empty: none.
	Milestone, Type string
	// Renamed lists who gave the issue another title, and when.
	Renamed []Renaming
	// SubIssues is how far its sub-issues are. BlockedBy is how many issues are on GitHub's list of the issues that it depends on. They are nil if the
	// server does not tell.
	SubIssues *Progress
	BlockedBy *int
	// Blocked is when another issue was last put on GitHub's list of the issues that it depends on, as its log tells. Unblocked is when one was last
	// taken off. They are zero if that never happened.
	Blocked, Unblocked time.Time
	// Parted is when the issue last lost a sub-issue, as its log tells; zero if never.
	Parted time.Time
	// Uncommented says that it has no comment, as far as the server tells.
	Uncommented bool
	// Reactions is how many reactions the opening text has, of anybody.
	Reactions int
	// Begun is the time from which the present table applies to the issue's repository; it is not read with the issue.
	Begun time.Time
	// Installed is the time from which the repository is reconciled at all, if what was there then is final; zero if it is adopted.
	Installed time.Time
	// Changes are the label events of the issue.
	Changes []statemachine.Change
}

// Reopened is when the issue was last opened again; zero if it never was.
func (v View) Reopened() time.Time { return statemachine.LastReopening(v.Closures).At }

// LockedSince reports whether the conversation was locked at any moment since a time. GitHub's times are whole seconds.
func (v View) LockedSince(t time.Time) bool {
	return v.Locked || !v.Unlocked.IsZero() && !v.Unlocked.Before(t)
}

// Renaming is a change of an issue's title. From is the title before.
type Renaming struct {
	By   string
	At   time.Time
	From string
}

// Deletion is the deletion of a comment.
type Deletion struct {
	By lifecycle.Actor
	At time.Time
}

// Assignment is an account's being assigned to an issue, or no longer.
type Assignment struct {
	ID    int64
	Added bool
	To    string // login
	At    time.Time
	// ByColony says that Colony did it.
	ByColony bool
}

// AssignedAt returns when an account was last assigned to the issue. Where the log does not tell, it was as the issue was opened.
func (v View) AssignedAt(login string) time.Time {
	at := v.Created
	for _, a := range v.Assignments {
		if a.Added && strings.EqualFold(a.To, login) && a.At.After(at) {
			at = a.At
		}
	}
	return at
}

// History returns what the fold needs.
func (v View) History(judgedSince time.Time) statemachine.History {
	h := statemachine.History{
		Changes: v.Changes, Closures: v.Closures, Labels: v.Labels, Terms: statemachine.Terms{JudgedSince: judgedSince, Begun: v.Begun},
		Opening: statemachine.Opening{By: v.Author.Login, At: v.Created, OnlyAsks: v.AuthorOnlyAsks}, Arrived: v.Arrived,
	}
	if v.Created.Before(v.Installed) {
		h.Installed = v.Installed
	}
	return h
}
