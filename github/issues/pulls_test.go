package issues

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"
)

// pullsPage is the question for a page of the open pull requests of acme/widgets, and closedPage that for the closed ones.
func pullsPage(page int) string {
	return fmt.Sprintf("> GET repos/acme/widgets/pulls?direction=desc&page=%d&per_page=100&sort=created&state=open", page)
}

const closedPage = "> GET repos/acme/widgets/pulls?direction=desc&page=1&per_page=100&sort=updated&state=closed"

// pullJSON is a pull request of a branch of the repository, as a list tells it.
func pullJSON(number int, branch, commit, body string) string {
	return fmt.Sprintf(`{"number":%d,"title":"Paint","body":%q,"state":"open","updated_at":"2026-03-02T09:00:00Z","head":{"ref":%q,"sha":%q,"repo":{"id":7,"full_name":"acme/widgets"}},`+
		`"base":{"ref":"main","repo":{"id":7,"full_name":"acme/widgets","default_branch":"main"}},"user":{"id":3,"login":"tara"}}`, number, body, branch, commit)
}

func withBranches(t *testing.T, s *Store) *Store {
	t.Helper()
	var err error
	if s.Branches, err = ParseBranches(DefaultBranches); err != nil {
		t.Fatal(err)
	}
	return s
}

const filesOf = "> GET repos/acme/widgets/pulls/%d/files?page=1&per_page=100\n"

func filesPage(pull int, names ...string) string {
	var files []string
	for _, name := range names {
		files = append(files, fmt.Sprintf(`{"filename":%q}`, name))
	}
	return fmt.Sprintf(filesOf, pull) + "< 200 [" + strings.Join(files, ",") + "]\n"
}

// Which pull requests have a commit at their head, in as many pages as are searched.
func TestPullRequestsAtACommit(t *testing.T) {
	find := func(s *Store) (any, error) { return s.PullRequestsAt(t.Context(), widgets, "abc") }
	one := "[" + pullJSON(4, "x", "abc", "") + "," + pullJSON(5, "y", "def", "") + "]"
	exchanges(t, map[string]exchange{
		"one":  {pullsPage(1) + "\n< 200 " + one, find, []int{4}, ""},
		"none": {pullsPage(1) + "\n< 200 []", find, []int(nil), ""},
		"three pages": {
			pullsPage(1) + "\n< 200 next " + one + "\n" + pullsPage(2) + "\n< 200 next " + one + "\n" + pullsPage(3) + "\n< 200 next " + one, find, []int{4, 4, 4}, "",
		},
		"no repository": {pullsPage(1) + "\n< 404 {}", find, []int(nil), "list the pull requests: the issue is gone"},
	})
}

// A list is asked for again on a condition; what a pull request is for is read anew once it changed, or may have within the second.
func TestListsOfPullRequestsAreKept(t *testing.T) {
	of := func(body, updated, base string) string {
		return strings.NewReplacer("09:00:00", updated, `"main"`, fmt.Sprintf("%q", base)).Replace(pullJSON(4, "x", "abc", body))
	}
	first := pullsPage(1) + "\n< 200 etag=A [" + of("Fixes #1", "09:00:00", "main") + "]"
	for name, row := range map[string]struct {
		then string
		want []int
	}{
		"as it was":                      {"< 304", []int{1}},
		"another text":                   {"< 200 [" + of("Fixes #2", "10:00:00", "main") + "]", []int{2}},
		"another text, of the same time": {"< 200 [" + of("Fixes #2", "09:00:00", "main") + "]", []int{1}},
		"another text, a second ago":     {"< 200 [" + of("Fixes #2", "11:59:59", "main") + "]", []int{2}},
		"another base":                   {"< 200 [" + of("Fixes #2", "09:00:00", "next") + "]", []int{2}},
	} {
		t.Run(name, func(t *testing.T) {
			holds(t, first+"\n"+pullsPage(1)+" unless A\n"+row.then, func(s *Store, _ *clockwork.FakeClock) {
				client := s.client(widgets)
				_, err := s.in(client, widgets).open(t.Context())
				says(t, any(nil), nil, err, "")
				lists := s.in(client, widgets)
				for range 2 { // once a reading
					got, err := lists.open(t.Context())
					says(t, row.want, got[0].issues, err, "")
				}
			})
		})
	}
	young := pullsPage(1) + "\n< 200 [" + of("Fixes #1", "11:59:59", "main") + "]\n" // without a tag it is read again
	holds(t, young+pullsPage(1)+"\n< 200 ["+of("Fixes #2", "11:59:59", "main")+"]", func(s *Store, _ *clockwork.FakeClock) {
		client := s.client(widgets)
		for _, want := range [][]int{{1}, {2}} {
			got, err := s.in(client, widgets).open(t.Context())
			says(t, want, got[0].issues, err, "")
		}
	})
}

