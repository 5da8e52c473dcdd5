package app

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/colony-app/colony/app/queue"
)

// Where a cause ends the web server and the work too, several ends are there to be seen at once: each round draws one.
func TestTheFirstEndSaysWhy(t *testing.T) {
	refused := errors.New("GitHub refuses the App")
	for name, c := range map[string]struct{ cause, web, work, want error }{
		"GitHub refused the App":       {refused, http.ErrServerClosed, nil, refused},
		"it was asked to stop":         {context.Canceled, nil, nil, nil},
		"the queue's server went away": {nil, nil, queue.ErrStillRunning, queue.ErrStillRunning},
		"the queue was closed":         {nil, nil, queue.ErrClosed, queue.ErrClosed},
		"the work ended without error": {nil, nil, nil, queue.ErrClosed},
		"the listener was closed":      {nil, http.ErrServerClosed, nil, http.ErrServerClosed},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				ctx, stop := context.WithCancelCause(t.Context())
				webDone, workDone := make(chan error, 1), make(chan error, 1)
				if c.cause != nil {
					stop(c.cause)
				}
				if c.web != nil {
					webDone <- c.web
				}
				if c.cause != nil || c.web == nil {
					workDone <- c.work
				}
				if err := firstEnd(ctx, webDone, workDone); !errors.Is(err, c.want) || (c.want == nil) != (err == nil) {
					t.Fatalf("it ended for %v; want %v", err, c.want)
				}
				stop(nil)
			}
		})
	}
}
