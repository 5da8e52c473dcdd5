package app_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/apptest"
	"github.com/colony-app/colony/app/apptest/acme"
	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = 3 * time.Minute

const (
	appID         = apptest.ID
	webhookSecret = apptest.Secret
)

// world is a GitHub, a Colony on it, and people. What Colony says has to be read: whatever is left unread at the end fails
// the test, so every test proves Colony's silence too.
type world struct {
	t      testing.TB
	clock  *clockwork.FakeClock
	people *acme.GitHub
	github *playground.Playground
	config config.Config
	colony *colony
	url    string
	// journal takes Colony's log; nil: nobody reads it.
	journal *journal
	// transport carries Colony's calls to GitHub; nil is the usual one.
	transport http.RoundTripper
	// listening changes the listener of the next Colony; nil: nothing does.
	listening func(net.Listener) net.Listener
	// board says who may look at the board; nil: there is none.
	board  board.Gate
	issues []*issue
	// inMemory says that a Colony with a queue in memory was started: what it has is gone with it.
	inMemory bool
	// installation is the App's, on acme.
	installation int64
	patience     time.Duration
}

// colony is one running process of Colony.
type colony struct {
	server *app.Server
	stop   context.CancelFunc
	done   chan error
	// address is where it listens.
	address string
}

// newWorld starts a GitHub with the repository acme/widgets and its people, and Colony installed on it.
func newWorld(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.makeLabels()
	w.start()
	w.install()
	return w
}

// makeLabels makes the labels of the lifecycle in acme/widgets.
func (w *world) makeLabels() {
	w.people.Config = w.config
	w.people.MakeLabels()
}

func newWorldWithoutColony(t testing.TB, change ...func(*config.Config)) *world {
	t.Helper()
	clock := clockwork.NewFakeClockAt(time.Now().Truncate(time.Second))
	w := newWorldAt(t, clock, change...)
	w.clock = clock
	t.Cleanup(w.silence)
	return w
}

// newWorldAt is a GitHub with people, at a clock that nobody may move.
func newWorldAt(t testing.TB, clock clockwork.Clock, change ...func(*config.Config)) *world {
	t.Helper()
	people := acme.At(t, clock)
	w := &world{t: t, patience: patience, people: people, github: people.Playground, url: people.URL}
	t.Cleanup(func() { *w = world{t: t} }) // package testing keeps what a cleanup refers to until all tests have ended

	c := people.Config
	c.Queue.Dir = "" // in memory; see onDisk
	c.Queue.Concurrency = 4
	c.Sweep.Interval = 0 // but the one at the start: those by the timer come when their goroutine gets round to it; see sweep
	for _, f := range change {
		f(&c)
	}
	w.config = c
	return w
}

// onDisk keeps the queue on JetStream, for what restarts, crashes, loses or replicates. Everything else has one in memory, which promises the
// same (see the contract in app/queue) and costs a hundredth.
func onDisk(t testing.TB) func(*config.Config) {
	t.Helper()
	return func(c *config.Config) { c.Queue.Dir = t.TempDir() }
}

// start runs a Colony; the App's webhooks go to it.
func (w *world) start() {
	w.t.Helper()
	log := zerolog.Nop()
	if w.journal != nil {
		log = zerolog.New(w.journal)
	}
	if os.Getenv("COLONY_TEST_LOG") != "" {
		log = zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr, NoColor: true})
	}
	server, err := app.New(context.Background(), w.config, app.Options{Clock: w.clock, Log: log, Transport: w.transport, Board: w.board, OpenQueue: w.openQueue()})
	w.must(err)
	w.run(server)
}

// openQueue says how the next Colony opens its queue.
func (w *world) openQueue() func(context.Context, queue.Options) (app.Queue, error) {
	if w.config.Queue.Dir != "" || w.config.Queue.URL != "" {
		return nil
	}
	if w.inMemory {
		w.t.Fatal("a Colony that starts again needs a queue that outlives it: newWorld(t, onDisk(t))")
	}
	w.inMemory = true
	return func(_ context.Context, o queue.Options) (app.Queue, error) { return queue.OpenMemory(o) }
}

// run runs a server; the App's webhooks go to it, at the address that it returns.
func (w *world) run(server *app.Server) (address string) {
	w.t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	w.must(err)
	if w.listening != nil {
		listener = w.listening(listener)
	}
	ctx, stop := context.WithCancel(context.Background())
	c := &colony{server: server, stop: stop, done: make(chan error, 1)}
	go func() {
		c.done <- server.Run(ctx, listener)
		close(c.done)
	}()
	w.colony = c
	address = listener.Addr().String()
	c.address = "http://" + address
	w.github.SetWebhookURL(appID, "http://"+address+"/api/github/hook")
	w.t.Cleanup(w.stopColony)
	return address
}

func (w *world) stopColony() {
	w.t.Helper()
	if w.colony == nil {
		return
	}
	w.colony.stop()
	w.must(<-w.colony.done)
	w.colony = nil
}

