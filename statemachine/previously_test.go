package statemachine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
)

// adopting is a shipped lifecycle whose labels were called otherwise.
func adopting(t testing.TB, name string) *Table {
	t.Helper()
	text, err := lifecycle.ShippedFile(name)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	for _, state := range shippedWithGuards(t, name).States {
		if state.Label != "" {
			s = strings.Replace(s, "label: "+state.Label+"\n", fmt.Sprintf("label: %q\n    previously: [%q, %q]\n", state.Label, "status: "+state.Name, "Old "+state.Name), 1)
		}
	}
	life, err := Parse(name+".yml", []byte(s))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(life.Adopts()); n < 2*len(life.States)-2 {
		t.Fatalf("%s adopts %d names only", name, n)
	}
	return life
}

// renamed is the history of an issue whose labels were called otherwise up to an event. GitHub keeps the names as they were then, and shows
// the labels as they are called now.
func renamed(h History, life *Table, until int64) History {
	h.Changes = slices.Clone(h.Changes)
	for i, c := range h.Changes {
		if state, is := life.StateOf(c.Label); is && c.ID <= until {
			h.Changes[i].Label = "Status: " + state.Name
		}
	}
	return h
}

// A log says the same whenever the labels got the names that they have now.
func TestALogSaysTheSameWheneverItsLabelsWereRenamed(t *testing.T) {
	for _, name := range lifecycle.ShippedNames() {
		plain, life := shippedWithGuards(t, name), adopting(t, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			drawn, compared := 0, 0
			long.Check(t, func(t *rapid.T) {
				d := drawLog(t, plain)
				drawn++
				if d.repeats() || d.hurries() {
					return
				}
				compared++
				until := int64(rapid.IntRange(0, len(d.history.Changes)).Draw(t, "renamed after"))
				want, got := plain.Fold(d.history), life.Fold(renamed(d.history, life, until))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("renamed after %d of %d changes (-want +got):\n%s", until, len(d.history.Changes), diff)
				}
			})
			if !t.Failed() && compared*5 < drawn {
				t.Errorf("of %d logs %d were compared: too few to show anything", drawn, compared)
			}
		})
	}
}

// repeats reports whether a label was put on twice without being taken off: a label that is renamed meanwhile cannot be told from that.
func (d *drawnLog) repeats() bool {
	there := labelSet{}
	for _, c := range d.history.Changes {
		if c.Added == there.has(c.Label) {
			return true
		}
		if c.Added {
			there.add(c.Label)
		} else {
			there.remove(c.Label)
		}
	}
	return false
}

// hurries reports whether Colony puts a label on within a minute after another change: it may be the present name of a label that it owed,
// which nobody can tell from a move before the command is found.
func (d *drawnLog) hurries() bool {
	for i, c := range d.history.Changes {
		if i > 0 && c.Added && c.By.Kind == lifecycle.Colony && c.At.Sub(d.history.Changes[i-1].At) <= lateFor {
			return true
		}
	}
	return false
}

// tidied is the history of an issue on which people use old names for some labels, and Colony puts the present name there at once and takes
// the old one off. Ids are those of the history, times ten.
func tidied(h History, life *Table, old func() bool) History {
	var all []Change
	ordered := h.Ordered
	for _, c := range h.Changes {
		c.ID *= 10
		state, is := life.StateOf(c.Label)
		if !is || !c.Added || c.By.Kind == lifecycle.Colony || !old() {
			all = append(all, c)
			continue
		}
		name := state.Previously[0]
		put := c
		put.Label = name
		add := Change{Moment: Moment{At: c.At, ID: c.ID + 1}, Added: true, Label: state.Label, By: cast["colony"]}
		remove := Change{Moment: Moment{At: c.At, ID: c.ID + 2}, Label: name, By: cast["colony"]}
		all = append(all, put, add, remove)
	}
	h.Changes = all
	h.Ordered = func(id int64) (lifecycle.Actor, bool) {
		if id%10 > 0 {
			return lifecycle.Actor{}, true
		}
		return ordered(id / 10)
	}
	return h
}

