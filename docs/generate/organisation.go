package main

import (
	"fmt"

	"github.com/colony-app/colony/bench/organisation"
)

// waitAtMost is for how many minutes the issues of the largest organisation that fits have to wait.
const waitAtMost = 1

// lifeTable lists what the life of an issue costs.
func lifeTable(string) (string, error) {
	t := newTable("in the life of an issue", "how often", "reads", "304s among them", "questions", "writes", "points each")
	var all [5]float64
	for _, e := range organisation.Life() {
		cells := []string{e.What, fmt.Sprint(e.PerIssue)}
		for n, each := range [...]int{e.Cost.Reads, e.Cost.Unchanged, e.Cost.Questions, e.Cost.Writes, e.Cost.Points()} {
			cells = append(cells, fmt.Sprint(each))
			all[n] += e.PerIssue * float64(each)
		}
		t.row(cells...)
	}
	cells := []string{"all", ""}
	for _, sum := range all {
		cells = append(cells, fmt.Sprintf("%.0f", sum))
	}
	t.row(cells...)
	return t.String(), nil
}

// largestTable says how many issues a day fit.
func largestTable(string) (string, error) {
	t := newTable("repositories", "issues a day that fit", "GitHub's calls an hour")
	for _, repositories := range []int{20, 100, 200, 1000} {
		t.row(fmt.Sprint(repositories), fmt.Sprint(organisation.Largest(repositories, waitAtMost)), fmt.Sprint(organisation.CallsPerHour(repositories)))
	}
	return t.String(), nil
}
