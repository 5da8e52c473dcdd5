package main

import (
	"fmt"

	"github.com/colony-app/colony/bench/organisation"
)

// waitAtMost is for how many minutes the issues of the largest organisation that fits have to wait.
const waitAtMost = 1

// lifeTable lists what happens in the life of an issue. docs/costs.md has the calls of each event.
func lifeTable(string) (string, error) {
	t := newTable("in the life of an issue", "how often", "points each")
	var reads, unchanged, questions, writes, points float64
	for _, e := range organisation.Life() {
		t.row(e.What, fmt.Sprint(e.PerIssue), fmt.Sprint(e.Cost.Points()))
		reads += e.PerIssue * float64(e.Cost.Reads)
		unchanged += e.PerIssue * float64(e.Cost.Unchanged)
		questions += e.PerIssue * float64(e.Cost.Questions)
		writes += e.PerIssue * float64(e.Cost.Writes)
		points += e.PerIssue * float64(e.Cost.Points())
	}
	return t.String() + fmt.Sprintf("\nAn issue takes %.0f reads, %.0f of them 304s, %.0f questions by GraphQL and %.0f writes: %.0f points.", reads, unchanged, questions, writes, points), nil
}

// largestTable says how many issues a day fit.
func largestTable(string) (string, error) {
	t := newTable("repositories", "issues a day that fit", "GitHub's calls an hour")
	for _, repositories := range []int{20, 100, 200, 1000} {
		t.row(fmt.Sprint(repositories), fmt.Sprint(organisation.Largest(repositories, waitAtMost)), fmt.Sprint(organisation.CallsPerHour(repositories)))
	}
	return t.String(), nil
}
