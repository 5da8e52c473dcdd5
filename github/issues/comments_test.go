package issues

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
)

var (
	ada    = lifecycle.Actor{Login: "ada", Kind: lifecycle.Operator}
	colony = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	dev    = lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor, Roles: []string{"developer"}}
)

const (
	ofIssue = "> GET repos/acme/widgets/issues/1/comments?page=%d&per_page=100&since=2026-03-02T09:00:00Z\n"
	ofAll   = "> GET repos/acme/widgets/issues/comments?page=%d&per_page=100&since=2026-03-02T09:00:00Z\n"
)

func on(number int, login, body string) string {
	return fmt.Sprintf(`{"id":%d,"node_id":"C%d","body":%q,"user":{"login":%q},"issue_url":"https://api.github.com/repos/acme/widgets/issues/%d","reactions":{"total_count":2},`+
		`"created_at":"2026-03-02T10:00:00Z","updated_at":"2026-03-02T11:00:00Z"}`, number+50, number+50, body, login, number)
}

// issueWith is an issue as GitHub tells of it, with another key.
func issueWith(more string) string {
	return `> GET repos/acme/widgets/issues/1
< 200 {"number":1,"created_at":"2026-03-02T09:00:00Z",` + more + "}\n"
}

func TestComments(t *testing.T) {
	comment := func(number int, by lifecycle.Actor, body string) Comment {
		return Comment{ID: int64(number + 50), NodeID: fmt.Sprint("C", number+50), By: by, Body: body, Created: at("10:00:00"), Updated: at("11:00:00"), Reactions: 2}
	}
	read := func(s *Store) (any, error) { return s.Comments(t.Context(), theIssue, at("09:00:00")) }
	written := func(s *Store) (any, error) {
		v, err := s.Get(t.Context(), theIssue)
		if err != nil {
			return nil, err
		}
		return s.Written(t.Context(), v)
	}
	mentions := func(s *Store) (any, error) {
		numbers, more, err := s.Mentions(t.Context(), widgets, at("09:00:00"), 2, func(body string) bool { return strings.HasPrefix(body, "/") })
		if more {
			numbers = append(numbers, -1)
		}
		return numbers, err
	}
	all := func(s *Store) (any, error) {
		var found []RecordedComment
		err := s.CommentsIn(t.Context(), widgets, at("09:00:00"), func(c RecordedComment) { found = append(found, c) })
		return found, err
	}
	page := func(form string, page int) string { return fmt.Sprintf(form, page) }
	exchanges(t, map[string]exchange{
		"of an issue": {
			page(ofIssue, 1) + "< 200 next [" + on(1, "ada", "Hi") + "]\n" + page(ofIssue, 2) + "< 200 [" + on(1, "dev[bot]", "Ho") + "," + on(1, "colony[bot]", "Hum") + "]", read,
			[]Comment{comment(1, ada, "Hi"), comment(1, dev, "Ho"), comment(1, colony, "Hum")},
			"",
		},
		"of an issue with one":                 {issueWith(`"comments":1`) + page(ofIssue, 1) + "< 200 [" + on(1, "ada", "Hi") + "]", written, []Comment{comment(1, ada, "Hi")}, ""},
		"of one without":                       {issueWith(`"comments":0`), written, []Comment(nil), ""},
		"of one of which GitHub does not tell": {issueWith(`"title":"x"`) + page(ofIssue, 1) + "< 200 []", written, []Comment(nil), ""},
		"of no issue":                          {page(ofIssue, 1) + "< 404 {}", read, []Comment(nil), "read the comments of acme/widgets#1: the issue is gone"},
		"not now":                              {page(ofIssue, 1) + "< 502", read, []Comment(nil), "read the comments of acme/widgets#1: GET"},
		"with a command":                       {page(ofAll, 2) + "< 200 next [" + on(9, "ada", "/do") + "," + on(3, "ada", "/do") + "," + on(3, "bob", "/do") + "," + on(4, "colony[bot]", "/do") + "," + on(5, "ada", "do") + "]", mentions, []int{3, 9, -1}, ""},
		"with none":                            {page(ofAll, 2) + `< 200 [{"issue_url":"","body":"/do"}]`, mentions, []int(nil), ""},
		"not to be searched":                   {page(ofAll, 2) + "< 404 {}", mentions, []int(nil), "list the comments in acme/widgets: the issue is gone"},
		"of a repository": {
			page(ofAll, 1) + "< 200 next [" + on(3, "ada", "Hi") + `,{"issue_url":"x"}]` + "\n" + page(ofAll, 2) + "< 200 [" + on(4, "ada", "Ho") + "]", all,
			[]RecordedComment{{comment(3, ada, "Hi"), 3}, {comment(4, ada, "Ho"), 4}},
			"",
		},
		"of no repository": {page(ofAll, 1) + "< 410 {}", all, []RecordedComment(nil), "list the comments in acme/widgets: the issue is gone"},
	})
}

// A comment on a commit is written unless Colony has said the same there.
func TestCommentOnCommit(t *testing.T) {
	const ask = "> GET repos/acme/widgets/commits/abc/comments?page=1&per_page=100\n"
	const ask2 = "> GET repos/acme/widgets/commits/abc/comments?page=2&per_page=100\n"
	const write = `> POST repos/acme/widgets/commits/abc/comments {"body":"broken"}` + "\n"
	does := func(s *Store) (any, error) {
		return nil, s.CommentOnCommit(t.Context(), widgets, "abc", "broken", func(body string) bool { return body == "broken" })
	}
	said := func(login, body string) string { return fmt.Sprintf(`{"user":{"login":%q},"body":%q}`, login, body) }
	exchanges(t, map[string]exchange{
		"the first":    {ask + "< 200 []\n" + write + "< 201 {}", does, nil, ""},
		"said already": {ask + "< 200 next []\n" + ask2 + "< 200 [" + said("colony[bot]", "broken") + "]", does, nil, ""},
		"others":       {ask + "< 200 [" + said("ada", "broken") + "," + said("colony[bot]", "other") + "]\n" + write + "< 201 {}", does, nil, ""},
		"unreadable":   {ask + "< 502", does, nil, "list the comments on commit abc of acme/widgets"},
		"unwritable":   {ask + "< 200 []\n" + write + "< 403 {}", does, nil, "comment on commit abc of acme/widgets"},
	})
}

