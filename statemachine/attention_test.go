package statemachine

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Who is expected to act in each state of each lifecycle that ships, and why an issue that is in it waits for a person.
func TestWhoHasToActInEachState(t *testing.T) {
	var b strings.Builder
	for _, name := range ShippedNames() {
		life := shipped(t, name)
		fmt.Fprintf(&b, "%s\n", life.Name)
		for _, state := range life.States {
			s := Standing{State: state.Name}
			fmt.Fprintf(&b, "  %-22s", state.Name)
			for _, p := range life.Expected(s, "ada") {
				fmt.Fprintf(&b, " %s", strings.Join(strings.Fields(string(p.Kind)+" "+p.Role+" "+p.Login), ":"))
			}
			for _, a := range life.Attention(s, Attended{Author: "ada"}) {
				fmt.Fprintf(&b, "  waits: %s", a.Need)
			}
			b.WriteString("\n")
		}
	}
	golden(t, "attention.txt", []byte(b.String()))
}

// What makes an issue wait for a person, in the order of how pressing it is; of a closed one the state does not matter.
func TestAttention(t *testing.T) {
	life := colony(t)
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	olivia := Actor{Login: "olivia", Kind: Operator}
	bot := Actor{Login: "dev-bot", Kind: Executor}
	self := Actor{Login: "colony[bot]", Kind: Colony}
	paused := Standing{State: "paused", Trail: []Move{{From: "in-development", To: "paused", Kind: Moved, By: self, Ordered: olivia, At: at}}}
	failed := Standing{
		State:      "failure-blocked",
		Trail:      []Move{{From: "in-development", To: "failure-blocked", Kind: BadRequest, By: bot, At: at}},
		Rejections: []Rejection{{By: bot, At: at, From: "in-development", To: "done", AsksPerson: true}},
	}
	for name, c := range map[string]struct {
		standing Standing
		on       Attended
		want     []string
	}{
		"nobody":         {Standing{State: "in-development"}, Attended{}, nil},
		"paused by hand": {paused, Attended{}, []string{"paused olivia 09:00 resume"}},
		"work failed":    {failed, Attended{Labels: []string{"colony:needs-human"}}, []string{"needs-human dev-bot 09:00 retry", "blocked dev-bot 09:00 retry"}},
		"halted":         {failed, Attended{Halted: &Rejection{At: at.Add(time.Minute), By: olivia}}, []string{"halted olivia 09:01 retry", "blocked dev-bot 09:00 retry"}},
		"marked later":   {Standing{State: "in-review"}, Attended{Labels: []string{"Colony:Needs-Human"}, Marked: at}, []string{"needs-human  09:00 "}},
		"closed":         {failed, Attended{Labels: []string{"colony:needs-human"}, Closed: true}, []string{"needs-human dev-bot 09:00 retry"}},
		"orphaned":       {Standing{State: "done"}, Attended{Closed: true, Orphan: &Move{At: at}, OrphanedBy: olivia}, []string{"orphan olivia 09:00 "}},
	} {
		t.Run(name, func(t *testing.T) {
			c.on.Now = at.Add(time.Hour)
			var got []string
			for _, a := range life.Attention(c.standing, c.on) {
				verb := ""
				if a.Action != nil {
					verb = a.Action.Verb
				}
				got = append(got, fmt.Sprintf("%s %s %s %s", a.Need, a.By.Login, a.Since.Format("15:04"), verb))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
