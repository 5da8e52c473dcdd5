package lifecycle

import (
	"fmt"
	"strconv"
	"strings"
)

// Section is a table for people: rows that a lifecycle has besides its states and moves.
type Section struct {
	Heads []string
	Rows  [][]string
}

// Sections lists the tables of a lifecycle that have rows: its triggers, timeouts, limits and scales. Code renders a name.
func Sections(l *Lifecycle, code func(string) string) []Section {
	c := cells{code}
	all := []Section{
		{Heads: []string{"fact", "in", "moves to", "why"}},
		{Heads: []string{"after", "in", "moves to", "why"}},
		{Heads: []string{"count", "into", "from", "at most", "then"}},
		{Heads: []string{"scale", "labels", "high from", "meaning"}},
	}
	for _, t := range l.Triggers {
		all[0].Rows = append(all[0].Rows, []string{c.code(string(t.On)) + c.unless(t), c.codes(t.In), c.target(t), t.Why})
	}
	for _, t := range l.TimeOuts {
		all[1].Rows = append(all[1].Rows, []string{Span(t.After), c.codes(t.In), c.code(t.To), t.Why})
	}
	for _, limit := range l.Limits {
		all[2].Rows = append(all[2].Rows, c.limit(limit))
	}
	for _, s := range l.Scales {
		labels := c.code(s.Label(0)) + " to " + c.code(s.Label(s.Levels-1))
		all[3].Rows = append(all[3].Rows, []string{s.Name, labels, strconv.Itoa(s.High), s.Meaning})
	}
	var filled []Section
	for _, s := range all {
		if len(s.Rows) > 0 {
			filled = append(filled, s)
		}
	}
	return filled
}

// cells writes what is in the rows.
type cells struct{ code func(string) string }

func (c cells) codes(names []string) string {
	rendered := make([]string, len(names))
	for i, name := range names {
		rendered[i] = c.code(name)
	}
	return strings.Join(rendered, ", ")
}

func (c cells) unless(t Trigger) string {
	var text strings.Builder
	for i, f := range t.Unless {
		text.WriteString([]string{", unless ", " or "}[min(i, 1)] + c.code(string(f)))
	}
	return text.String()
}

func (c cells) target(t Trigger) string {
	switch {
	case t.Holds:
		return "- (waits, even if there is capacity)"
	case t.To == "" && t.AsksPerson:
		return "- (asks a person)"
	case t.To == "":
		return "- (says so)"
	case t.AsksPerson:
		return c.code(t.To) + " (asks a person)"
	}
	return c.code(t.To)
}

func (c cells) limit(l Limit) []string {
	from, most, then := "anywhere", "-", "-"
	if len(l.From) > 0 {
		from = c.codes(l.From)
	}
	if l.AtMost > 0 {
		most, then = Times(l.AtMost), c.code(l.Instead)
	}
	if l.OnPullRequest {
		then += " (also says so on the pull request)"
	}
	return []string{l.Name, c.code(l.To), from, most, then}
}

func remarkOnCounts(limits []Limit) string {
	var lifelong []string
	for _, limit := range limits {
		if limit.ForLife {
			lifelong = append(lifelong, limit.Name)
		}
	}
	switch len(lifelong) {
	case 0:
		return "Counts start again when a person moves the issue."
	case len(limits):
		return "Colony counts over the whole life of the issue."
	}
	return "Counts start again when a person moves the issue, but not of " + strings.Join(lifelong, ", ") + "."
}

// Remarks tells in sentences what is no row. Name is how /colony:force is written there.
func Remarks(l *Lifecycle, name string, code func(string) string) []string {
	c := cells{code}
	var lines []string
	if len(l.Limits) > 0 {
		lines = append(lines, remarkOnCounts(l.Limits)+" Limits do not apply to people.")
	}
	if len(l.Waiting) > 0 {
		lines = append(lines, "Waiting to be taken: "+c.codes(l.Waiting)+".")
	}
	if len(l.Priority) > 0 {
		var rows []string
		for _, row := range l.Priority {
			rows = append(rows, "high "+strings.Join(row, " and "))
		}
		lines = append(lines, "Taken first: "+strings.Join(rows, "; then ")+"; then the rest.")
	}
	if r := l.Reflection; r != nil {
		lines = append(lines, fmt.Sprintf("Reflection: in %s, a comment that begins with %q, within %s.", c.codes(r.In), r.Words, Span(r.Within)))
	}
	if l.Final && !l.Force.Off {
		lines = append(lines, "Terminal states are final: not even "+name+" leads out of them.")
	}
	return append(lines, l.Force.Says(name, code))
}
