// Package access says who may read what Colony shows: whoever comes with a token that GitHub lets read the repository, and operators with
// the admin token. Colony's own right to read a repository is nobody else's.
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

	"github.com/google/go-github/v62/github"
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jonboulle/clockwork"
	"golang.org/x/time/rate"

	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// Kept is how long GitHub's answers hold: so long may somebody read on who was just shut out. What could not be asked is not kept.
const Kept = time.Minute

// The bounds of what is kept: so many tokens, and so many answers about repositories.
const (
	tokensKept  = 2_000
	answersKept = 50_000
)

// GitHub shuts out an address from which too many wrong tokens come
// (https://docs.github.com/rest/authentication/authenticating-to-the-rest-api#failed-login-limit), and Colony works from the same. So after
// so many of them at once, no unknown token is asked about until the next may.
const (
	wrongAtOnce = 10
	wrongEvery  = 6 * time.Second
)

// ErrRefused says that a token opens nothing: there is none, or GitHub does not accept it.
var ErrRefused = errors.New("GitHub does not accept this token")

// Viewer is somebody who came with a credential.
type Viewer struct {
	// Login is whose token it is; empty for an App's installation, which has none, and for an operator.
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
	// Admin is the token that opens everything; empty: there is none.
	Admin string
	// Client returns a client that acts with a token, and follows no redirect.
	Client func(token string) *github.Client
	Clock  clockwork.Clock
}

// Reader asks GitHub who may read what. It is safe for concurrent use.
type Reader struct {
	Options
	admin   key
	viewers *lru.Cache[key, known]
	answers *lru.Cache[question, answer]
	wrong   *rate.Limiter
}

// known is what GitHub said of a token.
type known struct {
	login   string
	refused bool
	until   time.Time
}

// question is whether a token may read a repository, in lower case.
type question struct {
	token      key
	repository string
}

type answer struct {
	may   bool
	until time.Time
}

// New returns a reader that knows nobody yet.
func New(o Options) *Reader {
	return &Reader{
		Options: o, admin: sha256.Sum256([]byte(o.Admin)), viewers: bounded.New[key, known](tokensKept),
		answers: bounded.New[question, answer](answersKept), wrong: rate.NewLimiter(rate.Every(wrongEvery), wrongAtOnce),
	}
}

// tokenForm is what GitHub's tokens look like
// (https://docs.github.com/authentication/keeping-your-account-and-data-secure/about-authentication-to-github#githubs-token-formats), those
// of forty digits included that Enterprise Servers still know. Anything else is not sent to GitHub.
var tokenForm = regexp.MustCompile(`^(gh[a-z]_[A-Za-z0-9_.-]{20,1000}|github_pat_[A-Za-z0-9_]{20,1000}|[0-9a-f]{40})$`)

// ViewerOf says whose token it is. The error is ErrRefused if it opens nothing; any other says that this could not be found out.
func (r *Reader) ViewerOf(ctx context.Context, token string) (Viewer, error) {
	v := Viewer{key: sha256.Sum256([]byte(token)), token: token} // of one length, so that the comparison does not tell the admin token's
	if r.Admin != "" && subtle.ConstantTimeCompare(v.key[:], r.admin[:]) == 1 {
		v.everything = true
		return v, nil
	}
	if !tokenForm.MatchString(token) {
		return Viewer{}, ErrRefused
	}
	now := r.Clock.Now()
	found, ok := r.viewers.Get(v.key)
	if !ok || !now.Before(found.until) {
		if wait := r.untilNextWrong(now); wait > 0 {
			return Viewer{}, fmt.Errorf("ask GitHub whose token it is: too many came that GitHub does not accept: %w", &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: wait})
		}
		var err error
		if found, err = r.askWho(ctx, token); err != nil {
			return Viewer{}, err
		}
		found.until = now.Add(Kept)
		r.viewers.Add(v.key, found)
		if found.refused {
			r.wrong.AllowN(now, 1)
		}
	}
	if found.refused {
		return Viewer{}, ErrRefused
	}
	v.Login = found.login
	return v, nil
}

