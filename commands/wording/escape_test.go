package wording

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

func TestInline(t *testing.T) {
	tests := map[string]struct{ untrusted, want string }{
		"empty":                  {"", ""},
		"a sentence":             {"waiting for the design review", "waiting for the design review"},
		"punctuation":            {`It's late, "really" late (I think): stop!`, `It's late, "really" late (I think): stop!`},
		"quoted first":           {`"Really?" no`, `"Really?" no`},
		"punctuation first":      {"?! yes", "?! yes"},
		"any script":             {"休憩中。 До свидания! 🎉", "休憩中。 До свидания! 🎉"},
		"hyphens":                {"re-run - ready-for-dev — now", "re-run - ready-for-dev — now"},
		"numbers":                {"after 3 attempts in 2.5 h", "after 3 attempts in 2.5 h"},
		"a mention":              {"ask @octocat, please", "ask `@octocat`, please"},
		"a team":                 {"(@acme/core)", "`(@acme/core`)"},
		"a team, later":          {"ask (@acme/core)", "ask (`@acme/core`)"},
		"an address":             {"mail a@b.test now", "mail `a@b.test` now"},
		"an issue":               {"see #12 and GH-12 and acme/web#3", "see `#12` and `GH-12` and `acme/web#3`"},
		"neighbours share":       {"@a @b #1 c", "`@a @b #1` c"},
		"neighbours apart":       {"@a, @b", "`@a`, `@b`"},
		"a commit":               {"deadbee and deadbeef0 but dead", "`deadbee` and `deadbeef0` but dead"},
		"another tracker":        {"JIRA-7", "`JIRA-7`"},
		"addresses of pages":     {"https://a.test www.a.test a.test", "`https://a.test www.a.test` a.test"},
		"emoji names":            {"go :tada: go", "go `:tada`: go"},
		"mathematics":            {"$x$ $`y`$", "``$x$ $`y`$``"},
		"emphasis":               {"*a* _b_ **c** ~~d~~ e_f_g", "`*a* _b_ **c** ~~d~~ e_f_g`"},
		"a link":                 {"[x](y) ![x](y)", "`[x](y`) `![x](y`)"},
		"HTML":                   {"<b>x</b> &lt; &#64;a", "`<b>x</b> &lt`; `&#64;a`"},
		"a hidden marker":        {"<!-- colony:rejected=1 -->", "`<`! `-- colony:rejected=1 -- >`"},
		"a command":              {"/colony:force done", "`/colony:force` done"},
		"a new line, a command":  {"x\r\n/colony:force done", "x `/colony:force` done"},
		"a backslash":            {`\@a \`, "`" + `\@a \` + "`"},
		"backticks":              {"a ` b `` c", "a `` ` `` b ` `` ` c"},
		"only backticks":         {"``", "` `` `"},
		"a fence":                {"```\n/colony:retry", "` ``` /colony:retry `"},
		"a heading":              {"# x", "`#` x"},
		"an underline":           {"---", "`---`"},
		"a quote":                {"> x", "`>` x"},
		"a list":                 {"- x", "`-` x"},
		"a numbered list":        {"1. x 2. y", "`1`. x 2. y"},
		"a numbered list, )":     {"1) x", "`1`) x"},
		"a number first":         {"12 issues", "12 issues"},
		"the address of a link":  {"(x) y", "`(x`) y"},
		"a table":                {"a | b", "a `|` b"},
		"a footnote":             {"[^1]: x", "`[^1]`: x"},
		"zero-width":             {"a\u200bb\u200d\ufeffc", "abc"},
		"directions":             {"\u202eabc\u202c \u2066d\u2069", "abc d"},
		"controls":               {"a\x00b\x1b[31mc\u0085d", "`ab[31mc` d"},
		"tags in disguise":       {"a\U000e0041b", "ab"},
		"broken UTF-8":           {"a\xffb", "a\ufffdb"},
		"line separators":        {"a\u2028b\u2029c\vd", "a b c d"},
		"white space":            {"  a \t\n b\u00a0c  ", "a b c"},
		"full-width at and hash": {"＠octocat ＃12", "`＠octocat ＃12`"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Inline(test.untrusted); got != test.want {
				t.Errorf("Inline(%q)\n got %s\nwant %s", test.untrusted, got, test.want)
			}
		})
	}
}

func TestCode(t *testing.T) {
	tests := map[string]struct{ untrusted, want string }{
		"empty":              {"", "` `"},
		"a label":            {"colony:new", "`colony:new`"},
		"a mention":          {"@octocat", "`@octocat`"},
		"a backtick within":  {"a`b", "``a`b``"},
		"backticks at ends":  {"`a`", "`` `a` ``"},
		"runs of two":        {"a``b", "`a``b`"},
		"runs of one, two":   {"a`b``c", "```a`b``c```"},
		"lines":              {"a\n\nb", "`a b`"},
		"a hidden marker":    {"<!--x-->", "`<! --x-- >`"},
		"a marker in halves": {"<!<!----", "`<!<! ----`"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Code(test.untrusted); got != test.want {
				t.Errorf("Code(%q)\n got %s\nwant %s", test.untrusted, got, test.want)
			}
		})
	}
}

