package statemachine

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestConditionsAndCausesOfMoves(t *testing.T) {
	life, err := Parse("x.yml", []byte(conditional))
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
	if diff := cmp.Diff([]string{"pull-request-opened", "after 1h30m"}, life.ByItself("state", "in-work")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if causes := life.ByItself("rest", "end"); causes != nil {
		t.Errorf("causes %v", causes)
	}
}

func TestSpansAreWrittenAsInFiles(t *testing.T) {
	for text, d := range map[string]time.Duration{
		"72h": 72 * time.Hour, "1h30m": 90 * time.Minute, "30m": 30 * time.Minute, "1m": time.Minute,
		"1h0m30s": time.Hour + 30*time.Second, "1m30s": 90 * time.Second, "20h": 20 * time.Hour, "10m": 10 * time.Minute,
	} {
		if got := Span(d); got != text {
			t.Errorf("%v is written %q, not %q", d, got, text)
		}
	}
}
