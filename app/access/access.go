// Package access says who can read what Colony shows: a caller whose token GitHub lets read the issue, and admins with the admin token.
// Colony's own right to read a repository is not the caller's.
package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// Kept is how long GitHub's answers hold: someone who was just shut out can read on for so long. What could not be asked is not kept.
const Kept = time.Minute

// The bounds of what is kept: so many tokens, and so many answers about repositories.
const (
	tokensKept  = 2_000
	answersKept = 50_000
)

// GitHub refuses for some time after too many wrong tokens
// (https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#failed-login-limit). So Colony bounds the wrong tokens of each
// address. A token that GitHub accepted before is outside of this bound.
const (
	wrongAtOnce = 10
	wrongEvery  = 6 * time.Second
)

// While GitHub cannot be asked, Colony takes a known token for Prolonged after GitHub accepted it, and asks again after each retry. That is
// about who the viewer is. What the viewer can read is never prolonged.
const (
	Prolonged = 15 * time.Minute
	retry     = 10 * time.Second
)

// ErrRefused says that a token opens nothing: it is missing, or GitHub does not accept it.
var ErrRefused = errors.New("GitHub does not accept this token")

// Viewer is someone who came with a credential.
type Viewer struct {
	// Login is whose token it is; empty for an App's installation, which has none, and for an admin.
	Login string

	everything bool
	key        key
	token      string
}

// key tells tokens apart without being one.
type key [sha256.Size]byte

// ReadsEverything reports whether the viewer came with the admin token.
func (v Viewer) ReadsEverything() bool { return v.everything }

// Key tells viewers apart. It does not tell the token.
func (v Viewer) Key() string { return string(v.key[:]) }

// String names the viewer, without the token.
func (v Viewer) String() string {
	switch {
	case v.everything:
		return "an operator"
	case v.Login == "":
		return "an App's installation"
	}
	return v.Login
}

// GoString implements fmt.GoStringer.
func (v Viewer) GoString() string { return v.String() }

// Options are what a Reader needs.
type Options struct {
	// Admin is the token that opens everything; empty: there is no such token.
	Admin string
	// Client returns what acts with a token, and follows no redirect.
	Client func(token string) client.Viewer
	Clock  clockwork.Clock
}

// Reader asks GitHub who can read what. It is safe for concurrent use.
type Reader struct {
	Options
	admin   key
	viewers *lru.Cache[key, known]
	refused *lru.Cache[key, time.Time] // apart from viewers, because wrong tokens must not push out right ones
	answers *lru.Cache[question, answer]
	wrong   *Attempts
}

// known is what GitHub said of a token that it accepts.
type known struct {
	login        string
	asked, until time.Time
}

// question is whether a token can read an issue of a repository, in lower case; number 0: the repository's list of issues.
type question struct {
	token      key
	repository string
	number     int
}

type answer struct {
	may   bool
	until time.Time
	tag   string // of GitHub's answer, for a conditional call; empty: it had none
}

// New returns a reader that knows no one yet.
func New(o Options) *Reader {
	return &Reader{
		Options: o, admin: sha256.Sum256([]byte(o.Admin)), viewers: bounded.New[key, known](tokensKept), refused: bounded.New[key, time.Time](tokensKept),
		answers: bounded.New[question, answer](answersKept), wrong: NewAttempts(wrongAtOnce, wrongEvery),
	}
}

// tokenForm is what GitHub's tokens look like
// (https://docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats), those
// of forty digits included that Enterprise Servers still know. Anything else, or anything longer, is not sent to GitHub.
var tokenForm = regexp.MustCompile(`^(gh[a-z]_[A-Za-z0-9_.-]{20,}|github_pat_[A-Za-z0-9_]{20,}|[0-9a-f]{40})$`)

const longestToken = 1000 // outside of the pattern: a thousand repetitions would cost every start of the program milliseconds

// ViewerOf says whose token it is. The error is ErrRefused if it opens nothing; any other says that Colony could not find out.
func (r *Reader) ViewerOf(ctx context.Context, token string) (Viewer, error) {
	return r.viewerOf(ctx, token, r.wrong.Begin)
}

// Issued is ViewerOf for a token that GitHub issued to Colony: it counts as no mistake of the caller's address.
func (r *Reader) Issued(ctx context.Context, token string) (Viewer, error) {
	return r.viewerOf(ctx, token, unbounded)
}

func unbounded(context.Context, time.Time) (right func(), wait time.Duration) { return func() {}, 0 }

func (r *Reader) viewerOf(ctx context.Context, token string, begin func(context.Context, time.Time) (func(), time.Duration)) (Viewer, error) {
	v := Viewer{key: sha256.Sum256([]byte(token)), token: token} // of one length, so that the comparison does not tell the admin token's
	if r.Admin != "" && subtle.ConstantTimeCompare(v.key[:], r.admin[:]) == 1 {
		v.everything = true
		return v, nil
	}
	if len(token) > longestToken || !tokenForm.MatchString(token) {
		return Viewer{}, ErrRefused
	}
	now := r.Clock.Now()
	if until, ok := r.refused.Get(v.key); ok && now.Before(until) {
		return Viewer{}, ErrRefused
	}
	found, ok := r.viewers.Get(v.key)
	if !ok || !now.Before(found.until) {
		if ok {
			begin = unbounded
		}
		var err error
		if found, err = r.renew(ctx, v, found, now, begin); err != nil {
			return Viewer{}, err
		}
		r.viewers.Add(v.key, found)
	}
	v.Login = found.login
	return v, nil
}

