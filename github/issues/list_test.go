package issues

import (
	"testing"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/lifecycle"
)

// listing is the question for a page of the issues of acme/widgets, oldest first, in the order of its terms.
func listing(terms string) string { return "> GET repos/acme/widgets/issues?" + terms + "\n" }

const (
	openNew  = "direction=asc&labels=new&page=1&per_page=100&sort=created&state=open"
	openNew2 = "direction=asc&labels=new&page=2&per_page=100&sort=created&state=open"
)

// listed are an issue, a pull request, and a dashboard, of which only the first is work.
const listed = `{"number":3,"title":"Paint","body":"red","state":"closed","labels":[{"name":"new"},{"name":"bug"}],"created_at":"2026-03-02T09:00:00Z","updated_at":"2026-03-02T10:00:00Z",
	"closed_at":"2026-03-02T11:00:00Z","issue_dependencies_summary":{"blocked_by":2,"total_blocked_by":5}},
	{"number":4,"pull_request":{}},
	{"number":5,"user":{"login":"colony[bot]"},"body":"Figures\n\n<!-- colony:dashboard figures -->"},
	{"number":6,"user":{"login":"ada"},"body":"<!-- colony:dashboard figures -->"}`

func TestLists(t *testing.T) {
	list := func(f Filter) func(s *Store) (any, error) {
		return func(s *Store) (any, error) {
			found, more, err := s.List(t.Context(), widgets, f)
			numbers := numbersOf(found)
			if more {
				numbers = append(numbers, -1)
			}
			return numbers, err
		}
	}
	pages := func(f Filter, pages int) Filter { f.Pages = pages; return f }
	exchanges(t, map[string]exchange{
		"with a label": {listing(openNew) + `< 200 [{"number":3},{"number":4,"pull_request":{}}]`, list(WithLabel("new")), []int{3}, ""},
		"with more":    {listing(openNew) + `< 200 next [{"number":3}]`, list(WithLabel("new")), []int{3, -1}, ""},
		"all of it":    {listing(openNew) + `< 200 next [{"number":3}]` + "\n" + listing(openNew2) + `< 200 [{"number":7}]`, list(AllWithLabel("new")), []int{3, 7}, ""},
		"two pages":    {listing(openNew) + `< 200 next [{"number":3}]` + "\n" + listing(openNew2) + `< 200 next [{"number":7}]`, list(pages(WithLabel("new"), 2)), []int{3, 7, -1}, ""},
		"a page of a size": {
			listing("direction=asc&labels=new&page=2&per_page=30&sort=created&state=open") + `< 200 next [{"number":3}]`, list(WithLabel("new").At(2, 30)), []int{3, -1}, "",
		},
		"changed since": {
			listing("direction=asc&page=1&per_page=100&since=2026-03-02T09:00:00Z&sort=updated&state=all") + `< 200 []`, list(ChangedSince(at("09:00:00"))), []int(nil), "",
		},
		"changed with a label": {
			listing("direction=desc&labels=new&page=1&per_page=100&since=2026-03-02T09:00:00Z&sort=updated&state=all") + `< 200 []`, list(ChangedWithLabel("new", at("09:00:00"))), []int(nil), "",
		},
		"no such repository": {listing(openNew) + "< 404 {}", list(WithLabel("new")), []int(nil), "list the issues of acme/widgets with the label new: the issue is gone"},
		"out of order":       {listing("direction=asc&page=1&per_page=100&sort=created&state=") + "< 502", list(Filter{Order: OldestFirst}), []int(nil), "list the issues of acme/widgets: GET"},
		"what is no work": {
			listing(openNew) + "< 200 [" + oneLine(listed) + "]", func(s *Store) (any, error) {
				found, _, err := s.List(t.Context(), widgets, WithLabel("new"))
				return found, err
			},
			[]Entry{
				{
					Number: 3, Title: "Paint", Body: "red", Labels: []string{"new", "bug"}, Closed: true, Created: at("09:00:00"), Updated: at("10:00:00"), ClosedAt: at("11:00:00"), Blocked: 2,
				},
				{Number: 6, Body: "<!-- colony:dashboard figures -->"},
			},
			"",
		},
		"as views": {listing(openNew) + "< 200 next [" + oneLine(listed) + "]", func(s *Store) (any, error) {
			views, more, err := s.Views(t.Context(), widgets, WithLabel("new"))
			var found []Ref
			for _, v := range views {
				found = append(found, v.Ref)
			}
			says(t, true, more, nil, "")
			return found, err
		}, []Ref{{widgets, 3}, {widgets, 6}}, ""},
	})
}

