package app_test

import (
	"net/http"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

const assigning = `notify:
  - {in: [needs-clarification, human-review-ready], assign: [Mona]}
  - {in: [failure-blocked, human-review-ready], assign: [tara]}
`

// assignees asserts who is assigned to the issue.
func (i *issue) assignedTo(logins ...string) {
	i.t.Helper()
	is, _, err := i.as("mona").Issues.Get(ctx, "acme", "widgets", i.number)
	i.must(err)
	got := []string{}
	for _, a := range is.Assignees {
		got = append(got, a.GetLogin())
	}
	slices.Sort(got)
	if diff := cmp.Diff(append([]string{}, logins...), got); diff != "" {
		i.t.Errorf("assigned to #%d (-want +got):\n%s", i.number, diff)
	}
}

func TestPeopleAreAssignedAsLongAsAnIssueIsInAState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, assigning)
	i := w.open("ada", "")
	i.assign("olivia", "olivia")
	i.label("olivia", "colony:analyzing")
	w.settle()
	i.assignedTo("olivia")
	i.swap("olivia", "colony:analyzing", "colony:needs-clarification") // Colony has no label to write
	w.settle()
	i.assignedTo("mona", "olivia")
	i.colonyReacts(i.commented("olivia", "/colony:move analyzing"), "+1")
	i.assignedTo("olivia")
	i.label("olivia", "colony:human-review-ready")
	w.settle()
	i.assignedTo("mona", "olivia", "tara")
	i.label("dev[bot]", "colony:new") // what is refused changes nothing
	w.settle()
	i.colonySays("dev")
	i.assignedTo("mona", "olivia", "tara")

	before := w.assignments()
	w.sweep()
	w.restart(true)
	if again := w.assignments(); again != before {
		t.Errorf("what stands is written again: %d writes after %d", again, before)
	}
	i.label("olivia", "colony:done")
	w.settle()
	i.assignedTo("olivia")
}

// assignments counts the calls by which Colony assigns people or takes them off.
func (w *world) assignments() int {
	n := 0
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != http.MethodGet && regexp.MustCompile(`/assignees$`).MatchString(c.Path) {
			n++
		}
	}
	return n
}

// People decide: whom somebody took off is not assigned again in the state, and whom somebody assigned stays.
func TestPeopleDecideWhoIsAssigned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, assigning)
	off, on := w.open("ada", ""), w.open("ada", "")
	on.assign("olivia", "mona")
	for _, i := range []*issue{off, on} {
		i.label("olivia", "colony:human-review-ready")
	}
	w.settle()
	off.unassign("tara", "tara")
	on.unassign("tara", "tara")
	on.assign("mona", "tara")
	w.settle()
	w.sweep()
	w.restart(true)
	off.assignedTo("mona")
	on.assignedTo("mona", "tara")
	for _, i := range []*issue{off, on} {
		i.label("olivia", "colony:done")
	}
	w.settle()
	off.assignedTo()
	on.assignedTo("mona", "tara")
}

// What GitHub fails to do is done when it is well again.
func TestAssignmentIsTriedAgainIfGitHubFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, assigning)
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: "colony[bot]", Path: regexp.MustCompile(`/assignees$`), Times: 2})
	i := w.open("ada", "")
	i.label("olivia", "colony:failure-blocked")
	w.settle()
	w.pass(3, 10*time.Second)
	i.assignedTo("tara")
}

// GitHub leaves out whom it lets nobody assign, without a word, and may refuse all of it: that holds up nothing and is not tried for ever.
func TestWhoCannotBeAssignedHoldsUpNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, "notify: [{in: [new], assign: [nobody-there]}, {in: [analyzing], assign: [mona]}]\n")
	i := w.open("ada", "")
	i.label("olivia", "colony:new")
	w.settle()
	i.comment("olivia", "I look into it.")
	w.sweep()
	if n := w.assignments(); n != 1 {
		t.Errorf("somebody who cannot be assigned was tried %d times", n)
	}
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Path: regexp.MustCompile(`/assignees$`)})
	i.label("olivia", "colony:analyzing")
	w.settle()
	i.has("colony:analyzing")
	i.assignedTo()
	w.clock.Advance(time.Minute)
	w.sweep()
	i.has("colony:analyzing")
}

func TestRowsAboutPeopleThatAreWrong(t *testing.T) {
	t.Parallel()
	for text, complaint := range map[string]string{
		"notify:\n  - {in: [nwe], assign: [mona]}\n":           `"nwe" is no state of lifecycle colony`,
		"notify:\n  - {assign: [mona]}\n":                      "no state",
		"notify:\n  - {in: [new]}\n":                           "names nobody",
		"notify:\n  - {mention: [mona]}\n":                     "no finding",
		"notify:\n  - {on: [refused], mention: [\"@mona\"]}\n": "neither the login of a person nor a team",
		"notify:\n  - {on: [refusal], mention: [mona]}\n":      `line 2, column 11: "refusal" is not one of`,
		"notify:\n  - {in: [new], assign: [\"@acme/ops\"]}\n":  "is not the login of a person",
		"notify:\n  - {in: [new], asign: [mona]}\n":            "asign",
	} {
		w := newWorld(t)
		w.commitAndSettle("widgets", policy.SettingsFile, text)
		w.saidOnce("widgets", policy.SettingsFile, complaint)
	}
}

// Who is mentioned is mentioned in the comment that is written anyway, once, and nobody is where no row says so.
func TestPeopleAndTeamsAreMentionedInCommentsThatExistAnyway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, `mentions: off
notify:
  - {on: [refused], mention: [acme/platform, mona]}
  - {on: [refused], in: [merge-pending], mention: [Mona, tara]}
  - {on: [moved, asked], mention: [olivia]}
comments: {text: "Questions? Read the wiki."}
`)
	i := w.open("ada", "")
	i.label("olivia", "colony:merge-pending")
	w.settle()
	i.label("olivia", "colony:new")
	w.settle()
	i.colonySays("from `merge-pending` to `new`", "\n\ncc @acme/platform @mona @tara\n\nQuestions?")
	i.label("olivia", "colony:human-review-ready")
	w.settle()
	i.unlabel("olivia", "colony:human-review-ready")
	w.settle()
	i.colonySays("\n\ncc @acme/platform @mona\n\nQuestions?")
	w.sweep()
	w.restart(true)
}
