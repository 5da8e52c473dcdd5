package commands_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// guardedBy rules as the lifecycle does, and where that grants one of some states, as the guards say. It keeps what they are asked.
func guardedBy(life *statemachine.Table, asked *[]statemachine.Ask, says statemachine.Guarding, guarded ...string) func(statemachine.Standing, statemachine.Ask) statemachine.Ruling {
	return func(standing statemachine.Standing, a statemachine.Ask) statemachine.Ruling {
		r := life.Rule(standing, a, nil)
		if r.Verdict != lifecycle.Legal {
			return r
		}
		if *asked = append(*asked, a); slices.Contains(guarded, a.To) {
			r.Guards = says
		}
		if r.Guards.Answer == lifecycle.No {
			r.Verdict = lifecycle.Guarded
		}
		return r
	}
}

// A command asks the guards about each move that the table allows, and says what they answer.
func TestGuardsOfCommands(t *testing.T) {
	life := colonyLifecycle(t)
	approved := lifecycle.Guard{Name: "approved", Why: "Two people have to approve it.", To: []string{"merge-pending"}}
	for name, c := range map[string]struct {
		text   string
		says   statemachine.Guarding
		want   string // answer, moves, whether a person is needed, whether it could not be read
		record string
		reply  string
	}{
		"granted": {
			"/colony:move merge-pending", statemachine.Guarding{Answer: lifecycle.Yes, NeedsHuman: true}, "0 in-review>merge-pending false false", "", "",
		},
		"refused": {
			"/colony:move merge-pending",
			statemachine.Guarding{Answer: lifecycle.No, Refusing: []lifecycle.Guard{approved}},
			"2  false false", "in-review>merge-pending approved", "Two people have to approve it.",
		},
		"refused, a person is needed": {
			"/colony:move merge-pending",
			statemachine.Guarding{Answer: lifecycle.No, Refusing: []lifecycle.Guard{approved}, NeedsHuman: true},
			"2  true false", "in-review>merge-pending approved", "Two people have to approve it.",
		},
		"not read": {
			"/colony:move merge-pending",
			statemachine.Guarding{Answer: lifecycle.Unknown, Open: []lifecycle.Guard{approved}},
			"2  false true", "", "it cannot check a condition of that move",
		},
		"not read, a person is needed": {
			"/colony:move merge-pending",
			statemachine.Guarding{Answer: lifecycle.Unknown, Open: []lifecycle.Guard{approved}, NeedsHuman: true},
			"2  true true", "", "it cannot check a condition of that move",
		},
		"refused, then another": {
			"/colony:move merge-pending\n/colony:pause",
			statemachine.Guarding{Answer: lifecycle.No, Refusing: []lifecycle.Guard{approved}, NeedsHuman: true},
			"2 in-review>paused false false", "in-review>merge-pending approved", "Two people have to approve it.",
		},
		"another, then not read": {
			"/colony:move human-review-ready\n/colony:move merge-pending",
			statemachine.Guarding{Answer: lifecycle.Unknown, Open: []lifecycle.Guard{approved}},
			"2 in-review>human-review-ready false true", "", "it cannot check a condition of that move",
		},
		"not in the table": {
			"/colony:move new", statemachine.Guarding{Answer: lifecycle.Unknown}, "2  true false", "in-review>new ", "the lifecycle has no such move",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var asked []statemachine.Ask
			env := commands.Env{Lifecycle: life, Standing: trail("in-review"), Now: second(50), Rule: guardedBy(life, &asked, c.says, "merge-pending")}
			r := commands.Run(env, triager, commands.Parse(c.text))
			if got := fmt.Sprint(int(r.Answer), " ", path(r.Moves), " ", r.NeedsHuman, " ", r.Unread); got != c.want {
				t.Errorf("comes to %q, want %q", got, c.want)
			}
			said := strings.Join(r.Replies, "\n")
			if !strings.Contains(said, c.reply) || c.reply == "" && said != "" {
				t.Errorf("says\n%s", said)
			}
			var records []string
			for _, m := range r.Recorded {
				records = append(records, m.From+">"+m.To+" "+strings.Join(m.Guards, ","))
			}
			if got := strings.Join(records, "; "); got != c.record {
				t.Errorf("records %q, want %q", got, c.record)
			}
			for _, a := range asked {
				if a.By.Login != triager.Actor.Login || !a.At.Equal(second(50)) || a.Command != "move" && a.Command != "pause" {
					t.Errorf("asked about %+v", a)
				}
			}
		})
	}
}

