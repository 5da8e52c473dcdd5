package queue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Ledger keeps pages that several replicas write, a page for each installation, among the notes. It implements ratelimit.Ledger.
type Ledger struct{ q *Queue }

// Ledger returns the ledger of all Queues on the same server.
func (q *Queue) Ledger() Ledger { return Ledger{q} }

// ledgerKey begins the keys of the pages.
const ledgerKey = "ledger."

func (l Ledger) subject(installation int64) string {
	return l.q.names.note(ledgerKey + strconv.FormatInt(installation, 10))
}

// Read returns the page of an installation and its revision, 0 without a page.
func (l Ledger) Read(ctx context.Context, installation int64) (page []byte, revision uint64, err error) {
	m, err := lastOf(ctx, l.q.notes, l.subject(installation))
	return m.Data, m.Sequence, err
}

// The codes of JetStream's errors for a page that another replica has written, or is writing.
const (
	codeWrongLast        = 10071
	codeWrongLastUnknown = 10164
)

// Write replaces the page of an installation if it still has a revision, and reports whether it had.
func (l Ledger) Write(ctx context.Context, installation int64, page []byte, revision uint64) (ok bool, err error) {
	m := nats.NewMsg(l.subject(installation))
	m.Data = page
	m.Header.Set(jetstream.ExpectedLastSubjSeqHeader, strconv.FormatUint(revision, 10))
	_, err = l.q.store(ctx, m)
	if api, is := errors.AsType[*jetstream.APIError](err); is && (api.ErrorCode == codeWrongLast || api.ErrorCode == codeWrongLastUnknown) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write the ledger: %w", err)
	}
	return true, nil
}

// Since returns the time from which no page was lost. It is the zero time where the notes are as old as the tasks: before them was no
// replica, unless all of the storage was lost under running ones. Then a minute can see more than the budget, once.
func (l Ledger) Since(ctx context.Context) (time.Time, error) {
	var made []time.Time
	for _, name := range []string{l.q.names.taskStream(), l.q.names.noteStream()} {
		stream, err := l.q.js.Stream(ctx, name)
		if err != nil {
			return time.Time{}, fmt.Errorf("ask for the age of stream %s: %w", name, err)
		}
		made = append(made, stream.CachedInfo().Created)
	}
	if made[1].Sub(made[0]) < time.Minute {
		return time.Time{}, nil
	}
	return made[1], nil
}

// Watch calls a function with each installation whose page another replica writes, until the Queue is closed.
func (l Ledger) Watch(changed func(installation int64)) error {
	if _, err := l.q.conn.Subscribe(l.q.names.note(ledgerKey+"*"), func(m *nats.Msg) {
		installation, err := strconv.ParseInt(strings.TrimPrefix(m.Subject, l.q.names.note(ledgerKey)), 10, 64)
		if err == nil {
			changed(installation)
		}
	}); err != nil {
		return fmt.Errorf("watch the ledger: %w", err)
	}
	return nil
}
