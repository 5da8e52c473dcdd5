package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

func TestParseReadsTheLine(t *testing.T) {
	tests := map[string]struct {
		line string
		want Invocation
	}{
		"colon":                        {"/colony:retry", Invocation{Verb: "retry"}},
		"space":                        {"/colony retry", Invocation{Verb: "retry"}},
		"several spaces and a tab":     {"/colony \t retry", Invocation{Verb: "retry"}},
		"colon and space":              {"/colony: retry", Invocation{Verb: "retry"}},
		"any case":                     {"/Colony:ReTry Ready-For-Dev", Invocation{Verb: "retry", Rest: "Ready-For-Dev"}},
		"three spaces before":          {"   /colony:retry", Invocation{Verb: "retry"}},
		"bare":                         {"/colony", Invocation{Verb: "help"}},
		"bare with colon":              {"/colony:", Invocation{Verb: "help"}},
		"bare with colon and space":    {"/colony: ", Invocation{Verb: "help"}},
		"bare with question mark":      {"/colony?", Invocation{Verb: "help"}},
		"digits and hyphens":           {"/colony:depends-on-2 #12", Invocation{Verb: "depends-on-2", Rest: "#12"}},
		"full stop":                    {"/colony:retry.", Invocation{Verb: "retry"}},
		"comma":                        {"/colony:retry, please", Invocation{Verb: "retry", Rest: "please"}},
		"second colon":                 {"/colony:pause: on leave", Invocation{Verb: "pause", Rest: "on leave"}},
		"end of emphasis":              {"/colony:retry**", Invocation{Verb: "retry"}},
		"unknown verbs are read":       {"/colony is great", Invocation{Verb: "is", Rest: "great"}},
		"longest verb":                 {"/colony:" + strings.Repeat("a", 64), Invocation{Verb: strings.Repeat("a", 64)}},
		"double quotes":                {`/colony:force done "by hand" now`, Invocation{Verb: "force", Rest: `done "by hand" now`}},
		"single quotes":                {`/colony:force done 'by  hand'`, Invocation{Verb: "force", Rest: `done 'by  hand'`}},
		"broken quotes":                {`/colony:pause I don't know`, Invocation{Verb: "pause", Rest: "I don't know"}},
		"trailing backslash":           {`/colony:pause why\`, Invocation{Verb: "pause", Rest: `why\`}},
		"inner spaces of a reason":     {"/colony:pause  a   b ", Invocation{Verb: "pause", Rest: "a   b"}},
		"shell operators are words":    {"/colony:pause a; b | c && (d) > e < f", Invocation{Verb: "pause", Rest: "a; b | c && (d) > e < f"}},
		"no variables, no commands":    {"/colony:pause $HOME $(id) ${PATH} `id`", Invocation{Verb: "pause", Rest: "$HOME $(id) ${PATH} `id`"}},
		"a hash is no shell comment":   {"/colony:depends-on #1 # 2", Invocation{Verb: "depends-on", Rest: "#1 # 2"}},
		"state in backticks":           {"/colony:move `ready-for-dev` done", Invocation{Verb: "move", Rest: "`ready-for-dev` done"}},
		"no-break spaces":              {"/colony:move\u00a0done\u00a0now", Invocation{Verb: "move", Rest: "done\u00a0now"}},
		"any script in a reason":       {"/colony:pause 休憩 ☕", Invocation{Verb: "pause", Rest: "休憩 ☕"}},
		"comment after the verb":       {"/colony:retry<!-- later -->", Invocation{Verb: "retry"}},
		"comment over several lines":   {"/colony:move <!-- b\n/colony:c\n--> done <!--d\n-->x", Invocation{Verb: "move", Rest: "done x"}},
		"comments within the reason":   {"/colony:pause a<!-- b -->c <!-- d --> e", Invocation{Verb: "pause", Rest: "ac  e"}},
		"other tags stay":              {"/colony:pause a <b>c</b>", Invocation{Verb: "pause", Rest: "a <b>c</b>"}},
		"byte order mark":              {"\ufeff/colony:retry", Invocation{Verb: "retry"}},
		"NUL":                          {"/colony:pause a\x00b", Invocation{Verb: "pause", Rest: "a\ufffdb"}},
		"broken UTF-8":                 {"/colony:pause a\xffb", Invocation{Verb: "pause", Rest: "a\ufffdb"}},
		"trailing spaces (hard break)": {"/colony:retry  ", Invocation{Verb: "retry"}},
		"trailing code span of a word": {"/colony:pause see `a b`", Invocation{Verb: "pause", Rest: "see `a b`"}},
		"an @ in the reason is kept":   {"/colony:block ask @octocat", Invocation{Verb: "block", Rest: "ask @octocat"}},
		"a link in the reason is kept": {"/colony:block see [this](https://x.test)", Invocation{Verb: "block", Rest: "see [this](https://x.test)"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.want.Line = 1
			if diff := cmp.Diff([]Invocation{test.want}, Parse(test.line)); diff != "" {
				t.Errorf("Parse(%q) (-want +got):\n%s", test.line, diff)
			}
		})
	}
}

func TestParseLeavesProseAlone(t *testing.T) {
	for _, line := range []string{
		"", "retry", "a /colony:retry", ". /colony:retry", "@colony retry", "/ colony retry", "//colony:retry",
		"/colonyfoo", "/colony-retry", "/colony_retry", "/colony/retry", "/colony.yml is missing", "/colony/", "/colony2", "colony:retry",
		`\/colony:retry`, "&#47;colony:retry", "**/colony:retry**", "(/colony:retry)", "~~/colony:retry~~",
		"/colony:re_try", "/colony:re.try", "/colony:retry/now", "/colony:retry@home", "/colony:-retry", "/colony --help", "/colony:retry-",
		"/colony:" + strings.Repeat("a", 65),
		"/сolony:retry" /* Cyrillic es */, "/colony:rеtry" /* Cyrillic ie */, "/colony:ſtatus" /* folds to s */, "/colony:bloc\u212a", /* Kelvin */
		"/ｃｏｌｏｎｙ:retry", "／colony:retry", "/colony：retry", "/colony:rétry",
		"\u200b/colony:retry", "/\u200bcolony:retry", "/colony\u200b:retry", "/colony:\u200bretry", "/colony:re\u200dtry", "/colony:retry\u200b", "\u202e/colony:retry",
		"\u00a0/colony:retry", "\v/colony:retry",
	} {
		if got := Parse(line); got != nil {
			t.Errorf("Parse(%q) = %+v, want none", line, got)
		}
	}
}

// The number in a command is the line on which it is expected to be found; those without one must not be.
func TestParseKnowsMarkdown(t *testing.T) {
	tests := map[string]struct {
		markdown string
		lines    []int
	}{
		"first line":                           {"/colony:a\ntext", []int{1}},
		"last line of a paragraph":             {"text\ntext\n/colony:a", []int{3}},
		"several, in order":                    {"/colony:a\n/colony:b\n\ntext\n\n/colony:c", []int{1, 2, 6}},
		"the same twice":                       {"/colony:a\n/colony:a", []int{1, 2}},
		"Windows line endings":                 {"text\r\n\r\n/colony:a b\r\n/colony:c\r\n", []int{3, 4}},
		"old Macintosh line endings":           {"text\r\r/colony:a b\r/colony:c", []int{3, 4}},
		"after a hard break":                   {"text\\\n/colony:a\ntext  \n/colony:b", []int{2, 4}},
		"continued line, three spaces":         {"text\n   /colony:a", []int{2}},
		"continued line, four spaces":          {"text\n    /colony:a", nil},
		"continued line, tab":                  {"text\n\t/colony:a", nil},
		"inside emphasis begun before":         {"*text\n/colony:a\ntext*", []int{2}},
		"indented code":                        {"    /colony:a", nil},
		"indented code, tab":                   {"text\n\n\t/colony:a", nil},
		"mathematics":                          {"$$\n/colony:a\n$$\n/colony:b", []int{4}},
		"mathematics in a paragraph":           {"text $$x\n/colony:a\n/colony:b\nx$$\n/colony:c", []int{5}},
		"mathematics in emphasis":              {"*text* $$x *y*\n/colony:a\n**$$**\n/colony:b", []int{4}},
		"mathematics, escaped":                 {"text \\$$\n/colony:a\n$$", []int{2}},
		"mathematics, in code":                 {"text `$$`\n/colony:a\n`$$`", []int{2}},
		"mathematics, without an end":          {"$$\n/colony:a\n\n$$\n\n/colony:b", []int{2, 6}},
		"two dollars on one line":              {"text $$x$$\n/colony:a", []int{2}},
		"one dollar":                           {"it costs $5\n/colony:a\nor $6", []int{2}},
		"fenced mathematics":                   {"```math\n/colony:a\n```\n/colony:b", []int{4}},
		"fenced code":                          {"```\n/colony:a\n```\n/colony:b", []int{4}},
		"fenced code, tildes":                  {"~~~ text\n/colony:a\n~~~\n/colony:b", []int{4}},
		"fence within a longer fence":          {"````\n```\n/colony:a\n```\n/colony:a\n````", nil},
		"fence never closed":                   {"```\n\n/colony:a\n\n/colony:b", nil},
		"fence interrupts a paragraph":         {"text\n```\n/colony:a\n```", nil},
		"code span over lines":                 {"see `foo\n/colony:a\nbar`\n/colony:b", []int{4}},
		"code span over lines, two ticks":      {"see ``foo ` bar\n/colony:a\nbar``", nil},
		"lone backtick opens nothing":          {"see `foo\n/colony:a", []int{2}},
		"block quote":                          {"> /colony:a\n\n/colony:b", []int{3}},
		"block quote, lazy line":               {"> text\n/colony:a", nil},
		"quoted code ends with the quote":      {"> ```\n/colony:a", []int{2}},
		"email reply above":                    {"/colony:a\n\nOn Monday Ann wrote:\n> /colony:b\n>> /colony:c\n", []int{1}},
		"email reply below":                    {"> /colony:b\n> text\n\n/colony:a", []int{4}},
		"alert":                                {"> [!NOTE]\n> /colony:a", nil},
		"list item":                            {"- /colony:a\n* /colony:a\n+ /colony:a\n1. /colony:a\n2) /colony:a", nil},
		"list item, continued":                 {"- text\n  /colony:a\n\n  /colony:a", nil},
		"list item, lazy line":                 {"- text\n/colony:a", nil},
		"after a list":                         {"- text\n\n/colony:a", []int{3}},
		"task list":                            {"- [ ] /colony:a\n- [x] text\n  /colony:a", nil},
		"heading":                              {"# /colony:a\n/colony:b", []int{2}},
		"heading, underlined":                  {"/colony:a\n---\n/colony:b\n===", nil},
		"after an underlined heading":          {"text\n---\n/colony:a", []int{3}},
		"between rules":                        {"***\n/colony:a\n***", []int{2}},
		"table":                                {"a | b\n--|--\n/colony:a | x\n/colony:a", nil},
		"table header":                         {"/colony:a | b\n--|--\nx | y", nil},
		"table in fenced code":                 {"```\na|b\n-|-\n```\n/colony:a", []int{5}},
		"table in HTML":                        {"<div>\na|b\n-|-\n</div>\n\n/colony:a", []int{6}},
		"table of one column":                  {"text\n/colony:a\n|-|\n/colony:b\n\n/colony:c", []int{6}},
		"table with a lone backtick":           {"text\n` a|b\n-|-\n/colony:a | x\n\n/colony:b", []int{6}},
		"above a table":                        {"/colony:a\na | b\n--|--\nx | y\n\n/colony:b", []int{1, 6}},
		"HTML block":                           {"<div>\n/colony:a\n</div>\n\n/colony:b", []int{5}},
		"HTML comment":                         {"<!--\n/colony:a\n\n/colony:a\n-->\n/colony:b", []int{6}},
		"HTML comment on one line":             {"<!-- text -->\n/colony:a", []int{2}},
		"HTML comment within a paragraph":      {"text <!-- a\n/colony:a\n--> text\n/colony:b", []int{4}},
		"HTML comment never closed":            {"<!-- text\n\n/colony:a", nil},
		"HTML comment begun by a command":      {"/colony:a x <!-- y\n/colony:b\n-->", []int{1}},
		"HTML comment, a form's placeholder":   {"### Steps\n\n<!-- write\n/colony:a here -->\n\n/colony:b", []int{6}},
		"attribute over lines":                 {"text <a title=\"\n/colony:a\n\">x</a>\n/colony:b", []int{4}},
		"preformatted":                         {"<pre>\n/colony:a\n\n/colony:a\n</pre>\n\n/colony:b", []int{7}},
		"details":                              {"<details>\n<summary>Log</summary>\n\n/colony:a\n\n</details>\n\n/colony:b", []int{8}},
		"details, nested":                      {"<details>\n\n<details>\n\n</details>\n\n/colony:a\n\n</details>\n\n/colony:b", []int{11}},
		"details never closed":                 {"<details>\n\ntext\n\n/colony:a", nil},
		"details, any case and attributes":     {"<DETAILS open\nclass='x'>\n\n/colony:a\n\n</Details >\n\n/colony:b", []int{8}},
		"details named in code":                {"`<details>` and\n\n```\n<details>\n```\n\n/colony:a", []int{7}},
		"details within a comment":             {"<!-- <details> -->\n\n/colony:a", []int{3}},
		"less than, in HTML":                   {"<details>\n<3 < 4 <\n\n/colony:a\n\n</details>\n\n/colony:b", []int{8}},
		"HTML block quote":                     {"<blockquote>\n\n/colony:a\n\n</blockquote>\n\n/colony:b", []int{7}},
		"left open within what is closed":      {"<details>\n\n<ul>\n\n</details>\n\n/colony:a", nil},
		"closing what was not opened":          {"</details>\n\n/colony:a", []int{3}},
		"struck by HTML over lines":            {"text <del>x\n/colony:a\n</del>\n/colony:b", []int{4}},
		"other elements hide nothing":          {"text <b>x\n/colony:a</b>\n\n<div>\n\n/colony:b\n\n</div>", []int{6}},
		"struck":                               {"~~text\n/colony:a\ntext~~\n/colony:b", []int{4}},
		"struck up to an escaped tilde":        {"~text\n/colony:a\n\\~~\n\n/colony:b", []int{5}},
		"footnote, its text far to the right":  {"[^1]:      text\n/colony:a\n\n/colony:b", []int{4}},
		"table that dashes go on":              {"a|b\n-|-\n--\n/colony:a\n\n/colony:b", []int{6}},
		"empty item above a line of spaces":    {"*\n  \n   /colony:a\n/colony:b\n\n/colony:c", []int{6}},
		"list item in an empty one, far below": {"* *\n\n\n   /colony:a\n\n/colony:b", []int{6}},
		"indented below a list in a quote":     {">*\ntext\n\n   /colony:a", []int{4}},
		"list, then an indented line":          {"- a\n\n- b\n\n /colony:a\n\n/colony:b", []int{7}},
		"link text":                            {"[text\n/colony:a](/x)\n/colony:b", []int{3}},
		"link address":                         {"[text](\n/colony:a\n)", nil},
		"link title":                           {"[text](/x 'title\n/colony:a\n')", nil},
		"image text":                           {"![text\n/colony:a\n](/x)", nil},
		"reference, used before":               {"[text\n/colony:a]\n\n[text /colony:a]: /x", nil},
		"brackets that are no link":            {"[text\n/colony:a\n]", []int{2}},
		"link reference definition":            {"[x]: /x '\n/colony:a\n'\n/colony:b", []int{4}},
		"link reference, address below":        {"[x]:\n/colony:a", nil},
		"footnote":                             {"text[^1]\n\n[^1]: text\n/colony:a\n\n    /colony:a\n\n/colony:b", []int{8}},
		"line numbers after everything":        {"a\n\n```\n\n```\n\n> q\n\n- l\n\n<!--\n\n-->\n\n/colony:a", []int{15}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var lines []int
			for _, invocation := range certain(Parse(test.markdown)) {
				lines = append(lines, invocation.Line)
			}
			if diff := cmp.Diff(test.lines, lines); diff != "" {
				t.Errorf("lines with commands in %q (-want +got):\n%s", test.markdown, diff)
			}
		})
	}
}

