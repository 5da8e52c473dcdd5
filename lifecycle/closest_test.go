package lifecycle

import (
	"strings"
	"testing"
)

func TestClosest(t *testing.T) {
	verbs := []string{"help", "status", "why", "history", "move", "force", "pause", "resume", "retry", "block", "next", "depends-on", "independent-of", "reimplement", "reanalyze"}
	tests := []struct{ word, want string }{
		{"retry", "retry"},
		{"RETRY", "retry"},
		{"retyr", "retry"}, // changed places: one slip
		{"erty", "retry"},
		{"stat", "status"},
		{"sttaus", "status"},
		{"paus", "pause"},
		{"pasue", "pause"},
		{"unpause", "pause"},
		{"wyh", "why"},
		{"who", "why"},
		{"mvoe", "move"},
		{"dependson", "depends-on"},
		{"depend-on", "depends-on"},
		{"independant-off", "independent-of"},
		{"re-implement", "reimplement"},
		{"reanalyse", "reanalyze"},
		{"blokc", "block"},
		{"x", ""},
		{"", ""},
		{"is", ""},
		{"deploy", ""},
		{"ready-for-dev", ""},
		{strings.Repeat("retry", 10_000), ""},
	}
	for _, test := range tests {
		got, ok := Closest(test.word, verbs)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Closest(%.20q) = %q, %t; want %q", test.word, got, ok, test.want)
		}
	}
}

func TestClosestKeepsTheOrderOfEquals(t *testing.T) {
	for _, known := range [][]string{{"bat", "cat"}, {"cat", "bat"}} {
		if got, _ := Closest("hat", known); got != known[0] {
			t.Errorf("Closest of %v = %q, want the first", known, got)
		}
	}
	if got, _ := Closest("ca", []string{"car", "Ca"}); got != "Ca" {
		t.Errorf("a closer word that comes later lost to %q", got)
	}
	if got, ok := Closest("any", nil); ok {
		t.Errorf("Closest of nothing = %q", got)
	}
}
