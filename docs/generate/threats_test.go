package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// threats are what the model is about, in its order.
var threats = []string{
	"Strangers on public repositories", "Readers", "Writers", "A compromised bot", "A hostile repository file", "A stolen webhook secret",
	"A malicious organization on a shared server",
}

const mostWordsOfModel = 500

var (
	onlyTests = regexp.MustCompile("^`Test[A-Z]\\w*`(, `Test[A-Z]\\w*`)*$")
	address   = regexp.MustCompile(`\]\([^)]*\)`)
	aWord     = regexp.MustCompile(`[\pL\pN]`)
)

// Each claim of the threat model begins with "can" or "can't" and names the tests that would fail if it were wrong; that these exist is what
// TestTestsThatDocumentsNameExist checks.
func TestEachClaimOfTheThreatModelNamesItsTests(t *testing.T) {
	t.Parallel()
	_, model, _ := strings.Cut(read(t, root(t), "SECURITY.md"), "\n## Threat model\n")
	model, _, _ = strings.Cut(model, "\n## ")
	words := 0
	var found []string
	for i, section := range strings.Split(model, "\n### ") {
		claims, may, mayNot := firstColumn(section), 0, 0
		for claim, tests := range claims {
			switch {
			case strings.HasPrefix(claim, "can't "):
				mayNot++
			case strings.HasPrefix(claim, "can "):
				may++
			default:
				t.Errorf("SECURITY.md claims neither what one can nor what one can't: %q", claim)
			}
			if !onlyTests.MatchString(tests) {
				t.Errorf("SECURITY.md: the claim %q names no tests, but %q", claim, tests)
			}
			words += countWords(claim)
		}
		for line := range strings.Lines(section) {
			if !strings.HasPrefix(line, "|") {
				words += countWords(line)
			}
		}
		if i == 0 {
			continue
		}
		name, _, _ := strings.Cut(section, "\n")
		found = append(found, name)
		if may == 0 || mayNot == 0 || !strings.Contains(section, "\n**Admin:** ") {
			t.Errorf("SECURITY.md, %s: it has to say what is possible (%d claims), what is not (%d), and what an admin should do", name, may, mayNot)
		}
	}
	if diff := cmp.Diff(threats, found); diff != "" {
		t.Errorf("the threats of SECURITY.md (-want +got):\n%s", diff)
	}
	if words > mostWordsOfModel {
		t.Errorf("the threat model has %d words without its tests, more than %d", words, mostWordsOfModel)
	}
	t.Logf("%d words", words)
}

// firstColumn returns the rows of a table of two columns, without its head.
func firstColumn(section string) map[string]string {
	rows := map[string]string{}
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if strings.HasPrefix(line, "| ") && len(cells) == 2 && strings.TrimSpace(cells[1]) != "shown by" {
			rows[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[1])
		}
	}
	return rows
}

func countWords(line string) (n int) {
	for word := range strings.FieldsSeq(address.ReplaceAllString(line, "]")) {
		if aWord.MatchString(word) {
			n++
		}
	}
	return n
}
