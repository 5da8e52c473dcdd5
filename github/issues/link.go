package issues

import (
	"context"
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

// link makes or takes away a dependency. One that is there or gone already is a success.
func link(ctx context.Context, client *github.Client, ref Ref, l Link) error {
	path := fmt.Sprintf("repos/%s/%s/issues/%d/dependencies/blocked_by", ref.Owner, ref.Name, ref.Number)
	method, body := http.MethodPost, any(map[string]int64{"issue_id": l.ID})
	if !l.On {
		method, body, path = http.MethodDelete, nil, fmt.Sprintf("%s/%d", path, l.ID)
	}
	_, err := ask(ctx, client, method, path, body, nil)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) || isTaken(err) {
		return nil
	}
	return err
}

// isTaken reports whether GitHub refused to make what is there already, in one of its ways to say so.
func isTaken(err error) bool {
	return isStatus(err, http.StatusUnprocessableEntity) && (strings.Contains(err.Error(), "already been taken") || strings.Contains(err.Error(), "already_exists"))
}
