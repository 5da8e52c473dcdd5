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

// isTaken reports whether GitHub answered that what is to be made is there already.
func isTaken(err error) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && isStatus(err, http.StatusUnprocessableEntity) && strings.Contains(answer.Error(), "already been taken")
}
