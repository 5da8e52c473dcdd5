package commands

import (
	"math"
	"strings"
	"testing"
	"time"
)

// bombs are texts of about size bytes that are known to make Markdown parsers slow. Each holds a command, as
// without one nothing is parsed at all.
func bombs(size int) map[string]string {
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	half := func(s string) string { return strings.Repeat(s, size/2/len(s)) }
	growing := func(s, end string) string {
		var text strings.Builder
		for i := 1; text.Len() < size; i++ {
			text.WriteString(strings.Repeat(s, i) + end)
		}
		return text.String()[:size]
	}
	one := map[string]string{
		"quotes":                 fill(">"),
		"quotes, spaced":         fill("> "),
		"quotes, growing":        growing(">", "a\n"),
		"quotes, then lazy":      half(">") + "a\n" + half("b\n"),
		"lists":                  fill("- "),
		"lists, numbered":        fill("1) "),
		"lists, growing":         growing("  ", "- a\n"),
		"lists, then empty":      half("- ") + "a\n" + half("\n") + "b",
		"lists and quotes":       fill("- > "),
		"footnotes":              fill("[^a]: "),
		"footnotes and quotes":   fill("[^a]: > "),
		"footnote marks":         fill("[^a]"),
		"brackets":               fill("["),
		"brackets, paired":       half("[") + half("]"),
		"brackets, images":       fill("!["),
		"brackets, closed":       fill("[a]"),
		"brackets, nested links": half("[") + half("](a)"),
		"links, unfinished":      fill("[a]("),
		"links, unfinished <":    fill("[a](<b"),
		"links, over lines":      fill("[a](\n"),
		"parentheses":            "[a](" + fill("("),
		"references":             fill("[a]: /u\n"),
		"references, titles":     fill("[a]: /u \"\n"),
		"references, unfinished": fill("[a\n"),
		"references, used":       half("[a]: /u\n") + "\n" + half("[a] "),
		"emphasis":               fill("*a **a "),
		"emphasis, mixed":        fill("*a_ "),
		"strikes":                fill("~~a "),
		"strikes and emphasis":   fill("*a_ ~~b "),
		"emphasis, then strikes": half("*a_ ") + half("~~a "),
		"backticks, growing":     growing("`", " "),
		"backticks, growing, \\": growing("`", "\\"),
		"tags, unfinished":       fill("<a "),
		"tags, attributes":       "a <a " + fill("b=\"c\" "),
		"tags, quotes":           fill("a <a b=\""),
		"comments, unfinished":   fill("a <!--"),
		"comments":               fill("a <!-- --> "),
		"comments, lines":        fill("a <!--\n--> "),
		"CDATA, unfinished":      fill("a <![CDATA["),
		"declarations":           fill("a <!A "),
		"instructions":           fill("a <? "),
		"less than":              fill("<"),
		"addresses":              fill("<a:"),
		"elements, folding":      fill("<details>\n\n"),
		"elements, inline":       fill("a<s>"),
		"elements, closing":      half("<s>a") + half("</q>a"),
		"tables":                 fill("a|b\n-|-\n"),
		"tables, wide":           half("|a") + "\n" + half("|-"),
		"tables, rows":           "a|b\n-|-\n" + fill("a|\n"),
		"tables, wide and long":  strings.Repeat("|a", 100) + "\n" + strings.Repeat("|-", 100) + "\n" + fill("a\n"),
		"lists, apart":           fill("   - a\n\n"),
		"lists, empty, apart":    fill("- *\n\n"),
		"tables, heads":          fill("|-|\n"),
		"tables, apart":          fill("   a\n   |-|\n\n"),
		"tables, tags":           "a|b\n-|-\n" + fill("<s x=\"|"),
		"footnotes, apart":       fill("   [^a]: x\n\n"),
		"footnotes, marks":       fill("[^"),
		"tildes, escaped":        fill("\\~~ "),
		"tags, crossing":         half("<s><q>") + half("</s></q>"),
		"tags, in attributes":    fill("<div title=\"<s>\n\n"),
		"comments, two hyphens":  fill("a <!-- -- -->\n/colony:a "),
		"headings, underlined":   fill("a\n-\n"),
		"rules":                  fill("***\n"),
		"fences":                 fill("```\n"),
		"backslashes":            fill("\\"),
		"entities":               fill("&"),
		"empty lines":            fill("\n"),
		"spaces":                 fill(" "),
		"tabs":                   fill("\t"),
		"NUL":                    fill("\x00"),
		"slashes":                fill("/"),
		"near commands":          fill("/colonyfoo\n"),
		"commands":               fill("/colony:a\n"),
		"commands in a quote":    "> a\n" + fill("/colony:a\n"),
		"commands in comments":   fill("/colony:a <!--\n/colony:b -->\n"),
		"commands in paragraphs": fill("/colony:1 `\n\n"),
		"quotes in a command":    "/colony:a " + fill("'\""),
		"backslashes, command":   "/colony:a " + fill("\\"),
		"comments in a command":  "/colony:a " + fill("<!-- -->"),
	}
	texts := map[string]string{}
	for name, text := range one {
		texts[name+"/after"] = text + "\n\n/colony:z"
		texts[name+"/below"] = text + "\n/colony:z"
		texts[name+"/above"] = "/colony:z\n" + text
	}
	return texts
}

// plain is prose of size bytes with a command: the floor that BenchmarkParseBombs compares with.
func plain(size int) string {
	const line = "The quick brown fox jumps over the lazy dog.\n"
	return "/colony:z\n\n" + strings.Repeat(line, size/len(line))
}

// BenchmarkParseBombs reports, beside the time, how much dearer each bomb is than prose of its size that is
// parsed in the same run (x-prose), and how the time grows when the bomb is four times as long (x-growth: 4 is
// linear, 16 is quadratic).
func BenchmarkParseBombs(b *testing.B) {
	const size = 64_000 // with the command still within MaxBody
	prose := plain(size)
	quarter := bombs(size / 4)
	for name, bomb := range bombs(size) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Parse(bomb)
			}
			whole := fastest(bomb)
			b.ReportMetric(whole/fastest(prose), "x-prose")
			b.ReportMetric(whole/fastest(quarter[name]), "x-growth")
		})
	}
}

// fastest returns the seconds of the fastest of a few runs.
func fastest(text string) float64 {
	best := math.Inf(1)
	for range 5 {
		start := time.Now()
		Parse(text)
		best = min(best, time.Since(start).Seconds())
	}
	return best
}
