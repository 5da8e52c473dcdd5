package statemachine

// Difference is what someone changed of what a person had approved.
type Difference struct {
	// What names the part: DifferentTitle and its likes.
	What string
	// Before is what was approved, and After what is there now. Known says that GitHub tells both; it forgets what people take out of
	// the history of a text.
	Before, After string
	Known         bool
	// Pull is the pull request that it is about, if it is about one.
	Pull int
	// By are the logins of who changed it; logins that GitHub does not tell are left out.
	By []string
}

// The parts of an issue that are approved.
const (
	DifferentTitle = "title"
	DifferentText  = "text"
	// DifferentPlan is the comment with the work that was approved.
	DifferentPlan = "plan"
	// DifferentComment is a comment that was deleted, which might have been that one.
	DifferentComment = "comment"
	// DifferentHead is the newest commit of a pull request, and DifferentPull a pull request that there was none of.
	DifferentHead = "head"
	DifferentPull = "pull"
)
