package lifecycle

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhereIssuesAreTakenIn(t *testing.T) {
	for name, want := range map[string]string{"colony": "new", "prp": "planned", "colibri": "init", "autoralph": "queued"} {
		life := shipped(t, name)
		if life.Intake != want {
			t.Errorf("%s takes issues into %q, not into %q", name, life.Intake, want)
		}
		if _, legal := life.Pair(life.Initial, life.Intake); !legal {
			t.Errorf("%s does not let issues in where it takes them", name)
		}
	}
}

func TestWhichIssuesALifecycleIsMadeFor(t *testing.T) {
	for name, want := range map[string]string{"colony": "", "prp": TakesEvery, "colibri": "", "autoralph": TakesAssigned} {
		life := shipped(t, name)
		if life.TakesIn != want {
			t.Errorf("%s is made for %q, not for %q", name, life.TakesIn, want)
		}
	}
	const outside = `
name: desk
summary: Requests.
initial: unlabeled
states:
  - {name: unlabeled, type: active, meaning: Nobody looked.}
  - {name: open, type: active, label: "colony:open", color: "0b6623", description: Open., meaning: Open.}
  - {name: closed, type: terminal, label: "colony:closed", color: "0b6623", description: Closed., meaning: Closed.}
transitions:
  - kind: forward
    source: Here
    pairs: [{from: unlabeled, to: open, why: It came.}, {from: open, to: closed, why: It ended.}]
`
	for text, want := range map[string]string{
		"intake: open\ntakes-in: assigned\n": "",
		"intake: open\ntakes-in: always\n":   `"always" is not one of every, labelled, assigned`,
		"takes-in: assigned\n":               "nothing is taken in without a state for it: say which with intake",
	} {
		life, err := Parse("desk.yml", []byte(outside+text))
		if err == nil && (life.TakesIn != TakesAssigned || life.Intake != "open") {
			t.Errorf("%q: %s issues are taken in, into %s", text, life.TakesIn, life.Intake)
		}
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
