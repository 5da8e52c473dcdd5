package issues

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
)

// Write is one change to an issue. The zero value writes nothing.
type Write struct {
	// Exactly one of the following is set.
	Add     []string // labels, in one call
	Remove  string   // a label
	Comment string   // Markdown
	// Purpose is what a comment is for; zero for everything else.
	Purpose Purpose
	// Edits is the comment of Colony's that a comment takes the place of; 0: it is a new one.
	Edits int64
	// On is the pull request that a comment goes to instead of the issue; 0 if it does not.
	On       int
	Reaction *Reaction
	Close    lifecycle.CloseReason
	// ClosePull is the number of a pull request that is to be closed; else 0.
	ClosePull int
	Link      *Link
	// Assign and Unassign are logins. GitHub leaves out accounts that it lets no one assign.
	Assign, Unassign []string
	// Minimize hides comments of Colony's that are of no more use.
	Minimize *Minimize
}

// Purpose is what a comment is for, as its marker says.
type Purpose struct {
	Kind wording.MarkerKind
	IDs  []int64
}

// Is reports whether two comments are for the same.
func (p Purpose) Is(other Purpose) bool {
	return p.Kind == other.Kind && slices.Equal(p.IDs, other.IDs)
}

// Reaction is put on a comment, or on the issue itself if CommentID is 0.
type Reaction struct {
	CommentID int64
	Content   string
}

// The reactions Colony uses; see https://docs.github.com/rest/reactions.
const (
	ThumbsUp   = "+1"       // accepted
	Confused   = "confused" // refused
	ThumbsDown = "-1"       // not permitted
	Eyes       = "eyes"     // seen, could not be checked yet: not a receipt
)

func (w Write) String() string { return w.action(Ref{}).says }

// Kind names what kind of change a write is.
func (w Write) Kind() string { return w.action(Ref{}).kind }

// action is what a write does: it in words, and the call of the REST API, whose path follows that of the repository.
type action struct {
	kind, says   string
	method, path string
	body         any
	// isDone reports whether an error of the call says that it is so already; nil: none does.
	isDone func(error) bool
}

// The kinds of writes that others act on.
const (
	kindLabel      = "label"
	kindComment    = "comment"
	kindReaction   = "reaction"
	kindLink       = "link"
	kindPull       = "pull_request"
	kindAssignment = "assignment"
)

func (w Write) action(ref Ref) action {
	issue := fmt.Sprintf("issues/%d", ref.Number)
	switch {
	case len(w.Add) > 0:
		return action{kindLabel, "add label " + strings.Join(w.Add, ", "), http.MethodPost, issue + "/labels", w.Add, nil}
	case w.Remove != "":
		return action{kindLabel, "remove label " + w.Remove, http.MethodDelete, issue + "/labels/" + url.PathEscape(w.Remove), nil, isNotOn}
	case w.Comment != "":
		return w.comment(issue)
	case w.Reaction != nil:
		if w.Reaction.CommentID != 0 {
			issue = fmt.Sprintf("issues/comments/%d", w.Reaction.CommentID)
		}
		return action{kindReaction, "react with " + w.Reaction.Content, http.MethodPost, issue + "/reactions", map[string]string{"content": w.Reaction.Content}, nil}
	case w.Close != "":
		return action{kindLabel, "close as " + string(w.Close), http.MethodPatch, issue, map[string]string{"state": Closed, "state_reason": string(w.Close)}, nil}
	case w.ClosePull != 0:
		return action{kindPull, fmt.Sprintf("close pull request #%d", w.ClosePull), http.MethodPatch, fmt.Sprintf("pulls/%d", w.ClosePull), map[string]string{"state": Closed}, nil}
	case w.Minimize != nil:
		return action{kind: "minimize", says: fmt.Sprintf("hide %d of its comments as %s", len(w.Minimize.NodeIDs), strings.ToLower(string(w.Minimize.As)))}
	case w.Link != nil:
		return w.Link.action(issue + "/dependencies/blocked_by")
	case len(w.Assign) > 0:
		return action{kindAssignment, "assign " + strings.Join(w.Assign, ", "), http.MethodPost, issue + "/assignees", map[string][]string{"assignees": w.Assign}, nil}
	case len(w.Unassign) > 0:
		return action{kindAssignment, "unassign " + strings.Join(w.Unassign, ", "), http.MethodDelete, issue + "/assignees", map[string][]string{"assignees": w.Unassign}, nil}
	}
	return action{kind: kindLabel, says: "write nothing"}
}

