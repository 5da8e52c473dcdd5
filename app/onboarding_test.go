package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
)

// onboardedAtMost is how many repositories a large organisation gives to Colony at the same time.
const onboardedAtMost = 200

// onboarded is too many repositories for a minute, or with -long as many as a large organisation has.
func onboarded() int {
	if long.Whole() {
		return onboardedAtMost
	}
	return 60
}

// optedIn is withRepositories of such that opt in, as the first one does.
func (w *world) optedIn(n int) []string {
	w.t.Helper()
	names := w.withRepositories(n)
	for _, name := range append([]string{"widgets"}, names...) {
		w.OptsIn(name)
	}
	return names
}

// withRepositories gives the organisation so many more repositories, in which olivia may move issues, and returns their names.
func (w *world) withRepositories(n int) []string {
	w.t.Helper()
	var names []string
	for i := range n {
		name := fmt.Sprintf("part-%03d", i)
		w.github.AddRepository("acme", name)
		w.github.SetPermission("acme", name, "olivia", "write")
		names = append(names, name)
	}
	return names
}

// partIssue is an issue of any repository that somebody moves.
type partIssue struct {
	*world
	repo   string
	number int
}

// openAt opens an issue in a state.
func (w *world) openAt(repo, label string) *partIssue {
	w.t.Helper()
	opened, _, err := w.As("olivia").Issues.Create(ctx, "acme", repo, &github.IssueRequest{Title: new("A part that fits"), Labels: &[]string{label}})
	w.Must(err)
	return &partIssue{w, repo, opened.GetNumber()}
}

func (m *partIssue) label(label string) {
	m.t.Helper()
	m.labelAs("olivia", label)
}

func (m *partIssue) labelAs(login, label string) {
	m.t.Helper()
	_, _, err := m.As(login).Issues.AddLabelsToIssue(ctx, "acme", m.repo, m.number, []string{label})
	m.Must(err)
}

func (m *partIssue) labels() []string {
	m.t.Helper()
	is, _, err := m.As("olivia").Issues.Get(ctx, "acme", m.repo, m.number)
	m.Must(err)
	var names []string
	for _, l := range is.Labels {
		names = append(names, l.GetName())
	}
	return names
}

// ended asserts that the issue came to its state, and to nothing else.
func (m *partIssue) ended(label string) {
	m.t.Helper()
	if labels := m.labels(); !slices.Equal(labels, []string{label}) {
		m.t.Errorf("%s#%d has %v, want %s", m.repo, m.number, labels, label)
	}
	comments, _, err := m.As("olivia").Issues.ListComments(ctx, "acme", m.repo, m.number, nil)
	m.Must(err)
	for _, c := range comments {
		m.t.Errorf("unread on %s#%d:\n%s", m.repo, m.number, c.GetBody())
	}
}

// provisioned counts the labels of the lifecycle that a repository has.
func (w *world) provisioned(repo string) (n int) {
	w.t.Helper()
	all, _, err := w.As("olivia").Issues.ListLabels(ctx, "acme", repo, &github.ListOptions{PerPage: 100})
	w.Must(err)
	for _, l := range all {
		if strings.HasPrefix(l.GetName(), "colony:") && l.GetDescription() != "" {
			n++
		}
	}
	return n
}

// callsIn counts Colony's calls in a repository.
func (w *world) callsIn(repo string) (n int) {
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && strings.Contains(c.Path, "/repos/acme/"+repo+"/") {
			n++
		}
	}
	return n
}

// sweepsByTimer makes Colony sweep as often as it does by default.
func sweepsByTimer(c *config.Config) { c.Sweep.Interval = config.Default().Sweep.Interval }

