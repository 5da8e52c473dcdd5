package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chain is a lifecycle in which the second state takes a label, and leads to the third.
const chain = `name: chain
summary: One after the other.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: first, type: active, label: "colony:first", color: c5def5, description: It waits., meaning: It waits.}
  - {name: second, type: active, label: "colony:second", color: c5def5, description: It waits., meaning: It waits.}
  - {name: third, type: terminal, label: "colony:third", color: c5def5, description: It waits., meaning: It waits.}
transitions:
  - kind: forward
    source: this test
    pairs:
      - {from: untouched, to: first, why: It begins.}
      - {from: first, to: second, why: It moves.}
      - {from: second, to: third, why: It moves.}
guards:
  - name: urgent
    why: It has to be urgent.
    to: second
    requires:
      - label: urgent
`

// A request that someone took back does not come alive when what its guard reads changes: whatever else was refused before, between and
// after, and whenever Colony was started anew.
func TestWhatWasTakenBackStaysSo(t *testing.T) {
	t.Parallel()
	for _, story := range []string{
		"+second -second",
		"+second +third -second",
		"+third +second -second",
		"+second -second +third",
		"+second +third -third -second",
		"+third +second -third +third -second",
		"-first +second -second",
		"+second -first +first -second",
		"+second +third settle -second",
		"+second start +third start -second start",
		"+third settle +second -second +third start",
	} {
		for _, restarts := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s,restarts=%t", strings.ReplaceAll(story, " ", ","), restarts), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.Bring(chain)
				i := w.stateful("colony:first")
				for step := range strings.FieldsSeq(story) {
					switch label := "colony:" + step[1:]; {
					case step == "start":
						w.start()
					case step == "settle":
						w.Settle()
					case step[0] == '+':
						i.Label("tara", label)
					case slices.Contains(i.Labels(), label):
						i.Unlabel("tara", label)
					}
					if restarts {
						w.start()
					}
				}
				i.Label("olivia", "urgent") // now the guard would grant it
				for range 2 {
					w.Sweep()
					w.start()
				}
				w.Settle()
				is := slices.DeleteFunc(i.Labels(), func(label string) bool { return label == "colony:needs-human" })
				if !slices.Equal(is, []string{"colony:first", "urgent"}) {
					t.Errorf("the issue has %q", is)
				}
				i.ReadsComments()
			})
		}
	}
}
