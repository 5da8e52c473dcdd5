package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

const readIssue = "> GET repos/acme/widgets/issues/1\n"

const eventsOf = "> GET repos/acme/widgets/issues/1/events?page=%d&per_page=100\n"

// Everything that an issue and its log tell.
func TestLoadsAnIssue(t *testing.T) {
	const whole = `< 200 {"id":70,"node_id":"I70","number":1,"title":"Paint","body":"red","state":"closed","locked":true,"author_association":"MEMBER","user":{"login":"ada"},"assignees":[{"login":"bob"}],
		"labels":[{"name":"new"}],"reactions":{"total_count":3},"created_at":"2026-03-02T08:00:00Z","updated_at":"2026-03-02T11:00:00Z","milestone":{"title":"M"},"type":{"name":"Bug"},
		"sub_issues_summary":{"total":4,"completed":3},"issue_dependencies_summary":{"total_blocked_by":2}}`
	event := func(id int, kind, clock, more string) string {
		return fmt.Sprintf(`{"id":%d,"event":%q,"created_at":"2026-03-02T%sZ","actor":{"login":"ada"}%s}`, id, kind, clock, more)
	}
	log := "[" + event(1, "labeled", "09:00:00", `,"label":{"name":"new"}`) + "," + event(2, "unlabeled", "09:01:00", `,"label":{"name":"new"},"performed_via_github_app":{"id":9}`) + "," + event(3, "labeled", "09:02:00", "") + "," +
		`{"id":4,"event":"labeled","created_at":"2026-03-02T09:03:00Z","label":{"name":"b"},"actor":{"login":"x[bot]","type":"Bot"},"performed_via_github_app":{"id":9}},` +
		event(5, "closed", "09:04:00", "") + "," + event(6, "reopened", "09:05:00", "") + "," + event(7, "renamed", "09:06:00", `,"rename":{"from":"Old"}`) + "," + event(17, "blocked_by_added", "09:06:30", "") + "," + event(8, "blocked_by_removed", "09:07:00", "") + "," + event(18, "sub_issue_removed", "09:07:30", "") + "," +
		event(9, "unlocked", "09:08:00", "") + "," + event(10, "assigned", "09:09:00", `,"assignee":{"login":"bob"},"assigner":{"login":"colony[bot]"}`) + "," + event(11, "unassigned", "09:10:00", `,"assignee":{"login":"bob"},"assigner":{"login":"ada"}`) + "," +
		event(12, "comment_deleted", "09:11:00", "") + "," + event(13, "mentioned", "09:12:00", "") + "]"
	change := func(id int64, clock string, added bool, label string, by lifecycle.Actor) statemachine.Change {
		return statemachine.Change{Moment: statemachine.Moment{At: at(clock), ID: id}, Added: added, Label: label, By: by}
	}
	two := 2
	view := View{
		Ref: theIssue, ID: 70, NodeID: "I70", Title: "Paint", Body: "red", Author: ada, Association: "MEMBER", Created: at("08:00:00"), Updated: at("11:00:00"), Closed: true, Locked: true,
		Labels: []string{"new"}, Assignees: []string{"bob"}, Milestone: "M", Type: "Bug", SubIssues: &Progress{3, 4}, BlockedBy: &two, Reactions: 3,
		Closures: []statemachine.Closure{{Moment: statemachine.Moment{At: at("09:04:00"), ID: 5}, Closed: true}, {Moment: statemachine.Moment{At: at("09:05:00"), ID: 6}}},
		Blocked:  at("09:06:30"), Unblocked: at("09:07:00"), Parted: at("09:07:30"), Unlocked: at("09:08:00"), Deleted: []Deletion{{ada, at("09:11:00")}}, Renamed: []Renaming{{"ada", at("09:06:00"), "Old"}},
		Assignments: []Assignment{{10, true, "bob", at("09:09:00"), true}, {11, false, "bob", at("09:10:00"), false}},
		Changes: []statemachine.Change{
			change(1, "09:00:00", true, "new", ada), change(2, "09:01:00", false, "new", ada), change(4, "09:03:00", true, "b", lifecycle.Actor{Login: "x[bot]", Kind: lifecycle.Colony}),
		},
	}
	load := func(s *Store) (any, error) { return s.Load(t.Context(), theIssue) }
	with := func(s *Store) (any, error) { return s.WithLog(t.Context(), View{Ref: theIssue, ID: 70}) }
	get := func(s *Store) (any, error) {
		v, err := s.Get(t.Context(), theIssue)
		return v.Opening(), err
	}
	page := fmt.Sprintf(eventsOf, 1)
	exchanges(t, map[string]exchange{
		"whole":          {readIssue + oneLine(whole) + "\n" + page + "< 200 " + log, load, view, ""},
		"a pull request": {readIssue + `< 200 {"number":1,"pull_request":{}}`, load, View{Ref: theIssue, PullRequest: true, Author: lifecycle.Actor{Kind: lifecycle.Operator}}, ""},
		"a dashboard":    {readIssue + `< 200 {"number":1,"body":"<!-- colony:dashboard x -->","user":{"login":"colony[bot]"}}`, load, View{Ref: theIssue, Body: "<!-- colony:dashboard x -->", Dashboard: true, Author: colony}, ""},
		"deleted":        {readIssue + "< 410 {}", load, View{}, "read issue acme/widgets#1: the issue is gone"},
		"log later":      {page + "< 200 []", with, View{Ref: theIssue, ID: 70}, ""},
		"log gone":       {page + "< 404 {}", with, View{}, "read the events of acme/widgets#1: the issue is gone"},
		"summary": {
			readIssue + oneLine(whole), get, Comment{NodeID: "I70", By: ada, Body: "red", Created: at("08:00:00"), Updated: at("11:00:00"), Reactions: 3}, "",
		},
		"summary of a pull request": {readIssue + `< 200 {"number":1,"pull_request":{}}`, get, Comment{By: lifecycle.Actor{Kind: lifecycle.Operator}}, ""},
		"summary, hidden":           {readIssue + "< 403 {}", get, Comment{By: lifecycle.Actor{}}, "the issue is gone"},
		"log not now": {readIssue + `< 200 {"number":1}` + "\n" + page + "< 502", func(s *Store) (any, error) {
			v, err := s.Load(t.Context(), theIssue)
			return v.Changes, err
		}, []statemachine.Change(nil), "read the events of acme/widgets#1"},
	})
	says(t, view.Opening(), Comment{NodeID: "I70", By: ada, Body: "red", Created: at("08:00:00"), Updated: at("11:00:00"), Reactions: 3}, nil, "")
	record := func(s *Store) (any, error) { return s.Record(t.Context(), theIssue) }
	recorded := func(id int64, kind RecordedKind, clock, name string) Recorded {
		return Recorded{ID: id, Kind: kind, At: at(clock), By: ada, Name: name}
	}
	exchanges(t, map[string]exchange{
		"record": {
			page + "< 200 next [" + event(1, "labeled", "09:00:00", `,"label":{"name":"new"}`) + "," + event(2, "unlabeled", "09:01:00", "") + "," + event(3, "renamed", "09:02:00", "") + "]\n" + fmt.Sprintf(eventsOf, 2) + "< 200 [" +
				event(4, "assigned", "09:03:00", `,"assignee":{"login":"bob"}`) + "," + event(5, "unassigned", "09:04:00", "") + "," + event(6, "closed", "09:05:00", `,"label":{"name":"x"}`) + "," + event(7, "reopened", "09:06:00", "") + "]",
			record,
			[]Recorded{recorded(1, "labeled", "09:00:00", "new"), recorded(4, "assigned", "09:03:00", "bob"), recorded(5, "unassigned", "09:04:00", ""), recorded(6, "closed", "09:05:00", ""), recorded(7, "reopened", "09:06:00", "")},
			"",
		},
		"no record": {page + "< 404 {}", record, []Recorded(nil), "read the events of acme/widgets#1: the issue is gone"},
	})
}

