package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/colony-app/colony/lifecycle"
)

// Account says in which capacity an account would change labels in a repository, and how GitHub writes the login. The result ok is false if GitHub
// knows no one of that name. What a person is allowed to do is not asked for: see Permission.
func (p people) Account(ctx context.Context, repo Repository, login string) (who lifecycle.Actor, ok bool, err error) {
	var found user
	_, err = ask(ctx, p.client(repo), http.MethodGet, fmt.Sprintf("users/%s", url.PathEscape(login)), nil, &found)
	if isStatus(err, http.StatusNotFound) {
		return lifecycle.Actor{}, false, nil
	}
	if err != nil {
		return lifecycle.Actor{}, false, fmt.Errorf("find the account %s: %w", login, err)
	}
	return p.actors.actorOf(found), true, nil
}
