package playground

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindRoute(t *testing.T) {
	for path, want := range map[string]struct {
		pattern string
		vars    map[string]string
	}{
		"/repos/a/b/issues/7/events":        {"/repos/{owner}/{repo}/issues/{issue_number}/events", map[string]string{"owner": "a", "repo": "b", "issue_number": "7"}},
		"/repos/a/b/issues/events/7":        {"/repos/{owner}/{repo}/issues/events/{event_id}", map[string]string{"owner": "a", "repo": "b", "event_id": "7"}},
		"/repos/a/b/issues/comments/7":      {"/repos/{owner}/{repo}/issues/comments/{comment_id}", map[string]string{"owner": "a", "repo": "b", "comment_id": "7"}},
		"/repos/a/b/labels/x%2Fy%23z":       {"/repos/{owner}/{repo}/labels/{name}", map[string]string{"owner": "a", "repo": "b", "name": "x/y#z"}},
		"/repos/a/b/contents/.github/c.yml": {"/repos/{owner}/{repo}/contents/{path...}", map[string]string{"owner": "a", "repo": "b", "path": ".github/c.yml"}},
		"/repos/a/b/contents":               {"/repos/{owner}/{repo}/contents/{path...}", map[string]string{"owner": "a", "repo": "b", "path": ""}},
		"/repos/a/b/issues/seven":           {},
		"/repos/a/b/issues/7/nonsense":      {},
		"/repos//b":                         {},
		"/repos/a/b/labels/%zz":             {},
	} {
		row, vars := findRoute(routes, get, path)
		pattern := ""
		if row != nil {
			pattern = row.Pattern
		}
		if pattern != want.pattern {
			t.Errorf("%s is %q", path, pattern)
		}
		if diff := cmp.Diff(want.vars, vars); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
}

func FuzzFindRoute(f *testing.F) {
	f.Add("/repos/a/b/issues/7")
	f.Add("//%")
	f.Add("/repos/a/b/contents/%2e%2e/x")
	f.Fuzz(func(t *testing.T, path string) {
		row, vars := findRoute(routes, get, path)
		if row == nil {
			return
		}
		for _, segment := range row.segments {
			if isVariable(segment) && len(vars) == 0 {
				t.Errorf("%s without variables", row.Pattern)
			}
		}
	})
}

func FuzzLabelNames(f *testing.F) {
	for _, seed := range []string{`"a"`, `["a"]`, `[{"name":"a"}]`, `{"labels":["a"]}`, `{"labels":{"labels":"a"}}`, `null`, `[7]`, `{}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var names labelNames
		if json.Unmarshal(data, &names) != nil {
			return
		}
		again, err := json.Marshal([]string(names))
		if err != nil {
			t.Fatal(err)
		}
		var same labelNames
		if err := json.Unmarshal(again, &same); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string(names), []string(same)); diff != "" && len(names) > 0 {
			t.Error(diff)
		}
	})
}