// What Colony puts in order moves nothing: the trail is as if everybody had used the present names.
func TestPuttingThePresentNameInPlaceOfAnOldOneMovesNothing(t *testing.T) {
	life := adopting(t, "colony")
	long.Check(t, func(t *rapid.T) {
		// Only what is legal, so that there is something to put in order: a refused label is taken off and not replaced.
		h := History{Terms: Terms{JudgedSince: morning}, Ordered: func(int64) (lifecycle.Actor, bool) { return lifecycle.Actor{}, true }}
		there := labelSet{}
		at := morning
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			standing := life.Fold(h)
			by := cast[rapid.SampledFrom([]string{"olga", "omar"}).Draw(t, "by")]
			next := life.NextAt(standing, by)
			if len(next) == 0 {
				break
			}
			to, from := rapid.SampledFrom(next).Draw(t, "to").To, life.Label(standing.State)
			h.Changes = append(h.Changes, Change{Moment: Moment{At: at, ID: int64(len(h.Changes) + 1)}, Added: true, Label: life.Label(to), By: by})
			there.add(life.Label(to))
			if from != "" && from != life.Label(to) {
				h.Changes = append(h.Changes, Change{Moment: Moment{At: at, ID: int64(len(h.Changes) + 1)}, Label: from, By: by})
				there.remove(from)
			}
			h.Labels = slices.Sorted(maps.Values(there))
			at = at.Add(rapid.SampledFrom([]time.Duration{0, time.Second, 90 * time.Second}).Draw(t, "later"))
		}
		want := life.Fold(h)
		got := life.Fold(tidied(h, life, func() bool { return rapid.Bool().Draw(t, "old name") }))
		if got.State != want.State || len(got.Rejections) > 0 || len(got.Missing)+len(got.Unexplained) > 0 || !slices.Equal(got.Present, want.Present) {
			t.Fatalf("want %+v\ngot %+v", want, got)
		}
		if a, b := trail(want.Trail), trail(got.Trail); a != b {
			t.Fatalf("want the trail %s\ngot %s", a, b)
		}
	})
}

