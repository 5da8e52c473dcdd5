package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

var began = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// closing notes that a body was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// wire is GitHub and a limiter before it.
type wire struct {
	*testing.T
	clock *clockwork.FakeClock
	*Limiter
	answer func(*http.Request) (*http.Response, error)
}

func newWire(t *testing.T, settings Settings) *wire {
	t.Helper()
	clock := clockwork.NewFakeClockAt(began)
	return &wire{T: t, clock: clock, Limiter: NewLimiter(settings, clock), answer: func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: http.NoBody}, nil
	}}
}

// asked says what becomes of a call: "ok", or how long it waits for which budget.
func (w *wire) asked(ctx context.Context, method, path string) string {
	w.Helper()
	request, err := http.NewRequestWithContext(ctx, method, "https://github.test"+path, http.NoBody)
	if err != nil {
		w.Fatal(err)
	}
	_, err = w.Observe(w.Middleware(RoundTripperFunc(func(r *http.Request) (*http.Response, error) { return w.answer(r) }))).RoundTrip(request)
	limited := (*Error)(nil)
	switch {
	case errors.As(err, &limited):
		return fmt.Sprintf("%s %s", limited.Budget, limited.Wait)
	case err != nil:
		return err.Error()
	}
	return "ok"
}

// compare compares what was said.
func compare[T any](t *testing.T, about string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -want +got:\n%s", about, diff)
	}
}

// GitHub limits in several ways, and all of them are one error.
func TestAnswersThatAreLimits(t *testing.T) {
	t.Parallel()
	at := func(after time.Duration) string { return fmt.Sprint(began.Add(after).Unix()) }
	for name, test := range map[string]struct {
		path   string
		status int
		header map[string]string
		body   string
		want   *Error
	}{
		"an answer":                      {status: 200, header: map[string]string{headerRemaining: "0", headerReset: at(time.Hour)}, body: "secondary rate limit"},
		"too many requests":              {status: 429, want: &Error{BudgetGitHub, 429, time.Minute}},
		"too many requests, and a time":  {status: 429, header: map[string]string{"Retry-After": "7"}, want: &Error{BudgetGitHub, 429, 7 * time.Second}},
		"no time":                        {status: 429, header: map[string]string{"Retry-After": "0"}, want: &Error{BudgetGitHub, 429, time.Minute}},
		"forbidden":                      {status: 403, body: "Resource not accessible by integration", header: map[string]string{headerRemaining: "1"}},
		"forbidden, none left":           {status: 403, header: map[string]string{headerRemaining: "0", headerReset: at(20 * time.Minute)}, want: &Error{BudgetGitHub, 403, 20 * time.Minute}},
		"forbidden, none left since":     {status: 403, header: map[string]string{headerRemaining: "0", headerReset: at(0)}, want: &Error{BudgetGitHub, 403, time.Minute}},
		"forbidden, some left":           {status: 403, header: map[string]string{headerRemaining: "5", headerReset: at(time.Hour)}, body: "You have exceeded a Secondary Rate Limit", want: &Error{BudgetGitHub, 403, time.Minute}},
		"forbidden, to come back":        {status: 403, header: map[string]string{"Retry-After": "3"}, want: &Error{BudgetGitHub, 403, 3 * time.Second}},
		"missing":                        {status: 404, header: map[string]string{"Retry-After": "3"}},
		"a question":                     {path: "/graphql", status: 200, body: `{"data": {}}`},
		"a question without an answer":   {path: "/graphql", status: 200, body: "secondary rate limit"},
		"a question that fails":          {path: "/graphql", status: 502, body: `{"errors": [{"type": "RATE_LIMITED"}]}`},
		"a question with another error":  {path: "/graphql", status: 200, body: `{"errors": [{"type": "NOT_FOUND"}]}`},
		"a question too many":            {path: "/api/graphql", status: 200, header: map[string]string{headerRemaining: "4", headerReset: at(time.Hour)}, body: `{"errors": [{"type": "NOT_FOUND"}, {"type": "RATE_LIMITED"}]}`, want: &Error{BudgetGraphQL, 200, time.Hour}},
		"a question too many, otherwise": {path: "/graphql", status: 200, body: `{"errors": [{"type": "RATE_LIMIT"}]}`, want: &Error{BudgetGraphQL, 200, time.Minute}},
		"questions too quickly":          {path: "/graphql", status: 200, body: `{"errors": [{"message": "a secondary rate limit"}]}`, want: &Error{BudgetGitHub, 200, time.Minute}},
		"no question":                    {path: "/graphql/x", status: 200, body: `{"errors": [{"type": "RATE_LIMITED"}]}`},
	} {
		header := http.Header{"X-Other": {"stays"}, headerLimit: {"5000"}}
		for key, value := range test.header {
			header.Set(key, value)
		}
		body := &closing{Reader: strings.NewReader(test.body)}
		refuse := Refuse(clockwork.NewFakeClockAt(began))(RoundTripperFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: test.status, Header: header, Body: body}, nil
		}))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://github.test"+test.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := refuse.RoundTrip(request)
		limited := (*Error)(nil)
		errors.As(err, &limited)
		compare(t, name, test.want, limited)
		if (test.want != nil) != body.closed || (err == nil) != (test.want == nil) {
			t.Errorf("%s: closed %t, %v", name, body.closed, err)
		}
		if response == nil {
			continue
		}
		whole, err := io.ReadAll(response.Body)
		if err != nil || string(whole) != test.body || response.Body.Close() != nil || !body.closed {
			t.Errorf("%s: %q is left of the body, %v", name, whole, err)
		}
		if len(response.Header) != 1+len(header)-1 || response.Header.Get(headerLimit)+response.Header.Get(headerRemaining)+response.Header.Get(headerReset) != "" || response.Header.Get("X-Other") == "" {
			t.Errorf("%s: %v is left of the headers", name, response.Header)
		}
	}
}

