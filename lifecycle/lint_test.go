package lifecycle

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestLint(t *testing.T) { holdArchive(t, "lint.txtar", ".out", linted) }

func TestLintOfGuards(t *testing.T) { holdArchive(t, "lint-guards.txtar", ".out", linted) }

// linted is what lint says of a file.
func linted(file string, text []byte) string {
	got := ""
	problems, err := Lint(file, text)
	if err != nil {
		got = err.Error() + "\n"
	}
	for _, p := range problems {
		got += p.String() + "\n"
	}
	return got
}

// The shipped lifecycles are examples to others: nothing in them is doubtful.
func TestNothingIsDoubtfulInShippedLifecycles(t *testing.T) {
	for _, name := range ShippedNames() {
		text, err := ShippedFile(name)
		if err != nil {
			t.Fatal(err)
		}
		problems, err := Lint(name+".yml", text)
		if err != nil {
			t.Fatal(err)
		}
		var warnings []string
		for _, p := range problems {
			if p.Severity != Information {
				warnings = append(warnings, p.Message)
			}
		}
		if len(warnings) > 0 {
			t.Errorf("%s: %q", name, warnings)
		}
	}
}

// Lint relies on what the parser refuses: only a terminal state has no way out.
func TestFilesThatParseHaveWaysOut(t *testing.T) {
	texts := map[string][]byte{}
	for _, name := range []string{"lint.txtar", "lint-guards.txtar", "broken.txtar"} {
		archive, err := txtar.ParseFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			texts[f.Name] = f.Data
		}
	}
	for _, name := range ShippedNames() {
		text, err := ShippedFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = text
	}
	ways := 0
	for name, text := range texts {
		life, err := Parse(name, text)
		if err != nil {
			continue
		}
		for _, s := range life.States {
			ways++
			out := slices.DeleteFunc(life.Next(Actor{Kind: Operator}, s.Name), func(p Pair) bool { return p.To == s.Name })
			if (s.Type == Terminal) != (len(out) == 0) {
				t.Errorf("%s: state %s is %s and has %d ways out", name, s.Name, s.Type, len(out))
			}
		}
	}
	if ways == 0 {
		t.Error("no state was looked at")
	}
}

// Many triggers that lead from everywhere to everywhere must not keep anybody waiting: a search without bounds runs into the
// test's time limit.
func TestLintIsBounded(t *testing.T) {
	facts := []string{"dependency-open", "sub-issues-closed", "pull-request-opened", "pull-request-ready", "pull-request-conflicting"}
	var states, triggers strings.Builder
	var names []string
	for _, first := range "abcdefghijklmnop" {
		name := strings.Repeat(string(first), 2)
		names = append(names, name)
		states.WriteString("  - {name: " + name + ", type: active, label: \"colony:" + name + "\", color: cccccc, description: x, meaning: x}\n")
	}
	for i, to := range names {
		for f, fact := range facts {
			from := names[(i+f+1)%len(names)]
			triggers.WriteString("  - {on: " + fact + ", in: " + from + ", to: " + to + ", why: x}\n")
		}
	}
	all := "[" + strings.Join(names, ", ") + "]"
	text := strings.Replace(tiny, "  - {name: end,", states.String()+"  - {name: end,", 1) +
		"  - {source: Test, order: [start, " + strings.Join(names, ", ") + "]}\ntransitions:\n" +
		"  - {kind: backward, pairs: ["
	for i, from := range slices.Backward(names) {
		if i > 0 {
			text += "{from: " + from + ", to: [" + strings.Join(names[:i], ", ") + "], why: x},"
		}
	}
	text += "{from: " + all + ", to: end, why: x}]}\ntriggers:\n" + triggers.String()
	problems, err := Lint("x.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) == 0 || len(problems) > maxProblems {
		t.Errorf("%d problems", len(problems))
	}
}

// Nor must guards whose exceptions exclude each other in every way.
func TestLintOfGuardsIsBounded(t *testing.T) {
	var order []string
	var states, guards strings.Builder
	for i := range 40 {
		name := fmt.Sprintf("s%d", i)
		order = append(order, name)
		states.WriteString("  - {name: " + name + ", type: active, label: \"colony:" + name + "\", color: cccccc, description: x, meaning: x}\n")
	}
	for i := range 50 {
		fmt.Fprintf(&guards, "  - {name: g%d, why: x, to: [%s], requires: [{type: t%d}, {fact: [checks-passed, review-approved]}], unless: [", i, strings.Join(order, ", "), i)
		for j := range 10 {
			fmt.Fprintf(&guards, "{type: u%d-%d, why: x},", i, j)
		}
		guards.WriteString("]}\n")
	}
	text := strings.Replace(tiny, "  - {name: end,", states.String()+"  - {name: end,", 1) +
		"  - {source: Test, order: [start, " + strings.Join(order, ", ") + "]}\ntransitions:\n" +
		"  - {kind: abandon, pairs: [{from: [" + strings.Join(order, ", ") + "], to: end, why: x}]}\nguards:\n" + guards.String()
	problems, err := Lint("x.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) == 0 || len(problems) > maxProblems {
		t.Errorf("%d problems", len(problems))
	}
}
