package issues

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// A sum tells whether a check came, began or ended. There is none where one answer does not tell everything.
func TestSumsOfChecks(t *testing.T) {
	t.Parallel()
	answer := func(more bool, contexts string) string {
		return fmt.Sprintf(`{"open":{"pageInfo":{"hasNextPage":%t},"nodes":[{"number":3,"headRefOid":"1a","statusCheckRollup":null},{"number":2,"headRefOid":"2b","statusCheckRollup":{"contexts":%s}}]}}`, more, contexts)
	}
	contexts := func(more bool, nodes string) string {
		return fmt.Sprintf(`{"pageInfo":{"hasNextPage":%t},"nodes":[%s]}`, more, nodes)
	}
	const (
		run    = `{"status":"COMPLETED","conclusion":"SUCCESS","startedAt":"2026-03-02T09:00:00Z","completedAt":"2026-03-02T09:01:00Z"}`
		status = `{"state":"PENDING","createdAt":"2026-03-02T09:02:00Z"}`
	)
	at := time.Date(2026, 3, 2, 9, 2, 0, 0, time.UTC)
	sums := map[string]string{}
	for name, row := range map[string]struct {
		told    string
		sums    bool
		checked time.Time
	}{
		"checks":                    {answer(false, contexts(false, run+","+status)), true, at},
		"one ended later":           {answer(false, contexts(false, `{"status":"COMPLETED","conclusion":"SUCCESS","startedAt":"2026-03-02T09:00:00Z","completedAt":"2026-03-02T09:03:00Z"}`)), true, at.Add(time.Minute)},
		"one has not begun":         {answer(false, contexts(false, `{"status":"QUEUED","conclusion":null,"startedAt":null,"completedAt":null}`)), true, time.Time{}},
		"no check":                  {answer(false, contexts(false, "")), true, time.Time{}},
		"no pull request":           {`{"open":{"pageInfo":{"hasNextPage":false},"nodes":[]}}`, true, time.Time{}},
		"more pull requests":        {answer(true, contexts(false, run)), false, at.Add(-time.Minute)},
		"more checks":               {answer(false, contexts(true, run)), false, at.Add(-time.Minute)},
		"a check that is withheld":  {answer(false, contexts(false, run+",null")), false, at.Add(-time.Minute)},
		"pull requests are no list": {`{"open":null}`, false, time.Time{}},
	} {
		var got Activity
		if err := got.sumChecks(json.RawMessage(row.told)); err != nil || (got.Checks != "") != row.sums || !got.Checked.Equal(row.checked) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		if other, known := sums[got.Checks]; known && row.sums {
			t.Errorf("%s has the sum of %s", name, other)
		}
		sums[got.Checks] = name
	}
	if err := (&Activity{}).sumChecks(json.RawMessage(`null or so`)); err == nil {
		t.Error("an answer that is none has a sum")
	}
}

// It is asked only where issues wait for checks.
func TestWhoseChecksAreSummed(t *testing.T) {
	t.Parallel()
	asked := Asked{Labels: []string{"a", "b"}, Checked: []bool{false, true}}
	for _, row := range []struct {
		has  []bool
		want bool
	}{{[]bool{true, false}, false}, {[]bool{false, true}, true}, {[]bool{false, false}, false}} {
		if asked.movedByChecks(Activity{Has: row.has}) != row.want {
			t.Errorf("issues with the labels %v are moved by checks: %t", row.has, !row.want)
		}
	}
}

// What GitHub withholds of an answer reads like nothing. So there is no sum then, and no answer about conflicts.
func TestAnswersOfWhichSomethingIsWithheld(t *testing.T) {
	t.Parallel()
	const (
		withheld = `,"errors":[{"type":"FORBIDDEN","path":["r0","open","nodes",0],"message":"no"}]`
		sums     = `> POST graphql {"query":"statusCheckRollup","variables":null}` + "\n" + `< 200 {"data":{"r0":{"open":{"nodes":[null]}}}%s}`
		pulls    = `> POST graphql {"query":"conflicts","variables":{"name":"widgets","owner":"acme"}}` + "\n" +
			`< 200 {"data":{"repository":{"defaultBranchRef":{"name":"main"},"open":{"nodes":[null]}}}%s}`
	)
	for errors, whole := range map[string]bool{"": true, withheld: false} {
		holds(t, fmt.Sprintf(sums+"\n"+pulls, errors, errors), func(s *Store, _ *clockwork.FakeClock) {
			told := []Activity{{Has: []bool{true}}}
			err := s.SumChecks(t.Context(), []Asked{{Repository: widgets, Labels: []string{"a"}, Checked: []bool{true}}}, told)
			says(t, whole, told[0].Checks != "", err, "")
			_, got, err := s.Conflicts(t.Context(), widgets)
			says(t, whole, got, err, "")
		})
	}
}
