package audit

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)

// The oldest comes first, and what has no time comes last; otherwise the order does not depend on which came first.
func TestOlder(t *testing.T) {
	t.Parallel()
	sorted := []Finding{
		{Since: noon, Repository: "b", Issue: 2},
		{Since: noon.Add(time.Second), Repository: "a", Issue: 1},
		{Since: noon.Add(time.Second), Repository: "a", Issue: 2, Irregular: Irregular(advice.NeedsRestart)},
		{Since: noon.Add(time.Second), Repository: "a", Issue: 2, Irregular: Irregular(advice.NeedsResuming), Says: "a"},
		{Since: noon.Add(time.Second), Repository: "a", Issue: 2, Irregular: Irregular(advice.NeedsResuming), Says: "b"},
		{Since: noon.Add(time.Second), Repository: "b", Issue: 1},
		{Repository: "a", Issue: 1},
		{Repository: "a", Issue: 2},
	}
	for i, a := range sorted {
		for j, b := range sorted {
			if got := Older(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%v and %v: %d", a, b, got)
			}
		}
	}
}

func TestAFindingInALine(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]Finding{
		"not-looked-at   acme/gears: no":                                         {Irregular: NotChecked, Repository: "acme/gears", Says: "no"},
		"paused          acme/gears#2: it is paused, since 2026-03-01 12:00 UTC": {Irregular: Irregular(advice.NeedsResuming), Repository: "acme/gears", Issue: 2, Says: "it is paused", Since: noon},
		`paused          acme/gears#2: it is paused, since 2026-03-01 12:00 UTC (1s), by ada; waits for ada or tara; write /colony:resume; "A \"title\"" http://x/2`: {
			Irregular: Irregular(advice.NeedsResuming), Repository: "acme/gears", Issue: 2, Says: "it is paused", Since: noon.In(time.FixedZone("", 3600)), Age: 1, By: "ada", Who: []string{"ada", "tara"}, Do: "/colony:resume", Title: `A "title"`, URL: "http://x/2",
		},
	} {
		if got := f.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// statusOf is a status of two repositories and an empty one.
func statusOf(t *testing.T) *Status {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	s := &Status{Read: noon, Audited: Audited{Repositories: 3, Issues: 4}}
	state := func(names ...string) (states []lifecycle.State) {
		for _, s := range life.States {
			if slices.Contains(names, s.Name) {
				states = append(states, s)
			}
		}
		return states
	}
	s.count("acme/widgets", life, state("new"))
	s.count("acme/gears", life, state("new", "paused"))
	s.count("acme/widgets", life, state("done"))
	s.count("acme/widgets", life, state("new"))
	s.count("acme/empty", life, nil)
	for _, i := range []Irregular{Irregular(advice.NeedsResuming), UnknownLabel, NotChecked} {
		s.finding(Finding{Irregular: i, Repository: "acme/gears", Issue: 1, State: "paused", Since: noon.Add(-time.Hour), Age: 3600, By: "ada", Who: []string{"ada", "tara"}, Do: "/colony:resume", Title: "=1+1", URL: "http://x/1", Says: "it is so"})
	}
	s.finding(Finding{Irregular: Irregular(advice.NeedsAnswer), Repository: "acme/gears", Issue: 2, Title: "A title", Says: "it asks"})
	return s
}

func TestAStatusForPeople(t *testing.T) {
	t.Parallel()
	s := statusOf(t)
	var b strings.Builder
	if err := s.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	want := `4 open issues in 3 repositories, 2026-03-01 12:00 UTC
      3  new
      1  done
      1  paused
acme/widgets: 2 new, 1 done
acme/gears: 1 new, 1 paused
2 issues wait for a person
paused          acme/gears#1: it is so, since 2026-03-01 11:00 UTC (1h), by ada; waits for ada or tara; write /colony:resume; "=1+1" http://x/1
awaiting-human  acme/gears#2: it asks; "A title" 
not-looked-at   acme/gears#1: it is so, since 2026-03-01 11:00 UTC (1h), by ada; waits for ada or tara; write /colony:resume; "=1+1" http://x/1
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	s.Repositories = s.Repositories[:1]
	b.Reset()
	if err := s.WriteText(&b); err != nil || strings.Contains(b.String(), "acme/widgets: ") {
		t.Errorf("one repository is listed twice: %s %v", b.String(), err)
	}
	if err := s.WriteText(full{}); err == nil || err.Error() != "print the status: full" {
		t.Errorf("%v", err)
	}
}

// A title is no formula of a spreadsheet.
func TestAStatusAsATable(t *testing.T) {
	t.Parallel()
	s := statusOf(t)
	s.Repositories = []RepositoryStatus{{"acme/gears", []Count{{"new", 1}, {"done", 0}}}}
	var b strings.Builder
	if err := s.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	want := `repository,state,open,issue,need,since,age_seconds,by,who,do,title,url
acme/gears,new,1,,,,,,,,,
acme/gears,done,0,,,,,,,,,
acme/gears,paused,,1,paused,2026-03-01T11:00:00Z,3600,ada,ada or tara,/colony:resume,'=1+1,http://x/1
acme/gears,,,2,awaiting-human,,0,,,,A title,
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := s.WriteCSV(full{}); err == nil || err.Error() != "write the table: full" {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{"": "", "a=": "a=", "=a": "'=a", "+a": "'+a", "-a": "'-a", "@a": "'@a"} {
		if got := cell(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// full is a disk that takes nothing more.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestTextOfStrangersSteersNoTerminal(t *testing.T) {
	t.Parallel()
	if got := shown("a\x1b[31m\nb\u202ec é"); got != "a[31mbc é" {
		t.Errorf("%q", got)
	}
}