// broken is a body that breaks off.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errDown }
func (broken) Close() error             { return nil }

var errDown = errors.New("GitHub is down")

// What cannot be read is no limit.
func TestAnswersThatBreakOff(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		path   string
		status int
		err    error
	}{{"/x", 403, nil}, {"/graphql", 200, nil}, {"/x", 0, errDown}} {
		refuse := Refuse(clockwork.NewFakeClock())(RoundTripperFunc(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: test.status, Header: http.Header{}, Body: broken{}}, test.err
		}))
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://github.test"+test.path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := refuse.RoundTrip(request); !errors.Is(err, errDown) || errors.As(err, new(*Error)) {
			t.Errorf("%s %d: %v", test.path, test.status, err)
		}
	}
}

func TestWordsOfErrors(t *testing.T) {
	t.Parallel()
	for budget, want := range map[Budget]string{
		BudgetGitHub:     "GitHub limits the rate of calls (403), wait 1s",
		BudgetGraphQL:    "GitHub answers no more questions by GraphQL for now, wait 1s",
		BudgetBackground: "the rest of the budget is for what people wait for, wait 1s",
		BudgetPoints:     "the budget of points is used up, wait 1s",
		BudgetContent:    "the budget of content is used up, wait 1s",
	} {
		compare(t, string(budget), want, (&Error{Budget: budget, Status: 403, Wait: time.Second}).Error())
	}
}

// A limit of GitHub's holds until its end, the latest one that is known.
func TestLimits(t *testing.T) {
	t.Parallel()
	l := NewLimits()
	at := func(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }
	l.Set(7, at(60))
	l.Set(7, at(30))
	l.Set(8, at(10))
	compare(t, "limits", map[int64]time.Time{7: at(60), 8: at(10)}, l.List(began))
	compare(t, "later", map[int64]time.Time{7: at(60)}, l.List(at(10)))
	for second, want := range map[int]time.Duration{0: time.Minute, 59: time.Second} {
		compare(t, fmt.Sprint("after ", second), want, l.Left(7, at(second)))
	}
	compare(t, "another", 0, l.Left(9, began))
	compare(t, "at the end", 0, l.Left(8, at(10)))
	if len(l.until) != 1 {
		t.Errorf("%v is remembered", l.until)
	}
}