// A comment that a Colony had begun goes on with the guards of what is left: what was made was granted.
func TestWhatWasMadeIsNotGuardedAgain(t *testing.T) {
	const id = 9
	standing := trail("in-review", byColony("merge-pending"))
	orders := map[int64]commands.MoveAttribution{standing.Trail[0].ID: {CommentID: id}}
	var asked []statemachine.Ask
	life := colonyLifecycle(t)
	env := commands.Env{
		Lifecycle: life, Standing: standing, Attributions: orders, Now: second(50),
		Rule: guardedBy(life, &asked, statemachine.Guarding{Answer: lifecycle.Unknown}, "merge-pending", "done"),
	}
	text := "/colony:move merge-pending\n/colony:move done"
	for done, want := range []string{"done", "done"} { // from merge-pending, where the issue is already
		asked = nil
		r := commands.Continue(env, triager, id, commands.Parse(text), done)
		if len(asked) != 1 || asked[0].To != want || len(r.Moves) > 0 || r.Answer != commands.Refused || !r.Unread {
			t.Errorf("after %d: asked about %v, moves %s, answer %d", done, asked, path(r.Moves), r.Answer)
		}
	}
}

// How the first commands of a comment went counts for its answer, whoever runs the rest.
func TestContinueKeepsHowTheFirstCommandsWent(t *testing.T) {
	const id = 9
	life := colonyLifecycle(t)
	for name, c := range map[string]struct {
		standing statemachine.Standing
		by       commands.Requester
		text     string
		want     string // answer, moves, needs a person, legal, fresh start, limits reached, records
	}{
		"refused, then nothing wrong":    {trail("in-review"), triager, "/colony:move new\n/colony:status", "2  true false  0 1"},
		"nothing wrong, then refused":    {trail("in-review"), triager, "/colony:status\n/colony:move new", "2  true false  0 1"},
		"refused, then made":             {trail("in-review"), triager, "/colony:move new\n/colony:pause", "2 in-review>paused false true  0 1"},
		"made, then nothing wrong":       {trail("in-review", byColony("paused")), triager, "/colony:pause\n/colony:status", "0  false true  0 0"},
		"made, then another":             {trail("in-review", byColony("paused")), triager, "/colony:pause\n/colony:resume", "0 paused>in-review false true  0 0"},
		"a fresh start, then a pause":    {trail("in-review", byColony("ready-for-dev")), triager, "/colony:reimplement\n/colony:move in-development", "0 ready-for-dev>in-development false true reimplement 0 0"},
		"a limit was reached":            {trail("in-review", append(reviewed(5).Trail, byColony("failure-blocked"))...), reviewBot, "/colony:move changes-requested\n/colony:status", "2  true false  1 1"},
		"not permitted, then nothing":    {trail("in-review"), triager, "/colony:force done because\n/colony:status", "1  false false  0 0"},
		"nothing wrong, then not at all": {trail("in-review"), triager, "/colony:status\n/colony:force done because", "1  false false  0 0"},
	} {
		orders := map[int64]commands.MoveAttribution{}
		for _, m := range c.standing.Trail {
			if m.By.Kind == lifecycle.Colony {
				orders[m.ID] = commands.MoveAttribution{CommentID: id}
			}
		}
		env := commands.Env{Lifecycle: life, Standing: c.standing, Attributions: orders, Now: second(50)}
		r := commands.Continue(env, c.by, id, commands.Parse(c.text), 1)
		if got := fmt.Sprint(int(r.Answer), " ", path(r.Moves), " ", r.NeedsHuman, " ", r.Legal, " ", r.FreshStart, " ", len(r.Reached), " ", len(r.Recorded)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// What was refused is recorded for programs, whatever was asked for.
func TestRefusalsAreRecorded(t *testing.T) {
	life := colonyLifecycle(t)
	for text, want := range map[string]string{
		"/colony:move reviewed":                "in-review>reviewed",
		"/colony:move done":                    "in-review>done",
		"/colony:move changes-requested":       "",
		"/colony:move reviewed\n/colony:pause": "in-review>reviewed failure-blocked>paused",
	} {
		var got []string
		for _, m := range run(life, trail("in-review"), anyBot, text).Recorded {
			got = append(got, m.From+">"+m.To)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q records %q, want %q", text, got, want)
		}
	}
}

// Of two commands that can have made a move, and have no receipt, the one whose writer has the right to it made it; else the earlier.
func TestTheMoveIsOfTheCommandThatMayMakeIt(t *testing.T) {
	for name, c := range map[string]struct {
		first, second bool // whether it is permitted
		receipt       int  // which of the two has one
		want          int64
	}{
		"neither":               {false, false, 0, 100},
		"the first":             {true, false, 0, 100},
		"the second":            {false, true, 0, 101},
		"both":                  {true, true, 0, 100},
		"a receipt counts more": {false, true, 1, 100},
		"a receipt alone":       {false, false, 2, 101},
	} {
		both := []commands.CommandComment{comment("/colony:pause", 0, 0), comment("/colony:pause", 1, 0)}
		both[0].Permitted, both[1].Permitted = c.first, c.second
		if c.receipt > 0 {
			both[c.receipt-1].Done = second(5)
		}
		orders, ran := commands.AttributeMoves(colonyLifecycle(t), trail("in-review", byColony("paused")), both)
		if got := orders[1].CommentID; got != c.want || len(orders) != 1 || ran[got-100] != 1 || ran[101-got] != 0 {
			t.Errorf("%s: it is of %d, %v", name, got, ran)
		}
	}
}
