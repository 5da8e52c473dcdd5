package board

import (
	"fmt"
	"slices"
	"strconv"
	"time"
)

// The measures of a chart, in units of its view box.
const (
	chartWidth, barHeight, barGap = 600, 18, 8
	barLeft, barRoom              = 230, 220
	lineHeight                    = 140
)

// chart is a figure with the table of its numbers.
type chart struct {
	ID, Title, Says string
	Width, Height   int
	Bars            []bar
	Line            string // points of a polyline
	Head            []string
	Rows            [][]string
	Empty           string // what to say if there is nothing to show
	long, inner     []float64
}

type bar struct {
	Y, TextY, X, Width, Height, ValueX int
	// Inner is the width of a second, darker bar on the same line; 0: there is no second bar.
	Inner        int
	Label, Value string
}

// add adds a row, whose bar has the label of the first cell and the value of the last.
func (c *chart) add(long, inner float64, cells ...string) {
	c.Rows = append(c.Rows, cells)
	c.long, c.inner = append(c.long, long), append(c.inner, inner)
}

// drawn draws the bars, each with a smaller one inside it.
func (c *chart) drawn() chart {
	most := slices.Max(append([]float64{0}, c.long...))
	for i, cells := range c.Rows {
		b := bar{Y: i * (barHeight + barGap), X: barLeft, Height: barHeight, Label: cells[0], Value: cells[len(cells)-1]}
		b.TextY = b.Y + barHeight - 5
		if most > 0 {
			b.Width, b.Inner = int(c.long[i]/most*barRoom), int(c.inner[i]/most*barRoom)
		}
		b.ValueX = barLeft + b.Width + 6
		c.Bars = append(c.Bars, b)
	}
	c.Width, c.Height = chartWidth, max(1, len(c.Rows)*(barHeight+barGap)-barGap)
	return *c
}

func charts(f Flow) []chart {
	inState := chart{
		ID: "time-in-state", Title: "Time in state", Says: "How long issues stayed in a state before they left it: half of them no longer than p50 (the inner bar), 85 of 100 no longer than p85.",
		Head: []string{"State", "Left it", "p50", "p85"}, Empty: "No issue left a state in this time.",
	}
	for _, s := range f.InState {
		inState.add(s.P85.Seconds(), s.P50.Seconds(), s.State, strconv.Itoa(s.Count), spanOf(s.P50), spanOf(s.P85))
	}
	ended := chart{ID: "throughput", Title: "Throughput", Says: "How many issues came to an end in each week.", Head: []string{"Week from", "Ended"}, Empty: "The time that is looked at is shorter than a week."}
	for _, w := range f.Ended {
		ended.add(float64(w.Count), 0, w.At.Format(time.DateOnly), strconv.Itoa(w.Count))
	}
	ageing := chart{
		ID: "ageing", Title: "Ageing", Says: "How long the issues that are under way have been in their state: half of them no longer than p50 (the inner bar).",
		Head: []string{"State", "Issues", "p50", "Oldest"}, Empty: "Nothing is under way.",
	}
	for _, a := range f.Ageing {
		ageing.add(a.Longest.Seconds(), a.P50.Seconds(), a.State, strconv.Itoa(a.Count), spanOf(a.P50), spanOf(a.Longest))
	}
	refused := chart{ID: "refusals", Title: "Refusals", Says: "How often Colony refused a change, by the reason.", Head: []string{"Reason", "Refused"}, Empty: "Nothing was refused in this time."}
	for _, r := range f.Refused {
		refused.add(float64(r.Count), 0, verdicts[r.Verdict], strconv.Itoa(r.Count))
	}
	return []chart{inState.drawn(), ended.drawn(), progress(f), ageing.drawn(), refused.drawn()}
}

func progress(f Flow) chart {
	c := chart{ID: "in-progress", Title: "Work in progress", Says: "How many issues were under way at the end of each day.", Head: []string{"Day to", "Under way"}, Empty: "The time that is looked at is shorter than a day.", Width: chartWidth, Height: lineHeight}
	most := 1
	for _, d := range f.Progress {
		most = max(most, d.Count)
	}
	for n, d := range f.Progress {
		c.Rows = append(c.Rows, []string{d.At.Format(time.DateOnly), strconv.Itoa(d.Count)})
		x, y := 10+n*(chartWidth-20)/max(1, len(f.Progress)-1), lineHeight-10-d.Count*(lineHeight-20)/most
		c.Line += fmt.Sprintf("%d,%d ", x, y)
	}
	return c
}
