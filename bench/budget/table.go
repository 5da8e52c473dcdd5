package budget

import (
	"fmt"
	"strings"
)

// Table writes figures as the table of docs/performance.md.
func Table(figures []Figure) string {
	var b strings.Builder
	b.WriteString("| measured | figure | at best |\n|---|---|---|\n")
	for _, f := range figures {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", f.What, f.shown(f.Value), f.shown(f.Bound))
	}
	return b.String()
}

// shown is a number of the figure with its unit.
func (f Figure) shown(n float64) string {
	if n < 10 && f.Unit == seconds {
		return fmt.Sprintf("%.2f %s", n, f.Unit)
	}
	return fmt.Sprintf("%.0f %s", n, f.Unit)
}

// String is the figure in a line.
func (f Figure) String() string {
	return fmt.Sprintf("%s: %s (at best %s: %s)", f.What, f.shown(f.Value), f.shown(f.Bound), f.Why)
}
