package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// Table prints results as they come.
type Table struct {
	w    io.Writer
	last string
}

// NewTable begins a table.
func NewTable(w io.Writer) *Table { return &Table{w: w} }

const (
	head = "%9s %7s %8s %8s %10s %8s %8s %8s %8s %7s %7s %8s %7s %6s %7s %6s %7s\n"
	row  = "%9s %7d %8.3f %8s %10s %8.1f %8.1f %8.2f %8.2f %7.2f %7d %8.0f %7d %6d %7d %6d %7d%s\n"
)

var columns = []any{
	"subject", "events", "cpu ms", "x floor", "x handler", "ack p50", "ack p99", "acked s", "done s", "calls", "flight", "peak MB", "done", "lost", "doubled", "wrong", "refused",
}

// Add prints a result.
func (t *Table) Add(r Result) {
	if r.Scenario != t.last {
		t.last = r.Scenario
		for _, s := range scenarios {
			if s.name == r.Scenario {
				fmt.Fprintf(t.w, "\n%s: %s\n", s.name, s.about)
			}
		}
		if len(r.Figures) == 0 {
			fmt.Fprintf(t.w, head, columns...)
		}
	}
	if len(r.Figures) > 0 {
		for _, f := range r.Figures {
			fmt.Fprintln(t.w, f)
		}
		return
	}
	fmt.Fprintf(t.w, row, r.Subject, r.Events, r.CPU, times(r.ToFloor), times(r.ToHandler), r.AckP50, r.AckP99, r.AckAll, r.AllDone, r.Calls, r.InFlight, r.Peak,
		r.Done, r.Lost, r.Doubled, r.Wrong, r.Refused, r.remarks())
}

// remarks are what has no column.
func (r Result) remarks() string {
	var b strings.Builder
	if r.Case != "" {
		fmt.Fprintf(&b, "  %s", r.Case)
	}
	for _, name := range slices.Sorted(maps.Keys(r.Extra)) {
		fmt.Fprintf(&b, "  %s=%.1f", name, r.Extra[name])
	}
	if r.Repeated > 0 {
		fmt.Fprintf(&b, "  repeated=%d", r.Repeated)
	}
	if r.Example != "" {
		fmt.Fprintf(&b, "  %.300s", r.Example)
	}
	return b.String()
}

func times(ratio float64) string {
	if ratio == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", ratio)
}
