package app_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
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

// follows lets everything move issues that the lifecycle has triggers for.
func follows(c *config.Config) { c.Follow = policy.DefaultFollow() }

// newFactsWorld is a world whose repository has the lifecycle of these tests.
func newFactsWorld(t *testing.T, life string, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorld(t, append([]func(*config.Config){follows}, change...)...)
	w.bring(life)
	return w
}

// bring gives the repository a lifecycle of its own.
func (w *world) bring(life string) {
	w.t.Helper()
	if _, err := statemachine.Parse("lifecycle.yml", []byte(life)); err != nil {
		w.t.Fatal(err)
	}
	w.commitAndSettle("widgets", ".github/colony-lifecycle.yml", life)
}

// deaf makes GitHub send no webhooks; it records none either.
func (w *world) deaf() { w.github.SetWebhookURL(appID, "") }

// pull opens a pull request.
func (i *issue) pull(branch, body string, draft bool) int {
	i.t.Helper()
	number, err := i.github.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "widgets", By: "tara", Branch: branch, Body: body, Draft: draft})
	i.must(err)
	return number
}

func (i *issue) fixes() string { return fmt.Sprintf("Fixes #%d", i.number) }

func (i *issue) fixed() int { return i.pull(fmt.Sprintf("work-on-%d", i.number), i.fixes(), false) }

// push puts a file onto a branch, another content each time.
func (i *issue) push(branch, path string) {
	i.t.Helper()
	_, err := i.github.Push("acme", "widgets", branch, path, branch+i.clock.Now().String(), "tara")
	i.must(err)
}

// older opens a pull request that changes a file for another issue, and returns its number.
func (i *issue) older(path string) int {
	i.t.Helper()
	branch := fmt.Sprintf("older-than-%d", i.number)
	i.push(branch, path)
	return i.pull(branch, fmt.Sprintf("Fixes #%d", i.other()), false)
}

// other opens another issue that Colony does not follow.
func (i *issue) other() int {
	i.t.Helper()
	opened, _, err := i.as("mona").Issues.Create(context.Background(), "acme", "widgets", &github.IssueRequest{Title: new("Another")})
	i.must(err)
	return opened.GetNumber()
}

func (i *issue) change(by string, number int, to *github.IssueRequest) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.Edit(context.Background(), "acme", "widgets", number, to)
	i.must(err)
}

func (i *issue) closeAs(number int, reason string) {
	i.t.Helper()
	request := &github.IssueRequest{State: new("closed")}
	if reason != "" {
		request.StateReason = &reason
	}
	i.change("mona", number, request)
}

func (i *issue) blockedBy(number, by int, is bool) {
	i.t.Helper()
	i.must(i.github.SetBlockedBy("acme", "widgets", number, "", by, is, "mona"))
}

func (i *issue) subIssue(number int) {
	i.t.Helper()
	i.must(i.github.SetSubIssue("acme", "widgets", i.number, "", number, true, "mona"))
}

func (i *issue) review(pull int, event, by string) {
	i.t.Helper()
	_, err := i.github.ReviewPullRequest("acme", "widgets", pull, event, "so be it", by)
	i.must(err)
}

