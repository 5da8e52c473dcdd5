package issues

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
)

// What is said for each write, how it is called, and what becomes of it where GitHub refuses it.
func TestWrites(t *testing.T) {
	const locked = `< 403 {"message":"locked"}`
	for _, row := range []struct {
		write             Write
		asks              string
		named, kind       string
		refused           string
		holdsUp, isRepeat bool
	}{
		{Write{Add: []string{"a", "b"}}, `> POST repos/acme/widgets/issues/1/labels ["a","b"]`, "add label a, b", "label", locked, true, false},
		{Write{Remove: "a/b"}, `> DELETE repos/acme/widgets/issues/1/labels/a/b`, "remove label a/b", "label", locked, true, false},
		{Write{Remove: "a"}, `> DELETE repos/acme/widgets/issues/1/labels/a`, "remove label a", "label", `< 404 {"message":"Label does not exist"}`, false, true},
		{Write{Remove: "a"}, `> DELETE repos/acme/widgets/issues/1/labels/a`, "remove label a", "label", `< 404 {"message":"Not Found"}`, true, false},
		{Write{Comment: "Hello"}, `> POST repos/acme/widgets/issues/1/comments {"body":"Hello"}`, "write a comment", "comment", locked, false, false},
		{Write{Comment: "Hello", On: 4}, `> POST repos/acme/widgets/issues/4/comments {"body":"Hello"}`, "write a comment on pull request #4", "comment", locked, false, false},
		{Write{Comment: "Hello", Edits: 9}, `> PATCH repos/acme/widgets/issues/comments/9 {"body":"Hello"}`, "edit a comment", "comment", locked, false, false},
		{Write{Comment: "Hello"}, `> POST repos/acme/widgets/issues/1/comments {"body":"Hello"}`, "write a comment", "comment", `< 502`, true, false},
		{Write{Reaction: &Reaction{Content: Eyes}}, `> POST repos/acme/widgets/issues/1/reactions {"content":"eyes"}`, "react with eyes", "reaction", locked, false, false},
		{Write{Reaction: &Reaction{7, ThumbsUp}}, `> POST repos/acme/widgets/issues/comments/7/reactions {"content":"+1"}`, "react with +1", "reaction", locked, false, false},
		{Write{Assign: []string{"ada"}}, `> POST repos/acme/widgets/issues/1/assignees {"assignees":["ada"]}`, "assign ada", "assignment", locked, false, false},
		{Write{Unassign: []string{"ada", "bob"}}, `> DELETE repos/acme/widgets/issues/1/assignees {"assignees":["ada","bob"]}`, "unassign ada, bob", "assignment", locked, false, false},
		{Write{Close: lifecycle.CloseReason("completed")}, `> PATCH repos/acme/widgets/issues/1 {"state":"closed","state_reason":"completed"}`, "close as completed", "label", locked, true, false},
		{Write{ClosePull: 4}, `> PATCH repos/acme/widgets/pulls/4 {"state":"closed"}`, "close pull request #4", "pull_request", locked, false, false},
		{Write{Link: &Link{ID: 70, On: true}}, `> POST repos/acme/widgets/issues/1/dependencies/blocked_by {"issue_id":70}`, "make it depend on issue id 70", "link", locked, false, false},
		{Write{Link: &Link{ID: 70}}, `> DELETE repos/acme/widgets/issues/1/dependencies/blocked_by/70`, "make it independent of issue id 70", "link", locked, false, false},
		{Write{Link: &Link{ID: 70}}, `> DELETE repos/acme/widgets/issues/1/dependencies/blocked_by/70`, "make it independent of issue id 70", "link", `< 404 {}`, false, true},
		{Write{Link: &Link{ID: 70}}, `> DELETE repos/acme/widgets/issues/1/dependencies/blocked_by/70`, "make it independent of issue id 70", "link", `< 410 {}`, false, true},
		{
			Write{Link: &Link{ID: 70, On: true}},
			`> POST repos/acme/widgets/issues/1/dependencies/blocked_by {"issue_id":70}`, "make it depend on issue id 70", "link",
			`< 422 {"message":"Target issue has already been taken"}`, false, true,
		},
		{
			Write{Link: &Link{ID: 70, On: true}},
			`> POST repos/acme/widgets/issues/1/dependencies/blocked_by {"issue_id":70}`, "make it depend on issue id 70", "link",
			`< 422 {"message":"It would be a circle"}`, false, false,
		},
		{
			Write{Minimize: &Minimize{[]string{"A", "B"}, Resolved}},
			`> POST graphql {"query":"minimizeComment","variables":{"as":"RESOLVED","c0":"A","c1":"B"}}`, "hide 2 of its comments as resolved", "minimize",
			`< 200 {"errors":[{"type":"NOT_FOUND","message":"no such comment"}]}`, false, true,
		},
		{
			Write{Minimize: &Minimize{[]string{"A"}, Outdated}},
			`> POST graphql {"query":"minimizeComment","variables":{"as":"OUTDATED","c0":"A"}}`, "hide 1 of its comments as outdated", "minimize",
			`< 404`, false, true,
		},
		{
			Write{Minimize: &Minimize{[]string{"A"}, Outdated}},
			`> POST graphql {"query":"minimizeComment","variables":{"as":"OUTDATED","c0":"A"}}`, "hide 1 of its comments as outdated", "minimize",
			locked, false, true,
		},
		{
			Write{Minimize: &Minimize{[]string{"A"}, Outdated}},
			`> POST graphql {"query":"minimizeComment","variables":{"as":"OUTDATED","c0":"A"}}`, "hide 1 of its comments as outdated", "minimize",
			`< 502`, false, false,
		},
		{
			Write{Minimize: &Minimize{[]string{"A"}, Resolved}},
			`> POST graphql {"query":"minimizeComment","variables":{"as":"RESOLVED","c0":"A"}}`, "hide 1 of its comments as resolved", "minimize",
			`< 502`, true, false,
		},
	} {
		t.Run(row.named+row.refused, func(t *testing.T) {
			says(t, row.named, row.write.String(), nil, "")
			says(t, row.kind, row.write.Kind(), nil, "")
			eyes := Write{Reaction: &Reaction{Content: Eyes}}
			const next = "\n> POST repos/acme/widgets/issues/1/reactions {\"content\":\"eyes\"}\n< 201 {}"
			holds(t, row.asks+"\n< 200 {}"+next, func(s *Store, _ *clockwork.FakeClock) {
				refused, err := s.Apply(t.Context(), theIssue, []Write{row.write, eyes})
				says(t, 0, len(refused), err, "")
			})
			script := row.asks + "\n" + row.refused
			if !row.holdsUp {
				script += next
			}
			holds(t, script, func(s *Store, _ *clockwork.FakeClock) {
				refused, err := s.Apply(t.Context(), theIssue, []Write{row.write, eyes})
				switch {
				case row.holdsUp:
					says(t, 0, len(refused), err, row.named+" on acme/widgets#1")
				case row.isRepeat:
					says(t, 0, len(refused), err, "")
				default:
					says(t, 1, len(refused), err, "")
					says(t, row.write, refused[0].Write, refused[0].Err, row.named+" on acme/widgets#1")
				}
			})
		})
	}
	says(t, "write nothing", Write{}.String(), nil, "")
	holds(t, "", func(s *Store, _ *clockwork.FakeClock) {
		refused, err := s.Apply(t.Context(), theIssue, nil)
		says(t, 0, len(refused), err, "")
	})
}

// Of very many comments those that were written last are hidden.
func TestHidesWhatWasWrittenLast(t *testing.T) {
	m, variables := Minimize{As: Outdated}, map[string]string{"as": "OUTDATED"}
	for i := range maxMinimized + 2 {
		m.NodeIDs = append(m.NodeIDs, fmt.Sprint("C", i))
		if i >= 2 {
			variables[fmt.Sprint("c", i-2)] = fmt.Sprint("C", i)
		}
	}
	text, err := json.Marshal(variables, json.Deterministic(true))
	says(t, true, len(text) > 0, err, "")
	holds(t, `> POST graphql {"query":"minimizeComment","variables":`+string(text)+"}\n< 200 {}", func(s *Store, _ *clockwork.FakeClock) {
		_, err := s.Apply(t.Context(), theIssue, []Write{{Minimize: &m}})
		says(t, 0, 0, err, "")
	})
}
