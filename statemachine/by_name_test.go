package statemachine

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/lifecycle"
)

// Who renames a label into a state's moves no issue: neither around the table nor past a guard, and takes no move back.
func TestALabelThatCameByItsNameMovesNothing(t *testing.T) {
	guarded := *adopting(t, "colony")
	guarded.Guards = []lifecycle.Guard{{Name: "maintainers", To: []string{"merge-pending"}, Requires: []lifecycle.Condition{{Kind: lifecycle.HasLogin, Words: []string{"mona"}}}}}
	plain := adopting(t, "colony")
	plain.Guards = nil
	const refusedNew = "[3]  done>new no-event"
	for _, c := range []struct {
		name     string
		life     *Table
		log      []string
		labels   string
		begun    time.Duration
		state    string
		trail    string
		rejected string
	}{
		{"it is no move", plain, []string{"olga +done", "olga +bug"}, "done new", 0, "done", "unlabeled>done", ""},
		{"a move is not taken back to it", plain, []string{"olga +done", "olga +bug", "olga -done"}, "new", 0, "done", "unlabeled>done", "[3] olga done> not-in-table"},
		{"whoever takes the label of the state off first", plain, []string{"olga +bug", "olga +done", "olga -done"}, "new", 0, "done", "unlabeled>done", "[3] olga done> not-in-table"},
		{"also where it was there first", plain, []string{"olga +bug", "olga +done", "olga -done"}, "new", 15 * time.Second, "done", "new>done", "[3] olga done> not-in-table"},
		{"it is refused once Colony took it off", plain, []string{"olga +done", "olga +bug", "colony -new"}, "done", 0, "done", "unlabeled>done", refusedNew},
		{"who takes it off again needs no answer", plain, []string{"olga +done", "olga +bug", "olga -new"}, "done", 0, "done", "unlabeled>done", ""},
		{"a second one is refused for itself", plain, []string{"olga +done", "olga +bug", "colony -new", "olga +help wanted", "colony -new"}, "done", 0, "done", "unlabeled>done", refusedNew + "; [5]  done>new no-event"},
		{"the second name of a refused label is not another one", plain, []string{"olga +done", "olga +bug", "olga +status: new", "olga +Old new", "colony -status: new", "colony -Old new"}, "done", 0, "done", "unlabeled>done", "[3] olga done>new not-in-table; [4] olga done>new not-in-table"},
		{"it rewrites no history", plain, []string{"olga +new", "olga +in-review", "olga -new", "olga +bug"}, "in-review done", 0, "in-review", "unlabeled>new new>in-review", ""},
		{"nor once somebody took it off", plain, []string{"olga +new", "olga +in-review", "olga -new", "olga +bug", "olga -done"}, "in-review", 0, "in-review", "unlabeled>new new>in-review", ""},
		{"the label of another state is renamed", plain, []string{"olga +new", "olga +in-review", "colony -new"}, "done", 0, "in-review", "unlabeled>new new>in-review", ""},
		{"a label of the first one's name hides nothing", plain, []string{"olga +done", "olga +bug", "olga +bug"}, "done new bug", 0, "done", "unlabeled>done", ""},
		{"an old name is no way around it", plain, []string{"olga +new", "olga +done", "colony -new", "olga +bug", "olga -done"}, "status: new", 0, "done", "unlabeled>new new>done", "[5] olga done> not-in-table"},
		{"it passes no guard", &guarded, []string{"olga +in-review", "olga +bug"}, "in-review merge-pending", 0, "in-review", "unlabeled>in-review", ""},
		{"on an issue without a state it is refused too", &guarded, []string{"olga +bug"}, "merge-pending", 0, "unlabeled", "", ""},
		{"renamed before Colony came, it was there first", plain, []string{"olga +bug", "bot +analyzing"}, "new analyzing", 5 * time.Second, "analyzing", "new>analyzing", ""},
		{"nor is the label of the state that Colony moves the issue on from", plain, []string{"olga +new", "olga +bug", "bot +done", "bot -new", "colony -done", "colony +new", "colony -failure-blocked"}, "new", 0, "new", "unlabeled>new bad-request:new>failure-blocked failure-blocked>new", "[3] bot new>done not-for-role led to failure-blocked"},
		{"a label that was deleted says nothing of others", plain, []string{"olga +new", "olga +bug", "olga +analyzing", "colony -new"}, "analyzing", 0, "analyzing", "unlabeled>new new>analyzing", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := traced(changes(t, c.log...))
			h.Labels, h.Begun = labelList(c.labels), morning.Add(c.begun)
			if c.labels == "status: new" {
				h.Labels = []string{c.labels}
			}
			got := c.life.Fold(h)
			if got.State != c.state {
				t.Errorf("state %s, want %s", got.State, c.state)
			}
			if diff := cmp.Diff(c.trail, trail(got.Trail)); diff != "" {
				t.Errorf("trail (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.rejected, rejected(got.Rejections)); diff != "" {
				t.Errorf("rejections (-want +got)\n%s", diff)
			}
		})
	}
}

// Where Colony undoes nothing, such a label stays. It is no beginning either: the moves before it would be checked from a state that no one put there.
func TestALabelThatCameByItsNameIsNoBeginningWhereItStays(t *testing.T) {
	life := adopting(t, "colony")
	for _, c := range []struct {
		name     string
		log      []string
		labels   string
		begun    time.Duration
		trail    string
		rejected string
	}{
		{"it stays", []string{"olga +new", "olga +analyzing", "olga -new", "olga +bug"}, "analyzing merge-pending", 0, "unlabeled>new new>analyzing", ""},
		{"someone takes it off", []string{"olga +new", "olga +analyzing", "olga -new", "olga +bug", "olga -merge-pending"}, "analyzing", 0, "unlabeled>new new>analyzing", ""},
		{"Colony took it off for a command", []string{"olga +new", "olga +bug", "colony -analyzing", "colony +analyzing", "colony -new"}, "analyzing", 0, "unlabeled>new new>analyzing", ""},
		{"an issue whose state is taken off does not leave for it", []string{"olga +new", "olga +analyzing", "olga -new", "olga +bug", "olga -analyzing"}, "new", 0, "unlabeled>new new>analyzing stood:analyzing>unlabeled", "[5] olga analyzing> not-in-table"},
		{"renamed before Colony came, it was there first", []string{"olga +bug", "olga +in-review"}, "in-review merge-pending", 5 * time.Second, "merge-pending>in-review", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := traced(changes(t, c.log...))
			h.Labels, h.Begun, h.Stands = labelList(c.labels), morning.Add(c.begun), true
			got := life.Fold(h)
			if is := trail(got.Trail); is != c.trail || rejected(got.Rejections) != c.rejected {
				t.Errorf("the trail is %q, want %q; refused: %s", is, c.trail, rejected(got.Rejections))
			}
		})
	}
}
