package audit

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
)

// Irregular is what an audit finds about an issue.
type Irregular string

// What an audit finds besides the needs of package advice.
const (
	SeveralStates Irregular = "several-states" // it has the labels of several states
	UnknownLabel  Irregular = "unknown-label"  // a label looks like Colony's and is not in the lifecycle
	OutOfLine     Irregular = "out-of-line"    // its label is not what its log says
	ForcedRound   Irregular = "forced"         // a move of it overrode the workflow
	ClosedEarly   Irregular = "closed"         // it is closed, and its state is not one in which work ends
	NotChecked    Irregular = "not-looked-at"  // it could not be looked at
)

// IrregularSpec is one row of the vocabulary of audits.
type IrregularSpec struct {
	Irregular Irregular
	Meaning   string
}

// IrregularSpecs returns what an audit can find, with what each means to people.
func IrregularSpecs() []IrregularSpec {
	all := []IrregularSpec{
		{SeveralStates, "It carries the labels of several states."},
		{UnknownLabel, "It carries a label that begins with `colony:` and is not in its lifecycle."},
		{OutOfLine, "The label of its state is missing, or differs from what the log says."},
		{ForcedRound, "Someone forced it around the table within the horizon."},
		{ClosedEarly, "It is closed in a state that is not terminal, however long ago."},
		{NotChecked, "The audit could not check a repository or a part of it, or there is too much of it."},
	}
	for _, n := range advice.NeedSpecs() {
		all = append(all, IrregularSpec{Irregular(n.Need), n.Meaning})
	}
	return all
}

// Finding is one thing that an audit found.
type Finding struct {
	Irregular  Irregular `json:"irregular"`
	Repository string    `json:"repository"`
	Issue      int       `json:"issue,omitempty"`
	Title      string    `json:"title,omitempty"`
	URL        string    `json:"url,omitempty"`
	State      string    `json:"state,omitempty"`
	// From is where a forced move came from, and Reason what was given for it.
	From   string `json:"from,omitempty"`
	Reason string `json:"reason,omitempty"`
	// Since is the time from which it is so, as far as that is known.
	Since time.Time `json:"since,omitzero"`
	// Age is how long that is, in seconds; 0 if Since is not known.
	Age int64 `json:"age_seconds,omitempty"`
	// By is whose doing it was, if it was anybody's.
	By   string `json:"by,omitempty"`
	Says string `json:"says"`
	// Who has to act, in words, and Do is the comment that is recommended to them; empty if nothing is.
	Who []string `json:"who,omitempty"`
	Do  string   `json:"do,omitempty"`
}

// Older orders findings by how long it is so, the longest first; findings where that is not known come last.
func Older(a, b Finding) int {
	switch {
	case a.Since.IsZero() != b.Since.IsZero():
		if a.Since.IsZero() {
			return 1
		}
		return -1
	case !a.Since.Equal(b.Since):
		return a.Since.Compare(b.Since)
	}
	return cmp.Or(cmp.Compare(a.Repository, b.Repository), cmp.Compare(a.Issue, b.Issue), cmp.Compare(a.Irregular, b.Irregular), cmp.Compare(a.Says, b.Says))
}

func (f Finding) String() string {
	about := f.Repository
	if f.Issue != 0 {
		about = fmt.Sprintf("%s#%d", f.Repository, f.Issue)
	}
	line := fmt.Sprintf("%-14s  %s: %s", f.Irregular, about, f.Says)
	if !f.Since.IsZero() {
		line += ", since " + f.Since.UTC().Format("2006-01-02 15:04 MST")
		if f.Age > 0 {
			line += fmt.Sprintf(" (%s)", lifecycle.Span(time.Duration(f.Age)*time.Second))
		}
	}
	if f.By != "" {
		line += ", by " + f.By
	}
	if len(f.Who) > 0 {
		line += "; waits for " + strings.Join(f.Who, " or ")
	}
	if f.Do != "" {
		line += "; write " + f.Do
	}
	if f.Title != "" {
		line += fmt.Sprintf("; %q %s", f.Title, f.URL)
	}
	return line
}
