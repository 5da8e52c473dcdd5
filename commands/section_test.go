package commands

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFilesIn(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want []string
	}{
		"a list in code":           {"## Planned files\n\n- `lifecycle/fact.go`: a row\n- `docs/`\n\n## Other\n\n`not.go`", []string{"lifecycle/fact.go", "docs/"}},
		"a list":                   {"## Planned files\n\n1. ./main.go, README.md.\n2. (cli/init.go)", []string{"main.go", "README.md", "cli/init.go"}},
		"boxes":                    {"## Planned files\n\n- [ ] a.go\n- [x] b.go\n", []string{"a.go", "b.go"}},
		"a block of code":          {"## Planned files\n```\na/b.go\nMakefile\n.env\n```\n", []string{"a/b.go", ".env"}},
		"a table":                  {"## Planned files\n\n| file | why |\n|---|---|\n| `a.go` | it |\n", []string{"a.go"}},
		"a file that is in twice":  {"## Planned files\na.go\n\n## Files\nb.go a.go", []string{"a.go", "b.go"}},
		"below a heading":          {"## Planned files\n\n### Go\n\na.go\n", []string{"a.go"}},
		"another section":          {"## Planned changes\n\na.go\n", nil},
		"in a quote":               {"> ## Planned files\n>\n> a.go\n", nil},
		"words only":               {"## Planned files\n\nNone, I think.\n", nil},
		"no response":              {"## Planned files\n\n_No response_\n", nil},
		"no section":               {"a.go", nil},
		"too many":                 {"## Files\n\n" + strings.Repeat("- a/b\n", 10) + "- c.go\n", []string{"a/b", "c.go"}},
		"a comment that shows not": {"## Files\n\n<!-- a.go -->\n", nil},
	} {
		if got := FilesIn(row.text, "Planned files", "FILES"); !slices.Equal(got, row.want) {
			t.Errorf("%s: %q, want %q", name, got, row.want)
		}
	}
	var many strings.Builder
	for n := range maxFiles + 1 {
		fmt.Fprintf(&many, "%d.go ", n)
	}
	if got := FilesIn("# Files\n"+many.String(), "Files"); len(got) != maxFiles {
		t.Errorf("%d files", len(got))
	}
}

func TestFilledIn(t *testing.T) {
	for name, row := range map[string]struct {
		text string
		want bool
	}{
		"a form":                        {"### What\n\nIt breaks\n\n### Steps\n\n1. start it\n\n### Version\n\n1.2", true},
		"the last section":              {"### What\n\nIt breaks\n\n### Steps\n\nstart it", true},
		"no section":                    {"### What\n\nIt breaks", false},
		"no text":                       {"", false},
		"no response":                   {"### Steps\n\n_No response_\n\n### Version\n\n1.2", false},
		"no response is quoted":         {"### Steps\n\nThe form said _No response_\n", true},
		"empty":                         {"### Steps\n\n### Version\n\n1.2", false},
		"blank":                         {"### Steps\n\n \t \n\n\u200b\n\n### Version", false},
		"an entity for a space":         {"### Steps\n\n<p>\u200b</p>\n", false},
		"a comment":                     {"### Steps\n\n<!-- write them here -->\n\n### Version\n\n1.2", false},
		"a comment over lines":          {"### Steps\n\n<!-- write\n\n### Steps\n\nhere -->\n\n### Version\n\n1.2", false},
		"a comment without an end":      {"### Steps\n\n<!-- write\n\nhere", false},
		"a comment in a line":           {"### Steps\n\nstart <!-- how? --> it", true},
		"only comments in a line":       {"### Steps\n\n<!-- a --> <!-- b -->", false},
		"text behind a comment":         {"### Steps\n\n<!-- a -->\nstart it", true},
		"a comment in code":             {"### Steps\n\n`<!-- a -->`", true},
		"a section in a comment":        {"<!--\n### Steps\n\nstart it\n-->\n", false},
		"a section in code":             {"```\n### Steps\n\nstart it\n```\n", false},
		"a section in a quote":          {"> ### Steps\n>\n> start it\n", false},
		"code":                          {"### Steps\n\n```sh\nmake\n```\n", true},
		"code without a line":           {"### Steps\n\n```sh\n\n```\n", false},
		"a list":                        {"### Steps\n\n- start it\n", true},
		"an empty list":                 {"### Steps\n\n- \n- \n", false},
		"boxes that nobody ticked":      {"### Steps\n\n- [ ] I read them\n- [ ] all\n", false},
		"a box":                         {"### Steps\n\n- [ ] I read them\n- [X] all\n", true},
		"a table":                       {"### Steps\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", true},
		"a line":                        {"### Steps\n\n---\n", false},
		"a picture":                     {"### Steps\n\n![](https://x.test/a.png)\n", true},
		"words in HTML":                 {"### Steps\n\n<p>start it</p>\n", true},
		"words in HTML in a line":       {"### Steps\n\nsee <b>\u200b</b>", true},
		"a film":                        {"### Steps\n\n<video src=\"a.mp4\">\n", true},
		"a picture in a line":           {"### Steps\n\n\u200b <img src=\"a.png\"/>\n", true},
		"raw text that is shown":        {"### Steps\n\n<div><title><!-- a --></title></div>\n", false},
		"too many links, too long":      {"### Steps\n\n" + strings.Repeat("[", 300), true},
		"a ticked box in a paragraph":   {"### Steps\n\n[ ] all\n", true},
		"a picture in HTML":             {"### Steps\n\n<img src=\"a.png\">\n", true},
		"a link":                        {"### Steps\n\n<https://x.test>\n", true},
		"tags alone":                    {"### Steps\n\n<details><summary></summary></details>\n", false},
		"folded":                        {"### Steps\n\n<details>\n\nstart it\n\n</details>\n", true},
		"another level":                 {"# Steps\nstart it", true},
		"underlined":                    {"Steps\n=====\nstart it", true},
		"another case, marks, spaces":   {"###   **STEPS**  ###\nstart it", true},
		"a subsection":                  {"## Steps\n\n### First\n\nstart it\n\n## Version\n", true},
		"only the names of subsections": {"## Steps\n\n### First\n\n### Second\n\n## Version\n", false},
		"a section above":               {"### Steps\n\n## Other\n\nstart it", false},
		"a longer name":                 {"### Steps to take\n\nstart it", false},
		"a paragraph of that name":      {"Steps\n\nstart it", false},
		"twice, the second filled in":   {"### Steps\n\n_No response_\n\n### Steps\n\nstart it", true},
		"twice, the first filled in":    {"### Steps\n\nstart it\n\n### Steps\n\n_No response_", true},
		"old line ends":                 {"### Steps\r\n\r\n_No response_\r\n\r\n### Version\r\n", false},
		"too long":                      {"### Steps\n\n" + strings.Repeat("a", MaxBody), false},
	} {
		if got := FilledIn(row.text, "steps"); got != row.want {
			t.Errorf("%s: %t\n%s", name, got, row.text)
		}
	}
	if !FilledIn("### Which `colony` version?\n\n1", "Which `colony` version?") {
		t.Error("a name with code")
	}
	if FilledIn("### \n\ntext", "") {
		t.Error("a section without a name")
	}
}

