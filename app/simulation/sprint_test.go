package simulation

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// sprintScene has everything that the Sprint Master of the source document reads: answers, what issues depend on and consist of,
// pull requests, how many issues are under way at once, which are taken in, and what takes too long.
var sprintScene = scene{
	lifecycle: "colony", follow: true, sprints: true,
	issues:   []int{2, 3, 3, 4},
	labels:   [][]string{{}, {}, {"bug"}, {"colony:ready-for-dev"}},
	requests: []string{"in-review", "in-review", "in-development", "changes-requested", "ready-for-dev", "needs-clarification", "human-review-ready", "waiting-for-subtasks", "done"},
	// None makes a move that a trigger makes as well; see pullScene.
	texts: []string{
		"/colony:depends-on <issue>", "/colony:depends-on <issue>", "/colony:independent-of <issue>", "/colony:independent-of <issue>",
		"/colony:pause", "/colony:resume", "/colony:retry", "/colony:retry ready-for-dev", "/colony:move waiting-for-subtasks", "/colony:move human-review-ready",
		"/colony:force needs-clarification because it is unclear", "/colony:status", "/colony:next", "/colony:pasue",
	},
	executors: map[string][]string{"reviewer[bot]": {"reviewer"}, "carl": {"developer"}},
	others: []simulatedAction{
		{"deliver", 14, (*simulation).delivers},
		{"time", 4, (*simulation).passes},
		{"long time", 1, (*simulation).waits},
		{"label", 2, (*simulation).labels},
		{"unlabel", 1, (*simulation).unlabels},
		{"swap", 2, (*simulation).swaps},
		{"request", 3, (*simulation).requests},
		{"rival", 1, (*simulation).rivals},
		{"comment", 4, (*simulation).writes},
		{"author replies", 2, (*simulation).replies},
		{"edit an issue", 4, (*simulation).editsIssue},
		{"block", 4, (*simulation).blocks},
		{"sub-issue", 3, (*simulation).adopts},
		{"end an issue", 6, (*simulation).endsIssue},
		{"enqueue", 1, (*simulation).enqueues},
		{"open an issue", 1, (*simulation).opensMore},
		{"open a pull request", 2, (*simulation).opensPull},
		{"push", 1, (*simulation).pushes},
		{"review", 2, (*simulation).reviews},
		{"check", 1, (*simulation).checksPull},
		{"conflict", 1, (*simulation).conflicts},
		{"merge", 2, (*simulation).merges},
		{"close a pull request", 1, (*simulation).closesPull},
	},
}

// sprintIssues is how many issues a history may come to.
const sprintIssues = 5

// beginSprint draws what the repository takes in, and how many issues it develops at once.
func (s *simulation) beginSprint(c *config.Config) {
	s.sprint = &sprint{simulation: s, ties: map[int]*simulatedTies{}, holds: map[int]factSet{}, seen: factSet{}}
	c.Intake.When = rapid.SampledFrom([]policy.When{policy.None, policy.Every, policy.Labelled}).Draw(s.T, "intake")
	if most := rapid.SampledFrom([]int{1, 0, 2, 1}).Draw(s.T, "capacity"); most > 0 {
		c.Dispatch = []lifecycle.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: most}}
	}
	s.note("intake: %s, dispatch: %v", c.Intake.When, c.Dispatch)
}

// bring puts an issue into a state, with what goes with it, without a fault.
func (p *sprint) bring(i *simulatedIssue) {
	if p == nil {
		return
	}
	state := rapid.SampledFrom([]string{
		"", "ready-for-dev", "needs-clarification", "ready-for-dev", "dependency-blocked", "in-development", "changes-requested",
		"in-review", "merge-pending", "human-review-ready", "waiting-for-subtasks",
	}).Draw(p.T, "brought to")
	switch state {
	case "":
		return
	case "dependency-blocked":
		p.dependOn(i, p.another(i))
	case "waiting-for-subtasks":
		p.adopt(i, p.another(i), true)
	case "changes-requested", "in-review", "merge-pending", "human-review-ready":
		p.opensPullOf(i)
	}
	p.put("olivia", i, p.life.Label(state))
	p.settleDown()
	p.advance(10 * time.Second)
}

// dependOn makes an issue depend on another one by GitHub's list, or by its text, of which a command may say otherwise.
func (p *sprint) dependOn(i, other *simulatedIssue) {
	if !rapid.Bool().Draw(p.T, "by its text") {
		p.block(i, other, true)
		return
	}
	p.ask("mona", http.MethodPatch, fmt.Sprintf("/issues/%d", i.number), map[string]any{"body": dependsOnText(other.number)}, nil)
	p.note("mona writes into #%d that it depends on #%d", i.number, other.number)
	p.read(i.number)
	if rapid.Bool().Draw(p.T, "and not") {
		p.say("olivia", i, fmt.Sprintf("/colony:independent-of #%d", other.number))
	}
}

// another is some issue beside one.
func (p *sprint) another(than *simulatedIssue) *simulatedIssue {
	others := slices.DeleteFunc(p.numbers(), func(n int) bool { return n == than.number })
	return p.issues[rapid.SampledFrom(others).Draw(p.T, "the other")]
}