// A call costs points, a write more of them, and they come back a minute after its answer.
func TestPoints(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 60})
	caller := WithCaller(t.Context(), Caller{Installation: 7, Repository: 1})
	for range 4 {
		compare(t, "a read", "ok", w.asked(caller, http.MethodGet, "/x"))
	}
	w.clock.Advance(10 * time.Second)
	for range 10 {
		compare(t, "a write", "ok", w.asked(caller, http.MethodPatch, "/x"))
	}
	compare(t, "what is left", 6, w.Points(7))
	compare(t, "what has begun may use it", "ok", w.asked(caller, http.MethodPatch, "/x"))
	compare(t, "one too many", "points 50s", w.asked(caller, http.MethodPatch, "/x"))
	compare(t, "a read", "ok", w.asked(caller, http.MethodGet, "/x"))
	compare(t, "a read too many", "points 50s", w.asked(caller, http.MethodGet, "/x"))
	compare(t, "a question costs as a read", "points 50s", w.asked(caller, http.MethodPost, "/graphql"))
	for body, want := range map[string]int{`{"query":"query($owner: String!) {","variables":{}}`: 59, `{"query":"mutation($input: X!) {","variables":{}}`: 55, "": 59} {
		other := newWire(t, Settings{Points: 60})
		request, err := http.NewRequestWithContext(WithCaller(t.Context(), Caller{Installation: 9}), http.MethodPost, "https://github.test/api/graphql", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Middleware(RoundTripperFunc(func(r *http.Request) (*http.Response, error) { return other.answer(r) })).RoundTrip(request); err != nil {
			t.Fatal(err)
		}
		compare(t, "what is left after "+body, want, other.Points(9))
	}
	compare(t, "another installation", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 8}), http.MethodPatch, "/x"))
	compare(t, "what nobody counts", "ok", w.asked(t.Context(), http.MethodDelete, "/x"))
	compare(t, "who waits", Waiting{
		Requests: map[int64]time.Time{7: began.Add(time.Minute)}, Comments: map[int64]time.Time{}, GraphQL: map[int64]time.Time{}, Background: map[int64]time.Time{},
	}, w.List())
	w.clock.Advance(50 * time.Second)
	compare(t, "the reads are a minute old", 4, w.Points(7))
	compare(t, "nobody waits", 0, len(w.List().Requests))
	compare(t, "someone can still be about to wait", []bool{true, false}, []bool{w.Crowded(7), w.Crowded(8)})
	w.clock.Advance(10 * time.Second)
	compare(t, "all are", 60, w.Points(7))
	compare(t, "nobody is any longer", false, w.Crowded(7))

	boundless := newWire(t, Settings{})
	for range 1000 {
		compare(t, "without a bound", "ok", boundless.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: Background}), http.MethodPost, "/repos/acme/widgets/issues/3/comments"))
	}
	grant, wait := boundless.Begin(Caller{Installation: 7}, 5000)
	compare(t, "without a bound", 0, wait+More(With(t.Context(), grant), 5000)+boundless.Wait(Caller{Installation: 7, Class: Board}, 5000))
	compare(t, "a read", "ok", boundless.asked(With(t.Context(), grant), http.MethodGet, "/x"))
	compare(t, "what it cost", 1, grant.End())
}