// GitHub's "not modified" is of a page alone: another may follow a full one by now.
func TestAPageAfterAFullOneIsFound(t *testing.T) {
	var full []string
	for n := range 100 {
		full = append(full, pullJSON(n+2, "x", "abc", ""))
	}
	script := pullsPage(1) + "\n< 200 etag=A [" + strings.Join(full, ",") + "]\n" + pullsPage(2) + "\n< 200 []\n" +
		pullsPage(1) + " unless A\n< 304\n" + pullsPage(2) + "\n< 200 [" + pullJSON(1, "x", "abc", "") + "]"
	holds(t, script, func(s *Store, _ *clockwork.FakeClock) {
		for _, want := range []int{100, 101} {
			found, err := s.PullRequestsAt(t.Context(), widgets, "abc")
			says(t, want, len(found), err, "")
		}
	})
}

// Which issues are concerned once something became of pull request #4.
func TestOverlapping(t *testing.T) {
	all := func(bodies ...string) string {
		var pulls []string
		for i, body := range bodies {
			pulls = append(pulls, pullJSON(4+i, "x", fmt.Sprint("c", i), body))
		}
		return pullsPage(1) + "\n< 200 [" + strings.Join(pulls, ",") + "]\n"
	}
	find := func(waiting ...int) func(s *Store) (any, error) {
		return func(s *Store) (any, error) { return s.Overlapping(t.Context(), Ref{widgets, 4}, waiting, nil) }
	}
	exchanges(t, map[string]exchange{
		"the same file":            {all("Fixes #1", "Fixes #2", "Fixes #3") + filesPage(4, "a", "b") + filesPage(6, "c") + filesPage(5, "b"), find(), []int{2}, ""},
		"its own issue":            {all("Fixes #1", "Fixes #1, fixes #2") + filesPage(4, "a") + filesPage(5, "a"), find(), []int{2}, ""},
		"those that wait":          {all("Fixes #1", "Fixes #2", "Fixes #3") + filesPage(4, "a") + filesPage(5, "b"), find(3), []int{3}, ""},
		"waits and another":        {all("Fixes #1", "Fixes #2, fixes #3") + filesPage(4, "a") + filesPage(5, "a"), find(3), []int{2, 3}, ""},
		"waits, and not the other": {all("Fixes #1", "Fixes #2, fixes #3") + filesPage(4, "a") + filesPage(5, "b"), find(3), []int{3}, ""},
		"each once":                {all("Fixes #1", "Fixes #2", "Fixes #2") + filesPage(4, "a") + filesPage(6, "a"), find(), []int{2}, ""},
		"of no issue":              {all("Fixes #1", "Nothing") + filesPage(4, "a"), find(), []int(nil), ""},
		"not open any more":        {pullsPage(1) + "\n< 200 [" + pullJSON(5, "x", "c", "Fixes #2") + "," + pullJSON(6, "x", "c", "Fixes #3") + "]", find(3), []int{3}, ""},
		"no list":                  {pullsPage(1) + "\n< 502", find(), []int(nil), "list the pull requests"},
		"no files":                 {all("Fixes #1", "Fixes #2") + fmt.Sprintf(filesOf, 4) + "< 502", find(), []int(nil), "list the files of pull request #4"},
		"no files of another":      {all("Fixes #1", "Fixes #2") + filesPage(4, "a") + fmt.Sprintf(filesOf, 5) + "< 502", find(), []int(nil), "list the files of pull request #5"},
		"deleted":                  {all("Fixes #1", "Fixes #2") + fmt.Sprintf(filesOf, 4) + "< 404 {}", find(), []int(nil), ""},
		"by a former name": {
			all("Fixes #1", "Fixes #2") + filesPage(4, "a") + fmt.Sprintf(filesOf, 5) + `< 200 [{"filename":"z","previous_filename":"a"}]`, find(), []int{2}, "",
		},
		"on a later page": {
			all("Fixes #1", "Fixes #2") + filesPage(4, "a") + fmt.Sprintf(filesOf, 5) + `< 200 next [{"filename":"z"}]` + "\n> GET repos/acme/widgets/pulls/5/files?page=2&per_page=100\n" +
				`< 200 next []` + "\n> GET repos/acme/widgets/pulls/5/files?page=3&per_page=100\n" + `< 200 next [{"filename":"a"}]`, find(), []int{2}, "",
		},
	})
}

