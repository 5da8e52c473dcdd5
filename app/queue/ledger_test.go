package queue

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// page asserts which page a ledger has, and returns its revision.
func page(t *testing.T, l Ledger, installation int64, want string) uint64 {
	t.Helper()
	got, revision, err := l.Read(t.Context(), installation)
	if err != nil || string(got) != want || (revision == 0) != (want == "") {
		t.Errorf("the page of %d is %q, of revision %d (%v), want %q", installation, got, revision, err, want)
	}
	return revision
}

// write asserts whether a page is written over a revision.
func write(t *testing.T, l Ledger, installation int64, text string, revision uint64, want bool) {
	t.Helper()
	if ok, err := l.Write(t.Context(), installation, []byte(text), revision); err != nil || ok != want {
		t.Errorf("write %q over revision %d: %t (%v), want %t", text, revision, ok, err, want)
	}
}

func TestOneReplicaAtATimeWritesAPage(t *testing.T) {
	t.Parallel()
	address := external(t)
	one, another := open(t, Options{URL: address}).Ledger(), open(t, Options{URL: address}).Ledger()
	changed := make(chan int64, 10)
	if err := another.Watch(func(installation int64) { changed <- installation }); err != nil {
		t.Fatal(err)
	}
	if err := another.q.conn.Flush(); err != nil { // from now on it watches
		t.Fatal(err)
	}
	page(t, one, 7, "")
	write(t, one, 7, "first", 0, true)
	if got := receive(t, changed); got != 7 {
		t.Errorf("the page of %d changed, want 7", got)
	}
	write(t, another, 7, "too late", 0, false)
	write(t, one, 8, "of another installation", 0, true)
	revision := page(t, another, 7, "first")
	write(t, another, 7, "second", revision, true)
	write(t, one, 7, "too late", revision, false)
	page(t, one, 7, "second")
	receive(t, changed)
	receive(t, changed) // tried in vain
	if len(changed) > 0 {
		t.Errorf("it notes its own write to the page of %d", <-changed)
	}
}

func TestThePagesOfALostStream(t *testing.T) {
	t.Parallel()
	q := open(t, Options{URL: external(t)})
	if since, err := q.Ledger().Since(t.Context()); err != nil || !since.IsZero() {
		t.Errorf("since %s (%v), want the zero time: all streams are new", since, err)
	}
}

func TestAClusterTakesOneOfManyWrites(t *testing.T) {
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	_, address := cluster(t)
	var replicas []Ledger
	for range 3 {
		replicas = append(replicas, openOnCluster(t, Options{URL: address, fixed: fixed{partitions: 1}}).Ledger())
	}
	const rounds = 30
	var written atomic.Int64
	for n := range rounds {
		_, revision, err := replicas[0].Read(t.Context(), 7)
		if err != nil {
			t.Fatal(err)
		}
		var writing sync.WaitGroup
		var accepted atomic.Int64
		for _, l := range replicas {
			writing.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				switch ok, err := l.Write(ctx, 7, fmt.Append(nil, n), revision); {
				case err != nil:
					t.Error(err)
				case ok:
					accepted.Add(1)
				}
			})
		}
		writing.Wait()
		if accepted.Load() > 1 {
			t.Fatalf("%d replicas wrote over revision %d", accepted.Load(), revision)
		}
		written.Add(accepted.Load())
	}
	if written.Load() < rounds/2 {
		t.Errorf("%d of %d rounds wrote something", written.Load(), rounds)
	}
}
