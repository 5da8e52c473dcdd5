package reconcile

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Of a record's addresses only those of GitHub's pages count. A trail without moves is the place of the next one, unless another comment
// has the moves.
func TestRecordsOfComments(t *testing.T) {
	const web, review = "https://github.com", "https://github.com/acme/widgets/pull/7#pullrequestreview-8"
	move := func(link string) wording.RecordedMove {
		return wording.RecordedMove{Outcome: wording.AutomaticMove, Kind: lifecycle.Colony, From: "a", To: "b", Why: "it is merged", Link: link}
	}
	trail := func(id int64, moves ...wording.RecordedMove) issues.Comment {
		return issues.Comment{ID: id, Body: wording.RenderTrail(12, moves)}
	}
	for name, c := range map[string]struct {
		comments []issues.Comment
		want     records
	}{
		"a review":                   {[]issues.Comment{trail(1, move(review))}, records{trail: []wording.RecordedMove{move(review)}, trailID: 1}},
		"a script":                   {[]issues.Comment{trail(1, move("javascript:alert(1)"))}, records{trail: []wording.RecordedMove{move("")}, trailID: 1}},
		"another host":               {[]issues.Comment{trail(1, move("https://evil.example/"))}, records{trail: []wording.RecordedMove{move("")}, trailID: 1}},
		"disowned":                   {[]issues.Comment{{ID: 1, Body: wording.Disowned(trail(1, move(review)).Body)}}, records{trailID: 1}},
		"disowned before the trail":  {[]issues.Comment{trail(1), trail(2, move(""))}, records{trail: []wording.RecordedMove{move("")}, trailID: 2}},
		"disowned behind the trail":  {[]issues.Comment{trail(1, move("")), trail(2)}, records{trail: []wording.RecordedMove{move("")}, trailID: 1}},
		"the trail of another issue": {[]issues.Comment{{ID: 1, Body: wording.RenderTrail(13, nil)}}, records{}},
	} {
		var got records
		for _, comment := range c.comments {
			got.read(12, web, comment)
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(records{})); diff != "" {
			t.Errorf("%s (-want +got): %s", name, diff)
		}
	}
}

// GitHub's log can hide a move for as long as judging.lag, so the trail keeps its reason until then. After that a reason without a move was cut off
// before the move.
func TestTheTrailKeepsTheReasonOfAMoveThatTheLogCanHide(t *testing.T) {
	clock := clockwork.NewFakeClockAt(firstDay)
	for age, want := range map[time.Duration][]string{time.Second: {"fixing-checks", "completed"}, time.Minute: {"completed"}} {
		hidden := wording.RecordAutomatic(statemachine.Automatic{From: "in-review", To: "fixing-checks", Why: "A check failed"})
		hidden.At = firstDay.Add(-age)
		q := &inquiry{
			Reconciler: &Reconciler{Options: Options{Clock: clock}}, Case: Case{settings: Settings{Thresholds: statemachine.Thresholds{Lag: 10 * time.Second}}},
			conversation: &conversation{records: records{trail: []wording.RecordedMove{hidden}, trailID: 7}},
		}
		q.view.Ref.Number = 12
		writes, err := planTrail(t.Context(), planning{issue: q, Decision: statemachine.Decision{Automatic: &statemachine.Automatic{From: "in-review", To: "completed", Why: "The pull request was merged"}}})
		if err != nil || len(writes) != 1 {
			t.Fatalf("the trail takes %d writes: %v", len(writes), err)
		}
		moves, _ := wording.TrailOf(12, writes[0].Comment)
		var got []string
		for _, m := range moves {
			got = append(got, m.To)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a reason of %s ago (-want +got): %s", age, diff)
		}
	}
}
