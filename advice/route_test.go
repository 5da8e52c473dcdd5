package advice

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func TestRoute(t *testing.T) {
	life := colony(t)
	for name, c := range map[string]struct {
		at   statemachine.Standing
		who  lifecycle.Actor
		to   string
		want string
	}{
		"one step":                    {came("new", "in-development"), olivia, "in-review", "in-development in-review"},
		"there already":               {came("new", "in-development"), olivia, "in-development", "in-development"},
		"a way back":                  {came("new", "in-review"), olivia, "in-development", "in-review analyzing in-development"},
		"out of the end":              {came("in-review", "done"), olivia, "new", ""},
		"to no state":                 {came("new", "in-review"), olivia, "asleep", ""},
		"what a role can do":          {came("new", "ready-for-dev"), dev, "in-review", "ready-for-dev in-development in-review"},
		"not what a role cannot":      {came("new", "ready-for-dev"), rev, "in-review", ""},
		"out of a pause":              {came("in-review", "paused"), olivia, "in-review", "paused in-review"},
		"out of a pause to elsewhere": {came("in-review", "paused"), olivia, "changes-requested", "paused changes-requested"},
	} {
		if got := strings.Join(Route(life, c.at, c.who, c.to), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A move that is legal only back to where an issue came from begins a way, and is no later part of it.
func TestRouteGoesBackOnlyWhereTheIssueCameFrom(t *testing.T) {
	life := parsed(t, sideways)
	for _, c := range []struct {
		at   statemachine.Standing
		to   string
		want string
	}{
		{came("start", "work", "rest"), "work", "rest work"},
		{came("start", "rest"), "start", "rest start"},
		{came("start", "rest"), "work", "rest start work"},
		{came("start", "work"), "review", "work review"},
		{came("start"), "review", "start work review"},
		{came("start", "work"), "start", ""},
	} {
		if got := strings.Join(Route(life, c.at, olivia, c.to), " "); got != c.want {
			t.Errorf("from %s to %s: %q, want %q", c.at.State, c.to, got, c.want)
		}
	}
}

// By way of the rest, every state would be two steps away.
const sideways = `name: sideways
summary: A lifecycle with a rest.
initial: start
states:
  - {name: start, type: active, label: "colony:start", color: cccccc, description: Start., meaning: It begins.}
  - {name: rest, type: blocked, recovery: manual, label: "colony:rest", color: aaaaaa, description: Rest., meaning: It rests.}
  - {name: work, type: active, label: "colony:work", color: cccccc, description: Work., meaning: It is worked on.}
  - {name: review, type: active, label: "colony:review", color: cccccc, description: Review., meaning: It is reviewed.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
transitions:
  - {kind: pause, pairs: [{from: [start, work, review], to: rest, why: It rests}]}
  - {kind: forward, pairs: [{from: start, to: work, why: It is taken}, {from: work, to: review, why: It is made}, {from: review, to: end, why: It is over}]}
  - {kind: resume, pairs: [{from: rest, to: [start, work, review], only: previous, why: It goes back}]}
`

// A person can bring an issue from the beginning to every state.
func TestEveryStateIsReached(t *testing.T) {
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		for _, s := range life.States {
			if s.Name != life.Initial && Route(life, statemachine.Standing{State: life.Initial}, olivia, s.Name) == nil {
				t.Errorf("%s: no way leads from %s to %s", name, life.Initial, s.Name)
			}
		}
	}
}
