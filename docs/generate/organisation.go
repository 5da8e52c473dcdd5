package main

import (
	"fmt"

	"github.com/colony-app/colony/bench/organisation"
)

// organisations are those of the table.
var organisations = []organisation.Organisation{{Repositories: 20, Issues: 2}, {Repositories: 200, Issues: 1}, {Repositories: 200, Issues: 3}, {Repositories: 1000, Issues: 0.5}, {Repositories: 1000, Issues: 3}}

// waitAtMost is for how many minutes the issues of the largest organisation that fits have to wait.
const waitAtMost = 1

// weekTable says what a week of organisations comes to.
func weekTable(string) (string, error) {
	t := newTable("repositories", "issues a day", "calls a week", fmt.Sprintf("points in the busiest minute, of %d", organisation.PointsPerMinute),
		"calls in the busiest hour", fmt.Sprintf("comments in an hour, of %d", organisation.CommentsPerHour), "longest wait")
	for _, o := range organisations {
		l := o.Week()
		t.row(fmt.Sprint(o.Repositories), fmt.Sprintf("%.0f", float64(o.Repositories)*o.Issues), fmt.Sprint(l.Calls), fmt.Sprint(l.MinutePoints),
			fmt.Sprintf("%d of %d", l.BusiestHour(), organisation.CallsPerHour(o.Repositories)), fmt.Sprint(l.HourComments), waitOf(o, l))
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
