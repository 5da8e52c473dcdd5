package board

import (
	"context"
	"net/http"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/github/issues"
)

// Gate says who looks at the pages.
type Gate interface {
	// Viewer returns who sends a request. Where it knows no one, it answers the request and returns false.
	Viewer(w http.ResponseWriter, r *http.Request) (Viewer, bool)
}

// Viewer is someone who looks at the pages: they see nothing of a repository that they cannot read. The zero value sees everything.
type Viewer struct {
	access.Viewer
	reader *access.Reader // asks GitHub for them; nil where no one signs in
}

// Open lets everybody see everything. It is for a Colony that only this machine can reach, of a GitHub on the same.
type Open struct{}

// Viewer implements Gate.
func (Open) Viewer(http.ResponseWriter, *http.Request) (Viewer, bool) { return Viewer{}, true }

// among returns the repositories, out of some, that the viewer can read, in their order. Errors are those of access.Reader.
func (v Viewer) among(ctx context.Context, repositories []issues.Repository) ([]issues.Repository, error) {
	if v.reader == nil {
		return repositories, nil
	}
	return v.reader.Among(ctx, v.Viewer, repositories)
}

// mayRead returns a missingError if the viewer cannot read an issue; number 0: the list of a repository's issues.
func (v Viewer) mayRead(ctx context.Context, owner, name string, number int) error {
	may, err := true, error(nil)
	if v.reader != nil {
		may, err = v.reader.MayRead(ctx, v.Viewer, owner, name, number)
	}
	if err == nil && !may {
		return missingError{}
	}
	return err
}
