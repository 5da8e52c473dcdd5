package statemachine

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Answers tells whether a condition that has to be read holds for what someone asks for.
type Answers func(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer

// Guarding is what the guards say about a request.
type Guarding struct {
	Answer lifecycle.Answer
	// Refusing are the guards that refuse it, and Open the guards whose answer is not known yet. NeedsHuman says that one of them asks for a
	// person.
	Refusing, Open []lifecycle.Guard
	NeedsHuman     bool
	// Awaited names what these wait for, as far as the caller has read it; see Facts.AwaitedBy.
	Awaited string
	// Read says that it depended on what was read, so the log alone does not tell it.
	Read bool
	// Needs lists the conditions that are not known, each once. Unasked says that no one has asked for one of them yet.
	Needs   []lifecycle.Condition
	Unasked bool
}

// Names lists the guards that refuse it, by name.
func (g Guarding) Names() (names []string) {
	for _, guard := range g.Refusing {
		names = append(names, guard.Name)
	}
	return names
}

// NothingRead are the answers before anything was read.
func NothingRead(lifecycle.Asking, lifecycle.Condition) lifecycle.Answer { return lifecycle.Unasked }

// guard is the law of the guards. What they said then counts, where the log tells it, and not what they say of the facts now.
func (r *request) guard() (ruled bool) {
	r.Guards = r.life.Guarded(r.at, r.ask.Asking(r.at.State), r.answers)
	if r.Guards.Read && r.ask.recorded != nil {
		r.Guards = r.ask.recorded(r.Guards)
	}
	if r.Guards.Answer == lifecycle.No {
		r.Verdict, r.Kind = lifecycle.Guarded, ""
	}
	if r.Guards.Answer != lifecycle.Yes {
		r.AsksPerson = r.Guards.NeedsHuman
	}
	return r.Guards.Answer == lifecycle.No
}

// Guarded says whether the guards grant what someone asks for, given the standing of the issue.
func (t *Table) Guarded(s Standing, a lifecycle.Asking, answers Answers) Guarding {
	g := Guarding{Answer: lifecycle.Yes}
	if a.By.Kind == lifecycle.Colony {
		return g
	}
	for _, guard := range t.Guards {
		if !guard.Concerns(a) {
			continue
		}
		e := evaluation{life: t, standing: s, asking: a, answers: answers, result: &g}
		switch e.guard(guard) {
		case lifecycle.No:
			g.Refusing = append(g.Refusing, guard)
			g.NeedsHuman = g.NeedsHuman || guard.NeedsHuman
		case lifecycle.Unknown, lifecycle.Unasked:
			g.Open = append(g.Open, guard)
			g.NeedsHuman = g.NeedsHuman || guard.NeedsHuman
		case lifecycle.Yes:
		}
	}
	switch {
	case len(g.Refusing) > 0:
		g.Answer = lifecycle.No
	case len(g.Open) > 0:
		g.Answer = lifecycle.Unknown
	}
	return g
}

type evaluation struct {
	life     *Table
	standing Standing
	asking   lifecycle.Asking
	answers  Answers
	result   *Guarding
}

// guard says whether a guard grants what is asked: what the log tells first, so that nothing is read for what it decides.
func (e *evaluation) guard(g lifecycle.Guard) lifecycle.Answer {
	applies := make([]lifecycle.Answer, 0, len(g.Unless)) // of each exception, that it does not hold
	for _, x := range g.Unless {
		applies = append(applies, e.fromLog(x.Condition).Not())
	}
	answers := make([]lifecycle.Answer, 0, len(g.Requires)+len(g.Forbids))
	conditions := slices.Concat(g.Requires, g.Forbids)
	for i, c := range conditions {
		answers = append(answers, e.turned(i >= len(g.Requires), e.fromLog(c)))
	}
	granted := func() lifecycle.Answer {
		return lifecycle.AllOf(lifecycle.AllOf(applies...), lifecycle.AllOf(answers...).Not()).Not()
	}
	if granted := granted(); !granted.IsOpen() {
		return granted
	}
	for i, x := range g.Unless {
		if applies[i].IsOpen() {
			applies[i] = e.read(x.Condition).Not()
		}
	}
	if granted := granted(); !granted.IsOpen() {
		return granted
	}
	for i, c := range conditions {
		if answers[i].IsOpen() && !slices.Contains(answers, lifecycle.No) {
			answers[i] = e.turned(i >= len(g.Requires), e.read(c))
		}
	}
	return granted()
}

func (e *evaluation) turned(forbidden bool, a lifecycle.Answer) lifecycle.Answer {
	if forbidden {
		return a.Not()
	}
	return a
}

// read asks for a condition that the log does not tell.
func (e *evaluation) read(c lifecycle.Condition) lifecycle.Answer {
	e.result.Read = true
	answer := e.answers(e.asking, c)
	e.result.Unasked = e.result.Unasked || answer == lifecycle.Unasked
	if answer.IsOpen() && !slices.ContainsFunc(e.result.Needs, c.Same) {
		e.result.Needs = append(e.result.Needs, c)
	}
	return answer
}

// fromLog answers what the log tells, and Unasked to all else.
func (e *evaluation) fromLog(c lifecycle.Condition) lifecycle.Answer {
	a := e.asking
	switch c.Kind {
	case lifecycle.IsWho:
		return lifecycle.AnswerOf(slices.ContainsFunc(c.Words, e.isWho))
	case lifecycle.HasLogin:
		return lifecycle.AnswerOf(slices.ContainsFunc(c.Words, func(login string) bool { return strings.EqualFold(login, a.By.Login) }))
	case lifecycle.HasRole:
		return lifecycle.AnswerOf(a.By.Kind == lifecycle.Executor && slices.ContainsFunc(a.By.Roles, func(r string) bool { return slices.Contains(c.Words, r) }))
	case lifecycle.AsksBy:
		by := lifecycle.ByLabel
		if a.Command != "" {
			by = lifecycle.ByCommand
		}
		return lifecycle.AnswerOf(slices.Contains(c.Words, by))
	case lifecycle.MovedBefore:
		return lifecycle.AnswerOf(slices.Contains(c.Words, e.moverBefore()))
	case lifecycle.InStateFor:
		entered, known := e.standing.Since()
		return lifecycle.AnswerOf(!known || lasted(time.Duration(c.For), entered.At, a.At))
	default:
		return lifecycle.Unasked
	}
}

// isWho reports whether who asks is someone whom a lifecycle knows without a name.
func (e *evaluation) isWho(word string) bool {
	if word == lifecycle.SeveralRoles {
		return len(e.asking.By.Roles) > 1
	}
	login := e.asking.By.Login
	if login == "" {
		return false
	}
	switch word {
	case lifecycle.TheAuthor:
		return strings.EqualFold(login, e.standing.Author)
	case lifecycle.PreviousMover:
		return strings.EqualFold(login, e.movedBefore().Login)
	}
	return false
}

// moverBefore returns who made the last move of the work, as lifecycle files say it; empty if the log does not tell.
func (e *evaluation) moverBefore() string {
	switch e.movedBefore().Kind {
	case lifecycle.Operator:
		return string(lifecycle.People)
	case lifecycle.Executor:
		return string(lifecycle.Bots)
	case lifecycle.Colony:
		return lifecycle.ByColony
	case lifecycle.Author:
	}
	return ""
}

// movedBefore returns who made the last move of the work; that is Colony if no one asked for it. It is an actor without a kind if the log does not
// tell.
func (e *evaluation) movedBefore() lifecycle.Actor {
	for i, m := range slices.Backward(e.standing.Trail) {
		switch {
		case m.Kind == Settled:
			return lifecycle.Actor{}
		case e.life.isDetour(e.standing.before(i), m):
			continue
		case m.By.Kind != lifecycle.Colony:
			return m.By
		case m.Ordered.Kind != "":
			return m.Ordered
		}
		return lifecycle.Actor{Kind: lifecycle.Colony}
	}
	return lifecycle.Actor{}
}
