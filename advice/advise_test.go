package advice

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var reasons = []Reason{Refused, Failed, Called, Late, Waits}

// told says what is advised, in a line.
func (a Advice) told() string {
	words := []string{string(a.Kind)}
	if len(a.Way) > 0 {
		words = append(words, strings.Join(a.Way, ">"))
	}
	if a.Action != nil {
		words = append(words, a.Action.Command())
	}
	return strings.Join(words, " ") + parties(a.Late)
}

// everyStanding lists how an issue can be in a state: without a log, and coming from each state that leads there, by a person, a bot and
// Colony.
func everyStanding(life *statemachine.Table, state string) []statemachine.Standing {
	all := []statemachine.Standing{{State: state}}
	for _, p := range life.Pairs {
		if p.To != state {
			continue
		}
		for _, by := range []lifecycle.Actor{olivia, bot, self} {
			before := statemachine.Standing{State: life.Initial}.Move(statemachine.Move{From: life.Initial, To: p.From, Kind: statemachine.Moved, By: olivia, Moment: statemachine.Moment{At: morning, ID: 1}})
			all = append(all, before.Move(statemachine.Move{From: p.From, To: p.To, Kind: statemachine.Moved, By: by, Moment: statemachine.Moment{At: morning.Add(100 * time.Hour), ID: 2}}))
		}
	}
	return all
}

// everybody lists who can get advice: people, authors, bots without a role and bots of each role.
func everybody(life *statemachine.Table) []lifecycle.Actor {
	all := []lifecycle.Actor{olivia, {Login: "ada", Kind: lifecycle.Author}, bot}
	for _, r := range life.Roles {
		all = append(all, lifecycle.Actor{Login: "bot", Kind: lifecycle.Executor, Roles: []string{r.Name}})
	}
	return all
}

// For each state, reason, actor and wish: no advice repeats what was refused, skips work or a review, leads
// to an end, or asks people for what they cannot do.
func TestNoAdviceIsHarmful(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		wanted := append(life.StateNames(), "")
		for _, state := range everywhere(life) {
			for _, s := range everyStanding(life, state.Name) {
				for _, who := range everybody(life) {
					for _, reason := range reasons {
						for _, to := range wanted {
							r := Request{Reason: reason, Who: who, Wanted: to}
							if harm := harmOf(life, s, r, Of(life, s, r)); harm != "" {
								t.Errorf("%s: in %s from %v, %s, told to %s %v, who wanted %s: %s", name, s.State, s.Trail, reason, who.Kind, who.Roles, to, harm)
							}
						}
					}
				}
			}
		}
	}
}

// harmOf says what is wrong with advice; empty if nothing is. It knows nothing of the rows.
func harmOf(life *statemachine.Table, s statemachine.Standing, r Request, a Advice) string {
	if a.Action == nil {
		return ""
	}
	to, _ := life.State(a.Action.To)
	pair, _ := life.Pair(s.State, to.Name)
	here, _ := life.State(s.State)
	wanted, _ := life.State(r.Wanted)
	works := func(state string) bool {
		return slices.ContainsFunc(life.Roles, func(r lifecycle.Role) bool { return slices.Contains(r.WorksIn, state) })
	}
	worked := works(s.State)
	switch {
	case to.Name == r.Wanted:
		return "repeats what was refused: " + a.told()
	case wanted.Type == lifecycle.Blocked && len(a.Way) > 2 && slices.ContainsFunc(a.Way[1:len(a.Way)-1], works):
		return fmt.Sprintf("begins work to stop it: %v", a.Way)
	case to.Type == lifecycle.Terminal:
		return "leads to an end: " + a.told()
	case r.Reason == Refused && freshStarts(life, append([]string{s.State}, a.Way...)):
		return "closes pull requests: " + a.told()
	case life.Rule(s, statemachine.Ask{By: olivia, To: to.Name, Reason: a.Action.Reason}, nil).Verdict != lifecycle.Legal:
		return "nobody may do it: " + a.told()
	case a.Action.Verb != "" && !slices.ContainsFunc(life.Commands, func(c lifecycle.Command) bool { return c.Verb == a.Action.Verb && c.StartsIn(s.State) }):
		return "there is no such command: " + a.told()
	case r.Who.Kind != lifecycle.Operator && r.Reason == Refused:
		return "is for somebody else: " + a.told()
	case (r.Reason == Waits || r.Reason == Called) && (here.Type == lifecycle.AwaitingHuman || a.Action.Verb != ""):
		return "" // the person who is asked for this decision
	case pair.Kind == lifecycle.Forward && (worked || here.Type == lifecycle.AwaitingHuman):
		return "skips work or a review: " + a.told()
	case here.Type == lifecycle.AwaitingHuman && slices.ContainsFunc(life.Roles, func(r lifecycle.Role) bool {
		return slices.Contains(r.WorksIn, to.Name) && slices.ContainsFunc(r.Requests, func(end string) bool { s, _ := life.State(end); return s.Type == lifecycle.Terminal })
	}):
		return "skips a person's review: " + a.told()
	}
	return ""
}

