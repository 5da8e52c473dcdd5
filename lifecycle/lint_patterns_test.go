package lifecycle

import (
	"regexp"
	"strings"
	"testing"
)

func TestPatternsThatMatchEveryTextOrNone(t *testing.T) {
	for _, c := range []struct {
		pattern     string
		title, body Answer
	}{
		{"x", Unknown, Unknown},
		{"", Yes, Yes},
		{"x*", Yes, Yes},
		{"x?", Yes, Yes},
		{"x+", Unknown, Unknown},
		{"(x?)+", Yes, Yes},
		{"x{0}", Yes, Yes},
		{"x{0,2}", Yes, Yes},
		{"(^|x){2}", Yes, Yes},
		{"x?y", Unknown, Unknown},
		{"x|y?", Yes, Yes},
		{"^", Yes, Yes},
		{"$", Yes, Yes},
		{"(?m)^$", Unknown, Unknown},
		{"^$", Unknown, Unknown},
		{`\b`, Unknown, Unknown},
		{"a^", No, No},
		{"a^b", No, No},
		{"a?^b", Unknown, Unknown},
		{"^a", Unknown, Unknown},
		{"$a", No, No},
		{"a$", Unknown, Unknown},
		{"$a?", Yes, Yes},
		{"$a*b", No, No},
		{"(?m)$a", Unknown, Unknown},
		{"(?m)a^", Unknown, Unknown},
		{"(a^)?", Yes, Yes},
		{"(a^)+", No, No},
		{"a^|b", Unknown, Unknown},
		{"a^|b$c", No, No},
		{"x(a^|$b)", No, No},
		{`[^\x00-\x{10FFFF}]`, No, No},
		{`a\nb`, No, Unknown},
		{`(?s)a.b`, Unknown, Unknown},
		{"[ab]{256}", Unknown, Unknown},
		{"[ab]{257}", No, Unknown},
		{".{200}(a|.{57})", Unknown, Unknown},
		{".{200}(.{60}|.{57})", No, Unknown},
		{"(?s).{257}", No, Unknown},
		{"(abc){86}", No, Unknown},
		{"(abc){85}", Unknown, Unknown},
		{"(", Unknown, Unknown},
	} {
		for _, title := range []bool{true, false} {
			want := c.body
			if title {
				want = c.title
			}
			if got := matches(c.pattern, title); got != want {
				t.Errorf("%q matches (title %t): %s, want %s", c.pattern, title, got, want)
			}
		}
		compiled, err := regexp.Compile(c.pattern)
		if err != nil {
			continue
		}
		for _, text := range []string{"", "a", "b", "x", "a b", "ab", "\n", "a\nb", "\na", strings.Repeat("ab", 128), strings.Repeat("abc", 100)} {
			title := len(text) <= longestTitle && !strings.Contains(text, "\n")
			if found := compiled.MatchString(text); found && (c.body == No || title && c.title == No) || !found && (c.body == Yes || title && c.title == Yes) {
				t.Errorf("%q matches %q: %t, but it is said to match: %s, as a title %s", c.pattern, text, found, c.body, c.title)
			}
		}
	}
}
