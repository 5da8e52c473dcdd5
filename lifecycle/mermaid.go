package lifecycle

import (
	"fmt"
	"slices"
	"strings"
)

// Mermaid returns the lifecycle as a Mermaid state diagram, which GitHub renders in Markdown
// (https://mermaid.js.org/syntax/stateDiagram.html). All arrows of a long forward order cannot be read, so a forward
// move that several others add up to is left out unless Colony makes it on its own; resumes are listed in a note.
func (l *Lifecycle) Mermaid() string {
	d := diagram{l}
	var b strings.Builder
	fmt.Fprintf(&b, "%%%% Lifecycle %s, drawn from its table of %d legal moves.\n", l.Name, len(l.Pairs))
	b.WriteString("%% Forward moves are drawn to the nearest later state only. Resumes are listed in a note.\n")
	b.WriteString("stateDiagram-v2\n  direction LR\n")
	for _, s := range l.States {
		fmt.Fprintf(&b, "  state \"%s\" as %s\n", s.Name, mermaidID(s.Name))
	}
	if l.Initial != Outside { // else the moves into the lifecycle are arrows from the beginning
		fmt.Fprintf(&b, "  [*] --> %s\n", mermaidID(l.Initial))
	}
	for _, p := range l.Pairs {
		causes := l.ByItself(p.From, p.To)
		if len(causes) == 0 && (p.Kind == Forward && d.addsUp(p) || p.Kind == Resume) {
			continue
		}
		fmt.Fprintf(&b, "  %s --> %s%s\n", mermaidID(p.From), mermaidID(p.To), d.label(p, causes))
	}
	for _, s := range l.States {
		if s.Type == Terminal {
			fmt.Fprintf(&b, "  %s --> [*]\n", mermaidID(s.Name))
		}
		d.note(&b, s.Name)
	}
	return b.String()
}

type diagram struct{ *Lifecycle }

// label says at an arrow what makes Colony make the move, and what it depends on.
func (d diagram) label(p Pair, causes []string) string {
	words := slices.Clone(causes)
	if p.Kind == Again {
		words = append(words, "again")
	}
	if p.Reason == Required {
		words = append(words, "with a reason")
	}
	for _, limit := range d.Limits.Bounding(p.From, p.To) {
		words = append(words, "at most "+Times(limit.AtMost))
	}
	if p.OnlyPrevious {
		words = append(words, "only back")
	}
	for _, g := range d.Guards.between(p.From, p.To) {
		words = append(words, "guard "+g.Name)
	}
	if len(words) == 0 {
		return ""
	}
	return ": " + strings.Join(words, ", ")
}

// note lists where a state resumes to, one a line: Mermaid would break longer lines at the hyphens.
func (d diagram) note(b *strings.Builder, state string) {
	var lines []string
	for i, head := range []string{"resumes to", "resumes only to where it came from"} {
		list := []string{head}
		for _, p := range d.Pairs {
			if p.From == state && p.Kind == Resume && p.OnlyPrevious == (i == 1) {
				list = append(list, p.To)
			}
		}
		if len(list) > 1 {
			lines = append(lines, list...)
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(b, "  note right of %s\n    %s\n  end note\n", mermaidID(state), strings.Join(lines, "\n    "))
	}
}

// mermaidID writes a slug as an identifier, in which Mermaid takes no hyphen. Slugs hold no underscore, so two never meet.
// What is outside of the lifecycle is Mermaid's own beginning.
func mermaidID(state string) string {
	switch {
	case state == Outside:
		return "[*]"
	case slices.Contains(mermaidWords, state):
		return state + "_"
	}
	return strings.ReplaceAll(state, "-", "_")
}

// mermaidWords are the slugs that Mermaid's grammar of state diagrams takes for its own (version 11).
var mermaidWords = []string{"state", "note", "class", "classdef", "default", "style", "scale", "click", "href", "acctitle", "accdescr"}

// addsUp reports whether two forward moves lead where this one does.
func (d diagram) addsUp(p Pair) bool {
	return slices.ContainsFunc(d.Pairs, func(first Pair) bool {
		second, ok := d.Pair(first.To, p.To)
		return first.From == p.From && first.Kind == Forward && ok && second.Kind == Forward
	})
}
