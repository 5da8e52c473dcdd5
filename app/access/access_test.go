package access_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/colony-app/colony/app/access"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/playground"
)

const adminToken = "only for operators"

// world is a GitHub where rita may read acme/secret and pat may not, and a reader that asks it.
type world struct {
	t      *testing.T
	clock  *clockwork.FakeClock
	github *playground.Playground
	reader *access.Reader
}

func newWorld(t *testing.T) *world {
	t.Helper()
	clock := clockwork.NewFakeClockAt(time.Now().Truncate(time.Second))
	w := &world{t: t, clock: clock, github: playground.New(playground.Options{Clock: clock, AuthClock: clockwork.NewRealClock()})}
	address, err := w.github.Start("127.0.0.1:0")
	w.must(err)
	t.Cleanup(func() { w.must(w.github.Close()) })
	w.github.AddOrganization("acme")
	for _, login := range []string{"rita", "pat"} {
		w.github.AddUser(login)
	}
	w.github.AddBot("dev")
	for _, name := range []string{"widgets", "secret", "hidden"} {
		w.github.AddRepository("acme", name)
		w.must(w.github.SetPrivate("acme", name, name != "widgets"))
	}
	w.github.SetPermission("acme", "secret", "rita", "read")
	viewers, err := client.NewViewers(client.Options{
		App: apptest.ConfigAt(address, apptest.ShortKey()).GitHubApp(), Timeout: time.Minute, Transport: client.NewTransport(),
		Metrics: client.NewCallMetrics(prometheus.NewRegistry()), Clock: clock,
	})
	w.must(err)
	w.reader = access.New(access.Options{Admin: adminToken, Client: viewers.Of, Clock: clock})
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) viewer(token string) access.Viewer {
	w.t.Helper()
	v, err := w.reader.ViewerOf(context.Background(), token)
	w.must(err)
	return v
}

func (w *world) may(v access.Viewer, name string) bool {
	w.t.Helper()
	may, err := w.reader.MayRead(context.Background(), v, "acme", name, 0)
	w.must(err)
	return may
}

// among returns the names of those of acme's repositories that a viewer may read.
func (w *world) among(v access.Viewer, names ...string) (readable []string, err error) {
	w.t.Helper()
	var all []issues.Repository
	for _, name := range names {
		all = append(all, issues.Repository{Owner: "acme", Name: name})
	}
	some, err := w.reader.Among(context.Background(), v, all)
	for _, repo := range some {
		readable = append(readable, repo.Name)
	}
	return readable, err
}

func TestOneReadsWhatOnesTokenReads(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	keys := map[string]bool{}
	for _, who := range []struct {
		token, name string
		reads       []string
	}{
		{w.github.Token("rita"), "rita", []string{"widgets", "secret"}},
		{w.github.Token("pat"), "pat", []string{"widgets"}},
		{w.github.Token("dev"), "an App's installation", []string{"widgets", "secret", "hidden"}},
		{adminToken, "an operator", []string{"widgets", "secret", "hidden", "nothing"}},
	} {
		v := w.viewer(who.token)
		if v.ReadsEverything() != (who.token == adminToken) {
			t.Errorf("%s reads everything: %t", who.name, v.ReadsEverything())
		}
		if v.Key() != w.viewer(who.token).Key() || keys[v.Key()] || strings.Contains(v.Key(), who.token) {
			t.Errorf("the key of %s is %q", who.name, v.Key())
		}
		keys[v.Key()] = true
		if fmt.Sprintf("%v %+v %#v", v, v, v) != strings.Join([]string{who.name, who.name, who.name}, " ") {
			t.Errorf("%s shows as %v, %+v, %#v", who.name, v, v, v)
		}
		names := []string{"widgets", "secret", "hidden", "nothing", "..", "a b", `x"){id}`, ""}
		together, err := w.among(v, names...)
		w.must(err)
		if who.token == adminToken {
			together = together[:4]
		}
		var single []string
		for _, name := range names[:4] {
			if w.may(v, name) {
				single = append(single, name)
			}
		}
		if diff := cmp.Diff(who.reads, together); diff != "" {
			t.Errorf("%s reads of many (-want +got):\n%s", who.name, diff)
		}
		if diff := cmp.Diff(who.reads, single); diff != "" {
			t.Errorf("%s reads one by one (-want +got):\n%s", who.name, diff)
		}
	}
}

