package statemachine

import (
	"slices"
	"strings"
)

// Answers tells whether a condition that has to be read holds for what somebody asks for.
type Answers func(a Asking, c Condition) Answer

// Guarding is what the guards say about what somebody asks for.
type Guarding struct {
	Answer Answer
	// Refusing are the guards that refuse it, and Open those of which nobody knows yet. NeedsHuman says that one of them asks for a person.
	Refusing, Open []Guard
	NeedsHuman     bool
	// Read says that it depended on what was read, so the log alone does not tell it.
	Read bool
	// Needs lists the conditions that are not known, each once. Unasked says that nobody asked for one of them yet.
	Needs   []Condition
	Unasked bool
}

// Guarded says whether the guards grant what somebody asks for, given how the issue stands. What has to be read counts as not known
// without answers.
func (l *Lifecycle) Guarded(s Standing, author string, a Asking, answers Answers) Guarding {
	g := Guarding{Answer: Yes}
	if a.By.Kind == Colony {
		return g
	}
	for _, guard := range l.Guards {
		if !guard.Concerns(a) {
			continue
		}
		e := evaluation{life: l, standing: s, author: author, asking: a, answers: answers, result: &g}
		switch e.guard(guard) {
		case No:
			g.Refusing = append(g.Refusing, guard)
			g.NeedsHuman = g.NeedsHuman || guard.NeedsHuman
		case Unknown, Unasked:
			g.Open = append(g.Open, guard)
			g.NeedsHuman = g.NeedsHuman || guard.NeedsHuman
		case Yes:
		}
	}
	switch {
	case len(g.Refusing) > 0:
		g.Answer = No
	case len(g.Open) > 0:
		g.Answer = Unknown
	}
	return g
}

// evaluation is one guard being asked about.
type evaluation struct {
	life     *Lifecycle
	standing Standing
	author   string
	asking   Asking
	answers  Answers
	result   *Guarding
}

// guard says whether a guard grants what is asked: what the log tells first, so that nothing is read for what it decides.
func (e *evaluation) guard(g Guard) Answer {
	exceptions := make([]Answer, 0, len(g.Unless))
	for _, x := range g.Unless {
		exceptions = append(exceptions, e.fromLog(x.Condition))
	}
	if slices.Contains(exceptions, Yes) {
		return Yes
	}
	answers := make([]Answer, 0, len(g.Requires)+len(g.Forbids))
	conditions := slices.Concat(g.Requires, g.Forbids)
	for i, c := range conditions {
		answers = append(answers, e.turned(i >= len(g.Requires), e.fromLog(c)))
	}
	open := func(all []Answer) bool { return slices.ContainsFunc(all, Answer.IsOpen) }
	if !slices.Contains(answers, No) && !open(answers) {
		return Yes
	}
	if slices.Contains(answers, No) && !open(exceptions) {
		return No
	}
	for i, x := range g.Unless {
		if exceptions[i].IsOpen() {
			exceptions[i] = e.read(x.Condition)
		}
	}
	if slices.Contains(exceptions, Yes) {
		return Yes
	}
	for i, c := range conditions {
		if answers[i].IsOpen() && !slices.Contains(answers, No) {
			answers[i] = e.turned(i >= len(g.Requires), e.read(c))
		}
	}
	switch {
	case !open(answers) && !slices.Contains(answers, No):
		return Yes
	case open(exceptions) || !slices.Contains(answers, No):
		return Unknown
	}
	return No
}

func (e *evaluation) turned(forbidden bool, a Answer) Answer {
	if forbidden {
		return a.Not()
	}
	return a
}

// read asks for a condition that the log does not tell.
func (e *evaluation) read(c Condition) Answer {
	e.result.Read = true
	answer := Unasked
	if e.answers != nil {
		answer = e.answers(e.asking, c)
	}
	e.result.Unasked = e.result.Unasked || answer == Unasked
	if answer.IsOpen() && !slices.ContainsFunc(e.result.Needs, c.Same) {
		e.result.Needs = append(e.result.Needs, c)
	}
	return answer
}

// fromLog answers what the log tells, and Unasked to all else.
func (e *evaluation) fromLog(c Condition) Answer {
	a := e.asking
	switch c.Kind {
	case IsWho:
		return AnswerOf(slices.ContainsFunc(c.Words, e.isWho))
	case HasLogin:
		return AnswerOf(slices.ContainsFunc(c.Words, func(login string) bool { return strings.EqualFold(login, a.By.Login) }))
	case HasRole:
		return AnswerOf(a.By.Kind == Executor && slices.ContainsFunc(a.By.Roles, func(r string) bool { return slices.Contains(c.Words, r) }))
	case AsksBy:
		by := ByLabel
		if a.Command != "" {
			by = ByCommand
		}
		return AnswerOf(slices.Contains(c.Words, by))
	case MovedBefore:
		return AnswerOf(slices.Contains(c.Words, e.moverBefore()))
	case InStateFor:
		entered, known := e.standing.Since()
		return AnswerOf(!known || a.At.Sub(entered.At) >= c.For)
	default:
		return Unasked
	}
}

// isWho reports whether who asks is somebody whom a lifecycle knows without a name.
func (e *evaluation) isWho(word string) bool {
	login := e.asking.By.Login
	if login == "" {
		return false
	}
	switch word {
	case TheAuthor:
		return strings.EqualFold(login, e.author)
	case PreviousMover:
		return strings.EqualFold(login, e.previousMover())
	}
	return false
}

// previousMover returns the login of who made the last move of the work; empty if nobody did, or if the log does not tell.
func (e *evaluation) previousMover() string { return e.movedBefore().Login }

// moverBefore returns who made it as lifecycle files say it; empty if the log does not tell.
func (e *evaluation) moverBefore() string {
	switch e.movedBefore().Kind {
	case Operator:
		return string(People)
	case Executor:
		return string(Bots)
	case Colony:
		return ByColony
	case Author:
	}
	return ""
}

// movedBefore returns who made the last move of the work, that is Colony if nobody asked for it; an actor without a kind if the log does
// not tell.
func (e *evaluation) movedBefore() Actor {
	for i, m := range slices.Backward(e.standing.Trail) {
		switch {
		case m.Kind == Settled:
			return Actor{}
		case e.life.isDetour(e.standing.before(i), m):
			continue
		case m.By.Kind != Colony:
			return m.By
		case m.Ordered.Kind != "":
			return m.Ordered
		}
		return Actor{Kind: Colony}
	}
	return Actor{}
}
