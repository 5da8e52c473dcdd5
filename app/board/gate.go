package board

import (
	"context"
	"net/http"

	"github.com/colony-app/colony/github/issues"
)

// Gate says who looks at the pages.
type Gate interface {
	// Viewer returns who sends a request. Where nobody is known, it answers the request and returns false.
	Viewer(w http.ResponseWriter, r *http.Request) (Viewer, bool)
}

// Viewer is somebody who looks at the pages: they see nothing of a repository that they may not read.
type Viewer interface {
	// Among returns those of some repositories that the viewer may read, in their order.
	Among(ctx context.Context, repositories []issues.Repository) ([]issues.Repository, error)
	// MayRead reports whether the viewer may read a repository.
	MayRead(ctx context.Context, owner, name string) (bool, error)
}

// Open lets everybody see everything. It is for a Colony that only this machine can reach, of a GitHub on the same.
type Open struct{}

// Viewer implements Gate.
func (Open) Viewer(http.ResponseWriter, *http.Request) (Viewer, bool) { return everybody{}, true }

type everybody struct{}

// Among implements Viewer.
func (everybody) Among(_ context.Context, repositories []issues.Repository) ([]issues.Repository, error) {
	return repositories, nil
}

// MayRead implements Viewer.
func (everybody) MayRead(context.Context, string, string) (bool, error) { return true, nil }
