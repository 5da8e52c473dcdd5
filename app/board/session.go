package board

import (
	"net/http"
	"time"
)

// longestSession is how long someone stays signed in; less if GitHub's token ends before.
const longestSession = 8 * time.Hour

// session is what the browser of someone who is signed in holds, sealed.
type session struct {
	Token string    `json:"token"`
	Until time.Time `json:"until"`
}

// attempt is what a browser holds between the sign-in page and GitHub's answer, sealed. It binds the answer to this browser
// (https://datatracker.ietf.org/doc/html/rfc9700#section-2.1).
type attempt struct {
	State    string    `json:"state"`
	Verifier string    `json:"verifier"`
	To       string    `json:"to"`
	Until    time.Time `json:"until"`
}

// longestAttempt is how long someone can take at GitHub.
const longestAttempt = 10 * time.Minute

// returning is what the browser of someone who signed in before holds, sealed. It opens nothing: see codes.
type returning struct {
	Login string    `json:"login"`
	Until time.Time `json:"until"`
}

// longestReturn is how long Colony knows a browser after a sign-in.
const longestReturn = 90 * 24 * time.Hour

// The cookies, without the prefix of their names where they are for https only.
const (
	sessionCookie   = "colony-session"
	attemptCookie   = "colony-sign-in"
	returningCookie = "colony-returning"
)

// nameOf is a cookie's name as the browser has it. With the prefix the browser takes it from this host alone, and over https:
// https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Set-Cookie#cookie_prefixes.
func (s *SignIn) nameOf(cookie string) string {
	if s.secure {
		return "__Host-" + cookie
	}
	return cookie
}

func (s *SignIn) give(w http.ResponseWriter, cookie string, value any, lasts time.Duration) error {
	sealed, err := s.seal.close(cookie, value)
	if err != nil {
		return err
	}
	s.set(w, cookie, sealed, int(lasts.Seconds()))
	return nil
}

func (s *SignIn) take(w http.ResponseWriter, cookie string) { s.set(w, cookie, "", -1) }

func (s *SignIn) set(w http.ResponseWriter, cookie, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{ //nolint:gosec // it is not Secure on this machine's own http addresses only
		Name: s.nameOf(cookie), Value: value, Path: "/", MaxAge: maxAge, Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

// read opens a cookie of the request, and reports whether it is there and was made by Colony.
func (s *SignIn) read(r *http.Request, cookie string, value any) bool {
	sealed, err := r.Cookie(s.nameOf(cookie))
	return err == nil && s.seal.open(cookie, sealed.Value, value)
}

// sessionOf returns the session of a request. ok is false if the request has no session, or it is over.
func (s *SignIn) sessionOf(r *http.Request) (is session, ok bool) {
	ok = s.read(r, sessionCookie, &is) && s.Clock.Now().Before(is.Until)
	return is, ok
}

// loginBefore returns the account that signed in before with the browser of a request; empty if none did.
func (s *SignIn) loginBefore(r *http.Request) string {
	var is returning
	if !s.read(r, returningCookie, &is) || !s.Clock.Now().Before(is.Until) {
		return ""
	}
	return is.Login
}