// What is held for a request is there when it comes to write, and is given back at its end.
func TestGrants(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 100})
	began := func(repository int64, needs int) (grant *Grant, said string) {
		grant, wait := w.Begin(Caller{Installation: 7, Repository: repository}, needs)
		return grant, wait.String()
	}
	first, said := began(1, 60)
	compare(t, "it begins", "0s", said)
	compare(t, "the rest", 40, w.Points(7))
	second, said := began(2, 18)
	compare(t, "another", "0s", said)
	_, said = began(2, 20)
	compare(t, "one too many looks again while others hold points", "500ms", said)
	_, said = began(2, 1)
	compare(t, "a later one of the same repository waits behind it", "500ms", said)
	third, said := began(3, 1)
	compare(t, "one of another does not", "0s", said)
	third.End()
	for range 12 {
		compare(t, "what is held is there", "ok", w.asked(With(t.Context(), first), http.MethodPatch, "/x"))
	}
	compare(t, "what is free is for all that have begun", "ok", w.asked(With(t.Context(), first), http.MethodPatch, "/x"))
	compare(t, "for the next part of a request", 0, More(With(t.Context(), second), 20))
	compare(t, "for one too large", 500*time.Millisecond, More(With(t.Context(), second), 40))
	compare(t, "what was spent", 65, first.End())
	compare(t, "what was not is given back", 0, second.End())
	compare(t, "twice is once", 0, second.End())
	compare(t, "the rest", 35, w.Points(7))
	compare(t, "without a grant there is nothing to hold", 0, More(WithCaller(t.Context(), Caller{Installation: 7}), 1000)+More(t.Context(), 1000))
	w.clock.Advance(500 * time.Millisecond)
	all, said := began(4, 5000)
	compare(t, "more than there can be", "59.5s", said)
	if all != nil {
		t.Error("it has a grant")
	}
	w.clock.Advance(59500 * time.Millisecond)
	all, said = began(4, 5000)
	compare(t, "it gets what it can have", "0s", said)
	compare(t, "the rest", 10, w.Points(7))
	all.End()
}

// However much is wanted, each leaves some to one that comes anew, and what nobody waits for leaves more. What is much for one is
// spread over the minute.
func TestClassesLeavePoints(t *testing.T) {
	t.Parallel()
	for class, most := range map[Class]int{People: 810, Background: 771, Questions: 450, Board: 300} {
		w := newWire(t, Settings{Points: 900})
		name, caller := fmt.Sprintf("class %d", class), Caller{Installation: 7, Class: class, Person: "olivia"}
		atOnce, all := 0, 0
		for w.clock.Since(began) < 59*time.Second {
			if wait := w.Wait(caller, 1); wait > 0 {
				w.clock.Advance(wait)
				continue
			}
			compare(t, name, "ok", w.asked(WithCaller(t.Context(), caller), http.MethodGet, "/x"))
			all++
			if w.clock.Now().Equal(began) {
				atOnce++
			}
		}
		if atOnce < most/3 || all < most-10 || all > most {
			t.Errorf("%s uses %d points at once and %d in a minute, want at least %d, and about %d", name, atOnce, all, most/3, most)
		}
		compare(t, name+" leaves some to people", 0, w.Wait(Caller{Installation: 7, Repository: 5}, PointsOfReconciliation))
	}
}

// A program that asks without end, and the board, leave enough for a repository's labels.
func TestWhatNeedsLittleLeavesRoomForWhatNeedsMuch(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 900})
	for w.clock.Since(began) < time.Minute {
		for _, class := range []Class{Questions, Board} {
			for w.Wait(Caller{Installation: 7, Class: class}, 1) == 0 {
				compare(t, "a question", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: class}), http.MethodGet, "/x"))
			}
		}
		grant, wait := w.Begin(Caller{Installation: 7, Class: Background}, PointsOfProvisioning)
		if wait > 0 {
			t.Fatalf("labels wait %s", wait)
		}
		grant.End()
		w.clock.Advance(time.Second)
	}
}

