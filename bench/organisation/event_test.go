package organisation

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What an event costs in a week is what docs/costs.md says of it, which app/costs_test.go measures.
func TestEventsCostWhatThePageSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/costs.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, event := range map[string]string{
		"a label that is an allowed move": "a legal move by label",
		"a label that Colony refuses":     "an edit of labels that is refused",
		"a command":                       "a command",
		"Colony [takes a new issue in]":   "opened, and taken in",
	} {
		says := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(what) + `[^|]*\| (\d+)[^|]*\| (\d+)`).FindStringSubmatch(string(page))
		known := false
		for _, e := range Life() {
			known = known || e.What == event
			if e.What == event && fmt.Sprint(e.Cost.Reads, e.Cost.Writes) != strings.Join(says[min(1, len(says)):], " ") {
				t.Errorf("%q costs %d reads and %d writes; the page says %q", event, e.Cost.Reads, e.Cost.Writes, says)
			}
		}
		if !known {
			t.Errorf("%q is no event of a life", event)
		}
	}
}
