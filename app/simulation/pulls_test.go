package simulation

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/statemachine"
)

// simulatedPull is a pull request of an issue.
type simulatedPull struct {
	number, issue int
	branch        string
	// linked says that GitHub links it with the issue, and nothing that it says; more that it changes a file that others change too.
	linked, more bool
	// merged is when it was merged, ended when it was closed without, closed says that it is not open.
	merged, ended time.Time
	closed        bool
}

// simulatedFact is something that happened beside the labels of an issue and can move it once.
type simulatedFact struct {
	fact  lifecycle.Fact
	issue int
	at    time.Time
}

// scene is what a history is about.
type scene struct {
	lifecycle string
	// names says that the owner brings that lifecycle with names of its own for the labels, and others that they had.
	names bool
	// guards says that the owner brings that lifecycle with more guards, and with sealed states.
	guards  bool
	follow  bool // what moves an issue automatically
	modes   bool // the repository names modes
	sprints bool // by what issues depend on, what they are made of, and how many are under way as well
	issues  []int
	labels  [][]string
	// path is how people may have brought an issue forward before the history begins.
	path     []string
	requests []string
	// texts are what is written as commands; nil is anything.
	texts []string
	// executors are the roles of some.
	executors map[string][]string
	others    []simulatedAction
}

// labelScene is about labels and commands alone.
var labelScene = scene{
	lifecycle: "colony",
	issues:    []int{1, 1, 2},
	labels:    [][]string{{}, {"colony:in-development"}, {"colony:new", "bug"}},
	requests:  []string{"in-review", "in-development", "analyzing", "ready-for-dev", "changes-requested", "human-review-ready", "new", "done"},
	executors: map[string][]string{"reviewer[bot]": {"reviewer"}, "carl": {"developer"}},
	others:    simulatedOthers,
}

// namesScene is what labelScene is, with labels that had other names.
var namesScene = scene{
	lifecycle: "colony", names: true,
	issues:    labelScene.issues,
	labels:    [][]string{{}, {"In-development"}, {"status: in-development"}, {"status: new", "bug"}},
	requests:  labelScene.requests,
	executors: labelScene.executors,
	others:    simulatedOthers,
}

// guardsScene is what labelScene is, with moves that depend on what people change meanwhile.
var guardsScene = scene{
	lifecycle: "colony", guards: true,
	issues:    labelScene.issues,
	labels:    append([][]string{{"colony:ready-for-dev"}}, labelScene.labels...),
	requests:  labelScene.requests,
	executors: labelScene.executors,
	others:    append([]simulatedAction{{"edit an issue", 4, (*simulation).editsText}}, simulatedOthers...),
}

// mixedScene is what guardsScene is, with labels that had other names, in changing modes.
var mixedScene = scene{
	lifecycle: "colony", guards: true, names: true, modes: true,
	issues:    labelScene.issues,
	labels:    append([][]string{{"Ready-for-dev"}, {"status: ready-for-dev"}}, namesScene.labels...),
	requests:  labelScene.requests,
	executors: labelScene.executors,
	others:    append([]simulatedAction{{"edit an issue", 4, (*simulation).editsText}}, modeScene.others...),
}

// pullScene is about pull requests, their reviews and their checks.
var pullScene = scene{
	lifecycle: "autoralph", follow: true,
	issues:   []int{1, 1, 2},
	labels:   [][]string{{}, {"bug"}},
	path:     []string{"queued", "refining", "approved", "building", "in-review"},
	requests: []string{"in-review", "in-review", "in-review", "building", "failed", "addressing-feedback", "refining"},
	// None makes a move that a trigger makes as well: the check cannot distinguish the two as long as the command has no receipt.
	texts:     []string{"/colony:resume", "/colony:retry", "/colony:approve", "/colony:status", "/colony:history", "/colony:pasue"},
	executors: map[string][]string{"reviewer[bot]": {"fixer"}, "carl": {"builder"}},
	others: []simulatedAction{
		{"deliver", 10, (*simulation).delivers},
		{"time", 5, (*simulation).passes},
		{"label", 1, (*simulation).labels},
		{"unlabel", 1, (*simulation).unlabels},
		{"swap", 2, (*simulation).swaps},
		{"request", 4, (*simulation).requests},
		{"rival", 1, (*simulation).rivals},
		{"comment", 2, (*simulation).writes},
		{"author replies", 2, (*simulation).replies},
		{"open a pull request", 2, (*simulation).opensPull},
		{"push", 2, (*simulation).pushes},
		{"review", 4, (*simulation).reviews},
		{"check", 6, (*simulation).checksPull},
		{"conflict", 1, (*simulation).conflicts},
		{"merge", 1, (*simulation).merges},
		{"close a pull request", 1, (*simulation).closesPull},
	},
}