// Whatever is asked, and however long each call takes, no minute of GitHub's has more points or comments than the budget, and no hour more comments:
// GitHub counts a call at some time between its sending and its answer. Nothing is held for ever, and what is there is used.
func TestNoMinuteHasMorePoints(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		budget := rapid.IntRange(SmallestBudget, 200).Draw(t, "budget")
		clock := clockwork.NewFakeClockAt(began)
		settings := Settings{Points: budget, ContentMinute: rapid.IntRange(2, 12).Draw(t, "comments"), ContentHour: rapid.IntRange(10, 40).Draw(t, "hour")}
		l := NewLimiter(settings, clock)
		type counted struct {
			at time.Time
			call
		}
		type running struct {
			grant *Grant
			sent  []counted // calls on the way
		}
		var hub []counted
		var all []*running
		for range rapid.IntRange(1, 150).Draw(t, "steps") {
			clock.Advance(time.Duration(rapid.SampledFrom([]int{0, 1, 50, 900, 7000, 59999}).Draw(t, "ms")) * time.Millisecond)
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0, 1:
				caller := Caller{Installation: 7, Class: Class(rapid.IntRange(0, 3).Draw(t, "class")), Repository: int64(rapid.IntRange(1, 3).Draw(t, "repository")), Waited: rapid.Bool().Draw(t, "waited")}
				if grant, wait := l.Begin(caller, rapid.IntRange(0, 60).Draw(t, "needs")); wait == 0 {
					all = append(all, &running{grant: grant})
				}
			case 2:
				if len(all) > 0 {
					r := rapid.SampledFrom(all).Draw(t, "sends")
					method := rapid.SampledFrom([]string{http.MethodGet, http.MethodPatch, http.MethodPost}).Draw(t, "method")
					path := fmt.Sprintf("/repos/acme/widgets/issues/%d/comments", rapid.IntRange(1, 30).Draw(t, "issue"))
					request, err := http.NewRequestWithContext(With(context.Background(), r.grant), method, "https://github.test"+path, http.NoBody)
					if err != nil {
						t.Fatal(err)
					}
					if c, err := l.admit(r.grant, request); err == nil {
						r.sent = append(r.sent, counted{clock.Now(), c})
					}
				}
			case 3:
				if len(all) > 0 {
					r := rapid.SampledFrom(all).Draw(t, "answered")
					for _, c := range r.sent {
						when := time.Duration(rapid.Int64Range(0, int64(clock.Since(c.at))).Draw(t, "counted"))
						hub = append(hub, counted{c.at.Add(when), c.call})
						l.ended(r.grant, c.call, nil)
					}
					r.sent = nil
				}
			case 4:
				if len(all) > 0 {
					n := rapid.IntRange(0, len(all)-1).Draw(t, "ends")
					if len(all[n].sent) == 0 {
						all[n].grant.End()
						all = append(all[:n], all[n+1:]...)
					}
				}
			}
		}
		for _, r := range all {
			for _, c := range r.sent {
				hub = append(hub, c)
				l.ended(r.grant, c.call, nil)
			}
			r.grant.End()
		}
		within := func(last, at time.Time, over time.Duration) bool { return !at.After(last) && at.After(last.Add(-over)) }
		for _, last := range hub {
			points, minute, hour := 0, 0, 0
			for _, c := range hub {
				if within(last.at, c.at, time.Minute) {
					points += c.points
				}
				if c.comment && within(last.at, c.at, time.Minute) {
					minute++
				}
				if c.comment && within(last.at, c.at, time.Hour) {
					hour++
				}
			}
			if points > budget || minute > settings.ContentMinute || hour > settings.ContentHour {
				t.Fatalf("%d points, %d comments in the minute before %s, and %d in the hour, of %+v", points, minute, last.at, hour, settings)
			}
		}
		clock.Advance(time.Minute)
		if left := l.Points(7); left != budget || len(l.budget(7).points.flows) > 0 {
			t.Fatalf("%d of %d points are left after a minute, and %v", left, budget, l.budget(7).points.flows)
		}
	})
}

