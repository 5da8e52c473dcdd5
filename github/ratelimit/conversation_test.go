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

// spend uses the points of so many writes of a request that has waited.
func (w *wire) spend(installation int64, writes int) {
	w.Helper()
	for range writes {
		if got := w.asked(WithCaller(w.Context(), Caller{Installation: installation, Waited: true}), http.MethodPatch, "/x"); got != "ok" {
			w.Fatalf("a write waits: %s", got)
		}
	}
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

// A call costs points, a write more of them. Reads leave half of what can be used at a time to writes.
func TestPoints(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 60}) // 30 at a time, and 1 comes back in 2 seconds
	first := WithCaller(t.Context(), Caller{Installation: 7})
	for range 15 {
		compare(t, "a read", "ok", w.asked(first, http.MethodGet, "/x"))
	}
	left, atOnce := w.Points(7)
	compare(t, "half is left", 15.0, left)
	compare(t, "of all", 30.0, atOnce)
	// It has spent 15, so it comes back once there is as much as it can use besides what reads leave.
	compare(t, "a read that has spent much", "points 30s", w.asked(first, http.MethodGet, "/x"))
	compare(t, "the first read of the next", "points 1m6s", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodGet, "/x"))
	compare(t, "another installation", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 8}), http.MethodGet, "/x"))
	compare(t, "a question costs as a read", "points 1m42s", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPost, "/graphql"))
	for range 3 {
		compare(t, "a write", "ok", w.asked(first, http.MethodDelete, "/x"))
	}
	left, _ = w.Points(7)
	compare(t, "nothing is left", 0.0, left)
	compare(t, "a write too many", "points 2m12s", w.asked(first, http.MethodDelete, "/x"))
	compare(t, "what nobody counts", "ok", w.asked(t.Context(), http.MethodDelete, "/x"))
	compare(t, "who waits", Waiting{
		Requests: map[int64]time.Time{7: began.Add(2*time.Minute + 12*time.Second)}, Comments: map[int64]time.Time{}, GraphQL: map[int64]time.Time{}, Background: map[int64]time.Time{},
	}, w.List())
	compare(t, "one that has waited", 0, w.Begin(Caller{Installation: 7, Waited: true}))
	compare(t, "the next one", 2*time.Minute+48*time.Second, w.Begin(Caller{Installation: 7}))
	compare(t, "another installation", 0, w.Begin(Caller{Installation: 8}))
	w.clock.Advance(2*time.Minute + 48*time.Second)
	compare(t, "its time has come", 0, w.Begin(Caller{Installation: 7}))
	compare(t, "nobody waits", 0, len(w.List().Requests))
	left, _ = w.Points(7)
	compare(t, "all came back", 30.0, left)

	boundless := newWire(t, Settings{})
	for range 1000 {
		compare(t, "without a bound", "ok", boundless.asked(WithCaller(t.Context(), Caller{Installation: 7, Background: true}), http.MethodPost, "/repos/acme/widgets/issues/3/comments"))
	}
	if !boundless.MaySweepOn(7) || boundless.WaitForSweep(7, 5) != 0 || boundless.Begin(Caller{Installation: 7}) != 0 {
		t.Error("what has no bound waits")
	}
}

// Work in the background leaves points to people, and does not queue with them.
func TestBackgroundLeavesPoints(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 240}) // 120 at a time, and 2 come back in a second
	background := func(method string) string {
		w.Helper()
		return w.asked(WithCaller(t.Context(), Caller{Installation: 7, Background: true}), method, "/x")
	}
	compare(t, "a read", "ok", background(http.MethodGet))
	w.spend(7, 8) // 79 are left
	compare(t, "a read leaves 75", "ok", background(http.MethodGet))
	w.spend(7, 1) // 73 are left
	compare(t, "a read waits for 76", "background 1.5s", background(http.MethodGet))
	compare(t, "a read waits for 76 on", "background 1.5s", background(http.MethodGet))
	compare(t, "a write waits for 77", "background 2s", background(http.MethodPut))
	compare(t, "people wait for nothing", 0, w.Begin(Caller{Installation: 7}))
	small := newWire(t, Settings{Points: 40}) // it hardly holds a reconciliation: 2 are left
	for range 3 {
		compare(t, "a small budget", "ok", small.asked(WithCaller(t.Context(), Caller{Installation: 7, Background: true}), http.MethodPut, "/x"))
	}
	compare(t, "a small budget, used up", "background 6s", small.asked(WithCaller(t.Context(), Caller{Installation: 7, Background: true}), http.MethodPut, "/x"))
}

