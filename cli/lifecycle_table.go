package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
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
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Name, typeOf(s), cmp.Or(s.Label, "-"), lines[0])
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

// wrapStates splits a row whose list of states is long into several.
func wrapStates(heads, row []string) [][]string {
	in := slices.Index(heads, "in")
	if in < 0 || len(row[in]) <= nextWidth {
		return [][]string{row}
	}
	var all [][]string
	for i, states := range wrap(strings.Split(row[in], ", "), nextWidth) {
		line := make([]string, in+1)
		if i == 0 {
			line = slices.Clone(row)
		}
		line[in] = states
		all = append(all, line)
	}
	return all
}

// printBeside tells, below the states, what a lifecycle has besides its table. One without all of that has nothing here.
func printBeside(w io.Writer, life *statemachine.Table) error {
	asIs := func(word string) string { return word }
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, section := range lifecycle.Sections(&life.Lifecycle, asIs) {
		fmt.Fprintf(t, "\n%s\n", strings.ToUpper(strings.Join(section.Heads, "\t")))
		for _, row := range section.Rows {
			for _, line := range wrapStates(section.Heads, row) {
				fmt.Fprintln(t, strings.Join(line, "\t"))
			}
		}
		if err := t.Flush(); err != nil { // the columns of one section are nothing to the next
			return fmt.Errorf("write lifecycle %s as a table: %w", life.Name, err)
		}
	}
	fmt.Fprintf(w, "\n%s\n", strings.Join(lifecycle.Remarks(&life.Lifecycle, "/colony:force", asIs), "\n"))
	return nil
}