// Comments have a budget of a minute and one of an hour. One that waits is promised a time, and is written once that comes.
func TestComments(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{ContentMinute: 6, ContentHour: 240})
	comment := func(repo string, issue int, background bool) string {
		w.Helper()
		class := People
		if background {
			class = Background
		}
		return w.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: class}), http.MethodPost, fmt.Sprintf("/repos/%s/issues/%d/comments", repo, issue))
	}
	for n := range 3 {
		compare(t, "a comment in the background", "ok", comment("acme/widgets", n, true))
	}
	compare(t, "half is for people", "background 1m0s", comment("acme/widgets", 9, true))
	w.clock.Advance(10 * time.Second)
	for n := range 3 {
		compare(t, "a comment", "ok", comment("acme/widgets", n, false))
	}
	for n := range 3 {
		compare(t, "one too many", "content 50s", comment("acme/widgets", 10+n, false))
	}
	compare(t, "the next", "content 1m0s", comment("acme/widgets", 13, false))
	compare(t, "the same waits with it", "content 50s", comment("Acme/Widgets", 10, false))
	compare(t, "no comment", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPost, "/repos/acme/widgets/issues/10/labels"))
	compare(t, "a comment that is edited", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPatch, "/repos/acme/widgets/issues/10/comments"))
	compare(t, "who waits", map[int64]time.Time{7: began.Add(70 * time.Second)}, w.List().Comments)
	reserved := func(issue int) bool { return w.CommentReserved(7, "ACME/widgets", issue) }
	if !reserved(10) || !reserved(13) || reserved(14) || w.CommentReserved(8, "acme/widgets", 10) {
		t.Error("comments that wait")
	}
	w.clock.Advance(50 * time.Second)
	if reserved(10) || !reserved(13) {
		t.Error("the time of the first has come")
	}
	compare(t, "another one does not go before it", "content 10s", comment("acme/widgets", 20, false))
	compare(t, "it was promised", "ok", comment("acme/widgets", 10, false))
	compare(t, "it was written", "content 10s", comment("acme/widgets", 10, false))
	w.clock.Advance(10*time.Second + promiseHolds)
	for n := range 6 {
		compare(t, "no one came back for the others", "ok", comment("acme/widgets", 30+n, false))
	}
	compare(t, "it waits anew", "content 1m0s", comment("acme/widgets", 11, false))
	compare(t, "who waits now", map[int64]time.Time{7: w.clock.Now().Add(time.Minute)}, w.List().Comments)

	w = newWire(t, Settings{ContentMinute: 1000, ContentHour: 20})
	for n := range 10 {
		compare(t, "of an hour", "ok", comment("acme/widgets", n, false))
	}
	compare(t, "half of the hour is used up", "background 1h0m0s", comment("acme/widgets", 98, true))
	w.clock.Advance(time.Minute)
	for n := range 10 {
		compare(t, "of an hour", "ok", comment("acme/widgets", n, false))
	}
	compare(t, "the hour is used up", "content 59m0s", comment("acme/widgets", 99, false))
}

// A comment on the way to GitHub counts until a minute after its answer.
func TestACommentOnItsWayCounts(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{ContentMinute: 1})
	comment := func(issue int) string {
		w.Helper()
		return w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPost, fmt.Sprintf("/repos/acme/widgets/issues/%d/comments", issue))
	}
	answer := w.answer
	w.answer = func(r *http.Request) (*http.Response, error) {
		compare(t, "while it is on its way", "content 1m0s", comment(2))
		w.clock.Advance(30 * time.Second)
		return answer(r)
	}
	compare(t, "a comment", "ok", comment(1))
	w.answer = answer
	w.clock.Advance(30 * time.Second)
	compare(t, "its time came, and the answer was late", "content 30s", comment(2))
	w.clock.Advance(30 * time.Second)
	compare(t, "a minute after the answer", "ok", comment(2))
}

