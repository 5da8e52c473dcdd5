package wording

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
)

// ClosedPullRequest tells a pull request that a command on its issue closed it, with the marker of the comment that the command is in.
func ClosedPullRequest(issue int, verb string, by lifecycle.Actor, commentID int64) string {
	return render("closed_pull_request", map[string]any{"OfIssue": issue, "Verb": verb, "By": by}) + "\n\n" + Marker(Answers, commentID)
}

// LeftOpen says which pull requests GitHub did not let Colony close.
func LeftOpen(numbers []int) string {
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = fmt.Sprint("#", n)
	}
	return render("left_open", map[string]any{"Pulls": codes(names, ", "), "Several": len(numbers) > 1})
}
