package issues

import (
	"fmt"
	"net/http"
	"strings"
)

// Link is one of GitHub's own dependencies between issues, to be made or taken away:
// https://docs.github.com/rest/issues/issue-dependencies. Where a server has none of them, writing one does nothing.
type Link struct {
	// ID is GitHub's id of the issue that is depended on; not its number.
	ID int64
	// On says that the dependency is to be there.
	On bool
}

// action makes or takes away a dependency. One that is there or gone already is a success.
func (l Link) action(path string) action {
	if !l.On {
		return action{kindLink, fmt.Sprintf("make it independent of issue id %d", l.ID), http.MethodDelete, fmt.Sprintf("%s/%d", path, l.ID), nil, isLinked}
	}
	return action{kindLink, fmt.Sprintf("make it depend on issue id %d", l.ID), http.MethodPost, path, map[string]int64{"issue_id": l.ID}, isLinked}
}

func isLinked(err error) bool {
	return isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) || isTaken(err)
}

// isTaken reports whether GitHub refused to make what is there already, in one of its ways to say so.
func isTaken(err error) bool {
	return isStatus(err, http.StatusUnprocessableEntity) && (strings.Contains(err.Error(), "already been taken") || strings.Contains(err.Error(), "already_exists"))
}