// untilNextWrong returns how long it takes until another token may turn out to be wrong; 0 if it may now.
func (r *Reader) untilNextWrong(now time.Time) time.Duration {
	if left := r.wrong.TokensAt(now); left < 1 {
		return max(time.Second, time.Duration((1-left)*float64(wrongEvery)))
	}
	return 0
}

// askWho asks GitHub whose token it is.
func (r *Reader) askWho(ctx context.Context, token string) (known, error) {
	user, _, err := r.Client(token).Users.Get(ctx, "")
	switch status, says := statusOf(err); {
	case err == nil:
		return known{login: user.GetLogin()}, nil
	case status == http.StatusUnauthorized:
		return known{refused: true}, nil
	case status == http.StatusForbidden && strings.Contains(says, "not accessible by integration"): // an App's installation is nobody
		return known{}, nil
	}
	return known{}, fmt.Errorf("ask GitHub whose token it is: %w", err)
}

// nameForm and ownerForm are what GitHub lets names of repositories and accounts be. Anything else is no repository.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)
	nameForm  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
)

// IsName reports whether a repository can have such a name.
func IsName(owner, name string) bool {
	return ownerForm.MatchString(owner) && nameForm.MatchString(name) && name != "." && name != ".."
}

// MayRead reports whether a viewer may read a repository. It does not tell one that may not be read from one that does not exist. The error
// is ErrRefused if GitHub does not accept the viewer's token any more; any other says that this could not be found out, and then nobody may.
func (r *Reader) MayRead(ctx context.Context, v Viewer, owner, name string) (bool, error) {
	if !IsName(owner, name) {
		return false, nil
	}
	if v.everything {
		return true, nil
	}
	now := r.Clock.Now()
	if may, ok := r.kept(v, owner, name, now); ok {
		return may, nil
	}
	may, err := r.askMay(ctx, v, owner, name)
	if err != nil {
		return false, err
	}
	r.keep(v, owner, name, answer{may, now.Add(Kept)})
	return may, nil
}

func (r *Reader) kept(v Viewer, owner, name string, now time.Time) (may, ok bool) {
	found, ok := r.answers.Get(questionOf(v, owner, name))
	if !ok || !now.Before(found.until) {
		return false, false
	}
	return found.may, true
}

func (r *Reader) keep(v Viewer, owner, name string, a answer) {
	r.answers.Add(questionOf(v, owner, name), a)
}

func questionOf(v Viewer, owner, name string) question {
	return question{v.key, issues.NameKey(owner, name)}
}

// askMay asks GitHub for a repository with the viewer's token.
func (r *Reader) askMay(ctx context.Context, v Viewer, owner, name string) (bool, error) {
	_, _, err := r.Client(v.token).Repositories.Get(ctx, owner, name)
	switch status, says := statusOf(err); {
	case err == nil:
		return true, nil
	case status == http.StatusUnauthorized:
		return false, r.forget(v)
	case status == http.StatusForbidden && strings.Contains(says, "login attempts"): // GitHub judged nothing
	case status == http.StatusForbidden, status == http.StatusNotFound, status == http.StatusMovedPermanently, status == http.StatusUnavailableForLegalReasons:
		return false, nil
	}
	return false, fmt.Errorf("ask GitHub whether %s may read %s/%s: %w", v, owner, name, err)
}

// Forget forgets what GitHub said of a token that was ended.
func (r *Reader) Forget(token string) { r.viewers.Remove(sha256.Sum256([]byte(token))) }

// forget forgets a viewer whose token GitHub does not accept any more.
func (r *Reader) forget(v Viewer) error {
	r.viewers.Remove(v.key)
	return ErrRefused
}

// statusOf returns what GitHub answered, 0 if it did not, and what it said, in lower case.
func statusOf(err error) (status int, says string) {
	var refused *github.ErrorResponse
	if !errors.As(err, &refused) || refused.Response == nil {
		return 0, ""
	}
	return refused.Response.StatusCode, strings.ToLower(refused.Message)
}
