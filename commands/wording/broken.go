package wording

import "github.com/colony-app/colony/statemachine"

// Broken is what there is to say about a file of a repository that says what its issues are judged by.
type Broken struct {
	Path     string
	Problems []statemachine.Problem
	// Applies says that the rest of the file is in force.
	Applies bool
	// Instead is the commit of the version that stays in force; empty if none of the file's versions is.
	Instead string
}

// problemsTold is how many problems a comment lists.
const problemsTold = 5

// Told lists the problems that the comment shows.
func (b Broken) Told() []statemachine.Problem { return b.Problems[:min(len(b.Problems), problemsTold)] }

// More counts the problems that it does not show.
func (b Broken) More() int { return len(b.Problems) - len(b.Told()) }

// BrokenFile says on a commit what is wrong with a file, with a marker that names the fault.
func BrokenFile(b Broken, id int64) string {
	return render("broken", b) + "\n\n" + Marker(Breaks, id)
}
