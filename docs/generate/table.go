package main

import "strings"

// table is a Markdown table under way.
type table struct {
	b strings.Builder
}

func newTable(heads ...string) *table {
	t := &table{}
	t.row(heads...)
	t.b.WriteString(strings.Repeat("|---", len(heads)) + "|\n")
	return t
}

func (t *table) row(cells ...string) {
	t.b.WriteString("|")
	for _, c := range cells {
		t.b.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
	}
	t.b.WriteString("\n")
}

func (t *table) String() string { return t.b.String() }

func code(word string) string { return "`" + word + "`" }

func codes(words []string) string {
	if len(words) == 0 {
		return "–"
	}
	return "`" + strings.Join(words, "`, `") + "`"
}

// sentence ends a text that is written without a full stop.
func sentence(text string) string {
	if strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
