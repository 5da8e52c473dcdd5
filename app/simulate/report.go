package simulate

import (
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile/replay"
)

// Report is what a simulation comes to. Its JSON is documented in docs/simulate.md.
type Report struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	// Complete says that everything was read that was to be read; Stopped says why not.
	Complete     bool   `json:"complete"`
	Stopped      string `json:"stopped,omitempty"`
	Repositories int    `json:"repositories"`
	// Mode is in which mode Colony would have been there.
	Mode lifecycle.Mode `json:"mode"`
	// Rules are where the lifecycles come from by which the repositories were checked, with how many repositories each.
	Rules  map[string]int `json:"rules"`
	Issues int            `json:"issues"`
	// Moves counts the allowed moves of people and bots.
	Moves  int                 `json:"legal_moves"`
	Counts map[replay.Kind]int `json:"counts"`
	// Reasons are the counts by reason, the largest of each kind first.
	Reasons  []Reason  `json:"reasons"`
	Examples []Example `json:"examples"`
	// Cost is about what that would have asked of GitHub.
	Cost       replay.Cost  `json:"cost"`
	LeftOut    []LeftOut    `json:"left_out"`
	NotChecked []NotChecked `json:"not_checked"`
	// Broken are the repositories whose own files are not used as they are, with what is wrong.
	Broken []NotChecked `json:"broken_files"`
	// Changes are what the replacement files change; nil if nothing was compared.
	Changes *Changes `json:"changes,omitempty"`
}

// doing names what the mode does, at the beginning of a sentence.
func (r *Report) doing() string {
	if r.Mode == lifecycle.ModeWarn {
		return "Warning"
	}
	return "Enforcing"
}

// asIf says what Colony would have done in the mode, after "as if Colony had".
func (r *Report) asIf() string {
	if r.Mode == lifecycle.ModeWarn {
		return "warned there"
	}
	return "enforced the lifecycle there"
}

// Reason is how often Colony would have done one thing for one reason.
type Reason struct {
	Kind   replay.Kind `json:"kind"`
	Reason string      `json:"reason"`
	From   string      `json:"from,omitempty"`
	To     string      `json:"to,omitempty"`
	// By is in which capacity someone asked for it: "operator", "executor", "author", or "colony" where no one did.
	By     string `json:"by,omitempty"`
	Count  int    `json:"count"`
	Issues int    `json:"issues"`
}

// Example is one thing that Colony would have done.
type Example struct {
	Kind       replay.Kind `json:"kind"`
	Reason     string      `json:"reason"`
	From       string      `json:"from,omitempty"`
	To         string      `json:"to,omitempty"`
	Repository string      `json:"repository"`
	Issue      int         `json:"issue"`
	At         time.Time   `json:"at"`
	By         string      `json:"by,omitempty"` // the login
	Link       string      `json:"link"`
	// Of says of how many of the same kind and reason it is one.
	Of int `json:"of"`

	event, comment int64
}

// LeftOut is what a simulation cannot know.
type LeftOut struct {
	What    replay.LeftOut `json:"what"`
	Meaning string         `json:"meaning"`
	Issues  int            `json:"issues"`
}

// NotChecked is a repository that could not be read, or a file of it.
type NotChecked struct {
	Repository string `json:"repository"`
	Says       string `json:"says"`
}

// Changes are what replacement files change: what only they would lead to, and what they would no longer lead to.
type Changes struct {
	Issues  int      `json:"issues"` // that differ
	Added   []Reason `json:"added"`
	Removed []Reason `json:"removed"`
	// Examples of each.
	AddedExamples   []Example `json:"added_examples"`
	RemovedExamples []Example `json:"removed_examples"`
}

// mostExamples is how many examples a report has.
const mostExamples = 20
