package statemachine

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/lifecycle"
)

// Colony explains a refusal before the issue moves automatically, and then reconciles it again at once: no webhook tells Colony
// what it did itself.
func TestWhatIsExplainedHoldsWhatFollows(t *testing.T) {
	t.Parallel()
	life, err := Shipped("autoralph")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Date(2025, 3, 3, 9, 0, 0, 0, time.UTC)
	at := func(seconds int) time.Time { return start.Add(time.Duration(seconds) * time.Second) }
	person := lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	label := life.Label
	h := History{Terms: Terms{JudgedSince: start}, Labels: []string{label("refining"), label("in-review")}, Changes: []Change{
		{Moment: Moment{At: at(1), ID: 1}, By: person, Label: label("queued"), Added: true},
		{Moment: Moment{At: at(2), ID: 2}, By: person, Label: label("refining"), Added: true},
		{Moment: Moment{At: at(3), ID: 3}, By: person, Label: label("queued")},
		{Moment: Moment{At: at(4), ID: 4}, By: person, Label: label("in-review"), Added: true},
	}}
	p := Thresholds{Settle: 2 * time.Second, Lag: 10 * time.Second, BreakerRejections: 5, BreakerWindow: time.Hour}
	in := Case{Standing: life.Fold(h), Labels: h.Labels, Updated: at(4), Now: at(60)}
	read := Evidence{
		Said:  Said{Answered: func(int64) bool { return false }},
		Facts: Facts{Read: []lifecycle.Reading{lifecycle.ReadComments}, Observed: []Observation{{Fact: "person-replied", At: at(5)}}},
	}
	if d, _ := life.Decide(p, in, read); len(d.Explain) != 1 || d.Automatic != nil || d.Wait.Why != Held {
		t.Errorf("%+v", d)
	}
	in.Labels, read.Answered = []string{label("refining")}, func(int64) bool { return true }
	if d, _ := life.Decide(p, in, read); d.Repeat != label("refining") || d.Wait.Why == Held {
		t.Errorf("once it is explained: %+v", d)
	}
}

// Colony's own move waits for what GitHub might not show yet. An allowed move is finished immediately.
func TestOnlyColonysOwnMoveWaitsForFacts(t *testing.T) {
	t.Parallel()
	life, err := Shipped("autoralph")
	if err != nil {
		t.Fatal(err)
	}
	log := changes(t, "olga +queued", "olga +refining")
	h := traced(log)
	last := log[1].At
	p := Thresholds{Settle: 2 * time.Second, Lag: 10 * time.Second, BreakerRejections: 5, BreakerWindow: time.Hour}
	in := Case{Standing: life.Fold(h), Labels: h.Labels, Updated: last, Now: last.Add(time.Second), MayWait: true}
	read := Evidence{Facts: Facts{Read: []lifecycle.Reading{lifecycle.ReadComments}, Observed: []Observation{{Fact: "person-replied", At: last.Add(time.Second)}}, Late: true}}
	d, _ := life.Decide(p, in, read)
	if diff := cmp.Diff(LabelEdits{Remove: []string{"colony:queued"}}, d.LabelEdits); diff != "" || d.Wait.Why != Late {
		t.Errorf("as long as facts are late Colony waits for %q and edits (-want +got)\n%s", d.Wait.Why, diff)
	}
	read.Facts.Late = false
	if d, _ := life.Decide(p, in, read); d.Repeat != "colony:refining" || d.Wait.Why == Late {
		t.Errorf("then: %+v", d)
	}
}