// What GitHub tells about the hour keeps background work off the last calls.
func TestLastCallsOfAnHour(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{})
	told := map[string]string{headerResource: "core", headerLimit: "5000", headerRemaining: "499", headerReset: fmt.Sprint(began.Add(time.Minute).Unix())}
	w.answer = func(*http.Request) (*http.Response, error) {
		header := http.Header{}
		for key, value := range told {
			header.Set(key, value)
		}
		return &http.Response{Header: header}, nil
	}
	ask := func(change ...string) {
		t.Helper()
		if len(change) > 0 {
			before := told[change[0]]
			defer func() { told[change[0]] = before }()
			told[change[0]] = change[1]
		}
		compare(t, "a call", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodGet, "/x"))
	}
	ask(headerResource, "graphql")
	ask(headerLimit, "many")
	ask(headerRemaining, "few")
	ask(headerReset, "soon")
	compare(t, "nothing is known", 0, w.ReservedFor(7)+w.SparedFor(7))
	ask(headerRemaining, "2500")
	compare(t, "half is left", 0, w.ReservedFor(7)+w.SparedFor(7))
	ask(headerRemaining, "2499")
	compare(t, "less than half is left", time.Minute, w.ReservedFor(7)+w.SparedFor(7))
	ask(headerRemaining, "500")
	compare(t, "a tenth is left", 0, w.ReservedFor(7))
	ask()
	compare(t, "less than a tenth is left", time.Minute, w.ReservedFor(7))
	compare(t, "of another installation", 0, w.ReservedFor(8))
	compare(t, "a call without a caller", "ok", w.asked(t.Context(), http.MethodGet, "/x"))
	w.answer = func(*http.Request) (*http.Response, error) { return nil, errDown }
	compare(t, "GitHub is down", errDown.Error(), w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodGet, "/x"))
	w.clock.Advance(time.Minute)
	compare(t, "the next hour", 0, w.ReservedFor(7))
}

// Background work leaves the last tenth of an hour's questions by GraphQL to people; the calls of REST are others.
func TestLastQuestionsOfAnHour(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{})
	remaining := 500
	w.answer = func(*http.Request) (*http.Response, error) {
		header := http.Header{}
		header.Set(headerResource, "graphql")
		header.Set(headerLimit, "5000")
		header.Set(headerRemaining, fmt.Sprint(remaining))
		header.Set(headerReset, fmt.Sprint(began.Add(time.Minute).Unix()))
		return &http.Response{Header: header}, nil
	}
	ask := func(class Class, path string) string {
		w.Helper()
		return w.asked(WithCaller(t.Context(), Caller{Installation: 7, Class: class}), http.MethodPost, path)
	}
	compare(t, "a tenth is left", "ok", ask(Background, "/graphql"))
	remaining--
	compare(t, "a tenth was left", "ok", ask(Background, "/graphql"))
	for _, class := range []Class{Background, Questions, Board} {
		compare(t, "less than a tenth is left", "graphql 1m0s", ask(class, "/graphql"))
	}
	compare(t, "for people", "ok", ask(People, "/graphql"))
	compare(t, "by REST", "ok", ask(Background, "/x"))
	compare(t, "the calls of REST", 0, w.ReservedFor(7)+w.SparedFor(7))
	w.clock.Advance(time.Minute)
	compare(t, "the next hour", "ok", ask(Background, "/graphql"))
}

// The last fifth of an hour's calls lasts until its end.
func TestTheLastCallsAreSpread(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 900})
	remaining, reset := 2000, began.Add(time.Hour)
	w.answer = func(*http.Request) (*http.Response, error) {
		remaining--
		if remaining < 0 {
			t.Error("GitHub refuses a call")
		}
		return &http.Response{Header: http.Header{
			headerResource: {"core"}, headerLimit: {"5000"}, headerRemaining: {fmt.Sprint(remaining)}, headerReset: {fmt.Sprint(reset.Unix())},
		}}, nil
	}
	byQuarter := map[int]int{}
	for w.clock.Now().Before(reset) {
		grant, wait := w.Begin(Caller{Installation: 7, Repository: 1, Waited: true}, 7)
		if wait > 0 {
			w.clock.Advance(wait)
			continue
		}
		for range 3 {
			compare(t, "a call", "ok", w.asked(With(t.Context(), grant), http.MethodGet, "/x"))
		}
		grant.End()
		byQuarter[int(w.clock.Since(began)/(15*time.Minute))]++
		w.clock.Advance(100 * time.Millisecond)
	}
	last := byQuarter[3]
	if last < 75 || last > byQuarter[2]+5 {
		t.Errorf("requests of three calls in each quarter: %v, want a quarter of a thousand calls in the last", byQuarter)
	}
	compare(t, "the next hour", 0, w.budget(7).hour.wait(reset))
}

