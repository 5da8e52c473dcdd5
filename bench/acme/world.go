package acme

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

// World is a GitHub, a Colony on it, and people. What Colony says has to be read: a comment left unread at the end fails the test, so every test
// proves Colony's silence too.
type World struct {
	*GitHub
	// Colony is the one that runs; nil: none does.
	Colony Colony
	// Issues are those on which what Colony says has to be read.
	Issues []*Issue
	// Patience bounds a wait for something that is sure to come.
	Patience time.Duration
}

// Colony is a running Colony, as far as people can wait for it.
type Colony interface {
	// Idle returns when every request is done that is not delayed.
	Idle(ctx context.Context) error
	// Delayed counts the requests that wait for their time.
	Delayed() int
	// BeginSweep has everything swept.
	BeginSweep(ctx context.Context) error
	// Paced says until when requests wait for the budget of points, by installation.
	Paced() map[int64]time.Time
}

// NewWorld is a world on a GitHub. Colony is silent at its end, or the test fails.
func NewWorld(g *GitHub) *World {
	w := &World{GitHub: g, Patience: patience}
	g.t.Cleanup(func() { *w = World{} }) // package testing keeps what a cleanup refers to until all tests have ended
	return w
}

// Today is a clock for a world: it keeps its time unless a test moves it.
func Today() *clockwork.FakeClock { return clockwork.NewFakeClockAt(time.Now().Truncate(time.Second)) }

// Configure changes the configuration of the Colonies to come.
func (g *GitHub) Configure(change ...func(*config.Config)) {
	for _, f := range change {
		f(&g.Config)
	}
}

// Quiet waits until every webhook was answered and every request is done that is not delayed.
func (w *World) Quiet() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), w.Patience)
	defer cancel()
	for {
		before := len(w.Deliveries())
		w.Must(w.Playground.Quiet(ctx))
		if w.Colony != nil {
			w.Must(w.Colony.Idle(ctx))
		}
		w.Must(w.Playground.Quiet(ctx))
		if len(w.Deliveries()) == before {
			return
		}
	}
}

// Pass lets time pass in steps, and waits for quiet after each.
func (w *World) Pass(steps int, each time.Duration) {
	w.t.Helper()
	for range steps {
		w.Clock.Advance(each)
		w.Quiet()
	}
}

// Settle waits for quiet, lets the time pass that Colony waits before it refuses something, and waits again.
func (w *World) Settle() {
	w.t.Helper()
	w.Quiet()
	w.Clock.Advance(2 * time.Second)
	w.Quiet()
	for range 15 {
		if w.Colony == nil || w.Colony.Delayed() == 0 {
			return
		}
		w.Clock.Advance(2 * time.Second)
		w.Quiet()
	}
	if waiting := w.Colony.Paced(); len(waiting) > 0 { // how much was used by now depends on which requests were joined: no test can
		w.t.Errorf("requests wait for the budget of points, until %v: the test asks for too much in too little time", waiting)
	}
}

// Sweep lets some minutes pass and has everything swept.
func (w *World) Sweep() {
	w.t.Helper()
	w.Settle()
	w.Clock.Advance(5 * time.Minute)
	w.Must(w.Colony.BeginSweep(context.Background()))
	w.Settle()
}

// CommitAndSettle writes a file, and lets the time pass in which GitHub might not show it yet.
func (w *World) CommitAndSettle(repo, path, text string) {
	w.t.Helper()
	w.Commit(repo, path, text)
	w.Settle()
	w.Clock.Advance(10 * time.Second)
	w.Settle()
}

// Silence asserts that nothing is left unread, that every webhook was answered well, and that Colony asked GitHub for nothing that the
// playground does not have.
func (w *World) Silence() {
	w.t.Helper()
	if w.t.Failed() {
		return
	}
	if w.Colony != nil {
		w.Settle()
	}
	for _, i := range w.Issues {
		i.NothingUnread()
	}
	if odd := w.Unimplemented(); len(odd) > 0 {
		w.t.Errorf("the playground was asked for what it does not have: %v", odd)
	}
	for _, d := range w.Deliveries() {
		if strings.HasPrefix(d.Status, "Invalid HTTP Response: 5") {
			w.t.Errorf("delivery %s.%s: %s", d.Event, d.Action, d.Status)
		}
	}
}