// A person's move takes no call and no wait more because the labels of many repositories are being made, whatever became of the
// repository of the issue so far. No time passes in this test after the App was installed: what waits for Colony's pace does not end.
func TestAMoveIsFinishedAtOnceWhileRepositoriesAreOnboarded(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, sweepsByTimer)
	w.github.SetRateLimit(12_500) // as GitHub allows an organisation with so many repositories
	names := w.optedIn(onboarded())
	last := names[len(names)-1]
	w.start()
	w.Quiet() // the sweep of the start finds nothing yet
	unbegun, late := w.openAt(last, "colony:new"), w.openAt(names[len(names)-2], "colony:new")
	w.Installation = w.github.Install(appID, "acme")
	w.Quiet()
	done := w.provisioned("widgets")
	if done < 17 {
		t.Fatalf("the first repository has %d labels", done)
	}
	if n := w.provisioned(last); n > 0 {
		t.Fatalf("all repositories are onboarded at once: this test shows nothing (%d labels)", n)
	}

	for _, c := range []struct {
		name  string
		issue *partIssue
		most  int // calls: the policy, the labels and the stamp of a repository that was not begun; the issue, its log and the old label of each
	}{
		{"in a repository that is done", w.openAt("widgets", "colony:new"), 6},
		{"in one that was not begun", unbegun, 9},
		{"in another", late, 9},
	} {
		w.Quiet()
		w.github.ResetCalls()
		c.issue.label("colony:analyzing")
		w.Quiet()
		c.issue.ended("colony:analyzing")
		if n := w.callsIn(c.issue.repo); n > c.most {
			t.Errorf("%s a move took %d calls, more than %d", c.name, n, c.most)
		}
		if n := w.provisioned(c.issue.repo); c.issue.repo != "widgets" && n > 1 {
			t.Errorf("%s a move waited for %d labels, not for the stamp only", c.name, n)
		}
	}
	w.showsOnboarding(len(names) + 1)
	began := w.clock.Now()
	for len(w.colony.ready().Onboarding) > 0 && w.clock.Since(began) < 90*time.Minute {
		w.clock.Advance(2 * time.Second)
		w.Quiet()
	}
	took := w.clock.Since(began)
	t.Logf("the onboarding took %s", took)
	for w.Delayed() > 0 && w.clock.Since(began) < 90*time.Minute { // a sweep by the timer
		w.clock.Advance(2 * time.Second)
		w.Quiet()
	}
	if most := time.Duration(len(names)) * 3 * time.Second; took > most {
		t.Errorf("the onboarding of %d repositories took %s, want at most %s", len(names), took, most)
	}
	for _, name := range names {
		if n := w.provisioned(name); n != done {
			t.Errorf("%s has %d labels at the end, want %d", name, n, done)
		}
	}
	if n := w.colony.ready().Queue; n.Delayed+n.Dead > 0 {
		t.Errorf("in the end there is still something to do: %+v", n)
	}
	w.within()
}

// Somebody waits for what the API answers, so that it does not wait for the end of an onboarding; and programs that ask as much as they get
// answers do not keep an onboarding from its end.
func TestTheAPIAnswersWhileRepositoriesAreOnboarded(t *testing.T) {
	t.Parallel()
	onboard := func(t *testing.T, asks func(w *world, path string)) (took time.Duration) {
		t.Helper()
		w := newWorldWithoutColony(t, withAdmin, withAPI, sweepsByTimer)
		w.optedIn(14)
		w.withoutGraphQL()
		w.start()
		w.Quiet()
		issue := w.openAt("widgets", "colony:new")
		w.Installation = w.github.Install(appID, "acme")
		w.Quiet()
		began := w.clock.Now()
		for w.Delayed() > 0 {
			if took = w.clock.Since(began); took > time.Hour {
				t.Fatal("the onboarding does not end")
			}
			w.clock.Advance(6 * time.Second)
			w.Quiet()
			asks(w, fmt.Sprintf("issues/acme/widgets/%d/allowed?as=olivia&to=analyzing", issue.number))
		}
		w.within()
		return took
	}
	answers, refusals := 0, 0
	alone := onboard(t, func(w *world, path string) {
		if answer := w.asksAPI(adminToken, http.MethodGet, path, ""); answer.Code != http.StatusOK {
			t.Fatalf("after %d answers: %d %s", answers, answer.Code, answer.Body)
		}
		answers++
	})
	if answers < 10 {
		t.Errorf("the onboarding took %d questions: this test shows nothing", answers)
	}
	busy := onboard(t, func(w *world, path string) {
		for _, token := range []string{adminToken, w.github.Token("olivia"), w.github.Token("tara"), w.github.Token("rita")} { // each gets six answers in that time
			for range 10 {
				if w.asksAPI(token, http.MethodGet, path, "").Code == http.StatusServiceUnavailable {
					refusals++
					return
				}
			}
		}
	})
	t.Logf("%d answers; the onboarding took %s, and %s with questions without end (%d refused)", answers, alone, busy, refusals)
	if refusals == 0 || busy > 3*alone {
		t.Errorf("the onboarding took %s, and %s with questions without end (%d refused)", alone, busy, refusals)
	}
}

// showsOnboarding asserts that /readyz, the metrics and the doctor tell of an onboarding and of what waits for it.
func (w *world) showsOnboarding(of int) {
	w.t.Helper()
	r := w.colony.ready()
	if len(r.Onboarding) != 1 || r.Onboarding[0].Installation != w.Installation || r.Onboarding[0].Of != of || r.Onboarding[0].Done < 1 || r.Onboarding[0].Done >= of {
		w.t.Errorf("/readyz does not show how far the onboarding is: %+v", r.Onboarding)
	}
	if len(r.Waiting) != 1 || r.Waiting[0].Why != "background" || r.Waiting[0].Tasks < 1 || !r.Waiting[0].Until.After(w.clock.Now()) {
		w.t.Errorf("/readyz does not show what waits: %+v", r.Waiting)
	}
	m := w.metrics()
	if done, left := acme.Value(m, "colony_onboarding_repositories", "condition=done"), acme.Value(m, "colony_onboarding_repositories", "condition=left"); done < 1 || int(done+left) != of {
		w.t.Errorf("the metrics show %v repositories done and %v left, of %d", done, left, of)
	}
	if n := acme.Value(m, "colony_waiting_tasks", "why=background"); n < 1 {
		w.t.Errorf("the metrics show %v waiting tasks", n)
	}
	if n := acme.Value(m, "colony_limited_installations", "budget=background"); n != 1 {
		w.t.Errorf("the metrics show %v installations whose background work waits", n)
	}
	lines, worst := w.doctor(w.address())
	all := strings.Join(lines, "\n")
	for _, want := range []string{
		fmt.Sprintf("server: installation N is being onboarded: %d of %d repositories have their labels", r.Onboarding[0].Done, of),
		"background work leaves Colony's pace to people",
	} {
		if !strings.Contains(all, want) {
			w.t.Errorf("the doctor (%s) does not say %q:\n%s", worst, want, all)
		}
	}
}

