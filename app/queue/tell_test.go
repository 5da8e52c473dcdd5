package queue

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOnlyOthersHearWhatIsTold(t *testing.T) {
	t.Parallel()
	_, address := cluster(t)
	one, another := openOnCluster(t, Options{URL: address}), openOnCluster(t, Options{URL: address})
	heard := make(chan string, 10)
	for name, q := range map[string]*Queue{"one": one, "another": another} {
		if err := q.Hear(func(word []byte) { heard <- name + ": " + string(word) }); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []*Queue{one, another} {
		if err := q.Tell([]byte("hello")); err != nil {
			t.Fatal(err)
		}
	}
	got := map[string]int{}
	for range 2 {
		select {
		case word := <-heard:
			got[word]++
		case <-t.Context().Done():
			t.Fatal("nothing was heard")
		}
	}
	if diff := cmp.Diff(map[string]int{"one: hello": 1, "another: hello": 1}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := one.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := one.Tell(nil); err == nil {
		t.Error("a closed queue still tells")
	}
}
