package statemachine

import (
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

// stood is where an issue stands whose first state is older than all that happens, where what is illegal stands.
func stood(life *Table, judged time.Time, changes ...Change) Standing {
	labels := labelSet{}
	for i := range changes {
		changes[i].ID = int64(i + 1)
		if changes[i].Added {
			labels.add(changes[i].Label)
		} else {
			labels.remove(changes[i].Label)
		}
	}
	var there []string
	for _, l := range labels {
		there = append(there, l)
	}
	slices.Sort(there)
	return life.Fold(History{Changes: changes, Labels: there, Terms: Terms{JudgedSince: judged, Stands: true}})
}

// A label that somebody takes off and somebody else puts back, hours later, is refused once, when it is taken off. That it is put back is no
// move, whether the horizon has passed the removal by then or not.
func TestALabelThatIsPutBackIsNoMoveOnceTheRemovalIsSettled(t *testing.T) {
	t.Parallel()
	life := shipped(t, "prp")
	changes := []Change{
		{Moment: Moment{At: morning}, Added: true, Label: "colony:researching", By: cast["olga"]},
		{Moment: Moment{At: morning.Add(time.Hour)}, Label: "colony:researching", By: cast["olga"]},
		{Moment: Moment{At: morning.Add(3 * time.Hour)}, Added: true, Label: "colony:researching", By: cast["bot"]},
	}
	for _, after := range []time.Duration{30 * time.Minute, 90 * time.Minute, 2 * time.Hour, 4 * time.Hour} {
		s := stood(life, morning.Add(after), slices.Clone(changes)...)
		open := slices.DeleteFunc(s.Rejections, func(r Rejection) bool { return r.Withdrawn })
		if s.State != "researching" || len(open) > 0 || slices.ContainsFunc(s.Trail, func(m Move) bool { return m.ID == 3 }) {
			t.Errorf("judged since %s: in %s, refused %+v, trail %+v", after, s.State, s.Rejections, s.Trail)
		}
	}
	gone := stood(life, morning.Add(2*time.Hour), slices.Clone(changes[:2])...)
	if gone.State != life.Initial {
		t.Errorf("without it the issue is in %s", gone.State)
	}
}

// What stood has moved the issue. If it comes back there, and the label goes by the same hand, that is no other half of what stood long ago:
// it is the first half of what comes next, whether the horizon has passed what stood by then or not.
func TestARemovalIsNoHalfOfWhatStoodLongAgo(t *testing.T) {
	t.Parallel()
	life := shipped(t, "colony")
	edit := func(hour int, added bool, state, by string) Change {
		return Change{Moment: Moment{At: morning.Add(time.Duration(hour) * time.Hour)}, Added: added, Label: "colony:" + state, By: cast[by]}
	}
	changes := []Change{
		edit(0, true, "done", "olga"),
		edit(1, true, "in-development", "olga"), // stands
		edit(1, false, "done", "omar"),
		edit(2, true, "failure-blocked", "omar"),
		edit(3, true, "done", "omar"),
		edit(3, false, "failure-blocked", "omar"),
		edit(40, false, "done", "olga"),
		edit(40, true, "new", "olga"),
	}
	for _, judged := range []time.Duration{-time.Hour, 20 * time.Hour, 50 * time.Hour} {
		s := stood(life, morning.Add(judged), slices.Clone(changes)...)
		last, _ := s.Since()
		if s.State != "new" || last.From != "done" || last.ID != 8 {
			t.Errorf("judged since %s: in %s by %+v", judged, s.State, last)
		}
	}
}

// A legal move leaves one label, also where illegal changes left others before. What is put there illegally afterwards stays beside it.
func TestALegalMoveLeavesOneLabelWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	life := shipped(t, "colony")
	put := func(minute int, state, by string) Change {
		return Change{Moment: Moment{At: morning.Add(time.Duration(minute) * time.Minute)}, Added: true, Label: "colony:" + state, By: cast[by]}
	}
	illegal := []Change{put(0, "in-review", "olga"), put(1, "new", "olga")}
	for name, c := range map[string]struct {
		changes []Change
		state   string
		gone    []string
	}{
		"an illegal change":               {illegal, "new", nil},
		"a legal one after it":            {append(slices.Clip(illegal), put(2, "analyzing", "omar")), "analyzing", []string{"colony:in-review", "colony:new"}},
		"an illegal one after that again": {append(slices.Clip(illegal), put(2, "analyzing", "omar"), put(3, "done", "bot")), "done", []string{"colony:in-review", "colony:new"}},
		"two illegal ones":                {append(slices.Clip(illegal), put(2, "unknown", "bot"), put(3, "in-review", "bot"), put(4, "done", "bot")), "done", nil},
	} {
		for _, judged := range []time.Duration{-time.Hour, time.Hour} {
			s := stood(life, morning.Add(judged), slices.Clone(c.changes)...)
			labels := slices.DeleteFunc(slices.Clone(s.Present), func(l string) bool { return l == "colony:unknown" })
			d, _ := life.Decide(modelThresholds, Case{Standing: s, Labels: labels, Now: morning.Add(2 * time.Hour)}, Evidence{
				Said:  Said{Answered: func(int64) bool { return true }},
				Facts: Facts{Read: lifecycle.EveryReading()},
			})
			gone := d.Remove
			slices.Sort(gone)
			want := c.gone
			if judged > 0 { // all of it is settled
				want = nil
			}
			if s.State != c.state || !slices.Equal(gone, want) {
				t.Errorf("%s, judged since %s: in %s, gone are %v", name, judged, s.State, gone)
			}
		}
	}
}