func TestOneByOneIsAskedWithoutGraphQL(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.github.Lack("graphql"))
	readable, err := w.among(w.viewer(w.github.Token("rita")), "hidden", "secret", "widgets")
	w.must(err)
	if diff := cmp.Diff([]string{"secret", "widgets"}, readable); diff != "" {
		t.Error(diff)
	}
}

func TestManyRepositoriesCostOneCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.viewer(w.github.Token("rita"))
	w.github.ResetCalls()
	for range 2 {
		_, err := w.among(v, "hidden", "secret", "widgets", "nothing")
		w.must(err)
	}
	if w.may(v, "hidden") || !w.may(v, "SECRET") {
		t.Error("the answers of one question do not hold for the other")
	}
	if calls := w.github.Calls(); len(calls) != 1 {
		t.Errorf("calls %+v", calls)
	}
}

func TestAnAnswerHoldsForAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.github.Token("rita")
	v := w.viewer(token)
	if !w.may(v, "secret") || w.may(v, "hidden") {
		t.Fatal("rita reads something else")
	}
	w.github.SetPermission("acme", "secret", "rita", "none")
	w.github.SetPermission("acme", "hidden", "rita", "read")
	w.clock.Advance(access.Kept - time.Second)
	w.github.ResetCalls()
	w.viewer(token)
	if !w.may(v, "secret") || w.may(v, "hidden") || len(w.github.Calls()) != 0 {
		t.Errorf("within the minute, GitHub is asked: %+v", w.github.Calls())
	}
	w.clock.Advance(time.Second)
	if w.may(v, "secret") || !w.may(v, "hidden") {
		t.Error("after the minute, the old answer holds")
	}
	w.must(w.github.DeleteUser("rita"))
	if _, err := w.reader.MayRead(context.Background(), v, "acme", "widgets", 0); !errors.Is(err, access.ErrRefused) {
		t.Errorf("with a token that is gone: %v", err)
	}
	if _, err := w.reader.ViewerOf(context.Background(), token); !errors.Is(err, access.ErrRefused) {
		t.Errorf("whose token, after GitHub refused it: %v", err)
	}
}

func TestARenamedRepositoryIsReadByItsNewName(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(w.github.RenameRepository("acme", "widgets", "gadgets"))
	v := w.viewer(w.github.Token("pat"))
	if w.may(v, "widgets") || !w.may(v, "gadgets") {
		t.Error("a redirect opens the old name")
	}
	w.clock.Advance(access.Kept)
	readable, err := w.among(v, "widgets", "gadgets")
	w.must(err)
	if diff := cmp.Diff([]string{"gadgets"}, readable); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeCheckedIsNotAllowedAndNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	token := w.github.Token("rita")
	for name, f := range map[string]playground.Fault{
		"down":       {Kind: playground.FaultStatus, Status: http.StatusBadGateway},
		"cut":        {Kind: playground.FaultCut},
		"shut out":   {Kind: playground.FaultStatus, Status: http.StatusForbidden, Body: `{"message":"Maximum number of login attempts exceeded. Please try again later."}`},
		"limited":    {Kind: playground.FaultPrimaryLimit},
		"odd answer": {Kind: playground.FaultStatus, Status: http.StatusTeapot},
	} {
		w.clock.Advance(access.Kept)
		w.reader.Forget(token)
		cancel := w.github.Fault(f)
		if _, err := w.reader.ViewerOf(context.Background(), token); err == nil || errors.Is(err, access.ErrRefused) {
			t.Errorf("%s: whose token: %v", name, err)
		}
		cancel()
		v := w.viewer(token)
		cancel = w.github.Fault(f)
		may, err := w.reader.MayRead(context.Background(), v, "acme", "secret", 0)
		if may || err == nil || errors.Is(err, access.ErrRefused) {
			t.Errorf("%s: one repository: %t, %v", name, may, err)
		}
		if readable, err := w.among(v, "secret", "widgets"); len(readable) > 0 || err == nil || errors.Is(err, access.ErrRefused) {
			t.Errorf("%s: many repositories: %v, %v", name, readable, err)
		}
		cancel()
		if !w.may(v, "secret") {
			t.Errorf("%s: that it could not be checked was kept", name)
		}
	}
}

func TestAnErrorOfGraphQLIsNoAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.viewer(w.github.Token("rita"))
	for _, body := range []string{
		`{"data":{"r0":null,"r1":{"id":"R_1"}},"errors":[{"type":"SOMETHING","message":"Something went wrong.","path":["r0"]}]}`,
		`{"errors":[{"message":"Something went wrong."}]}`, `{"data":{"r0":null,"r1":{"id":"R_1"}}}`, `{}`, `nonsense`,
	} {
		cancel := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusOK, Path: regexp.MustCompile("graphql"), Body: body})
		if readable, err := w.among(v, "hidden", "widgets"); err == nil {
			t.Errorf("%s: %v", body, readable)
		}
		cancel()
	}
}

func TestWrongTokens(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.github.Token("rita")
	w.viewer(good)
	w.github.ResetCalls()
	refused := func(token string) {
		t.Helper()
		if _, err := w.reader.ViewerOf(context.Background(), token); !errors.Is(err, access.ErrRefused) {
			t.Errorf("the token %q: %v", token, err)
		}
	}
	for _, token := range []string{"", "x", adminToken + " ", "ghp_short", "eyJhbGciOi.J9.x", "ghp_" + strings.Repeat("a", 3000), "ghp_" + strings.Repeat("a", 30) + "\n"} {
		refused(token)
	}
	if calls := w.github.Calls(); len(calls) > 0 {
		t.Errorf("what is no token was sent to GitHub: %+v", calls)
	}
	wrong := func(i int) string { return fmt.Sprintf("ghp_%036d", i) }
	for i := range 10 {
		refused(wrong(i))
		refused(wrong(i))
	}
	if calls := w.github.Calls(); len(calls) != 10 {
		t.Errorf("%d calls for ten wrong tokens, each sent twice", len(calls))
	}
	limited := (*ratelimit.Error)(nil)
	if _, err := w.reader.ViewerOf(context.Background(), wrong(11)); !errors.As(err, &limited) || limited.Wait <= 0 || limited.Wait > 6*time.Second {
		t.Fatalf("the eleventh wrong token: %v", err)
	}
	w.viewer(good) // whom Colony knows comes in all the same
	w.clock.Advance(limited.Wait)
	refused(wrong(11))
}

func TestWithoutAnAdminTokenNoneOpensEverything(t *testing.T) {
	t.Parallel()
	r := access.New(access.Options{Clock: clockwork.NewFakeClock()})
	if _, err := r.ViewerOf(context.Background(), ""); !errors.Is(err, access.ErrRefused) {
		t.Errorf("the empty token: %v", err)
	}
}

func TestAnUnchangedIssueCostsAConditionalCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.viewer(w.github.Token("rita"))
	for range 2 {
		if !w.may(v, "secret") {
			t.Fatal("rita cannot read")
		}
		w.clock.Advance(access.Kept)
	}
	calls := w.github.Calls()
	if last := calls[len(calls)-1]; last.Status != http.StatusNotModified {
		t.Errorf("the second question is answered with %d", last.Status)
	}
}