// asksEdits is the question who edited some texts.
func asksEdits(ids string) string {
	return `> POST graphql {"query":"lastEditedAt","variables":{"ids":[` + ids + "]}}\n"
}

// Who edited a text is asked of those whose times leave it open, once for as long as they read the same.
func TestEdits(t *testing.T) {
	text := func(id int64, seconds int) Comment {
		c := Comment{ID: id, NodeID: fmt.Sprint("C", id), Body: fmt.Sprint("text ", id), Created: at("10:00:00"), Updated: at("10:00:00").Add(time.Duration(seconds) * time.Second)}
		if id == 0 {
			c.NodeID = "I"
		}
		return c
	}
	const nodes = `{"data":{"nodes":[{"lastEditedAt":"2026-03-02T10:30:00Z","editor":{"__typename":"Bot","login":"colony"}},{"lastEditedAt":null},{"lastEditedAt":"2026-03-02T10:31:00Z","editor":null}]}}`
	byColony, unedited, byGhost := Edit{Edited, at("10:30:00"), colony}, Edit{}, Edit{State: Edited, At: at("10:31:00")}
	texts := []Comment{text(5, 1), text(6, 0), text(7, 1), text(8, 3)}
	texts[1].Updated = texts[1].Updated.Add(999 * time.Millisecond)
	holds(t, asksEdits(`"C5","C7","C8"`)+"< 200 "+nodes+"\n"+asksEdits(`"C5"`)+`< 200 {"data":{"nodes":[{"lastEditedAt":null}]}}`, func(s *Store, _ *clockwork.FakeClock) {
		for range 2 {
			got, err := s.Edits(t.Context(), theIssue, texts)
			says(t, []Edit{byColony, unedited, unedited, byGhost}, got, err, "")
		}
		texts[0].Body = "another text"
		got, err := s.Edits(t.Context(), theIssue, texts)
		says(t, []Edit{unedited, unedited, unedited, byGhost}, got, err, "")
	})
	missing := "< 404"
	edits := func(texts ...Comment) func(s *Store) (any, error) {
		return func(s *Store) (any, error) { return s.Edits(t.Context(), theIssue, texts) }
	}
	today := func(texts ...Comment) func(s *Store) (any, error) {
		return func(s *Store) (any, error) { return s.EditsNow(t.Context(), theIssue, texts) }
	}
	exchanges(t, map[string]exchange{
		"no question":            {"", edits(text(5, 0), text(6, 0)), []Edit{{}, {}}, ""},
		"by times":               {asksEdits(`"C5","I","C6"`) + missing, edits(text(5, 2), text(0, 3), text(6, 3)), []Edit{{}, {State: EditUnknown}, {State: Edited, At: at("10:00:03")}}, ""},
		"without ids":            {"", edits(Comment{ID: 5, Updated: noon}), []Edit{{State: Edited, At: noon}}, ""},
		"not now":                {asksEdits(`"C5"`) + "< 502", edits(text(5, 2)), []Edit(nil), "read who edited the texts of acme/widgets#1"},
		"half an answer":         {asksEdits(`"C5","C6"`) + `< 200 {"data":{"nodes":[{}]}}`, edits(text(5, 2), text(6, 2)), []Edit(nil), "1 answers to 2 questions"},
		"no answer":              {asksEdits(`"C5"`) + `< 200 {"data":{"nodes":[null]}}`, edits(text(5, 2)), []Edit(nil), "no answer about C5"},
		"whatever the times":     {asksEdits(`"C5"`) + `< 200 {"data":{"nodes":[{}]}}`, today(text(5, 0)), []Edit{{}}, ""},
		"now, where none tells":  {asksEdits(`"C5","C6"`) + missing, today(text(5, 0), text(6, 4)), []Edit{{State: EditUnknown}, {State: EditUnknown}}, ""},
		"now, where it may not":  {asksEdits(`"C5"`) + "< 403", today(text(5, 0)), []Edit{{State: EditUnknown}}, ""},
		"now, but it does not":   {asksEdits(`"C5"`) + "< 502", today(text(5, 0)), []Edit(nil), "read who edited the texts of acme/widgets#1"},
		"now, of nothing at all": {"", today(), []Edit(nil), ""},
	})
	many, ids := []Comment(nil), []string(nil)
	for i := range nodesAsked + 1 {
		many, ids = append(many, text(int64(i+1), 2)), append(ids, fmt.Sprintf("%q", fmt.Sprint("C", i+1)))
	}
	answers := strings.TrimSuffix(strings.Repeat("{},", nodesAsked), ",")
	holds(t, asksEdits(strings.Join(ids[:nodesAsked], ","))+`< 200 {"data":{"nodes":[`+answers+"]}}\n"+asksEdits(ids[nodesAsked])+`< 200 {"data":{"nodes":[{"lastEditedAt":"2026-03-02T10:31:00Z"}]}}`, func(s *Store, _ *clockwork.FakeClock) {
		got, err := s.Edits(t.Context(), theIssue, many)
		says(t, nodesAsked+1, len(got), err, "")
		says(t, []Edit{{}, byGhost}, got[nodesAsked-1:], nil, "")
	})
}