// A label that comes long after the state's label was taken off does not answer that: the issue has left its state before.
func TestALabelThatComesLateDoesNotTellWhereTheIssueWent(t *testing.T) {
	t.Parallel()
	s := stood(colony(t), morning.Add(-time.Hour), changes(t, "olga +in-review", "omar -in-review", "rev +done @1h")...)
	if got, want := trail(s.Trail), "unlabeled>in-review stood:in-review>unlabeled stood:unlabeled>done"; got != want {
		t.Errorf("trail %s, want %s", got, want)
	}
}

// In mode `warn` a refused change counts as a move all the same. A state's label that was removed counts after a minute, or at the end of the
// log: docs/design.md, The fold.
func TestWhatStandsWhereColonyOnlyWarns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name            string
		log             []string
		trail, rejected string
	}{
		{"an illegal label", []string{"olga +in-review", "olga +new"}, "unlabeled>in-review stood:in-review>new", "[2] olga in-review>new not-in-table"},
		{"what follows is judged from there", []string{"olga +in-review", "olga +new", "bot +done"}, "unlabeled>in-review stood:in-review>new stood:new>done", "[2] olga in-review>new not-in-table; [3] bot new>done not-for-role"},
		{"an illegal swap that adds first", []string{"olga +in-review", "olga +new", "olga -in-review"}, "unlabeled>in-review stood:in-review>new", "[2] olga in-review>new not-in-table"},
		{"one that removes first is one move and one refusal", []string{"olga +in-review", "olga -in-review", "olga +new"}, "unlabeled>in-review stood:in-review>new", "[2 3] olga in-review>new not-in-table"},
		{"a legal swap that removes first", []string{"olga +in-review", "olga -in-review", "olga +done"}, "unlabeled>in-review in-review>done", "[2] olga in-review> not-in-table withdrawn"},
		{"the halves of two people", []string{"olga +in-review", "olga -in-review", "omar +done"}, "unlabeled>in-review in-review>done", "[2] olga in-review> not-in-table withdrawn"},
		{"within a minute they are halves", []string{"olga +in-review @0s", "olga -in-review @10s", "rev +changes-requested @70s"}, "unlabeled>in-review in-review>changes-requested", "[2] olga in-review> not-in-table withdrawn"},
		{"after a minute the issue has left", []string{"olga +in-review @0s", "olga -in-review @10s", "omar +new @71s"}, "unlabeled>in-review stood:in-review>unlabeled unlabeled>new", "[2] olga in-review> not-in-table"},
		{"at the end of the log it has too", []string{"olga +in-review", "olga -in-review"}, "unlabeled>in-review stood:in-review>unlabeled", "[2] olga in-review> not-in-table"},
		{"it leaves to the label that is left", []string{"olga +in-review", "olga +new", "olga +analyzing", "olga -analyzing @1h"}, "unlabeled>in-review stood:in-review>new", "[2] olga in-review>new not-in-table"},
		{"to the one that came last of those", []string{"olga +planning", "olga +paused", "olga -paused @1h"}, "unlabeled>planning", ""},
		{"who puts it back in time leaves nothing", []string{"olga +in-review @0s", "olga -in-review @10s", "omar +in-review @20s", "olga +done @1h"}, "unlabeled>in-review in-review>done", "[2] olga in-review> not-in-table withdrawn"},
		{"who takes an illegal label off again takes the move back", []string{"olga +in-review", "olga +new", "omar -new"}, "unlabeled>in-review", "[2] olga in-review>new not-in-table withdrawn"},
		{"a bad request leads where it asks for", []string{"olga +in-development", "dev +done"}, "unlabeled>in-development stood:in-development>done", "[2] dev in-development>done not-for-role"},
		{"a label that names no state moves nothing", []string{"olga +in-review", "bot +colony:in-reveiw"}, "unlabeled>in-review", "[2] bot in-review>colony:in-reveiw not-a-state"},
		{"a move beyond a limit stands", append(cycles(5), "rev +changes-requested"), trail(colony(t).Fold(traced(changes(t, cycles(5)...))).Trail) + " stood:in-review>changes-requested", "[32] rev in-review>changes-requested limit-reached"},
		{"a forced move is forced", []string{"olga +done", "colony +colony:forced", "colony +in-review"}, "unlabeled>done forced:done>in-review", ""},
		{"what Colony adds in vain does not stand", []string{"olga +in-review", "colony +new"}, "unlabeled>in-review", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := traced(changes(t, c.log...))
			h.Stands = true
			s := colony(t).Fold(h)
			if diff := cmp.Diff([]string{c.trail, c.rejected}, []string{trail(s.Trail), rejected(s.Rejections)}); diff != "" {
				t.Errorf("trail, rejected (-want +got)\n%s", diff)
			}
		})
	}
}