// A limit of questions by GraphQL is for these alone.
func TestQuestionsWait(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 900})
	answer := w.answer
	caller := WithCaller(t.Context(), Caller{Installation: 7})
	limited := &Error{Budget: BudgetGraphQL, Wait: time.Minute}
	w.answer = func(*http.Request) (*http.Response, error) { return nil, limited }
	compare(t, "GitHub limits it", "graphql 1m0s", w.asked(caller, http.MethodPost, "/graphql"))
	limited = &Error{Budget: BudgetGitHub, Wait: time.Hour}
	compare(t, "another limit", "github 1h0m0s", w.asked(caller, http.MethodGet, "/x"))
	w.answer = answer
	w.clock.Advance(time.Second)
	compare(t, "a question", "graphql 59s", w.asked(caller, http.MethodPost, "/graphql"))
	compare(t, "a read", "ok", w.asked(caller, http.MethodGet, "/x"))
	compare(t, "another installation", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 8}), http.MethodPost, "/graphql"))
	compare(t, "who waits", map[int64]time.Time{7: began.Add(time.Minute)}, w.List().GraphQL)
	w.clock.Advance(59 * time.Second)
	compare(t, "its time has come", "ok", w.asked(caller, http.MethodPost, "/graphql"))
	compare(t, "nobody waits", 0, len(w.List().GraphQL))
	compare(t, "for whom", 7, InstallationOf(caller))
	compare(t, "for nobody", 0, InstallationOf(t.Context()))
}

// A patient call is sent again, with its body, for as long as a limit refuses it, and leaves half of an hour to a server.
func TestPatiently(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{})
	caller := WithCaller(t.Context(), Caller{Installation: 7})
	var waited []time.Duration
	var bodies []string
	send := func(ctx context.Context, answers ...error) error {
		waited, bodies = nil, nil
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://github.test/repos/acme/widgets/labels", strings.NewReader("body"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.Patiently(func(wait time.Duration) {
			waited = append(waited, wait)
			go func() {
				_ = w.clock.BlockUntilContext(t.Context(), 1)
				w.clock.Advance(wait)
			}()
		})(RoundTripperFunc(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			bodies = append(bodies, string(body))
			return nil, errors.Join(err, answers[len(bodies)-1])
		})).RoundTrip(request)
		return err
	}
	limit := func(wait time.Duration) error { return fmt.Errorf("call: %w", &Error{Wait: wait}) }
	if err := send(caller, limit(time.Minute), limit(2*time.Minute), errDown); !errors.Is(err, errDown) {
		t.Error(err)
	}
	compare(t, "it waits", []time.Duration{time.Minute, 2 * time.Minute}, waited)
	compare(t, "it sends", []string{"body", "body", "body"}, bodies)
	w.budget(7).hour = hour{limit: 5000, remaining: 2499, reset: w.clock.Now().Add(time.Hour)}
	if err := send(caller, errDown); !errors.Is(err, errDown) {
		t.Error(err)
	}
	compare(t, "it waits for the next hour", []time.Duration{time.Hour}, waited)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := send(ctx, limit(time.Minute)); !errors.Is(err, context.Canceled) || errors.As(err, new(*Error)) {
		t.Errorf("it waits on: %v", err)
	}
}
