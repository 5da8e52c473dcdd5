package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/reconcile"
)

// RetryRefused asks to reconcile each issue of an installation on which GitHub refused something, and to try again what was given up
// there: it may be granted now. 0 is all installations, and leaves alone what was given up.
func (w *Worker) RetryRefused(ctx context.Context, delivery string, installation int64) error {
	for _, ref := range w.Reconciler.RefusedOn(installation) {
		request := reconcile.Request{
			Kind: reconcile.KindIssue, Ref: ref,
			Cause: reconcile.CauseRetry, Delivery: delivery, Retry: true,
		}
		if err := w.Publish(ctx, fmt.Sprintf("%s/retry/%d/%d", delivery, ref.ID, ref.Number), request); err != nil {
			return err
		}
	}
	if installation == 0 {
		return nil
	}
	return w.retryDeadLetters(ctx, installation)
}

// retryDeadLetters tries again what was given up of an installation.
func (w *Worker) retryDeadLetters(ctx context.Context, installation int64) error {
	dead, err := w.queue.DeadLetters(ctx)
	if err != nil {
		return err
	}
	for _, d := range dead {
		if item, err := ReadItem(d.Task); err != nil || item.Installation != installation { // what cannot be read stays there
			continue
		}
		if err := w.queue.RetryDeadLetter(ctx, d.Letter); err != nil && !errors.Is(err, queue.ErrNoLetter) {
			return err
		}
	}
	return nil
}
