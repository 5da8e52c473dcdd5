package board

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

var widgets = issues.Repository{Installation: 7, ID: 99, Owner: "acme", Name: "widgets"}

// listedAs is an issue as a list has it.
func listedAs(number int, changed time.Duration, labels ...string) issues.View {
	return issues.View{
		Ref: issues.Ref{Repository: widgets, Number: number}, Title: fmt.Sprintf("Widget %d", number), Author: lifecycle.Actor{Login: "ada"},
		Created: start, Updated: start.Add(changed), Labels: labels,
	}
}

// seenIn is what was seen of an issue of the repository.
func seenIn(t *testing.T, number int, moves ...any) reconcile.Observed {
	t.Helper()
	o := seen(t, number, moves...)
	o.Request.Repository = widgets
	o.View.Labels = []string{"colony:" + o.Standing.State}
	return o
}

func TestWhatWaitsForAPersonIsReadFirst(t *testing.T) {
	x, _ := newIndex(100 * time.Hour)
	closed := listedAs(3, time.Hour, "colony:done")
	closed.Closed = true
	x.Listed(widgets, colony(), []issues.View{
		closed, listedAs(5, 90*time.Hour, "colony:in-review"), listedAs(4, time.Hour, "colony:in-review"), listedAs(6, 90*time.Hour, "colony:paused"),
		listedAs(2, time.Hour, "colony:new", "colony:needs-human"), listedAs(7, time.Hour, "bug"),
	})
	if diff := cmp.Diff([]int{2, 6, 4, 5, 3}, numbers(x.Unread(7, start.Add(28*time.Hour)))); diff != "" {
		t.Error(diff)
	}
	if got := x.Unread(8, start); len(got) != 0 {
		t.Errorf("of another installation there is %v", numbers(got))
	}
	if i, _, ok := x.Issue("acme", "widgets", 7); !ok || i.State != "unlabeled" || i.AtLeast() || !i.Since.Equal(start) {
		t.Errorf("what is in no state is %+v", i)
	}
	if i, _, _ := x.Issue("acme", "widgets", 6); i.State != "paused" || !i.AtLeast() || !i.Since.Equal(start.Add(90*time.Hour)) {
		t.Errorf("what was not read is %+v", i)
	}
	x.Observe(seenIn(t, 6, "paused", time.Hour))
	if i, _, _ := x.Issue("acme", "widgets", 6); i.AtLeast() || !i.Since.Equal(start.Add(time.Hour)) {
		t.Errorf("what was read is %+v", i)
	}
}

// A list takes nothing away from what was read, and makes only that be read again which it has otherwise.
func TestAListForgetsNothing(t *testing.T) {
	x, _ := newIndex(100 * time.Hour)
	x.Observe(seenIn(t, 1, "new", time.Hour))
	x.Observe(seenIn(t, 2, "new", time.Hour))
	x.Observe(seenIn(t, 3, "new", 9*time.Hour))
	renamed := listedAs(1, 5*time.Hour, "Colony:New")
	renamed.Title = "Red widget"
	x.Listed(widgets, colony(), []issues.View{renamed, listedAs(2, 5*time.Hour, "colony:paused"), listedAs(3, 5*time.Hour, "colony:paused")})
	one, _, _ := x.Issue("acme", "widgets", 1)
	if one.Title != "Red widget" || one.By != "tara" || one.AtLeast() {
		t.Errorf("it is %+v", one)
	}
	if diff := cmp.Diff([]int{2}, numbers(x.Unread(7, start))); diff != "" {
		t.Errorf("what is to be read again: %s", diff)
	}
	if two, _, _ := x.Issue("acme", "widgets", 2); two.State != "paused" || len(two.stays) == 0 {
		t.Errorf("it is %+v", two)
	}
}

