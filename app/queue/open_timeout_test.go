package queue

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rs/zerolog"
)

// ringing does something once when a log has a line with some words.
type ringing struct {
	words string
	once  sync.Once
	do    func()
}

// Write implements io.Writer.
func (r *ringing) Write(line []byte) (int, error) {
	if strings.Contains(string(line), r.words) {
		r.once.Do(r.do)
	}
	return len(line), nil
}

func TestOpenWaitsForAServerThatStartsLater(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: port, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), SyncAlways: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	log := &ringing{words: "NATS is not ready", do: s.Start}
	q := open(t, Options{URL: "nats://" + l.Addr().String(), Log: zerolog.New(log)})
	ran := make(chan string, 1)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) { ran <- task.ID; return nil, nil })
	publish(t, q, Task{ID: "first", Issue: 1})
	if got := receive(t, ran); got != "first" {
		t.Errorf("%s ran", got)
	}
	log.once.Do(func() { t.Error("the server was there from the beginning: nothing was waited for") })
}

func TestOpenDoesNotWaitWhereWaitingIsOfNoUse(t *testing.T) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(), Username: "colony", Password: "right",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	if !s.ReadyForConnections(patience) {
		t.Fatal("the server does not start")
	}
	waited := &ringing{words: "NATS is not ready", do: func() { t.Error("was tried again") }}
	address := strings.Replace(s.ClientURL(), "nats://", "nats://colony:wrong@", 1)
	q, err := Open(t.Context(), Options{URL: address, Log: zerolog.New(waited), fixed: fixed{openTimeout: time.Hour}})
	if err == nil {
		closed(t, q)
		t.Fatal("opened with a wrong password")
	}
	if !strings.Contains(err.Error(), "queue.url") || strings.Contains(err.Error(), "wrong") {
		t.Errorf("%v", err)
	}
}
