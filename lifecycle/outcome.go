package lifecycle

// Outcome says what came of the work on an issue, as the label of its state tells.
type Outcome string

// The outcomes.
const (
	// Untold: no label tells; GitHub's own state of the issue counts.
	Untold    Outcome = ""
	UnderWay  Outcome = "under way"
	Completed Outcome = "completed"
	Dropped   Outcome = "dropped"
)
