package commands_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func TestRunNext(t *testing.T) {
	life, err := statemachine.Shipped("colibri")
	if err != nil {
		t.Fatal(err)
	}
	var all []lifecycle.Candidate
	for n := range 13 {
		c := lifecycle.Candidate{Number: n + 1, Title: fmt.Sprintf("issue %d", n+1), State: "init", Created: second(20 - n)}
		if n == 2 {
			c.Labels = []string{"colony:init", "Colony:Importance/2"}
		}
		all = append(all, c)
	}
	env := commands.Env{Lifecycle: life, Standing: trail("gather"), Now: second(50), Waiting: commands.Waiting{Candidates: all, More: true}}
	r := commands.Run(env, reader, commands.Parse("/colony:next\n/colony:next"))
	if r.Answer != commands.Accepted || len(r.Replies) != 1 { // the same answer is given once
		t.Fatalf("answered with %v, %q", r.Answer, r.Replies)
	}
	var order []string
	for line := range strings.Lines(r.Replies[0]) {
		if number, _, ok := strings.Cut(strings.TrimPrefix(line, "1. `#"), "`,"); ok && strings.HasPrefix(line, "1. ") {
			order = append(order, number)
		}
	}
	if got, want := strings.Join(order, " "), "3 13 12 11 10 9 8 7 6 5"; got != want {
		t.Errorf("in the order %s, want %s", got, want)
	}
	for _, part := range []string{"`#3`, `init`, urgency 0 of 3, importance 2 of 3: issue 3", "3 more wait.", "Colony read only the oldest"} {
		if !strings.Contains(r.Replies[0], part) {
			t.Errorf("it does not say %q:\n%s", part, r.Replies[0])
		}
	}
	if all[0].Number != 1 {
		t.Error("the candidates of who asked are in another order now")
	}
}

func TestRunNextWithoutIssues(t *testing.T) {
	life := *colonyLifecycle(t)
	r := commands.Run(commands.Env{Lifecycle: &life, Standing: trail("new"), Now: second(50)}, reader, commands.Parse("/colony:next"))
	if r.Answer != commands.Accepted || !strings.Contains(r.Replies[0], "Nothing waits in this repository") {
		t.Errorf("answered with %v, %q", r.Answer, r.Replies)
	}
	life.Waiting = nil
	r = commands.Run(commands.Env{Lifecycle: &life, Standing: trail("new"), Now: second(50)}, reader, commands.Parse("/colony:next"))
	if r.Answer != commands.Refused || !strings.Contains(r.Replies[0], "does not say in which states issues wait") {
		t.Errorf("answered with %v, %q", r.Answer, r.Replies)
	}
}
