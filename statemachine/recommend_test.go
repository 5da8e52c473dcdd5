package statemachine

import (
	"strings"
	"testing"
)

// Colony's advice is legal for the actor who gets it, wherever the issue came from.
func TestWhatIsRecommendedIsLegal(t *testing.T) {
	operator := Actor{Login: "olivia", Kind: Operator}
	for _, name := range ShippedNames() {
		life := shipped(t, name)
		for _, place := range places(life) {
			state, _ := life.State(place)
			standings := []Standing{{State: state.Name}}
			for _, p := range life.Pairs {
				if p.To == state.Name {
					standings = append(standings, Standing{State: p.From}.Move(Move{From: p.From, To: p.To, Kind: Moved, By: operator, EventID: 1}))
				}
			}
			for _, s := range standings {
				action, ok := life.Recommend(s)
				if ok && life.JudgeAt(s, operator, action.To, action.Reason) != Legal {
					t.Errorf("%s: in %s, %+v is not legal", name, state.Name, action)
				}
				if ok && action.Verb == "" && state.Recommended != "" && state.Recommended != action.To {
					t.Errorf("%s: in %s, %+v is not what the file recommends", name, state.Name, action)
				}
				if s.Trail != nil && !ok && state.Type != Terminal {
					t.Errorf("%s: in %s, coming from %s, nothing is recommended", name, state.Name, s.Trail[0].From)
				}
			}
		}
	}
}

func TestRecommend(t *testing.T) {
	came := func(from, to string) Standing {
		return Standing{State: from}.Move(Move{From: from, To: to, Kind: Moved, EventID: 1})
	}
	for name, test := range map[string]struct {
		life string
		at   Standing
		want string
	}{
		"a review is not skipped":                       {"colony", came("in-development", "in-review"), "human-review-ready"},
		"a command of the file":                         {"autoralph", came("queued", "refining"), "/approve approved"},
		"back to where it was":                          {"colony", came("in-review", "paused"), "/resume in-review"},
		"not back, where it cannot":                     {"colony", came("in-development", "failure-blocked"), "/retry ready-for-dev"},
		"back to nowhere that is known":                 {"colony", Standing{State: "paused"}, ""},
		"the only move":                                 {"colibri", Standing{State: Outside}, "init"},
		"out of the end":                                {"colony", came("in-review", "done"), ""},
		"the command back, where the file says nothing": {"back", came("work", "stuck"), "/back work"},
	} {
		t.Run(name, func(t *testing.T) {
			life, err := Parse("back.yml", []byte(back))
			if test.life != "back" {
				life, err = Shipped(test.life)
			}
			if err != nil {
				t.Fatal(err)
			}
			action, ok := life.Recommend(test.at)
			got := action.To
			if action.Verb != "" {
				got = "/" + action.Verb + " " + action.To
			}
			if got != test.want || ok != (test.want != "") {
				t.Errorf("recommends %q, %v; want %q", got, ok, test.want)
			}
		})
	}
}

// Advice is for people: it changes nothing that issues are judged by.
func TestTheFingerprintLeavesOutWhatIsRecommended(t *testing.T) {
	with := strings.Replace(back, "meaning: It begins.", "meaning: It begins., recommended: work", 1)
	fingerprints := map[string]bool{}
	for _, text := range []string{back, with} {
		life, err := Parse("back.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		fingerprints[life.Fingerprint()] = true
	}
	if with == back || len(fingerprints) != 1 {
		t.Errorf("fingerprints: %v", fingerprints)
	}
}

// back recommends nothing.
const back = `name: back
summary: A small lifecycle.
initial: start
states:
  - {name: start, type: active, meaning: It begins.}
  - {name: work, type: active, label: "colony:work", color: cccccc, description: Work., meaning: It is worked on.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: aaaaaa, description: Stuck., meaning: It is stuck.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [start, work, stuck, end]}
transitions:
  - {kind: resume, pairs: [{from: stuck, to: work, why: Once more}]}
commands:
  - {verb: back, from: stuck, to: previous, help: Goes back.}
`