func TestWhatAViewTells(t *testing.T) {
	v := View{Created: at("08:00:00"), Assignments: []Assignment{{To: "Bob", Added: true, At: at("09:00:00")}, {To: "bob", Added: false, At: at("10:00:00")}, {To: "eve", Added: true, At: at("11:00:00")}, {To: "bob", Added: true, At: at("08:30:00")}}}
	says(t, []time.Time{at("09:00:00"), at("11:00:00"), at("08:00:00")}, []time.Time{v.AssignedAt("bob"), v.AssignedAt("eve"), v.AssignedAt("ada")}, nil, "")
	for _, row := range []struct {
		v    View
		want bool
	}{{View{}, false}, {View{Locked: true}, true}, {View{Unlocked: at("08:59:59")}, false}, {View{Unlocked: at("09:00:00")}, true}} {
		says(t, row.want, row.v.LockedSince(at("09:00:00")), nil, "")
	}
	v = View{Created: at("08:00:00"), Author: ada, AuthorOnlyAsks: true, Labels: []string{"new"}, Begun: at("07:00:00"), Installed: at("08:00:01")}
	h := statemachine.History{
		Labels: []string{"new"}, Terms: statemachine.Terms{JudgedSince: at("09:00:00"), Begun: at("07:00:00"), Installed: at("08:00:01")}, Opening: statemachine.Opening{By: "ada", At: at("08:00:00"), OnlyAsks: true},
	}
	says(t, h, v.History(at("09:00:00")), nil, "")
	v.Installed, h.Installed = at("08:00:00"), time.Time{} // it was opened as Colony came
	says(t, h, v.History(at("09:00:00")), nil, "")
	says(t, lifecycle.Candidate{Number: 3, Title: "Paint", State: "new", Labels: []string{"a"}, Created: noon, Blocked: 2}, Entry{Number: 3, Title: "Paint", Labels: []string{"a"}, Created: noon, Blocked: 2}.Candidate("new"), nil, "")
}

