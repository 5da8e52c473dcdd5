package lifecycle

import (
	"slices"
)

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
	ReadApprovals    Reading = "approvals"
	ReadChecks       Reading = "checks"
	ReadFiles        Reading = "files"
	ReadDependencies Reading = "dependencies"
	ReadCycles       Reading = "dependency-cycles"
	ReadEarly        Reading = "early-dependencies"
	ReadSubIssues    Reading = "sub-issues"
	ReadClosing      Reading = "closing"
	ReadPushes       Reading = "pushes"
)

// EveryReading lists them, in the order in which documents list them.
func EveryReading() []Reading {
	return []Reading{ReadComments, ReadEdits, ReadPullRequests, ReadReviews, ReadApprovals, ReadChecks, ReadFiles, ReadDependencies, ReadCycles, ReadEarly, ReadSubIssues, ReadClosing, ReadPushes}
}

// Since says from when on a fact that comes once counts. In none of the ways does one fact let a row move an issue twice.
type Since string

// The words for it.
const (
	// SinceEntry facts count if they came after the issue entered its state; coming back from a blocked one is no entry.
	SinceEntry Since = "entry"
	// SinceDecision facts count if they came after the last decision about the work: a person's move, or a bot's out of a state that the row is about.
	// What leads into a blocked state and back is no decision, nor is what Colony does on its own.
	SinceDecision Since = "decision"
	// SinceEver facts count whenever they came, unless a person sent the work back since.
	SinceEver Since = "ever"
)

// Speaker says whose comment a fact is.
type Speaker string

// The words for it.
const (
	// ByAuthor is the account that opened the issue, a bot too.
	ByAuthor Speaker = "author"
	// ByMover is the author, or a person who can move the issue by a command.
	ByMover Speaker = "mover"
)

// FactSpec is one row of the vocabulary of triggers.
type FactSpec struct {
	Fact    Fact
	Needs   Reading
	Meaning string
	// Since is from when on a fact that comes once counts. It moves an issue once, so it feeds no circle. Without it the fact lasts: it counts while
	// it holds, unless a person just undid the move that it asks for.
	Since Since
	// Implies lists the facts that hold whenever this one does. Excludes lists the facts that never hold together with it; it is enough that one of
	// two says so. See together.
	Implies, Excludes []Fact
	// By says whose comment the fact is; empty if it is not a comment.
	By Speaker
	// Sealed says that the fact is about what a person approved: it is one of sealed states, and counts from the approval on. See
	// Lifecycle.Approval.
	Sealed bool
	// Own says of a lasting fact that it counts only where Colony moved the issue to its state without being asked, or a bot did, and else if it
	// came after that: a person who put the issue there by hand can have had another reason.
	Own bool
	// On says whether the fact is about open issues or closed ones.
	On Openness
}

// Openness says on which issues a fact counts: closed issues are left alone, unless the fact is about that.
type Openness uint8

// The ways in which a fact counts.
const (
	OnOpen Openness = iota
	// OnAny facts can close the issue themselves.
	OnAny
	OnClosed
)

// Has reports whether a fact counts on an open, or a closed, issue.
func (o Openness) Has(closed bool) bool { return o == OnAny || (o == OnClosed) == closed }

// Once reports whether the fact comes at some time, and moves an issue once.
func (s FactSpec) Once() bool { return s.Since != "" }

// FactSpecs returns the facts that triggers can name: parser, lint, documentation and readers share this table.
func FactSpecs() []FactSpec { return slices.Clone(factSpecs) }

// Replies returns those of the facts that are comments.
func Replies() []FactSpec { return slices.Clone(replies) }

var replies = slices.DeleteFunc(FactSpecs(), func(s FactSpec) bool { return s.By == "" })

// textChanged is the fact that every sealed state has a row on.
const textChanged Fact = "text-changed"

// headChanged is the same of pull requests, which not every sealed state is about.
const headChanged Fact = "head-changed"

