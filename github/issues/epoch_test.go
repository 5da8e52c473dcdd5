package issues

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/colony-app/colony/lifecycle"
)

func TestStampForms(t *testing.T) {
	first := time.Date(2026, 7, 4, 12, 0, 5, 0, time.UTC)
	second := first.Add(26 * time.Hour)
	for _, row := range []struct {
		description string
		want        stamp
		ok          bool
	}{
		{"Colony marks forced moves. Here since 2026-07-04T12:00:05Z; rules ojuwi since 2026-07-05T14:00:05Z.", stamp{Epoch{second, first}, "ojuwi"}, true},
		// Of former Colonies.
		{"Set by Colony around a forced move. Since 2026-07-04T12:00:05Z (ojuwi).", stamp{Epoch{first, first}, "ojuwi"}, true},
		{"Set by Colony around a forced move. Since 2026-07-04T12:00:05Z, labels 2026-07-05T14:00:05Z (ojuwi).", stamp{Epoch{second, first}, "ojuwi"}, true},
		{"Set by Colony around a forced move. Labels judged since 2026-07-04T12:00:05Z.", stamp{Epoch{first, first}, ""}, true},
		// None.
		{"", stamp{}, false},
		{"Colony marks forced moves.", stamp{}, false},
		{"Colony marks forced moves. Here since yesterdayZ; rules ojuwi since 2026-07-05T14:00:05Z.", stamp{}, false},
		{"Colony marks forced moves. Here since 2026-07-04T12:00:05Z; rules ojuwi since todayZ.", stamp{}, false},
		{"Colony marks forced moves. Here since 2026-07-04T12:00:05Z; rules ojuwi since 2026-07-05T14:00:05Z. Really.", stamp{}, false},
	} {
		if got, ok := readStamp(row.description); got != row.want || ok != row.ok {
			t.Errorf("%s: %+v, %t", row.description, got, ok)
		}
	}
}

// The description fits, is read again as it was written, and says it in words: nothing of it is a code in parentheses.
func TestDescriptionOfTheMarkForced(t *testing.T) {
	zone := time.FixedZone("somewhere", -9*60*60)
	s := stamp{Epoch{Labels: time.Date(2026, 12, 31, 23, 59, 59, 0, zone), Commands: time.Date(2026, 7, 4, 12, 0, 5, 0, zone)}, strings.Repeat("w", lifecycle.FingerprintLength)}
	for _, mark := range lifecycle.Marks() {
		if mark.Label != lifecycle.Forced {
			continue
		}
		description := mark.Description + s.String()
		if n := utf8.RuneCountInString(description); n > 100 {
			t.Errorf("%d characters: %s", n, description)
		}
		if strings.ContainsAny(description, "()") {
			t.Errorf("a riddle: %s", description)
		}
		got, ok := readStamp(description)
		if !ok || !got.since.Labels.Equal(s.since.Labels) || !got.since.Commands.Equal(s.since.Commands) || got.as != s.as {
			t.Errorf("%s is read as %+v", description, got)
		}
	}
}
