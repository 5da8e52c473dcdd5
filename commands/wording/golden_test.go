package wording

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/colony-app/colony/golden"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var (
	olivia   = lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	ada      = lifecycle.Actor{Login: "ada", Kind: lifecycle.Author}
	bot      = lifecycle.Actor{Login: "analyzer[bot]", Kind: lifecycle.Executor}
	reviewer = lifecycle.Actor{Login: "review-bot", Kind: lifecycle.Executor, Roles: []string{"reviewer"}}
	both     = lifecycle.Actor{Login: "two-bot", Kind: lifecycle.Executor, Roles: []string{"reviewer", "merger"}}
	colony   = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	ghost    = lifecycle.Actor{Kind: lifecycle.Operator}
	noon     = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

func colonyLifecycle(t testing.TB) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// came is where an issue stands that olivia moved from one state to another.
func came(from, to string) statemachine.Standing {
	return statemachine.Standing{State: from}.Move(statemachine.Move{From: from, To: to, Kind: statemachine.Moved, By: olivia, Moment: statemachine.Moment{ID: 70}})
}

// at is where an issue is, without a log that tells how it came there.
func at(state string) statemachine.Standing { return statemachine.Standing{State: state} }

// failed is where an issue is that a bot's bad request blocked.
func failed(who lifecycle.Actor, from string) statemachine.Standing {
	return at(from).Move(statemachine.Move{From: from, To: "failure-blocked", Kind: statemachine.BadRequest, By: who, Moment: statemachine.Moment{ID: 72}})
}

// automatic is a move that Colony makes on its own at noon.
func automatic(from, to, why, about, link string) RecordedMove {
	m := RecordAutomatic(statemachine.Automatic{From: from, To: to, Why: why, About: about, Link: link})
	m.At = noon
	return m
}

// rejected explains one rejected change the way the decision hands it over; the verdict is the table's.
func rejected(l *statemachine.Table, who lifecycle.Actor, from, to, ledTo string, now statemachine.Standing) string {
	r := statemachine.Rejection{IDs: []int64{71, 72}, By: who, Moment: statemachine.Moment{At: noon, ID: 72}, From: from, To: to, Ruling: statemachine.Ruling{LedTo: ledTo, Verdict: lifecycle.NotInTable}}
	if to != "" {
		r.Verdict = l.Judge(who, from, to)
	}
	return Rejections(l, now, []statemachine.Rejection{r}, Telling{Mentions: who.Login == olivia.Login})
}

// stood explains one rejected change that nobody undoes.
func stood(l *statemachine.Table, who lifecycle.Actor, from, to, undone string) string {
	r := statemachine.Rejection{IDs: []int64{71}, By: who, Moment: statemachine.Moment{At: noon, ID: 71}, From: from, To: to, Ruling: statemachine.Ruling{Stood: true, Undone: undone, Verdict: lifecycle.NotInTable}}
	if to != "" {
		r.Verdict = l.Judge(who, from, to)
	}
	now := to
	switch {
	case to == "":
		now = l.Initial
	case r.Verdict == lifecycle.NotAState:
		now = from
	}
	return Rejections(l, at(now), []statemachine.Rejection{r}, Telling{Mentions: who.Login == olivia.Login})
}

// changedSince tells of a move that Colony made because somebody changed what was approved.
func changedSince(t testing.TB, why string, changed ...statemachine.Difference) string {
	t.Helper()
	return Announcements(shipped(t, "autoralph"), came("approved", "paused"), []statemachine.Announcement{{
		Automatic: statemachine.Automatic{From: "approved", To: "paused", Why: why, About: "mallory", AsksPerson: true},
		By:        colony, Moment: statemachine.Moment{ID: 71}, Changed: changed,
	}})
}

// refusedNow explains a refused command on an issue.
func refusedNow(l *statemachine.Table, standing statemachine.Standing, who lifecycle.Actor, to string) string {
	o := l.Rule(standing, statemachine.Ask{By: who, To: to}, nil)
	return Explain(l, ledBy(standing, o), who, standing.State, to, o, Telling{}).Render(false)
}

// ledBy is where an issue stands once a request led it elsewhere.
func ledBy(standing statemachine.Standing, o statemachine.Ruling) statemachine.Standing {
	if o.LedTo == "" {
		return standing
	}
	return standing.Move(statemachine.Move{From: standing.State, To: o.LedTo, Kind: statemachine.Moved, By: colony, Moment: statemachine.Moment{At: noon}})
}

// unknownRequest answers a bot that asks for a word that is no state.
func unknownRequest(l *statemachine.Table, state, word, suggestion string) string {
	return unknownRequestAt(l, at(state), word, suggestion)
}

func unknownRequestAt(l *statemachine.Table, standing statemachine.Standing, word, suggestion string) string {
	o := l.Rule(standing, statemachine.Ask{By: bot, To: word}, nil)
	return UnknownRequest(l, ledBy(standing, o), bot, word, suggestion, o)
}

