package issues

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/statemachine"
)

// logServer is a GitHub that has one issue.
type logServer struct {
	id     int64
	events []*github.IssueEvent
	nextID int64
	asked  []string // the pages of the log that were asked for; "304" after those that are not modified
	meet   func()   // is called before the issue is answered; nil: nothing
}

func (s *logServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/repos/acme/widgets/issues/1" {
		if s.meet != nil {
			s.meet()
		}
		_ = json.NewEncoder(w).Encode(&github.Issue{ID: &s.id, Number: new(1), UpdatedAt: &github.Timestamp{Time: s.updated()}})
		return
	}
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	from := min((number-1)*perPage, len(s.events))
	to := min(from+perPage, len(s.events))
	body, _ := json.Marshal(s.events[from:to])
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(body))
	w.Header().Set("ETag", tag)
	asked := strconv.Itoa(number)
	if r.Header.Get("If-None-Match") == tag { // which does not say whether another page follows
		s.asked = append(s.asked, asked+" 304")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.asked = append(s.asked, asked)
	if to < len(s.events) {
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next"`, r.Host, r.URL.Path, number+1))
	}
	_, _ = w.Write(body)
}

// happen adds an event to the log.
func (s *logServer) happen(what, label string, at time.Time) {
	s.nextID++
	e := &github.IssueEvent{ID: new(s.nextID), Event: &what, CreatedAt: &github.Timestamp{Time: at}, Actor: &github.User{Login: new("olivia")}}
	if label != "" {
		e.Label = &github.Label{Name: &label}
	}
	s.events = append(s.events, e)
}

// updated is when the issue changed last.
func (s *logServer) updated() (at time.Time) {
	for _, e := range s.events {
		at = Latest(at, e.CreatedAt.Time)
	}
	return at
}

// changes is what a store should read.
func (s *logServer) changes() []statemachine.Change {
	var all []statemachine.Change
	for _, e := range s.events {
		if e.Label != nil {
			all = append(all, statemachine.Change{
				Moment: statemachine.Moment{At: e.GetCreatedAt().UTC(), ID: e.GetID()}, Added: e.GetEvent() == "labeled", Label: e.GetLabel().GetName(),
				By: lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator},
			})
		}
	}
	return all
}

func newLogStore(t interface {
	Helper()
	Fatal(...any)
}, server http.Handler) (*Store, *clockwork.FakeClock, func(),
) {
	t.Helper()
	at := httptest.NewServer(server)
	client := github.NewClient(at.Client()) // other tests close the connections of the default transport with their servers
	base, err := url.Parse(at.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	client.BaseURL = base
	store, clock := NewStore(oneClient{client}, &Actors{}), clockwork.NewFakeClockAt(time.Now().UTC().Truncate(time.Second))
	store.Clock, store.Settled = clock, 72*time.Hour
	return store, clock, at.Close
}

var theIssue = Ref{Repository: Repository{Installation: 12, ID: 7, Owner: "acme", Name: "widgets"}, Number: 1}

// However the log grows or shrinks, the store reads what is there.
func TestWhatIsRememberedOfALogIsTheLog(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		server := &logServer{id: 1}
		store, clock, stop := newLogStore(t, server)
		defer stop()
		for range rapid.IntRange(2, 8).Draw(t, "reads") {
			for range rapid.IntRange(0, 3).Draw(t, "happenings") {
				kind := rapid.SampledFrom([]string{"labeled", "unlabeled", "mentioned", "reopened"}).Draw(t, "kind")
				for range rapid.SampledFrom([]int{1, 2, 99, 100, 101, 250}).Draw(t, "events") {
					label := ""
					if kind == "labeled" || kind == "unlabeled" {
						label = "colony:" + kind
					}
					server.happen(kind, label, clock.Now())
				}
			}
			if n := len(server.events); n > 0 && rapid.IntRange(0, 3).Draw(t, "goes") == 0 {
				at := rapid.IntRange(0, n-1).Draw(t, "from")
				server.events = slices.Delete(server.events, at, min(n, at+rapid.IntRange(1, 101).Draw(t, "gone")))
			}
			if rapid.IntRange(0, 9).Draw(t, "another") == 0 {
				server.id++
				server.events = nil
			}
			load := store.Load
			if rapid.Bool().Draw(t, "GitHub told of it") {
				told := server.updated()
				load = func(ctx context.Context, ref Ref) (View, error) { return store.LoadTold(ctx, ref, told) }
				if rapid.Bool().Draw(t, "something happens in between") { // the log is read first here
					server.meet = func() {
						server.meet = nil
						clock.Advance(time.Second)
						server.happen("labeled", "colony:late", clock.Now())
					}
				}
			}
			view, err := load(t.Context(), theIssue)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(server.changes(), view.Changes, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("the log (-want +got):\n%s", diff)
			}
			clock.Advance(rapid.SampledFrom([]time.Duration{time.Second, time.Hour, 23 * time.Hour, 80 * time.Hour}).Draw(t, "passes"))
		}
	})
}