// withoutGraphQL makes GitHub a server on which labels are made one by one.
func (w *world) withoutGraphQL() {
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusNotFound, Path: regexp.MustCompile("/graphql$"), Actor: "colony[bot]"})
}

// An onboarding that a restart cuts goes on where it was, and the log says when it begins and ends. A repository that GitHub fails to serve
// does not hold up the others.
func TestAnOnboardingGoesOnAfterARestart(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, onDisk(t), sweepsByTimer)
	var log lockedBuffer
	start := func() {
		server, err := app.New(ctx, w.config, app.Options{Clock: w.clock, Log: zerolog.New(&log)})
		w.Must(err)
		w.run(server)
	}
	names := w.optedIn(20)
	w.withoutGraphQL()
	start()
	w.Quiet() // the sweep of the start finds nothing yet
	w.Installation = w.github.Install(appID, "acme")
	w.Quiet()
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile("/part-009/labels"), Actor: "colony[bot]", Times: 3})
	w.Pass(10, 15*time.Second)
	before := w.colony.ready().Onboarding
	if len(before) != 1 || before[0].Done < 3 || before[0].Done > 19 {
		t.Fatalf("the onboarding is not under way: %+v", before)
	}
	w.stopColony()
	start()
	w.Quiet()
	w.Pass(2, 15*time.Second)
	if after := w.colony.ready().Onboarding; len(after) != 1 || after[0].Done < before[0].Done || after[0].Of != before[0].Of {
		t.Errorf("after a restart the onboarding is %+v, before it was %+v", after, before)
	}
	for began := w.clock.Now(); w.Delayed() > 0 && w.clock.Since(began) < time.Hour; {
		w.Pass(1, 10*time.Second)
	}
	for _, name := range append(names, "widgets") {
		if n := w.provisioned(name); n != 17 {
			t.Errorf("%s has %d labels at the end", name, n)
		}
	}
	if left := w.colony.ready().Onboarding; len(left) > 0 {
		t.Errorf("/readyz shows an onboarding that has ended: %+v", left)
	}
	for message, want := range map[string]int{"an onboarding begins": 1, "an onboarding goes on": 9, "the onboarding has ended": 1} {
		if n := strings.Count(log.String(), message); n != want {
			t.Errorf("the log says %q %d times, want %d", message, n, want)
		}
	}
}

// lockedBuffer is a buffer that several may write to.
type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// While the labels of a repository are being made, a move there does not wait for them.
func TestAMoveDoesNotWaitForTheLabelsOfItsRepository(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, func(c *config.Config) { c.Queue.Concurrency, c.GitHub.Budget.Points = 2, 0 })
	gate := &labelGate{repo: "part-000", entered: make(chan struct{}, 1), open: make(chan struct{})}
	w.transport, w.Patience = gate, 2*time.Minute
	w.optedIn(1)
	w.start()
	i := w.openAt("part-000", "colony:new")
	w.Installation = w.github.Install(appID, "acme")
	<-gate.entered // one label is being made, and GitHub does not answer
	i.label("colony:analyzing")
	until := time.Now().Add(w.Patience)
	for !slices.Equal(i.labels(), []string{"colony:analyzing"}) {
		if time.Now().After(until) {
			t.Errorf("the move waits for the labels of its repository: %v", i.labels())
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	close(gate.open)
	w.Settle()
	i.ended("colony:analyzing")
	if a, b := w.provisioned("part-000"), w.provisioned("widgets"); a != b || a < 17 {
		t.Errorf("%d labels at the end, %d in the other repository", a, b)
	}
}

// labelGate keeps Colony from making labels in a repository, but for the one that says since when it is judged, until it is opened.
type labelGate struct {
	repo    string
	once    sync.Once
	entered chan struct{}
	open    chan struct{}
	stamped sync.Once
}

func (g *labelGate) RoundTrip(r *http.Request) (*http.Response, error) {
	changed, mutates := issues.RepositoryOf(r.Context())
	if makes := mutates && changed.Name == g.repo; makes || r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/repos/acme/"+g.repo+"/labels") {
		stamp := false
		if !makes {
			g.stamped.Do(func() { stamp = true })
		}
		if !stamp {
			g.once.Do(func() { g.entered <- struct{}{} })
			select {
			case <-g.open:
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}