// doubts are texts in which what a page shows below their HTML depends on who reads it, or is not what it seems.
var doubts = []string{
	"><!--<![CDATA[\n/COLONY:v1", "* <s>\n/colony:v1\n", "<details>\n\ntext\n\n/colony:v1", "> <details>\n\n/colony:v1", "- <!-- x\n\n/colony:v1", "# <s>\n/colony:v1", "a|b\n-|-\n<s>|x\n\n/colony:v1",
	"text[^0]\n\n[^0]: <s>\n\n/colony:v1", "<div title=\"\n\n/colony:v1\n\n\">", "<details>\n\n> </details>\n\n/colony:v1", "<details><s></details>\n\n/colony:v1", "<q><div></q>\n\n/colony:v1", "text <s>\n\n/colony:v1",
	"<del>\n\ntext </del> x\n\n/colony:v1", "<li>\n\n/colony:v1", "<svg>\n\n/colony:v1", "text <![CDATA[ x ]]>\n/colony:v1", "text <!-- a -- <s> -->\n/colony:v1", "<!-- a --!> <s> -->\n/colony:v1",
	"text <!X x>\n/colony:v1", "text <? x ?>\n/colony:v1", "<a href=x>\n\n/colony:v1", "<search>\n\n/colony:v1", "/colony:v1\n<search>\n---", "text\n<textarea></textarea>\n\n/colony:v1", "text\n<source>\n/colony:v1", "text\n<!x>\n\n/colony:v1", "</pre>\nx\n\n/colony:v1", "></s/>\n\n/colony:v1", "<script></textarea>\n\n/colony:v1", "</q>\t\nx <s title=\"\n/colony:v1\n>",
	"<details><s></details></s></details>\n\n/colony:v1", "text <!-- a--->\n/colony:v1", "a|b\n-|-\nx|<b title=\"|\">y</b>\n\n/colony:v1",
	"<s> ![</s>](x)\n\n/colony:v1", "<p><img src=\"a\"alt='b'></p>\n\n/colony:v1", "<a name=x>\n\n/colony:v1", "<select>\n\n/colony:v1", "x\n---\f\n/colony:v1", "/colony:v1 <!-- a -- b -->",
}

// A command below HTML that is not complete is found, but does not run.
func TestCommandsBelowIncompleteHTMLAreDoubtful(t *testing.T) {
	for _, markdown := range doubts {
		got := Parse(markdown)
		if len(got) != 1 || got[0].Verb != Doubtful || got[0].Line != 1+strings.Count(markdown[:strings.Index(strings.ToLower(markdown), "/colony")], "\n") || got[0].Rest != "" {
			t.Errorf("%q: %+v", markdown, got)
		}
	}
}

// HTML that is complete leaves no doubt, nor does any in what only shows it.
func TestCommandsBesideCompleteHTMLRun(t *testing.T) {
	for _, markdown := range []string{
		"<details>\n<summary>Log</summary>\n\ntext\n\n</details>\n\n/colony:v1", "text <kbd>Ctrl</kbd> <s>x</s><br>\n/colony:v1", "<p align=center><img src=\"a\" alt='b'></p>\n\n/colony:v1", "<div><b>\n\n/colony:v1",
		"- <details>\n\n  text\n\n  </details>\n\n/colony:v1", "> <s>x</s>\n\n/colony:v1", "a < b, and a<b\n/colony:v1", "replace <name>\n/colony:v1", "<!-- a -- b -->\n/colony:v1", "```\n<s>\n```\n/colony:v1", "`<s>` and \\<s>\n/colony:v1",
		"<a name=x></a>\n\n/colony:v1", "<table><tr><td>x</td></tr></table>\n\n/colony:v1", "![<s>](x)\n\n/colony:v1", "<https://x.test> <x@example.org>\n/colony:v1", "<title>\n\n/colony:v1", "</details>\n\n/colony:v1",
		"/colony:v1\n<s>", "/colony:v1 <details>", "/colony:v1\ntext <!-- a -- b -->", "# \n\n]\n> - \n/colony:v1\n~~```",
	} {
		if got := Parse(markdown); len(got) != 1 || got[0].Verb != "v1" {
			t.Errorf("%q: %+v", markdown, got)
		}
	}
}

