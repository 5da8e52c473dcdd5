package reconcile_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
)

// factsLifecycle is a lifecycle with a state for every fact, which moves an issue to "moved".
func factsLifecycle() string {
	var states, names, triggers strings.Builder
	for _, spec := range lifecycle.FactSpecs() {
		fmt.Fprintf(&states, "  - {name: on-%s, type: active, label: \"colony:on-%s\", color: c5def5, description: It waits., meaning: It waits., sealed: %t}\n", spec.Fact, spec.Fact, spec.Sealed)
		fmt.Fprintf(&names, "on-%s, ", spec.Fact)
		if spec.Sealed && spec.Fact != "text-changed" { // every sealed state holds its text
			fmt.Fprintf(&triggers, "  - {on: text-changed, in: on-%s, to: moved, why: Its text changed}\n", spec.Fact)
		}
		fmt.Fprintf(&triggers, "  - {on: %s, in: on-%s, to: moved, why: %s holds, asks-person: %t}\n", spec.Fact, spec.Fact, spec.Fact, spec.Fact == "dependency-cycle" || spec.Sealed)
	}
	waits := strings.TrimSuffix(names.String(), ", ")
	return `name: facts
summary: Everything that can move an issue beside its labels.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: moved, type: active, label: "colony:moved", color: 0e8a16, description: It moved., meaning: It moved.}
` + states.String() + `transitions:
  - kind: forward
    source: these tests
    pairs:
      - {from: untouched, to: [` + waits + `], why: It begins.}
      - {from: [` + waits + `], to: moved, why: It moves.}
  - kind: backward
    source: these tests
    pairs:
      - {from: moved, to: [` + waits + `], why: Somebody puts it back.}
triggers:
` + triggers.String()
}

// caused is one way to make a fact so.
type caused struct {
	name string
	fact lifecycle.Fact
	// before is done before the issue comes to the state that waits for the fact, and nearly is what comes near it; both return a
	// number that the next takes.
	before, nearly func(i *issue) int
	cause          func(i *issue, number int)
	// unheard says that GitHub sends no webhook for it, so that only a sweep notices it.
	unheard bool
	// says is what Colony says of it.
	says string
}

