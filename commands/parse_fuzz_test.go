package commands

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
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
		"/colony:a <!-- b\n/colony:c --> d", "/colony:  <!-- b\n/colony:c --> d", "a `b\n/colony:a", "-\n/colony:a\n-", "\ufeff/colony:a\x00\xff", ">>>>>>>>>>>>>>>>>>>>>> a\n/colony:a",
		// Deeper than maxNesting, and then cut off, as nothing refers to the footnotes.
		"* [^0]:   [^0]: * [^0]:   [^0]: * [^0]:   [^0]: * [^0]:   [^0]: * [^0]:   [^0]: * \n/ColonY",
		"_~_~___a\x10a\n/colony:az~", "[a]: b\n===\n/colony:a", "/colony:a\n--- | -", "&lt;!--\n/colony:a", "-\r\n\n  /colony", "2)\n\n  /colony",
	} {
		f.Add(seed)
	}
	for _, text := range doubts {
		f.Add(text)
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
		if len(got) > MaxInvocations+1 {
			t.Fatalf("%d commands", len(got))
		}
		lines := strings.Split(lineEndings.Replace(strings.TrimPrefix(markdown, "\ufeff")), "\n")
		last := 0
		for i, invocation := range got {
			if isLast := i == MaxInvocations; isLast != (invocation.Verb == Excess) {
				t.Fatalf("command %d is %+v", i, invocation)
			}
			if invocation.Line <= last || invocation.Line > len(lines) {
				t.Fatalf("line %d after line %d of %d", invocation.Line, last, len(lines))
			}
			last = invocation.Line
			if invocation.Verb == Doubtful || invocation.Verb == Excess {
				if invocation.Rest != "" {
					t.Fatalf("a doubtful command says %+v", invocation)
				}
				continue
			}
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
		regions := map[string]string{
			"fenced code":   fence + "\n" + markdown + "\n" + fence,
			"an open fence": fence + "\n" + markdown,
			"a quote":       quoted(markdown),
		}
		if !strings.Contains(strings.ToLower(markdown), "</details") {
			regions["open details"] = "<details>\n\n" + markdown
		}
		if !strings.Contains(markdown, "-->") {
			regions["a comment"] = "<!--\n" + markdown + "\n-->"
		}
		for region, within := range regions {
			if found := certain(Parse(within)); len(found) > 0 {
				t.Fatalf("in %s: %+v", region, found)
			}
		}

		checkAgainstGoldmark(t, markdown, got)
	})
}

// certain are the commands that are run.
func certain(all []Invocation) []Invocation {
	return slices.DeleteFunc(slices.Clone(all), func(i Invocation) bool { return i.Verb == Doubtful || i.Verb == Excess })
}

var gfm = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(unsafe.WithUnsafe()))

// checkAgainstGoldmark compares with goldmark as it comes, in one pass and without limits: what Parse finds must
// be there too, and all of it in texts without HTML and those few things about which Parse is cautious. What runs must show on the page
// as a browser reads it.
func checkAgainstGoldmark(t *testing.T, markdown string, got []Invocation) {
	t.Helper()
	if len(markdown) > 2000 || len(got) >= MaxInvocations {
		return
	}
	source := normalise(markdown)
	starts := invocationStarts(source)
	lines := map[int]bool{}
	document := gfm.Parser().Parse(text.NewReader(source))
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if node, ok := node.(*ast.Text); ok && entering {
			parent := node.Parent()
			for parent.Kind() == ast.KindEmphasis {
				parent = parent.Parent()
			}
			if starts[node.Segment.Start] && parent == paragraphOf(node) {
				lines[1+strings.Count(string(source[:node.Segment.Start]), "\n")] = true
			}
		}
		return ast.WalkContinue, nil
	})
	for _, invocation := range got {
		if !lines[invocation.Line] && invocation.Verb != Doubtful {
			t.Fatalf("line %d of %q shows differently", invocation.Line, markdown)
		}
		delete(lines, invocation.Line)
	}
	if certain(got) != nil {
		var page strings.Builder
		if err := gfm.Renderer().Render(&page, source, document); err != nil {
			t.Fatal(err)
		}
		if verb := hidden(got, shownOn(t, page.String())); verb != "" {
			t.Fatalf("%s of %q runs, but the page is\n%s", verb, markdown, page.String())
		}
	}
	if mayBeTooDeep(source) || strings.Contains(markdown, strings.Repeat("`", longestFence)) || len(markdown) > 250 || cautiousAbout.Match(source) {
		return
	}
	for line := range lines {
		_, written, _ := strings.Cut("\n"+strings.ToLower(strings.Split(string(source), "\n")[line-1]), "/colony")
		if invocationLine.MatchString(command + written) {
			t.Fatalf("line %d of %q is missing", line, markdown)
		}
	}
}

// mayBeTooDeep reports whether Parse may have taken some block's marker for text.
func mayBeTooDeep(source []byte) bool {
	markers := 0
	for _, c := range source {
		if strings.IndexByte(">-+*.)[", c) >= 0 {
			markers++
		}
	}
	return markers > maxNesting
}

// paragraphOf returns the top-level paragraph that a node is in, or nil.
func paragraphOf(node ast.Node) ast.Node {
	for ; node != nil; node = node.Parent() {
		if node.Kind() == ast.KindParagraph && node.Parent().Kind() == ast.KindDocument {
			return node
		}
	}
	return nil
}
