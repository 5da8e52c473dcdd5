package app_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func TestPermissionsReducedAndRestored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i, command := w.stateful("colony:in-review"), w.stateful("colony:in-review")
	w.Must(w.github.SetInstallationPermissions(w.Installation, map[string]string{"issues": "read"}))
	w.Settle()
	i.Label("olivia", "colony:new")
	order := command.Comment("olivia", "/colony:move merge-pending")
	w.Settle()
	i.Has("colony:in-review", "colony:new") // nothing half done
	command.Has("colony:in-review")
	if n := w.givenUp(); n == 0 {
		t.Error("/readyz does not show that something was given up")
	}
	w.Must(w.github.SetInstallationPermissions(w.Installation, map[string]string{"issues": "write"}))
	w.Sweep()
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("from `in-review` to `new`")
	command.Has("colony:merge-pending")
	command.ColonyReacts(order, "+1")
}

func TestRepositoryRenamed(t *testing.T) {
	t.Parallel()
	t.Run("before the look", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		i := w.stateful("colony:in-review")
		w.github.HoldDeliveries()
		i.Label("olivia", "colony:new")
		w.Must(w.github.RenameRepository("acme", "widgets", "gizmos"))
		w.github.ReleaseDeliveries(nil)
		w.Settle()
		i.Has("colony:in-review", "colony:needs-human")
		i.ColonySays("from `in-review` to `new`")
		i.Label("olivia", "colony:merge-pending")
		w.Settle()
		i.Has("colony:merge-pending")
	})
	t.Run("and another one takes its name", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		i := w.stateful("colony:in-review")
		i.ReadsNothingMore() // its address is another's now
		w.github.HoldDeliveries()
		i.Label("olivia", "colony:new")
		i.Comment("olivia", "/colony:block it burns")
		w.Must(w.github.RenameRepository("acme", "widgets", "gizmos"))
		w.github.AddRepository("acme", "widgets")
		w.github.SetPermission("acme", "widgets", "olivia", "write")
		w.github.SetPermission("acme", "widgets", "mona", "maintain")
		other := w.open("olivia", "", "colony:planning")
		if other.Number != i.Number {
			t.Fatalf("the other is #%d, not #%d", other.Number, i.Number)
		}
		w.github.ReleaseDeliveries(nil)
		w.Settle()
		w.Sweep()
		other.Has("colony:planning")
		moved, _, err := w.As("mona").Issues.ListLabelsByIssue(ctx, "acme", "gizmos", i.Number, nil)
		w.Must(err)
		if len(moved) != 1 || moved[0].GetName() != "colony:failure-blocked" {
			t.Errorf("the labels in the renamed repository: %v", moved)
		}
	})
	t.Run("between reading and writing", func(t *testing.T) {
		t.Parallel()
		w := newWorldWithoutColony(t)
		between := &interloper{method: http.MethodDelete, does: func() { w.Must(w.github.RenameRepository("acme", "widgets", "gizmos")) }}
		w.transport = between
		w.start()
		w.install()
		i := w.stateful("colony:in-development")
		i.Label("olivia", "colony:in-review")
		w.Settle()
		i.Has("colony:in-review")
	})
}

// interloper does something once, right after Colony has read what it needs and before its first write of a kind.
type interloper struct {
	once   sync.Once
	method string
	does   func()
}

// Colony silently drops what is pending for an issue that is gone.
func TestIssueThatIsGone(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(w *world, number int) error{
		"deleted":                   func(w *world, n int) error { return w.github.DeleteIssue("acme", "widgets", n, "mona") },
		"converted to a discussion": func(w *world, n int) error { return w.github.ConvertToDiscussion("acme", "widgets", n, "mona") },
		"with its repository":       func(w *world, _ int) error { return w.github.DeleteRepository("acme", "widgets") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.stateful("colony:in-review")
			w.github.ResetCalls()
			i.Label("olivia", "colony:new")
			w.Quiet() // the refusal waits for its time
			if w.Delayed() == 0 {
				t.Fatal("nothing is pending")
			}
			w.github.HoldDeliveries()
			i.Comment("olivia", "/colony:status")
			w.Must(remove(w, i.Number))
			i.ReadsNothingMore()
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			w.Sweep()
			w.WritesNothing("to what is gone")
			if n := w.Delayed(); n > 0 {
				t.Errorf("%d requests for what is gone are retried", n)
			}
		})
	}
}

func TestTransferredWithSomethingPending(t *testing.T) {
	t.Parallel()
	for name, pending := range map[string]func(i *issue){
		"command": func(i *issue) { i.Comment("olivia", "/colony:move merge-pending") },
		"move":    func(i *issue) { i.Label("olivia", "colony:merge-pending") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.github.AddRepository("acme", "gadgets")
			w.github.SetPermission("acme", "gadgets", "olivia", "write")
			w.github.SetPermission("acme", "gadgets", "mona", "maintain")
			w.Settle()
			// The number is taken in both repositories: what is meant for one must not be written to the other.
			neighbour, _, err := w.As("olivia").Issues.Create(ctx, "acme", "gadgets", &github.IssueRequest{
				Title: new("A gadget"), Labels: &[]string{"colony:in-review"},
			})
			w.Must(err)
			i := w.stateful("colony:in-review")
			if neighbour.GetNumber() != i.Number {
				t.Fatalf("the neighbour is #%d, not #%d", neighbour.GetNumber(), i.Number)
			}
			w.github.HoldDeliveries()
			pending(i)
			number, err := w.github.TransferIssue("acme", "widgets", i.Number, "gadgets", "mona")
			w.Must(err)
			i.ReadsNothingMore()
			w.github.ReleaseDeliveries(nil)
			w.Settle()
			w.Sweep()
			labels := func(number int) []string {
				list, _, err := w.As("mona").Issues.ListLabelsByIssue(ctx, "acme", "gadgets", number, nil)
				w.Must(err)
				names := []string{}
				for _, l := range list {
					names = append(names, l.GetName())
				}
				return names
			}
			if diff := cmp.Diff([]string{"colony:in-review"}, labels(neighbour.GetNumber())); diff != "" {
				t.Errorf("the neighbour: %s", diff)
			}
			if diff := cmp.Diff([]string{"colony:merge-pending"}, labels(number)); diff != "" {
				t.Errorf("what was transferred: %s", diff)
			}
		})
	}
}

func (i *interloper) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == i.method && !strings.Contains(r.URL.Path, "access_tokens") {
		i.once.Do(i.does)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// givenUp counts the requests that were given up, as /readyz shows.
func (w *world) givenUp() int { return w.colony.ready().Queue.Dead }
