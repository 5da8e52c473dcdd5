package statemachine

import (
	"fmt"
	"slices"
	"strings"
)

// Mermaid returns the lifecycle as a Mermaid state diagram, which GitHub renders in Markdown
// (https://mermaid.js.org/syntax/stateDiagram.html). All arrows of a long forward order cannot be read, so a forward
// move that several others add up to is left out, and resumes are listed in a note.
func (l *Lifecycle) Mermaid() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%%%% Lifecycle %s, drawn from its table of %d legal moves.\n", l.Name, len(l.Pairs))
	b.WriteString("%% Forward moves are drawn to the nearest later state only. Resumes are listed in a note.\n")
	b.WriteString("stateDiagram-v2\n  direction LR\n")
	for _, s := range l.States {
		fmt.Fprintf(&b, "  state \"%s\" as %s\n", s.Name, mermaidID(s.Name))
	}
	fmt.Fprintf(&b, "  [*] --> %s\n", mermaidID(l.Initial))
	for _, p := range l.Pairs {
		if p.Kind == Forward && l.addsUp(p) || p.Kind == Resume {
			continue
		}
		fmt.Fprintf(&b, "  %s --> %s\n", mermaidID(p.From), mermaidID(p.To))
	}
	for _, s := range l.States {
		if s.Type == Terminal {
			fmt.Fprintf(&b, "  %s --> [*]\n", mermaidID(s.Name))
		}
		if to := l.resumes(s.Name); len(to) > 0 {
			fmt.Fprintf(&b, "  note right of %s\n    resumes to\n", mermaidID(s.Name))
			for _, state := range to { // Mermaid would break longer lines at the hyphens
				fmt.Fprintf(&b, "    %s\n", state)
			}
			b.WriteString("  end note\n")
		}
	}
	return b.String()
}

// mermaidID writes a slug as an identifier, in which Mermaid takes no hyphen. Slugs hold no underscore, so two never meet.
func mermaidID(state string) string { return strings.ReplaceAll(state, "-", "_") }

// addsUp reports whether two forward moves lead where this one does.
func (l *Lifecycle) addsUp(p Pair) bool {
	return slices.ContainsFunc(l.Pairs, func(first Pair) bool {
		second, ok := l.Pair(first.To, p.To)
		return first.From == p.From && first.Kind == Forward && ok && second.Kind == Forward
	})
}

func (l *Lifecycle) resumes(from string) []string {
	var to []string
	for _, p := range l.Pairs {
		if p.From == from && p.Kind == Resume {
			to = append(to, p.To)
		}
	}
	return to
}
