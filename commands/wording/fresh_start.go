package wording

import (
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// ClosedPullRequest tells a pull request that a command on its issue closed it, with the marker of the comment that the command is in. Others are the
// other issues that the pull request was for.
func ClosedPullRequest(issue int, verb string, by lifecycle.Actor, commentID int64, others []int) string {
	data := map[string]any{"OfIssue": issue, "Verb": verb, "By": by, "Others": codes(numbered(others), ", ")}
	return render("closed_pull_request", data) + "\n\n" + Marker(Answers, commentID)
}

// ClosedByMove tells a pull request who closed it by moving its issue with a label, with the marker of the label's event. Others are as above.
func ClosedByMove(issue int, m statemachine.Move, others []int) string {
	data := map[string]any{"OfIssue": issue, "From": m.From, "To": m.To, "By": m.By, "Others": codes(numbered(others), ", ")}
	return render("closed_pull_request", data) + "\n\n" + Marker(Explains, m.ID)
}

// LeftOpen says which pull requests GitHub did not let Colony close.
func LeftOpen(numbers []int) string {
	return render("left_open", map[string]any{"Pulls": codes(numbered(numbers), ", "), "Several": len(numbers) > 1})
}

// numbered are the numbers of issues or pull requests as people write them.
func numbered(numbers []int) []string {
	names := make([]string, len(numbers))
	for i, n := range numbers {
		names[i] = fmt.Sprint("#", n)
	}
	return names
}
