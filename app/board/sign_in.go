package board

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"
	"golang.org/x/oauth2"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/github/client"
)

// SignInOptions are what signing in with GitHub needs.
type SignInOptions struct {
	// URL is where browsers reach Colony, without a path.
	URL string
	// GitHub is the address of its pages, and API that of its REST API.
	GitHub, API string
	// ClientID and ClientSecret are the App's own, of its settings on GitHub.
	ClientID, ClientSecret string
	// Access says whose token it is, and what they can read.
	Access *access.Reader
	// HTTP makes the calls that exchange a code for a token, and end one.
	HTTP  *http.Client
	Clock clockwork.Clock
	Log   zerolog.Logger
}

// SignIn lets those look at the board who sign in with GitHub. They see what GitHub lets them read with a token that the App has for them:
// https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-user-access-token-for-a-github-app.
// The token is in a cookie that only Colony can open; no process stores it.
type SignIn struct {
	SignInOptions
	seal      seal
	secure    bool
	oauth     oauth2.Config
	codes     codes
	elsewhere *http.CrossOriginProtection
}

// The pages of signing in.
const (
	signInPath   = Root + "/-/sign-in"
	signOutPath  = Root + "/-/sign-out"
	callbackPath = Root + "/-/callback"
)

// CallbackURL is where GitHub sends browsers of people who signed in, for a Colony that browsers reach at an address.
func CallbackURL(address string) string { return strings.TrimSuffix(address, "/") + callbackPath }

// NewSignIn returns a gate for those who sign in with GitHub.
func NewSignIn(o SignInOptions) (*SignIn, error) {
	o.URL, o.GitHub = strings.TrimSuffix(o.URL, "/"), strings.TrimSuffix(o.GitHub, "/")
	sealed, err := newSeal(o.ClientSecret)
	if err != nil {
		return nil, err
	}
	return &SignIn{
		SignInOptions: o, seal: sealed, secure: strings.HasPrefix(o.URL, "https://"), elsewhere: http.NewCrossOriginProtection(),
		oauth: oauth2.Config{
			ClientID: o.ClientID, ClientSecret: o.ClientSecret, RedirectURL: CallbackURL(o.URL),
			Endpoint: oauth2.Endpoint{AuthURL: o.GitHub + "/login/oauth/authorize", TokenURL: o.GitHub + "/login/oauth/access_token", AuthStyle: oauth2.AuthStyleInParams},
		},
		codes: newCodes(),
	}, nil
}

// signInRoutes are the pages of signing in and out, by pattern.
var signInRoutes = map[string]func(*SignIn) http.Handler{
	"GET " + signInPath:   func(s *SignIn) http.Handler { return http.HandlerFunc(s.begin) },
	"GET " + callbackPath: func(s *SignIn) http.Handler { return http.HandlerFunc(s.finish) },
	"POST " + signOutPath: func(s *SignIn) http.Handler { return s.elsewhere.Handler(http.HandlerFunc(s.signOut)) },
}

// Viewer implements Gate: anyone who is not signed in is asked to sign in.
func (s *SignIn) Viewer(w http.ResponseWriter, r *http.Request) (Viewer, bool) {
	is, ok := s.sessionOf(r)
	if !ok {
		s.ask(w, r, "")
		return Viewer{}, false
	}
	found, err := s.Access.Issued(r.Context(), is.Token)
	switch {
	case err == nil && !found.ReadsEverything():
		return Viewer{found, s.Access}, true
	case err == nil, errors.Is(err, access.ErrRefused):
		s.take(w, sessionCookie)
		s.ask(w, r, "GitHub does not accept your session any more.")
	case r.Context().Err() == nil:
		s.Log.Warn().Err(err).Msg("the board could not find out who is signed in")
		s.say(w, http.StatusBadGateway, "GitHub cannot be asked", "Colony could not ask GitHub who you are. Load the page again in a minute.", Root)
	}
	return Viewer{}, false
}

// ask shows the page on which people sign in, and says why they see it if there is something to say. It tells nothing of what they asked for.
func (s *SignIn) ask(w http.ResponseWriter, r *http.Request, why string) {
	show(w, s.Log, http.StatusUnauthorized, "sign-in", struct {
		frame
		Why, Link string
	}{s.frame("Sign in"), why, s.URL + signInPath + "?" + url.Values{"to": {ownPath(r.URL.RequestURI())}}.Encode()})
}

func (s *SignIn) frame(title string) frame {
	return frame{Title: title, GitHub: s.GitHub, Now: momentOf(s.Clock.Now().UTC(), s.Clock.Now()), Bare: true}
}

func (s *SignIn) say(w http.ResponseWriter, status int, title, words, way string) {
	show(w, s.Log, status, "said", struct {
		frame
		Words, Way string
	}{s.frame(title), words, way})
}

