//go:build cluster

package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"sync"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// crowd are people and bots who act on many issues at once, as the state of each makes likely and sometimes otherwise.
type crowd struct {
	*stage
	t       *testing.T
	life    *statemachine.Table
	clients map[string]*github.Client
	issues  []*worked
}

// worked is one issue that the crowd works on. One goroutine at a time acts on it, in several persons.
type worked struct {
	repo     string
	number   int
	state    string // the one that the crowd believes it to be in
	rng      *rand.Rand
	actions  int
	commands []int64 // comments
}

// foreign is a label that Colony ignores.
const foreign = "help wanted"

func newCrowd(s *stage, issues int, seed uint64) *crowd {
	t := s.t
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	// Nothing that guards read is followed here: see configuration.
	c := &crowd{stage: s, t: t, life: life.GuardedByLog(), clients: map[string]*github.Client{}}
	for _, login := range []string{olivia, tara, mona, rita, devBot, reviewBot} {
		c.clients[login] = s.as(login)
	}
	for n := range issues {
		w := &worked{repo: repositories[n%len(repositories)], rng: rand.New(rand.NewPCG(seed, uint64(n)))}
		title, labels := fmt.Sprintf("Widget %d does not turn", n), []string{foreign, life.Label("new")}
		opened, _, err := c.clients[olivia].Issues.Create(t.Context(), owner, w.repo, &github.IssueRequest{Title: &title, Labels: &labels})
		if err != nil {
			t.Fatal(err)
		}
		w.number = opened.GetNumber()
		c.issues = append(c.issues, w)
	}
	return c
}

// hands is how many issues are acted on at the same time.
const hands = 8

// act does a number of things, spread evenly over the issues, and returns when they are done.
func (c *crowd) act(begin, n int) {
	c.t.Helper()
	var working sync.WaitGroup
	errs := make([]error, hands)
	for h := range hands {
		working.Go(func() {
			for k := begin; k < begin+n; k++ {
				if at := k % len(c.issues); at%hands == h && errs[h] == nil {
					errs[h] = c.one(c.t.Context(), c.issues[at])
				}
			}
		})
	}
	working.Wait()
	for _, err := range errs {
		if err != nil {
			c.t.Fatal(err)
		}
	}
}

// one does one thing on an issue that GitHub sends a webhook for.
func (c *crowd) one(ctx context.Context, w *worked) error {
	w.actions++
	on, err := c.readLabels(ctx, w)
	if err != nil {
		return err
	}
	state := w.state
	who := pick(w.rng, olivia, tara, mona)
	switch dice := w.rng.IntN(100); {
	case dice < 12:
		return c.command(ctx, w, state)
	case dice < 17 && state != "":
		return c.unlabel(ctx, w, who, c.life.Label(state))
	case dice < 27:
		return c.label(ctx, w, who, c.pickState(w.rng, on, func(to string) bool { return c.judge(who, state, to) != lifecycle.Legal }))
	case dice < 37:
		who = pick(w.rng, devBot, reviewBot)
		return c.label(ctx, w, who, c.pickState(w.rng, on, func(string) bool { return true }))
	default:
		return c.label(ctx, w, who, c.pickState(w.rng, on, func(to string) bool { return c.judge(who, state, to) == lifecycle.Legal }))
	}
}

// readLabels reads which labels are on an issue. One state label says which state it is in; several say that Colony is behind.
func (c *crowd) readLabels(ctx context.Context, w *worked) (on map[string]bool, err error) {
	issue, _, err := c.clients[olivia].Issues.Get(ctx, owner, w.repo, w.number)
	if err != nil {
		return nil, err
	}
	on = map[string]bool{}
	var states []string
	for _, l := range issue.Labels {
		on[l.GetName()] = true
		if s, ok := c.life.StateOf(l.GetName()); ok {
			states = append(states, s.Name)
		}
	}
	if len(states) == 1 {
		w.state = states[0]
	}
	return on, nil
}

func (c *crowd) judge(who, from, to string) lifecycle.Verdict {
	return c.life.Judge(lifecycle.Actor{Login: who, Kind: lifecycle.Operator}, from, to)
}

// pickState picks a state as wanted whose label is not on the issue, or any if there is none. No issue is to be done early:
// nothing happens on it any more.
func (c *crowd) pickState(rng *rand.Rand, on map[string]bool, wanted func(to string) bool) string {
	var fit, rest []string
	for _, s := range c.life.States {
		if s.Label == "" || s.Type == lifecycle.Terminal {
			continue
		}
		if !on[s.Label] && wanted(s.Name) {
			fit = append(fit, s.Name)
		} else {
			rest = append(rest, s.Name)
		}
	}
	if len(fit) == 0 {
		fit = rest
	}
	return pick(rng, fit...)
}

func (c *crowd) label(ctx context.Context, w *worked, who, state string) error {
	_, _, err := c.clients[who].Issues.AddLabelsToIssue(ctx, owner, w.repo, w.number, []string{c.life.Label(state)})
	if c.judge(who, w.state, state) == lifecycle.Legal {
		w.state = state
	}
	return err
}

func (c *crowd) unlabel(ctx context.Context, w *worked, who, label string) error {
	response, err := c.clients[who].Issues.RemoveLabelForIssue(ctx, owner, w.repo, w.number, url.PathEscape(label))
	if response != nil && response.StatusCode == 404 { // Colony was faster
		return nil
	}
	return err
}

// command writes a comment with one command.
func (c *crowd) command(ctx context.Context, w *worked, state string) error {
	to := c.pickState(w.rng, nil, func(to string) bool { return c.judge(olivia, state, to) == lifecycle.Legal })
	who := pick(w.rng, olivia, tara, mona, rita)
	text := pick(w.rng, "/colony:pause", "/colony:resume", "/colony:status", "/colony:move "+to, "/colony:move "+to, "/colony:retry", "/colony:why "+to)
	written, _, err := c.clients[who].Issues.CreateComment(ctx, owner, w.repo, w.number, &github.IssueComment{Body: &text})
	if err != nil {
		return err
	}
	w.commands = append(w.commands, written.GetID())
	return nil
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }
