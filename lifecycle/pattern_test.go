package lifecycle

import (
	"strings"
	"testing"
)

func TestPatterns(t *testing.T) {
	for _, row := range []struct {
		pattern, text string
		want          bool
		wrong         string
	}{
		{pattern: "^fix:", text: "fix: it", want: true},
		{pattern: "^fix:", text: "a fix: it"},
		{pattern: "(?i)acceptance", text: "## Acceptance\n", want: true},
		{pattern: "(?m)^done$", text: "a\ndone\nb", want: true},
		{pattern: "", text: "", want: true},
		{pattern: `\p{Cyrillic}`, text: "жук", want: true},
		{pattern: "a", text: strings.Repeat("b", maxPatternText-1) + "a", want: true},
		{pattern: "a", text: strings.Repeat("b", maxPatternText) + "a"},
		{pattern: "(", wrong: "not a pattern of RE2"},
		{pattern: `(a)\1`, wrong: "not a pattern of RE2"},
		{pattern: "(?=a)", wrong: "not a pattern of RE2"},
		{pattern: strings.Repeat("a", maxPatternInstructions+1), wrong: "too complex"},
		{pattern: "(a{1,30}){1,30}", wrong: "too complex"},
		{pattern: "((((a{10}){10}){10}){10}){10}", wrong: "not a pattern of RE2"},
	} {
		got, err := MatchesPattern(row.pattern, row.text)
		switch {
		case row.wrong == "" && err != nil, row.wrong != "" && (err == nil || !strings.Contains(err.Error(), row.wrong)):
			t.Errorf("%.40q: %v", row.pattern, err)
		case got != row.want:
			t.Errorf("%.40q on %.40q: %t", row.pattern, row.text, got)
		}
	}
}

// The most expensive that the bounds allow: the test's time-out notices more.
func BenchmarkPatterns(b *testing.B) {
	text := strings.Repeat("ab", 1<<15)
	for _, pattern := range []string{"^fix:", "(?i)acceptance", "((a|b)*c?){1,40}d", "(?:(?:a?b?){1,60})z$"} {
		b.Run(pattern, func(b *testing.B) {
			for b.Loop() {
				if _, err := MatchesPattern(pattern, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
