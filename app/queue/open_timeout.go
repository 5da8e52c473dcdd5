package queue

import (
	"context"
	"errors"
	"net"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// electing are JetStream's error codes (errors.json of nats-server) of a cluster that starts, elects, or misses a node: the same
// request is granted a while later.
var electing = []jetstream.ErrorCode{
	10004, // incomplete results
	10005, // no suitable peers
	10007, // not assigned to this server
	10008, // temporarily unavailable
	10009, // not the leader
	10023, // insufficient resources: also said while too few nodes are known
	10118, // a stream is offline
	10119, // a consumer is offline
}

// passing says whether an external NATS might give another answer in a while. A server without JetStream looks the same as one that does not
// have it yet.
func passing(err error) bool {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		return slices.Contains(electing, api.ErrorCode) || errors.Is(err, jetstream.ErrJetStreamNotEnabled)
	}
	_, unreachable := errors.AsType[net.Error](err) // a name that is not known yet, too
	return unreachable || slices.ContainsFunc([]error{
		nats.ErrNoServers, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrConnectionClosed, nats.ErrDisconnected,
		jetstream.ErrJetStreamNotEnabled, jetstream.ErrNoStreamResponse, context.DeadlineExceeded,
	}, func(e error) bool { return errors.Is(err, e) })
}

// reach connects to the external NATS and creates what is missing there. A cluster that starts at the same time as we do, or
// elects, is waited for.
func (q *Queue) reach(ctx context.Context) error {
	pause := backoff.NewExponentialBackOff()
	pause.InitialInterval, pause.MaxInterval = 200*time.Millisecond, 5*time.Second
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		err := q.connectAndProvision(ctx)
		if err == nil {
			return struct{}{}, nil
		}
		if q.conn != nil {
			q.conn.Close()
			q.conn = nil
		}
		if ctx.Err() != nil || !passing(err) {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err //nolint:wrapcheck // it is taken out again
	},
		backoff.WithBackOff(pause), backoff.WithMaxElapsedTime(q.opts.openTimeout),
		backoff.WithNotify(func(err error, wait time.Duration) {
			q.opts.Log.Warn().Err(err).Dur("wait", wait).Msg("queue: NATS is not ready")
		}),
	)
	return err //nolint:wrapcheck // it names the setting and the attempt
}

func (q *Queue) connectAndProvision(ctx context.Context) error {
	if err := q.connect(ctx); err != nil {
		return err
	}
	return q.provision(ctx)
}
