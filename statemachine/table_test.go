package statemachine

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
)

// columns are everybody who may ask for a move, as the golden file's columns.
func columns(life *Table) (names []string, actors []lifecycle.Actor) {
	names, actors = []string{"operator"}, []lifecycle.Actor{{Kind: lifecycle.Operator}}
	for _, r := range life.Roles {
		names, actors = append(names, r.Name), append(actors, lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{r.Name}})
	}
	names = append(names, "executor", "author", "colony")
	return names, append(actors, lifecycle.Actor{Kind: lifecycle.Executor}, lifecycle.Actor{Kind: lifecycle.Author}, lifecycle.Actor{Kind: lifecycle.Colony})
}

var verdictLetters = map[lifecycle.Verdict]string{lifecycle.Legal: "L", lifecycle.NotForRole: "r", lifecycle.NotInTable: ".", lifecycle.Same: "="}

// Every ordered pair of states, and of the place outside of them, for everybody who may ask. L is legal, r is in the table but
// not for this role, . is not in the table, = is no move. What a legal move depends on beside the table stands behind its kind.
func TestEveryPairForEverybody(t *testing.T) {
	for _, name := range lifecycle.ShippedNames() {
		life, err := Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		who, actors := columns(life)
		fmt.Fprintf(&b, "# L legal, r not for this role, . not in the table, = the same state\n")
		for i, w := range who {
			fmt.Fprintf(&b, "# column %d: %s\n", i+1, w)
		}
		for _, from := range places(life) {
			for _, to := range places(life) {
				verdicts := ""
				for _, a := range actors {
					verdicts += verdictLetters[life.Judge(a, from, to)]
				}
				b.WriteString(strings.TrimRight(fmt.Sprintf("%-20s %-20s %s %s", from, to, verdicts, besides(life, from, to)), " ") + "\n")
			}
		}
		golden.Hold(t, filepath.Join("testdata", name+".matrix"), b.String())
	}
}

// places are the states and, where issues begin without one, the place outside of them.
func places(life *Table) []string {
	if life.Initial == lifecycle.Outside {
		return append([]string{lifecycle.Outside}, life.StateNames()...)
	}
	return life.StateNames()
}

// besides is the kind of a move and what it depends on beside the table.
func besides(life *Table, from, to string) string {
	pair, _ := life.Pair(from, to)
	text := string(pair.Kind)
	if pair.OnlyPrevious {
		text += " only-previous"
	}
	if pair.Reason == lifecycle.Required {
		text += " reason"
	}
	return text
}