const (
	closingLinks = `> POST graphql {"query":"closingIssuesReferences","variables":{"name":"widgets","number":4,"owner":"acme"}}` + "\n"
	thePull      = "> GET repos/acme/widgets/pulls/4\n"
)

// The issues of a pull request: by its words, by its branch, and by hand.
func TestIssuesOfOnePullRequest(t *testing.T) {
	byHand := `< 200 {"data":{"repository":{"pullRequest":{"closingIssuesReferences":{"nodes":[{"number":1,"repository":{"nameWithOwner":"acme/widgets"}},{"number":9,"repository":{"nameWithOwner":"acme/widgets"}}]}}}}}`
	find := func(s *Store) (any, error) {
		return withBranches(t, s).PullRequestIssues(t.Context(), Ref{widgets, 4})
	}
	is := thePull + "< 200 " + pullJSON(4, "2-paint", "c", "Fixes #1") + "\n"
	exchanges(t, map[string]exchange{
		"all":        {is + closingLinks + byHand, find, []int{1, 2, 9}, ""},
		"no GraphQL": {is + closingLinks + "< 404", find, []int{1, 2}, ""},
		"forbidden":  {is + closingLinks + "< 403", find, []int{1, 2}, "read the issues of pull request acme/widgets#4"},
		"gone":       {thePull + "< 404 {}", find, []int(nil), "read pull request acme/widgets#4: the issue is gone"},
	})
}

const timelineOf = "> GET repos/acme/widgets/issues/1/timeline?page=%d&per_page=100\n"

// links is what is read of the pull requests of an issue before one is.
func links(numbers string) string {
	return asksLinks + `< 200 {"data":{"repository":{"issue":{"closedByPullRequestsReferences":{"nodes":[` + numbers + "]}}}}}\n" + fmt.Sprintf(timelineOf, 1) + "< 200 []\n"
}

func linked(number int) string {
	return fmt.Sprintf(`{"number":%d,"repository":{"nameWithOwner":"acme/widgets"}}`, number)
}

func pullRead(number int, answer string) string {
	return fmt.Sprintf("> GET repos/acme/widgets/pulls/%d\n", number) + answer + "\n"
}