func (i *issue) check(branch, name, conclusion string) {
	i.t.Helper()
	_, err := i.github.SetCheck("acme", "widgets", branch, "analyzer", name, conclusion)
	i.must(err)
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
	pull := func(i *issue) int { return i.fixed() }
	return []caused{
		{
			name: "the author replies", fact: "author-replied",
			nearly: func(i *issue) int { i.comment("olivia", "What colour?"); return 0 },
			cause:  func(i *issue, _ int) { i.comment("ada", "It is red") },
		},
		{
			name: "a person who may move it replies", fact: "person-replied",
			nearly: func(i *issue) int { i.comment("rita", "What colour?"); return 0 },
			cause:  func(i *issue, _ int) { i.comment("olivia", "It is red") },
		},
		{
			name: "the author who may only read replies", fact: "person-replied",
			nearly: func(i *issue) int { i.comment("dev[bot]", "Here is the plan."); return 0 },
			cause:  func(i *issue, _ int) { i.comment("ada", "It is red") },
		},
		{
			name: "the author edits the title", fact: "author-edited",
			nearly: func(i *issue) int {
				i.change("olivia", i.number, &github.IssueRequest{Title: new("A red widget")})
				return 0
			},
			cause: func(i *issue, _ int) { i.change("ada", i.number, &github.IssueRequest{Title: new("A blue widget")}) },
		},
		{
			name: "the author edits the text", fact: "author-edited",
			nearly: func(i *issue) int { i.change("olivia", i.number, &github.IssueRequest{Body: new("More")}); return 0 },
			cause:  func(i *issue, _ int) { i.change("ada", i.number, &github.IssueRequest{Body: new("It is blue")}) },
		},
		{
			name: "somebody edits the approved title", fact: "text-changed",
			nearly: func(i *issue) int {
				i.change("olivia", i.number, &github.IssueRequest{Title: new("A red widget"), Body: new("More")})
				return 0
			},
			cause: func(i *issue, _ int) { i.change("ada", i.number, &github.IssueRequest{Title: new("A blue widget")}) },
			says:  "+A blue widget",
		},
		{
			name: "somebody edits the approved text", fact: "text-changed",
			cause: func(i *issue, _ int) { i.editOpening("ada", "It is blue") },
			says:  "+It is blue",
		},
		{
			name: "somebody pushes to an approved pull request", fact: "head-changed",
			before: func(i *issue) int { i.push("approved-head", "a.txt"); return i.pull("approved-head", i.fixes(), false) },
			nearly: func(i *issue) int { i.push("another-head", "b.txt"); return 0 },
			cause:  func(i *issue, _ int) { i.push("approved-head", "c.txt") },
			says:   "It now leads to",
		},
		{
			name: "a pull request comes after the approval", fact: "head-changed",
			cause: func(i *issue, _ int) { i.fixed() },
			says:  "came after the approval",
		},
		{
			name: "a draft names the issue", fact: "pull-request-opened",
			nearly: func(i *issue) int { i.pull("mention", fmt.Sprintf("See #%d", i.number), true); return 0 },
			cause:  func(i *issue, _ int) { i.pull("work", i.fixes(), true) },
		},
		{
			name: "a branch is named after the issue", fact: "pull-request-opened",
			nearly: func(i *issue) int { i.pull(fmt.Sprintf("%d0-more", i.number), "", false); return 0 },
			cause:  func(i *issue, _ int) { i.pull(fmt.Sprintf("%d-paint", i.number), "", false) },
		},
		{
			name: "a branch is named after the issue and the text names another", fact: "pull-request-opened",
			before: func(i *issue) int { return i.other() },
			cause: func(i *issue, number int) {
				i.pull(fmt.Sprintf("colony/%d", i.number), fmt.Sprintf("Fixes #%d", number), false)
			},
		},
		{
			name: "a pull request names the issue later", fact: "pull-request-opened",
			before: func(i *issue) int { return i.pull("work", "Nothing yet", false) },
			cause: func(i *issue, number int) {
				_, _, err := i.as("tara").PullRequests.Edit(context.Background(), "acme", "widgets", number, &github.PullRequest{Body: new(i.fixes())})
				i.must(err)
			},
		},
		{
			name: "a pull request is linked by hand", fact: "pull-request-opened",
			before: func(i *issue) int { return i.pull("work", "", false) },
			cause: func(i *issue, number int) {
				i.must(i.github.LinkPullRequest("acme", "widgets", i.number, "", number, true, "mona"))
			},
			unheard: true,
		},
		{
			name: "a draft gets ready", fact: "pull-request-ready",
			before: func(i *issue) int { return i.pull("work", i.fixes(), true) },
			cause:  func(i *issue, number int) { i.must(i.github.SetDraft("acme", "widgets", number, false, "tara")) },
		},
		{
			name: "the only pull request is closed", fact: "pull-request-missing",
			before: pull, cause: func(i *issue, number int) { i.closeAs(number, "") },
		},
		{
			name: "the pull request is merged, which closes the issue", fact: "pull-request-merged",
			before: pull, cause: func(i *issue, number int) { i.must(i.github.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "the last of two pull requests is merged", fact: "pull-request-merged",
			before: func(i *issue) int {
				number := i.pull(fmt.Sprintf("%d-first", i.number), "", false)
				i.must(i.github.MergePullRequest("acme", "widgets", number, "mona"))
				return i.pull(fmt.Sprintf("%d-second", i.number), "", false)
			},
			cause: func(i *issue, number int) { i.must(i.github.MergePullRequest("acme", "widgets", number, "mona")) },
		},
		{
			name: "the last pull request is closed without a merge", fact: "pull-request-closed",
			before: func(i *issue) int {
				i.closeAs(i.pull("first", i.fixes(), false), "")
				i.clock.Advance(time.Minute)
				return i.pull("second", i.fixes(), false)
			},
			cause: func(i *issue, number int) { i.clock.Advance(time.Minute); i.closeAs(number, "") },
		},
		{
			name: "the pull request conflicts", fact: "pull-request-conflicting",
			before: pull, cause: func(i *issue, number int) { i.must(i.github.MakeConflict("acme", "widgets", number, "mona")) },
		},
		{
			name: "a reviewer approves", fact: "review-approved",
			before: pull,
			cause:  func(i *issue, number int) { i.review(number, "APPROVE", "olivia") },
		},
		{
			name: "a reviewer approves after another's request", fact: "review-approved",
			before: func(i *issue) int { n := pull(i); i.review(n, "REQUEST_CHANGES", "olivia"); return n },
			cause: func(i *issue, number int) {
				i.clock.Advance(time.Minute)
				i.review(number, "APPROVE", "mona")
				i.settle()
				i.has("colony:on-review-approved") // olivia's request stands
				i.clock.Advance(time.Minute)
				i.review(number, "APPROVE", "olivia")
			},
		},
		{
			name: "a reviewer requests changes", fact: "review-changes-requested",
			before: func(i *issue) int {
				number := pull(i)
				i.review(number, "REQUEST_CHANGES", "mona") // before the issue is where it counts
				i.clock.Advance(time.Minute)
				return number
			},
			cause: func(i *issue, number int) {
				i.clock.Advance(time.Minute)
				i.review(number, "REQUEST_CHANGES", "rita") // she may only read
				i.review(number, "COMMENT", "olivia")
				i.settle()
				i.has("colony:on-review-changes-requested")
				i.clock.Advance(time.Minute)
				i.review(number, "REQUEST_CHANGES", "olivia")
			},
		},
		{
			name: "all checks pass", fact: "checks-passed",
			before: func(i *issue) int {
				pull(i)
				i.check(fmt.Sprintf("work-on-%d", i.number), "build", "")
				return 0
			},
			nearly: func(i *issue) int {
				i.must(i.github.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.number), "lint", "success", "mona"))
				return 0
			},
			cause: func(i *issue, _ int) { i.check(fmt.Sprintf("work-on-%d", i.number), "build", "neutral") },
		},
		{
			name: "a check fails, and all are complete", fact: "checks-failed",
			before: func(i *issue) int {
				pull(i)
				i.check(fmt.Sprintf("work-on-%d", i.number), "build", "")
				i.check(fmt.Sprintf("work-on-%d", i.number), "test", "")
				return 0
			},
			nearly: func(i *issue) int { i.check(fmt.Sprintf("work-on-%d", i.number), "test", "failure"); return 0 },
			cause:  func(i *issue, _ int) { i.check(fmt.Sprintf("work-on-%d", i.number), "build", "success") },
		},
		{
			name: "a status fails", fact: "checks-failed",
			before: pull,
			nearly: func(i *issue) int {
				i.must(i.github.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.number), "lint", "pending", "mona"))
				return 0
			},
			cause: func(i *issue, _ int) {
				i.must(i.github.SetStatus("acme", "widgets", fmt.Sprintf("work-on-%d", i.number), "lint", "error", "mona"))
			},
		},
		{
			name: "an older pull request changes the same file", fact: "files-overlap",
			before: func(i *issue) int { i.fixed(); return i.older("shared.txt") }, // but it is not older
			nearly: func(i *issue) int { i.push(fmt.Sprintf("work-on-%d", i.number), "shared.txt"); return 0 },
			cause: func(i *issue, _ int) {
				i.closeAs(i.number+1, "")
				i.pull("again", i.fixes(), false)
				i.push("again", "shared.txt")
			},
		},
		{
			name: "the issue is blocked", fact: "dependency-open",
			before: func(i *issue) int { return i.other() },
			cause:  func(i *issue, number int) { i.blockedBy(i.number, number, true) },
		},
		{
			name: "it is too early, because the issue is blocked", fact: "dependency-early",
			before: func(i *issue) int { return i.other() },
			cause:  func(i *issue, number int) { i.blockedBy(i.number, number, true) },
		},
		{
			name: "the text says on what it depends", fact: "dependency-open",
			before: func(i *issue) int { return i.other() },
			cause: func(i *issue, number int) {
				i.change("olivia", i.number, &github.IssueRequest{Body: new(fmt.Sprintf("Paint it.\n\nDepends on #%d", number))})
			},
		},
		{
			name: "the issue depends on what is not there", fact: "dependency-open",
			nearly: func(i *issue) int { // a repository that nobody can see
				i.change("ada", i.number, &github.IssueRequest{Body: new("Blocked by elsewhere/unseen#3")})
				return 0
			},
			cause: func(i *issue, _ int) {
				i.change("ada", i.number, &github.IssueRequest{Body: new("Blocked by #999")})
			},
		},
		{
			name: "the last dependency is closed", fact: "dependencies-closed",
			before: func(i *issue) int {
				first, second := i.other(), i.other()
				i.blockedBy(i.number, first, true)
				i.blockedBy(i.number, second, true)
				i.closeAs(first, "completed")
				return second
			},
			cause: func(i *issue, number int) { i.closeAs(number, "completed") },
		},
		{
			name: "the issue that the text names is closed", fact: "dependencies-closed",
			before: func(i *issue) int {
				number := i.other()
				i.change("ada", i.number, &github.IssueRequest{Body: new(fmt.Sprintf("- [ ] Blocked by #%d", number))})
				return number
			},
			cause: func(i *issue, number int) { i.closeAs(number, "completed") },
		},
		{
			name: "the last dependency is taken off the list", fact: "dependencies-none",
			before: func(i *issue) int {
				first, second := i.other(), i.other()
				i.blockedBy(i.number, first, true)
				i.blockedBy(i.number, second, true)
				i.blockedBy(i.number, first, false)
				return second
			},
			cause: func(i *issue, number int) { i.blockedBy(i.number, number, false) },
		},
		{
			name: "a dependency is dropped", fact: "dependency-dropped",
			before: func(i *issue) int { n := i.other(); i.blockedBy(i.number, n, true); return n },
			cause:  func(i *issue, number int) { i.closeAs(number, "not_planned") },
		},
		{
			name: "two issues wait for each other", fact: "dependency-cycle",
			before: func(i *issue) int { n := i.other(); i.blockedBy(i.number, n, true); return n },
			cause:  func(i *issue, number int) { i.blockedBy(number, i.number, true) },
			says:   "→",
		},
		{
			name: "a sub-issue is opened again", fact: "sub-issues-open",
			before: func(i *issue) int { n := i.other(); i.subIssue(n); i.closeAs(n, "completed"); return n },
			cause:  func(i *issue, number int) { i.change("mona", number, &github.IssueRequest{State: new("open")}) },
		},
		{
			name: "the last sub-issue is completed", fact: "sub-issues-completed",
			before: func(i *issue) int {
				first, second := i.other(), i.other()
				i.subIssue(first)
				i.subIssue(second)
				i.closeAs(first, "completed")
				return second
			},
			cause: func(i *issue, number int) { i.closeAs(number, "completed") },
		},
		{
			name: "all sub-issues are closed, and one was dropped", fact: "sub-issues-dropped",
			before: func(i *issue) int {
				first, second := i.other(), i.other()
				i.subIssue(first)
				i.subIssue(second)
				i.closeAs(first, "not_planned")
				return second
			},
			cause: func(i *issue, number int) { i.closeAs(number, "completed") },
		},
		{
			name: "the last sub-issue is closed", fact: "sub-issues-closed",
			before: func(i *issue) int {
				first, second := i.other(), i.other()
				i.subIssue(first)
				i.subIssue(second)
				i.closeAs(first, "not_planned")
				return second
			},
			cause: func(i *issue, number int) { i.closeAs(number, "completed") },
		},
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
				w.settle()
				i.label("olivia", waits)
				w.settle()
				i.has(waits)
				w.clock.Advance(time.Minute)
				if !heard {
					w.deaf()
				}
				if c.nearly != nil {
					c.nearly(i)
					w.settle()
					if !heard {
						w.sweep()
					}
					i.has(waits)
					w.clock.Advance(time.Minute)
				}
				c.cause(i, number)
				w.settle()
				if !heard {
					i.has(waits)
					w.sweep()
				}
				if c.says != "" {
					i.has("colony:moved", "colony:needs-human")
					i.colonySays(string(c.fact)+" holds", c.says)
				} else {
					i.has("colony:moved")
				}
				// The same fact does not move it again once a person put it back, nor does the next sweep.
				w.clock.Advance(time.Minute)
				w.sweep()
			})
		}
	}
}
