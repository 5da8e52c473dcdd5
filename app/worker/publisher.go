package worker

import (
	"context"
	"errors"
	"fmt"

	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/sweep"
	"github.com/colony-app/colony/reconcile"
)

// Publisher puts requests into the queue. It implements reconcile.Enqueuer.
type Publisher struct {
	queue Queue
	log   zerolog.Logger
}

// Publish implements reconcile.Enqueuer. Its error is a githubapp.ErrCapacityExceeded if the queue is full.
func (p *Publisher) Publish(ctx context.Context, id string, request reconcile.Request) error {
	return p.publish(ctx, id, &Item{Request: request})
}

// PublishSweep asks for a sweep, or for a part of one.
func (p *Publisher) PublishSweep(ctx context.Context, id string, request reconcile.Request, progress *sweep.Progress) error {
	return p.publish(ctx, id, &Item{Request: request, Sweep: progress})
}

func (p *Publisher) publish(ctx context.Context, id string, item *Item) error {
	body, err := item.encode()
	if err != nil {
		return fmt.Errorf("keep request %s of kind %s: %w", id, item.Kind, err)
	}
	repository, issue := item.line()
	duplicate, err := p.queue.Publish(ctx, queue.Task{ID: id, Repository: repository, Issue: issue, Body: body})
	if errors.Is(err, queue.ErrFull) {
		err = fmt.Errorf("%w: %w", githubapp.ErrCapacityExceeded, err)
	}
	if err != nil {
		return fmt.Errorf("keep request %s of kind %s: %w", id, item.Kind, err)
	}
	if duplicate {
		p.log.Debug().Str("delivery", item.Delivery).Str("because", item.Cause).Msg("this delivery came before")
	}
	return nil
}

// publishIssues asks for the same of issues of the repository. under names the requests among those of the delivery.
func (p *Publisher) publishIssues(ctx context.Context, request reconcile.Request, under string, numbers []int) error {
	for _, n := range numbers {
		if err := p.Publish(ctx, fmt.Sprintf("%s/%s/%d", request.Delivery, under, n), request.OfIssue(n)); err != nil {
			return err
		}
	}
	return nil
}

// sweepRequests is what sweeps ask for. It implements sweep.Publisher.
type sweepRequests struct {
	*Publisher
	*dispatcher
	*dashboards
	*peers
}
