package sweep

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
)

// What rests is left alone until something changes, the policy does, or time moves it. What a check can move rests while all checks are the same.
func TestWhatASweepLeavesUnread(t *testing.T) {
	t.Parallel()
	swept := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	before, now := swept.Add(-time.Hour), swept.Add(10*time.Minute)
	labels := []watched{{label: "a"}, {label: "b", checks: true}, {label: "c"}}
	has := []bool{true, true, false}
	all, checks := has, []bool{false, true, false}
	rests := &settled{Version: "v1", Checks: "passed"}
	says := func(checks string) func(*issues.Activity) { return func(a *issues.Activity) { a.Checks = checks } }
	for name, row := range map[string]struct {
		known   record
		changes func(*issues.Activity)
		want    []bool
	}{
		"nothing is known":          {record{Until: swept}, nil, all},
		"all rest":                  {record{Until: swept, Settled: rests}, says("passed"), make([]bool, 3)},
		"a check changed":           {record{Until: swept, Settled: rests}, says("failed"), checks},
		"checks are unknown now":    {record{Until: swept, Settled: rests}, nil, checks},
		"checks were unknown":       {record{Until: swept, Settled: &settled{Version: "v1"}}, says("passed"), checks},
		"checks are unknown":        {record{Until: swept, Settled: &settled{Version: "v1"}}, nil, checks},
		"under another policy":      {record{Until: swept, Settled: &settled{Version: "v0"}}, nil, all},
		"until later":               {record{Until: swept, Settled: &settled{Version: "v1", Due: now.Add(time.Second)}}, nil, checks},
		"until now":                 {record{Until: swept, Settled: &settled{Version: "v1", Due: now}}, nil, all},
		"no sweep ended":            {record{Settled: rests}, nil, all},
		"an issue changed":          {record{Until: swept, Settled: rests}, func(a *issues.Activity) { a.Changed = swept }, all},
		"a pull request changed":    {record{Until: swept, Settled: rests}, func(a *issues.Activity) { a.Pulled = swept.Add(-sweepOverlap) }, all},
		"someone pushed":            {record{Until: swept, Settled: rests}, func(a *issues.Activity) { a.Pushed = swept }, all},
		"something changed earlier": {record{Until: swept, Settled: rests}, func(a *issues.Activity) { a.Changed, a.Pulled, a.Pushed = before, before, before }, checks},
	} {
		told := issues.Activity{Has: has}
		if row.changes != nil {
			row.changes(&told)
		}
		if got := row.known.toRead(labels, told, "v1", now); !cmp.Equal(got, row.want) {
			t.Errorf("%s: it reads %v, not %v", name, got, row.want)
		}
	}
}

// A sweep tells when time moves the first of the watched issues, if it saw all of them at rest.
func TestWhatASweepFindsAtRest(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	whole := func() *Progress {
		return &Progress{Version: "v1", Watching: &watchProgress{All: true, Begun: cursor{State: 1, Page: 1}}}
	}
	for name, row := range map[string]struct {
		happens func(*Progress)
		want    *settled
	}{
		"no issue":                     {func(*Progress) {}, &settled{Version: "v1"}},
		"issues that checks can move":  {func(p *Progress) { p.Checks = "passed" }, &settled{Version: "v1", Checks: "passed"}},
		"issues that time moves":       {func(p *Progress) { p.rests(at.Add(time.Hour), true); p.rests(time.Time{}, true); p.rests(at, true) }, &settled{Version: "v1", Due: at}},
		"one that another can move":    {func(p *Progress) { p.rests(at, true); p.rests(time.Time{}, false) }, nil},
		"one that does not rest":       {func(p *Progress) { p.Unsettled = true }, nil},
		"one that could not be read":   {func(p *Progress) { p.Unread = []int{7} }, nil},
		"not all":                      {func(p *Progress) { p.Watching.All = false }, nil},
		"the rest of a list":           {func(p *Progress) { p.Watching.Begun.Page = 2 }, nil},
		"a sweep of an earlier Colony": {func(p *Progress) { p.Version = "" }, nil},
	} {
		p := whole()
		row.happens(p)
		if diff := cmp.Diff(row.want, p.settled()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
