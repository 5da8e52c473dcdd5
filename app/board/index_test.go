package board

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

var start = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// colony is a lifecycle, read once, as Colony reads it.
var colony = sync.OnceValue(func() *statemachine.Table {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		panic(err)
	}
	return life
})

// seen is an issue of acme/widgets that was opened at the start and moved each time after a while.
func seen(t testing.TB, number int, moves ...any) reconcile.Observed {
	t.Helper()
	life := colony()
	o := reconcile.Observed{Settings: reconcile.Settings{Policy: policy.Policy{Lifecycle: life}}}
	o.Request.Repository, o.Request.Number = issues.Repository{Owner: "acme", Name: "widgets"}, number
	o.View = issues.View{Title: fmt.Sprintf("Widget %d", number), Author: lifecycle.Actor{Login: "ada"}, Created: start, Updated: start}
	at, from := start, life.Initial
	for n := 0; n < len(moves); n += 2 {
		to := moves[n].(string)
		at = at.Add(moves[n+1].(time.Duration))
		o.Standing.Trail = append(o.Standing.Trail, statemachine.Move{From: from, To: to, Kind: statemachine.Moved, By: lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}, Moment: statemachine.Moment{At: at, ID: int64(n + 1)}})
		from = to
	}
	o.Standing.State, o.View.Updated = from, at
	return o
}

func newIndex(after time.Duration) (*Index, *clockwork.FakeClock) {
	clock := clockwork.NewFakeClockAt(start.Add(after))
	return NewIndex("https://github.test", Window, clock), clock
}

var all = []issues.Repository{{Owner: "acme", Name: "widgets"}}

func numbers(list []*Issue) (numbers []int) {
	for _, i := range list {
		numbers = append(numbers, i.Ref.Number)
	}
	return numbers
}

func TestWhatHasWaitedLongestComesFirst(t *testing.T) {
	x, _ := newIndex(10 * time.Hour)
	x.Observe(seen(t, 1, "paused", 3*time.Hour))
	x.Observe(seen(t, 2, "new", time.Hour))
	x.Observe(seen(t, 3, "needs-clarification", 2*time.Hour))
	if diff := cmp.Diff([]int{3, 1}, numbers(x.Waiting(all))); diff != "" {
		t.Error(diff)
	}
	if got := x.Waiting(nil); len(got) != 0 {
		t.Errorf("of no repository there is something: %v", numbers(got))
	}
	need := x.Waiting(all)[0].Needs(start.Add(10 * time.Hour))[0]
	if need.Kind != advice.NeedsAnswer || need.By != "tara" || !need.Since.Equal(start.Add(2*time.Hour)) || strings.Join(need.Who, " ") != "ada people who may edit labels" {
		t.Errorf("it waits for %+v", need)
	}
	strict := seen(t, 4, "paused", time.Hour)
	strict.Settings.Lifecycle = strict.Settings.Lifecycle.With(statemachine.Options{Access: statemachine.Access{ToMove: "write"}})
	x.Observe(strict)
	if who := x.Waiting(all)[0].Needs(start.Add(10 * time.Hour))[0].Who; !slices.Equal(who, []string{"people with write access"}) {
		t.Errorf("where commands take more, it waits for %v", who)
	}
	x.Forget(issues.Ref{Repository: all[0], Number: 4})
	x.Observe(seen(t, 3, "needs-clarification", 2*time.Hour, "analyzing", time.Hour))
	if diff := cmp.Diff([]int{1}, numbers(x.Waiting(all))); diff != "" {
		t.Error(diff)
	}
}

// Nobody observes an issue when its time is over.
func TestAnIssueIsOverdueOnceItsTimeIsOver(t *testing.T) {
	x, clock := newIndex(2 * time.Hour)
	o := seen(t, 1, "in-review", time.Hour)
	timed := *o.Settings.Lifecycle
	timed.TimeOuts = []lifecycle.TimeOut{{In: []string{"in-review"}, After: lifecycle.Duration(5 * time.Hour), To: "paused"}}
	o.Settings.Lifecycle = &timed
	x.Observe(o)
	if got := x.Waiting(all); len(got) != 0 {
		t.Errorf("it waits before its time is over: %+v", got[0].Needs(clock.Now()))
	}
	clock.Advance(5 * time.Hour)
	if got := x.Waiting(all); len(got) != 1 || got[0].Needs(clock.Now())[0].Kind != advice.NeedsHurry {
		t.Errorf("it is not overdue: %v", got)
	}
}