func TestParseKeepsTheFirst(t *testing.T) {
	var body strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&body, "/colony:a%d\n", i)
	}
	got := Parse(body.String())
	if len(got) != MaxInvocations+1 {
		t.Fatalf("%d commands, want %d and that there are more", len(got), MaxInvocations)
	}
	if diff := cmp.Diff(Invocation{Verb: Excess, Line: MaxInvocations + 1}, got[MaxInvocations]); diff != "" {
		t.Errorf("what follows (-want +got):\n%s", diff)
	}
	for i, invocation := range got[:MaxInvocations] {
		if invocation.Verb != fmt.Sprint("a", i) || invocation.Line != i+1 {
			t.Errorf("command %d is %+v", i, invocation)
		}
	}
}

func TestParseSize(t *testing.T) {
	fill := func(size int) string {
		const head = "/colony:retry\n\n"
		return head + strings.Repeat("漢", size-len(head))
	}
	if got := Parse(fill(MaxBody)); len(got) != 1 {
		t.Errorf("in the largest body: %d commands, want 1", len(got))
	}
	if got := Parse(fill(MaxBody + 1)); got != nil {
		t.Errorf("in a larger body: %+v, want none", got)
	}
}

// A text beyond a limit must lose commands, never gain any.
func TestParseBeyondItsLimits(t *testing.T) {
	tests := map[string]struct {
		markdown string
		want     int
	}{
		"quotes, deep":                      {strings.Repeat(">", 1000) + " /colony:a\n/colony:b", 0},
		"quotes, deep, then a paragraph":    {strings.Repeat(">", 1000) + " /colony:a\n\n/colony:b", 1},
		"lists, deep":                       {strings.Repeat("- ", 1000) + "/colony:a\n/colony:b", 0},
		"lists, deep, then a paragraph":     {strings.Repeat("- ", 1000) + "/colony:a\n\n/colony:b", 1},
		"footnotes, deep":                   {strings.Repeat("[^a]: ", 1000) + "/colony:a\n\n/colony:b", 1},
		"many links, then a hidden line":    {strings.Repeat("[a](b) ", 1000) + "[c](/d '\n/colony:a\n')", 0},
		"many links, then a paragraph":      {strings.Repeat("[a](b) ", 1000) + "\n\n/colony:a", 1},
		"many strikes, then a struck one":   {strings.Repeat("~~a~~ ", 1000) + "~~b\n/colony:a\n~~", 0},
		"many tags, then a folding one":     {strings.Repeat("<b> ", 5000) + "<details>\n\n/colony:a", 0},
		"many definitions, then a command":  {strings.Repeat("[a]: b\n", 1000) + "/colony:a", 0},
		"many definitions with HTML":        {strings.Repeat("[a]: b\n", 1000) + "text <details>\n\n/colony:a", 0},
		"many definitions, no HTML":         {strings.Repeat("[a]: b\n", 1000) + "text\n\n/colony:a", 1},
		"as many signs as are read":         {strings.Repeat("[a]: b\n", maxMarkup/2) + "/colony:a", 1},
		"one sign more":                     {strings.Repeat("[a]: b\n", maxMarkup/2) + "/colony:a [", 0},
		"stars and underlines hide nothing": {strings.Repeat("a_b * c\n", maxMarkup) + "/colony:a", 1},
		"but with strikes they could":       {strings.Repeat("a_b * c\n", maxMarkup) + "~a\n/colony:a", 0},
		"a command above the excess":        {"/colony:a\n" + strings.Repeat("<b> ", 5000), 0},
		"a paragraph above the excess":      {"/colony:a\n\n" + strings.Repeat("<b> ", 5000), 1},
		"a long table":                      {strings.Repeat("a|", 100) + "\n" + strings.Repeat("-|", 100) + "\n" + strings.Repeat("a\n", 300) + "/colony:a\n\n/colony:b", 1},
		"backticks, more than GitHub's":     {"a" + strings.Repeat("`", 81) + "\n/colony:a\nb" + strings.Repeat("`", 81), 0},
		"backticks, as many as GitHub's":    {"a" + strings.Repeat("`", 80) + "\n/colony:a\nb" + strings.Repeat("`", 80) + "\n/colony:b", 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := certain(Parse(test.markdown)); len(got) != test.want {
				t.Errorf("%d commands, want %d", len(got), test.want)
			}
		})
	}
}

