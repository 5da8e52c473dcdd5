package issues

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v62/github"
)

// IsPermanent reports whether an error of GitHub's API will be the same however often we ask: a 4xx that is no rate
// limit. Network faults, 5xx, and rate limits (403 and 429, primary and secondary) are not permanent.
func IsPermanent(err error) bool {
	var (
		limited *github.RateLimitError
		abuse   *github.AbuseRateLimitError
		answer  *github.ErrorResponse
	)
	if errors.As(err, &limited) || errors.As(err, &abuse) || !errors.As(err, &answer) || answer.Response == nil {
		return errors.Is(err, ErrGone)
	}
	code := answer.Response.StatusCode
	limitedWithoutType := code == http.StatusForbidden && answer.Response.Header.Get("Retry-After") != ""
	return code >= 400 && code < 500 && code != http.StatusTooManyRequests && code != http.StatusRequestTimeout && !limitedWithoutType
}

func isStatus(err error, code int) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == code
}

// gone adds ErrGone to an answer that says that something is not there (404), was deleted (410), or may not be seen.
func gone(err error) error {
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusGone) {
		return fmt.Errorf("%w: %w", ErrGone, err)
	}
	return err
}