// freshStarts reports whether Colony closes pull requests on a way.
func freshStarts(life *statemachine.Table, way []string) bool {
	for i := range way[1:] {
		if pair, _ := life.Pair(way[i], way[i+1]); pair.FreshStart {
			return true
		}
	}
	return false
}

// Each row is given somewhere, and says why.
func TestEachRowOfAdviceIsGiven(t *testing.T) {
	t.Parallel()
	given := map[Kind]bool{}
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		for _, state := range everywhere(life) {
			for _, reason := range reasons {
				for _, to := range append(life.StateNames(), "") {
					for _, s := range []statemachine.Standing{{State: state.Name, Author: "ada"}, {State: state.Name}, {State: state.Name, Logged: statemachine.Logged{Closed: true}}} {
						given[Of(life, s, Request{Reason: reason, Who: olivia, Wanted: to}).Kind] = true
					}
				}
			}
		}
	}
	for _, row := range rows {
		if !given[row.kind] || row.why == "" {
			t.Errorf("%s is given: %v, because %q", row.kind, given[row.kind], row.why)
		}
	}
}

// What Colony advises in each state of each lifecycle that ships, by reason. Of a refusal it depends on what they wanted.
func TestAdviceInEachState(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		fmt.Fprintf(&b, "%s\n", name)
		for _, state := range everywhere(life) {
			s := statemachine.Standing{State: state.Name}
			for _, p := range life.Pairs { // the last way there
				if p.To == state.Name {
					s = came(p.From, p.To)
				}
			}
			for _, reason := range reasons[1:] {
				if told := Of(life, s, Request{Reason: reason, Who: olivia}).told(); told != "" {
					fmt.Fprintf(&b, "  %-22s %-8s %s\n", state.Name, reason, told)
				}
			}
			for _, to := range life.StateNames() {
				if life.Rule(s, statemachine.Ask{By: olivia, To: to, Reason: true}, nil).Verdict == lifecycle.Legal || to == state.Name {
					continue
				}
				if told := Of(life, s, Request{Reason: Refused, Who: olivia, Wanted: to}).told(); told != "" {
					fmt.Fprintf(&b, "  %-22s refused  %-22s %s\n", state.Name, to, told)
				}
			}
		}
	}
	golden.Hold(t, "testdata/advice.txt", b.String())
}