func numbersOf(list []Entry) (numbers []int) {
	for _, e := range list {
		numbers = append(numbers, e.Number)
	}
	return numbers
}

// Issues with any of some labels, each once.
func TestListsWithAnyLabel(t *testing.T) {
	old := "direction=asc&labels=old&page=1&per_page=100&sort=created&state=open"
	holds(t, listing(openNew)+`< 200 next [{"number":3},{"number":3}]`+"\n"+listing(old)+`< 200 [{"number":3},{"number":9}]`, func(s *Store, _ *clockwork.FakeClock) {
		list, more, err := s.WithAny(t.Context(), widgets, []string{"new", "old"}, WithLabel)
		says(t, []int{3, 3, 9}, numbersOf(list), err, "") // what one list has twice is its business
		says(t, true, more, nil, "")
	})
	holds(t, listing(openNew)+`< 200 []`+"\n"+listing(old)+`< 502`, func(s *Store, _ *clockwork.FakeClock) {
		list, more, err := s.WithAny(t.Context(), widgets, []string{"new", "old"}, WithLabel)
		says(t, []int(nil), numbersOf(list), err, "with the label old")
		says(t, false, more, nil, "")
	})
}

// Whether there is room below a number of issues, with as few pages as tell it.
func TestFewerThan(t *testing.T) {
	old := "direction=asc&labels=old&page=1&per_page=100&sort=created&state=open"
	fewer := func(most, aside int) func(s *Store) (any, error) {
		return func(s *Store) (any, error) { return s.Fewer(t.Context(), widgets, []string{"new", "old"}, most, aside) }
	}
	both := listing(openNew) + `< 200 [{"number":3},{"number":4}]` + "\n" + listing(old) + `< 200 [{"number":4},{"number":5}]`
	exchanges(t, map[string]exchange{
		"one more":               {both, fewer(4, 0), true, ""},
		"as many":                {both, fewer(3, 0), false, ""},
		"as many, one aside":     {both, fewer(3, 4), true, ""},
		"told by the first":      {listing(openNew) + `< 200 [{"number":3},{"number":4}]`, fewer(2, 0), false, ""},
		"told by a further page": {listing(openNew) + `< 200 next [{"number":3}]` + "\n" + listing(openNew2) + `< 200 [{"number":4}]`, fewer(2, 0), false, ""},
		"unreadable":             {listing(openNew) + `< 502`, fewer(2, 0), false, "list the issues"},
	})
}

// The issues that wait for capacity are in one state alone, and come in their order.
func TestWaitingForCapacity(t *testing.T) {
	life := adopting(t)
	row := lifecycle.Dispatch{From: []string{"planned", "researching"}, To: "implementing"}
	page := func(label string) string {
		return listing("direction=asc&labels=" + label + "&page=1&per_page=100&sort=created&state=open")
	}
	wait := func(s *Store) (any, error) {
		return s.WaitingFor(t.Context(), widgets, life, row, life.LabelsOf)
	}
	exchanges(t, map[string]exchange{
		"some": {
			page("colony:planned") + `< 200 [{"number":3,"title":"Paint","created_at":"2026-03-02T09:00:00Z","labels":[{"name":"colony:planned"},{"name":"bug"}]},{"number":4,"labels":[{"name":"colony:planned"},{"name":"colony:failed"}]}]` + "\n" +
				page("triage") + "< 200 []\n" + page("inbox") + `< 200 [{"number":6,"created_at":"2026-03-02T07:00:00Z","labels":[{"name":"inbox"}]}]` + "\n" +
				page("colony:researching") + `< 200 [{"number":5,"created_at":"2026-03-02T08:00:00Z","labels":[{"name":"colony:researching"}]}]`, wait,
			[]lifecycle.Candidate{
				{Number: 6, State: "planned", Labels: []string{"inbox"}, Created: at("07:00:00")},
				{Number: 5, State: "researching", Labels: []string{"colony:researching"}, Created: at("08:00:00")},
				{Number: 3, Title: "Paint", State: "planned", Labels: []string{"colony:planned", "bug"}, Created: at("09:00:00")},
			},
			"",
		},
		"unreadable": {page("colony:planned") + "< 502", wait, []lifecycle.Candidate(nil), "with the label colony:planned"},
	})
}