// factSpecs is made once: reconciliations ask for it.
var factSpecs = []FactSpec{
	{
		Fact: "author-replied", Needs: ReadComments, Since: SinceEntry, By: ByAuthor,
		Implies: []Fact{"person-replied"},
		Meaning: "The author wrote a comment.",
	},
	{
		Fact: "person-replied", Needs: ReadComments, Since: SinceEntry, By: ByMover,
		Meaning: "The author, or a person who can move the issue by command, wrote a comment.",
	},
	{
		Fact: "author-edited", Needs: ReadEdits, Since: SinceEntry,
		Meaning: "The author edited title or text.",
	},
	{
		Fact: textChanged, Needs: ReadEdits, Since: SinceEntry, Sealed: true,
		Meaning: "Title or text differ from what was approved, and someone else than the approver edited them since.",
	},
	{
		Fact: headChanged, Needs: ReadPullRequests, Since: SinceEntry, Sealed: true,
		Meaning: "An open pull request has another commit than at the approval, and someone else than the approver pushed or opened it since.",
	},
	{
		Fact: "pull-request-opened", Needs: ReadPullRequests,
		Meaning:  "The issue has an open pull request, a draft or not.",
		Excludes: []Fact{"pull-request-missing", "pull-request-merged", "pull-request-closed"},
	},
	{
		Fact: "pull-request-ready", Needs: ReadPullRequests, Implies: []Fact{"pull-request-opened"},
		Meaning: "The issue has an open pull request that is not a draft.",
	},
	{
		Fact: "pull-request-missing", Needs: ReadPullRequests,
		Meaning: "The issue has no open pull request, and its last one, if any, was not merged.",
	},
	{
		Fact: "pull-request-merged", Needs: ReadPullRequests, Since: SinceEver,
		Meaning: "A pull request of the issue was merged, and the issue has no open one, or the merge closed it.",
		On:      OnAny,
	},
	{
		// Its reading is that of closed issues, so that states in which no pull request is expected read none of an open issue.
		Fact: "issue-merged", Needs: ReadPullRequests, On: OnClosed,
		Implies: []Fact{"issue-completed", "pull-request-merged"},
		Meaning: "The issue is closed as completed, and one of its pull requests was merged since it was last opened.",
	},
	{
		Fact: "pull-request-closed", Needs: ReadPullRequests, Since: SinceDecision,
		Implies: []Fact{"pull-request-missing"},
		Meaning: "The last open pull request of the issue was closed without a merge.",
	},
	{
		Fact: "pull-request-conflicting", Needs: ReadPullRequests, Implies: []Fact{"pull-request-opened"},
		Meaning: "An open pull request conflicts with its base.",
	},
	{
		Fact: "pull-request-pushed", Needs: ReadPushes, Since: SinceEntry, Implies: []Fact{"pull-request-opened"},
		Meaning: "Someone pushed to an open pull request, or opened it.",
	},
	{
		Fact: "review-approved", Needs: ReadReviews, Since: SinceDecision,
		Excludes: []Fact{"review-changes-requested"},
		Meaning:  "A reviewer approved a pull request, and no request for changes is open.",
	},
	{
		Fact: "review-changes-requested", Needs: ReadReviews, Since: SinceDecision,
		Meaning: "A reviewer requested changes to a pull request.",
	},
	{
		// It has a reading of its own, so that a repository chooses whether it moves issues; guards read it in any case.
		Fact: "person-approved", Needs: ReadApprovals, Since: SinceEver,
		Meaning: "A person with write access, not the author, approved an open or merged pull request, and no request for changes is open; or a person merged it.",
	},
	{
		Fact: "checks-passed", Needs: ReadChecks, Since: SinceDecision,
		Excludes: []Fact{"checks-failed"},
		Meaning:  "All checks of the head commit are complete, and none failed.",
	},
	{
		Fact: "checks-failed", Needs: ReadChecks, Since: SinceDecision,
		Meaning: "All checks of the head commit are complete, and at least one failed.",
	},
	{
		Fact: "files-overlap", Needs: ReadFiles,
		Meaning: "A pull request of the issue, or its plan (planned-in), changes a file that an older open pull request of another issue changes, too.",
	},
	{
		Fact: "files-clear", Needs: ReadFiles, Own: true, Excludes: []Fact{"files-overlap"},
		Meaning: "The opposite: neither a pull request of the issue nor its plan changes such a file.",
	},
	{
		Fact: "dependency-open", Needs: ReadDependencies,
		Meaning: "An issue that this one depends on is open.",
	},
	{
		Fact: "dependencies-closed", Needs: ReadDependencies,
		Excludes: []Fact{"dependency-open", "dependency-dropped"},
		Meaning:  "The issue depends on others, and all are completed.",
	},
	{
		Fact: "dependencies-none", Needs: ReadDependencies, Own: true,
		Excludes: []Fact{"dependency-open", "dependency-dropped", "dependencies-closed"},
		Meaning:  "The issue depends on no other.",
	},
	{
		Fact: "dependency-dropped", Needs: ReadDependencies,
		Meaning: "An issue that this one depends on was closed as not planned, or deleted.",
	},
	{
		Fact: "dependency-cycle", Needs: ReadCycles, Implies: []Fact{"dependency-open"},
		Meaning: "The open issues that this one depends on lead back to it.",
	},
	{
		// It has a reading of its own, so that issues can be blocked by dependencies without being sent back for them.
		Fact: "dependency-early", Needs: ReadEarly, Implies: []Fact{"dependency-open"},
		Meaning: "As dependency-open, with a key of its own in follow, for work that it is too early to prepare.",
	},
	{
		Fact: "sub-issues-open", Needs: ReadSubIssues,
		Meaning: "A sub-issue is open.",
	},
	{
		Fact: "sub-issues-none", Needs: ReadSubIssues, Excludes: []Fact{"sub-issues-open", "sub-issues-closed"},
		Meaning: "The issue has no sub-issue.",
	},
	{
		Fact: "sub-issues-closed", Needs: ReadSubIssues, Excludes: []Fact{"sub-issues-open"},
		Meaning: "The issue has sub-issues, and all are closed, for any reason.",
	},
	{
		Fact: "sub-issues-completed", Needs: ReadSubIssues, Implies: []Fact{"sub-issues-closed"}, Excludes: []Fact{"sub-issues-dropped"},
		Meaning: "The issue has sub-issues, and all are completed.",
	},
	{
		Fact: "sub-issues-dropped", Needs: ReadSubIssues, Implies: []Fact{"sub-issues-closed"},
		Meaning: "The issue has sub-issues, and all are closed, at least one as not planned.",
	},
	{
		Fact: "issue-closed", Needs: ReadClosing, On: OnClosed,
		Meaning: "The issue is closed, for any reason.",
	},
	{
		Fact: "issue-completed", Needs: ReadClosing, On: OnClosed, Implies: []Fact{"issue-closed"}, Excludes: []Fact{"issue-dropped"},
		Meaning: "The issue is closed as completed.",
	},
	{
		Fact: "issue-dropped", Needs: ReadClosing, On: OnClosed, Implies: []Fact{"issue-closed"},
		Meaning: "The issue is closed as not planned, or as a duplicate.",
	},
	{
		Fact: "issue-reopened", Needs: ReadClosing, Since: SinceEntry,
		Meaning: "The issue was closed, and is open again.",
	},
}