// What nobody looks for is not read with each list.
func TestWhatEndedLongAgoIsReadOnce(t *testing.T) {
	x, _ := newIndex(60 * day)
	done := listedAs(1, 50*day, "colony:done")
	done.Closed = true
	x.Listed(widgets, colony(), []issues.View{done})
	if n := len(x.Unread(7, start)); n != 1 {
		t.Fatalf("%d are to be read", n)
	}
	o := seenIn(t, 1, "done", time.Hour)
	o.View.Closed, o.View.Updated = true, done.Updated
	x.Observe(o)
	x.Listed(widgets, colony(), []issues.View{done})
	if got := x.Unread(7, start); len(got) != 0 || x.total != 0 {
		t.Errorf("%v are to be read, %d are kept", numbers(got), x.total)
	}
}

func TestThereIsNoRoomForMoreThanIsKept(t *testing.T) {
	x, _ := newIndex(time.Hour)
	x.most = 100
	for n := range 500 {
		x.Listed(widgets, colony(), []issues.View{listedAs(n, time.Minute, "bug")})
	}
	x.Observe(seenIn(t, 1000, "new", time.Minute))
	x.Listed(widgets, colony(), []issues.View{listedAs(1001, time.Minute, "colony:needs-human", "colony:new")})
	for n := range 500 {
		x.Listed(widgets, colony(), []issues.View{listedAs(n, time.Minute, "bug")})
	}
	_, _, all, _ := x.Issues("acme", "widgets")
	if len(all) > 100 || len(all) != x.total {
		t.Errorf("%d are kept, and %d are counted", len(all), x.total)
	}
	for _, n := range []int{1000, 1001} {
		if _, _, ok := x.Issue("acme", "widgets", n); !ok {
			t.Errorf("%d was forgotten rather than what is in no state", n)
		}
	}
}

func TestARenamedRepositoryIsThereOnce(t *testing.T) {
	x, _ := newIndex(time.Hour)
	x.Observe(seenIn(t, 1, "paused", time.Minute))
	o := seenIn(t, 1, "paused", time.Minute)
	o.Request.Name = "gadgets"
	x.Observe(o)
	if got := x.Repositories(); len(got) != 1 || got[0].Name != "gadgets" || x.total != 1 {
		t.Errorf("there are %v with %d issues", got, x.total)
	}
	x.KeepOnly(8, nil)
	if len(x.Repositories()) != 1 {
		t.Error("a repository went with those of another installation")
	}
	x.KeepOnly(7, []issues.Repository{widgets})
	if len(x.Repositories()) != 0 || x.total != 0 || len(x.keys) != 0 {
		t.Error("a repository that left is still there")
	}
}

func TestTheBoardForgetsWhatTheWindowLeaves(t *testing.T) {
	x, clock := newIndex(2 * day)
	x.Observe(seenIn(t, 1, "in-development", time.Hour, "done", time.Hour))
	o := seenIn(t, 2, "in-development", time.Hour, "in-review", time.Hour)
	o.Standing.Rejections = []statemachine.Rejection{{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(time.Hour)}}}
	x.Observe(o)
	x.Age()
	if x.total != 2 {
		t.Fatalf("%d issues are kept", x.total)
	}
	clock.Advance(Window)
	x.Age()
	if _, _, ok := x.Issue("acme", "widgets", 1); ok {
		t.Error("what ended before the window is kept")
	}
	if i, _, ok := x.Issue("acme", "widgets", 2); !ok || len(i.stays) != 1 || len(i.refusals) != 0 {
		t.Errorf("of what is there still is kept %+v", i)
	}
}

// What was refused before the horizon, an observation does not tell any more; it is remembered.
func TestRefusalsOutliveTheHorizon(t *testing.T) {
	x, _ := newIndex(10 * day)
	o := seenIn(t, 1, "new", time.Hour)
	o.Standing.Rejections = []statemachine.Rejection{{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(day)}}, {Ruling: statemachine.Ruling{Verdict: lifecycle.NotForRole}, Moment: statemachine.Moment{At: start.Add(9 * day)}}}
	x.Observe(o)
	o.Standing.Rejections, o.Standing.JudgedSince = o.Standing.Rejections[1:], start.Add(7*day)
	x.Observe(o)
	f, _ := x.Flow("acme", "widgets")
	if diff := cmp.Diff([]Refused{{lifecycle.NotForRole, 1}, {lifecycle.NotInTable, 1}}, f.Refused); diff != "" {
		t.Error(diff)
	}
}