// renew asks GitHub whose token it is. Before is what GitHub said earlier; zero if the token is unknown.
func (r *Reader) renew(ctx context.Context, v Viewer, before known, now time.Time, begin func(context.Context, time.Time) (func(), time.Duration)) (known, error) {
	right, wait := begin(ctx, now)
	if wait > 0 {
		return known{}, fmt.Errorf("ask GitHub whose token it is: too many wrong tokens came from this address: %w", &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: wait})
	}
	login, err := r.askWho(ctx, v.token)
	switch {
	case err == nil:
		right()
		return known{login, now, now.Add(Kept)}, nil
	case errors.Is(err, ErrRefused):
		r.viewers.Remove(v.key)
		r.refused.Add(v.key, now.Add(Kept))
		return known{}, err
	}
	right()
	if end := before.asked.Add(Prolonged); now.Before(end) && ctx.Err() == nil {
		before.until = now.Add(retry)
		return before, nil
	}
	return known{}, err
}

func (r *Reader) askWho(ctx context.Context, token string) (login string, err error) {
	login, err = r.Client(token).Login(ctx)
	switch status, says := statusOf(err); {
	case err == nil:
		return login, nil
	case status == http.StatusUnauthorized, status == http.StatusForbidden && strings.Contains(says, "suspended"): // the account, or the installation
		return "", ErrRefused
	case status == http.StatusForbidden && strings.Contains(says, "not accessible by integration"): // an App's installation has no login
		return "", nil
	}
	return "", fmt.Errorf("ask GitHub whose token it is: %w", err)
}

// nameForm and ownerForm are what GitHub lets names of repositories and accounts be. Anything else is no repository.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)
)

const longestName = 100 // of either

// IsName reports whether a repository can have such a name.
func IsName(owner, name string) bool {
	if max(len(owner), len(name)) > longestName {
		return false
	}
	return ownerForm.MatchString(owner) && nameForm.MatchString(name) && name != "." && name != ".."
}

// MayRead reports whether a viewer can read one issue, as GitHub answers to the viewer's own token; number 0: the issues of a repository. It does
// not tell a repository that the viewer cannot read from one that does not exist. The error is ErrRefused if GitHub does not accept the viewer's
// token; any other says that Colony could not find out.
func (r *Reader) MayRead(ctx context.Context, v Viewer, owner, name string, number int) (bool, error) {
	if number < 0 || !IsName(owner, name) {
		return false, nil
	}
	if v.everything {
		return true, nil
	}
	q := questionOf(v, owner, name, number)
	now := r.Clock.Now()
	if may, ok := r.kept(q, now); ok && !isFresh(ctx) {
		return may, nil
	}
	a, err := r.askMay(ctx, v, owner, name, number)
	if err != nil {
		return false, err
	}
	a.until = now.Add(Kept)
	r.answers.Add(q, a)
	return a.may, nil
}

// freshKey is where a context says that kept answers do not count.
type freshKey struct{}

// Fresh returns a context in which a Reader asks GitHub what a viewer can read, and uses no kept answer. A stream needs it: it lasts for Kept.
func Fresh(ctx context.Context) context.Context { return context.WithValue(ctx, freshKey{}, true) }

func isFresh(ctx context.Context) bool { return ctx.Value(freshKey{}) != nil }

func (r *Reader) kept(q question, now time.Time) (may, ok bool) {
	found, ok := r.answers.Get(q)
	if !ok || !now.Before(found.until) {
		return false, false
	}
	return found.may, true
}

func questionOf(v Viewer, owner, name string, number int) question {
	return question{v.key, issues.NameKey(owner, name), number}
}

// askMay asks GitHub for an issue with the viewer's token, or for the list of a repository's issues. A call whose answer is as before does not
// count against the viewer's limit: https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate.
func (r *Reader) askMay(ctx context.Context, v Viewer, owner, name string, number int) (answer, error) {
	path := fmt.Sprintf("repos/%s/%s/issues?state=all&per_page=1", owner, name)
	if number > 0 {
		path = fmt.Sprintf("repos/%s/%s/issues/%d", owner, name, number)
	}
	before, _ := r.answers.Peek(questionOf(v, owner, name, number))
	if !before.may {
		before.tag = ""
	}
	tag, err := r.Client(v.token).Sees(ctx, path, before.tag)
	switch status, says := statusOf(err); {
	case err == nil:
		return answer{may: true, tag: tag}, nil
	case status == http.StatusNotModified && before.may:
		return before, nil
	case status == http.StatusUnauthorized:
		return answer{}, r.forget(v)
	case status == http.StatusForbidden && strings.Contains(says, "login attempts"): // GitHub checked nothing
	case status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusGone, status == http.StatusMovedPermanently, status == http.StatusUnavailableForLegalReasons:
		return answer{}, nil
	}
	return answer{}, fmt.Errorf("ask GitHub whether %s can read issues of %s/%s: %w", v, owner, name, err)
}

// Forget forgets what GitHub said of a token that was ended.
func (r *Reader) Forget(token string) { r.viewers.Remove(sha256.Sum256([]byte(token))) }

// forget forgets a viewer whose token GitHub no longer accepts.
func (r *Reader) forget(v Viewer) error {
	r.viewers.Remove(v.key)
	return ErrRefused
}

// statusOf returns what GitHub answered, 0 if it did not, and what it said, in lower case.
func statusOf(err error) (status int, says string) {
	status, says = issues.Answer(err)
	return status, strings.ToLower(says)
}