// ownPath returns a path of the board's pages as it was asked for, and the first page for anything else: no one is sent elsewhere.
func ownPath(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || path.Clean(u.Path) != u.Path || strings.Contains(to, `\`) {
		return Root
	}
	if u.Path != Root && !strings.HasPrefix(u.Path, Root+"/") || strings.HasPrefix(u.Path, Root+"/-/") {
		return Root
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery}).String()
}

func (s *SignIn) begin(w http.ResponseWriter, r *http.Request) {
	a := attempt{State: rand.Text(), Verifier: oauth2.GenerateVerifier(), To: ownPath(r.URL.Query().Get("to")), Until: s.Clock.Now().Add(longestAttempt)}
	if err := s.give(w, attemptCookie, a, longestAttempt); err != nil {
		s.failed(w, err)
		return
	}
	http.Redirect(w, r, s.oauth.AuthCodeURL(a.State, oauth2.S256ChallengeOption(a.Verifier)), http.StatusSeeOther)
}

// finish takes GitHub's answer. A code counts only in the browser that asked for it.
func (s *SignIn) finish(w http.ResponseWriter, r *http.Request) {
	var a attempt
	query := r.URL.Query()
	ours := s.read(r, attemptCookie, &a) && s.Clock.Now().Before(a.Until) && subtle.ConstantTimeCompare([]byte(a.State), []byte(query.Get("state"))) == 1
	if !ours {
		s.say(w, http.StatusBadRequest, "Sign in again", "Signing in took more than ten minutes, or it began in another browser.", Root)
		return
	}
	s.take(w, attemptCookie)
	again := a.To
	if query.Get("error") != "" {
		s.Log.Info().Str("error", short(query.Get("error"))).Msg("GitHub did not sign somebody in")
		s.say(w, http.StatusForbidden, "Not signed in", "GitHub did not let Colony know who you are, so Colony cannot tell what you may see.", again)
		return
	}
	right, wait := s.codes.begin(r.Context(), s.loginBefore(r), s.Clock.Now())
	if wait > 0 {
		w.Header().Set("Retry-After", "10")
		s.say(w, http.StatusTooManyRequests, "Sign in again", "Too many wrong codes came from your address. Sign in again in ten seconds.", again)
		return
	}
	token, err := s.oauth.Exchange(context.WithValue(r.Context(), oauth2.HTTPClient, s.HTTP), query.Get("code"), oauth2.VerifierOption(a.Verifier))
	if err != nil {
		s.notExchanged(w, err, again)
		return
	}
	right()
	found, err := s.Access.Issued(r.Context(), token.AccessToken)
	if err == nil && (found.Login == "" || found.ReadsEverything()) {
		err = access.ErrRefused
	}
	if err != nil {
		s.failed(w, fmt.Errorf("ask whose token GitHub gave: %w", err))
		return
	}
	is := session{Token: token.AccessToken, Until: s.Clock.Now().Add(longestSession)}
	if !token.Expiry.IsZero() && token.Expiry.Before(is.Until) {
		is.Until = token.Expiry
	}
	err = errors.Join(
		s.give(w, sessionCookie, is, is.Until.Sub(s.Clock.Now())),
		s.give(w, returningCookie, returning{Login: found.Login, Until: s.Clock.Now().Add(longestReturn)}, longestReturn),
	)
	if err != nil {
		s.failed(w, err)
		return
	}
	s.Log.Info().Str("login", found.Login).Msg("signed in to the board")
	http.Redirect(w, r, again, http.StatusSeeOther)
}

// notExchanged says why GitHub gave no token for a code. GitHub's own words are for the log, and only the words that name the mistake.
func (s *SignIn) notExchanged(w http.ResponseWriter, err error, again string) {
	refused := (*oauth2.RetrieveError)(nil)
	if !errors.As(err, &refused) {
		failed := (*url.Error)(nil)
		if errors.As(err, &failed) {
			err = failed.Err
		}
		s.failed(w, err)
		return
	}
	line := s.Log.Warn().Str("error", short(refused.ErrorCode))
	if refused.Response != nil {
		line = line.Int("status", refused.Response.StatusCode)
	}
	switch refused.ErrorCode {
	case "bad_verification_code": // it was used, or is older than ten minutes
		line.Msg("somebody came with a code that GitHub does not take")
		s.say(w, http.StatusBadRequest, "Sign in again", "GitHub's answer was used before, or is too old.", again)
	case "incorrect_client_credentials", "redirect_uri_mismatch":
		line.Msg("GitHub refuses to sign people in -> compare github.oauth and board.url with the App's settings on GitHub: Client ID, Client secrets, Callback URL")
		s.say(w, http.StatusBadGateway, "Not signed in", "GitHub refuses this Colony. Its operators find the reason in the log.", again)
	default:
		line.Msg("GitHub gave no token")
		s.say(w, http.StatusBadGateway, "Not signed in", "GitHub could not sign you in. Try it again in a minute.", again)
	}
}

func (s *SignIn) failed(w http.ResponseWriter, err error) {
	s.Log.Warn().Err(err).Msg("somebody could not be signed in to the board")
	s.say(w, http.StatusBadGateway, "Not signed in", "Colony could not ask GitHub who you are. Try it again in a minute.", Root)
}

// short bounds what others wrote.
func short(text string) string { return text[:min(len(text), 60)] }

// signOut ends the session: in the browser, and at GitHub, where its token ends, so that a copy of the cookie opens nothing.
func (s *SignIn) signOut(w http.ResponseWriter, r *http.Request) {
	if is, ok := s.sessionOf(r); ok {
		if err := client.EndToken(r.Context(), s.HTTP, s.API, s.ClientID, s.ClientSecret, is.Token); err != nil {
			s.Log.Warn().Err(err).Msg("GitHub could not be asked to end a session's token")
		} else {
			s.Access.Forget(is.Token)
		}
	}
	s.take(w, sessionCookie)
	s.take(w, returningCookie)
	http.Redirect(w, r, Root, http.StatusSeeOther)
}
