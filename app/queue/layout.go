package queue

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// layout is how the tasks are spread over partitions. Another number of partitions is another layout, with subjects and consumers of
// its own, which no earlier one had: what was done under one of these is still in the stream.
//
// A task that waits under an earlier layout stays there. Every replica works on what is left of those before it takes anything of
// the present one, so that an issue's tasks run one at a time and in their order across the change.
type layout struct {
	generation int // 0 has no token for it in its names
	partitions int
}

func (l layout) token() string { return fmt.Sprintf("g%d-%d", l.generation, l.partitions) }

// prefixed puts the layout before the rest of a subject or name.
func (l layout) prefixed(separator, rest string) string {
	if l.generation == 0 {
		return rest
	}
	return l.token() + separator + rest
}

// partition is the subject of what is in a partition.
func (n names) partition(l layout, p int) string {
	return fmt.Sprintf("%s.task.%s", n.prefix, l.prefixed(".", fmt.Sprintf("%d.*.*", p)))
}

// consumer is the name of a partition's consumer.
func (n names) consumer(l layout, p int) string {
	return l.prefixed("-", fmt.Sprintf("partition-%d", p))
}

// partitioned is the subject under which the server stores a task.
func (n names) partitioned(l layout) string {
	return fmt.Sprintf("%s.task.%s", n.prefix, l.prefixed(".", fmt.Sprintf("{{partition(%d,1,2)}}.{{wildcard(1)}}.{{wildcard(2)}}", l.partitions)))
}

var (
	partitionedPattern = regexp.MustCompile(`\.task\.(?:g(\d+)-\d+\.)?\{\{partition\((\d+),1,2\)\}\}\.`)
	consumerPattern    = regexp.MustCompile(`^(?:g(\d+)-(\d+)-)?partition-(\d+)$`)
)

// layoutOf reads the layout of a stream of tasks back.
func layoutOf(c jetstream.StreamConfig) (layout, error) {
	if c.SubjectTransform != nil {
		if m := partitionedPattern.FindStringSubmatch(c.SubjectTransform.Destination); m != nil {
			generation, _ := strconv.Atoi("0" + m[1])
			partitions, err := strconv.Atoi(m[2])
			return layout{generation, partitions}, err //nolint:wrapcheck // the pattern has digits only
		}
	}
	return layout{}, fmt.Errorf("queue.url: stream %s is not Colony's; give Colony a NATS account of its own", c.Name)
}

// provisionTasks creates the stream of tasks and a consumer for each partition. If the stream has another number of partitions, it gets
// a new layout. The consumers come first: what is stored under a layout is always found by them.
func (q *Queue) provisionTasks(ctx context.Context) error {
	var err error
	q.layout = layout{partitions: q.opts.Partitions}
	for {
		have, err := q.js.Stream(ctx, q.names.taskStream())
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			break
		}
		if err != nil {
			return fmt.Errorf("look for stream %s: %w", q.names.taskStream(), err)
		}
		found, err := layoutOf(have.CachedInfo().Config)
		if err != nil {
			return err
		}
		// Other replicas may be at work with what the stream has: the largest number that one of them was given holds.
		if found.partitions == q.opts.Partitions || q.server == nil && found.partitions > q.opts.Partitions {
			q.layout = found
			break
		}
		next := layout{found.generation + 1, q.opts.Partitions}
		if q.layout == next {
			return fmt.Errorf("queue.partitions: stream %s stays at %d partitions", q.names.taskStream(), found.partitions)
		}
		q.opts.Log.Info().Int("from", found.partitions).Int("to", next.partitions).Msg("queue: the number of partitions changes; what waits is worked on first")
		q.layout = next
		q.tasks = have
		if err := q.consumers(ctx); err != nil {
			return err
		}
		if _, err := q.taskStream(ctx); err != nil {
			return err
		} // and look whether another replica was at it as well
	}
	if q.layout.partitions != q.opts.Partitions {
		q.opts.Log.Warn().Int("partitions", q.layout.partitions).Int("queue.partitions", q.opts.Partitions).
			Msg("queue: replicas work with more partitions than queue.partitions says; the larger number holds")
	}
	if q.tasks, err = q.taskStream(ctx); err != nil {
		return err
	}
	if err := q.consumers(ctx); err != nil {
		return err
	}
	return q.findEarlier(ctx)
}