// colonys are Colony's calls to GitHub since they were last reset.
func (g *GitHub) colonys() []playground.Call {
	return slices.DeleteFunc(g.Calls(), func(c playground.Call) bool { return c.Actor != apptest.Login })
}

// Cost counts Colony's calls to GitHub since they were last reset. An answer 304 is no read: GitHub does not count it
// (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
func (g *GitHub) Cost() (reads, writes int) {
	for _, c := range g.colonys() {
		switch {
		case c.Status == http.StatusNotModified:
		case c.Method == http.MethodGet:
			reads++
		default:
			writes++
		}
	}
	return reads, writes
}

// Bring gives the repository a lifecycle of its own.
func (w *World) Bring(life string) {
	w.t.Helper()
	_, err := statemachine.Parse("lifecycle.yml", []byte(life))
	w.Must(err)
	w.CommitAndSettle("widgets", ".github/colony-lifecycle.yml", life)
}

// Written lists Colony's calls that change a repository.
func (w *World) Written() (calls []string) {
	for _, c := range w.colonys() {
		if c.Method != http.MethodGet && strings.HasPrefix(c.Path, "/repos/") {
			calls = append(calls, c.Method+" "+c.Path)
		}
	}
	return calls
}

// Unwritten asserts that Colony wrote nothing since the journal was last cleared.
func (w *World) Unwritten() {
	w.t.Helper()
	if calls := w.Written(); len(calls) > 0 {
		w.t.Errorf("%d writes: %v", len(calls), calls)
	}
}

// Spent leaves out the policy of the repository, which Colony reads again once in a while.
func (w *World) Spent() (s Spending) {
	for _, c := range w.colonys() {
		switch {
		case strings.Contains(c.Path, "/contents/"):
		case c.Path == "/graphql" || c.Path == "/api/graphql":
			s.Questions++
		case c.Method == http.MethodGet:
			s.Reads++
		default:
			s.Writes++
		}
	}
	return s
}

// Spending is what Colony asked of GitHub, 304s and all; questions are those by GraphQL.
type Spending struct{ Reads, Writes, Questions int }

// Moved is an issue that Colony moved for the lack of a pull request, which its trail says.
func (w *World) Moved() *Issue {
	w.t.Helper()
	i := w.NewIssue("ada", "Paint it.")
	pull := i.Fixed()
	i.Through("colony", "in-review")
	w.Settle()
	w.Clock.Advance(time.Hour)
	i.CloseAs(pull, "")
	w.Settle()
	i.Has("colony:ready-for-dev")
	i.HasTrail(MissingPull)
	return i
}

// MissingPull is what the trail says of an issue that Moved returns.
const MissingPull = "in-review -> ready-for-dev: There is no open pull request"

// Spend is what Colony asked of GitHub.
func Spend(reads, writes, questions int) Spending { return Spending{reads, writes, questions} }

// Asked counts Colony's calls to GitHub whose path has one of some words, 304s and all.
func (w *World) Asked(words ...string) int {
	return len(slices.DeleteFunc(w.colonys(), func(c playground.Call) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(c.Path, word) })
	}))
}

// ReadsOf counts Colony's reads of an issue, those answered 304 too.
func (w *World) ReadsOf(number int) (reads int) {
	path := fmt.Sprintf("/repos/acme/widgets/issues/%d", number)
	for _, c := range w.colonys() {
		if c.Method == http.MethodGet && (strings.HasSuffix(c.Path, path) || strings.Contains(c.Path, path+"/")) {
			reads++
		}
	}
	return reads
}