func TestOf(t *testing.T) {
	t.Parallel()
	in72 := statemachine.Standing{State: "in-development"}.
		Move(statemachine.Move{From: "in-development", To: "in-review", Kind: statemachine.Moved, By: dev, Moment: statemachine.Moment{At: morning, ID: 1}})
	over := in72.Move(statemachine.Move{From: "in-review", To: "failure-blocked", Kind: statemachine.Moved, By: self, Moment: statemachine.Moment{At: morning.Add(72 * time.Hour), ID: 2}})
	early := in72.Move(statemachine.Move{From: "in-review", To: "failure-blocked", Kind: statemachine.Moved, By: self, Moment: statemachine.Moment{At: morning.Add(71 * time.Hour), ID: 2}})
	author := lifecycle.Actor{Login: "ada", Kind: lifecycle.Author}
	by := func(s statemachine.Standing, login string) statemachine.Standing { s.Author = login; return s }
	closed := func(s statemachine.Standing) statemachine.Standing { s.Closed = true; return s }
	for name, c := range map[string]struct {
		life string
		at   statemachine.Standing
		r    Request
		want string
	}{
		"the way that why knows":                    {"colony", came("in-development", "in-review"), Request{Reason: Refused, Who: olivia, Wanted: "new"}, "way in-review>analyzing>new /colony:move analyzing"},
		"a way that skips nobody's work":            {"colony", came("in-development", "in-review"), Request{Reason: Refused, Who: olivia, Wanted: "in-development"}, "way in-review>ready-for-dev>in-development /colony:move ready-for-dev"},
		"a person's review is not skipped":          {"colony", came("in-review", "human-review-ready"), Request{Reason: Refused, Who: olivia, Wanted: "in-review"}, "way human-review-ready>analyzing>in-review /colony:move analyzing"},
		"no way for a bot":                          {"colony", came("in-development", "in-review"), Request{Reason: Refused, Who: bot, Wanted: "new"}, ""},
		"no way for an author":                      {"colony", came("in-development", "in-review"), Request{Reason: Refused, Who: author, Wanted: "new"}, ""},
		"where nothing was wanted, nothing":         {"colony", came("in-development", "in-review"), Request{Reason: Refused, Who: olivia}, ""},
		"no way to an end":                          {"colibri", came("init", "gather"), Request{Reason: Refused, Who: olivia, Wanted: "done"}, ""},
		"a bot does not approve its own plan":       {"autoralph", came("queued", "refining"), Request{Reason: Refused, Who: bot, Wanted: "approved"}, ""},
		"a person does":                             {"autoralph", came("queued", "refining"), Request{Reason: Waits, Who: olivia}, "decide /colony:approve"},
		"a question is answered":                    {"colony", came("analyzing", "needs-clarification"), Request{Reason: Waits, Who: author}, "answer"},
		"whatever was refused":                      {"colony", came("analyzing", "needs-clarification"), Request{Reason: Refused, Who: olivia, Wanted: "unlabeled"}, "answer"},
		"its author answers":                        {"colony", by(came("analyzing", "needs-clarification"), "ada"), Request{Reason: Waits, Who: author}, "answer"},
		"others ask the author":                     {"colony", by(came("analyzing", "needs-clarification"), "ada"), Request{Reason: Refused, Who: olivia, Wanted: "paused"}, "ask"},
		"a bot too":                                 {"colony", by(came("analyzing", "needs-clarification"), "ada"), Request{Reason: Refused, Who: bot, Wanted: "paused"}, "ask"},
		"unless it is not known who asks":           {"colony", by(came("analyzing", "needs-clarification"), "ada"), Request{Reason: Called, Who: operator}, "answer"},
		"a closed question is opened first":         {"colony", closed(by(came("analyzing", "needs-clarification"), "ada")), Request{Reason: Waits, Who: author}, "reopen"},
		"and what waits for a fact":                 {"colony", closed(came("ready-for-dev", "dependency-blocked")), Request{Reason: Refused, Who: olivia, Wanted: "paused"}, "reopen"},
		"but no decision":                           {"colony", closed(came("in-review", "human-review-ready")), Request{Reason: Waits, Who: olivia}, "decide /colony:move merge-pending"},
		"no one waits for a fact that is not there": {"colony", came("ready-for-dev", "dependency-blocked"), Request{Reason: Waits, Who: olivia, Stuck: true}, ""},
		"an open epic waits for its parts":          {"colony", came("planning", "waiting-for-subtasks"), Request{Reason: Called, Who: olivia}, "await"},
		"a late analysis goes to the next analyzer": {"colony", came("new", "analyzing"), Request{Reason: Late, Who: olivia}, "requeue /colony:move new executor:analyzer"},
		"of a late review, who is late":             {"colony", came("in-development", "in-review"), Request{Reason: Late, Who: olivia}, "requeue executor:reviewer"},
		"after it timed out, the same":              {"colony", over, Request{Reason: Called, Who: olivia}, "return /colony:retry executor:reviewer"},
		"something else blocked it":                 {"colony", early, Request{Reason: Called, Who: olivia}, "return /colony:retry"},
		"a pause ends by its command":               {"colony", came("in-review", "paused"), Request{Reason: Waits, Who: olivia}, "return /colony:resume"},
		"it ends first, whatever they wanted":       {"autoralph", came("in-review", "paused"), Request{Reason: Refused, Who: olivia, Wanted: "building"}, "return /colony:resume"},
		"a bot that comes late ends no pause":       {"colony", came("in-review", "paused"), Request{Reason: Refused, Who: bot, Wanted: "in-review"}, ""},
		"a failure is looked at":                    {"colony", came("in-review", "failure-blocked"), Request{Reason: Failed, Who: bot, Wanted: "done"}, "return /colony:retry"},
		"and not asked for again":                   {"colony", came("in-development", "failure-blocked"), Request{Reason: Failed, Who: bot, Wanted: "ready-for-dev"}, "return"},
		"a decision is the person's who is asked":   {"colony", came("in-review", "human-review-ready"), Request{Reason: Waits, Who: olivia}, "decide /colony:move merge-pending"},
		"and not of who asked for something":        {"colony", came("in-review", "human-review-ready"), Request{Reason: Refused, Who: olivia, Wanted: "new"}, "way human-review-ready>analyzing>new /colony:move analyzing"},
		"of work under way, nothing":                {"colony", came("ready-for-dev", "in-development"), Request{Reason: Waits, Who: olivia}, ""},
		"of what waits to be taken, nothing":        {"colony", came("analyzing", "ready-for-dev"), Request{Reason: Waits, Who: olivia}, ""},
		"out of the end, nothing":                   {"colony", came("merge-pending", "done"), Request{Reason: Refused, Who: olivia, Wanted: "new"}, ""},
		"in no state, nothing":                      {"colony", statemachine.Standing{State: "asleep"}, Request{Reason: Waits, Who: olivia}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Of(shipped(t, c.life), c.at, c.r).told(); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
