package reconcile

import (
	"testing"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// A comment that waits can be found to have made a move, or to have made none, once it is known what its writer is allowed to do. Only then does
// the order of Colony's moves since that comment stay.
func TestWhoOrderedAMoveIsRememberedOnceNoCommandWaitsThatCanHaveMadeIt(t *testing.T) {
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	second := func(n int) time.Time { return firstDay.Add(time.Duration(n) * time.Second) }
	said := func(id int64, by, text string, at, done int) commandComment {
		c := commandComment{
			comment:     issues.Comment{ID: id, By: lifecycle.Actor{Login: by, Kind: lifecycle.Operator}, Created: second(at)},
			invocations: commands.Parse(text),
		}
		if done > 0 {
			c.receipt = issues.Receipt{Content: issues.ThumbsUp, At: second(done)}
		}
		return c
	}
	q := &inquiry{Reconciler: &Reconciler{}, memory: &remembered{}, Case: Case{settings: Settings{Policy: policy.Policy{Lifecycle: life}}}}
	q.view = issues.View{Ref: issues.Ref{Number: 1}, Labels: []string{life.Label("failure-blocked")}}
	move := func(id int64, by lifecycle.Actor, from, to string, at int) {
		if from != "" {
			defer func() {
				q.view.Changes = append(q.view.Changes, statemachine.Change{Moment: statemachine.Moment{At: second(at), ID: id + 1}, Label: life.Label(from), By: by})
			}()
		}
		q.view.Changes = append(q.view.Changes, statemachine.Change{Moment: statemachine.Moment{At: second(at), ID: id}, Added: true, Label: life.Label(to), By: by})
	}
	move(1, aPerson, "", "in-development", 1)
	move(3, theColony, "in-development", "paused", 3)
	move(5, theColony, "paused", "analyzing", 5)
	move(7, theColony, "analyzing", "failure-blocked", 5)
	q.conversation = &conversation{commands: []commandComment{
		said(101, "olivia", "/colony:pause", 2, 3),
		said(102, "stranger", "/colony:reanalyze", 4, 0),
		said(103, "tara", "/colony:block", 4, 5),
		said(104, "mona", "/colony:reanalyze\n/colony:block", 4, 0),
	}}
	remembered := func(want map[int64]string) {
		t.Helper()
		q.fold()
		q.attribute(time.Time{})
		for id, login := range want {
			by, known := q.memory.orderer(id)
			if known != (login != "") || by.Login != login {
				t.Errorf("move %d is remembered as ordered by %q, %t; want %q", id, by.Login, known, login)
			}
		}
	}
	remembered(map[int64]string{3: "olivia", 5: "", 7: ""})
	q.conversation.commands[3].receipt = issues.Receipt{Content: issues.ThumbsUp, At: second(9)}
	q.conversation.commands[1].receipt = issues.Receipt{Content: issues.ThumbsDown, At: second(9)}
	remembered(map[int64]string{3: "olivia", 5: "mona", 7: "mona"})
}
