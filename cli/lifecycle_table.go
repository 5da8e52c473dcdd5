package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// nextWidth keeps the table within 120 columns.
const nextWidth = 50

func printTable(w io.Writer, life *statemachine.Table) error {
	fmt.Fprintf(w, "%s: %s\n%s\n\n", life.Name, life.Summary, count(life))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "STATE\tTYPE\tLABEL\tNEXT")
	states := life.States
	if outside, ok := life.State(lifecycle.Outside); ok {
		states = append([]lifecycle.State{outside}, states...)
	}
	for _, s := range states {
		lines := wrap(targets(life, s.Name), nextWidth)
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Name, typeOf(s), orDash(s.Label), lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(t, "\t\t\t%s\n", line)
		}
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("write lifecycle %s as a table: %w", life.Name, err)
	}
	return printBeside(w, life)
}

func count(life *statemachine.Table) string {
	kinds := map[lifecycle.Kind]int{}
	for _, p := range life.Pairs {
		kinds[p.Kind]++
	}
	var counts []string
	for _, k := range lifecycle.Kinds() {
		if kinds[k] > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", kinds[k], k))
		}
	}
	return fmt.Sprintf("%d states, %d legal moves: %s", len(life.States), len(life.Pairs), strings.Join(counts, ", "))
}

func targets(life *statemachine.Table, from string) []string {
	state, _ := life.State(from)
	var words []string
	if verb, isCommand := strings.CutPrefix(state.Recommended, "/"); isCommand {
		words = append(words, "/colony:"+verb+" (recommended)")
	}
	for _, p := range life.Next(lifecycle.Actor{Kind: lifecycle.Operator}, from) {
		words = append(words, p.To+mark(p, state.Recommended == p.To))
	}
	return words
}

// mark says in a word or two what a move depends on.
func mark(p lifecycle.Pair, recommended bool) string {
	var marks []string
	if recommended {
		marks = append(marks, "recommended")
	}
	if p.Kind == lifecycle.Again {
		marks = append(marks, "again")
	}
	if p.OnlyPrevious {
		marks = append(marks, "only back")
	}
	if p.Reason == lifecycle.Required {
		marks = append(marks, "with a reason")
	}
	if len(marks) == 0 {
		return ""
	}
	return " (" + strings.Join(marks, ", ") + ")"
}

func typeOf(s lifecycle.State) string {
	switch {
	case s.Name == lifecycle.Outside:
		return "-"
	case s.Recovery != "":
		return fmt.Sprintf("%s (%s)", s.Type, s.Recovery)
	case s.Closes != "":
		return fmt.Sprintf("%s (closes as %s)", s.Type, s.Closes)
	}
	return string(s.Type)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// wrap joins words into lines of at most width characters; it returns at least one line.
func wrap(words []string, width int) []string {
	if len(words) == 0 {
		return []string{"-"}
	}
	lines := []string{words[0]}
	for _, word := range words[1:] {
		last := &lines[len(lines)-1]
		if len(*last)+len(word)+2 > width {
			*last += ","
			lines = append(lines, word)
			continue
		}
		*last += ", " + word
	}
	return lines
}

// printBeside tells, below the states, what a lifecycle has beside its table. One without all of that has nothing here.
func printBeside(w io.Writer, life *statemachine.Table) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, section := range []struct {
		heads string
		rows  []string
	}{
		{"FACT\tIN\tMOVES TO\tWHY", triggerRows(life)},
		{"AFTER\tIN\tMOVES TO\tWHY", timeOutRows(life)},
		{"COUNT\tINTO\tFROM\tAT MOST\tTHEN", limitRows(life)},
		{"SCALE\tLABELS\tHIGH FROM\tMEANING", scaleRows(life)},
	} {
		if len(section.rows) > 0 {
			fmt.Fprintf(t, "\n%s\n%s\n", section.heads, strings.Join(section.rows, "\n"))
			if err := t.Flush(); err != nil { // the columns of one section are nothing to the next
				return fmt.Errorf("write lifecycle %s as a table: %w", life.Name, err)
			}
		}
	}
	for i, text := range besideTheTable(life) {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, text)
	}
	return nil
}

func triggerRows(life *statemachine.Table) []string {
	var rows []string
	for _, t := range life.Triggers {
		to := t.To
		switch {
		case t.Holds:
			to = "- (waits, even if there is capacity)"
		case to == "" && t.AsksPerson:
			to = "- (asks a person)"
		case to == "":
			to = "- (says so)"
		case t.AsksPerson:
			to += " (asks a person)"
		}
		rows = append(rows, cells(string(t.On)+unless(t), strings.Join(t.In, ", "), to, t.Why))
	}
	return rows
}

// unless names the facts during which a row does nothing.
func unless(t lifecycle.Trigger) string {
	var text strings.Builder
	for i, f := range t.Unless {
		text.WriteString([]string{", unless ", " or "}[min(i, 1)] + string(f))
	}
	return text.String()
}

func timeOutRows(life *statemachine.Table) []string {
	var rows []string
	for _, t := range life.TimeOuts {
		rows = append(rows, cells(lifecycle.Span(t.After), strings.Join(t.In, ", "), t.To, t.Why))
	}
	return rows
}

func limitRows(life *statemachine.Table) []string {
	var rows []string
	for _, l := range life.Limits {
		from, most := "anywhere", "-"
		if len(l.From) > 0 {
			from = strings.Join(l.From, ", ")
		}
		if l.AtMost > 0 {
			most = lifecycle.Times(l.AtMost)
		}
		then := orDash(l.Instead)
		if l.OnPullRequest {
			then += " (also says so on the pull request)"
		}
		rows = append(rows, cells(l.Name, l.To, from, most, then))
	}
	return rows
}

func scaleRows(life *statemachine.Table) []string {
	var rows []string
	for _, s := range life.Scales {
		rows = append(rows, cells(s.Name, s.Label(0)+" to "+s.Label(s.Levels-1), fmt.Sprint(s.High), s.Meaning))
	}
	return rows
}

func cells(words ...string) string { return strings.Join(words, "\t") }

// besideTheTable tells in sentences what is no row.
func besideTheTable(life *statemachine.Table) []string {
	var lines []string
	if len(life.Limits) > 0 {
		lines = append(lines, "Counts start again when a person moves the issue. Limits do not apply to people.")
	}
	if len(life.Waiting) > 0 {
		lines = append(lines, "Waiting to be taken: "+strings.Join(life.Waiting, ", ")+".")
	}
	if len(life.Priority) > 0 {
		var rows []string
		for _, row := range life.Priority {
			rows = append(rows, "high "+strings.Join(row, " and "))
		}
		lines = append(lines, "Taken first: "+strings.Join(rows, "; then ")+"; then the rest.")
	}
	if r := life.Reflection; r != nil {
		lines = append(lines, fmt.Sprintf("Reflection: in %s, a comment that begins with %q, within %s.", strings.Join(r.In, ", "), r.Words, lifecycle.Span(r.Within)))
	}
	if life.Final && !life.Force.Off {
		lines = append(lines, "Terminal states are final: not even /colony:force leads out of them.")
	}
	lines = append(lines, life.Force.Says("/colony:force", func(word string) string { return word }))
	return lines
}
