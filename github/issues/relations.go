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

type relatives struct {
	connection
	people people
	said   comments
}

func (s relatives) onlookers(of Ref) *onlookers {
	return &onlookers{of: of, people: s.people, said: s.said, known: map[string]visibility{}}
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

// DependsOn lists what an issue depends on, as a reading of its dependencies finds it, each with its repository. Links are what commands made of its
// dependencies. GitHub's own list is left out where GitHub does not show it to Colony.
func (s relatives) DependsOn(ctx context.Context, v View, links commands.Links) ([]commands.Reference, error) {
	r := &dependencies{onlookers: s.onlookers(v.Ref), client: s.client(v.Ref.Repository), view: v, links: links}
	all, err := r.named(ctx)
	if isStatus(err, http.StatusForbidden) {
		r.view.BlockedBy = new(0)
		all, err = r.named(ctx)
	}
	depends := make([]commands.Reference, len(all))
	for i, d := range all {
		depends[i] = d.to
	}
	return depends, err
}
