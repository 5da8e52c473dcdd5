package queue

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// The server spreads the tasks over partitions by a hash of repository and issue, so all tasks of an issue are in one partition.

func (n names) partition(p int) string { return fmt.Sprintf("%s.task.%d.*.*", n.prefix, p) }

func (n names) consumer(p int) string { return fmt.Sprintf("partition-%d", p) }

// partitioned is the subject under which the server stores a task.
func (n names) partitioned(partitions int) string {
	return fmt.Sprintf("%s.task.{{partition(%d,1,2)}}.{{wildcard(1)}}.{{wildcard(2)}}", n.prefix, partitions)
}

func (q *Queue) provisionTasks(ctx context.Context) error {
	var err error
	if q.tasks, err = q.stream(ctx, jetstream.StreamConfig{
		Name:     q.names.taskStream(),
		Subjects: []string{q.names.allTasks()},
		SubjectTransform: &jetstream.SubjectTransformConfig{
			Source: q.names.allTasks(), Destination: q.names.partitioned(q.opts.partitions),
		},
		// Not work-queue retention: with the message it forgets the ID, at the latest when the server restarts.
		Retention:  jetstream.LimitsPolicy,
		MaxAge:     DedupeWindow,
		Duplicates: DedupeWindow,
		MaxBytes:   q.opts.MaxBytes,
		Discard:    jetstream.DiscardNew,

		AllowAtomicPublish: q.server != nil, // see groupCommit; an external server might be too old for it
	}); err != nil {
		return err
	}
	return q.consumers(ctx)
}