func TestWhatWasSeenLaterIsNotReplacedByWhatWasSeenBefore(t *testing.T) {
	x, _ := newIndex(9 * time.Hour)
	x.Observe(seen(t, 1, "new", time.Hour, "analyzing", time.Hour))
	x.Observe(seen(t, 1, "new", time.Hour))
	if i, _, _ := x.Issue("ACME", "Widgets", 1); i.State != "analyzing" {
		t.Errorf("it is in %s", i.State)
	}
}

func TestOfTooManyIssuesThoseThatWaitForAPersonStay(t *testing.T) {
	x, _ := newIndex(time.Hour)
	x.most = 100
	x.Observe(seen(t, 1, "paused", time.Minute))
	for n := 2; n <= 500; n++ {
		x.Observe(seen(t, n, "new", time.Duration(n)*time.Second))
	}
	_, _, list, _ := x.Issues("acme", "widgets")
	if len(list) > 100 || len(list) != x.total {
		t.Errorf("%d issues are kept, and %d are counted", len(list), x.total)
	}
	if _, _, ok := x.Issue("acme", "widgets", 1); !ok {
		t.Error("what waits for a person was forgotten")
	}
	if _, _, ok := x.Issue("acme", "widgets", 500); !ok {
		t.Error("what was just seen was forgotten")
	}
}

func TestFlow(t *testing.T) {
	x, _ := newIndex(Window - 12*time.Hour) // so the window begins half a day before the first issue
	for n := 1; n <= 10; n++ {
		x.Observe(seen(t, n, "in-development", day, "done", time.Duration(n)*time.Hour))
	}
	o := seen(t, 11, "in-development", 26*day)
	o.Standing.Rejections = []statemachine.Rejection{
		{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(-20 * day)}},
		{Ruling: statemachine.Ruling{Verdict: lifecycle.NotForRole}, Moment: statemachine.Moment{At: start.Add(day)}},
		{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(day)}},
		{Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}, Moment: statemachine.Moment{At: start.Add(2 * day)}},
	}
	x.Observe(o)
	x.Observe(o) // again, and counted once
	f, _ := x.Flow("acme", "widgets")
	if diff := cmp.Diff([]Spread{{"unlabeled", 11, day, day, 26 * day}, {"in-development", 10, 5 * time.Hour, 9 * time.Hour, 10 * time.Hour}}, f.InState); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Spread{{"in-development", 1, day + 12*time.Hour, day + 12*time.Hour, day + 12*time.Hour}}, f.Ageing); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]Refused{{lifecycle.NotInTable, 2}, {lifecycle.NotForRole, 1}}, f.Refused); diff != "" {
		t.Error(diff)
	}
	var ended, worked []int
	for _, w := range f.Ended {
		ended = append(ended, w.Count)
	}
	for _, d := range f.Progress {
		worked = append(worked, d.Count)
	}
	if diff := cmp.Diff([]int{10, 0, 0, 0}, ended); diff != "" {
		t.Error(diff)
	}
	if len(worked) != 28 || worked[0] != 0 || worked[27] != 1 {
		t.Errorf("work in progress is %v", worked)
	}
}

func TestAListenerHearsOfWhatConcernsItOnly(t *testing.T) {
	x, _ := newIndex(time.Hour)
	l, end := x.listen(func(key string, number int) bool { return key == "acme/widgets" && number == 2 })
	x.Observe(seen(t, 1, "new", time.Minute))
	heard := l.heard
	if len(l.more) != 1 {
		t.Error("it did not hear that there is a repository more")
	}
	if len(heard) != 0 {
		t.Error("it heard of another issue")
	}
	x.Observe(seen(t, 2, "new", time.Minute))
	x.Observe(seen(t, 2, "new", time.Minute, "analyzing", time.Minute))
	if len(heard) != 1 {
		t.Errorf("it heard %d times", len(heard))
	}
	end()
	<-heard
	x.Observe(seen(t, 2, "new", time.Minute, "analyzing", 2*time.Minute))
	if len(heard) != 0 {
		t.Error("it heard of something after its end")
	}
}