// No matter what surrounds it, a command that stands alone between empty lines after ordinary prose is found, and
// its line is right.
func TestParseFindsEveryCommandBetweenProse(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		blocks := rapid.SliceOfN(rapid.SampledFrom([]string{
			"prose", "two\nlines", "# heading", "> quote", "- item\n- item", "```\n/colony:no\n```", "a|b\n-|-\n1|2", "<!-- /colony:no -->", "<div>\n/colony:no\n</div>",
			"    /colony:no", "[x]: /y", "text[^n]", "[^n]: /colony:no", "***", "<details>\n\n/colony:no\n\n</details>", "`/colony:no`", "é 漢\r\n字",
		}), 0, 24).Draw(t, "blocks")
		var body strings.Builder
		var want []Invocation
		line := 1
		write := func(block string) {
			body.WriteString(block + "\n\n")
			line += strings.Count(block, "\n") + 2
		}
		for i, block := range blocks {
			write(block)
			// An indented line would be taken into a list or a footnote; a paragraph at the margin is not.
			switch n := len(want); {
			case n < MaxInvocations:
				want = append(want, Invocation{Verb: fmt.Sprint("v", i), Line: line})
			case n == MaxInvocations:
				want = append(want, Invocation{Verb: Excess, Line: line})
			}
			write(fmt.Sprint("/colony:v", i))
		}
		if diff := cmp.Diff(want, Parse(body.String())); diff != "" {
			t.Fatalf("%q (-want +got):\n%s", body.String(), diff)
		}
	})
}
