package advice

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Who is expected to act in each state of each lifecycle that ships, and why an issue that is in it waits for a person.
func TestWhoHasToActInEachState(t *testing.T) {
	var b strings.Builder
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		fmt.Fprintf(&b, "%s\n", life.Name)
		for _, state := range life.States {
			fmt.Fprintf(&b, "  %-22s", state.Name)
			fmt.Fprint(&b, parties(Expected(life, state.Name, "ada")))
			for _, a := range Needs(life, statemachine.Standing{State: state.Name}, Attended{Author: "ada"}) {
				fmt.Fprintf(&b, "  waits: %s", a.Need)
			}
			b.WriteString("\n")
		}
	}
	golden.Hold(t, "testdata/attention.txt", b.String())
}

// parties writes who has to act, a space before each.
func parties(who []Party) string {
	var b strings.Builder
	for _, p := range who {
		fmt.Fprintf(&b, " %s", strings.Join(strings.Fields(string(p.Kind)+" "+p.Role+" "+p.Login), ":"))
	}
	return b.String()
}

// What makes an issue wait for a person, in the order of how pressing it is; of a closed one the state does not matter.
func TestNeeds(t *testing.T) {
	life := colony(t)
	at := morning
	marked := []string{"bug", "Colony:Needs-Human"}
	paused := statemachine.Standing{State: "paused", Trail: []statemachine.Move{
		{From: "in-development", To: "paused", Kind: statemachine.Moved, By: self, Ordered: olivia, Moment: statemachine.Moment{At: at}},
	}}
	failed := statemachine.Standing{
		State:      "failure-blocked",
		Trail:      []statemachine.Move{{From: "in-development", To: "failure-blocked", Kind: statemachine.BadRequest, By: bot, Moment: statemachine.Moment{At: at}}},
		Rejections: []statemachine.Rejection{{By: bot, Moment: statemachine.Moment{At: at}, From: "in-development", To: "done", Ruling: statemachine.Ruling{AsksPerson: true}}},
	}
	wrong := came("new", "in-review")
	wrong.Rejections = []statemachine.Rejection{
		{By: dev, Moment: statemachine.Moment{At: at.Add(10 * time.Minute)}, Ruling: statemachine.Ruling{AsksPerson: true}}, {By: rev, Moment: statemachine.Moment{At: at.Add(20 * time.Minute)}, Ruling: statemachine.Ruling{AsksPerson: true}}, {By: bot, Moment: statemachine.Moment{At: at.Add(30 * time.Minute)}},
	}
	wrongBefore := came("new", "in-review")
	wrongBefore.Rejections = []statemachine.Rejection{{By: dev, Moment: statemachine.Moment{At: at.Add(-time.Minute)}, Ruling: statemachine.Ruling{AsksPerson: true}}}
	halted := &statemachine.Rejection{Moment: statemachine.Moment{At: at.Add(time.Minute)}, By: olivia}
	for name, c := range map[string]struct {
		standing statemachine.Standing
		on       Attended
		later    time.Duration
		want     []string
	}{
		"no one":                  {came("new", "in-development"), Attended{}, time.Hour, nil},
		"paused by hand":          {paused, Attended{}, time.Hour, []string{"paused olivia 09:00 resume: operator"}},
		"asked":                   {came("analyzing", "needs-clarification"), Attended{Author: "ada"}, time.Hour, []string{"awaiting-human olivia 09:00 : author:ada operator"}},
		"work failed":             {failed, Attended{Labels: marked}, time.Hour, []string{"needs-human bot 09:00 retry: operator", "blocked bot 09:00 retry: operator"}},
		"halted":                  {failed, Attended{Halted: halted}, time.Hour, []string{"halted olivia 09:01 retry: operator", "blocked bot 09:00 retry: operator"}},
		"halted, marked":          {failed, Attended{Halted: halted, Labels: marked, Closed: true}, time.Hour, []string{"halted olivia 09:01 retry: operator", "needs-human bot 09:00 retry: operator"}},
		"marked later":            {statemachine.Standing{State: "in-review"}, Attended{Labels: marked, Marked: at}, time.Hour, []string{"needs-human  09:00 : operator"}},
		"marked for a wrong move": {wrong, Attended{Labels: marked}, time.Hour, []string{"needs-human rev 09:20 : operator"}},
		"moved since":             {wrongBefore, Attended{Labels: marked}, time.Hour, []string{"needs-human olivia 09:00 : operator"}},
		"not marked":              {wrong, Attended{}, time.Hour, nil},
		"closed":                  {failed, Attended{Labels: marked, Closed: true}, 80 * time.Hour, []string{"needs-human bot 09:00 retry: operator"}},
		"closed, late":            {came("new", "in-development"), Attended{Closed: true}, 80 * time.Hour, nil},
		"closed, asked":           {came("analyzing", "needs-clarification"), Attended{Closed: true}, time.Hour, nil},
		"late":                    {came("new", "in-development"), Attended{}, 72*time.Hour + time.Second, []string{"overdue olivia 09:00 : executor:developer"}},
		"on time":                 {came("new", "in-development"), Attended{}, 72 * time.Hour, nil},
		"orphaned":                {statemachine.Standing{State: "done"}, Attended{Closed: true, Orphan: &statemachine.Move{Moment: statemachine.Moment{At: at}}, OrphanedBy: olivia}, time.Hour, []string{"orphan olivia 09:00 : operator:olivia"}},
		"in no state":             {statemachine.Standing{State: "asleep"}, Attended{Author: "ada"}, time.Hour, nil},
		"waiting for a fact":      {came("new", "dependency-blocked"), Attended{}, 80 * time.Hour, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.on.Now = at.Add(c.later)
			var got []string
			for _, a := range Needs(life, c.standing, c.on) {
				if a.State != c.standing.State {
					t.Errorf("%s: in %s", a.Need, a.State)
				}
				verb := ""
				if a.Action != nil {
					verb = a.Action.Verb
				}
				got = append(got, fmt.Sprintf("%s %s %s %s:%s", a.Need, a.By.Login, a.Since.Format("15:04"), verb, parties(a.Who)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What is said of a need comes with what Colony advises for its reason; of an orphan nothing is.
func TestNeedsComeWithAdvice(t *testing.T) {
	life := colony(t)
	needs := Needs(life, came("in-review", "human-review-ready"), Attended{Orphan: &statemachine.Move{}, Halted: &statemachine.Rejection{}})
	var got []string
	for _, a := range needs {
		says := string(a.Need)
		if a.Action != nil {
			says += " " + a.Action.Command()
		}
		got = append(got, says)
	}
	if diff := cmp.Diff([]string{"halted /colony:move merge-pending", "orphan", "awaiting-human /colony:move merge-pending"}, got); diff != "" {
		t.Error(diff)
	}
}

// Every need has a sentence, and the list has each once, in the order in which an issue's needs are listed.
func TestNeedSpecs(t *testing.T) {
	var names []string
	for _, spec := range NeedSpecs() {
		if !strings.HasSuffix(spec.Meaning, ".") {
			t.Errorf("%s means %q", spec.Need, spec.Meaning)
		}
		names = append(names, string(spec.Need))
	}
	if got := strings.Join(names, " "); got != "halted needs-human awaiting-human blocked paused overdue orphan" {
		t.Errorf("the needs are %s", got)
	}
}
