package budget

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/long"
)

// page shows the figures between these lines.
const (
	page  = "../../docs/performance.md"
	start = "<!-- budget: written by go test ./bench/budget -long -update -->\n\n"
	end   = "\n<!-- end of budget -->"
)

// varies is by which part figures differ from run to run: the scheduler decides what runs first in a moment.
const varies = 0.1

// The page shows what is measured: all of it with -long, otherwise what does not depend on the size of the organisation.
func TestThePageShowsWhatIsMeasured(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), start)
	table, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table of figures", page)
	}
	figures := measured(t)
	if golden.Updates() && long.Whole() {
		if table = Table(figures); os.WriteFile(page, []byte(before+start+table+end+after), 0o644) != nil {
			t.Fatalf("%s cannot be written", page)
		}
	}
	shown := rows(t, table)
	for _, f := range figures {
		row, there := shown[f.What]
		if !there {
			t.Errorf("%s lacks %s", page, f)
			continue
		}
		if !near(row.value, f.Value, varies) || !near(row.bound, f.Bound, varies) {
			t.Errorf("%s shows %v (at best %v) of %s", page, row.value, row.bound, f)
		}
		delete(shown, f.What)
	}
	if long.Whole() && len(shown) > 0 {
		t.Errorf("%s shows what is not measured: %v", page, shown)
	}
}

func measured(t *testing.T) []Figure {
	t.Helper()
	heard := func(f Figure) { t.Log(f) }
	if long.Whole() {
		figures, err := Run(t.Context(), Organisation, heard)
		if err != nil {
			t.Fatal(err)
		}
		return figures
	}
	size := Organisation
	size.Repositories = 2
	m, err := newMeasurement(size, heard)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.in(t.Context(), m.inUse, m.bulk, m.burst); err != nil {
		t.Fatal(err)
	}
	return m.figures
}

// near reports whether numbers differ by a part at most, or by what a page rounds off.
func near(a, b, part float64) bool {
	return math.Abs(a-b) <= max(part*max(a, b), 0.05)
}

// row is what a page shows of a figure.
type row struct{ value, bound float64 }

var cell = regexp.MustCompile(`(?m)^\| (.+?) \| ([\d.]+) [^|]+ \| ([\d.]+) [^|]+ \|$`)

func rows(t *testing.T, table string) map[string]row {
	t.Helper()
	shown := map[string]row{}
	for _, found := range cell.FindAllStringSubmatch(table, -1) {
		var r row
		var err error
		if r.value, err = strconv.ParseFloat(found[2], 64); err == nil {
			r.bound, err = strconv.ParseFloat(found[3], 64)
		}
		if err != nil {
			t.Fatal(err)
		}
		shown[found[1]] = r
	}
	return shown
}

// A figure that differs by more than it varies is seen.
func TestOtherFiguresAreSeen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b, part float64
		want       bool
	}{{80, 85, 0.1, true}, {80, 95, 0.1, false}, {0.15, 0.3, 0.1, false}, {0.15, 0.18, 0.1, true}, {17, 19, 0.1, false}, {0, 3000, 0.5, false}} {
		if got := near(c.a, c.b, c.part); got != c.want {
			t.Errorf("%v and %v are near: %t", c.a, c.b, got)
		}
	}
	table := Table([]Figure{{What: "a move", Value: 0.25, Unit: seconds, Bound: 0.15, Why: twoTurns}, {What: "calls", Value: 17, Unit: "calls", Bound: 10, Why: "it is so"}})
	if shown := rows(t, table); len(shown) != 2 || shown["a move"] != (row{0.25, 0.15}) || shown["calls"] != (row{17, 10}) {
		t.Errorf("the page is read as %v", shown)
	}
}
