package issues

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/colony-app/colony/commands"
)

// What a private repository is doing is nobody's business who cannot read it. So a text makes an issue depend on one of another
// repository only if whoever wrote the text may read that, and what Colony says about other repositories names public ones only: a
// comment is read by everybody who can read the issue it stands on.

// Elsewhere is how an issue is named that not everybody can read who reads its name.
const Elsewhere = "an issue that not everybody here can read"

// text is something that makes an issue depend on others, and who wrote it.
type text struct {
	body string
	// writer is a login; empty if nobody knows who it was.
	writer string
}

// visibility is what Colony knows of who can read a repository.
type visibility struct{ there, public bool }

// visibility asks who can read a repository.
func (s *Store) visibility(ctx context.Context, repo Repository) (visibility, error) {
	client, err := s.client(repo)
	if err != nil {
		return visibility{}, err
	}
	is, _, err := client.Repositories.Get(ctx, repo.Owner, repo.Name)
	switch {
	case IsGone(unreadable(err)):
		return visibility{}, nil
	case err != nil:
		return visibility{}, fmt.Errorf("read repository %s: %w", repo, err)
	}
	return visibility{there: true, public: !is.GetPrivate()}, nil
}

// mayRead reports whether somebody may read a repository that is there. Of bots GitHub does not tell it.
func (s *Store) mayRead(ctx context.Context, repo Repository, is visibility, login string) (bool, error) {
	switch {
	case !is.there:
		return false, nil
	case is.public:
		return true, nil
	case login == "" || strings.HasSuffix(login, "[bot]"):
		return false, nil
	}
	permission, err := s.Permission(ctx, repo, login)
	if isStatus(err, http.StatusForbidden) {
		return false, nil
	}
	return permission.Includes(PermissionRead), err
}

// Readable reports whether somebody can read a repository: a public one, or one that the person has a permission in.
func (s *Store) Readable(ctx context.Context, repo Repository, login string) (bool, error) {
	is, err := s.visibility(ctx, repo)
	if err != nil {
		return false, err
	}
	return s.mayRead(ctx, repo, is, login)
}

// Counts reports whether a text by somebody, on an issue of a repository, makes it depend on an issue.
func (s *Store) Counts(ctx context.Context, on Repository, writer string, to commands.Reference) (bool, error) {
	r := &factReader{store: s, view: View{Ref: Ref{Repository: on}}}
	return r.counts(ctx, on, writer, to)
}

func (r *factReader) counts(ctx context.Context, on Repository, writer string, to commands.Reference) (bool, error) {
	repo := r.repository(to)
	if repo.same(on) {
		return true, nil
	}
	is, err := r.visibility(ctx, repo)
	if err != nil {
		return false, err
	}
	return r.store.mayRead(ctx, repo, is, writer)
}

// shown is how everybody who can read the issue at hand may hear of another one.
func (r *factReader) shown(ctx context.Context, to commands.Reference) (string, error) {
	repo := r.repository(to)
	if repo.same(r.view.Ref.Repository) {
		return commands.Reference{Number: to.Number}.String(), nil
	}
	is, err := r.visibility(ctx, repo)
	if err != nil {
		return "", err
	}
	if !is.public {
		return Elsewhere, nil
	}
	return to.String(), nil
}

func (r *factReader) repository(of commands.Reference) Repository {
	return Repository{Installation: r.view.Ref.Installation, Owner: of.Owner, Name: of.Name}
}

// visibility asks once.
func (r *factReader) visibility(ctx context.Context, repo Repository) (visibility, error) {
	key := strings.ToLower(repo.String())
	if is, known := r.visible[key]; known {
		return is, nil
	}
	is, err := r.store.visibility(ctx, repo)
	if err != nil {
		return is, err
	}
	if r.visible == nil {
		r.visible = map[string]visibility{}
	}
	r.visible[key] = is
	return is, nil
}