// taskStream creates the stream of tasks, or brings it in line with the options and the layout.
func (q *Queue) taskStream(ctx context.Context) (jetstream.Stream, error) {
	return q.stream(ctx, jetstream.StreamConfig{
		Name:     q.names.taskStream(),
		Subjects: []string{q.names.allTasks()},
		SubjectTransform: &jetstream.SubjectTransformConfig{
			Source: q.names.allTasks(), Destination: q.names.partitioned(q.layout),
		},
		// Not work-queue retention: with the message it forgets the ID, at the latest when the server restarts.
		Retention:  jetstream.LimitsPolicy,
		MaxAge:     DedupeWindow,
		Duplicates: DedupeWindow,
		MaxBytes:   q.opts.MaxBytes,
		Discard:    jetstream.DiscardNew,

		AllowAtomicPublish: q.server != nil, // see groupCommit; an external server may be too old for it
	})
}

// earlier is a partition of an earlier layout.
type earlier struct {
	consumer      jetstream.Consumer
	name, subject string
}

// findEarlier finds the partitions of earlier layouts, which may still hold tasks.
func (q *Queue) findEarlier(ctx context.Context) error {
	q.earlier = nil
	list := q.tasks.ConsumerNames(ctx)
	for name := range list.Name() {
		m := consumerPattern.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		generation, _ := strconv.Atoi("0" + m[1])
		partitions, _ := strconv.Atoi("0" + m[2])
		p, err := strconv.Atoi(m[3])
		l := layout{generation, partitions}
		if err != nil || generation == q.layout.generation && (generation == 0 || l == q.layout) {
			continue
		}
		consumer, err := q.tasks.Consumer(ctx, name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			continue // another replica was first
		}
		if err != nil {
			return fmt.Errorf("look for consumer %s: %w", name, err)
		}
		q.earlier = append(q.earlier, earlier{consumer, name, q.names.partition(l, p)})
	}
	if err := list.Err(); err != nil {
		return fmt.Errorf("list the consumers of stream %s: %w", q.names.taskStream(), err)
	}
	return nil
}

// leftOver reports whether tasks wait under earlier layouts, or are worked on.
func (q *Queue) leftOver(ctx context.Context) (bool, error) {
	for _, e := range q.earlier {
		worked, err := q.worked(ctx, e.consumer, e.subject)
		if err != nil || !worked {
			return true, err
		}
	}
	return false, nil
}

// drainPause is how often a replica looks whether what is left of earlier layouts is done, by whichever replica. In real time, the
// server's.
const drainPause = 200 * time.Millisecond

// drainEarlier works on what is left of earlier layouts until nothing is, and removes their consumers.
func (r *run) drainEarlier() error {
	if len(r.q.earlier) == 0 {
		return nil
	}
	ctx, stop := context.WithCancelCause(r.ctx)
	defer stop(nil)
	fail := func(err error) {
		if !errors.Is(err, jetstream.ErrConsumerDeleted) && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			stop(err) // else another replica has seen that nothing is left
		}
	}
	pulls := r.pullAll(ctx, fail, len(r.q.earlier), func(n int) jetstream.Consumer { return r.q.earlier[n].consumer })
	err := r.untilNothingIsLeft(ctx)
	stop(err)
	<-pulls
	switch cause := context.Cause(ctx); {
	case r.ctx.Err() != nil:
		return nil
	case !errors.Is(cause, context.Canceled):
		return fmt.Errorf("work on what waited under other partitions: %w", cause)
	}
	for _, e := range r.q.earlier {
		if err := r.q.tasks.DeleteConsumer(r.ctx, e.name); err != nil && !errors.Is(err, jetstream.ErrConsumerNotFound) {
			return fmt.Errorf("remove consumer %s of stream %s: %w", e.name, r.q.names.taskStream(), err)
		}
	}
	return nil
}

func (r *run) untilNothingIsLeft(ctx context.Context) error {
	tick := time.NewTicker(drainPause)
	defer tick.Stop()
	for {
		left, err := r.q.leftOver(ctx)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if !left || ctx.Err() != nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}
