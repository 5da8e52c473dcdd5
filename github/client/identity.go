package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
)

// identityWait is how long to wait before GitHub is asked again who Colony is.
const identityWait = 5 * time.Second

// Identify asks GitHub which bot user Colony is. It waits for a GitHub that is not reachable, since webhooks are accepted while it waits. It returns
// an error only if GitHub does not know the App or its key.
func Identify(ctx context.Context, app *App, cast *issues.Actors, clock clockwork.Clock, log zerolog.Logger) error {
	for {
		self, err := app.Self(ctx)
		if err == nil {
			cast.SetSelf(self.Login())
			log.Info().Str("app", self.Slug).Int64("app_id", self.ID).Msg("GitHub knows this App")
			return nil
		}
		if refused := (*RefusedError)(nil); errors.As(err, &refused) {
			return refused
		}
		log.Warn().Err(err).Msg("GitHub does not tell who this App is; asking again")
		select {
		case <-ctx.Done():
			return fmt.Errorf("ask GitHub who this App is: %w", ctx.Err())
		case <-clock.After(identityWait):
		}
	}
}

// RefusedError says that GitHub does not take the App of the configuration: nothing but other settings can help.
type RefusedError struct {
	setting string // and what is wrong with it
	err     error
}

func (e *RefusedError) Error() string { return e.setting + ": " + e.err.Error() }

func (e *RefusedError) Unwrap() error { return e.err }

// Refused returns what is wrong with the App if GitHub does not take it, else nil.
func Refused(err error) error {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) || answer.Response == nil {
		return nil
	}
	switch answer.Response.StatusCode {
	case http.StatusUnauthorized:
		return &RefusedError{"github.app.private_key: GitHub does not accept it for the App github.app.integration_id", err}
	case http.StatusNotFound:
		return &RefusedError{"github.app.integration_id: GitHub at github.v3_api_url knows no such App", err}
	}
	return nil
}
