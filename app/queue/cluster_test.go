package queue

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/nats-io/nats-server/v2/server"
)

// cluster starts three NATS servers on loopback ports and returns their addresses as queue.url takes them.
func cluster(t *testing.T) (nodes []*server.Server, address string) {
	t.Helper()
	// Every node must know all routes from the start; the ports are free again when the nodes take them.
	var routes []*url.URL
	var ports []int
	var held []net.Listener // until all are known: a port that is free again can be given a second time
	for range 3 {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, l)
		routes = append(routes, &url.URL{Scheme: "nats", Host: l.Addr().String()})
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	for _, l := range held {
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for n, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("node-", n), Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), SyncAlways: true,
			Cluster: server.ClusterOpts{Name: "three", Host: "127.0.0.1", Port: port},
			Routes:  routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		go s.Start()
		t.Cleanup(func() {
			s.Shutdown()
			s.WaitForShutdown()
		})
		nodes = append(nodes, s)
	}
	var addresses []string
	for _, s := range nodes {
		if !s.ReadyForConnections(patience) {
			t.Fatal("a node does not start")
		}
		addresses = append(addresses, s.ClientURL())
	}
	return nodes, strings.Join(addresses, ",")
}

// openOnCluster opens a queue while the cluster still elects its leaders.
func openOnCluster(t *testing.T, o Options) *Queue {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	q, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, q) })
	return q
}

func TestClusterLosesANodeAndNoTask(t *testing.T) {
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	nodes, address := cluster(t)
	clock := clockwork.NewFakeClock()
	q := openOnCluster(t, Options{URL: address, Clock: clock, fixed: fixed{partitions: 2}})
	if got := q.tasks.CachedInfo().Config.Replicas; got != 3 {
		t.Errorf("%d copies, want 3", got)
	}
	ran := make(chan string, 100)
	start(t, q, func(_ context.Context, task Task) (*Requeue, error) {
		if task.ID == "later" && task.Attempt == 0 {
			return &Requeue{After: time.Hour}, nil
		}
		ran <- task.ID
		return nil, nil
	})
	persist := func(id string) { // as GitHub's redelivery does: again, until accepted
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		for {
			try, end := context.WithTimeout(ctx, 10*time.Second) // an answer can be lost with its node
			_, err := q.Publish(try, Task{ID: id, Issue: 1})
			end()
			if err == nil {
				return
			}
			if ctx.Err() != nil {
				t.Fatal(err)
			}
		}
	}
	persist("later")
	persist("before")
	idle(t, q)
	nodes[0].Shutdown()
	nodes[0].WaitForShutdown()
	persist("after")
	persist("before")
	for {
		if id := receive(t, ran); id == "after" {
			break
		}
	}
	clock.Advance(time.Hour)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { // while another node takes over, what is due cannot be moved and is tried again
		for clock.BlockUntilContext(ctx, 1) == nil {
			clock.Advance(retryAfter)
		}
	}()
	if diff := cmp.Diff("later", receive(t, ran)); diff != "" {
		t.Error(diff)
	}
	if len(ran) > 0 {
		t.Errorf("%s ran twice", <-ran)
	}
}

func TestReplicasPublishOneTaskAtTheSameMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	_, address := cluster(t)
	var replicas []*Queue
	for range 3 {
		replicas = append(replicas, openOnCluster(t, Options{URL: address, fixed: fixed{partitions: 1}}))
	}
	var accepted, failed atomic.Int64
	const tasks = 50
	for n := range tasks {
		var publishing sync.WaitGroup
		for _, q := range replicas {
			publishing.Go(func() {
				switch duplicate, err := q.Publish(t.Context(), Task{ID: fmt.Sprint(n), Issue: 1}); {
				case err != nil:
					failed.Add(1)
					t.Error(err)
				case !duplicate:
					accepted.Add(1)
				}
			})
		}
		publishing.Wait()
	}
	if accepted.Load() != tasks || failed.Load() > 0 {
		t.Errorf("of %d tasks %d were accepted, with %d errors", tasks, accepted.Load(), failed.Load())
	}
}
