package queue

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/bounded"
)

const (
	connectTime = 5 * time.Second  // for a server to take a connection, or to answer one
	requestTime = 10 * time.Second // for an answer that can need several syncs of a busy disk, unless the caller's context says
	startTime   = 30 * time.Second // for the embedded server to read back what it holds
)

// connect opens the connection: to the embedded server, which it starts, or to the external one.
func (q *Queue) connect(ctx context.Context) error {
	setting, address := "queue.url", q.opts.URL
	options := []nats.Option{
		nats.Name("colony"),
		nats.Timeout(connectTime),
		nats.MaxReconnects(-1),
		nats.NoEcho(), // what a Queue says to the others is not for itself
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if q.life.Err() == nil {
				q.opts.Log.Warn().Err(err).Msg("queue: lost the connection to NATS")
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) {
			q.opts.Log.Info().Str("server", c.ConnectedServerName()).Msg("queue: connected to NATS again")
		}),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) {
			q.opts.Log.Warn().Err(err).Msg("queue: error on the connection to NATS")
		}),
	}
	if address == "" {
		var err error
		if q.server, err = startEmbedded(q.opts); err != nil {
			return err
		}
		setting = "queue.dir"
		options = append(options, nats.InProcessServer(q.server.nats))
	}
	var err error
	if q.conn, err = nats.Connect(address, options...); err != nil {
		return fmt.Errorf("%s: connect to %s: %w", setting, redacted(address), err)
	}
	if q.js, err = jetstream.New(q.conn, jetstream.WithDefaultTimeout(requestTime)); err != nil {
		return fmt.Errorf("%s: use JetStream: %w", setting, err)
	}
	ctx, cancel := context.WithTimeout(ctx, requestTime) // a cluster without a leader does not answer at all
	defer cancel()
	if _, err = q.js.AccountInfo(ctx); err != nil {
		return fmt.Errorf("%s: %s has no JetStream for us: %w", setting, redacted(address), err)
	}
	return nil
}

func redacted(addresses string) string {
	if addresses == "" {
		return "the embedded server"
	}
	var out []string
	for address := range strings.SplitSeq(addresses, ",") {
		u, err := url.Parse(strings.TrimSpace(address))
		switch {
		case err != nil && strings.Contains(address, "@"):
			out = append(out, "(address hidden)")
		case err != nil:
			out = append(out, strings.TrimSpace(address))
		case u.User != nil:
			u.User = url.User("xxxxx") // a user without a password is a token
			out = append(out, u.String())
		default:
			out = append(out, u.String())
		}
	}
	return strings.Join(out, ",")
}

// embedded is a NATS server inside this process that listens nowhere, and the lock on its folder.
type embedded struct {
	nats *server.Server
	lock *flock.Flock
}

func startEmbedded(o Options) (*embedded, error) {
	lock, err := lockFolder(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("queue.dir: %w", err)
	}
	ns, err := server.NewServer(&server.Options{
		ServerName: "colony",
		DontListen: true,
		NoSigs:     true,
		JetStream:  true,
		StoreDir:   o.Dir,
		// The default syncs every two minutes; an answered webhook must survive the machine.
		SyncAlways:             !o.InMemory,
		JetStreamMaxMemory:     2 * o.MaxBytes,
		JetStreamMaxStore:      2 * o.MaxBytes, // four streams: the whole, two quarters and an eighth; the rest is slack
		DisableJetStreamBanner: true,
	})
	if err != nil {
		return nil, fmt.Errorf("queue.dir: set up the queue in %s: %w", o.Dir, joinUnlock(err, lock))
	}
	ns.SetLoggerV2(serverLog{o.Log.With().Str("component", "nats").Logger()}, false, false, false)
	ns.Start()
	if !ns.ReadyForConnections(startTime) || !ns.JetStreamEnabled() {
		ns.Shutdown()
		ns.WaitForShutdown()
		return nil, fmt.Errorf("queue.dir: %w", joinUnlock(fmt.Errorf("the queue in %s does not start: see the log", o.Dir), lock))
	}
	return &embedded{nats: ns, lock: lock}, nil
}

func joinUnlock(err error, lock *flock.Flock) error {
	if unlockErr := lock.Unlock(); unlockErr != nil {
		return fmt.Errorf("%w (and release its lock: %w)", err, unlockErr)
	}
	return err
}

func (e *embedded) stop(ctx context.Context) error {
	e.nats.Shutdown()
	if err := waitFor(ctx, e.nats.WaitForShutdown); err != nil {
		return fmt.Errorf("stop the embedded NATS: %w", err) // the lock stays: files might still be written
	}
	if err := e.lock.Unlock(); err != nil {
		return fmt.Errorf("release the lock on the queue's folder: %w", err)
	}
	return nil
}

// lockFolder creates the folder and takes the lock in it that keeps out a second process, whose server would overwrite
// the first one's files. The operating system releases the lock of a process that was killed.
func lockFolder(dir string) (*flock.Flock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("create the folder: %w", err)
	}
	path := filepath.Join(dir, "lock")
	lock := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("the folder is not writable: %w", err)
	}
	if !locked {
		holder, _ := bounded.File(path, 32) // only for the message
		return nil, fmt.Errorf("%s is in use by another process (pid %s): stop it, use another folder, or set queue.url for several replicas",
			dir, strings.TrimSpace(string(holder)))
	}
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, joinUnlock(fmt.Errorf("the folder is not writable: %w", err), lock)
	}
	return lock, nil
}

// serverLog passes the embedded server's log on. Its notices are about itself and of no use to an admin: debug.
type serverLog struct{ log zerolog.Logger }

func (l serverLog) Noticef(format string, v ...any) { l.log.Debug().Msgf(format, v...) }
func (l serverLog) Warnf(format string, v ...any)   { l.log.Warn().Msgf(format, v...) }
func (l serverLog) Errorf(format string, v ...any)  { l.log.Error().Msgf(format, v...) }
func (l serverLog) Debugf(format string, v ...any)  { l.log.Debug().Msgf(format, v...) }
func (l serverLog) Tracef(format string, v ...any)  { l.log.Trace().Msgf(format, v...) }

// Fatalf must not end the process: the server calls it for what makes itself unable to start, which Open reports.
func (l serverLog) Fatalf(format string, v ...any) { l.log.Error().Msgf(format, v...) }
