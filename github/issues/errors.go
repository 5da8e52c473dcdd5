package issues

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
)

// ErrGone says that the issue is no longer there, or not for Colony: deleted, transferred, or out of reach.
var ErrGone = errors.New("the issue is gone")

// ErrMoved says that the issue was transferred: it is somewhere else now.
var ErrMoved = fmt.Errorf("it was transferred: %w", ErrGone)

// IsPermanent reports whether an error of GitHub's API will be the same however often we ask: a 4xx. Network faults, 5xx and timeouts are not
// permanent. Rate limits are no answers of GitHub's here: the clients turn them into errors of their own.
func IsPermanent(err error) bool {
	if IsGone(err) || errors.Is(err, ErrForbidden) {
		return true
	}
	code, _ := Answer(err)
	return code >= 400 && code < 500 && code != http.StatusRequestTimeout && code != http.StatusTooManyRequests
}

// IsGone reports whether what was asked for is no longer there, or not for Colony: an issue, a repository, or the whole installation, which was
// removed or suspended. No one made a mistake then, so it is nothing to report.
func IsGone(err error) bool {
	var token *ghinstallation.HTTPError // the installation gives no token
	if errors.As(err, &token) && token.Response != nil {
		code := token.Response.StatusCode
		limited := token.Response.Header.Get("Retry-After") != "" || token.Response.Header.Get("X-RateLimit-Remaining") == "0"
		return code == http.StatusNotFound || code == http.StatusForbidden && !limited
	}
	return errors.Is(err, ErrGone)
}

// GoneCause says in a word why something is gone: see IsGone.
func GoneCause(err error) string {
	var token *ghinstallation.HTTPError
	switch {
	case errors.As(err, &token) && token.Response != nil && token.Response.StatusCode == http.StatusForbidden:
		return "suspended"
	case errors.As(err, &token):
		return "uninstalled"
	case errors.Is(err, ErrMoved):
		return "moved"
	case isStatus(err, http.StatusGone):
		return "deleted"
	}
	return "missing" // or Colony is not allowed to see it
}

// IsMissing reports whether GitHub answered that there is nothing at an address (404).
func IsMissing(err error) bool { return isStatus(err, http.StatusNotFound) }

// IsForbidden reports whether GitHub refused a call for lack of a permission. A rate limit is another error.
func IsForbidden(err error) bool { return isStatus(err, http.StatusForbidden) }

func isStatus(err error, code int) bool {
	status, _ := Answer(err)
	return status == code
}

// Answer returns the status with which GitHub refused a call, 0 if it did not answer, and what it said.
func Answer(err error) (status int, says string) {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) || answer.Response == nil {
		return 0, ""
	}
	return answer.Response.StatusCode, answer.Message
}

// asNotFound adds ErrGone to an answer that says that something is not there or hidden (404), or was deleted (410).
func asNotFound(err error) error {
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// asHidden adds ErrGone to an answer that says that Colony is not allowed to see something (403). Rate limits are no such answers: the clients make
// them another error.
func asHidden(err error) error {
	if isStatus(err, http.StatusForbidden) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}

// unanswered is an error of a call in words for people, without the call's address.
type unanswered struct {
	says  string
	cause error
}

func (e unanswered) Error() string { return e.says }
func (e unanswered) Unwrap() error { return e.cause }

// InWords says what became of a call in words for people: GitHub's address does not belong in a comment. What Colony says itself, such as
// that it asked too much, stays as it is.
func InWords(err error) error {
	var answer *github.ErrorResponse
	var network *url.Error
	switch {
	case errors.As(err, &answer) && answer.Response != nil:
		return unanswered{fmt.Sprintf("GitHub answered %d %s", answer.Response.StatusCode, http.StatusText(answer.Response.StatusCode)), err}
	case errors.As(err, &network):
		return unanswered{"GitHub did not answer", err}
	}
	return err
}
