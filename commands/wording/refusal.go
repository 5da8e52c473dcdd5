package wording

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Refusal is what there is to say about a move that was not granted: by label, or by command.
type Refusal struct {
	Who lifecycle.Actor
	// From is the state the issue was in, To the state that was asked for, or the label if that names no state; To is empty if a label was
	// only taken off.
	From, To string
	statemachine.Ruling
	// Times is how often it was asked for since a person last decided about the work, if it is a bad request.
	Times int
	// Near is the label that was most likely meant, if To is a label that names no state; can be empty.
	Near string

	ByLabel bool // it was asked for by label
	forced  bool // it was to be forced
	// Mentions says that the one who asked is mentioned.
	Mentions bool
	Position
	Advice
}

// Position is what the lifecycle says about where the issue was and who asked.
type Position struct {
	Source lifecycle.State
	Target lifecycle.State
	Roles  []string         // the roles of the one who asked
	Next   []lifecycle.Pair // what the one who asked can ask for from Now
	// InVain says that guards refuse the one who asked for what it is or did, so that to ask again does not help.
	InVain bool
}

// Telling is how Colony explains refusals.
type Telling struct {
	// Mentions says that the people who edited labels are mentioned: no one else, and nothing that a stranger wrote.
	Mentions bool
	// Question is the address of the question that the issue waits for; empty if that is not known.
	Question string
	// Forced says that the move was to be forced.
	Forced bool
	// Stuck is that of advice.Request, where the issue is now.
	Stuck bool
}

// Rejections explains label changes that Colony did not grant, in one comment with its markers. It explains one in the open: the one that led to where
// the issue is, or else the latest. What to do now is the same for the others.
func Rejections(l *statemachine.Table, standing statemachine.Standing, rejections []statemachine.Rejection, how Telling) string {
	var refusals []Refusal
	var ids []int64
	var verdicts []RecordedMove
	open := len(rejections) - 1
	for i, r := range rejections {
		ids = append(ids, r.IDs...)
		refusal := explain(l, standing, Refusal{
			Who: r.By, From: r.From, To: r.To, Ruling: r.Ruling, Times: advice.Repeated(l, standing, r), ByLabel: true,
		}, how)
		refusal.Mentions = how.Mentions && r.By.Kind == lifecycle.Operator && login.MatchString(r.By.Login)
		refusals, verdicts = append(refusals, refusal), append(verdicts, refusal.Record(r.IDs...))
		if r.LedTo != "" && r.LedTo == standing.State {
			open = i
		}
	}
	form := "rejection"
	if refusals[open].Who.Kind == lifecycle.Author {
		form = "request"
	}
	if refusals[open].Stood {
		form = "stood"
	}
	comment := render(form, refusals[open])
	if others := slices.Delete(refusals, open, open+1); len(others) > 0 {
		comment += "\n\n" + render("rejected_too", others)
	}
	return comment + "\n\n" + Marker(Explains, ids...) + recorded(verdicts)
}

// Explain finds out what there is to say about a command that did not move an issue from one state to another. The issue is now where that led it.
func Explain(l *statemachine.Table, standing statemachine.Standing, who lifecycle.Actor, from, to string, r statemachine.Ruling, how Telling) Refusal {
	r.Stood, r.Undone = false, "" // in no mode does a command move the issue
	return explain(l, standing, Refusal{Who: who, From: from, To: to, Ruling: r}, how)
}

// Render explains a refused command in a block of a reply. Too: the reply says already what is allowed from where the issue is now.
func (r Refusal) Render(too bool) string {
	if too {
		return render("refused_too", r)
	}
	return render("refused", r)
}