// Who carries a label, before it is renamed or deleted.
func TestCarriersOfALabel(t *testing.T) {
	page := func(page, state string) string {
		return listing("direction=asc&labels=new&page=" + page + "&per_page=100&sort=created&state=" + state)
	}
	count := func(s *Store) (any, error) { return s.Carriers(t.Context(), widgets, "new", Open) }
	list := func(s *Store) (any, error) { return s.CarriersOf(t.Context(), widgets, "new") }
	const two = `[{"number":3,"labels":[{"name":"new"}]},{"number":4,"pull_request":{}}]`
	exchanges(t, map[string]exchange{
		"counted":            {page("1", "open") + "< 200 next " + two + "\n" + page("2", "open") + "< 200 " + two, count, Count{N: 4}, ""},
		"not counted":        {page("1", "open") + "< 404 {}", count, Count{}, "count who carries the label new in acme/widgets: the issue is gone"},
		"listed":             {page("1", "all") + "< 200 next " + two + "\n" + page("2", "all") + `< 200 [{"number":5}]`, list, []Carrier{{3, []string{"new"}, false}, {4, nil, true}, {5, nil, false}}, ""},
		"not listed":         {page("1", "all") + "< 502", list, []Carrier(nil), "list who carries the label new in acme/widgets: GET"},
		"counted by a comma": {"", func(s *Store) (any, error) { return s.Carriers(t.Context(), widgets, "a,b", Open) }, Count{}, "with a comma"},
		"listed by a comma":  {"", func(s *Store) (any, error) { return s.CarriersOf(t.Context(), widgets, "a,b") }, []Carrier(nil), "with a comma"},
		"counted up to a bound": {func() (script string) {
			for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"} {
				script += page(n, "open") + `< 200 next [{"number":3}]` + "\n"
			}
			return script
		}(), count, Count{10, true}, ""},
	})
	says(t, "7", Count{N: 7}.String(), nil, "")
	says(t, "more than 7", Count{7, true}.String(), nil, "")
}

// Which issues were relabelled, by the events of a repository from a time on.
func TestRelabeled(t *testing.T) {
	const ask = "> GET repos/acme/widgets/issues/events?page=2&per_page=100\n"
	event := func(what, clock, label, issue string) string {
		return `{"event":"` + what + `","created_at":"2026-03-02T` + clock + `Z","label":{"name":"` + label + `"},"issue":` + issue + `}`
	}
	list := func(s *Store) (any, error) {
		found, more, err := s.Relabeled(t.Context(), widgets, at("09:00:00"), 2, func(label string) bool { return label == "new" })
		numbers := numbersOf(found)
		if more {
			numbers = append(numbers, -1)
		}
		return numbers, err
	}
	all := event("labeled", "11:00:00", "new", `{"number":3}`) + "," + event("unlabeled", "10:30:00", "new", `{"number":4}`) + "," + event("labeled", "10:00:00", "new", `{"number":3}`) + "," +
		event("labeled", "10:00:00", "bug", `{"number":5}`) + "," + event("closed", "10:00:00", "new", `{"number":6}`) + "," + event("labeled", "10:00:00", "new", `null`) + "," +
		event("labeled", "10:00:00", "new", `{"number":7,"pull_request":{}}`) + "," + event("labeled", "10:00:00", "new", `{"number":8,"user":{"login":"colony[bot]"},"body":"<!-- colony:dashboard figures -->"}`) + "," +
		event("labeled", "09:00:00", "new", `{"number":9}`)
	exchanges(t, map[string]exchange{
		"with more":  {ask + "< 200 next [" + all + "]", list, []int{3, 4, 9, -1}, ""},
		"the last":   {ask + "< 200 [" + all + "]", list, []int{3, 4, 9}, ""},
		"back then":  {ask + "< 200 next [" + all + "," + event("labeled", "08:59:59", "new", `{"number":10}`) + "]", list, []int{3, 4, 9}, ""},
		"not there":  {ask + "< 404 {}", list, []int(nil), "read the events of acme/widgets: the issue is gone"},
		"unreadable": {ask + "< 502", list, []int(nil), "read the events of acme/widgets: GET"},
	})
}
