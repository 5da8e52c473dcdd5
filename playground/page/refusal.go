package page

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v62/github"
)

var (
	errNoPage  = errors.New("there is no such page")
	errNobody  = errors.New("there is nobody to act as: this playground has no users")
	errForeign = errors.New("this form was not sent from a page of the playground, so nothing was done")
)

// elsewhere is returned to send the browser to another page.
type elsewhere struct{ address string }

func (e *elsewhere) Error() string { return "see " + e.address }

// hints say what one can do about a refusal.
var hints = map[int]string{
	http.StatusUnauthorized: "Choose at the top whom to act as.",
	http.StatusForbidden:    "Labels need the role triage or more, as on GitHub. Choose at the top whom to act as.",
	http.StatusNotFound:     "It doesn't exist, or whom you act as may not see it.",
}

// explain words an error for the visitor: what was tried, who tried it, and what the API answered.
func (v *visit) explain(what string, err error) (status int, message *alert) {
	status, text := meaning(err)
	message = &alert{Refused: true, Text: text, Hint: hints[status]}
	if what != "" {
		message.Text = fmt.Sprintf("%s could not %s: %s", v.acting, what, text)
	}
	return status, message
}

func meaning(err error) (status int, text string) {
	var (
		refused   *github.ErrorResponse
		primary   *github.RateLimitError
		secondary *github.AbuseRateLimitError
	)
	switch {
	case errors.Is(err, errNoPage):
		return http.StatusNotFound, err.Error()
	case errors.Is(err, errNobody):
		return http.StatusConflict, err.Error()
	case errors.Is(err, errForeign):
		return http.StatusForbidden, err.Error()
	case errors.As(err, &refused):
		return refused.Response.StatusCode, fmt.Sprintf("%s (%d)", words(refused), refused.Response.StatusCode)
	case errors.As(err, &primary):
		return primary.Response.StatusCode, fmt.Sprintf("%s (%d)", primary.Message, primary.Response.StatusCode)
	case errors.As(err, &secondary):
		return secondary.Response.StatusCode, fmt.Sprintf("%s (%d)", secondary.Message, secondary.Response.StatusCode)
	case errors.Is(err, errCut):
		return http.StatusBadGateway, errCut.Error()
	default:
		return http.StatusInternalServerError, err.Error()
	}
}

// words are a refusal's message and, where it has some, which fields it is about.
func words(refused *github.ErrorResponse) string {
	told := []string{refused.Message}
	for _, detail := range refused.Errors {
		switch {
		case detail.Message != "":
			told = append(told, detail.Message)
		case detail.Field != "":
			told = append(told, strings.TrimSpace(detail.Field+" is "+strings.ReplaceAll(detail.Code, "_", " ")))
		}
	}
	if told[0] == "" {
		told[0] = http.StatusText(refused.Response.StatusCode)
	}
	return strings.Join(told, "; ")
}
