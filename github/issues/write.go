package issues

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
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

func (w Write) String() string {
	switch {
	case len(w.Add) > 0:
		return "add label " + strings.Join(w.Add, ", ")
	case w.Remove != "":
		return "remove label " + w.Remove
	case w.Comment != "" && w.Edits != 0:
		return "edit a comment"
	case w.Comment != "" && w.On != 0:
		return fmt.Sprintf("write a comment on pull request #%d", w.On)
	case w.Comment != "":
		return "write a comment"
	case w.Reaction != nil:
		return "react with " + w.Reaction.Content
	case w.Close != "":
		return "close as " + string(w.Close)
	case w.ClosePull != 0:
		return fmt.Sprintf("close pull request #%d", w.ClosePull)
	case w.Minimize != nil:
		return fmt.Sprintf("hide %d of its comments as %s", len(w.Minimize.NodeIDs), strings.ToLower(string(w.Minimize.As)))
	case w.Link != nil && w.Link.On:
		return fmt.Sprintf("make it depend on issue id %d", w.Link.ID)
	case w.Link != nil:
		return fmt.Sprintf("make it independent of issue id %d", w.Link.ID)
	}
	return w.assignment()
}

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
		mayBeRefused := w.Comment != "" || w.Reaction != nil || w.Link != nil || w.ClosePull != 0 || w.Kind() == kindAssignment
		if mayBeRefused && IsPermanent(writeErr) || w.tidies() && ctx.Err() == nil {
			refused = append(refused, Refused{w, writeErr})
			continue
		}
		return refused, writeErr
	}
	return refused, nil
}

func (w Write) tidies() bool { return w.Minimize != nil && w.Minimize.As == Outdated }

// Refused is a write that GitHub refuses for good, or one that only tidies and that GitHub did not take now.
type Refused struct {
	Write Write
	Err   error
}

// Kind names what kind of change a write is.
func (w Write) Kind() string {
	switch {
	case w.Comment != "":
		return "comment"
	case w.Reaction != nil:
		return "reaction"
	case w.Link != nil:
		return "link"
	case w.Minimize != nil:
		return "minimize"
	case w.ClosePull != 0:
		return "pull_request"
	case len(w.Assign) > 0, len(w.Unassign) > 0:
		return kindAssignment
	}
	return "label"
}

func (s writes) write(ctx context.Context, client *github.Client, ref Ref, w Write) error {
	var err error
	switch {
	case len(w.Add) > 0:
		_, err = ask(ctx, client, http.MethodPost, fmt.Sprintf("repos/%s/%s/issues/%d/labels", ref.Owner, ref.Name, ref.Number), w.Add, nil)
	case w.Remove != "":
		_, err = ask(ctx, client, http.MethodDelete, fmt.Sprintf("repos/%s/%s/issues/%d/labels/%s", ref.Owner, ref.Name, ref.Number, url.PathEscape(w.Remove)), nil, nil)
		if isStatus(err, http.StatusNotFound) && strings.Contains(err.Error(), "Label does not exist") {
			err = nil
		}
	case w.Comment != "":
		err = s.say(ctx, client, ref, w)
	case len(w.Assign) > 0:
		_, err = ask(ctx, client, http.MethodPost, assigneesOf(ref), map[string][]string{"assignees": w.Assign}, nil)
	case len(w.Unassign) > 0:
		_, err = ask(ctx, client, http.MethodDelete, assigneesOf(ref), map[string][]string{"assignees": w.Unassign}, nil)
	case w.Close != "":
		state, reason := "closed", string(w.Close)
		_, _, err = client.Issues.Edit(ctx, ref.Owner, ref.Name, ref.Number, &github.IssueRequest{State: &state, StateReason: &reason})
	case w.ClosePull != 0:
		_, _, err = client.PullRequests.Edit(ctx, ref.Owner, ref.Name, w.ClosePull, &github.PullRequest{State: new("closed")})
	case w.Minimize != nil:
		err = s.minimize(ctx, client, ref, *w.Minimize)
	case w.Link != nil:
		err = link(ctx, client, ref, *w.Link)
	case w.Reaction != nil:
		on := strconv.Itoa(ref.Number)
		if w.Reaction.CommentID != 0 {
			on = fmt.Sprintf("comments/%d", w.Reaction.CommentID)
		}
		_, err = ask(ctx, client, http.MethodPost, fmt.Sprintf("repos/%s/%s/issues/%s/reactions", ref.Owner, ref.Name, on), map[string]string{"content": w.Reaction.Content}, nil)
	}
	return err
}

// say writes or edits a comment, with its signature.
func (s writes) say(ctx context.Context, client *github.Client, ref Ref, w Write) error {
	text := func(on Ref) map[string]string { return map[string]string{"body": s.Signer.sign(on, w.Comment)} }
	if w.Edits != 0 {
		_, err := ask(ctx, client, http.MethodPatch, fmt.Sprintf("repos/%s/%s/issues/comments/%d", ref.Owner, ref.Name, w.Edits), text(ref), nil)
		return err
	}
	on := Ref{Repository: ref.Repository, Number: cmp.Or(w.On, ref.Number)}
	_, err := ask(ctx, client, http.MethodPost, fmt.Sprintf("repos/%s/%s/issues/%d/comments", on.Owner, on.Name, on.Number), text(on), nil)
	return err
}

const kindAssignment = "assignment"

func assigneesOf(ref Ref) string {
	return fmt.Sprintf("repos/%s/%s/issues/%d/assignees", ref.Owner, ref.Name, ref.Number)
}

func (w Write) assignment() string {
	switch {
	case len(w.Assign) > 0:
		return "assign " + strings.Join(w.Assign, ", ")
	case len(w.Unassign) > 0:
		return "unassign " + strings.Join(w.Unassign, ", ")
	}
	return "write nothing"
}
