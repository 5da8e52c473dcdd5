package advice

import "testing"

// Where a person is asked for something, the author of the issue is one of them if what they write moves it on.
func TestTheAuthorIsExpectedWhereTheyCanAnswer(t *testing.T) {
	for on, want := range map[string]string{
		"author-replied": " author:ada operator", "person-replied": " author:ada operator", "author-edited": " author:ada operator",
		"pull-request-opened": " operator",
	} {
		life := parsed(t, asking+"triggers:\n  - {on: "+on+", in: asked, to: work, why: It goes on}\n")
		if got := parties(Expected(life, "asked", "ada")); got != want {
			t.Errorf("%s: expected%s, want%s", on, got, want)
		}
	}
	life := parsed(t, asking+"triggers:\n  - {on: author-replied, in: work, to: asked, why: It is asked again}\n")
	if got := parties(Expected(life, "asked", "ada")); got != " operator" {
		t.Errorf("an answer elsewhere: expected%s", got)
	}
	for state, want := range map[string]string{"begun": " operator", "end": "", "nowhere": "", "work": " executor:worker", "waits": " colony", "stuck": " operator"} {
		if got := parties(Expected(life, state, "ada")); got != want {
			t.Errorf("in %s: expected%s, want%s", state, got, want)
		}
	}
}

const asking = `name: asking
summary: It asks.
initial: begun
states:
  - {name: begun, type: active, meaning: It begins.}
  - {name: work, type: active, label: "colony:work", color: cccccc, description: Work., meaning: It is worked on.}
  - {name: asked, type: awaiting-human, label: "colony:asked", color: aaaaaa, description: Asked., meaning: A person is asked.}
  - {name: waits, type: blocked, recovery: auto, label: "colony:waits", color: aaaaaa, description: Waits., meaning: It waits.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: aaaaaa, description: Stuck., meaning: It is stuck.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [begun, work, asked, waits, stuck, end]}
transitions:
  - {kind: backward, pairs: [{from: [asked, waits, stuck], to: work, why: It goes on}]}
executors:
  - {role: worker, works-in: work, requests: [asked, end]}
`
