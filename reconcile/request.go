// Package reconcile brings what is on an issue in line with what its log says: load, decide, apply. Webhooks, commands and timers all
// end here, as a request.
package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

// Request asks to reconcile an issue, a repository or an installation. It is what the queue keeps, so it is small.
type Request struct {
	Kind Kind `json:"scope"`
	// Ref names the issue; without a number the repository, and without that the installation.
	issues.Ref

	// Cause names the event and action that asked, such as "issues.labeled". It is for logs and metrics only.
	Cause string `json:"because"`
	// Delivery is GitHub's delivery GUID, for logs only.
	Delivery string `json:"delivery,omitempty"`

	// By is who wrote the text that might have commands: someone who asks too much waits. It is empty where no one asked.
	By string `json:"by,omitempty"`
	// Commands says that there might be a slash command to run, so the comments have to be read.
	Commands bool `json:"commands,omitempty"`
	Conditions
	// Retry says that GitHub might now accept what it refused for good on the issue.
	Retry bool `json:"retry,omitempty"`
	// Expect is what GitHub reported as having happened. While GitHub's API does not show it, its answer lags behind.
	Expect ExpectedEvent `json:"expect"`
	// Joined is what GitHub reported with the requests that asked for the same in between.
	Joined []ExpectedEvent `json:"joined,omitempty"`
	Extent
}

// Conditions are those under which a request has anything to do.
type Conditions struct {
	// OnlyIntake says that there is nothing to do unless the repository takes new issues in.
	OnlyIntake bool `json:"only_intake,omitempty"`
	// OnlyReply says that there is nothing to do unless a row of the lifecycle waits for a reply: of the author with ByAuthor, else of another person.
	// OnlySealed says that there is nothing to do unless the issue is in a sealed state. Labels are those of the issue.
	OnlyReply  bool     `json:"only_reply,omitempty"`
	ByAuthor   bool     `json:"by_author,omitempty"`
	OnlySealed bool     `json:"only_sealed,omitempty"`
	Labels     []string `json:"labels,omitempty"`
	// OnlyStates are labels: there is nothing to do unless the lifecycle uses one of them. With OnlyIntake, one of the two is enough.
	OnlyStates []string `json:"only_states,omitempty"`
}

// IsConditional reports whether it depends on the policy whether there is anything to do.
func (c Conditions) IsConditional() bool {
	return c.OnlyIntake || c.OnlyReply || c.OnlySealed || len(c.OnlyStates) > 0
}

// Extent is what a request about something other than an issue extends to.
type Extent struct {
	// AllOfOwner says that the policies of the repositories for which this one speaks are to be read again as well.
	AllOfOwner bool `json:"others,omitempty"`
	// Commit is the commit of KindCommit.
	Commit string `json:"sha,omitempty"`
	// Added are the repositories that an installation was given, of KindInstallation; empty: all that it has.
	Added []issues.Repository `json:"added,omitempty"`
	// Renamed is set when a state label of the repository was renamed.
	Renamed *Rename `json:"renamed,omitempty"`
}

// HasReason reports whether there might be something to do under a policy.
func (r Request) HasReason(found policy.Policy) bool {
	uses := found.UsesAny(r.OnlyStates)
	switch {
	case r.OnlyIntake:
		return uses || slices.ContainsFunc(r.Expected(), func(e ExpectedEvent) bool { return found.MayTakeIn(e.Label, e.Assignee) })
	case len(r.OnlyStates) > 0 && !uses:
		return false
	}
	return (!r.OnlyReply || found.AwaitsReply(r.ByAuthor, r.Labels)) && (!r.OnlySealed || found.Seals(r.Labels))
}

// Expected lists everything that must be visible before the reconciliation counts.
func (r Request) Expected() []ExpectedEvent {
	return append([]ExpectedEvent{r.Expect}, r.Joined...)
}

// toldAt is when the issue changed last, as the webhooks tell that asked for this; zero if none did.
func (r Request) toldAt() (at time.Time) {
	for _, e := range r.Expected() {
		if e.PullRequest == 0 {
			at = issues.Latest(at, e.At)
		}
	}
	return at
}

// OfIssue is the same request about an issue of the repository.
func (r Request) OfIssue(number int) Request {
	r.Kind, r.Number = KindIssue, number
	return r
}

// Kind says what is reconciled.
type Kind string

// The kinds of a request.
const (
	// KindIssue brings the labels of an issue in line with its log and runs its commands.
	KindIssue Kind = "issue"
	// KindRepository provisions the labels of a repository.
	KindRepository Kind = "repository"
	// KindPolicy reads again what the issues of a repository are reconciled by, and provisions its labels.
	KindPolicy Kind = "rules"
	// KindDispatch moves the next issues of a repository on if there is capacity for them.
	KindDispatch Kind = "dispatch"
	// KindPullRequest reconciles the issues of a pull request, whose number the request has as its issue.
	KindPullRequest Kind = "pull-request"
	// KindCommit reconciles the issues of the pull requests whose newest commit it is.
	KindCommit Kind = "commit"
	// KindConflicts reconciles the issues that a conflict of their pull requests can move.
	KindConflicts Kind = "conflicts"
	// KindFiles reconciles the issues whose pull requests change the same files as a pull request, whose number the request has as its
	// issue.
	KindFiles Kind = "files"
	// KindDependents reconciles the issues that depend on an issue, and at its parent.
	KindDependents Kind = "dependents"
	// KindInstallation does KindPolicy for every repository of an installation, or for the repositories that it was given, one after the other.
	KindInstallation Kind = "installation"
	// KindDashboard brings the dashboard of a repository, or of an owner, up to date.
	KindDashboard Kind = "dashboard"
	// KindSweep looks for everything that no webhook reported: in all installations, in one, or in one repository, as the request names it.
	KindSweep Kind = "sweep"
)

// ExpectedEvent is the event that caused a request, as far as the API must show it before the reconciliation counts.
type ExpectedEvent struct {
	// By is who did it, so that many requests of one person delay no one else's; empty if that is not known.
	By string `json:"by,omitempty"`
	// Label and Added describe a label event; Label is empty if there is nothing of the kind to expect.
	Label string `json:"label,omitempty"`
	Added bool   `json:"added,omitempty"`
	// Assignee is who the issue was assigned to; empty if it was not.
	Assignee string `json:"assignee,omitempty"`
	// CommentID is the comment that must be visible; 0 without a comment.
	CommentID int64 `json:"comment_id,omitempty"`
	// Edited says that the text of that comment was edited; without one, the opening text of the issue. GitHub's times do not show an
	// edit within the second in which the text was written.
	Edited bool `json:"edited,omitempty"`
	// PullRequest is the number of a pull request of the issue that must be visible as of At; 0 without one.
	PullRequest int `json:"pull_request,omitempty"`
	// Commit is what the default branch was pushed to; empty if nothing was.
	Commit string `json:"commit,omitempty"`
	// At is the time GitHub gave the issue, or the pull request, in the webhook, in whole seconds.
	At time.Time `json:"at,omitzero"`
}

// Rename is a label that got another name.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Enqueuer keeps requests until they are done. Publish returns once the request is safe; publishing the same id
// again, within the days in which GitHub redelivers, does nothing.
type Enqueuer interface {
	Publish(ctx context.Context, id string, request Request) error
}