// Who counts as whom, for Colony as it is configured and for a repository's own executors.
func TestActors(t *testing.T) {
	as := func(login string, kind lifecycle.ActorKind, roles ...string) lifecycle.Actor {
		return lifecycle.Actor{Login: login, Kind: kind, Roles: roles}
	}
	unknown := &Actors{}
	says(t, []bool{false, false, false}, []bool{unknown.IsSelf(""), unknown.IsSelf("colony[bot]"), unknown.Self() != ""}, nil, "")
	holds(t, "", func(s *Store, _ *clockwork.FakeClock) {
		s.actors.Former = []string{"old[bot]"}
		says(t, as("colony[bot]", lifecycle.Colony), s.Self(), nil, "")
		for _, row := range []struct {
			login string
			bot   bool
			via   int64
			want  lifecycle.Actor
		}{
			{"Colony[bot]", false, 0, as("Colony[bot]", lifecycle.Colony)},
			{"Old[bot]", true, 0, as("Old[bot]", lifecycle.Colony)},
			{"other[bot]", true, 9, as("other[bot]", lifecycle.Colony)},
			{"other[bot]", true, 8, as("other[bot]", lifecycle.Executor)},
			{"ada", false, 9, as("ada", lifecycle.Operator)},
			{"DEV[bot]", false, 0, as("DEV[bot]", lifecycle.Executor, "developer")},
			{"", false, 0, as("", lifecycle.Operator)},
		} {
			says(t, row.want, s.actors.actor(row.login, row.bot, row.via), nil, "")
		}
		says(t, as("x[bot]", lifecycle.Executor), (&Actors{}).actor("x[bot]", true, 0), nil, "")
		says(t, as("x[bot]", lifecycle.Executor), s.actors.actorOf(user{"x[bot]", botType}), nil, "")
		other := s.WithExecutors(map[string][]string{"ada": {"reviewer"}}).WithFormer("older[bot]")
		for _, row := range []struct{ by, want lifecycle.Actor }{
			{as("ada", lifecycle.Operator), as("ada", lifecycle.Executor, "reviewer")},
			{as("dev[bot]", lifecycle.Operator), as("dev[bot]", lifecycle.Executor)},
			{as("eve", lifecycle.Executor), as("eve", lifecycle.Operator)},
			{as("ada", lifecycle.Author), as("ada", lifecycle.Author)},
			{as("ada", lifecycle.Colony), as("ada", lifecycle.Colony)},
			{as("older[bot]", lifecycle.Operator), as("older[bot]", lifecycle.Colony)},
			{as("old[bot]", lifecycle.Operator), as("old[bot]", lifecycle.Colony)},
		} {
			says(t, row.want, other.As(row.by), nil, "")
		}
		says(t, int64(9), other.actors.AppID, nil, "")
		says(t, as("colony[bot]", lifecycle.Colony), other.Self(), nil, "")
		says(t, as("older[bot]", lifecycle.Executor), s.As(as("older[bot]", lifecycle.Operator)), nil, "")
		other.Remember(theIssue, 5, Receipt{Content: Confused})
		says(t, true, s.HasReceipt(theIssue, 5), nil, "") // what was remembered is shared
	})
}

