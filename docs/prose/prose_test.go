// Package prose holds the style sheet: the findings of tools/prose/banned.tsv in Colony's texts become fewer, and never more.
package prose

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "lower the numbers of tools/prose/findings.tsv to what is found")

const (
	bannedFile   = "../../tools/prose/banned.tsv"
	findingsFile = "../../tools/prose/findings.tsv"
)

// kinds are the columns of findingsFile.
var kinds = []string{"page", "template", "golden", "output", "lifecycle", "help", "log", "comment"}

// TestFindingsBecomeFewer fails for more findings than the table holds. It also fails for fewer, until the number is lowered: a number
// that is too high lets new findings in.
func TestFindingsBecomeFewer(t *testing.T) {
	t.Parallel()
	var rules []rule
	for _, cells := range table(t, bannedFile, 3) {
		rules = append(rules, newRule(cells[0], cells[1], cells[2]))
	}
	held := map[string][]string{}
	for _, cells := range table(t, findingsFile, 1+len(kinds)) {
		held[cells[0]] = cells[1:]
	}

	type cell struct{ pattern, kind string }
	found := map[cell][]string{}
	searched, total := map[string]int{}, map[string]int{}
	for _, s := range sources(t) {
		searched[s.kind]++
		for _, f := range find(rules, s.kind, s.text) {
			place := s.path
			if s.line > 0 {
				place += ":" + strconv.Itoa(s.line+strings.Count(s.text[:f.offset], "\n"))
			}
			at := cell{f.rule.pattern, s.kind}
			found[at] = append(found[at], fmt.Sprintf("%s: %.90q: write %s", place, strings.Join(strings.Fields(f.words), " "), f.rule.instead))
			total[s.kind]++
		}
	}
	t.Logf("findings: %v", total)
	for _, kind := range kinds {
		if searched[kind] < 20 {
			t.Errorf("only %d texts of the kind %s were searched", searched[kind], kind)
		}
	}

	lines := []string{"pattern\t" + strings.Join(kinds, "\t")}
	for _, r := range rules {
		row, known := held[r.pattern]
		delete(held, r.pattern)
		if !known && !*update {
			t.Errorf("%q has no row in tools/prose/findings.tsv: run go test ./docs/prose -update", r.pattern)
		}
		line := r.pattern
		for i, kind := range kinds {
			places := found[cell{r.pattern, kind}]
			most := len(places) // where a new pattern begins
			if known {
				most = number(t, row[i])
			}
			switch {
			case len(places) > most:
				t.Errorf("%s: %q has %d findings, %d is the limit. Files that changed last come first:\n\t%s", kind, r.pattern, len(places), most, strings.Join(places[:min(len(places), 20)], "\n\t"))
			case len(places) < most && !*update:
				t.Errorf("%s: lower the number of %q from %d to %d in tools/prose/findings.tsv: go test ./docs/prose -update", kind, r.pattern, most, len(places))
			}
			line += "\t" + strconv.Itoa(min(most, len(places)))
		}
		lines = append(lines, line)
	}
	if *update {
		if err := os.WriteFile(findingsFile, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if len(held) > 0 {
		t.Errorf("tools/prose/findings.tsv has rows of patterns that banned.tsv lacks: %q", slices.Sorted(maps.Keys(held)))
	}
}

// table returns the cells of a file of tab-separated values, without its head.
func table(t *testing.T, file string, columns int) (rows [][]string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != columns {
			t.Fatalf("%s:%d: %d cells, want %d", file, i+1, len(cells), columns)
		}
		if i > 0 {
			rows = append(rows, cells)
		}
	}
	return rows
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
