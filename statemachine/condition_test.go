package statemachine

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestConditionsOfMoves(t *testing.T) {
	text, err := os.ReadFile("../lifecycle/testdata/conditional.yml")
	if err != nil {
		t.Fatal(err)
	}
	life, err := Parse("conditional.yml", text)
	if err != nil {
		t.Fatal(err)
	}
	limit := "at most twice since a person last moved the issue (attempts), then rest"
	for _, c := range []struct {
		as       ActorKind
		from, to string
		want     []string
	}{
		{Operator, "in-work", "rest", nil},
		{Operator, "rest", "state", []string{"only back to the state before"}},
		{Operator, "in-work", "end", []string{"needs a reason"}},
		{Executor, "in-work", "end", []string{`needs a reason, and the request stands for "worked"`}},
		{Colony, "in-work", "end", nil},
		{Operator, "state", "in-work", nil},
		{Executor, "state", "in-work", []string{limit}},
		{Colony, "state", "in-work", []string{limit}},
	} {
		pair, ok := life.Pair(c.from, c.to)
		if !ok {
			t.Fatalf("no pair %s -> %s", c.from, c.to)
		}
		if diff := cmp.Diff(c.want, life.Conditions(Actor{Kind: c.as}, pair)); diff != "" {
			t.Errorf("%s %s -> %s (-want +got)\n%s", c.as, c.from, c.to, diff)
		}
	}
}
