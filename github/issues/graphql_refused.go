package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"
)

// ErrForbidden says that GitHub does not let this App read something by GraphQL. That does not mean that there is nothing.
var ErrForbidden = errors.New("GitHub does not let this App read that by GraphQL")

// How long Colony does not ask again. A field that a server lacks comes with an upgrade. What is forbidden is allowed again when someone grants a
// permission, or changes a list of allowed addresses; a new token is asked with immediately.
const (
	missingFor   = 24 * time.Hour
	forbiddenFor = 5 * time.Minute
)

// refusalsKept bounds the refusals remembered. Forgetting one costs a question.
const refusalsKept = 2_000

// refusal is what GitHub answered to a query instead of data.
type refusal struct {
	err   error
	until time.Time
	by    *github.Client // who was refused, with its token and permissions; nil: everybody
}

// unanswered returns why a query is not to be asked now; nil if it is.
func (q questions) unanswered(query string) error {
	for _, key := range []string{q.missingKey(query), q.forbiddenKey(query)} {
		known, refused := q.refused.Get(key)
		if refused && q.Clock.Now().Before(known.until) && (known.by == nil || known.by == q.client) {
			return known.err
		}
	}
	return nil
}

func (q questions) missingKey(query string) string {
	return fmt.Sprintf("%d/%s", q.of.Installation, query)
}

// forbiddenKey has the repository: of a public one, more can be read than of a private one.
func (q questions) forbiddenKey(query string) string {
	return fmt.Sprintf("%d/%s/%s", q.of.Installation, strings.ToLower(q.of.Repository.String()), query)
}

// answered turns what GitHub answered to a query into an error, and remembers a refusal.
func (q questions) answered(ctx context.Context, query string, refused []graphqlError, err error) error {
	now := q.Clock.Now()
	refused = slices.DeleteFunc(refused, graphqlError.ofAnElement)
	has := func(kind func(graphqlError) bool) bool { return slices.ContainsFunc(refused, kind) }
	absent := slices.ContainsFunc([]int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusNotImplemented},
		func(code int) bool { return isStatus(err, code) })
	switch {
	case absent || has(graphqlError.unknownField):
		q.refused.Add(q.missingKey(query), refusal{err: errNoGraphQL, until: now.Add(missingFor)})
		zerolog.Ctx(ctx).Debug().Err(err).Any("errors", refused).Msg("this GitHub does not tell something by GraphQL; Colony does without")
		return errNoGraphQL
	case isStatus(err, http.StatusForbidden) || has(graphqlError.forbidden):
		if err == nil {
			err = graphqlErrors(refused)
		}
		err = fmt.Errorf("ask GraphQL: %w: %w", ErrForbidden, err)
		q.refused.Add(q.forbiddenKey(query), refusal{err: err, until: now.Add(forbiddenFor), by: q.client})
		return err
	case err != nil:
		return fmt.Errorf("ask GraphQL: %w", err)
	case len(refused) > 0: // NOT_FOUND too: the issue was there when it was read a moment ago
		return fmt.Errorf("ask GraphQL: %w", graphqlErrors(refused))
	}
	return nil
}

// graphqlError is one of the errors of an answer that is otherwise 200.
type graphqlError struct {
	Type       string `json:"type"`
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code string `json:"code"`
	} `json:"extensions"`
}

// graphqlErrors are all errors of an answer.
type graphqlErrors []graphqlError

func (all graphqlErrors) Error() string {
	var said []string
	for _, e := range all {
		said = append(said, strings.TrimPrefix(e.Type+": "+e.Message, ": "))
	}
	return strings.Join(said, "; ")
}

// unknownField reports whether a server does not know what was asked for.
func (e graphqlError) unknownField() bool {
	return e.Extensions.Code == "undefinedField" || e.Extensions.Code == "argumentNotAccepted" ||
		strings.Contains(e.Message, "doesn't exist on type") || strings.HasPrefix(e.Message, "Cannot query field")
}

// forbidden reports whether the App is not allowed to read what was asked for, for want of a permission for example.
func (e graphqlError) forbidden() bool {
	return e.Type == "FORBIDDEN" || e.Type == "INSUFFICIENT_SCOPES" || e.Message == "Resource not accessible by integration"
}

// ofAnElement reports whether an error withholds one element of a list only, whose place in the data is null: an issue or pull
// request of a repository that Colony cannot read. For its own repository the list itself is refused.
func (e graphqlError) ofAnElement() bool {
	return (e.forbidden() || e.Type == "NOT_FOUND") && slices.ContainsFunc(e.Path, func(at any) bool { _, index := at.(float64); return index })
}

// under returns the place in a list that the error is about, and where within it; -1 if it is not about that list.
func (e graphqlError) under(list ...any) (place int, rest []any) {
	n := len(list)
	if len(e.Path) <= n || !slices.Equal(e.Path[:n], list) {
		return -1, nil
	}
	at, _ := e.Path[n].(float64)
	return int(at), e.Path[n+1:]
}