// Which pages are asked for: of a log that is old, the last.
func TestOldPagesOfALogAreNotReadAgain(t *testing.T) {
	t.Parallel()
	server := &logServer{id: 1}
	store, clock, stop := newLogStore(t, server)
	defer stop()
	reads := func(want ...string) {
		t.Helper()
		server.asked = nil
		view, err := store.Load(t.Context(), theIssue)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, server.asked); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(server.changes(), view.Changes, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("the log (-want +got):\n%s", diff)
		}
	}
	happens := func(times int) {
		for range times {
			server.happen("labeled", "colony:new", clock.Now())
		}
	}
	happens(250)
	reads("1", "2", "3")
	reads("1 304", "2 304", "3 304") // what may be judged is validated
	clock.Advance(73 * time.Hour)    // after a day it is read anew
	reads("1", "2", "3")
	reads("3 304")
	happens(1)
	reads("3")
	happens(60)
	reads("3", "4")
	reads("3 304", "4 304")
	server.events = slices.Delete(server.events, 5, 6)
	reads("3", "1", "2", "3", "4")
	reads("3 304", "4 304")
	clock.Advance(2 * time.Hour)
	server.events = slices.Delete(server.events, 150, 310)
	reads("3", "1", "2")
	reads("2 304")
	happens(50)
	reads("2", "3") // it is full: another may follow
	reads("2 304", "3 304")
	clock.Advance(73 * time.Hour)
	reads("1", "2", "3")
	reads("2 304", "3 304") // an empty page does not prove the one before
	server.events = slices.Delete(server.events, 150, 151)
	reads("2")
	happens(1)
	reads("2", "3")
	happens(1)
	reads("2 304", "3") // what is full is not modified when another follows
	server.id++
	reads("1", "2", "3")
	clock.Advance(25 * time.Hour)
	reads("1", "2", "3")
}

// An issue that changed, as GitHub told, is read at the same time as its log: each waits here for the other.
func TestAnIssueAndItsLogAreReadAtTheSameTime(t *testing.T) {
	t.Parallel()
	var calls sync.WaitGroup
	calls.Add(2)
	server := &logServer{id: 1}
	store, clock, stop := newLogStore(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Done()
		calls.Wait()
		server.ServeHTTP(w, r)
	}))
	defer stop()
	store.Fork = InParallel
	server.happen("labeled", "colony:new", clock.Now())
	view, err := store.LoadTold(t.Context(), theIssue, clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(server.changes(), view.Changes); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}

// What a log lacks that is older than the issue costs one more call; a comment of which GitHub told costs none.
func TestALogThatIsOlderThanTheIssueIsReadAgain(t *testing.T) {
	t.Parallel()
	server := &logServer{id: 1}
	store, clock, stop := newLogStore(t, server)
	defer stop()
	server.happen("labeled", "colony:new", clock.Now())
	for _, row := range []struct {
		name string
		told time.Duration // after the last event
		then time.Duration // something happens between the two reads, so long after the last event; 0: nothing
		want []string
	}{
		{"nothing happens", 0, 0, []string{"1"}},
		{"a comment before", time.Minute, 0, []string{"1 304"}},
		{"an event in between", 0, time.Second, []string{"1 304", "1"}},
		{"an event in the second of what was told", time.Second, time.Second, []string{"1 304"}},
	} {
		last := server.updated()
		server.asked, server.meet = nil, nil
		if row.then != 0 {
			server.meet = func() { server.happen("labeled", "colony:late", last.Add(row.then)) }
		}
		if _, err := store.LoadTold(t.Context(), theIssue, last.Add(row.told)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, server.asked); diff != "" {
			t.Errorf("%s: pages (-want +got):\n%s", row.name, diff)
		}
	}
}

func TestInParallelPanicsAsWhatItRan(t *testing.T) {
	t.Parallel()
	join := InParallel(func() { panic("gone") })
	defer func() {
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "gone, in\n") || !strings.Contains(got, "TestInParallelPanicsAsWhatItRan.func1") {
			t.Errorf("it panicked with %v", got)
		}
	}()
	join()
}

// A server that does not know pages must not be read for ever.
func TestAServerWithoutPages(t *testing.T) {
	t.Parallel()
	server := &logServer{id: 1}
	for range 100 {
		server.happen("labeled", "colony:new", time.Now())
	}
	store, _, stop := newLogStore(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		query.Set("page", "1")
		r.URL.RawQuery = query.Encode()
		server.ServeHTTP(w, r)
	}))
	defer stop()
	if _, err := store.Load(t.Context(), theIssue); err == nil {
		t.Error("the same page was taken for two")
	}
}
