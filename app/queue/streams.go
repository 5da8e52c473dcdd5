package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// names are the streams and subjects of one prefix.
type names struct{ prefix string }

func (n names) taskStream() string  { return n.prefix + "-task" }
func (n names) laterStream() string { return n.prefix + "-later" }
func (n names) deadStream() string  { return n.prefix + "-dead" }
func (n names) noteStream() string  { return n.prefix + "-note" }

// task is where a task is published; the server stores it one token longer, with its partition in front of the key.
func (n names) task(t Task) string     { return n.of("task", t) }
func (n names) later(t Task) string    { return n.of("later", t) }
func (n names) dead(t Task) string     { return n.of("dead", t) }
func (n names) note(key string) string { return n.prefix + ".note." + key }
func (n names) allTasks() string       { return n.prefix + ".task.*.*" }
func (n names) allLater() string       { return n.prefix + ".later.*.*" }
func (n names) allDead() string        { return n.prefix + ".dead.*.*" }
func (n names) told() string           { return n.prefix + ".told" }   // received by the other replicas; in no stream
func (n names) joined() string         { return n.prefix + ".joined" } // likewise

func (n names) of(condition string, t Task) string {
	return fmt.Sprintf("%s.%s.%d.%d", n.prefix, condition, t.Repository, t.Issue)
}

// deadFor is how long a dead letter can be looked at.
const deadFor = 30 * 24 * time.Hour

// provision creates the streams and consumers, or brings them in line with the options.
func (q *Queue) provision(ctx context.Context) error {
	laterStream, err := q.stream(ctx, jetstream.StreamConfig{
		Name:       q.names.laterStream(),
		Subjects:   []string{q.names.allLater()},
		Retention:  jetstream.LimitsPolicy,
		Duplicates: DedupeWindow,
		MaxBytes:   q.opts.MaxBytes / 4,
		Discard:    jetstream.DiscardNew,
	})
	if err != nil {
		return err
	}
	if q.dead, err = q.stream(ctx, jetstream.StreamConfig{
		Name:       q.names.deadStream(),
		Subjects:   []string{q.names.allDead()},
		Retention:  jetstream.LimitsPolicy,
		MaxAge:     deadFor,
		Duplicates: DedupeWindow,
		MaxBytes:   q.opts.MaxBytes / 4,
		Discard:    jetstream.DiscardOld, // an old failure makes room for a new one, rather than letting it hold its issue
	}); err != nil {
		return err
	}
	if err := q.provisionNotes(ctx); err != nil {
		return err
	}
	if err := q.provisionTasks(ctx); err != nil {
		return err
	}
	q.delayed = newDelayQueue(q, laterStream)
	return nil
}

// consumers creates one consumer a partition; all at the same time, because the server syncs each to the disk.
func (q *Queue) consumers(ctx context.Context) error {
	q.workers = make([]jetstream.Consumer, q.opts.partitions)
	errs := make([]error, q.opts.partitions)
	var creating sync.WaitGroup
	for p := range q.opts.partitions {
		creating.Go(func() {
			var err error
			if q.workers[p], err = q.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
				Durable:       q.names.consumer(p),
				FilterSubject: q.names.partition(p),
				DeliverPolicy: jetstream.DeliverAllPolicy,
				AckPolicy:     jetstream.AckExplicitPolicy,
				AckWait:       q.opts.lease,
				MaxAckPending: q.opts.window,
				MaxDeliver:    -1,
			}); err != nil {
				errs[p] = fmt.Errorf("create consumer %s of stream %s: %w", q.names.consumer(p), q.names.taskStream(), err)
			}
		})
	}
	creating.Wait()
	return errors.Join(errs...)
}

func (q *Queue) stream(ctx context.Context, want jetstream.StreamConfig) (jetstream.Stream, error) {
	want.Storage = jetstream.FileStorage
	if q.opts.InMemory {
		want.Storage = jetstream.MemoryStorage
	}
	have, err := q.js.Stream(ctx, want.Name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		want.Replicas = q.copies()
	case err != nil:
		return nil, fmt.Errorf("look for stream %s: %w", want.Name, err)
	default:
		cfg := have.CachedInfo().Config
		if of := want.SubjectTransform; of != nil && (cfg.SubjectTransform == nil || cfg.SubjectTransform.Destination != of.Destination) {
			return nil, fmt.Errorf("queue.url: stream %s is not Colony's; give Colony a NATS account of its own", want.Name)
		}
		want.Replicas = cfg.Replicas
	}
	made, err := q.js.CreateOrUpdateStream(ctx, want)
	if err != nil {
		return nil, fmt.Errorf("create stream %s (queue.max_bytes %d, %d copies): %w", want.Name, want.MaxBytes, want.Replicas, err)
	}
	return made, nil
}

// copies is the number of replicas of a new stream: what survives the loss of a node, if there are nodes.
func (q *Queue) copies() int {
	if q.conn.ConnectedClusterName() != "" {
		return 3
	}
	return 1
}
