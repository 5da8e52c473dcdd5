package lifecycle

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestCausesOfMoves(t *testing.T) {
	life := conditional(t)
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