// What was taken off before the table came into force is settled with all that stood then, and no half of anything.
func TestWhatWasTakenOffBeforeTheTableIsSettled(t *testing.T) {
	t.Parallel()
	h := traced(changes(t, "olga +in-review @0h", "olga -in-review @1h", "olga +new @3h"))
	h.Stands, h.Begun, h.JudgedSince = true, morning.Add(2*time.Hour), morning.Add(2*time.Hour)
	if got, want := trail(colony(t).Fold(h).Trail), "unlabeled>in-review settled:in-review>unlabeled unlabeled>new"; got != want {
		t.Errorf("trail %s, want %s", got, want)
	}
}

// Where Colony only warns it takes off what an allowed move left behind, as far as the log says that it is there, and nothing else.
func TestWhatGoesWhereColonyOnlyWarns(t *testing.T) {
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"what a legal move left behind", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga +merge-pending"}}, "-in-review"},
		{"not what the log says is gone", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga +merge-pending", "olga -in-review"}, labels: "in-review merge-pending", later: time.Minute}, ""},
		{"what was there before the log goes too", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga +merge-pending", "olga -in-review"}, labels: "new merge-pending", later: time.Minute}, "-new"},
		{"nor labels that name no state", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga +merge-pending", "olga -in-review", "olga +bug"}}, ""},
		{"nor what somebody put there since, illegally", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga +merge-pending", "olga -in-review", "olga +new"}, answers: []int64{4}, later: time.Minute}, ""},
		{"a removed label is not put back", observation{life: "colony", warns: true, log: []string{"olga +in-review", "olga -in-review"}, answers: []int64{2}, later: time.Minute}, ""},
	})
}
