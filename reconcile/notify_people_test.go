package reconcile_test

import (
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

const assigning = `notify:
  - {in: [needs-clarification, human-review-ready], assign: [Mona]}
  - {in: [failure-blocked, human-review-ready], assign: [tara]}
`

func TestPeopleAreAssignedAsLongAsAnIssueIsInAState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, assigning)
	i := w.open("ada", "")
	i.Assign("olivia", "olivia")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.AssignedTo("olivia")
	i.Swap("olivia", "colony:analyzing", "colony:needs-clarification") // Colony has no label to write
	w.Settle()
	i.AssignedTo("mona", "olivia")
	i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:move analyzing"), "+1")
	i.AssignedTo("olivia")
	i.Label("olivia", "colony:human-review-ready")
	w.Settle()
	i.AssignedTo("mona", "olivia", "tara")
	i.Label("dev[bot]", "colony:new") // what is refused changes nothing
	w.Settle()
	i.ColonySays("dev")
	i.AssignedTo("mona", "olivia", "tara")

	before := w.assignments()
	w.Sweep()
	w.restart(true)
	if again := w.assignments(); again != before {
		t.Errorf("what stands is written again: %d writes after %d", again, before)
	}
	i.Label("olivia", "colony:done")
	w.Settle()
	i.AssignedTo("olivia")
}

// Where the webhook of a swap is lost, a sweep assigns people and takes them off, although it finds no label to write.
func TestSweepsAssignPeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, assigning)
	i := w.stateful("colony:analyzing")
	w.Deaf()
	i.Swap("olivia", "colony:analyzing", "colony:needs-clarification")
	w.Sweep()
	i.AssignedTo("mona")
	i.Swap("olivia", "colony:needs-clarification", "colony:analyzing")
	w.Sweep()
	i.AssignedTo()
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
	w.CommitAndSettle("widgets", policy.SettingsFile, assigning)
	off, on := w.open("ada", ""), w.open("ada", "")
	on.Assign("olivia", "mona")
	for _, i := range []*issue{off, on} {
		i.Label("olivia", "colony:human-review-ready")
	}
	w.Settle()
	off.Unassign("tara", "tara")
	on.Unassign("tara", "tara")
	on.Assign("mona", "tara")
	w.Settle()
	w.Sweep()
	w.restart(true)
	off.AssignedTo("mona")
	on.AssignedTo("mona", "tara")
	for _, i := range []*issue{off, on} {
		i.Label("olivia", "colony:done")
	}
	w.Settle()
	off.AssignedTo()
	on.AssignedTo("mona", "tara")
}

// What GitHub fails to do is done when it is well again.
func TestAssignmentIsTriedAgainIfGitHubFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, assigning)
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: "colony[bot]", Path: regexp.MustCompile(`/assignees$`), Times: 2})
	i := w.open("ada", "")
	i.Label("olivia", "colony:failure-blocked")
	w.Settle()
	w.Pass(3, 10*time.Second)
	i.AssignedTo("tara")
}

// GitHub leaves out whom it lets nobody assign, without a word, and may refuse all of it: that holds up nothing and is not tried for ever.
func TestWhoCannotBeAssignedHoldsUpNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "notify: [{in: [new], assign: [nobody-there]}, {in: [analyzing], assign: [mona]}]\n")
	i := w.open("ada", "")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Comment("olivia", "I look into it.")
	w.Sweep()
	if n := w.assignments(); n != 1 {
		t.Errorf("somebody who cannot be assigned was tried %d times", n)
	}
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Path: regexp.MustCompile(`/assignees$`)})
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:analyzing")
	i.AssignedTo()
	w.clock.Advance(time.Minute)
	w.Sweep()
	i.Has("colony:analyzing")
}

// GitHub can refuse to take someone off as well.
func TestWhoCannotBeTakenOffIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, assigning)
	i := w.open("ada", "")
	i.Label("olivia", "colony:failure-blocked")
	w.Settle()
	i.AssignedTo("tara")
	refuses := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusForbidden, Actor: "colony[bot]", Path: regexp.MustCompile(`/assignees$`)})
	i.Label("olivia", "colony:new")
	w.Settle()
	before := w.assignments()
	for range 3 {
		w.clock.Advance(time.Hour)
		w.Sweep()
	}
	if again := w.assignments() - before; again != 0 {
		t.Errorf("what GitHub refused is tried %d times again", again)
	}
	i.Has("colony:new")
	i.AssignedTo("tara")
	refuses()
	i.Label("olivia", "colony:failure-blocked") // and it goes on with the next assignment
	w.Settle()
	i.Unassign("mona", "tara")
	i.Swap("olivia", "colony:failure-blocked", "colony:analyzing")
	w.Settle()
	i.Swap("olivia", "colony:analyzing", "colony:failure-blocked")
	w.Settle()
	i.AssignedTo("tara")
	i.Swap("olivia", "colony:failure-blocked", "colony:new")
	w.Settle()
	i.AssignedTo()
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
		w.CommitAndSettle("widgets", policy.SettingsFile, text)
		w.SaidOnce("widgets", policy.SettingsFile, complaint)
	}
}

// Who is mentioned is mentioned in the comment that is written anyway, once, and nobody is where no row says so.
func TestPeopleAndTeamsAreMentionedInCommentsThatExistAnyway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, `mentions: off
notify:
  - {on: [refused], mention: [acme/platform, mona]}
  - {on: [refused], in: [merge-pending], mention: [Mona, tara]}
  - {on: [moved, asked], mention: [olivia]}
comments: {text: "Questions? Read the wiki."}
`)
	i := w.open("ada", "")
	i.Label("olivia", "colony:merge-pending")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("from `merge-pending` to `new`", "\n\ncc @acme/platform @mona @tara\n\nQuestions?")
	i.Label("olivia", "colony:human-review-ready")
	w.Settle()
	i.Unlabel("olivia", "colony:human-review-ready")
	w.Settle()
	i.ColonySays("\n\ncc @acme/platform @mona\n\nQuestions?")
	w.Sweep()
	w.restart(true)
}
