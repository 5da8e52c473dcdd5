package advice

import (
	"slices"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

func TestConditionsOfMoves(t *testing.T) {
	life := parsed(t, conditional)
	limit := "at most twice since a person last moved the issue (attempts), then rest"
	guard, byCommand := "Two people have read it", "It is the author's (with /colony:cancel, /colony:drop)"
	for _, c := range []struct {
		as       lifecycle.ActorKind
		from, to string
		want     []string // a guard's last
		guards   []string
	}{
		{lifecycle.Operator, "in-work", "rest", nil, nil},
		{lifecycle.Operator, "rest", "state", []string{"only back to the state before"}, nil},
		{lifecycle.Operator, "in-work", "end", []string{"needs a reason"}, []string{guard, byCommand}},
		{lifecycle.Executor, "in-work", "end", []string{`needs a reason, and the request stands for "worked"`}, []string{guard}},
		{lifecycle.Colony, "in-work", "end", nil, nil},
		{lifecycle.Operator, "state", "in-work", nil, nil},
		{lifecycle.Executor, "state", "in-work", []string{limit}, nil},
		{lifecycle.Colony, "state", "in-work", []string{limit}, nil},
		{lifecycle.Colony, "rest", "in-work", nil, nil},
		{lifecycle.Executor, "rest", "in-work", []string{"at most 3 times since a person last moved the issue (returns), then end"}, nil},
		{lifecycle.Executor, "in-work", "rest", nil, nil},
	} {
		pair, ok := life.Pair(c.from, c.to)
		if !ok {
			t.Fatalf("no pair %s -> %s", c.from, c.to)
		}
		who := lifecycle.Actor{Kind: c.as}
		if diff := cmp.Diff(append(slices.Clip(c.want), c.guards...), Conditions(life, who, pair)); diff != "" {
			t.Errorf("%s %s -> %s (-want +got)\n%s", c.as, c.from, c.to, diff)
		}
		if diff := cmp.Diff(c.want, Unguarded(life, who, pair)); diff != "" {
			t.Errorf("beside guards: %s %s -> %s (-want +got)\n%s", c.as, c.from, c.to, diff)
		}
	}
}

// What a guard takes comes between the reason and the limit, in the order of the file.
func TestGuardsComeBeforeLimits(t *testing.T) {
	life := parsed(t, conditional+"  - {name: hurry, to: in-work, requires: [{label: urgent}], why: It is urgent.}\n")
	pair, _ := life.Pair("state", "in-work")
	want := []string{"It is urgent", "at most twice since a person last moved the issue (attempts), then rest"}
	if diff := cmp.Diff(want, Conditions(life, bot, pair)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// conditional has everything that a move can depend on.
const conditional = `name: desk
summary: A lifecycle with everything.
initial: state
states:
  - {name: state, type: active, label: "colony:state", color: aaaaaa, description: A state., meaning: It begins.}
  - {name: in-work, type: active, label: "colony:in-work", color: aaaaaa, description: Work., meaning: It is worked on.}
  - {name: rest, type: blocked, recovery: manual, label: "colony:rest", color: aaaaaa, description: Rest., meaning: It rests.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over., closes: completed}
transitions:
  - {kind: forward, pairs: [{from: state, to: in-work, why: It is taken}, {from: rest, to: end, why: It is over}]}
  - {kind: pause, pairs: [{from: [state, in-work], to: rest, why: It rests}]}
  - {kind: resume, pairs: [{from: rest, to: in-work, why: It goes on}, {from: rest, to: state, only: previous, why: It goes back}]}
  - {kind: abandon, pairs: [{from: in-work, to: end, reason: required, why: It is given up}]}
executors:
  - {role: worker, works-in: in-work, requests: [end], reasons: {end: worked}, claims: [{from: state, to: in-work}, {from: rest, to: in-work}]}
commands:
  - {verb: cancel, from: in-work, to: end, reason: required, help: Gives it up.}
  - {verb: drop, from: in-work, to: end, reason: required, help: Gives it up.}
limits:
  - {count: attempts, to: in-work, from: state, at-most: 2, instead: rest, why: Two are enough}
  - {count: returns, to: in-work, from: rest, at-most: 3, instead: end, why: Three are enough}
  - {count: rests, to: rest}
time-outs:
  - {in: state, after: 1h30m, to: in-work, why: It has waited}
guards:
  - {name: read, to: end, requires: [{label: read}], why: Two people have read it.}
  - {name: own, to: end, command: [cancel, drop], of: people, requires: [{is: author}], why: It is the author's.}
`