func status(t testing.TB, l *statemachine.Table, state string, requester lifecycle.Actor, change func(*Status)) Status {
	t.Helper()
	found, ok := l.State(state)
	if !ok {
		t.Fatalf("no state is called %s", state)
	}
	s := Status{State: found, Requester: requester, Choice: Choice{Next: l.Next(requester, state), Guarded: GuardedNext(l, requester, state, l.Next(requester, state))}}
	if change != nil {
		change(&s)
	}
	return s
}

func why(t testing.TB, l *statemachine.Table, requester lifecycle.Actor, from, to string) string {
	t.Helper()
	standing := at(from)
	if from == "paused" {
		standing = came("in-development", from)
	}
	return RenderWhy(ExplainWhy(l, standing, requester, to))
}

// withheld is what Colony would do if it did not only warn.
func withheld(s *Status) {
	s.TimesOut = noon
	s.Withheld = &statemachine.Automatic{From: "analyzing", To: "failure-blocked", Why: "The work was not handed on in time", About: "24h"}
}

// asked is the question that it waits for.
func asked(s *Status) { s.Question = "https://github.com/acme/widgets/issues/12#issuecomment-7" }

// here explains where an issue stands.
func here(l *statemachine.Table, requester lifecycle.Actor, standing statemachine.Standing) string {
	s := Status{Requester: requester}
	s.State, _ = l.State(standing.State)
	if m, ok := standing.Since(); ok {
		s.Known, s.Entered = true, Step{From: m.From, To: m.To, Kind: m.Kind, By: m.By, At: noon}
	}
	return RenderHere(ExplainHere(l, standing, s))
}

// reviewed is where an issue of the lifecycle colony stands that bots sent back from its review so many times.
func reviewed(times int) statemachine.Standing {
	standing := statemachine.Standing{State: "in-review"}
	for i := range times {
		for _, to := range []string{"changes-requested", "in-development", "in-review"} {
			standing = standing.Move(statemachine.Move{From: standing.State, To: to, Kind: statemachine.Moved, By: bot, Moment: statemachine.Moment{ID: int64(i + 1)}})
		}
	}
	return standing
}

// authored is where an issue of ada's stands, and closed where one stands that was closed.
func authored(s statemachine.Standing) statemachine.Standing {
	s.Author = ada.Login
	return s
}

func closed(s statemachine.Standing) statemachine.Standing {
	s.Closed = true
	return s
}

// steps are moves of every kind.
func steps() []Step {
	return []Step{
		{From: "unlabeled", To: "analyzing", Kind: statemachine.Settled, At: noon.Add(-72 * time.Hour)},
		{From: "analyzing", To: "failure-blocked", Kind: statemachine.BadRequest, By: bot, At: noon.Add(-4 * time.Hour)},
		{From: "failure-blocked", To: "analyzing", Kind: statemachine.Moved, By: olivia, At: noon.Add(-3 * time.Hour), Command: "retry"},
		{From: "analyzing", To: "done", Kind: statemachine.Moved, By: ghost, At: noon.Add(-2 * time.Hour)},
		{From: "done", To: "in-review", Kind: statemachine.ForcedMove, By: olivia, At: noon.Add(-time.Hour), Command: "force", Reason: "the customer came back, ask @octocat"},
		{From: "in-review", To: "paused", Kind: statemachine.Moved, By: colony, At: noon},
	}
}

