package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// retries tries again what GitHub refused, once it might be granted.
type retries struct {
	*Publisher

	refusedOn func(installation int64) []issues.Ref
}

// RetryRefused asks to reconcile each issue of an installation on which GitHub refused something, and to try again what was given up there. It
// might be granted now. 0 is all installations, and leaves alone what was given up.
func (r *retries) RetryRefused(ctx context.Context, delivery string, installation int64) error {
	for _, ref := range r.refusedOn(installation) {
		request := reconcile.Request{
			Kind: reconcile.KindIssue, Ref: ref,
			Cause: reconcile.CauseRetry, Delivery: delivery, Retry: true,
		}
		if err := r.Publish(ctx, fmt.Sprintf("%s/retry/%d/%d", delivery, ref.ID, ref.Number), request); err != nil {
			return err
		}
	}
	if installation == 0 {
		return nil
	}
	_, err := r.RetryDeadLetters(ctx, func(d queue.DeadLetter) bool {
		item, err := ReadItem(d.Task) // what cannot be read stays there
		return err == nil && item.Installation == installation
	})
	return err
}

// RetryDeadLetters tries some of what was given up again, and counts it.
func (r *retries) RetryDeadLetters(ctx context.Context, which func(queue.DeadLetter) bool) (retried int, err error) {
	dead, err := r.queue.DeadLetters(ctx)
	if err != nil {
		return 0, err
	}
	for _, d := range dead {
		if !which(d) {
			continue
		}
		err := r.queue.RetryDeadLetter(ctx, d.Letter)
		if errors.Is(err, queue.ErrNoLetter) { // someone else was faster
			continue
		}
		if err != nil {
			return retried, err
		}
		retried++
	}
	return retried, nil
}
