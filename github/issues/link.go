package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v62/github"
)

// Link is one of GitHub's own dependencies between issues, to be made or taken away:
// https://docs.github.com/rest/issues/issue-dependencies. Where a server has none of them, writing one does nothing.
type Link struct {
	// ID is GitHub's id of the issue that is depended on; not its number.
	ID int64
	// On says that the dependency is to be there.
	On bool
}

// Summary is what there is under the number of an issue.
type Summary struct {
	ID          int64
	PullRequest bool
	// Opening is the opening text, as a comment.
	Opening Comment
}

// Get reads an issue without its log. The error is ErrGone if there is no such issue in this repository.
func (s *Store) Get(ctx context.Context, ref Ref) (Summary, error) {
	client, err := s.client(ref.Repository)
	if err != nil {
		return Summary{}, err
	}
	issue, response, err := client.Issues.Get(ctx, ref.Owner, ref.Name, ref.Number)
	if err != nil {
		return Summary{}, fmt.Errorf("read issue %s: %w", ref, unreadable(err))
	}
	if moved(issue, response, ref) {
		return Summary{}, fmt.Errorf("read issue %s: it is %s now: %w", ref, issue.GetURL(), ErrGone)
	}
	return Summary{
		ID: issue.GetID(), PullRequest: issue.IsPullRequest(),
		Opening: Comment{
			NodeID: issue.GetNodeID(), By: s.cast.Actor(issue.GetUser(), nil), Body: issue.GetBody(), Created: issue.GetCreatedAt().Time,
			Updated: issue.GetUpdatedAt().Time, Reactions: issue.GetReactions().GetTotalCount(),
		},
	}, nil
}

// unreadable adds ErrGone to an answer that says that something is not there, or not for Colony (403). Rate limits are no such
// answers: the clients make them another error.
func unreadable(err error) error {
	if isStatus(err, http.StatusForbidden) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return asNotFound(err)
}

// BlockedBy lists the issues that one depends on by GitHub's own dependencies. There are none where the server does not have
// them, or does not show them to Colony.
func (s *Store) BlockedBy(ctx context.Context, ref Ref) ([]Ref, error) {
	client, err := s.client(ref.Repository)
	if err != nil {
		return nil, err
	}
	list, err := relations(ctx, client, ref, "dependencies/blocked_by")
	if isStatus(err, http.StatusForbidden) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var blockers []Ref
	for _, b := range list {
		if owner, name, ok := repositoryOf(&b.Issue); ok {
			blockers = append(blockers, Ref{Repository: Repository{Installation: ref.Installation, Owner: owner, Name: name}, Number: b.GetNumber()})
		}
	}
	return blockers, nil
}

// link makes or takes away a dependency. One that is there or gone already is a success.
func (s *Store) link(ctx context.Context, client *github.Client, ref Ref, l Link) error {
	path := fmt.Sprintf("repos/%s/%s/issues/%d/dependencies/blocked_by", ref.Owner, ref.Name, ref.Number)
	method, body := http.MethodPost, any(map[string]int64{"issue_id": l.ID})
	if !l.On {
		method, body, path = http.MethodDelete, nil, fmt.Sprintf("%s/%d", path, l.ID)
	}
	request, err := client.NewRequest(method, path, body)
	if err != nil {
		return err //nolint:wrapcheck // Apply names the attempt
	}
	_, err = client.Do(ctx, request, nil)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) || isTaken(err) {
		return nil
	}
	return err //nolint:wrapcheck // Apply names the attempt
}

// isTaken reports whether GitHub answered that what is to be made is there already.
func isTaken(err error) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && isStatus(err, http.StatusUnprocessableEntity) && strings.Contains(answer.Error(), "already been taken")
}
