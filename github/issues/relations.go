package issues

import (
	"context"
	"fmt"
	"net/http"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
)

// relations reads a list of issues that one is related to: the last part of the path says how. A server that has no such relations says that there is
// nothing (404, 410, or 501 from a server that replaces GitHub): then the list is empty.
func relations(ctx context.Context, client *github.Client, ref Ref, how string) ([]related, error) {
	var all []related
	err := each(ctx, client, fmt.Sprintf("repos/%s/%s/issues/%d/%s", ref.Owner, ref.Name, ref.Number, how), func(r *related) { all = append(all, *r) })
	if err != nil && !isAbsent(err) {
		return nil, fmt.Errorf("list %s of %s: %w", how, ref, err)
	}
	return all, nil
}

// isAbsent reports whether GitHub answered that there is no such thing, or that the server has none of its kind.
func isAbsent(err error) bool {
	return isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) || isStatus(err, http.StatusNotImplemented)
}

// relatives reads which issues depend on which others.
type relatives struct {
	connection
	people people
	said   comments
}

func (s relatives) onlookers(of Ref) *onlookers {
	return &onlookers{of: of, people: s.people, said: s.said, known: map[string]visibility{}}
}

// BlockedBy lists the issues that one depends on by GitHub's own dependencies. There are none where the server does not have
// them, or does not show them to Colony.
func (s relatives) BlockedBy(ctx context.Context, ref Ref) ([]Ref, error) {
	list, err := relations(ctx, s.client(ref.Repository), ref, "dependencies/blocked_by")
	if isStatus(err, http.StatusForbidden) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var blockers []Ref
	for _, b := range list {
		if owner, name, ok := repositoryOf(&b); ok {
			blockers = append(blockers, Ref{Repository: Repository{Installation: ref.Installation, Owner: owner, Name: name}, Number: b.Number})
		}
	}
	return blockers, nil
}

// parent reads the issue that one is a sub-issue of; nil without a parent.
func parent(ctx context.Context, client *github.Client, ref Ref) (*related, error) {
	is := &related{}
	_, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("repos/%s/%s/issues/%d/parent", ref.Owner, ref.Name, ref.Number), nil, is)
	switch {
	case isAbsent(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read the parent of %s: %w", ref, err)
	}
	return is, nil
}

// Counted lists what an issue depends on by its opening text.
func (s relatives) Counted(ctx context.Context, of Ref, opening Comment) ([]commands.Reference, error) {
	o := s.onlookers(of)
	t := &text{Comment: opening, of: of}
	var counted []commands.Reference
	for _, to := range commands.DependsOn(opening.Body) {
		to = to.In(of.Owner, of.Name)
		counts, err := o.counts(ctx, t, to)
		if err != nil {
			return nil, err
		}
		if counts {
			counted = append(counted, to)
		}
	}
	return counted, nil
}