// Work in the background begins once three quarters are there, and what it needs. What waits is spaced.
func TestBackgroundBegins(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{Points: 240})
	compare(t, "everything", 0, w.WaitInBackground(7, Onboarding, 1000, 10))
	w.spend(7, 6) // 90 are left
	if !w.MaySweepOn(7) {
		t.Error("a sweep ends at three quarters")
	}
	w.spend(7, 1) // 85 are left
	if w.MaySweepOn(7) {
		t.Error("a sweep goes on below three quarters")
	}
	compare(t, "it needs 20", 12500*time.Millisecond, w.WaitInBackground(7, Provisioning, 20, 8))
	compare(t, "the next needs 20", 16500*time.Millisecond, w.WaitInBackground(7, Provisioning, 20, 8))
	compare(t, "another kind", 12500*time.Millisecond, w.WaitInBackground(7, Onboarding, 20, 0))
	compare(t, "a sweep", 11500*time.Millisecond, w.WaitForSweep(7, 0))
	compare(t, "a sweep that was cut", 17500*time.Millisecond, w.WaitForSweep(7, 3))
	compare(t, "the last of them", map[int64]time.Time{7: began.Add(17500 * time.Millisecond)}, w.List().Background)
	compare(t, "the board waits", 4500*time.Millisecond, w.WaitToFill(7))
	compare(t, "a question that finds too little", 4*time.Second, w.WaitToAnswer(7))
	w.clock.Advance(5 * time.Second) // 95 are left
	for range 3 {
		compare(t, "a question, while others wait", 0, w.WaitToAnswer(7))
	}
	compare(t, "questions have a share", 5*time.Second, w.WaitToAnswer(7))
	compare(t, "and nothing else", 5*time.Second, w.WaitToAnswer(7))
	w.clock.Advance(12500 * time.Millisecond) // what waited is to begin now
	compare(t, "the board has the same share", 0, w.WaitToFill(7))
	compare(t, "the board has the same share", 0, w.WaitToFill(7))
	compare(t, "the board has the same share", 0, w.WaitToFill(7))
	compare(t, "a half of what comes back", 3500*time.Millisecond, w.WaitToFill(7))
	w.clock.Advance(comesBack)
	for range 20 {
		compare(t, "the board, alone", 0, w.WaitToFill(7))
		compare(t, "a question, alone", 0, w.WaitToAnswer(7))
	}
	w.spend(7, 4) // 100 of 120 are left, which others have to wait for
	compare(t, "a question below three quarters has the share", 2500*time.Millisecond, w.WaitToAnswer(7))
}

// Comments have a budget of a minute and one of an hour. One that waits is paid for, and is written once its time comes.
func TestComments(t *testing.T) {
	t.Parallel()
	w := newWire(t, Settings{ContentMinute: 12, ContentHour: 240}) // 6 at a time and 1 in 10 seconds; 120 at a time
	comment := func(repo string, issue int, background bool) string {
		w.Helper()
		return w.asked(WithCaller(t.Context(), Caller{Installation: 7, Background: background}), http.MethodPost, fmt.Sprintf("/repos/%s/issues/%d/comments", repo, issue))
	}
	for n := range 3 {
		compare(t, "a comment in the background", "ok", comment("acme/widgets", n, true))
	}
	compare(t, "half is for people", "background 10s", comment("acme/widgets", 9, true))
	for n := range 3 {
		compare(t, "a comment", "ok", comment("acme/widgets", n, false))
	}
	compare(t, "one too many", "content 10s", comment("acme/widgets", 10, false))
	compare(t, "the next", "content 20s", comment("acme/widgets", 11, false))
	compare(t, "the same waits with it", "content 10s", comment("Acme/Widgets", 10, false))
	compare(t, "no comment", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPost, "/repos/acme/widgets/issues/10/labels"))
	compare(t, "a comment that is edited", "ok", w.asked(WithCaller(t.Context(), Caller{Installation: 7}), http.MethodPatch, "/repos/acme/widgets/issues/10/comments"))
	compare(t, "who waits", map[int64]time.Time{7: began.Add(20 * time.Second)}, w.List().Comments)
	reserved := func(issue int) bool { return w.CommentReserved(7, "ACME/widgets", issue) }
	if !reserved(10) || !reserved(11) || reserved(12) || w.CommentReserved(8, "acme/widgets", 10) {
		t.Error("comments that wait")
	}
	w.clock.Advance(10 * time.Second)
	if reserved(10) || !reserved(11) {
		t.Error("the time of the first has come")
	}
	compare(t, "it is paid for", "ok", comment("acme/widgets", 10, false))
	compare(t, "it was written", "content 20s", comment("acme/widgets", 10, false))
	w.clock.Advance(10*time.Second + reservationHolds)
	for range 6 {
		compare(t, "another comment", "ok", comment("acme/widgets", 20, false))
	}
	compare(t, "nobody came back for it", "content 10s", comment("acme/widgets", 11, false))
	compare(t, "nobody waits", 1, len(w.List().Comments))

	hour := newWire(t, Settings{ContentMinute: 1000, ContentHour: 20})
	w = hour
	for n := range 10 {
		compare(t, "of an hour", "ok", comment("acme/widgets", n, false))
	}
	compare(t, "the hour is used up", "content 6m0s", comment("acme/widgets", 99, false))
	compare(t, "the hour is used up, for the background", "background 42m0s", comment("acme/widgets", 98, true))
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

// A patient call is sent again, with its body, for as long as a limit refuses it, and waits for the last tenth of an hour.
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
	w.budget(7).primary = primary{limit: 5000, remaining: 1, reset: w.clock.Now().Add(time.Hour)}
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
