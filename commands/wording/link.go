package wording

import "github.com/colony-app/colony/lifecycle"

// Issues are named in code spans: GitHub makes a link of #12, and an entry in the history of that issue, which would then tell of
// a relation that was refused (https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls).

// NamesNoIssue answers a word in the place of an issue.
func NamesNoIssue(word string) string {
	return render("names_no_issue", map[string]string{"Word": word})
}

// NoSuchIssue answers a link to an issue that is not there, or that Colony or the requester is not allowed to read. It does not reveal which of them
// is the case.
func NoSuchIssue(issue string, requester lifecycle.Actor) string {
	return render("no_such_issue", map[string]any{"Issue": issue, "Requester": requester})
}

// IsPullRequest answers a link to a pull request.
func IsPullRequest(issue string) string {
	return render("is_pull_request", map[string]string{"Issue": issue})
}

// DependsOnItself answers a link of an issue to itself.
func DependsOnItself() string { return render("depends_on_itself", nil) }

// DependsOnThis answers a link that would close a circle. The route begins with the other issue and ends with the last one
// before this; it is empty if it is not to be shown. Home is how this issue is named on that last one.
func DependsOnThis(issue string, route []string, home string) string {
	words := map[string]string{"Issue": issue, "Home": home}
	if len(route) > 0 {
		words["Route"] = codes(route, " → ") + " → this one"
		words["Last"] = route[len(route)-1]
	}
	return render("depends_on_this", words)
}

// TooManyIssues answers a link command that names more issues than it takes.
func TooManyIssues(most int) string { return render("too_many_issues", map[string]int{"Count": most}) }

// NothingLinked says that no link of a comment was made, because another of its commands was refused.
func NothingLinked() string { return render("nothing_linked", nil) }