// What an error of GitHub's means.
func TestErrors(t *testing.T) {
	status := func(code int) error {
		return fmt.Errorf("try: %w", &github.ErrorResponse{Response: &http.Response{StatusCode: code, Request: &http.Request{URL: &url.URL{}}}, Message: "words"})
	}
	token := func(code int, header ...string) error {
		response := &http.Response{StatusCode: code, Header: http.Header{}}
		if len(header) > 0 {
			response.Header.Set(header[0], header[1])
		}
		return fmt.Errorf("try: %w", &ghinstallation.HTTPError{Response: response})
	}
	network := fmt.Errorf("try: %w", &url.Error{Op: "Get", URL: "https://api.github.com/secret", Err: errors.New("refused")})
	for name, row := range map[string]struct {
		err             error
		gone, permanent bool
		cause, words    string
	}{
		"missing":              {asNotFound(status(404)), true, true, "missing", "GitHub answered 404 Not Found"},
		"deleted":              {asNotFound(status(410)), true, true, "deleted", "GitHub answered 410 Gone"},
		"hidden":               {asHidden(status(403)), true, true, "missing", "GitHub answered 403 Forbidden"},
		"forbidden":            {asNotFound(status(403)), false, true, "missing", "GitHub answered 403 Forbidden"},
		"not hidden":           {asHidden(status(404)), false, true, "missing", "GitHub answered 404 Not Found"},
		"a bad request":        {status(400), false, true, "missing", "GitHub answered 400 Bad Request"},
		"not accepted":         {status(499), false, true, "missing", "GitHub answered 499 "},
		"redirected":           {status(399), false, false, "missing", "GitHub answered 399 "},
		"too late":             {status(408), false, false, "missing", "GitHub answered 408 Request Timeout"},
		"too much":             {status(429), false, false, "missing", "GitHub answered 429 Too Many Requests"},
		"broken":               {status(500), false, false, "missing", "GitHub answered 500 Internal Server Error"},
		"moved":                {fmt.Errorf("read: %w", ErrMoved), true, true, "moved", "read: it was transferred: the issue is gone"},
		"forbidden by GraphQL": {fmt.Errorf("ask: %w", ErrForbidden), false, true, "missing", "ask: GitHub does not let this App read that by GraphQL"},
		"network":              {network, false, false, "missing", "GitHub did not answer"},
		"uninstalled":          {token(404), true, true, "uninstalled", "try: "},
		"suspended":            {token(403), true, true, "suspended", "try: "},
		"tokens limited":       {token(403, "Retry-After", "60"), false, false, "suspended", "try: "},
		"tokens used up":       {token(403, "X-RateLimit-Remaining", "0"), false, false, "suspended", "try: "},
		"tokens left":          {token(403, "X-RateLimit-Remaining", "1"), true, true, "suspended", "try: "},
		"no token now":         {token(500), false, false, "uninstalled", "try: "},
		"no answer":            {&ghinstallation.HTTPError{}, false, false, "uninstalled", ""},
		"none":                 {nil, false, false, "missing", ""},
	} {
		t.Run(name, func(t *testing.T) {
			says(t, []bool{row.gone, row.permanent}, []bool{IsGone(row.err), IsPermanent(row.err)}, nil, "")
			says(t, row.cause, GoneCause(row.err), nil, "")
			words := ""
			if err := InWords(row.err); err != nil {
				says(t, true, errors.Is(err, row.err), nil, "")
				words = err.Error()
			}
			says(t, row.words, words, nil, "")
		})
	}
	says(t, []bool{true, false, true, false}, []bool{IsMissing(status(404)), IsMissing(status(403)), IsForbidden(status(403)), IsForbidden(status(404))}, nil, "")
	code, words := Answer(status(422))
	says(t, "422 words", fmt.Sprint(code, " ", words), nil, "")
	code, words = Answer(network)
	says(t, "0 ", fmt.Sprint(code, " ", words), nil, "")
	code, _ = Answer(&github.ErrorResponse{})
	says(t, 0, code, nil, "")
}

func TestNames(t *testing.T) {
	says(t, "acme/widgets#1", theIssue.String(), nil, "")
	says(t, []bool{true, false, false}, []bool{widgets.Same(Repository{Owner: "ACME", Name: "Widgets"}), widgets.Same(Repository{Owner: "acme", Name: "gears"}), widgets.Same(Repository{Owner: "ada", Name: "widgets"})}, nil, "")
	says(t, "acme/widgets", NameKey("Acme", "Widgets"), nil, "")
	says(t, []bool{true, true, false, false}, []bool{IsColonys("Colony:new"), IsColonys("colony:"), IsColonys("colony"), IsColonys("bug")}, nil, "")
	repo, ok := RepositoryOf(context.WithValue(t.Context(), repositoryKey{}, widgets))
	says(t, widgets, repo, nil, "")
	_, not := RepositoryOf(t.Context())
	says(t, []bool{true, false}, []bool{ok, not}, nil, "")
	says(t, []time.Time{noon, noon}, []time.Time{Latest(noon, at("09:00:00")), Latest(at("09:00:00"), noon)}, nil, "")
	for _, row := range []struct {
		p, q Permission
		want bool
	}{{PermissionWrite, PermissionWrite, true}, {PermissionWrite, PermissionRead, true}, {PermissionRead, PermissionWrite, false}, {"x", PermissionNone, false}, {"x", "y", false}, {PermissionNone, "y", true}} {
		says(t, row.want, row.p.Includes(row.q), nil, "")
	}
	p, err := ParsePermission("Triage")
	says(t, PermissionTriage, p, err, "")
	_, err = ParsePermission("x")
	says(t, any(nil), nil, err, `"x" is not one of none, read`)
}