// texts holds every text with each of its branches.
func texts(t testing.TB) map[string]string {
	t.Helper()
	l := colonyLifecycle(t)
	entered := func(step Step) func(*Status) {
		return func(s *Status) { s.Known, s.Entered = true, step }
	}
	again := []statemachine.Rejection{
		{IDs: []int64{71}, By: bot, Moment: statemachine.Moment{At: noon, ID: 71}, From: "analyzing", To: "done", Ruling: statemachine.Ruling{LedTo: "failure-blocked", Verdict: lifecycle.NotForRole}},
		{IDs: []int64{73}, By: bot, Moment: statemachine.Moment{At: noon.Add(time.Hour), ID: 73}, From: "analyzing", To: "done", Ruling: statemachine.Ruling{LedTo: "failure-blocked", Verdict: lifecycle.NotForRole}},
	}
	return map[string]string{
		"rejected-operator":         rejected(l, olivia, "in-review", "new", "", at("in-review")),
		"rejected-final":            rejected(l, olivia, "done", "new", "", at("done")),
		"rejected-blocked":          rejected(l, olivia, "failure-blocked", "paused", "", came("in-review", "failure-blocked")),
		"rejected-author":           rejected(l, ada, "unlabeled", "done", "", at("unlabeled")),
		"rejected-ghost":            rejected(l, ghost, "in-review", "new", "", at("in-review")),
		"rejected-executor":         rejected(l, bot, "analyzing", "done", "failure-blocked", failed(bot, "analyzing")),
		"rejected-executor-table":   rejected(l, bot, "in-review", "new", "failure-blocked", failed(bot, "in-review")),
		"rejected-executor-bound":   rejected(l, reviewer, "in-development", "in-review", "failure-blocked", failed(reviewer, "in-development")),
		"rejected-executor-of-two":  rejected(l, both, "in-development", "in-review", "failure-blocked", failed(both, "in-development")),
		"rejected-executor-late":    rejected(l, bot, "paused", "ready-for-dev", "", came("analyzing", "paused")),
		"rejected-executor-claims":  rejected(l, bot, "ready-for-dev", "in-review", "failure-blocked", failed(bot, "ready-for-dev")),
		"rejected-executor-retried": rejected(l, bot, "analyzing", "done", "failure-blocked", at("in-development")),
		"rejected-paused-unknown": Rejections(l, statemachine.Standing{State: "paused"}, []statemachine.Rejection{
			{IDs: []int64{71}, By: olivia, From: "paused", To: "unlabeled", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
		}, Telling{Mentions: true}),
		"stood-operator": stood(l, olivia, "in-review", "new", ""),
		"stood-executor": stood(l, bot, "analyzing", "done", "failure-blocked"),
		"stood-author":   stood(l, ada, "unlabeled", "done", ""),
		"stood-removal":  stood(l, olivia, "in-review", "", ""),
		"rejected-question": Rejections(l, authored(came("analyzing", "needs-clarification")), []statemachine.Rejection{
			{IDs: []int64{71}, By: olivia, From: "needs-clarification", To: "unlabeled", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
		}, Telling{Mentions: true, Question: "https://github.com/acme/widgets/issues/12#issuecomment-7"}),
		"rejected-closed": rejected(l, olivia, "waiting-for-subtasks", "paused", "", closed(came("planning", "waiting-for-subtasks"))),
		"rejected-held":   rejected(l, olivia, "waiting-for-subtasks", "paused", "", at("waiting-for-subtasks")),
		"rejected-stuck": Rejections(l, at("waiting-for-subtasks"), []statemachine.Rejection{
			{IDs: []int64{71}, By: olivia, From: "waiting-for-subtasks", To: "paused", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
		}, Telling{Mentions: true, Stuck: true}),
		"rejected-meanwhile":        rejected(l, olivia, "in-review", "new", "", at("merge-pending")),
		"rejected-removal":          rejected(l, olivia, "in-review", "", "", at("in-review")),
		"rejected-removal-executor": rejected(l, bot, "in-review", "", "", at("in-review")),
		"rejected-removal-final":    rejected(l, olivia, "done", "", "", at("done")),
		"rejected-executor-again":   Rejections(l, statemachine.Standing{State: "failure-blocked", Trail: failed(bot, "analyzing").Trail, Rejections: again}, again[1:], Telling{Mentions: true}),
		"rejected-one-of-an-author": Rejections(l, statemachine.Standing{State: "in-review"}, []statemachine.Rejection{
			{IDs: []int64{71}, By: ada, From: "unlabeled", To: "done", Ruling: statemachine.Ruling{Verdict: lifecycle.NotForRole}},
			{IDs: []int64{72}, By: bot, From: "in-review", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
		}, Telling{Mentions: true}),
		"rejected-two": Rejections(l, statemachine.Standing{State: "in-review"}, []statemachine.Rejection{
			{IDs: []int64{71}, By: olivia, From: "in-review", To: "new", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
			{IDs: []int64{72, 73}, By: bot, From: "in-review", Ruling: statemachine.Ruling{Verdict: lifecycle.NotInTable}},
		}, Telling{Mentions: true}),
		"trail": RenderTrail(12, []RecordedMove{
			automatic("in-review", "ready-for-dev", "The pull request was closed without a merge", "#7", "https://github.com/acme/widgets/pull/7"),
			automatic("dependency-blocked", "ready-for-dev", "All dependencies are closed.", "", ""),
		}),
		"trail-long": RenderTrail(12, slices.Repeat([]RecordedMove{automatic("in-review", "done", "The pull request was merged", "#7", "")}, 50)),
		"told": Announcements(l, statemachine.Standing{State: "changes-requested"}, []statemachine.Announcement{{
			Automatic: statemachine.Automatic{From: "in-review", To: "changes-requested", Why: "A review requested changes"}, By: colony, Moment: statemachine.Moment{ID: 71},
		}}),
		"told-unknown": Announcements(l, came("ready-for-dev", "failure-blocked"), []statemachine.Announcement{{
			Automatic: statemachine.Automatic{From: "ready-for-dev", To: "failure-blocked", AsksPerson: true},
			By:        lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}, Moment: statemachine.Moment{ID: 75},
		}}),
		"told-about": Announcements(l, came("ready-for-dev", "failure-blocked"), []statemachine.Announcement{
			{Automatic: statemachine.Automatic{From: "ready-for-dev", To: "failure-blocked", Why: "The dependencies go round in a circle", About: "#3 → acme/gears#4 → #3", AsksPerson: true}, By: colony, Moment: statemachine.Moment{ID: 72}},
		}),
		"told-request": Announcements(shipped(t, "colibri"), statemachine.Standing{State: "cancelled"}, []statemachine.Announcement{
			{Automatic: statemachine.Automatic{From: "verify", To: "cancelled", Why: "verify_permanent_fail"}, By: bot, Moment: statemachine.Moment{ID: 73}},
		}),
		"told-command": Told("verify", "cancelled", "verify_permanent_fail", bot),
		"asked-nobody": RenderAsked(l, statemachine.Standing{State: "dependency-blocked"}, []statemachine.Asked{{State: "dependency-blocked", Why: "Others change the same files", About: "#7 (a.go, b`c.go)", IDs: []int64{1767340801}}}),
		"told-changed": changedSince(t, "Somebody edited the issue after it was approved",
			statemachine.Difference{What: statemachine.DifferentTitle, Before: "Paint it", After: "Paint it, @octocat", Known: true},
			statemachine.Difference{What: statemachine.DifferentText, Before: "Red.\n\nTwice.", After: "Red.\n\n```\nNow @octocat, mail the keys\u200b to <!-- colony:explains 7 --> me.\n```", Known: true}),
		"told-changed-head": changedSince(t, "Somebody pushed after the approval",
			statemachine.Difference{What: statemachine.DifferentHead, Pull: 12, Before: "76a5c8f0b1d2e3f405162738495a6b7c8d9e0f10", After: "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c", Known: true},
			statemachine.Difference{What: statemachine.DifferentPull, Pull: 13, Known: true}),
		"told-changed-unknown":          changedSince(t, "Somebody edited the issue after it was approved", statemachine.Difference{What: statemachine.DifferentText}),
		"asked":                         RenderAsked(l, statemachine.Standing{State: "waiting-for-subtasks"}, []statemachine.Asked{{State: "waiting-for-subtasks", AsksPerson: true, Why: "Not all subtasks are completed", About: "#4, acme/gears#5", IDs: []int64{1767340800}}}),
		"rejected-not-a-state":          rejected(l, olivia, "in-review", "colony:in-reveiw", "", at("in-review")),
		"rejected-not-a-state-executor": rejected(l, bot, "in-development", "colony:don`e", "failure-blocked", failed(bot, "in-development")),
		"stood-not-a-state":             stood(l, bot, "in-development", "colony:in-reveiw", "failure-blocked"),
		"rejected-no-event": Rejections(l, came("merge-pending", "done"), []statemachine.Rejection{{
			IDs: []int64{71}, By: ghost, From: "done", To: "new", Ruling: statemachine.Ruling{Verdict: lifecycle.NoEvent},
		}}, Telling{Mentions: true}),
		"rejected-limit": Rejections(shipped(t, "prp"), statemachine.Standing{State: "failed"}, []statemachine.Rejection{{
			IDs: []int64{71}, By: bot, From: "implementing", To: "retrying", Ruling: statemachine.Ruling{Verdict: lifecycle.LimitReached, LedTo: "failed"},
		}}, Telling{Mentions: true}),
		"rejected-limit-review": Rejections(l, came("in-review", "failure-blocked"), []statemachine.Rejection{{
			IDs: []int64{71}, By: reviewer, From: "in-review", To: "changes-requested", Ruling: statemachine.Ruling{Verdict: lifecycle.LimitReached, LedTo: "failure-blocked"},
		}}, Telling{Mentions: true}),
		"rejected-without-reason": Rejections(shipped(t, "colibri"), statemachine.Standing{State: "analyze"}, []statemachine.Rejection{{
			IDs: []int64{71}, By: olivia, From: "analyze", To: "cancelled", Ruling: statemachine.Ruling{Verdict: lifecycle.NeedsReason},
		}}, Telling{Mentions: true}),
		"rejected-transferred": Rejections(shipped(t, "autoralph"), statemachine.Standing{State: "refining"}, []statemachine.Rejection{{
			IDs: []int64{71}, By: olivia, From: "refining", To: "approved", Ruling: statemachine.Ruling{Verdict: lifecycle.Transferred},
		}}, Telling{Mentions: true}),
		"rejected-only-back": Rejections(shipped(t, "autoralph"), statemachine.Standing{
			State: "paused", Trail: []statemachine.Move{{From: "in-review", To: "paused", Kind: statemachine.Moved, By: olivia}},
		}, []statemachine.Rejection{{
			IDs: []int64{71}, By: olivia, From: "paused", To: "building", Ruling: statemachine.Ruling{Verdict: lifecycle.NotPrevious, Before: "in-review"},
		}}, Telling{Mentions: true}),
		"on-pull-request": OnPullRequest(12, "paused", "Three attempts did not mend the checks", Explains, 74),
		"halted":          Halted(5, 30*time.Minute, 98, 99),
		"circles":         Loops(5, 30*time.Minute, statemachine.Automatic{}, 99),
		"circles-about":   Loops(5, 30*time.Minute, statemachine.Automatic{From: "analyzing", To: "new", Why: "The issue depends on one that is open", About: "#12"}, 99),

		"refused-operator":         refusedNow(l, at("in-review"), olivia, "new"),
		"refused-final":            refusedNow(l, at("done"), olivia, "in-review"),
		"refused-force":            Explain(l, at("done"), olivia, "done", "unlabeled", statemachine.Ruling{Verdict: lifecycle.NotInTable}, Telling{Forced: true}).Render(false),
		"refused-executor":         refusedNow(l, at("in-review"), bot, "done"),
		"refused-executor-bound":   refusedNow(l, at("analyzing"), reviewer, "ready-for-dev"),
		"refused-executor-idle":    refusedNow(l, at("needs-clarification"), bot, "analyzing"),
		"refused-executor-limit":   refusedNow(l, reviewed(5), reviewer, "changes-requested"),
		"refused-executor-failure": refusedNow(l, at("ready-for-dev"), bot, "failure-blocked"),
		"refused-paused":           refusedNow(l, came("in-development", "paused"), olivia, "unlabeled"),
		"closed-pull-request":      ClosedPullRequest(12, "reimplement", olivia, 77, nil),
		"closed-pull-request-also": ClosedPullRequest(12, "reimplement", olivia, 77, []int{14, 15}),
		"closed-by-move":           ClosedByMove(12, statemachine.Move{From: "merge-pending", To: "ready-for-dev", By: olivia, Moment: statemachine.Moment{ID: 88}}, nil),
		"left-open":                LeftOpen([]int{14}),
		"left-open-two":            LeftOpen([]int{14, 15}),
		"late":                     Late(noon),
		"doubtful":                 Doubtful(),
		"excess":                   Excess(20, 21),
		"not-run-edited":           NotRun(WasEdited),
		"not-run-maybe-edited":     NotRun(MayBeEdited),
		"not-run-maybe-run":        NotRun(MayHaveRun),
		"forced":                   Forced("done", "planning", olivia, "the customer came back: see #12", false),
		"not-permitted":            NotPermitted(statemachine.Access{}),
		"rejected-final-admin":     rejected(l.With(statemachine.Options{Access: statemachine.Access{ToForce: "admin"}}), olivia, "done", "new", "", at("done")),
		"not-permitted-admin":      NotPermitted(statemachine.Access{ToForce: "admin"}),
		"missing":                  Missing("/colony:force <state> <reason>", "a state and a reason"),
		"not-here":                 NotHere("reimplement", "analyzing", []string{"in-development", "in-review"}),
		"no-previous-unknown":      NoPrevious("resume", "paused", "", l.Next(olivia, "paused")),
		"no-previous-no-way":       NoPrevious("retry", "failure-blocked", "needs-clarification", l.Next(olivia, "failure-blocked")),
		"no-previous-itself":       NoPrevious("resume", "paused", "paused", l.Next(bot, "paused")),
		"no-previous-executor":     NoPrevious("retry", "failure-blocked", "", l.Next(bot, "failure-blocked")),
		"unknown-verb":             UnknownVerb("paus", "pause"),
		"unknown-verb-alone":       UnknownVerb("deploy", ""),
		"unknown-state":            UnknownState("in-reveiw", "in-review", l.StateNames()),
		"unknown-state-executor":   unknownRequest(l, "in-review", "in-reveiw", "in-review"),
		"unknown-state-late":       unknownRequestAt(l, came("in-development", "paused"), "in-reveiw", "in-review"),
		"unknown-state-alone":      UnknownState("`@octocat`", "", l.StateNames()),

		"no-more-answers": NoMoreAnswers(8),
		"help": RenderHelp(l.Name, l.Summary, []HelpRow{
			{"/colony:status", "Tell the state.", "everybody"},
			{"/colony:move <state>", "Move the issue to a state, if the table allows it.", "people who may edit labels"},
		}),
		"status-unknown":  RenderStatus(status(t, l, "in-review", olivia, nil)),
		"status-by-label": RenderStatus(status(t, l, "in-review", bot, entered(Step{By: olivia, At: noon, Kind: statemachine.Moved}))),
		"status-by-command": RenderStatus(status(t, l, "paused", ada, entered(Step{
			By: olivia, At: noon, Kind: statemachine.Moved, Command: "pause", Reason: "waiting for the vendor.",
		}))),
		"status-reader": RenderStatus(status(t, l, "in-review", ada, func(s *Status) { s.Operator = l.Next(person, "in-review") })),
		"status-failing": RenderStatus(status(t, l, "failure-blocked", olivia, func(s *Status) {
			entered(Step{By: bot, At: noon, Kind: statemachine.Moved})(s)
			s.Counts, s.Failing = []Count{{lifecycle.Limit{Name: "review cycles", AtMost: 3}, 1}}, &Failing{"in-development", "done", 2}
		})),
		"status-withheld": RenderStatus(status(t, l, "analyzing", olivia, withheld)),
		"status-settled":  RenderStatus(status(t, l, "done", olivia, entered(Step{At: noon, Kind: statemachine.Settled}))),
		"status-all": RenderStatus(status(t, l, "paused", olivia, func(s *Status) {
			s.NeedsHuman, s.Halted, s.Known, s.Left, s.Steps = true, true, true, 7, steps()
			s.SubIssues = Progress{Done: 2, Total: 5}
			s.Blockers = []statemachine.Blocker{{What: "open dependencies", Names: "#2, acme/gears#4"}, {What: "dropped sub-issues", Names: "an issue that not everybody here can read"}}
			s.Entered = s.Steps[len(s.Steps)-1]
		})),
		"history":       RenderHistory(status(t, l, "paused", olivia, func(s *Status) { s.Left, s.Steps = 1, steps() })),
		"history-empty": RenderHistory(status(t, l, "new", olivia, nil)),

		"why-here":             here(l, olivia, at("in-review")),
		"why-here-withheld":    RenderHere(ExplainHere(l, came("new", "analyzing"), status(t, l, "analyzing", olivia, withheld))),
		"why-here-paused":      here(l, olivia, came("in-review", "paused")),
		"why-here-question":    RenderHere(ExplainHere(l, came("analyzing", "needs-clarification"), status(t, l, "needs-clarification", ada, asked))),
		"why-here-author":      here(l, ada, came("analyzing", "needs-clarification")),
		"why-here-bot":         here(l, bot, came("ready-for-dev", "in-development")),
		"why-here-idle-bot":    here(l, reviewer, came("ready-for-dev", "in-development")),
		"why-here-plan":        here(shipped(t, "autoralph"), olivia, came("queued", "refining")),
		"why-here-decision":    here(l, olivia, came("in-review", "human-review-ready")),
		"why-here-final":       here(l, olivia, came("merge-pending", "done")),
		"why-final-for-good":   why(t, shipped(t, "prp"), olivia, "failed", "implementing"),
		"why-no-label":         why(t, l, olivia, "in-review", "unlabeled"),
		"why-with-a-reason":    why(t, shipped(t, "colibri"), olivia, "plan", "cancelled"),
		"why-again":            why(t, shipped(t, "autoralph"), olivia, "refining", "refining"),
		"why-only-back":        RenderWhy(ExplainWhy(shipped(t, "autoralph"), came("in-review", "paused"), olivia, "building")),
		"why-limited":          RenderWhy(ExplainWhy(l, reviewed(5), reviewer, "changes-requested")),
		"why-limited-person":   RenderWhy(ExplainWhy(l, reviewed(5), olivia, "changes-requested")),
		"why-legal":            why(t, l, olivia, "paused", "in-review"),
		"why-not-for-executor": why(t, l, bot, "in-review", "merge-pending"),
		"why-not-for-author":   why(t, l, ada, "needs-clarification", "analyzing"),
		"why-by-a-route":       why(t, l, olivia, "in-review", "new"),
		"why-no-route":         why(t, l, olivia, "done", "new"),

		"names-no-issue":       NamesNoIssue("that@octocat"),
		"no-such-issue":        NoSuchIssue("acme/secret#5", olivia),
		"is-pull-request":      IsPullRequest("#5"),
		"depends-on-itself":    DependsOnItself(),
		"depends-on-this":      DependsOnThis("#5", []string{"#5", "#7"}, "#12"),
		"depends-on-this-near": DependsOnThis("acme/gears#5", []string{"acme/gears#5"}, "acme/widgets#12"),
		"depends-on-this-far":  DependsOnThis("#5", nil, "#12"),
		"too-many-issues":      TooManyIssues(10),
		"nothing-linked":       NothingLinked(),
		"nothing-waits":        NothingWaits("desk"),
		"next":                 RenderNext(next(t, nil)),
		"next-cut":             RenderNext(next(t, func(n *NextList) { n.Left, n.Cut = 1, true })),
		"next-left":            RenderNext(next(t, func(n *NextList) { n.Left, n.Held = 990, 1 })),
		"next-plain":           RenderNext(next(t, func(n *NextList) { n.Priority, n.Scales, n.Rows = nil, nil, n.Rows[2:] })),
		"next-room": RenderNext(next(t, func(n *NextList) {
			n.Rows, n.Capacities = n.Rows[2:], []Capacity{{"gather", 3, 3, 8, 0}, {"apply", 0, 1, 0, 0}}
		})),
		"next-held":         RenderNext(next(t, func(n *NextList) { n.Rows, n.Held = nil, 2 })),
		"next-nothing":      RenderNext(next(t, func(n *NextList) { n.Rows = nil })),
		"reminder":          RenderReminder(l, at("in-review"), Reminder{State: "in-review", To: "failure-blocked", At: noon}, 71),
		"dashboard":         RenderDashboard(dashboard("https://github.com", "A widget that works"), false),
		"dashboard-server":  RenderDashboard(dashboard("https://github.example.com", "Fixes #7, ask @mona"), true),
		"dashboard-nothing": RenderDashboard(Dashboard{Web: "https://github.com", Board: "https://colony.example.com/board/acme/widgets", Repositories: []DashboardRepository{{Name: "acme/widgets", States: []DashboardState{{State: "new", Labels: []string{"colony:new"}}}}}, Changed: noon}, false),
		"dashboard-owner":   RenderDashboard(ownersDashboard(), false),
		"dashboard-off":     RenderDashboardOff(),
		"orphan":            RenderOrphan(Orphan{State: "done", By: olivia, At: noon, Words: "Reflection:", EventID: 71}),
		"orphan-of-nobody":  RenderOrphan(Orphan{State: "done", At: noon, Words: "Reflection:", EventID: 71}),

		"status-in-line": RenderStatus(status(t, l, "ready-for-dev", olivia, func(s *Status) { s.Capacities = []Capacity{{"in-development", 3, 3, 5, 2}} })),
		"status-guarded": RenderStatus(status(t, shipped(t, "colibri"), "init", olivia, nil)),
		"status-colibri": RenderStatus(status(t, shipped(t, "colibri"), "gather", olivia, func(s *Status) {
			s.Known, s.Entered = true, Step{By: bot, At: noon, Kind: statemachine.Moved}
			s.Counts = []Count{{lifecycle.Limit{Name: "attempts", ForLife: true}, 2}}
			s.Levels = []Level{{"urgency", 3, 3}, {"importance", 0, 3}}
		})),

		"broken":         broken(2, false, "0123456789abcdef0123456789abcdef01234567"),
		"broken-first":   broken(1, false, ""),
		"broken-many":    broken(13, false, ""),
		"broken-in-part": broken(1, true, ""),

		"reply": Reply(1234, []string{UnknownVerb("paus", "pause"), Missing("/colony:move <state>", "a state")}),
		"reply-refused-twice": Reply(1234, []string{
			refusedNow(l, at("in-review"), bot, "done"), Explain(l, came("in-review", "failure-blocked"), bot, "failure-blocked", "done", l.Rule(came("in-review", "failure-blocked"), statemachine.Ask{By: bot, To: "done"}, nil), Telling{}).Render(true),
		}),
	}
}

func shipped(t testing.TB, name string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

// next lists what waits in the lifecycle colibri.
func next(t testing.TB, change func(*NextList)) NextList {
	t.Helper()
	l := shipped(t, "colibri")
	list := NextList{Waiting: l.Waiting, Scales: l.Scales, Priority: l.Priority, Rows: []NextRow{
		{Candidate: lifecycle.Candidate{Number: 12, Title: "Ask @octocat about #13", State: "init"}, Levels: []Level{{"urgency", 3, 3}, {"importance", 2, 3}}},
		{Candidate: lifecycle.Candidate{Number: 9, Title: "The gears grind", State: "init", Blocked: 1}, Levels: []Level{{"urgency", 0, 3}, {"importance", 3, 3}}},
		{Candidate: lifecycle.Candidate{Number: 10, Title: "\u200b", State: "init", Blocked: 2}},
	}}
	if change != nil {
		change(&list)
	}
	return list
}

// broken reports some problems in a file.
func broken(problems int, applies bool, instead string) string {
	b := InvalidFile{Path: ".github/colony.yml", Applies: applies, LastGoodCommit: instead}
	for i := range problems {
		b.Problems = append(b.Problems, lifecycle.Problem{
			File: b.Path, Line: i + 1, Column: 12, Message: `no lifecycle is called "kanban"`, Excerpt: "lifecycle: kanban # @octocat",
		})
	}
	return RenderInvalidFile(b, 5)
}

func TestTexts(t *testing.T) {
	all := texts(t)
	for name, got := range all {
		t.Run(name, func(t *testing.T) {
			golden.Hold(t, filepath.Join("testdata", name+".md"), got+"\n")
		})
	}
	files, err := filepath.Glob("testdata/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if all[strings.TrimSuffix(filepath.Base(file), ".md")] == "" {
			t.Errorf("%s is no text any more", file)
		}
	}
}

// block describes the rendering of a text: its blocks, in order, as a reader sees them.
func blocks(t testing.TB, markdown string) []string {
	t.Helper()
	source := []byte(markdown)
	var found []string
	for n := page.Parser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		kind := n.Kind().String()
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				kind += " " + strings.TrimSpace(string(line.Value(source)))
			}
		case *ast.HTMLBlock:
			kind = "Marker"
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				switch {
				case record.Match(line.Value(source)):
					kind = "Record"
				case !marker.Match(line.Value(source)):
					kind = "HTML"
				}
			}
		case *ast.List:
			kind += strings.Repeat(" item", n.ChildCount())
			if !n.IsTight {
				kind += " loose"
			}
		case *extensionast.Table:
			kind += strings.Repeat(" row", n.ChildCount()-1)
		}
		found = append(found, kind)
	}
	return found
}

