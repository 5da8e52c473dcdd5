package queue

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestAForeignStreamIsLeftAlone(t *testing.T) {
	url := external(t)
	q := open(t, Options{URL: url, fixed: fixed{prefix: "one"}})
	if _, err := q.js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "two-task", Subjects: []string{"two.task.>"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{URL: url, fixed: fixed{prefix: "two"}}); err == nil || !strings.Contains(err.Error(), "queue.url") {
		t.Errorf("opened: %v", err)
	}
}