// The pull requests of an issue that are open, and those of work that starts afresh.
func TestPullRequestsOfAnIssue(t *testing.T) {
	find := func(s *Store) (any, error) { return s.OpenPullRequests(t.Context(), View{Ref: theIssue}) }
	type both struct{ Open, Closed []int }
	afresh := func(s *Store) (any, error) {
		open, closed, err := s.Superseded(t.Context(), View{Ref: theIssue}, at("10:00:00"))
		return both{open, closed}, err
	}
	closed := func(number int, clock, more string) string {
		return pullRead(number, fmt.Sprintf(`< 200 {"number":%d,"state":"closed","closed_at":"2026-03-02T%sZ"%s}`, number, clock, more))
	}
	by := func(number int, login string) string {
		return fmt.Sprintf("> GET repos/acme/widgets/issues/%d\n", number) + fmt.Sprintf(`< 200 {"number":%d,"closed_by":{"login":%q}}`, number, login) + "\n"
	}
	open := func(number int) string {
		return pullRead(number, fmt.Sprintf(`< 200 {"number":%d,"state":"open"}`, number))
	}
	exchanges(t, map[string]exchange{
		"open":        {links(linked(4)+","+linked(5)) + open(4) + closed(5, "10:00:00", ""), find, []int{4}, ""},
		"deleted":     {links(linked(4)+","+linked(5)) + pullRead(4, "< 404 {}") + pullRead(5, "< 410 {}"), find, []int(nil), ""},
		"unreadable":  {links(linked(4)) + pullRead(4, "< 502"), find, []int(nil), "read the pull requests of acme/widgets#1: read pull request #4"},
		"no links":    {asksLinks + "< 403\n" + fmt.Sprintf(timelineOf, 1) + "< 200 []", find, []int(nil), ""},
		"no answer":   {asksLinks + "< 502", find, []int(nil), "read the pull requests of acme/widgets#1"},
		"no timeline": {asksLinks + "< 404\n" + fmt.Sprintf(timelineOf, 1) + "< 502", find, []int(nil), "read the timeline"},
		"afresh": {
			links(linked(4)+","+linked(5)+","+linked(6)+","+linked(7)+","+linked(8)) + open(4) + closed(5, "10:00:00", "") + closed(6, "09:59:59", "") + closed(7, "11:00:00", `,"merged_at":"2026-03-02T11:00:00Z"`) + closed(8, "11:00:00", "") +
				by(5, "colony[bot]") + by(8, "ada"), afresh, both{[]int{4}, []int{5}}, "",
		},
		"afresh, no links":        {asksLinks + "< 403\n" + fmt.Sprintf(timelineOf, 1) + "< 200 []", afresh, both{}, ""},
		"afresh, not now":         {asksLinks + "< 502", afresh, both{}, "read the pull requests of acme/widgets#1"},
		"afresh, unknown by whom": {links(linked(5)) + closed(5, "10:00:00", "") + "> GET repos/acme/widgets/issues/5\n< 502", afresh, both{}, "read who closed pull request acme/widgets#5"},
		"by the name of a branch": {
			links("") + pullsPage(1) + "\n< 200 next [" + pullJSON(4, "1-paint", "c", "") + "," + pullJSON(5, "2-paint", "c", "") + "]\n" + pullsPage(2) + "\n< 200 []\n" + closedPage + "\n< 200 next [" + pullJSON(6, "colony/1", "c", "") + "]\n" +
				pullRead(4, "< 200 "+pullJSON(4, "1-paint", "c", "")) + pullRead(6, "< 200 "+pullJSON(6, "another", "c", "")),
			func(s *Store) (any, error) {
				return withBranches(t, s).OpenPullRequests(t.Context(), View{Ref: theIssue})
			},
			[]int{4},
			"",
		},
	})
	// Of very many, those that came last.
	var numbers, reads []string
	for i := range pullsRead + 1 {
		numbers = append(numbers, linked(100+i))
		if i > 0 {
			reads = append(reads, open(100+i))
		}
	}
	holds(t, links(strings.Join(numbers, ","))+strings.Join(reads, ""), func(s *Store, _ *clockwork.FakeClock) {
		got, err := s.OpenPullRequests(t.Context(), View{Ref: theIssue})
		says(t, pullsRead, len(got), err, "")
		says(t, 101, got[0], nil, "")
	})
}

// A pull request that a webhook told of is read before GitHub lists it; one that is older than the webhook is behind.
func TestAPullRequestThatAWebhookToldOf(t *testing.T) {
	for _, row := range []struct {
		updated time.Time
		behind  bool
	}{{at("09:00:00"), false}, {at("09:00:01"), true}} {
		holds(t, links("")+pullRead(4, "< 200 "+pullJSON(4, "x", "c", "Fixes #1")), func(s *Store, _ *clockwork.FakeClock) {
			found, err := s.Facts(t.Context(), View{Ref: theIssue}, Ask{Needs: needsPulls, PullRequest: 4, PullRequestUpdated: row.updated})
			says(t, row.behind, found.Behind, err, "")
			says(t, true, found.Unsettled, nil, "") // nobody knows yet whether it can be merged
			says(t, []string{"pull-request-opened #4", "pull-request-ready #4"}, observations(found), nil, "")
		})
	}
}
