package wording

import "github.com/colony-app/colony/lifecycle"

// InvalidFile is what there is to say about a file of a repository that says what its issues are reconciled by.
type InvalidFile struct {
	Path     string
	Problems []lifecycle.Problem
	// Applies says that the rest of the file is in force. If not, nothing of it is.
	Applies bool
	// LastGoodCommit is the commit of the version that stays in force; empty if none of the file's versions is.
	LastGoodCommit string
}

const problemsShown = 5

// Shown lists the problems that the comment shows.
func (b InvalidFile) Shown() []lifecycle.Problem {
	return b.Problems[:min(len(b.Problems), problemsShown)]
}

// More counts the problems that it does not show.
func (b InvalidFile) More() int { return len(b.Problems) - len(b.Shown()) }

// RenderInvalidFile says on a commit what is wrong with a file, with a marker that names the fault.
func RenderInvalidFile(b InvalidFile, id int64) string {
	return render("broken", b) + "\n\n" + Marker(Breaks, id)
}
