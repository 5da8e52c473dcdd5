package api

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// Error is the answer to what is not answered.
type Error struct {
	// Error says in one sentence why not.
	Error string `json:"error"`
}

// refusal is the answer to a request that is refused.
type refusal struct {
	status     int
	says       string
	retryAfter time.Duration // 0: it does not help to come back
}

func (r *refusal) Error() string { return r.says }

// The refusals that are the same wherever they come from. errNothing does not tell a repository that the viewer cannot read from one that does
// not exist, or where Colony does not work.
var (
	errNoRoute   = &refusal{http.StatusNotFound, "There is nothing at this address.", 0}
	errNothing   = &refusal{http.StatusNotFound, "There is no such issue, or you may not read it, or Colony does not work there.", 0}
	errNoToken   = &refusal{http.StatusUnauthorized, "Send a GitHub token that can read the repository: Authorization: Bearer TOKEN.", 0}
	errRefused   = &refusal{http.StatusUnauthorized, "GitHub does not accept this token.", 0}
	errUnchecked = &refusal{http.StatusServiceUnavailable, "Colony could not ask GitHub what you may read. Try again.", retryLater}
	errUnread    = &refusal{http.StatusServiceUnavailable, "Colony could not read from GitHub what the answer needs. Try again.", retryLater}
	errNotReady  = &refusal{http.StatusServiceUnavailable, "Colony is starting. Try again.", retryLater}
)

// retryLater is when to come back where no better time is known.
const retryLater = 5 * time.Second

// badRequest refuses what cannot be understood.
func badRequest(says string) *refusal { return &refusal{http.StatusBadRequest, says, 0} }

// unchecked is an error of finding out who can read what.
type unchecked struct{ error }

func (u unchecked) Unwrap() error { return u.error }

func bearer(request *http.Request) (string, error) {
	values := request.Header.Values("Authorization")
	if len(values) != 1 {
		return "", errNoToken
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") && !strings.EqualFold(scheme, "token") || token == "" {
		return "", errNoToken
	}
	return token, nil
}

// refused answers an error. A caller who has gone before the answer is not counted: no one was refused anything.
func (a *API) refused(w http.ResponseWriter, request *http.Request, route string, err error) {
	r := refusalOf(err)
	if errors.Is(request.Context().Err(), context.Canceled) {
		refuse(w, r)
		return
	}
	if r.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) && r != errNotReady {
		a.Log.Warn().Err(err).Str("method", request.Method).Str("path", request.URL.Path).Int("status", r.status).Msg("a question to the API is not answered")
	}
	a.refuse(w, route, r)
}

// refuse counts a refusal and sends it.
func (a *API) refuse(w http.ResponseWriter, route string, r *refusal) {
	a.count(route, r.status)
	refuse(w, r)
}

func refusalOf(err error) *refusal {
	limited, unknown, said := (*ratelimit.Error)(nil), (*inspect.UnknownError)(nil), (*refusal)(nil)
	_, checking := errors.AsType[unchecked](err)
	switch {
	case errors.As(err, &said):
		return said
	case errors.Is(err, access.ErrRefused):
		return errRefused
	case errors.As(err, &limited) && checking && limited.Budget == ratelimit.BudgetGitHub:
		return &refusal{http.StatusTooManyRequests, "GitHub limits the rate of calls with your token.", limited.Wait}
	case limited != nil && checking:
		return &refusal{http.StatusServiceUnavailable, "Colony does not ask GitHub about further tokens for now.", limited.Wait}
	case checking:
		return errUnchecked
	case limited != nil:
		return &refusal{http.StatusServiceUnavailable, "Colony leaves the rest of GitHub's limits to people for now.", limited.Wait}
	case errors.As(err, &unknown):
		return badRequest(unknownSays(unknown))
	case errors.Is(err, client.ErrNotInstalled), errors.Is(err, inspect.ErrNoIssue), errors.Is(err, inspect.ErrNotAnIssue), errors.Is(err, inspect.ErrDashboard), issues.IsGone(err):
		return errNothing
	}
	return errUnread
}

func unknownSays(unknown *inspect.UnknownError) string {
	says := "There is no " + unknown.What + " called " + strconv.Quote(unknown.Word)
	if len(unknown.Known) > 0 {
		return says + "; there are: " + strings.Join(unknown.Known, ", ") + "."
	}
	return says + "."
}

func refuse(w http.ResponseWriter, r *refusal) {
	text, err := json.Marshal(Error{r.says})
	if err != nil { // a string can be written
		text = []byte(`{"error":"This cannot be said."}`)
	}
	if r.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="colony"`)
	}
	if r.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(r.retryAfter.Seconds()))))
	}
	write(w, r.status, append(text, '\n'))
}