func (w Write) comment(issue string) action {
	switch {
	case w.Edits != 0:
		return action{kindComment, "edit a comment", http.MethodPatch, fmt.Sprintf("issues/comments/%d", w.Edits), nil, nil}
	case w.On != 0:
		return action{kindComment, fmt.Sprintf("write a comment on pull request #%d", w.On), http.MethodPost, fmt.Sprintf("issues/%d/comments", w.On), nil, nil}
	}
	return action{kindComment, "write a comment", http.MethodPost, issue + "/comments", nil, nil}
}

// isNotOn reports whether GitHub answered that the issue does not have the label.
func isNotOn(err error) bool {
	return isStatus(err, http.StatusNotFound) && strings.Contains(err.Error(), "Label does not exist")
}

// writes changes issues.
type writes struct{ connection }

// Apply carries out writes in their order and stops at the first that fails, wrapping what was attempted. It is the only place that changes an issue.
// Every write can be applied again: a label that is there or gone already, and a reaction that is there already, are successes.
//
// A comment, reaction, link, assignment or end of a pull request that GitHub refuses for good (a locked conversation, for one) does not stop the
// writes behind it, since the labels must be right all the same; these are returned as refused. So is each failure to hide what is out of date: what
// comes behind it is worth more, and GitHub's GraphQL can be down or at its limit when the rest is not.
func (s writes) Apply(ctx context.Context, ref Ref, writes []Write) (refused []Refused, err error) {
	if len(writes) == 0 {
		return nil, nil
	}
	client := s.client(ref.Repository)
	for _, w := range writes {
		writeErr := s.write(ctx, client, ref, w)
		if writeErr == nil {
			continue
		}
		writeErr = fmt.Errorf("%s on %s: %w", w, ref, writeErr)
		if slices.Contains(refusable, w.Kind()) && IsPermanent(writeErr) || w.tidies() && ctx.Err() == nil {
			refused = append(refused, Refused{w, writeErr})
			continue
		}
		return refused, writeErr
	}
	return refused, nil
}

// refusable are the kinds of writes that do not stop the ones behind them.
var refusable = []string{kindComment, kindReaction, kindLink, kindPull, kindAssignment}

// tidies reports whether a write hides what is out of date.
func (w Write) tidies() bool { return w.Minimize != nil && w.Minimize.As == Outdated }

// Refused is a write that GitHub refuses for good, or one that only tidies and that GitHub did not take now.
type Refused struct {
	Write Write
	Err   error
}

// write makes the call of a write. A comment gets its signature.
func (s writes) write(ctx context.Context, client *github.Client, ref Ref, w Write) error {
	a := w.action(ref)
	switch {
	case w.Minimize != nil:
		return s.minimize(ctx, client, ref, *w.Minimize)
	case a.method == "":
		return nil
	case w.Comment != "":
		on := ref
		if w.Edits == 0 {
			on.Number = cmp.Or(w.On, ref.Number)
		}
		a.body = map[string]string{"body": s.Signer.sign(on, w.Comment)}
	}
	_, err := ask(ctx, client, a.method, fmt.Sprintf("repos/%s/%s/%s", ref.Owner, ref.Name, a.path), a.body, nil)
	if a.isDone != nil && a.isDone(err) {
		return nil
	}
	return err
}
