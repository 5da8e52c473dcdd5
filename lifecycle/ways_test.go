package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWaysLeadOnByTheFewestMoves(t *testing.T) {
	ways := Ways{}
	for _, move := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"a", "c"}, {"d", "a"}, {"d", "d"}, {"x", "a"}, {"y", "z"}} {
		ways.Add(move[0], move[1])
	}
	for _, c := range []struct {
		from []string
		want map[string]string
	}{
		{[]string{"a"}, map[string]string{"a": "a", "b": "a", "c": "a", "d": "c"}},
		{[]string{"b"}, map[string]string{"b": "b", "c": "b", "d": "c", "a": "d"}},
		{[]string{"x", "y"}, map[string]string{"x": "x", "y": "y", "a": "x", "z": "y", "b": "a", "c": "a", "d": "c"}},
		{[]string{"z"}, map[string]string{"z": "z"}},
		{nil, map[string]string{}},
	} {
		if diff := cmp.Diff(c.want, ways.From(c.from...)); diff != "" {
			t.Errorf("from %v (-want +got):\n%s", c.from, diff)
		}
	}
}

func TestCommandsStartWhereTheySayAndMakeTheirMove(t *testing.T) {
	for _, c := range []struct {
		command       Command
		starts, makes bool // in work, and from there to review
	}{
		{Command{To: "review"}, true, true},
		{Command{To: "review", From: []string{"start", "work"}}, true, true},
		{Command{To: "review", From: []string{"start"}}, false, false},
		{Command{To: "end"}, true, false},
		{Command{To: "end", Target: Optional}, true, true},
		{Command{To: Previous, From: []string{"work"}}, true, true},
		{Command{To: Previous, From: []string{"start"}}, false, false},
	} {
		if starts, makes := c.command.StartsIn("work"), c.command.MayMake("work", "review"); starts != c.starts || makes != c.makes {
			t.Errorf("%+v starts %t, makes the move %t", c.command, starts, makes)
		}
	}
}
