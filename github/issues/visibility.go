package issues

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// What a private repository is doing does not concern people who cannot read it. So a text makes an issue depend on one of another repository only if
// the writer of the text is allowed to read that. What Colony says about other repositories names public ones only: a comment is read by everybody
// who can read the issue that it is on.

// Elsewhere is how an issue is named that not everybody can read who reads its name.
const Elsewhere = "an issue that not everybody here can read"

// text is the opening text of an issue, which makes it depend on others.
type text struct {
	Comment
	of Ref
}

// writer returns the login of who wrote a text as it is now: the person who edited it last. It is empty if that is unknown.
func (s comments) writer(ctx context.Context, t *text) (string, error) {
	edits, err := s.Edits(ctx, t.of, []Comment{t.Comment})
	if err != nil {
		return "", err
	}
	if edits[0].State == Unedited {
		return t.By.Login, nil
	}
	return edits[0].By.Login, nil
}

// visibility is what Colony knows of who can read a repository.
type visibility struct{ there, public bool }

func (p people) visibility(ctx context.Context, repo Repository) (visibility, error) {
	is, _, err := p.client(repo).Repositories.Get(ctx, repo.Owner, repo.Name)
	switch {
	case IsGone(asHidden(asNotFound(err))):
		return visibility{}, nil
	case err != nil:
		return visibility{}, fmt.Errorf("read repository %s: %w", repo, err)
	}
	return visibility{there: true, public: !is.GetPrivate()}, nil
}

// mayRead reports whether an account is allowed to read a repository that is there. Of bots GitHub does not tell it.
func (p people) mayRead(ctx context.Context, repo Repository, is visibility, login string) (bool, error) {
	switch {
	case !is.there:
		return false, nil
	case is.public:
		return true, nil
	case login == "" || lifecycle.IsAppLogin(login):
		return false, nil
	}
	permission, err := p.Permission(ctx, repo, login)
	if isStatus(err, http.StatusForbidden) {
		return false, nil
	}
	return permission.Includes(PermissionRead), err
}

// Readable reports whether an account can read a repository: a public one, or one that the person has a permission in.
func (p people) Readable(ctx context.Context, repo Repository, login string) (bool, error) {
	is, err := p.visibility(ctx, repo)
	if err != nil {
		return false, err
	}
	return p.mayRead(ctx, repo, is, login)
}

// onlookers are those who can read an issue, as far as what it says about other repositories is their business.
type onlookers struct {
	of     Ref
	people people
	said   comments
	known  map[string]visibility // of other repositories
}

// counts reports whether a text makes its issue depend on another one. Without a text, a command named what is meant, and its
// writer could read it where it was.
func (o *onlookers) counts(ctx context.Context, t *text, to commands.Reference) (bool, error) {
	repo := o.repository(to)
	if t != nil && repo.Same(t.of.Repository) {
		return true, nil
	}
	is, err := o.visibility(ctx, repo)
	if err != nil || is.public {
		return is.there, err
	}
	if t == nil || !is.there {
		return false, nil
	}
	writer, err := o.said.writer(ctx, t)
	if err != nil {
		return false, err
	}
	return o.people.mayRead(ctx, repo, is, writer)
}

// shown is how everybody who can read the issue at hand is allowed to learn of another one.
func (o *onlookers) shown(ctx context.Context, to commands.Reference) (string, error) {
	repo := o.repository(to)
	if repo.Same(o.of.Repository) {
		return commands.Reference{Number: to.Number}.String(), nil
	}
	is, err := o.visibility(ctx, repo)
	if err != nil {
		return "", err
	}
	if !is.public {
		return Elsewhere, nil
	}
	return to.String(), nil
}

func (o *onlookers) repository(of commands.Reference) Repository {
	return Repository{Installation: o.of.Installation, Owner: of.Owner, Name: of.Name}
}

// visibility asks once.
func (o *onlookers) visibility(ctx context.Context, repo Repository) (visibility, error) {
	key := strings.ToLower(repo.String())
	if is, known := o.known[key]; known {
		return is, nil
	}
	is, err := o.people.visibility(ctx, repo)
	if err != nil {
		return is, err
	}
	o.known[key] = is
	return is, nil
}
