package statemachine

import "time"

// Fact names something outside the labels of an issue that can move it: a reply, a pull request, a check, another issue.
type Fact string

// Reading names what has to be read from GitHub to know a fact.
type Reading string

// The readings.
const (
	ReadComments     Reading = "comments"
	ReadEdits        Reading = "edits"
	ReadPullRequests Reading = "pull-requests"
	ReadReviews      Reading = "reviews"
	ReadChecks       Reading = "checks"
	ReadDependencies Reading = "dependencies"
	ReadCycles       Reading = "dependency-cycles"
	ReadSubIssues    Reading = "sub-issues"
)

// EveryReading lists them, in the order in which people are told of them.
func EveryReading() []Reading {
	return []Reading{ReadComments, ReadEdits, ReadPullRequests, ReadReviews, ReadChecks, ReadDependencies, ReadCycles, ReadSubIssues}
}

// Dating says from when on a fact counts, so that none moves an issue twice.
type Dating string

// The datings.
const (
	// SinceEntry facts count if they happened after the issue entered its state.
	SinceEntry Dating = "since-entry"
	// SincePerson facts count if they happened after a person last moved the issue, and after the last move that the same row made.
	SincePerson Dating = "since-person"
	// Standing facts count as long as they are so, unless a person just undid the move that they ask for.
	StandingFact Dating = "standing"
)

// FactSpec is one row of the vocabulary of triggers.
type FactSpec struct {
	Fact    Fact
	Needs   Reading
	Dating  Dating
	Meaning string
	// OnClosed says that the fact moves an issue that is closed as well, since what makes it so may have closed it. All others leave
	// closed issues alone.
	OnClosed bool
}

// FactSpecs returns the facts that triggers may name: parser, documentation and readers share this table.
func FactSpecs() []FactSpec {
	return []FactSpec{
		{"author-replied", ReadComments, SinceEntry, "The author of the issue wrote a comment.", false},
		{"author-edited", ReadEdits, SinceEntry, "The author of the issue edited its title or its text.", false},
		{"pull-request-opened", ReadPullRequests, StandingFact, "The issue has an open pull request, a draft or not.", false},
		{"pull-request-ready", ReadPullRequests, StandingFact, "The issue has an open pull request that is no draft.", false},
		{"pull-request-missing", ReadPullRequests, StandingFact, "The issue has no open pull request, and if it had any, the last one was not merged.", false},
		{"pull-request-merged", ReadPullRequests, SincePerson, "A pull request of the issue was merged, and none is open any more.", true},
		{"pull-request-closed", ReadPullRequests, SincePerson, "The last open pull request of the issue was closed without a merge.", false},
		{"pull-request-conflicting", ReadPullRequests, StandingFact, "An open pull request of the issue conflicts with its base.", false},
		{"review-approved", ReadReviews, SinceEntry, "Somebody who may review approved a pull request of the issue, and nobody's request for changes stands.", false},
		{"review-changes-requested", ReadReviews, SinceEntry, "Somebody who may review requested changes of a pull request of the issue.", false},
		{"checks-passed", ReadChecks, SincePerson, "All checks of the head commit are complete, and none failed.", false},
		{"checks-failed", ReadChecks, SincePerson, "All checks of the head commit are complete, and one failed.", false},
		{"dependency-open", ReadDependencies, StandingFact, "An issue that this one depends on is open.", false},
		{"dependencies-closed", ReadDependencies, StandingFact, "The issue depends on others, and all of them are completed.", false},
		{"dependency-dropped", ReadDependencies, StandingFact, "An issue that this one depends on was closed as not planned, or deleted, so that it will never be completed.", false},
		{"dependency-cycle", ReadCycles, StandingFact, "The open issues that this one depends on lead back to it, so that none of them can begin.", false},
		{"sub-issues-closed", ReadSubIssues, StandingFact, "The issue has sub-issues, and all of them are closed.", false},
	}
}

func factSpec(f Fact) (FactSpec, bool) {
	for _, s := range FactSpecs() {
		if s.Fact == f {
			return s, true
		}
	}
	return FactSpec{}, false
}

// Observation is a fact that holds for an issue.
type Observation struct {
	Fact Fact
	// At is when it came to be so; it is not used for standing facts.
	At time.Time
	// About names what it is about, for people: "#12", a login.
	About string
}

// Facts is what was read about an issue beside its labels.
type Facts struct {
	// Read lists the readings that were made: only their facts can be missed.
	Read     []Reading
	Observed []Observation
}