// A label that came under an old name without any event, as by a rename of another label, is where the issue begins; that Colony puts the
// present name there is no move, wherever it is interrupted.
func TestAnOldNameThatTheLogNeverTellsOf(t *testing.T) {
	t.Parallel()
	life := adopting(t, "colibri") // no way leads from outside to there
	colony := cast["colony"]
	add := Change{Moment: Moment{At: morning.Add(time.Hour), ID: 1}, Added: true, Label: "colony:verify", By: colony}
	remove := Change{Moment: Moment{At: morning.Add(time.Hour), ID: 2}, Label: "status: verify", By: colony}
	for name, h := range map[string]History{
		"before":  {Labels: []string{"Status: verify"}},
		"between": {Labels: []string{"status: verify", "colony:verify"}, Changes: []Change{add}},
		"after":   {Labels: []string{"colony:verify"}, Changes: []Change{add, remove}},
	} {
		h.JudgedSince = morning
		if s := life.Fold(h); s.State != "verify" || len(s.Trail)+len(s.Rejections)+len(s.Missing) > 0 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A name that the lifecycle lists as `previously` is the label of its state too: adding or removing one name, while another is there, moves
// nothing, whoever does it.
func TestOldNamesMeanTheirState(t *testing.T) {
	t.Parallel()
	life := adopting(t, "colony") // "status: new" and "Old new" are the old names of colony:new
	for _, c := range []struct {
		name                   string
		log                    []string
		labels                 string // with commas between; what the log leaves, if empty
		state, trail, rejected string
	}{
		{"an old name is a request like any other", []string{"olga +status: new", "olga +Old analyzing"}, "", "analyzing", "unlabeled>new new>analyzing", ""},
		{"one that is not legal is refused", []string{"olga +in-review", "olga +old new"}, "", "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table"},
		{"the present name beside it moves nothing", []string{"olga +status: new", "olga +new"}, "", "new", "unlabeled>new", ""},
		{"nor does an old one beside the present one", []string{"olga +new", "omar +Old new"}, "", "new", "unlabeled>new", ""},
		{"whichever of the two goes, nothing is refused", []string{"olga +new", "omar +Old new", "omar -new"}, "", "new", "unlabeled>new", ""},
		{"once the last one goes, the label is gone", []string{"olga +new", "omar +Old new", "omar -new", "omar -Old new"}, "", "new", "unlabeled>new", "[4] omar new> not-in-table"},
		{"it goes under its present name if it was renamed since", []string{"olga +status: new", "omar -new"}, "", "new", "unlabeled>new", "[2] omar new> not-in-table"},
		{"an old name that was on the issue before the log", []string{"omar -status: new"}, "", "new", "", "[1] omar new> not-in-table"},
		{"a label without any event is there under an old name", nil, "Old new", "new", "", ""},
		{"what the log never tells was there first, and its present name moves nothing", []string{"colony +new"}, "Old new, colony:new", "new", "", ""},
		{"in any state the table would not let it begin in", []string{"colony +done", "colony -Old done"}, "colony:done", "done", "", ""},
		{"one that may be another old name, renamed, was not there first", []string{"olga +status: new", "colony +new", "omar -Old new"}, "colony:new", "new", "unlabeled>new", ""},
		{"an old name of another state does not hide a move", []string{"olga +Old new", "olga +analyzing", "olga -Old new"}, "", "analyzing", "unlabeled>new new>analyzing", ""},
		{"a second name of a refused label is refused for itself", []string{"olga +in-review", "olga +new", "olga +Old new"}, "", "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table; [3] olga in-review>new not-in-table"},
		{"and so is one of a label that a move left behind", []string{"olga +status: new", "olga +in-review", "olga +Old new"}, "", "in-review", "unlabeled>new new>in-review", "[3] olga in-review>new not-in-table"},
		{"withdrawn by its old name", []string{"olga +in-review", "olga +Old merge-pending", "olga -Old merge-pending"}, "", "in-review", "unlabeled>in-review", ""},
		{"a bot that puts the old name beside the present one does no bad request", []string{"olga +in-development", "dev +Old in-development"}, "", "in-development", "unlabeled>in-development", ""},
		{"the present name that Colony owes is no move once somebody moved on", []string{"olga +Old in-review", "olga +merge-pending", "olga -Old in-review", "colony +in-review"}, "", "merge-pending", "unlabeled>in-review in-review>merge-pending", ""},
		{"the present name that a person puts there asks for it", []string{"olga +Old in-development", "olga +merge-pending", "olga -Old in-development", "olga +in-development"}, "", "merge-pending", "unlabeled>in-development in-development>merge-pending", "[4] olga merge-pending>in-development not-in-table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := traced(changes(t, c.log...))
			if c.labels != "" {
				h.Labels = strings.Split(c.labels, ", ")
			}
			got := life.Fold(h)
			is := []string{got.State, trail(got.Trail), rejected(got.Rejections)}
			if diff := cmp.Diff([]string{c.state, c.trail, c.rejected}, is); diff != "" {
				t.Errorf("state, trail, rejected (-want +got)\n%s", diff)
			}
		})
	}
}

// Colony puts a present name in place of an old one, and can be late. Where it undoes nothing it does not: there the same label is a move.
func TestALabelOfColonysAfterAnOldNameIsAMoveInModeWarn(t *testing.T) {
	t.Parallel()
	life := adopting(t, "colony")
	h := History{
		Terms: Terms{JudgedSince: morning, Installed: morning},
		Changes: []Change{
			{Moment: Moment{At: morning.Add(time.Hour), ID: 1}, Added: true, Label: "status: in-review", By: cast["olga"]},
			{Moment: Moment{At: morning.Add(2 * time.Hour), ID: 2}, Added: true, Label: life.Label("merge-pending"), By: cast["olga"]},
			{Moment: Moment{At: morning.Add(2*time.Hour + time.Second), ID: 3}, Added: true, Label: life.Label("in-review"), By: cast["colony"]},
		},
		Labels:  []string{"status: in-review", life.Label("in-review"), life.Label("merge-pending")},
		Ordered: func(int64) (lifecycle.Actor, bool) { return lifecycle.Actor{}, true },
	}
	for mode, want := range map[bool]string{false: "merge-pending", true: "in-review"} {
		h.Stands = mode
		if s := life.Fold(h); s.State != want {
			t.Errorf("Colony warns %t: the issue is in %s, want %s", mode, s.State, want)
		}
	}
}

// Where the table has rounds, another name of the label that is there begins none, nor does an old name that somebody made again after it was
// renamed.
func TestAnotherNameBeginsNoRound(t *testing.T) {
	t.Parallel()
	life := adopting(t, "autoralph")
	refining := []string{"olga +queued", "olga +status: refining", "olga -queued"}
	for name, c := range map[string]struct {
		more     []string
		rejected string
	}{
		"the present name":          {[]string{"omar +refining"}, ""},
		"another old one":           {[]string{"omar +Old refining"}, ""},
		"the same, made again":      {[]string{"omar +status: refining"}, ""},
		"which can go again":        {[]string{"omar +status: refining", "omar -status: refining"}, ""},
		"then the label is the one": {[]string{"omar +status: refining", "omar -status: refining", "omar -refining"}, "[6] omar refining> not-in-table"},
	} {
		got := life.Fold(traced(changes(t, append(slices.Clone(refining), c.more...)...)))
		if want := "outside>queued queued>refining"; trail(got.Trail) != want || rejected(got.Rejections) != c.rejected {
			t.Errorf("%s: %s; %s", name, trail(got.Trail), rejected(got.Rejections))
		}
	}
	named := life.Fold(traced(changes(t, append(refining, "omar -status: refining", "omar +refining")...)))
	if got, want := trail(named.Trail), "outside>queued queued>refining refining>refining"; got != want {
		t.Errorf("off and on again under another name, the trail is %s, want %s", got, want)
	}
}

// One old name is enough.
func TestALabelWithOneOldName(t *testing.T) {
	t.Parallel()
	life, err := Parse("errands.yml", []byte(strings.Replace(errands, `label: "colony:todo",`, `label: "colony:todo", previously: ["to do"],`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	got := life.Fold(traced(changes(t, "olga +todo", "omar +to do", "omar -todo")))
	if trail(got.Trail) != "outside>todo" || rejected(got.Rejections) != "" {
		t.Errorf("%s; %s", trail(got.Trail), rejected(got.Rejections))
	}
}
