package page

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/colony-app/colony/playground"
)

// authorizeView is the page on which a person lets an App act for them, as on GitHub:
// https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app.
type authorizeView struct {
	frame
	App      string
	Cancel   string
	Request  playground.AuthorizationRequest
	Accounts []string
	Wanted   string // the account that is proposed
}

// signingIn is where Apps send browsers to.
const signingIn = "/login/oauth/authorize"

func showAuthorize(v *visit) error {
	request := playground.ReadAuthorizationRequest(v.r.URL.Query())
	name, cancelled, refused, err := v.playground.Authorizing(request)
	switch {
	case errors.Is(err, playground.ErrNoClient):
		return errNoPage
	case err != nil:
		return err
	case refused != "":
		return v.to(refused)
	}
	content := authorizeView{frame: v.frame("Sign in to "+name, nil), App: name, Cancel: cancelled, Request: request, Wanted: v.acting}
	for _, u := range v.playground.Users() {
		if u.Type == "User" {
			content.Accounts = append(content.Accounts, u.Login)
		}
		if request.Login != "" && u.Login == request.Login {
			content.Wanted = u.Login
		}
	}
	if back, err := url.Parse(cancelled); err == nil {
		v.w.Header().Set("Content-Security-Policy", policyOf("'self' "+back.Scheme+"://"+back.Host))
	}
	return v.show("authorize", content)
}

// authorize sends the browser back to the App, with a code.
func authorize(v *visit) error {
	if err := v.r.ParseForm(); err != nil {
		return fmt.Errorf("read the form: %w", err)
	}
	address, err := v.playground.Authorize(playground.ReadAuthorizationRequest(v.r.PostForm), v.r.PostForm.Get("account"))
	if err != nil {
		return err
	}
	http.Redirect(v.w, v.r, address, http.StatusFound) //nolint:gosec // to one of the callback URLs that the App was registered with
	return nil
}