// opening is the text with which an issue is opened.
func (p *sprint) opening() string {
	if p == nil || len(p.issues) == 0 || rapid.IntRange(0, 3).Draw(p.T, "opening text") < 3 {
		return ""
	}
	return dependsOnText(rapid.SampledFrom(p.numbers()).Draw(p.T, "depends on"))
}

func dependsOnText(numbers ...int) string {
	var lines []string
	for at, n := range numbers {
		lines = append(lines, fmt.Sprintf([]string{"Depends on #%d", "- [ ] blocked by: #%d"}[at%2], n))
	}
	return strings.Join(lines, "\n")
}

// editsIssue edits the title or the text of an issue, which may say what it depends on afterwards. Only its author's edit is an
// answer.
func (s *simulation) editsIssue() {
	i := s.anIssue()
	by := rapid.SampledFrom([]string{i.opening.by, i.opening.by, "mona"}).Draw(s.T, "editor")
	edit := map[string]any{}
	switch rapid.SampledFrom([]string{"depends", "depends", "depends no more", "title"}).Draw(s.T, "edit") {
	case "depends":
		edit["body"] = fmt.Sprintf("%s\n\nEdit %d", dependsOnText(s.sprint.another(i).number), len(s.story))
	case "depends no more":
		edit["body"] = fmt.Sprintf("Edit %d", len(s.story))
	case "title":
		edit["title"] = fmt.Sprintf("A widget, edit %d", len(s.story))
	}
	if !s.ask(by, http.MethodPatch, fmt.Sprintf("/issues/%d", i.number), edit, nil) {
		return
	}
	if by == i.opening.by {
		s.happened("author-edited", i.number)
	}
	s.note("%s edits #%d: %v", by, i.number, edit)
	s.sprint.read(i.number)
}

// blocks puts an issue on GitHub's list of another one's dependencies, or takes it off.
func (s *simulation) blocks() {
	i := s.anIssue()
	s.sprint.block(i, s.sprint.another(i), rapid.SampledFrom([]bool{true, true, false}).Draw(s.T, "blocked"))
}

func (p *sprint) block(i, by *simulatedIssue, on bool) {
	err := p.github.SetBlockedBy(simulatedOwner, simulatedRepo, i.number, "", by.number, on, "mona")
	p.note("mona says that #%d is blocked by #%d: %t, %v", i.number, by.number, on, err)
	p.read(i.number)
	if on && err == nil {
		p.bound(i.number)
	}
}

// adopts makes an issue a sub-issue of another one, or takes it away.
func (s *simulation) adopts() {
	i := s.anIssue()
	s.sprint.adopt(i, s.sprint.another(i), rapid.SampledFrom([]bool{true, true, false}).Draw(s.T, "is"))
}

func (p *sprint) adopt(i, sub *simulatedIssue, is bool) {
	err := p.github.SetSubIssue(simulatedOwner, simulatedRepo, i.number, "", sub.number, is, "mona")
	p.note("mona says that #%d is a part of #%d: %t, %v", sub.number, i.number, is, err)
	p.readAll() // it may have been a part of another one
}

// endsIssue closes an issue for one of the reasons that there are, or opens it again.
func (s *simulation) endsIssue() {
	i := s.anIssue()
	how := rapid.SampledFrom([]string{"completed", "completed", "not_planned", "reopened"}).Draw(s.T, "how")
	edit := map[string]any{"state": "closed", "state_reason": how}
	if how == "reopened" {
		edit = map[string]any{"state": "open"}
	}
	s.ask("olivia", http.MethodPatch, fmt.Sprintf("/issues/%d", i.number), edit, nil)
	s.note("olivia ends #%d: %s", i.number, how)
	if how != "reopened" {
		s.closed(i.number, how)
	}
	s.sprint.read(i.number)
}

// enqueues asks for an issue to be taken in.
func (s *simulation) enqueues() {
	if s.config.Intake.When == policy.Labelled {
		s.put(rapid.SampledFrom(simulatedOperators).Draw(s.T, "by"), s.anIssue(), s.config.Intake.Labels[0])
	}
}

func (s *simulation) opensMore() {
	if len(s.issues) < sprintIssues {
		s.opens()
	}
}

// endWithoutWebhook has one more thing happen that no webhook reports, long after a sweep that saw all issues: they need not have changed
// for the next one.
func (p *sprint) endWithoutWebhook() {
	if p == nil || !rapid.Bool().Draw(p.T, "unheard end") {
		return
	}
	p.sweepOnce()
	p.advance(time.Hour)
	rapid.SampledFrom([]func(*simulation){
		(*simulation).endsIssue, (*simulation).merges, (*simulation).blocks, (*simulation).closesPull, (*simulation).adopts, (*simulation).replies,
		(*simulation).editsIssue, (*simulation).waits,
	}).Draw(p.T, "what")(p.simulation)
	p.notice()
	p.pending = nil
	p.note("nobody hears of it")
}

// waits lets so much time pass that what is under way may take too long.
func (s *simulation) waits() {
	if s.nested > 0 {
		return
	}
	d := rapid.SampledFrom([]time.Duration{26 * time.Hour, 73 * time.Hour}).Draw(s.T, "long time")
	s.advance(d)
	s.note("%s pass", d)
}