var facts = func() map[Fact]FactSpec {
	byName := map[Fact]FactSpec{}
	for _, s := range factSpecs {
		byName[s.Fact] = s
	}
	return byName
}()

// By returns whose comment a fact is; empty if it is not a comment.
func (f Fact) By() Speaker { return facts[f].By }

// SpecOf returns the row of a fact.
func SpecOf(f Fact) (FactSpec, bool) {
	s, ok := facts[f]
	return s, ok
}

// implied returns a fact and all that hold whenever it does.
func implied(f Fact) []Fact {
	all := []Fact{f}
	for i := 0; i < len(all); i++ {
		for _, other := range facts[all[i]].Implies {
			if !slices.Contains(all, other) {
				all = append(all, other)
			}
		}
	}
	return all
}

// together reports whether two facts can hold at the same time.
func together(a, b Fact) bool {
	for _, x := range implied(a) {
		for _, y := range implied(b) {
			if slices.Contains(facts[x].Excludes, y) || slices.Contains(facts[y].Excludes, x) {
				return false
			}
		}
	}
	return true
}

// ReadingsOf returns what has to be read to know some facts.
func ReadingsOf(named []string) []Reading {
	var needs []Reading
	for _, name := range named {
		if spec, known := SpecOf(Fact(name)); known && !slices.Contains(needs, spec.Needs) {
			needs = append(needs, spec.Needs)
		}
	}
	return needs
}
