package queue

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyOthersReceiveABroadcast(t *testing.T) {
	t.Parallel()
	// One node: in a cluster, each learns a moment later who listens at the others, and what is broadcast before that is lost.
	address := external(t)
	one, another := open(t, Options{URL: address}), open(t, Options{URL: address})
	heard := make(chan string, 10)
	for name, q := range map[string]*Queue{"one": one, "another": another} {
		if err := q.Subscribe(func(word []byte) { heard <- name + ": " + string(word) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []*Queue{one, another} {
		if err := q.Broadcast([]byte("hello")); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]int{}
	for range 2 {
		got[receive(t, heard)]++
	}
	if diff := cmp.Diff(map[string]int{"one: hello": 1, "another: hello": 1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := one.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := one.Broadcast(nil); err == nil {
		t.Error("a closed queue still broadcasts")
	}
}