func (w *world) install() {
	w.t.Helper()
	w.installation = w.github.Install(appID, "acme")
	w.settle()
}

// quiet waits until every webhook was answered and every request is done that is not delayed.
func (w *world) quiet() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), w.patience)
	defer cancel()
	for {
		before := len(w.github.Deliveries())
		w.must(w.github.Quiet(ctx))
		if w.colony != nil {
			w.must(w.colony.server.Idle(ctx))
		}
		w.must(w.github.Quiet(ctx))
		if len(w.github.Deliveries()) == before {
			return
		}
	}
}

// pass lets time pass in steps, and waits for quiet after each.
func (w *world) pass(steps int, each time.Duration) {
	w.t.Helper()
	for range steps {
		w.clock.Advance(each)
		w.quiet()
	}
}

// settle waits for quiet, lets the time pass that Colony waits before it refuses something, and waits again.
func (w *world) settle() {
	w.t.Helper()
	w.quiet()
	w.clock.Advance(2 * time.Second)
	w.quiet()
	for range 8 {
		if w.delayed() == 0 {
			return
		}
		w.clock.Advance(2 * time.Second)
		w.quiet()
	}
	if waiting := w.ready().Paced.Looks; len(waiting) > 0 { // how much was used by now depends on which requests were joined: no test may
		w.t.Errorf("requests wait for the budget of points, until %v: the test asks for too much in too little time", waiting)
	}
}

// delayed counts the requests that wait for their time, as /readyz shows.
func (w *world) delayed() int {
	w.t.Helper()
	if w.colony == nil {
		return 0
	}
	return w.ready().Queue.Delayed
}