// bring takes an issue some way along the path of the scene, by hand and without a fault.
func (s *simulation) bring(i *simulatedIssue) {
	s.sprint.bring(i)
	if len(s.scene.path) == 0 {
		return
	}
	steps := rapid.SampledFrom([]int{5, 5, 5, 5, 2, 4}).Draw(s.T, "brought forward")
	for _, state := range s.scene.path[:steps] {
		s.put("olivia", i, s.life.Label(state))
		s.settleDown()
		s.advance(10 * time.Second)
	}
	if steps == len(s.scene.path) {
		s.opensPullOf(i)
		s.settleDown()
		s.advance(10 * time.Second)
	}
}

func (s *simulation) happened(fact lifecycle.Fact, issue int) {
	s.facts = append(s.facts, simulatedFact{fact, issue, s.second()})
}

// replies has somebody answer, in plain words: the author, or somebody who may move issues or may not.
func (s *simulation) replies() {
	i := s.anIssue()
	by := rapid.SampledFrom([]string{i.opening.by, i.opening.by, "tara", "rita"}).Draw(s.T, "by")
	s.say(by, i, "It is red.")
	if by == i.opening.by {
		s.happened("author-replied", i.number)
	}
	if s.isMover(by, i.opening.by) {
		s.happened("person-replied", i.number)
	}
}

// isMover reports whether somebody is the author of an issue, or a person who may move issues by commands.
func (s *simulation) isMover(login, author string) bool {
	_, isExecutor := s.scene.executors[login]
	return login == author || !isExecutor && slices.Contains([]string{"triage", "write", "maintain"}, simulatedRoles[login])
}

func (s *simulation) opensPull() { s.opensPullOf(s.anIssue()) }

// opensPullOf opens a pull request that GitHub or Colony connects with an issue by one of three ways.
func (s *simulation) opensPullOf(i *simulatedIssue) {
	p := &simulatedPull{issue: i.number}
	made := playground.PullRequest{Owner: simulatedOwner, Name: simulatedRepo, By: "tara", Draft: rapid.IntRange(0, 4).Draw(s.T, "draft") == 4}
	way := rapid.SampledFrom([]string{"keyword", "branch", "link"}).Draw(s.T, "way")
	p.branch = fmt.Sprintf("work-%d", len(s.pulls))
	switch way {
	case "keyword":
		made.Body = fmt.Sprintf("Fixes #%d", i.number)
	case "branch":
		p.branch = fmt.Sprintf("%d-work-%d", i.number, len(s.pulls))
	}
	made.Branch = p.branch
	number, err := s.github.OpenPullRequest(made)
	s.must(err)
	p.number, p.linked = number, way == "link"
	if way == "link" {
		s.must(s.github.LinkPullRequest(simulatedOwner, simulatedRepo, i.number, "", number, true, "mona"))
	}
	s.pulls = append(s.pulls, p)
	s.note("tara opens the pull request #%d of #%d, by %s", number, i.number, way)
}

