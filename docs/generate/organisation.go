package main

import (
	"fmt"

	"github.com/colony-app/colony/bench/organisation"
)

// organisations are those of the table.
var organisations = []organisation.Organisation{{Repositories: 20, Issues: 2}, {Repositories: 200, Issues: 1}, {Repositories: 200, Issues: 3}, {Repositories: 1000, Issues: 0.5}, {Repositories: 1000, Issues: 3}}

// waitAtMost is for how many minutes the issues of the largest organisation that fits have to wait.
const waitAtMost = 1

// lifeTable lists what the life of an issue costs.
func lifeTable(string) (string, error) {
	t := newTable("in the life of an issue", "how often", "reads", "304s among them", "questions", "writes", "points each", "measured by")
	var all [5]float64
	for _, e := range organisation.Life() {
		cells := []string{e.What, fmt.Sprint(e.PerIssue)}
		for n, each := range [...]int{e.Cost.Reads, e.Cost.Unchanged, e.Cost.Questions, e.Cost.Writes, e.Cost.Points()} {
			cells = append(cells, fmt.Sprint(each))
			all[n] += e.PerIssue * float64(each)
		}
		by := "[costs.md](costs.md)"
		if e.Scenario != "" {
			by = code("--scenario " + e.Scenario)
		}
		t.row(append(cells, by)...)
	}
	cells := []string{"all", ""}
	for _, sum := range all {
		cells = append(cells, fmt.Sprintf("%.0f", sum))
	}
	t.row(append(cells, "")...)
	return t.String(), nil
}

// weekTable says what a week of organisations comes to.
func weekTable(string) (string, error) {
	t := newTable("repositories", "issues a day", "webhooks a week", "reconciliations", "calls", "writes", "comments", "busiest minute", "busiest hour, of GitHub's limit", "comments in an hour, of 500", "longest wait")
	for _, o := range organisations {
		l := o.Week()
		t.row(fmt.Sprint(o.Repositories), fmt.Sprintf("%.0f", float64(o.Repositories)*o.Issues), fmt.Sprint(l.Deliveries), fmt.Sprint(l.Reconciliations), fmt.Sprint(l.Calls),
			fmt.Sprint(l.Writes), fmt.Sprint(l.Comments), fmt.Sprintf("%d webhooks, %d of %d points", l.MinuteDeliveries, l.MinutePoints, organisation.PointsPerMinute),
			fmt.Sprintf("%d of %d calls", l.BusiestHour(), organisation.CallsPerHour(o.Repositories)), fmt.Sprint(l.HourComments), waitOf(o, l))
	}
	return t.String(), nil
}

func waitOf(o organisation.Organisation, l organisation.Load) string {
	if l.BusiestHour() > organisation.CallsPerHour(o.Repositories) {
		return "hours: more calls than GitHub allows"
	}
	if l.Wait == 0 && l.CommentsWait == 0 {
		return "none"
	}
	return fmt.Sprintf("%.0f min", max(l.Wait, l.CommentsWait, 1))
}

// largestTable says how many issues a day fit.
func largestTable(string) (string, error) {
	t := newTable("repositories", "issues a day that fit", "GitHub's calls an hour")
	for _, repositories := range []int{20, 100, 200, 1000} {
		t.row(fmt.Sprint(repositories), fmt.Sprint(organisation.Largest(repositories, waitAtMost)), fmt.Sprint(organisation.CallsPerHour(repositories)))
	}
	return t.String(), nil
}
