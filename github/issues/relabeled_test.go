package issues_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
)

// A label that the repository deletes leaves its issues without an event: that it was added is all that the log says.
func TestIssuesOnWhichALabelWasAddedOrRemoved(t *testing.T) {
	s := newScene(t)
	ctx := context.Background()
	added, other, early := s.issue("widgets", ""), s.issue("widgets", ""), s.issue("widgets", "")
	label := func(number int, name string) {
		_, _, err := s.client().Issues.AddLabelsToIssue(ctx, "acme", "widgets", number, []string{name})
		s.must(err)
		s.later()
	}
	label(1, "colony:done")
	label(early, "colony:new")
	since := s.clock.Now()
	_, err := s.client().Issues.RemoveLabelForIssue(ctx, "acme", "widgets", 1, "colony:done")
	s.must(err)
	label(added, "colony:in-review")
	label(other, "bug")
	label(s.changing("a.txt", ""), "colony:in-review")
	_, err = s.client().Issues.DeleteLabel(ctx, "acme", "widgets", "colony:in-review")
	s.must(err)

	list, more, err := issues.NewStore(s, &issues.Actors{}).Relabeled(ctx, issues.Repository{Owner: "acme", Name: "widgets"}, since, 1, issues.IsColonys)
	s.must(err)
	var numbers []int
	for _, e := range list {
		numbers = append(numbers, e.Number)
	}
	if diff := cmp.Diff([]int{added, 1}, numbers); diff != "" || more {
		t.Errorf("more: %t; -want +got:\n%s", more, diff)
	}
}
