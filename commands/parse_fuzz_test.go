package commands

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// longerFence returns a fence that no line of the text can close.
func longerFence(text string) string {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", max(longest, 2)+1)
}

// quoted puts a quote mark before every line of the text.
func quoted(text string) string {
	return "> " + strings.NewReplacer("\r\n", "\n> ", "\n", "\n> ", "\r", "\r> ").Replace(text)
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"/colony:retry", "text\r\n/colony move done `x`\r/colony", "```\n/colony:a\n```", "> q\n/colony:a", "- a\n\n  /colony:a", "a|b\n-|-\n/colony:a",
		"<!-- \n/colony:a -->", "<details>\n\n/colony:a\n\n</details>\n\n/colony:b \"c d\"", "[x](/y '\n/colony:a\n')", "[^1]: x\n/colony:a", "~~a\n/colony:a~~",
		"/colony:a <!-- b\n/colony:c --> d", "a `b\n/colony:a", "-\n/colony:a\n-", "\ufeff/colony:a\x00\xff", ">>>>>>>>>>>>>>>>>>>>>> a\n/colony:a",
		"[a]: b\n===\n/colony:a", "/colony:a\n--- | -", "&lt;!--\n/colony:a",
	} {
		f.Add(seed)
	}
	for name, bomb := range bombs(300) {
		if strings.HasSuffix(name, "/below") {
			f.Add(bomb)
		}
	}
	f.Fuzz(func(t *testing.T, markdown string) {
		got := Parse(markdown)
		if diff := cmp.Diff(got, Parse(markdown)); diff != "" {
			t.Fatalf("parsed again, it differs:\n%s", diff)
		}
		if len(got) > MaxInvocations {
			t.Fatalf("%d commands", len(got))
		}
		lines := strings.Split(lineEndings.Replace(strings.TrimPrefix(markdown, "\ufeff")), "\n")
		last := 0
		for _, invocation := range got {
			if invocation.Line <= last || invocation.Line > len(lines) {
				t.Fatalf("line %d after line %d of %d", invocation.Line, last, len(lines))
			}
			last = invocation.Line
			line := lines[last-1]
			trimmed := strings.TrimLeft(line, " ")
			if len(line)-len(trimmed) > 3 || !strings.HasPrefix(strings.ToLower(trimmed), "/colony") {
				t.Fatalf("line %d is %q, not a command", last, line)
			}
			if !invocationLine.MatchString("/colony:"+invocation.Verb) || invocation.Verb != strings.ToLower(invocation.Verb) {
				t.Fatalf("verb %q", invocation.Verb)
			}
			if !utf8.ValidString(invocation.Rest) || strings.ContainsAny(invocation.Rest, "\n\r\x00") || invocation.Rest != strings.TrimSpace(invocation.Rest) {
				t.Fatalf("rest %q", invocation.Rest)
			}
		}

		fence := longerFence(markdown)
		for region, inside := range map[string]string{
			"fenced code":   fence + "\n" + markdown + "\n" + fence,
			"an open fence": fence + "\n" + markdown,
			"a quote":       quoted(markdown),
			"open details":  "<details>\n\n" + strings.NewReplacer("</details", "", "</DETAILS", "").Replace(strings.ToLower(markdown)),
			"a comment":     "<!--\n" + strings.ReplaceAll(markdown, "-->", "") + "\n-->",
		} {
			if found := Parse(inside); region != "a comment" && found != nil {
				t.Fatalf("in %s: %+v", region, found)
			} else if region == "a comment" && found != nil && !strings.Contains(strings.ReplaceAll(markdown, "-->", ""), "-->") {
				t.Fatalf("in a comment: %+v", found)
			}
		}
	})
}