// silence asserts that nothing is left unread, that every webhook was answered well, and that Colony asked GitHub for
// nothing that the playground does not have.
func (w *world) silence() {
	w.t.Helper()
	if w.t.Failed() {
		return
	}
	if w.colony != nil {
		w.settle()
	}
	for _, i := range w.issues {
		i.nothingUnread()
	}
	if odd := w.github.Unimplemented(); len(odd) > 0 {
		w.t.Errorf("the playground was asked for what it does not have: %v", odd)
	}
	for _, d := range w.github.Deliveries() {
		if w.colony != nil && d.StatusCode >= 500 {
			w.t.Errorf("delivery %s.%s was answered with %d", d.Event, d.Action, d.StatusCode)
		}
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// as returns a client that acts for a person or bot.
func (w *world) as(login string) *github.Client { return w.people.As(login) }

// issue is one issue of acme/widgets as the people of a test see it.
type issue struct {
	*world
	number int
	// The writes of Colony that have been read.
	comments  map[int64]bool
	reactions map[int64]bool
}

// open opens an issue, with labels.
func (w *world) open(by, body string, labels ...string) *issue {
	w.t.Helper()
	request := &github.IssueRequest{Title: new("A widget that works"), Body: &body}
	if len(labels) > 0 {
		request.Labels = &labels
	}
	opened, _, err := w.as(by).Issues.Create(context.Background(), "acme", "widgets", request)
	w.must(err)
	i := &issue{world: w, number: opened.GetNumber(), comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
	return i
}

// label puts labels on the issue, each with a request of its own.
func (i *issue) label(by string, labels ...string) {
	i.t.Helper()
	for _, l := range labels {
		_, _, err := i.as(by).Issues.AddLabelsToIssue(context.Background(), "acme", "widgets", i.number, []string{l})
		i.must(err)
	}
}

// unlabel takes labels off the issue. Colony can be faster: it takes the old label of a legal move off itself.
func (i *issue) unlabel(by string, labels ...string) {
	i.t.Helper()
	for _, l := range labels {
		response, err := i.as(by).Issues.RemoveLabelForIssue(context.Background(), "acme", "widgets", i.number, url.PathEscape(l))
		if response == nil || response.StatusCode != http.StatusNotFound || !i.wasTakenOff(l) {
			i.must(err)
		}
	}
}

// wasTakenOff reports whether the last change of a label took it off.
func (i *issue) wasTakenOff(label string) (off bool) {
	i.t.Helper()
	log, _, err := i.as("mona").Issues.ListIssueEvents(context.Background(), "acme", "widgets", i.number, &github.ListOptions{PerPage: 100})
	i.must(err)
	for _, e := range log {
		if e.GetLabel().GetName() == label {
			off = e.GetEvent() == "unlabeled"
		}
	}
	return off
}

// swap puts one label in the place of another, as the label picker does, before Colony hears of the first of the two requests: else it
// may have taken the old label off already.
func (i *issue) swap(by, from, to string) {
	i.t.Helper()
	i.github.HoldDeliveries()
	i.label(by, to)
	i.unlabel(by, from)
	i.github.ReleaseDeliveries(nil)
}

// comment writes a comment and returns its id.
func (i *issue) comment(by, body string) int64 {
	i.t.Helper()
	c, _, err := i.as(by).Issues.CreateComment(context.Background(), "acme", "widgets", i.number, &github.IssueComment{Body: &body})
	i.must(err)
	return c.GetID()
}

// has asserts the labels of the issue, in any order.
func (i *issue) has(labels ...string) {
	i.t.Helper()
	is, _, err := i.as("mona").Issues.Get(context.Background(), "acme", "widgets", i.number)
	i.must(err)
	got := []string{}
	for _, l := range is.Labels {
		got = append(got, l.GetName())
	}
	slices.Sort(got)
	want := slices.Sorted(slices.Values(labels))
	if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(s []string) []string { return append([]string{}, s...) })); diff != "" {
		i.t.Fatalf("labels of #%d (-want +got):\n%s", i.number, diff)
	}
}

// colonySays reads the next comment of Colony's and asserts that it has all these words.
func (i *issue) colonySays(words ...string) {
	i.t.Helper()
	for _, c := range i.colonyComments() {
		if i.comments[c.GetID()] {
			continue
		}
		i.comments[c.GetID()] = true
		for _, word := range words {
			if !strings.Contains(c.GetBody(), word) {
				i.t.Errorf("Colony's comment on #%d does not say %q:\n%s", i.number, word, c.GetBody())
			}
		}
		return
	}
	i.t.Fatalf("Colony said nothing on #%d, not even %q", i.number, words)
}

// colonyReacts reads Colony's reaction on a comment.
func (i *issue) colonyReacts(comment int64, content string) {
	i.t.Helper()
	for _, r := range i.colonyReactions(comment) {
		if i.reactions[r.GetID()] {
			continue
		}
		i.reactions[r.GetID()] = true
		if r.GetContent() != content {
			i.t.Errorf("Colony reacted with %s instead of %s on #%d", r.GetContent(), content, i.number)
		}
		return
	}
	i.t.Fatalf("Colony did not react with %s on #%d", content, i.number)
}

// colonyComments are what Colony wrote to people: the trail, which is beside them, is read with trail.
func (i *issue) colonyComments() []*github.IssueComment {
	i.t.Helper()
	all := i.allComments()
	return slices.DeleteFunc(all, func(c *github.IssueComment) bool {
		_, isTrail := wording.TrailOf(i.number, c.GetBody())
		return c.GetUser().GetLogin() != "colony[bot]" || isTrail
	})
}

// trail is why Colony made its own moves, as the trail of the issue says; it fails if there is more than one.
func (i *issue) trail() (moves []string) {
	i.t.Helper()
	n := 0
	for _, c := range i.allComments() {
		said, is := wording.TrailOf(i.number, c.GetBody())
		if !is || c.GetUser().GetLogin() != "colony[bot]" {
			continue
		}
		n++
		for _, m := range said {
			moves = append(moves, strings.TrimSpace(fmt.Sprintf("%s -> %s: %s %s", m.From, m.To, m.Why, m.About)))
			if !strings.Contains(c.GetBody(), "`"+m.From+"` → `"+m.To+"`: "+strings.TrimSuffix(m.Why, ".")) {
				i.t.Errorf("people do not see that it was moved from %s to %s:\n%s", m.From, m.To, c.GetBody())
			}
		}
	}
	if n > 1 {
		i.t.Errorf("#%d has %d trails", i.number, n)
	}
	return moves
}

func (i *issue) allComments() []*github.IssueComment {
	i.t.Helper()
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	all, response, err := i.as("mona").Issues.ListComments(context.Background(), "acme", "widgets", i.number, options)
	if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone) {
		return nil
	}
	i.must(err)
	return all
}

// colonyReactions lists Colony's reactions on a comment, or on the issue itself (0).
func (i *issue) colonyReactions(comment int64) []*github.Reaction {
	i.t.Helper()
	var all []*github.Reaction
	var err error
	if comment == 0 {
		all, _, err = i.as("mona").Reactions.ListIssueReactions(context.Background(), "acme", "widgets", i.number, nil)
	} else {
		all, _, err = i.as("mona").Reactions.ListIssueCommentReactions(context.Background(), "acme", "widgets", comment, nil)
	}
	i.must(err)
	return slices.DeleteFunc(all, func(r *github.Reaction) bool { return r.GetUser().GetLogin() != "colony[bot]" })
}

func (i *issue) nothingUnread() {
	i.t.Helper()
	for _, c := range i.colonyComments() {
		if !i.comments[c.GetID()] {
			i.t.Errorf("unread on #%d:\n%s", i.number, c.GetBody())
		}
	}
	for _, c := range i.allComments() {
		for _, r := range i.colonyReactions(c.GetID()) {
			if !i.reactions[r.GetID()] {
				i.t.Errorf("unread reaction %s on a comment of #%d: %q", r.GetContent(), i.number, c.GetBody())
			}
		}
	}
}

// calls counts Colony's calls to GitHub since they were last reset. An answer 304 is no read: GitHub does not count it
// (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
func (w *world) calls() (reads, writes int) {
	for _, c := range w.github.Calls() {
		if c.Actor != "colony[bot]" {
			continue
		}
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
