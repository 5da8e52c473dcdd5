package advice

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/statemachine"
)

var morning = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

var (
	olivia = statemachine.Actor{Login: "olivia", Kind: statemachine.Operator}
	dev    = statemachine.Actor{Login: "dev", Kind: statemachine.Executor, Roles: []string{"developer"}}
	rev    = statemachine.Actor{Login: "rev", Kind: statemachine.Executor, Roles: []string{"reviewer"}}
	bot    = statemachine.Actor{Login: "bot", Kind: statemachine.Executor}
	self   = statemachine.Actor{Login: "colony[bot]", Kind: statemachine.Colony}
)

func colony(t *testing.T) *statemachine.Lifecycle {
	t.Helper()
	return shipped(t, "colony")
}

func shipped(t *testing.T, name string) *statemachine.Lifecycle {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func parsed(t *testing.T, text string) *statemachine.Lifecycle {
	t.Helper()
	life, err := statemachine.Parse("x.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// everywhere lists the states that an issue can be in, also the one beside the lifecycle.
func everywhere(life *statemachine.Lifecycle) []statemachine.State {
	beside, is := life.State(statemachine.Outside)
	if !is {
		return life.States
	}
	return append([]statemachine.State{beside}, life.States...)
}

// came is where an issue stands after a person's moves, an hour apart.
func came(path ...string) statemachine.Standing {
	s := statemachine.Standing{State: path[0]}
	for i, to := range path[1:] {
		s = s.Move(statemachine.Move{From: path[i], To: to, Kind: statemachine.Moved, By: olivia, At: morning.Add(time.Duration(i) * time.Hour), EventID: int64(i + 1)})
	}
	return s
}

// told is where an issue stands after what happened to its labels, a minute apart: "olivia +in-development", "dev +done".
func told(t *testing.T, life *statemachine.Lifecycle, story ...string) statemachine.Standing {
	t.Helper()
	var h statemachine.History
	for i, line := range story {
		who, state, _ := strings.Cut(line, " +")
		by, known := map[string]statemachine.Actor{"olivia": olivia, "dev": dev, "rev": rev, "bot": bot}[who]
		if !known {
			t.Fatalf("cannot read %q", line)
		}
		label := "colony:" + state
		h.Changes = append(h.Changes, statemachine.Change{ID: int64(i + 1), At: morning.Add(time.Duration(i) * time.Minute), By: by, Label: label, Added: true})
		h.Labels = append(h.Labels, label)
	}
	return life.Fold(h)
}