// Said returns what Colony wrote on the newest commit to a file.
func (w *World) Said(repo, path string) []string {
	w.t.Helper()
	commits, _, err := w.As("mona").Repositories.ListCommits(context.Background(), "acme", repo, &github.CommitsListOptions{Path: path})
	w.Must(err)
	if len(commits) == 0 {
		w.t.Fatalf("nobody committed %s", path)
	}
	comments, _, err := w.As("mona").Repositories.ListCommitComments(context.Background(), "acme", repo, commits[0].GetSHA(), nil)
	w.Must(err)
	var said []string
	for _, c := range comments {
		if c.GetUser().GetLogin() != "colony[bot]" {
			w.t.Errorf("%s wrote %s", c.GetUser().GetLogin(), c.GetBody())
		}
		said = append(said, c.GetBody())
	}
	return said
}

// SaidOnce asserts that there is one comment with all these words on the newest commit to a file.
func (w *World) SaidOnce(repo, path string, words ...string) {
	w.t.Helper()
	said := w.Said(repo, path)
	if len(said) != 1 {
		w.t.Fatalf("Colony wrote %d comments on the commit: %q", len(said), said)
	}
	for _, word := range words {
		if !strings.Contains(said[0], word) {
			w.t.Errorf("the comment does not say %q:\n%s", word, said[0])
		}
	}
}

// Deaf makes GitHub send no webhooks; it records none either.
func (g *GitHub) Deaf() { g.SetWebhookURL(AppID, "") }

// Guard gives the repository widgets the lifecycle colony with other guards.
func (w *World) Guard(guards string) {
	w.t.Helper()
	text, err := lifecycle.ShippedFile("colony")
	w.Must(err)
	before, rest, _ := strings.Cut(string(text), "\nguards:\n")
	_, after, _ := strings.Cut(rest, "\n\n")
	w.CommitAndSettle("widgets", policy.LifecycleFile, before+"\nguards:\n"+guards+"\n"+after)
}

// Asks lets the repository name a mode.
func (w *World) Asks(mode lifecycle.Mode) {
	w.t.Helper()
	w.CommitAndSettle("widgets", ".github/colony.yml", "mode: "+string(mode)+"\n")
}

// OpenIn opens an issue by its author, and puts it into a state.
func (w *World) OpenIn(label, body string) *Issue {
	w.t.Helper()
	i := w.NewIssue("ada", body)
	i.Label("olivia", label)
	return i
}

// Verified opens an issue and moves it as far as verify.
func (w *World) Verified() *Issue {
	w.t.Helper()
	i := w.NewIssue("olivia", "Do it well.", "colony:init")
	for _, state := range []string{"gather", "analyze", "plan", "apply", "verify"} {
		w.Settle()
		i.Label("olivia", "colony:"+state)
	}
	w.Settle()
	i.Has("colony:verify")
	return i
}

// Form opens an issue with an issue form that names labels.
func (w *World) Form(by string, labels ...string) *Issue {
	w.t.Helper()
	number, err := w.OpenWithForm("acme", "widgets", "It squeaks", "Always.", labels, by)
	w.Must(err)
	return w.Heed(number)
}

// Titled opens an issue with a title.
func (w *World) Titled(by, title string, labels ...string) *Issue {
	w.t.Helper()
	i := w.Heed(w.create("widgets", by, &github.IssueRequest{Title: &title, Body: new("As the title says."), Labels: &labels}))
	w.Settle()
	return i
}

// Begun brings an issue into development, with a pull request that changes a file.
func (w *World) Begun(i *Issue, path string) (pull int) {
	w.t.Helper()
	i.Push(fmt.Sprintf("work-on-%d", i.Number), path)
	pull = i.Fixed()
	i.Label("olivia", "colony:in-development")
	w.Settle()
	i.Has("colony:in-development")
	return pull
}

// WritesNothing asserts that Colony wrote nothing to GitHub since the calls were last reset.
func (w *World) WritesNothing(when string) {
	w.t.Helper()
	if writes := w.Spent().Writes; writes > 0 { // a question by GraphQL writes nothing
		w.t.Errorf("Colony wrote %d times %s", writes, when)
		for _, c := range w.colonys() {
			if c.Method != http.MethodGet {
				w.t.Log(c.Method, c.Path, c.Status)
			}
		}
	}
}

// ForcedDescription is what the label of forced moves says in the repository.
func (w *World) ForcedDescription() string {
	w.t.Helper()
	return w.RepositoryLabel(lifecycle.Forced).GetDescription()
}
