package advice

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var morning = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

var (
	olivia = lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	dev    = lifecycle.Actor{Login: "dev", Kind: lifecycle.Executor, Roles: []string{"developer"}}
	rev    = lifecycle.Actor{Login: "rev", Kind: lifecycle.Executor, Roles: []string{"reviewer"}}
	bot    = lifecycle.Actor{Login: "bot", Kind: lifecycle.Executor}
	self   = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
)

func colony(t *testing.T) *statemachine.Table {
	t.Helper()
	return shipped(t, "colony")
}

func shipped(t *testing.T, name string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func parsed(t *testing.T, text string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Parse("x.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// everywhere lists the states that an issue can be in, also the one beside the lifecycle.
func everywhere(life *statemachine.Table) []lifecycle.State {
	beside, is := life.State(lifecycle.Outside)
	if !is {
		return life.States
	}
	return append([]lifecycle.State{beside}, life.States...)
}

// came is where an issue stands after a person's moves, an hour apart.
func came(path ...string) statemachine.Standing {
	s := statemachine.Standing{State: path[0]}
	for i, to := range path[1:] {
		s = s.Move(statemachine.Move{From: path[i], To: to, Kind: statemachine.Moved, By: olivia, Moment: statemachine.Moment{At: morning.Add(time.Duration(i) * time.Hour), ID: int64(i + 1)}})
	}
	return s
}

// told is where an issue stands after what happened to its labels, a minute apart: "olivia +in-development", "dev +done".
func told(t *testing.T, life *statemachine.Table, story ...string) statemachine.Standing {
	t.Helper()
	var h statemachine.History
	for i, line := range story {
		who, state, _ := strings.Cut(line, " +")
		by, known := map[string]lifecycle.Actor{"olivia": olivia, "dev": dev, "rev": rev, "bot": bot}[who]
		if !known {
			t.Fatalf("cannot read %q", line)
		}
		label := "colony:" + state
		h.Changes = append(h.Changes, statemachine.Change{Moment: statemachine.Moment{At: morning.Add(time.Duration(i) * time.Minute), ID: int64(i + 1)}, By: by, Label: label, Added: true})
		h.Labels = append(h.Labels, label)
	}
	return life.Fold(h)
}