func causes() []caused {
	pull := func(i *issue) int { return i.Fixed() }
	return []caused{
		{
			name: "the author replies", fact: "author-replied",
			nearly: func(i *issue) int { i.Comment("olivia", "What colour?"); return 0 },
			cause:  func(i *issue, _ int) { i.Comment("ada", "It is red") },
		},
		{
			name: "a person who may move it replies", fact: "person-replied",
			nearly: func(i *issue) int { i.Comment("rita", "What colour?"); return 0 },
			cause:  func(i *issue, _ int) { i.Comment("olivia", "It is red") },
		},
		{
			name: "the author who may only read replies", fact: "person-replied",
			nearly: func(i *issue) int { i.Comment("dev[bot]", "Here is the plan."); return 0 },
			cause:  func(i *issue, _ int) { i.Comment("ada", "It is red") },
		},
		{
			name: "the author edits the title", fact: "author-edited",
			nearly: func(i *issue) int {
				i.Change("olivia", i.Number, &github.IssueRequest{Title: new("A red widget")})
				return 0
			},
			cause: func(i *issue, _ int) { i.Change("ada", i.Number, &github.IssueRequest{Title: new("A blue widget")}) },
		},
		{
			name: "the author edits the text", fact: "author-edited",
			nearly: func(i *issue) int { i.Change("olivia", i.Number, &github.IssueRequest{Body: new("More")}); return 0 },
			cause:  func(i *issue, _ int) { i.Change("ada", i.Number, &github.IssueRequest{Body: new("It is blue")}) },
		},
		{
			name: "somebody edits the approved title", fact: "text-changed",
			nearly: func(i *issue) int {
				i.Change("olivia", i.Number, &github.IssueRequest{Title: new("A red widget"), Body: new("More")})
				return 0
			},
			cause: func(i *issue, _ int) { i.Change("ada", i.Number, &github.IssueRequest{Title: new("A blue widget")}) },
			says:  "+A blue widget",
		},
		{
			name: "somebody edits the approved text", fact: "text-changed",
			cause: func(i *issue, _ int) { i.EditOpening("ada", "It is blue") },
			says:  "+It is blue",
		},
		{
			name: "somebody pushes to an approved pull request", fact: "head-changed",
			before: func(i *issue) int { i.Push("approved-head", "a.txt"); return i.Pull("approved-head", i.Fixes(), false) },
			nearly: func(i *issue) int { i.Push("another-head", "b.txt"); return 0 },
			cause:  func(i *issue, _ int) { i.Push("approved-head", "c.txt") },
			says:   "It now leads to",
		},
		{
			name: "a pull request comes after the approval", fact: "head-changed",
			cause: func(i *issue, _ int) { i.Fixed() },
			says:  "came after the approval",
		},
		{
			name: "somebody pushes to its pull request", fact: "pull-request-pushed",
			before: func(i *issue) int { i.Push("work", "a.txt"); return i.Pull("work", i.Fixes(), false) },
			nearly: func(i *issue) int { i.Push("other-work", "b.txt"); return 0 },
			cause:  func(i *issue, _ int) { i.Push("work", "c.txt") },
		},
		{
			name: "a draft names the issue", fact: "pull-request-opened",
			nearly: func(i *issue) int { i.Pull("mention", fmt.Sprintf("See #%d", i.Number), true); return 0 },
			cause:  func(i *issue, _ int) { i.Pull("work", i.Fixes(), true) },
		},
		{
			name: "a branch is named after the issue", fact: "pull-request-opened",
			nearly: func(i *issue) int { i.Pull(fmt.Sprintf("%d0-more", i.Number), "", false); return 0 },
			cause:  func(i *issue, _ int) { i.Pull(fmt.Sprintf("%d-paint", i.Number), "", false) },
		},
		{
			name: "a branch is named after the issue and the text names another", fact: "pull-request-opened",
			before: func(i *issue) int { return i.Other() },
			cause: func(i *issue, number int) {
				i.Pull(fmt.Sprintf("colony/%d", i.Number), fmt.Sprintf("Fixes #%d", number), false)
			},
		},
		{
			name: "a pull request names the issue later", fact: "pull-request-opened",
			before: func(i *issue) int { return i.Pull("work", "Nothing yet", false) },
			cause: func(i *issue, number int) {
				_, _, err := i.As("tara").PullRequests.Edit(context.Background(), "acme", "widgets", number, &github.PullRequest{Body: new(i.Fixes())})
				i.Must(err)
			},
		},
		{
			name: "a pull request is linked by hand", fact: "pull-request-opened",
			before: func(i *issue) int { return i.Pull("work", "", false) },
			cause: func(i *issue, number int) {
				i.Must(i.LinkPullRequest("acme", "widgets", i.Number, "", number, true, "mona"))
			},
			unheard: true,
		},
		{
			name: "a draft gets ready", fact: "pull-request-ready",
			before: func(i *issue) int { return i.Pull("work", i.Fixes(), true) },
			cause:  func(i *issue, number int) { i.Must(i.SetDraft("acme", "widgets", number, false, "tara")) },
		},
		{
			name: "the only pull request is closed", fact: "pull-request-missing",
			before: pull, cause: func(i *issue, number int) { i.CloseAs(number, "") },
		},
		{
			name: "the pull request is merged, which closes the issue", fact: "pull-request-merged",
			before: pull, cause: func(i *issue, number int) { i.Must(i.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "a merge closes the issue", fact: "issue-merged",
			before: pull, cause: func(i *issue, number int) { i.Must(i.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "the issue is closed as a duplicate", fact: "issue-closed",
			cause: func(i *issue, _ int) { i.CloseAs(i.Number, "duplicate") },
		},
		{
			name: "the issue is closed as completed", fact: "issue-completed",
			cause: func(i *issue, _ int) { i.CloseAs(i.Number, "completed") },
		},
		{
			name: "the issue is closed as not planned", fact: "issue-dropped",
			cause: func(i *issue, _ int) { i.CloseAs(i.Number, "not_planned") },
		},
		{
			name: "the issue is opened again", fact: "issue-reopened",
			before: func(i *issue) int { i.CloseAs(i.Number, "completed"); return 0 },
			cause: func(i *issue, _ int) {
				i.Change("mona", i.Number, &github.IssueRequest{State: new("open")})
			},
		},
		{
			name: "the last of two pull requests is merged", fact: "pull-request-merged",
			before: func(i *issue) int {
				number := i.Pull(fmt.Sprintf("%d-first", i.Number), "", false)
				i.Must(i.MergePullRequest("acme", "widgets", number, "mona"))
				return i.Pull(fmt.Sprintf("%d-second", i.Number), "", false)
			},
			cause: func(i *issue, number int) { i.Must(i.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "the last pull request is closed without a merge", fact: "pull-request-closed",
			before: func(i *issue) int {
				i.CloseAs(i.Pull("first", i.Fixes(), false), "")
				i.Clock.Advance(time.Minute)
				return i.Pull("second", i.Fixes(), false)
			},
			cause: func(i *issue, number int) { i.Clock.Advance(time.Minute); i.CloseAs(number, "") },
		},
		{
			name: "the pull request conflicts", fact: "pull-request-conflicting",
			before: pull, cause: func(i *issue, number int) { i.Must(i.MakeConflict("acme", "widgets", number, "mona")) },
		},
		{
			name: "a reviewer approves", fact: "review-approved",
			before: pull,
			cause:  func(i *issue, number int) { i.Review(number, "APPROVE", "olivia") },
		},
		{
			name: "a reviewer approves after another's request", fact: "review-approved",
			before: func(i *issue) int { n := pull(i); i.Review(n, "REQUEST_CHANGES", "olivia"); return n },
			cause: func(i *issue, number int) {
				i.Clock.Advance(time.Minute)
				i.Review(number, "APPROVE", "mona")
				i.Settle()
				i.Has("colony:on-review-approved") // olivia's request stands
				i.Clock.Advance(time.Minute)
				i.Review(number, "APPROVE", "olivia")
			},
		},
		{
			name: "a reviewer requests changes", fact: "review-changes-requested",
			before: func(i *issue) int {
				number := pull(i)
				i.Review(number, "REQUEST_CHANGES", "mona") // before the issue is where it counts
				i.Clock.Advance(time.Minute)
				return number
			},
			cause: func(i *issue, number int) {
				i.Clock.Advance(time.Minute)
				i.Review(number, "REQUEST_CHANGES", "rita") // she may only read
				i.Review(number, "COMMENT", "olivia")
				i.Settle()
				i.Has("colony:on-review-changes-requested")
				i.Clock.Advance(time.Minute)
				i.Review(number, "REQUEST_CHANGES", "olivia")
			},
		},
		{
			name: "a person approves", fact: "person-approved",
			before: pull,
			nearly: func(i *issue) int { i.Review(i.Number+1, "APPROVE", "reviewer[bot]"); return 0 },
			cause:  func(i *issue, number int) { i.Review(number, "APPROVE", "olivia") },
		},
		{
			name: "a person merges", fact: "person-approved",
			before: func(i *issue) int { return i.Pull("1-paint", "", false) }, // so that the merge does not close the issue
			cause:  func(i *issue, number int) { i.Must(i.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "all checks pass", fact: "checks-passed",
			before: func(i *issue) int {
				pull(i)
				i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "")
				return 0
			},
			nearly: func(i *issue) int {
				i.Must(i.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.Number), "lint", "success", "mona"))
				return 0
			},
			cause: func(i *issue, _ int) { i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "neutral") },
		},
		{
			name: "a check fails, and all are complete", fact: "checks-failed",
			before: func(i *issue) int {
				pull(i)
				i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "")
				i.Check(fmt.Sprintf("work-on-%d", i.Number), "test", "")
				return 0
			},
			nearly: func(i *issue) int { i.Check(fmt.Sprintf("work-on-%d", i.Number), "test", "failure"); return 0 },
			cause:  func(i *issue, _ int) { i.Check(fmt.Sprintf("work-on-%d", i.Number), "build", "success") },
		},
		{
			name: "a status fails", fact: "checks-failed",
			before: pull,
			nearly: func(i *issue) int {
				i.Must(i.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.Number), "lint", "pending", "mona"))
				return 0
			},
			cause: func(i *issue, _ int) {
				i.Must(i.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.Number), "lint", "error", "mona"))
			},
		},
		{
			name: "an older pull request changes the same file", fact: "files-overlap",
			before: func(i *issue) int { i.Fixed(); return i.Older("shared.txt") }, // but it is not older
			nearly: func(i *issue) int { i.Push(fmt.Sprintf("work-on-%d", i.Number), "shared.txt"); return 0 },
			cause: func(i *issue, _ int) {
				i.CloseAs(i.Number+1, "")
				i.Pull("again", i.Fixes(), false)
				i.Push("again", "shared.txt")
			},
		},
		{
			name: "the issue is blocked", fact: "dependency-open",
			before: func(i *issue) int { return i.Other() },
			cause:  func(i *issue, number int) { i.BlockedBy(i.Number, number, true) },
		},
		{
			name: "it is too early, because the issue is blocked", fact: "dependency-early",
			before: func(i *issue) int { return i.Other() },
			cause:  func(i *issue, number int) { i.BlockedBy(i.Number, number, true) },
		},
		{
			name: "the text says on what it depends", fact: "dependency-open",
			before: func(i *issue) int { return i.Other() },
			cause: func(i *issue, number int) {
				i.Change("olivia", i.Number, &github.IssueRequest{Body: new(fmt.Sprintf("Paint it.\n\nDepends on #%d", number))})
			},
		},
		{
			name: "the issue depends on what is not there", fact: "dependency-open",
			nearly: func(i *issue) int { // a repository that nobody can see
				i.Change("ada", i.Number, &github.IssueRequest{Body: new("Blocked by elsewhere/unseen#3")})
				return 0
			},
			cause: func(i *issue, _ int) {
				i.Change("ada", i.Number, &github.IssueRequest{Body: new("Blocked by #999")})
			},
		},
		{
			name: "the last dependency is closed", fact: "dependencies-closed",
			before: func(i *issue) int {
				first, second := i.Other(), i.Other()
				i.BlockedBy(i.Number, first, true)
				i.BlockedBy(i.Number, second, true)
				i.CloseAs(first, "completed")
				return second
			},
			cause: func(i *issue, number int) { i.CloseAs(number, "completed") },
		},
		{
			name: "the issue that the text names is closed", fact: "dependencies-closed",
			before: func(i *issue) int {
				number := i.Other()
				i.Change("ada", i.Number, &github.IssueRequest{Body: new(fmt.Sprintf("- [ ] Blocked by #%d", number))})
				return number
			},
			cause: func(i *issue, number int) { i.CloseAs(number, "completed") },
		},
		{
			name: "the last dependency is taken off the list", fact: "dependencies-none",
			before: func(i *issue) int {
				first, second := i.Other(), i.Other()
				i.BlockedBy(i.Number, first, true)
				i.BlockedBy(i.Number, second, true)
				i.BlockedBy(i.Number, first, false)
				return second
			},
			cause: func(i *issue, number int) { i.BlockedBy(i.Number, number, false) },
		},
		{
			name: "a dependency is dropped", fact: "dependency-dropped",
			before: func(i *issue) int { n := i.Other(); i.BlockedBy(i.Number, n, true); return n },
			cause:  func(i *issue, number int) { i.CloseAs(number, "not_planned") },
		},
		{
			name: "two issues wait for each other", fact: "dependency-cycle",
			before: func(i *issue) int { n := i.Other(); i.BlockedBy(i.Number, n, true); return n },
			cause:  func(i *issue, number int) { i.BlockedBy(number, i.Number, true) },
			says:   "→",
		},
		{
			name: "a sub-issue is opened again", fact: "sub-issues-open",
			before: func(i *issue) int { n := i.Other(); i.SubIssue(n); i.CloseAs(n, "completed"); return n },
			cause:  func(i *issue, number int) { i.Change("mona", number, &github.IssueRequest{State: new("open")}) },
		},
		{
			name: "the only sub-issue is taken away", fact: "sub-issues-none",
			before: func(i *issue) int { n := i.Other(); i.SubIssue(n); return n },
			cause: func(i *issue, number int) {
				i.Must(i.SetSubIssue("acme", "widgets", i.Number, "", number, false, "mona"))
			},
		},
		{
			name: "the last sub-issue is completed", fact: "sub-issues-completed",
			before: oneOfTwoSubIssues("completed"),
			cause:  func(i *issue, number int) { i.CloseAs(number, "completed") },
		},
		{
			name: "all sub-issues are closed, and one was dropped", fact: "sub-issues-dropped",
			before: oneOfTwoSubIssues("not_planned"),
			cause:  func(i *issue, number int) { i.CloseAs(number, "completed") },
		},
		{
			name: "the last sub-issue is closed", fact: "sub-issues-closed",
			before: oneOfTwoSubIssues("not_planned"),
			cause:  func(i *issue, number int) { i.CloseAs(number, "completed") },
		},
	}
}

