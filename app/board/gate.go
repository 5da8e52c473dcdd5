package board

import (
	"context"
	"errors"
	"net/http"

	"github.com/colony-app/colony/github/issues"
)

// Gate says who looks at the pages.
type Gate interface {
	// Viewer returns who sends a request. Where it knows no one, it answers the request and returns false.
	Viewer(w http.ResponseWriter, r *http.Request) (Viewer, bool)
}

// ErrSignedOut says that a viewer's session is over.
var ErrSignedOut = errors.New("the session is over")

// Viewer is someone who looks at the pages: they see nothing of a repository that they cannot read.
type Viewer interface {
	// Name is who it is; empty where no one signs in.
	Name() string
	// Among returns the repositories, out of some, that the viewer can read, in their order.
	Among(ctx context.Context, repositories []issues.Repository) ([]issues.Repository, error)
	// MayRead reports whether the viewer can read a repository. Its error, and that of Among, is ErrSignedOut if the viewer has to sign in
	// again.
	MayRead(ctx context.Context, owner, name string) (bool, error)
	// MayReadIssue reports whether the viewer can read one issue. Errors are those of MayRead.
	MayReadIssue(ctx context.Context, owner, name string, number int) (bool, error)
}

// Open lets everybody see everything. It is for a Colony that only this machine can reach, of a GitHub on the same.
type Open struct{}

// Viewer implements Gate.
func (Open) Viewer(http.ResponseWriter, *http.Request) (Viewer, bool) { return everybody{}, true }

type everybody struct{}

// Name implements Viewer.
func (everybody) Name() string { return "" }

// Among implements Viewer.
func (everybody) Among(_ context.Context, repositories []issues.Repository) ([]issues.Repository, error) {
	return repositories, nil
}

// MayRead implements Viewer.
func (everybody) MayRead(context.Context, string, string) (bool, error) { return true, nil }

// MayReadIssue implements Viewer.
func (everybody) MayReadIssue(context.Context, string, string, int) (bool, error) { return true, nil }
