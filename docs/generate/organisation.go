package main

import (
	"fmt"

	"github.com/colony-app/colony/bench/organisation"
)

// waitAtMost is for how many minutes the issues of the largest organisation that fits have to wait.
const waitAtMost = 1

// largestTable says how many issues a day fit.
func largestTable(string) (string, error) {
	t := newTable("repositories", "issues a day that fit", "GitHub's calls an hour")
	for _, repositories := range []int{20, 100, 200, 1000} {
		t.row(fmt.Sprint(repositories), fmt.Sprint(organisation.Largest(repositories, waitAtMost)), fmt.Sprint(organisation.CallsPerHour(repositories)))
	}
	return t.String(), nil
}