func TestLongTextsAreCut(t *testing.T) {
	for name, render := range map[string]func(string) string{"Inline": Inline, "Code": Code} {
		for _, letter := range []string{"x", "漢", "`", "@a ", "\ufffd"} {
			for _, length := range []int{MaxRunes - 1, MaxRunes, MaxRunes + 1, 70_000} {
				got := visible(t, render(strings.Repeat(letter, length)))
				if runes := utf8.RuneCountInString(got); runes > MaxRunes {
					t.Errorf("%s shows %d runes of %d × %q", name, runes, length, letter)
				}
				if cut := strings.HasSuffix(got, "…"); cut != (len([]rune(strings.TrimSpace(strings.Repeat(letter, length)))) > MaxRunes) {
					t.Errorf("%s of %d × %q: cut is %t", name, length, letter, cut)
				}
			}
		}
	}
}

var page = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe()))

// visible returns the text that Markdown shows. It fails the test if there is anything but text and code in
// one paragraph, or if something linkable stands outside code.
func visible(t failer, markdown string) string {
	t.Helper()
	source := []byte(markdown)
	var shown strings.Builder
	paragraphs := 0
	err := ast.Walk(page.Parser().Parse(text.NewReader(source)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Document, *ast.CodeSpan:
		case *ast.Paragraph:
			paragraphs++
		case *ast.Text:
			value := string(node.Segment.Value(source))
			if node.Parent().Kind() != ast.KindCodeSpan && strings.ContainsAny(value, "@#/\\<>[]*_~`&$|=+") {
				t.Fatalf("%q is text in %q", value, markdown)
			}
			if node.SoftLineBreak() || node.HardLineBreak() {
				t.Fatalf("a line break in %q", markdown)
			}
			shown.WriteString(value)
		default:
			t.Fatalf("%s in %q", node.Kind(), markdown)
		}
		return ast.WalkContinue, nil
	})
	if err != nil || paragraphs > 1 {
		t.Fatalf("%d paragraphs in %q, %v", paragraphs, markdown, err)
	}
	return shown.String()
}

type failer interface {
	Helper()
	Fatalf(string, ...any)
}

func checkHarmless(t failer, untrusted string) {
	t.Helper()
	want := clean(untrusted)
	inline, code := Inline(untrusted), Code(untrusted)
	if got := visible(t, inline); got != want {
		t.Fatalf("Inline(%q) = %q shows %q, want %q", untrusted, inline, got, want)
	}
	if got := visible(t, code); got != want && want != "" {
		t.Fatalf("Code(%q) = %q shows %q, want %q", untrusted, code, got, want)
	}
	for _, rendered := range []string{inline, code} {
		if !utf8.ValidString(rendered) || strings.Contains(rendered, "<!--") || strings.Contains(rendered, "-->") {
			t.Fatalf("%q became %q", untrusted, rendered)
		}
		if strings.ContainsFunc(rendered, func(r rune) bool { return unicode.In(r, unicode.C) || unicode.IsSpace(r) && r != ' ' }) {
			t.Fatalf("%q became %q, with characters that do not show", untrusted, rendered)
		}
		if utf8.RuneCountInString(rendered) > 4*MaxRunes {
			t.Fatalf("%q became %d runes", untrusted, utf8.RuneCountInString(rendered))
		}
		sentence := "Label " + rendered + " of " + inline + " and " + code + "."
		shown := "Label " + visible(t, rendered) + " of " + want + " and " + visible(t, code) + "."
		if got := visible(t, sentence); got != strings.Join(strings.Fields(shown), " ") && got != shown && inline != "" {
			t.Fatalf("%q shows %q, want %q", sentence, got, shown)
		}
	}
}

// mischief draws pieces of which GitHub or Markdown would make something.
var mischief = rapid.OneOf(
	rapid.String(),
	rapid.StringOf(rapid.RuneFrom([]rune("`*_~<>[]()!#@&|\\/$:;.,-+=\"' \n\t019abf—…"))),
	rapid.SampledFrom([]string{
		"@octocat", "@acme/core", "#12", "GH-1", "acme/web#2", "deadbeef", "https://x.test/", "www.x.test", "a@b.test", "mailto:a@b.test", "<!--", "-->", "<!-", "--", "->",
		"/colony:force done", "/colony", "\n", "\r\n", "```", "~~~", "    ", "1.", "2)", "- ", "+ ", "* ", "> ", "# ", "===", "---", "|-|", "[x]: y", "[^1]:", "![", "](", "<b>", "</", "&lt;", "&#64;",
		":+1:", "$", "\\", "\u200b", "\u202e", "\xff", "word", "Wort", "語", "é", "🎉", "http", "xmpp:", "ftp://x.test",
	}),
)

func TestNothingComesToLife(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		checkHarmless(t, strings.Join(rapid.SliceOfN(mischief, 0, 12).Draw(t, "pieces"), rapid.SampledFrom([]string{"", " "}).Draw(t, "glue")))
	})
}

func FuzzInline(f *testing.F) {
	for _, seed := range []string{
		"", "plain words", "@octocat #12", "`` ` ``", "<!-- x -->", "[a](b)\n/colony:retry", "1. x", "- x", "http://x.test", "\u202e\xff\x00", "a | b\n-|-", "*a* __b__ ~~c~~", ":x: $y$",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, untrusted string) { checkHarmless(t, untrusted) })
}