// UnknownRequest answers a bot that asks for a word that is no state.
func UnknownRequest(l *statemachine.Table, standing statemachine.Standing, who lifecycle.Actor, word, suggestion string, r statemachine.Ruling) string {
	block := UnknownState(word, suggestion, l.StateNames())
	if r.LedTo == "" {
		return block
	}
	return block + "\n\n" + render("led_anyway", explain(l, standing, Refusal{Who: who, From: standing.State, Ruling: statemachine.Ruling{Verdict: r.Verdict, LedTo: r.LedTo}}, Telling{}))
}

// NotChecked says that a command did not move an issue because no one knows what its guards say.
func NotChecked(from, to string, guards []lifecycle.Guard) string {
	return render("not_checked", Refusal{From: from, To: to, Ruling: statemachine.Ruling{Guards: statemachine.Guarding{Refusing: guards}}})
}

// Unreadable says what GitHub did not tell.
func Unreadable(what string) string { return render("unreadable", what) }

// Announcements tells of moves that Colony made without being asked, in one comment with its markers.
func Announcements(l *statemachine.Table, standing statemachine.Standing, moves []statemachine.Announcement) string {
	first := "settle that"
	if slices.ContainsFunc(moves, func(m statemachine.Announcement) bool { return len(m.Changed) > 0 }) {
		first = "read the whole issue"
	}
	next := func() string { return nextStep(l, standing, advice.Request{Reason: advice.Called}, first) }
	var verdicts []RecordedMove
	for _, m := range moves {
		verdicts = append(verdicts, RecordedMove{
			Outcome: AutomaticMove, From: m.From, To: m.To, Actor: m.By.Login, Kind: m.By.Kind, Events: []int64{m.ID}, Why: m.Why, About: m.About, Causes: m.Causes,
		})
	}
	return said(Explains, "told", moves, next, func(m statemachine.Announcement) ([]int64, bool) { return []int64{m.ID}, m.AsksPerson }) + recorded(verdicts)
}

// Told records in a reply the reason that a bot's request implies.
func Told(from, to, why string, by lifecycle.Actor) string {
	return render("told", statemachine.Announcement{Automatic: statemachine.Automatic{From: from, To: to, Why: why}, By: by})
}

// RenderAsked asks a person about what leads nowhere, in one comment with its markers.
func RenderAsked(l *statemachine.Table, standing statemachine.Standing, asked []statemachine.Asked) string {
	next := func() string { return nextStep(l, standing, advice.Request{Reason: advice.Called, Stuck: true}, "") }
	return said(Asks, "asked", asked, next, func(a statemachine.Asked) ([]int64, bool) { return a.IDs, a.AsksPerson })
}

// said renders some facts, each by the same template, and what people can do next if one of them asks a person.
func said[F any](mark MarkerKind, template string, facts []F, next func() string, about func(F) (ids []int64, asksPerson bool)) string {
	var blocks []string
	var ids []int64
	asks := false
	for _, fact := range facts {
		of, asksPerson := about(fact)
		ids, asks = append(ids, of...), asks || asksPerson
		blocks = append(blocks, render(template, fact))
	}
	if asks {
		blocks = append(blocks, next())
	}
	return strings.Join(blocks, "\n\n") + "\n\n" + Marker(mark, ids...)
}

// nextStep is what people can do about what Colony did without being asked.
func nextStep(l *statemachine.Table, standing statemachine.Standing, r advice.Request, first string) string {
	r.Who = person
	a := advise(l, standing, r)
	a.First = cmp.Or(first, a.First)
	return render("next_step", Refusal{Advice: a})
}

// OnPullRequest tells a pull request that its issue reached a limit, with the marker of the event or the comment by which it did.
func OnPullRequest(issue int, to, why string, mark MarkerKind, id int64) string {
	return render("on_pull_request", map[string]any{"OfIssue": issue, "To": to, "Why": why}) + "\n\n" + Marker(mark, id)
}

// Loops says that Colony stops moving an issue, and why it last moved it, with a marker of the events by which it did. See the breaker in
// docs/design.md.
func Loops(count int, window time.Duration, last statemachine.Automatic, ids ...int64) string {
	return render("circles", map[string]any{
		"Count": count, "Minutes": int(window.Minutes()), "From": last.From, "To": last.To, "Why": last.Why, "About": last.About,
	}) + "\n\n" + Marker(Halts, ids...)
}