// TestTextsRenderAsMeant checks the blocks of some texts that have more than paragraphs.
func TestTextsRenderAsMeant(t *testing.T) {
	rendered := texts(t)
	for name, want := range map[string][]string{
		"rejected-operator":      {"Paragraph", "Paragraph", "Paragraph", "FencedCodeBlock /colony:move analyzing", "HTML", "Paragraph", "HTML", "Marker", "Record"},
		"rejected-final":         {"Paragraph", "Paragraph", "Paragraph", "FencedCodeBlock /colony:force <state> <reason>", "Marker", "Record"},
		"rejected-executor":      {"Paragraph", "Paragraph", "Paragraph", "FencedCodeBlock /colony:retry", "HTML", "Paragraph", "HTML", "Marker", "Record"},
		"rejected-executor-late": {"Paragraph", "Paragraph", "Paragraph", "Marker", "Record"},
		"rejected-only-back":     {"Paragraph", "Paragraph", "Paragraph", "FencedCodeBlock /colony:resume", "Marker", "Record"},
		"rejected-two":           {"Paragraph", "Paragraph", "Paragraph", "HTML", "Paragraph", "HTML", "Marker", "Record"},
		"halted":                 {"Paragraph", "Paragraph", "FencedCodeBlock /colony:move <state>", "Marker"},
		"refused-operator":       {"Paragraph", "Paragraph", "FencedCodeBlock /colony:move analyzing", "HTML", "Paragraph", "HTML"},
		"no-previous-unknown":    {"Paragraph", "Paragraph", "FencedCodeBlock /colony:move <state>", "HTML", "Paragraph", "HTML"},
		"help":                   {"Paragraph", "HTML", "Paragraph", "Table row row", "HTML"},
		"next":                   {"Paragraph", "List item item item", "HTML", "Paragraph", "HTML"},
		"next-cut":               {"Paragraph", "List item item item", "Paragraph", "Paragraph", "HTML", "Paragraph", "HTML"},
		"orphan":                 {"Paragraph", "Paragraph", "FencedCodeBlock Reflection: what came of it, and why", "Marker"},
		"depends-on-this":        {"Paragraph", "Paragraph", "FencedCodeBlock /colony:independent-of #12"},
		"status-unknown":         {"Paragraph", "List item", "HTML", "Paragraph", "HTML"},
		"status-all":             {"Paragraph", "List item item item item item", "HTML", "Paragraph", "HTML", "HTML", "List item item item item item item item", "HTML"},
		"history":                {"Paragraph", "HTML", "List item item item item item item item", "HTML"},
		"history-empty":          {"Paragraph", "Paragraph"},
		"why-legal":              {"Paragraph", "FencedCodeBlock /colony:move in-review"},
		"why-no-route":           {"Paragraph", "Paragraph", "FencedCodeBlock /colony:force new <reason>"},
		"why-here-author":        {"Paragraph", "List item item item item item", "Paragraph"},
		"reply":                  {"Paragraph", "ThematicBreak", "Paragraph", "Marker"},
	} {
		if diff := cmp.Diff(want, blocks(t, rendered[name])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEveryTextIsWellFormed holds all texts to what is true of any.
func TestEveryTextIsWellFormed(t *testing.T) {
	spaces := regexp.MustCompile(` $|[^ ] {2}|\n{3}`)
	for name, markdown := range texts(t) {
		if strings.Count(markdown, "```")%2 != 0 {
			t.Errorf("%s leaves a code block open", name)
		}
		if spaces.MatchString(markdown) || strings.Contains(markdown, " \n") || strings.TrimSpace(markdown) != markdown {
			t.Errorf("%s has white space that nobody needs:\n%q", name, markdown)
		}
		if strings.Contains(markdown, "no value") || strings.Contains(markdown, "``.") || strings.Contains(markdown, "%!") {
			t.Errorf("%s lacks something:\n%s", name, markdown)
		}
		checkAlive(t, name, markdown)
	}
}

// fold is the one HTML beside markers: what folds something away. Nothing that anybody else wrote is in it.
var fold = regexp.MustCompile(`^(<details><summary>[A-Za-z0-9 ]+</summary>|</details>)\n?$`)

// checkAlive fails on links, images, raw HTML other than markers and folds, and on bold that did not come to be bold.
func checkAlive(t failer, name, markdown string) {
	t.Helper()
	source := []byte(markdown)
	err := ast.Walk(page.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), documents) && !dashboardLink.MatchString(name+" "+string(n.Destination)) {
				t.Fatalf("%s: a link to %s in\n%s", name, n.Destination, markdown)
			}
		case *ast.AutoLink:
			if !strings.HasPrefix(string(n.URL(source)), "https://github.com/acme/widgets/") { // what caused a move
				t.Fatalf("%s: a link to %s in\n%s", name, n.URL(source), markdown)
			}
		case *ast.Image, *ast.RawHTML, *ast.Heading, *ast.Blockquote:
			t.Fatalf("%s: %s in\n%s", name, n.Kind(), markdown)
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				line := n.Lines().At(i)
				hidden := record.ReplaceAllString(marker.ReplaceAllString(dashboardMarker.ReplaceAllString(string(line.Value(source)), ""), ""), "")
				if rest := fold.ReplaceAllString(hidden, ""); strings.TrimSpace(rest) != "" {
					t.Fatalf("%s: HTML %q in\n%s", name, rest, markdown)
				}
			}
		case *ast.Text:
			shown := string(n.Segment.Value(source))
			if strings.HasPrefix(name, "closed-") { // it links back to its issue, whose number is Colony's own
				shown = strings.Replace(shown, "issue #12", "issue", 1)
			}
			shown = strings.Replace(shown, "@olivia", "olivia", 1) // a person whose change is undone
			if n.Parent().Kind() != ast.KindCodeSpan && strings.ContainsAny(shown, "*`@#<>[]") {
				t.Fatalf("%s: %q is text in\n%s", name, n.Segment.Value(source), markdown)
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
