package app_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
)

// until waits until the board of a replica has as many issues that wait for a person as one expects. It looks again whenever its stream
// tells that something changed.
func (w *world) until(of *colony, want ...string) {
	w.t.Helper()
	now := w.colony
	w.colony = of
	defer func() { w.colony = now }()
	stream, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(stream, http.MethodGet, of.address+"/board/-/changes", http.NoBody)
	w.Must(err)
	response, err := http.DefaultClient.Do(request)
	w.Must(err)
	defer func() { _ = response.Body.Close() }()
	is := []string{}
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if lines.Text() != "event: change" {
			continue
		}
		if is = append([]string{}, w.waiting()...); cmp.Equal(is, want) {
			return
		}
	}
	w.t.Fatalf("what waits for a person is %q, not %q", is, want)
}

// What one replica sees the others know, without a call; and one that starts late knows all that is there.
func TestBoardsOfReplicasShowTheSame(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, shared(t), func(c *config.Config) { c.Sweep.Watch = 0 })
	w.board = board.Open{}
	w.makeLabels()
	w.start()
	one := w.colony
	w.start()
	another := w.colony // webhooks go there
	t.Cleanup(func() {
		last := w.colony
		for _, w.colony = range []*colony{one, another} {
			if w.colony != last {
				w.stopColony()
			}
		}
		w.colony = last
	})
	w.install()
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.ResetCalls()
	i.Label("olivia", "colony:needs-clarification")
	w.Settle()
	for _, replica := range []*colony{one, another} {
		w.until(replica, "acme/widgets#1 awaiting-human")
	}
	if _, whole, logs := w.issueReads(); whole != 1 || len(logs) != 1 {
		t.Errorf("%d issues and the logs of %v were read", whole, logs)
	}

	w.start()
	late := w.colony
	w.Settle()
	w.until(late, "acme/widgets#1 awaiting-human")
	second := w.open("olivia", "", "colony:needs-clarification")
	w.Settle()
	for _, replica := range []*colony{one, another, late} {
		w.until(replica, "acme/widgets#1 awaiting-human", "acme/widgets#2 awaiting-human")
	}
	w.Must(w.github.DeleteIssue("acme", "widgets", second.Number, "mona"))
	w.Issues = w.Issues[:1]
	w.Settle()
	for _, replica := range []*colony{one, another, late} {
		w.until(replica, "acme/widgets#1 awaiting-human")
	}
	w.colony = one
	_, _, root := w.page("/board/acme/widgets/flow")
	if text := textOf(root); !strings.Contains(text, "new 1 less than a minute") {
		t.Errorf("the replica does not know the past of what it did not read: %s", text)
	}
	w.colony = late
}