// FuzzFilledIn checks that no text stops it or takes long, and that what is appended to a filled section leaves it filled.
func FuzzFilledIn(f *testing.F) {
	for _, text := range []string{
		"### Steps\n\nstart it", "### Steps\n\n_No response_", "### Steps\n<!--", "### Steps\n\n- [ ] a\n  - [x] b", "# Steps\n> ```\n", "Steps\n---\n<p>",
		"### Steps\n\n|a|\n|-|\n|b|", strings.Repeat("### Steps\n", 50), strings.Repeat("> ", 50) + "### Steps", "### Steps\n\n[a]: <b> 'c'\n[a]",
	} {
		f.Add(text)
	}
	for _, bomb := range bombs(2000) {
		f.Add("### Steps\n\n" + bomb)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filled := FilledIn(text, "Steps")
		if !FilledIn("# Steps\n\nsaid\n\n# Other\n\n"+text, "Steps") && len(text) < 1000 {
			t.Error("a section that was filled in is not")
		}
		if FilledIn(text, "steps") != filled {
			t.Error("case counts")
		}
	})
}

// BenchmarkFilledInBombs is BenchmarkParseBombs for sections.
func BenchmarkFilledInBombs(b *testing.B) {
	const size = 64_000
	const name = "### Steps\n\n"
	took := func(text string) float64 {
		best := math.Inf(1)
		for range 5 {
			start := time.Now()
			FilledIn(name+text, "Steps")
			best = min(best, time.Since(start).Seconds())
		}
		return best
	}
	prose := took(plain(size))
	quarter := bombs(size / 4)
	for bomb, text := range bombs(size) {
		b.Run(bomb, func(b *testing.B) {
			for b.Loop() {
				FilledIn(name+text, "Steps")
			}
			whole := took(text)
			b.ReportMetric(whole/prose, "x-prose")
			b.ReportMetric(whole/took(quarter[bomb]), "x-growth")
		})
	}
}

// The name of a section can stand on two lines.
func TestFilledInBelowANameOnTwoLines(t *testing.T) {
	for _, heading := range []string{"Steps to\ntake\n=====\n", "Steps to  \ntake\n=====\n", "Steps to\\\ntake\n=====\n"} {
		if !FilledIn(heading+"\nstart it", "steps to take") {
			t.Errorf("%q is not found", heading)
		}
	}
}