// Halted says that Colony stops reverting on an issue. The marker names both halves of a swap: a log that lags behind can show either alone. See the
// breaker in docs/design.md.
func Halted(count int, window time.Duration, ids ...int64) string {
	return render("halted", map[string]any{"Count": count, "Minutes": int(window.Minutes())}) + "\n\n" + Marker(Halts, ids...)
}

// login matches the logins of people: https://docs.github.com/enterprise-cloud@latest/admin/managing-iam/iam-configuration-reference/username-considerations-for-external-authentication
var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$`)

func explain(l *statemachine.Table, standing statemachine.Standing, r Refusal, how Telling) Refusal {
	r.Source, _ = l.State(r.From)
	r.Target, _ = l.State(r.To)
	r.Roles = r.Who.Roles
	if len(r.Roles) == 0 {
		r.Roles = l.Roles.In(r.From)
	}
	r.Next = r.others(l.NextAt(standing, r.Who))
	r.InVain = inVain(l, standing, r)
	if bounds := l.Limits.Bounding(r.From, r.To); r.Verdict == lifecycle.LimitReached && len(bounds) > 0 {
		r.Limit = bounds[len(bounds)-1]
	}
	if r.Verdict == lifecycle.NotAState {
		r.Near = advice.NearestLabel(l, r.To)
	}
	asked := advice.Request{Reason: advice.Refused, Who: r.Who, Wanted: r.Target.Name, Stuck: how.Stuck}
	if r.LedTo != "" && r.LedTo == standing.State {
		asked.Reason = advice.Failed
	}
	r.Advice = advise(l, standing, asked)
	r.Operator = r.alsoAllowed()
	r.Question, r.forced = how.Question, how.Forced
	if asked.Reason == advice.Failed && r.Verdict != lifecycle.LimitReached {
		r.First = "check the work"
	}
	if r.Verdict == lifecycle.Transferred && r.Now == r.From && r.Target.Type != lifecycle.Blocked {
		r.Advice.Kind, r.First, r.Typed, r.Leads = "", "check that it is right here, too", typed(l, standing, person, r.To), r.To
	}
	if r.Verdict == lifecycle.NeedsReason && r.Now == r.From && l.Rule(standing, statemachine.Ask{By: person, To: r.To, Reason: true}, nil).Verdict == lifecycle.Legal {
		r.Typed, r.GivesReason, r.Leads = Typed(new(advice.Reasoned(l, r.From, r.To))), true, r.To
	}
	return r
}

func inVain(l *statemachine.Table, standing statemachine.Standing, r Refusal) bool {
	return slices.ContainsFunc(r.Guards.Refusing, lifecycle.Guard.LooksAtAsker) || statemachine.RuleForGood(l, standing, r.Who, r.To).Verdict == lifecycle.Guarded
}

// others are moves without the one that a guard just refused.
func (r Refusal) others(moves []lifecycle.Pair) []lifecycle.Pair {
	return slices.DeleteFunc(moves, func(p lifecycle.Pair) bool { return r.Verdict == lifecycle.Guarded && p.From == r.From && p.To == r.To })
}

// alsoAllowed is what people can do. A short list leaves out what was just refused; the others who read a folded one are perhaps not refused.
func (r Refusal) alsoAllowed() []lifecycle.Pair {
	if r.IsExecutor() || many(len(r.Operator)) {
		return r.Operator
	}
	return r.others(r.Operator)
}

// Unstored reports whether a forced move was asked for, to a state that no label stores.
func (r Refusal) Unstored() bool { return r.forced && r.Target.Label == "" }

// IsExecutor is for the templates.
func (r Refusal) IsExecutor() bool { return r.Who.Kind == lifecycle.Executor }