// aPull is one that is open, nil if there is none.
func (s *simulation) aPull() *simulatedPull {
	var open []*simulatedPull
	for _, p := range s.pulls {
		if !p.closed {
			open = append(open, p)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[rapid.IntRange(0, len(open)-1).Draw(s.T, "pull request")]
}

func (s *simulation) pushes() {
	if p := s.aPull(); p != nil {
		_, err := s.github.Push(simulatedOwner, simulatedRepo, p.branch, "more.txt", fmt.Sprintf("%d", len(s.story)), "tara")
		s.must(err)
		s.happened("pull-request-conflicting", p.issue) // if another one with the file was merged
		p.more = true
		s.note("tara pushes to #%d", p.number)
		s.sprint.observe()
	}
}

func (s *simulation) reviews() {
	p := s.aPull()
	if p == nil {
		return
	}
	event := rapid.SampledFrom([]string{"REQUEST_CHANGES", "REQUEST_CHANGES", "APPROVE", "COMMENT"}).Draw(s.T, "review")
	by := rapid.SampledFrom([]string{"olivia", "mona", "rita"}).Draw(s.T, "reviewer")
	_, err := s.github.ReviewPullRequest(simulatedOwner, simulatedRepo, p.number, event, "so be it", by)
	s.must(err)
	if event == "REQUEST_CHANGES" && by != "rita" { // she may only read
		s.happened("review-changes-requested", p.issue)
	}
	s.note("%s reviews #%d: %s", by, p.number, event)
}

// checksPull reports a check, or a commit status.
func (s *simulation) checksPull() {
	p := s.aPull()
	if p == nil {
		return
	}
	name := rapid.SampledFrom([]string{"build", "build", "test", "a status"}).Draw(s.T, "check")
	conclusion := rapid.SampledFrom([]string{"failure", "failure", "success", ""}).Draw(s.T, "conclusion")
	if name == "a status" {
		if conclusion == "" {
			conclusion = "pending"
		}
		s.must(s.github.SetStatus(simulatedOwner, simulatedRepo, p.branch, "lint", conclusion, "mona"))
	} else {
		_, err := s.github.SetCheck(simulatedOwner, simulatedRepo, p.branch, "analyzer", name, conclusion)
		s.must(err)
	}
	if conclusion == "failure" || conclusion == "success" { // a success may complete checks of which another failed
		s.happened("checks-failed", p.issue)
	}
	s.note("%s of #%d: %q", name, p.number, conclusion)
}

func (s *simulation) conflicts() {
	if p := s.aPull(); p != nil {
		s.must(s.github.MakeConflict(simulatedOwner, simulatedRepo, p.number, "mona"))
		s.happened("pull-request-conflicting", p.issue)
		s.note("mona makes #%d conflict", p.number)
	}
}

func (s *simulation) merges() {
	p := s.aPull()
	if p == nil {
		return
	}
	if err := s.github.MergePullRequest(simulatedOwner, simulatedRepo, p.number, "mona"); err != nil {
		return // it conflicts, or is a draft
	}
	p.closed, p.merged = true, s.second()
	s.happened("pull-request-merged", p.issue)
	s.closed(p.issue, "completed")
	for _, other := range s.pulls {
		s.happened("pull-request-conflicting", other.issue) // if both have a file
	}
	s.note("mona merges #%d", p.number)
	s.sprint.readAll()
}

func (s *simulation) closesPull() {
	if p := s.aPull(); p != nil {
		p.closed = s.ask("mona", http.MethodPatch, fmt.Sprintf("/pulls/%d", p.number), map[string]any{"state": "closed"}, nil)
		p.ended = s.second()
		s.happened("pull-request-closed", p.issue)
		s.happened("pull-request-merged", p.issue) // another one that was merged may move the issue now that none is open
		s.happened("issue-merged", p.issue)
		s.note("mona closes #%d", p.number)
	}
}

// factsOf reads what holds for an issue beside its labels, as a person.
func (s *simulation) factsOf(view issues.View, needs []lifecycle.Reading) statemachine.Facts {
	found, err := s.watcher.Facts(s.Context(), view, issues.Ask{Links: s.sprint.links(view.Ref.Number), Outcome: func(labels []string) lifecycle.Outcome { return statemachine.OutcomeOf(s.life, labels) }, Needs: slices.DeleteFunc(slices.Clone(needs), func(r lifecycle.Reading) bool {
		return r == lifecycle.ReadComments
	})})
	s.must(err)
	if slices.Contains(needs, lifecycle.ReadComments) {
		found.Read = append(found.Read, lifecycle.ReadComments)
		for _, c := range s.comments {
			old := c.at.Before(s.clock.Now().Add(-s.config.Judging.Horizon))
			if c.issue != view.Ref.Number || len(c.invocations) > 0 || old {
				continue
			}
			if c.by == view.Author.Login {
				found.Observed = append(found.Observed, statemachine.Observation{Fact: "author-replied", At: c.at})
			}
			if s.isMover(c.by, view.Author.Login) {
				found.Observed = append(found.Observed, statemachine.Observation{Fact: "person-replied", At: c.at})
			}
		}
	}
	return found.Facts
}

// movesOf lists the moves of an issue in their order, those that were taken back among them.
func movesOf(standing statemachine.Standing) []statemachine.Move {
	moves := slices.Clone(standing.Trail)
	for _, w := range standing.Withdrawn {
		moves = append(moves, w.Move)
	}
	slices.SortFunc(moves, func(a, b statemachine.Move) int { return int(a.ID - b.ID) })
	return moves
}

// automatic reports whether triggers of the lifecycle account for a move of Colony's that nobody requested, and uses up the fact that made
// it: no fact moves an issue twice by the same row.
func (s *simulation) automatic(i *simulatedIssue, trail []statemachine.Move, m statemachine.Move, used map[int]bool) bool {
	if s.sprint != nil {
		return s.sprint.accounts(i, m, used)
	}
	for _, limit := range s.life.Limits {
		if limit.AtMost > 0 && limit.Instead == m.To && slices.Contains(limit.From, m.From) && entries(s.life, limit, trail, m.ID) >= limit.AtMost {
			return true
		}
	}
	before := slices.IndexFunc(trail, func(o statemachine.Move) bool { return o.ID == m.ID }) - 1
	for _, t := range s.life.TimeOuts {
		if t.To == m.To && slices.Contains(t.In, m.From) {
			return before < 0 || m.At.Sub(trail[before].At) >= time.Duration(t.After)
		}
	}
	for _, t := range s.life.Triggers {
		if t.To != m.To || !slices.Contains(t.In, m.From) {
			continue
		}
		for n, f := range s.facts {
			// An edit in the second of two approvals, or after two commands were written that ran one after the other, counts for both. So
			// does anything in the second in which the issue came back to the state: it can have come before that or after it.
			again := standsOn(t.On) || t.On == "text-changed" || before >= 0 && f.at.Equal(trail[before].At)
			if f.fact == t.On && f.issue == i.number && !f.at.After(m.At) && (!used[n] || again) {
				used[n] = true
				return true
			}
		}
	}
	return false
}

// standsOn reports whether a fact counts as long as it is so.
func standsOn(fact lifecycle.Fact) bool {
	return slices.ContainsFunc(lifecycle.FactSpecs(), func(spec lifecycle.FactSpec) bool {
		return spec.Fact == fact && !spec.Once()
	})
}

// entries counts what a limit counts, since anybody labelled by hand, until an event.
func entries(life *statemachine.Table, limit lifecycle.Limit, trail []statemachine.Move, until int64) int {
	n := 0
	for at, m := range trail {
		switch {
		case m.ID >= until:
			return n
		case m.Kind == statemachine.Settled, m.By.Kind == lifecycle.Operator && !pauses(life, trail, at):
			n = 0
		case m.To == limit.To && slices.Contains(limit.From, m.From):
			n++
		}
	}
	return n
}

// pauses reports whether a person's move leads into a blocked state, or back from one into which a person led it.
func pauses(life *statemachine.Table, trail []statemachine.Move, at int) bool {
	m := trail[at]
	from, _ := life.State(m.From)
	to, _ := life.State(m.To)
	back := at > 0 && from.Type == lifecycle.Blocked && trail[at-1].From == m.To && trail[at-1].By.Kind != lifecycle.Executor && trail[at-1].Kind == statemachine.Moved
	return m.Kind == statemachine.Moved && (to.Type == lifecycle.Blocked || back)
}

// checkLimits holds that no limit was exceeded, and that a person who undid what a fact asks for was not overruled by the same row.
func (s *simulation) checkLimits(i *simulatedIssue, trail []statemachine.Move, ordered func(statemachine.Move) bool) {
	for _, limit := range s.life.Limits {
		n := 0
		for _, m := range trail {
			switch {
			case m.By.Kind == lifecycle.Operator || m.Kind == statemachine.Settled || ordered(m):
				n = 0
			case m.To == limit.To && slices.Contains(limit.From, m.From):
				n++
				if limit.AtMost > 0 && n > limit.AtMost {
					s.wrong("#%d goes to %s for the %d. time with nobody in between", i.number, limit.To, n)
				}
			}
		}
	}
	for at := 2; at < len(trail); at++ {
		first, undone, again := trail[at-2], trail[at-1], trail[at]
		byItself := func(m statemachine.Move) bool {
			return m.By.Kind == lifecycle.Colony && m.Kind == statemachine.Moved && !ordered(m) && slices.ContainsFunc(s.life.Triggers, func(t lifecycle.Trigger) bool {
				return standsOn(t.On) && t.To == m.To && slices.Contains(t.In, m.From)
			})
		}
		since := func(f simulatedFact) bool {
			return f.issue == i.number && !f.at.Before(first.At) && !f.at.After(again.At)
		}
		if byItself(first) && byItself(again) && undone.By.Kind == lifecycle.Operator && undone.To == first.From && again.To == first.To && !slices.ContainsFunc(s.facts, since) {
			s.wrong("a person undid %+v of #%d, and Colony makes it again", first, i.number)
		}
	}
}

// checkMerged holds that what was merged ends where the lifecycle says, unless a person moved it since.
func (s *simulation) checkMerged(i *simulatedIssue, standing statemachine.Standing, ordered func(statemachine.Move) bool) {
	var merged time.Time
	for _, p := range s.pulls {
		if p.issue != i.number {
			continue
		}
		if !p.closed {
			return
		}
		merged = issues.Latest(merged, p.merged)
	}
	if merged.IsZero() {
		return
	}
	before := "" // where a pause or a block began
	for _, m := range movesOf(standing) {
		from, _ := s.life.State(m.From)
		to, _ := s.life.State(m.To)
		detour := m.Kind == statemachine.Moved && (to.Type == lifecycle.Blocked || from.Type == lifecycle.Blocked && m.To == before) // hides no merge
		if !slices.Contains(s.life.SideStates(), m.From) {
			before = m.From
		}
		if !m.At.Before(merged) && !detour && (m.By.Kind == lifecycle.Operator || ordered(m)) {
			return
		}
	}
	for _, t := range s.life.Triggers {
		if t.On == "pull-request-merged" && slices.Contains(t.In, standing.State) {
			s.wrong("the pull request of #%d was merged, and it is in %s", i.number, standing.State)
		}
	}
}

// attributionsOf returns which of Colony's moves a command requested.
func (s *simulation) attributionsOf(i *simulatedIssue, standing statemachine.Standing) map[int64]int64 {
	by := map[int64]int64{}
	for event := range s.ordersOf(i, standing) {
		by[event] = event
	}
	return by
}

func (s *simulation) ordersOf(i *simulatedIssue, standing statemachine.Standing) map[int64]commands.MoveAttribution {
	return s.ordersBy(s.commandsOf(i), standing)
}

// ordersBy attributes Colony's moves to some commands.
func (s *simulation) ordersBy(known []*simulatedComment, standing statemachine.Standing) map[int64]commands.MoveAttribution {
	var written []commands.CommandComment
	for _, c := range known {
		kind := lifecycle.Operator
		if strings.HasSuffix(c.by, "[bot]") {
			kind = lifecycle.Executor
		}
		ran := c.ran // without it, what was run long ago can pass for who ordered a later move
		if horizon := s.config.Judging.Horizon; ran.IsZero() && s.clock.Since(c.at) > horizon {
			ran = c.at.Add(horizon) // it was not run later
		}
		written = append(written, commands.CommandComment{
			CommentID: c.id, Requester: commands.Requester{Actor: lifecycle.Actor{Login: c.by, Kind: kind, Roles: s.config.Executors.Logins[c.by]}, Right: s.rightOf(c.by)},
			Invocations: c.invocations, At: c.at, Done: ran,
		})
	}
	orders, _ := commands.AttributeMoves(s.life, standing, written)
	return orders
}

// noticesOf counts what Colony says on the pull requests of an issue: as often as its limits were reached at most.
func (s *simulation) checkNotices(i *simulatedIssue, standing statemachine.Standing) {
	reached := 0
	for _, m := range movesOf(standing) {
		for _, limit := range s.life.Limits {
			if limit.OnPullRequest && limit.Instead == m.To && slices.Contains(limit.From, m.From) {
				reached++
			}
		}
	}
	for _, p := range s.pulls {
		if p.issue != i.number {
			continue
		}
		said := slices.DeleteFunc(all[commentSeen](s, fmt.Sprintf("/issues/%d/comments", p.number)), func(c commentSeen) bool {
			return c.User.Login != "colony[bot]" || strings.Contains(c.Body, "closed this pull request") // so begins a fresh start
		})
		if len(said) > reached {
			text, _ := json.Marshal(said)
			s.wrong("Colony says %d things on the pull request #%d, and %d limits were reached: %s", len(said), p.number, reached, text)
		}
	}
}

// leftClosed reports whether a sweep leaves an issue alone because it is closed: it was closed too long ago, or
// before its pull request was merged, which does not change it then: only a webhook reports that. Or its label was renamed or deleted in the
// repository: no list and no event names it then.
func (s *simulation) leftClosed(view issues.View) bool {
	mergedSince := slices.ContainsFunc(s.pulls, func(p *simulatedPull) bool {
		return p.issue == view.Ref.Number && issues.Latest(p.merged, p.ended).After(view.Updated)
	})
	isState := func(label string) bool { _, is := s.life.StateOf(label); return is }
	lastAdded := false
	for _, c := range view.Changes {
		if isState(c.Label) {
			lastAdded = c.Added
		}
	}
	unnamed := lastAdded && !slices.ContainsFunc(view.Labels, isState)
	return view.Closed && (mergedSince || unnamed || s.isOld(view))
}