// oneOfTwoSubIssues closes one of two sub-issues for a reason, and returns the other one.
func oneOfTwoSubIssues(closedAs string) func(i *issue) int {
	return func(i *issue) int {
		first, second := i.Other(), i.Other()
		i.SubIssue(first)
		i.SubIssue(second)
		i.CloseAs(first, closedAs)
		return second
	}
}

func TestEveryFactHasACause(t *testing.T) {
	all := causes()
	for _, spec := range lifecycle.FactSpecs() {
		if spec.Fact == "files-clear" {
			continue // it moves only what Colony moved before: TestTheOlderPullRequestGoesFirst
		}
		if !slices.ContainsFunc(all, func(c caused) bool { return c.fact == spec.Fact }) {
			t.Errorf("nothing causes %s", spec.Fact)
		}
	}
}

// Each fact is caused from outside, once with the webhook, and once with all webhooks lost and only the sweep to notice.
func TestFacts(t *testing.T) {
	t.Parallel()
	for n, c := range causes() {
		for _, heard := range []bool{true, false} {
			if heard && c.unheard || !long.Whole() && !c.unheard && heard == (n%2 == 0) {
				continue
			}
			by := map[bool]string{true: "webhook", false: "sweep"}[heard]
			t.Run(strings.ReplaceAll(c.name, " ", "-")+"/"+by, func(t *testing.T) {
				t.Parallel()
				w := newFactsWorld(t, factsLifecycle())
				waits := "colony:on-" + string(c.fact)
				i := w.open("ada", "Paint it.")
				number := 0
				if c.before != nil {
					number = c.before(i)
				}
				w.Settle()
				i.Label("olivia", waits)
				w.Settle()
				i.Has(waits)
				w.clock.Advance(time.Minute)
				if !heard {
					w.Deaf()
				}
				if c.nearly != nil {
					c.nearly(i)
					w.Settle()
					if !heard {
						w.Sweep()
					}
					i.Has(waits)
					w.clock.Advance(time.Minute)
				}
				c.cause(i, number)
				w.Settle()
				if !heard {
					i.Has(waits)
					w.Sweep()
				}
				if c.says != "" {
					i.Has("colony:moved", "colony:needs-human")
					i.ColonySays(string(c.fact)+" holds", c.says)
				} else {
					i.Has("colony:moved")
				}
				// The same fact does not move it again once a person put it back, nor does the next sweep.
				w.clock.Advance(time.Minute)
				w.Sweep()
			})
		}
	}
}