func TestAnotherReplicaKeepsWhatItIsTold(t *testing.T) {
	one, _ := newIndex(10 * time.Hour)
	another, _ := newIndex(10 * time.Hour)
	o := seenIn(t, 1, "new", time.Hour, "paused", time.Hour)
	o.Standing.Rejections = []statemachine.Rejection{{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(time.Hour)}}}
	told, err := one.Observe(o).Record()
	if err != nil {
		t.Fatal(err)
	}
	if repo, unknown, err := another.Heed(told); err != nil || !unknown || repo != widgets {
		t.Errorf("it asks for %v, %t, %v", repo, unknown, err)
	}
	another.Listed(widgets, colony(), nil)
	if _, unknown, err := another.Heed(told); err != nil || unknown {
		t.Errorf("it asks again: %t, %v", unknown, err)
	}
	first, _, _ := one.Issue("acme", "widgets", 1)
	second, _, _ := another.Issue("acme", "widgets", 1)
	if diff := cmp.Diff(first, second, cmp.AllowUnexported(Issue{}, stay{}, refusal{})); diff != "" {
		t.Error(diff)
	}
	gone, err := RecordGone(first.Ref)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := another.Heed(gone); err != nil || another.total != 0 {
		t.Errorf("%d issues are kept, %v", another.total, err)
	}
	if _, _, err := another.Heed([]byte("{")); err == nil {
		t.Error("what cannot be read is heeded")
	}
}

func TestThePageShowsAHundredAtATime(t *testing.T) {
	clock := clockwork.NewFakeClockAt(start.Add(day))
	x := NewIndex("https://github.test", Window, clock)
	for n := range 250 {
		o := seenIn(t, n+1, "paused", time.Duration(n)*time.Second)
		o.Request.Repository = issues.Repository{Installation: 7, ID: int64(n + 1), Owner: "acme", Name: fmt.Sprintf("widgets-%03d", n)}
		x.Observe(o)
	}
	pages := NewPages(Options{Index: x, Gate: Open{}, GitHub: "https://github.test", Clock: clock, Log: zerolog.Nop()}).Handler()
	for query, want := range map[string]struct {
		issues, repositories int
		has, lacks           []string
	}{
		"":                       {100, 100, []string{"1 to 100 of 250", `href="/board?page=2"`, `href="/board?repositories=2"`}, []string{"Earlier"}},
		"?page=2":                {100, 100, []string{"101 to 200 of 250", `href="/board?page=1"`, `href="/board?page=3"`, `href="/board?page=2&amp;repositories=2"`}, []string{"Earlier repositories"}},
		"?page=3&repositories=3": {50, 50, []string{"201 to 250 of 250", `href="/board?page=2&amp;repositories=3"`}, []string{"Later"}},
		"?page=99":               {50, 100, []string{"201 to 250 of 250"}, []string{"Later in the list"}},
		"?page=-1":               {100, 100, []string{"1 to 100 of 250"}, nil},
	} {
		answer := httptest.NewRecorder()
		pages.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, Root+query, http.NoBody))
		text := answer.Body.String()
		if n := strings.Count(text, `data-testid="waiting-issue"`); n != want.issues {
			t.Errorf("%q shows %d issues", query, n)
		}
		if n := strings.Count(text, `id="repository-acme/`); n != want.repositories {
			t.Errorf("%q shows %d repositories", query, n)
		}
		for _, has := range want.has {
			if !strings.Contains(text, has) {
				t.Errorf("%q lacks %q", query, has)
			}
		}
		for _, lacks := range want.lacks {
			if strings.Contains(text, lacks) {
				t.Errorf("%q has %q", query, lacks)
			}
		}
	}
}
