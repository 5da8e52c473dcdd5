package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
)

// situations are what may happen to an issue that is in a state.
var situations = []struct {
	name, state string
	happens     func(i *issue)
}{
	{"a person makes a legal move", "new", func(i *issue) { i.Label("olivia", "colony:analyzing") }},
	{"a person makes an illegal move", "in-review", func(i *issue) { i.Label("olivia", "colony:new") }},
	{"a person swaps the label for an illegal one", "in-review", func(i *issue) { i.Swap("olivia", "colony:in-review", "colony:new") }},
	{"a person takes the label off", "in-review", func(i *issue) { i.Unlabel("olivia", "colony:in-review") }},
	{"two labels at once, the first of them legal", "in-review", func(i *issue) { i.Label("olivia", "colony:merge-pending", "colony:new") }},
	{"a bot makes a legal move", "in-review", func(i *issue) { i.Label("reviewer[bot]", "colony:changes-requested") }},
	{"a bot asks for what it may not", "in-review", func(i *issue) { i.Label("reviewer[bot]", "colony:done") }},
	{"a late bot breaks a pause", "in-review", func(i *issue) {
		i.Label("olivia", "colony:paused")
		i.Settle()
		i.Label("dev[bot]", "colony:changes-requested")
	}},
	{"a person writes a command", "in-review", func(i *issue) { i.Comment("olivia", "/colony:pause") }},
	{"a person writes a command that cannot be", "in-review", func(i *issue) { i.Comment("olivia", "/colony:move new") }},
	{"a stranger writes a command", "in-review", func(i *issue) { i.Comment("rita", "/colony:pause") }},
	{"the author answers, and a trigger waits for it", "needs-clarification", func(i *issue) { i.Comment("ada", "It squeaks on Mondays.") }},
	{"an executor says nothing for a day, and a time-out blocks", "analyzing", func(i *issue) { i.clock.Advance(25 * time.Hour) }},
}

// Each situation in each mode: the labels at the end, what Colony says and how it reacts, and how much it writes. Nothing more comes of a second
// sweep.
func TestModesBySituation(t *testing.T) {
	t.Parallel()
	lines := make([]strings.Builder, len(situations))
	t.Run("all", func(t *testing.T) {
		for n, s := range situations {
			t.Run(s.name, func(t *testing.T) {
				t.Parallel()
				fmt.Fprintf(&lines[n], "%s: %s\n", s.state, s.name)
				for _, mode := range lifecycle.Modes {
					fmt.Fprintf(&lines[n], "    %-8s %s\n", mode, outcomeIn(t, mode, s.state, s.happens))
				}
			})
		}
	})
	var got strings.Builder
	for n := range lines {
		got.WriteString(lines[n].String())
	}
	golden.Hold(t, "testdata/modes.txt", got.String())
}

func outcomeIn(t *testing.T, mode lifecycle.Mode, state string, happens func(*issue)) string {
	t.Helper()
	w := newWorld(t, acme.Follows, acme.InMode(mode), func(c *config.Config) { c.Follow = c.Follow[:1] })
	i := w.open("ada", "It squeaks.")
	i.Label("olivia", "colony:"+state)
	w.Settle()
	w.clock.Advance(time.Minute)
	w.github.ResetCalls()
	happens(i)
	w.Settle()
	w.Sweep()
	w.Settle()
	writes := len(w.Written())
	w.Pass(2, time.Hour)
	w.Sweep()
	w.Settle()
	if again := len(w.Written()); again != writes {
		t.Errorf("%s: a second sweep writes %d times more", mode, again-writes)
	}
	said := []string{}
	for _, c := range i.AllComments() {
		if c.GetUser().GetLogin() == "colony[bot]" {
			first, _, _ := strings.Cut(c.GetBody(), "\n")
			said = append(said, "says: "+first)
			i.ReadComments[c.GetID()] = true
			continue
		}
		for _, r := range i.ColonyReactions(c.GetID()) {
			said = append(said, "reacts: "+r.GetContent())
		}
	}
	w.Issues = nil // all that Colony says and does is in the table
	labels := strings.ReplaceAll(strings.Join(w.labelsOf(i.Number), " "), "colony:", "")
	return strings.TrimSpace(fmt.Sprintf("[%s] %d writes; %s", labels, writes, strings.Join(said, "; ")))
}
