package issues

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Repositories with the same labels share what is asked of them; a label is quoted, whatever is in it.
func TestQuestionOfActivities(t *testing.T) {
	t.Parallel()
	gears := Repository{Owner: "acme", Name: "gears"}
	asked := []Asked{{Repository: widgets, Labels: []string{`a "b"`}, Pulls: true}, {Repository: gears, Labels: []string{`a "b"`}, Pulls: true}, {Repository: gears}}
	got := queryOfEach([]Repository{widgets, gears, gears}, func(n int) string { return asked[n].fields() })
	const want = `query {
  r0: repository(owner: "acme", name: "widgets") { ...f0 }
  r1: repository(owner: "acme", name: "gears") { ...f0 }
  r2: repository(owner: "acme", name: "gears") { ...f1 }
}
fragment f0 on Repository {
  pushedAt last: issues(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }
  pulled: pullRequests(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }
  l0: issues(first: 1, labels: ["a \"b\""], states: [OPEN]) { totalCount }
}
fragment f1 on Repository {
  pushedAt last: issues(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnswersAboutActivities(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for name, row := range map[string]struct {
		told  string
		want  Activity
		fails bool
	}{
		"one that is used":   {`{"pushedAt":"2026-03-02T09:00:00Z","last":{"nodes":[{"updatedAt":"2026-03-02T09:00:00Z"}]},"pulled":{"nodes":[{"updatedAt":"2026-03-02T09:00:01Z"}]},"l0":{"totalCount":0},"l1":{"totalCount":2}}`, Activity{Changed: at, Pushed: at, Pulled: at.Add(time.Second), Has: []bool{false, true}}, false},
		"one that never was": {`{"pushedAt":null,"last":{"nodes":[]},"pulled":{"nodes":[]},"l0":{"totalCount":0},"l1":{"totalCount":0}}`, Activity{Has: []bool{false, false}}, false},
		"one without a list": {`{"pushedAt":null,"last":{"nodes":[]},"pulled":{"nodes":[]},"l0":{"totalCount":0}}`, Activity{}, true},
		"no pull requests":   {`{"pushedAt":null,"last":{"nodes":[]},"l0":{"totalCount":0},"l1":{"totalCount":0}}`, Activity{}, true},
		"no repository":      {`null`, Activity{}, true},
	} {
		got, err := activityOf(json.RawMessage(row.told), Asked{Repository: widgets, Labels: []string{"a", "b"}, Pulls: true})
		if (err != nil) != row.fails || !row.fails && !cmp.Equal(got, row.want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
