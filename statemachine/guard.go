package statemachine

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Guard is a row of the lifecycle file that says who may make a move of the table, and under which conditions. Guards are about what
// people and executors ask for; what Colony does on its own has its conditions in its own rows, and a forced move goes round them.
type Guard struct {
	Name string
	// Why says what it takes, for people: the sentence of a refusal.
	Why string
	// Link leads to what explains it; may be empty.
	Link string
	// From lists the states that the moves leave, none: any. To lists those they lead to.
	From, To []string
	// Commands lists the verbs that it is about; none: labels too.
	Commands []string
	// Of says whom it is about; empty: everybody. Roles lists the roles of the executors that it is about, none: all.
	Of    Askers
	Roles []string
	// Requires lists what has to hold, and Forbids what must not. Unless lists the exceptions: while one holds, the guard does not count.
	Requires, Forbids []Condition
	Unless            []Exception
	// NeedsHuman says that a refusal asks for a person.
	NeedsHuman bool
}

// Askers are those whose requests a guard is about.
type Askers string

// The words for them.
const (
	People Askers = "people"
	Bots   Askers = "executors"
)

// Exception is a condition under which a guard does not count, and why.
type Exception struct {
	Condition
	Why string
}

// Condition is one thing that can hold for a move that somebody asks for. Exactly one of its settings is there: see ConditionKinds.
type Condition struct {
	Kind ConditionKind
	// Words are what it names: logins, labels, a team, a pattern. One of them is enough.
	Words []string
	// AtMost and For are for the kinds that need a number or a time.
	AtMost int
	For    time.Duration
}

// ConditionKind is what a condition is about; it is also its key in lifecycle files.
type ConditionKind string

// The kinds of conditions.
const (
	IsWho           ConditionKind = "is"
	HasLogin        ConditionKind = "login"
	HasRole         ConditionKind = "role"
	AsksBy          ConditionKind = "by"
	MovedBefore     ConditionKind = "moved-by"
	InStateFor      ConditionKind = "in-state-for"
	HasPermission   ConditionKind = "permission"
	InTeam          ConditionKind = "team"
	HasFact         ConditionKind = "fact"
	OnIssueLabel    ConditionKind = "label"
	InMilestone     ConditionKind = "milestone"
	AssignedTo      ConditionKind = "assignee"
	IsType          ConditionKind = "type"
	TitleMatches    ConditionKind = "title"
	BodyMatches     ConditionKind = "body"
	SectionFilled   ConditionKind = "section"
	CapacityAllowed ConditionKind = "at-most"
)

// Words that conditions may name.
const (
	// TheAuthor is the account that opened the issue, and PreviousMover who made the last move of the work: pausing, blocking and going
	// back from there are none. Where that was Colony's own doing, or before the log begins, there is none.
	TheAuthor     = "author"
	PreviousMover = "previous-mover"
	// ByCommand and ByLabel are the ways to ask.
	ByCommand = "command"
	ByLabel   = "label"
	// ByColony is, beside People and Bots, who may have made a move.
	ByColony = "colony"
	// AnyOne stands for any milestone or assignee.
	AnyOne = "any"
)

// ConditionSpec is one row of the vocabulary of conditions: parser, lint, documentation and readers share this table.
type ConditionSpec struct {
	Kind ConditionKind
	// Meaning says what holds, for people, and Example shows a value.
	Meaning, Example string
	// Read says that the log does not tell: it holds as of the time at which Colony reads it.
	Read bool
	// Says renders it for people; %s is what it names.
	Says, Denies string
}

// ConditionKinds returns the vocabulary, in the order in which documents list it.
func ConditionKinds() []ConditionSpec { return slices.Clone(conditionKinds) }

var conditionKinds = []ConditionSpec{
	{Kind: IsWho, Example: "author", Says: "you are the %s", Denies: "you are not the %s", Meaning: "Who asks is the author of the issue, or made the move before (previous-mover)."},
	{Kind: HasLogin, Example: "octocat", Says: "you are %s", Denies: "you are not %s", Meaning: "Who asks has one of these logins."},
	{Kind: HasRole, Example: "reviewer", Says: "you have the role %s", Denies: "you do not have the role %s", Meaning: "An executor asks that the settings give one of these roles."},
	{Kind: AsksBy, Example: "command", Says: "you ask by %s", Denies: "you do not ask by %s", Meaning: "It is asked for by command, or by label."},
	{Kind: MovedBefore, Example: "people", Says: "%s made the move before", Denies: "%s did not make the move before", Meaning: "The last move of the work was made by people, by executors, or by Colony on its own; pausing, blocking and going back from there are none."},
	{Kind: InStateFor, Example: "24h", Says: "the issue has been in its state for %s", Denies: "the issue has been in its state for less than %s", Meaning: "The issue has been in its state for at least this long."},
	{Kind: HasPermission, Read: true, Example: "maintain", Says: "you have the permission %s or higher", Denies: "you do not have the permission %s", Meaning: "Who asks has at least this permission in the repository: read, triage, write, maintain or admin."},
	{Kind: InTeam, Read: true, Example: "acme/leads", Says: "you are a member of the team %s", Denies: "you are not a member of the team %s", Meaning: "Who asks is a member of one of these teams, written organisation/team."},
	{Kind: HasFact, Read: true, Example: "review-approved", Says: "the fact %s holds", Denies: "the fact %s does not hold", Meaning: "One of these facts holds: the facts of triggers."},
	{Kind: OnIssueLabel, Read: true, Example: "security", Says: "the issue has the label %s", Denies: "the issue does not have the label %s", Meaning: "The issue has one of these labels."},
	{Kind: InMilestone, Read: true, Example: "any", Says: "the issue is in the milestone %s", Denies: "the issue is not in the milestone %s", Meaning: "The issue is in one of these milestones, or in any."},
	{Kind: AssignedTo, Read: true, Example: "any", Says: "the issue is assigned to %s", Denies: "the issue is not assigned to %s", Meaning: "The issue is assigned to one of these logins, to its author, or to any."},
	{Kind: IsType, Read: true, Example: "Bug", Says: "the issue has the type %s", Denies: "the issue does not have the type %s", Meaning: "The issue has one of these issue types."},
	{Kind: TitleMatches, Read: true, Example: "^fix:", Says: "the title matches %s", Denies: "the title does not match %s", Meaning: "The title matches one of these RE2 patterns."},
	{Kind: BodyMatches, Read: true, Example: "(?i)acceptance", Says: "the text matches %s", Denies: "the text does not match %s", Meaning: "The text of the issue matches one of these RE2 patterns."},
	{Kind: SectionFilled, Read: true, Example: "Steps to reproduce", Says: "the section %s is filled in", Denies: "the section %s is empty", Meaning: "One of these sections of the issue's text is filled in, such as those of an issue form."},
	{Kind: CapacityAllowed, Read: true, Example: "3", Says: "fewer than %s other issues are in that state", Denies: "%s or more other issues are in that state", Meaning: "Fewer than this many other open issues of the repository are in the state that the move leads to."},
}

// spec returns the row of the vocabulary.
func (k ConditionKind) spec() ConditionSpec {
	for _, s := range conditionKinds {
		if s.Kind == k {
			return s
		}
	}
	return ConditionSpec{Kind: k}
}

// Read reports whether the log does not tell whether a condition holds: it is read from GitHub, and counts as of then.
func (c Condition) Read() bool { return c.Kind.spec().Read }

// String writes the condition as lifecycle files do: what it is about, and what it names.
func (c Condition) String() string {
	named := strings.Join(c.Words, ", ")
	switch c.Kind {
	case InStateFor:
		named = Span(c.For)
	case CapacityAllowed:
		named = strconv.Itoa(c.AtMost)
	default:
	}
	return string(c.Kind) + ": " + named
}

// Answer is whether something holds; that may not be known.
type Answer string

// The answers.
const (
	Yes Answer = "yes"
	No  Answer = "no"
	// Unknown says that it could not be found out, Unasked that nobody tried.
	Unknown Answer = "unknown"
	Unasked Answer = ""
)

// isOpen reports whether an answer is neither Yes nor No.
func (a Answer) isOpen() bool { return a == Unknown || a == Unasked }

// AnswerOf returns Yes or No.
func AnswerOf(holds bool) Answer {
	if holds {
		return Yes
	}
	return No
}

func (a Answer) not() Answer {
	switch a {
	case Yes:
		return No
	case No:
		return Yes
	case Unknown, Unasked:
	}
	return a
}

// Asking is a move of the table that somebody asks for.
type Asking struct {
	// EventID is that of the label; 0 for a command.
	EventID  int64
	By       Actor
	From, To string
	At       time.Time
	// Command is its verb; empty for a label.
	Command string
	// AsksPerson says that a person is needed if it stays unknown whether it is granted.
	AsksPerson bool
}

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

// concerns reports whether a guard is about what somebody asks for.
func (g Guard) concerns(a Asking) bool {
	switch {
	case !slices.Contains(g.To, a.To) || len(g.From) > 0 && !slices.Contains(g.From, a.From):
		return false
	case len(g.Commands) > 0 && !slices.Contains(g.Commands, a.Command):
		return false
	case g.Of == People && a.By.Kind != Operator, g.Of == Bots && a.By.Kind != Executor:
		return false
	case len(g.Roles) > 0 && (a.By.Kind != Executor || len(a.By.Roles) > 0 && !slices.ContainsFunc(a.By.Roles, func(r string) bool { return slices.Contains(g.Roles, r) })):
		return false
	}
	return true
}

// GuardsOf returns the guards of a move that an actor may ask for, in the order of the file. Those of a command are among them.
func (l *Lifecycle) GuardsOf(who Actor, from, to string) []Guard {
	if who.Kind == Colony {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.Guards), func(g Guard) bool {
		a := Asking{By: who, From: from, To: to}
		if len(g.Commands) > 0 {
			a.Command = g.Commands[0]
		}
		return !g.concerns(a)
	})
}

// guardsBetween returns the guards of a move, whoever asks for it.
func (l *Lifecycle) guardsBetween(from, to string) []Guard {
	return slices.DeleteFunc(slices.Clone(l.Guards), func(g Guard) bool {
		return !slices.Contains(g.To, to) || len(g.From) > 0 && !slices.Contains(g.From, from)
	})
}

// sentence is what a guard takes, for people, in a list of conditions.
func (g Guard) sentence() string {
	text := strings.TrimSuffix(g.Why, ".")
	if len(g.Commands) > 0 {
		text += " (with /colony:" + strings.Join(g.Commands, ", /colony:") + ")"
	}
	return text
}

// ReadsConditions reports whether some guard needs more than the log.
func (l *Lifecycle) ReadsConditions() bool { return slices.ContainsFunc(l.Guards, Guard.reads) }

// reads reports whether a guard needs more than the log.
func (g Guard) reads() bool {
	read := func(c Condition) bool { return c.Read() }
	return slices.ContainsFunc(g.Requires, read) || slices.ContainsFunc(g.Forbids, read) ||
		slices.ContainsFunc(g.Unless, func(e Exception) bool { return e.Read() })
}

// Guarded says whether the guards grant what somebody asks for, given how the issue stands. What has to be read counts as not known
// without answers.
//
// doubt is since when it has to be known who ordered Colony's moves before that is sure; zero if it is.
func (l *Lifecycle) Guarded(s Standing, author string, a Asking, answers Answers) (g Guarding, doubt time.Time) {
	g.Answer = Yes
	if a.By.Kind == Colony {
		return g, time.Time{}
	}
	for _, guard := range l.Guards {
		if !guard.concerns(a) {
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
		doubt = earlier(doubt, e.doubt)
	}
	switch {
	case len(g.Refusing) > 0:
		g.Answer = No
	case len(g.Open) > 0:
		g.Answer = Unknown
	}
	return g, doubt
}

// evaluation is one guard being asked about.
type evaluation struct {
	life     *Lifecycle
	standing Standing
	author   string
	asking   Asking
	answers  Answers
	result   *Guarding
	doubt    time.Time
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
	open := func(all []Answer) bool { return slices.ContainsFunc(all, Answer.isOpen) }
	if !slices.Contains(answers, No) && !open(answers) {
		return Yes
	}
	if slices.Contains(answers, No) && !open(exceptions) {
		return No
	}
	for i, x := range g.Unless {
		if exceptions[i].isOpen() {
			exceptions[i] = e.read(x.Condition)
		}
	}
	if slices.Contains(exceptions, Yes) {
		return Yes
	}
	for i, c := range conditions {
		if answers[i].isOpen() && !slices.Contains(answers, No) {
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
		return a.not()
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
	if answer.isOpen() && !slices.ContainsFunc(e.result.Needs, c.same) {
		e.result.Needs = append(e.result.Needs, c)
	}
	return answer
}

func (c Condition) same(other Condition) bool {
	return c.Kind == other.Kind && slices.Equal(c.Words, other.Words) && c.AtMost == other.AtMost && c.For == other.For
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
		if !m.Traced {
			e.doubt = m.At
		}
		return Actor{Kind: Colony}
	}
	return Actor{}
}

// UntracedForCommands returns the time of the earliest of Colony's moves of which it has to be known who ordered it before commands are
// judged: by limits, and by guards that ask who made the move before. It is zero if there is none.
func (l *Lifecycle) UntracedForCommands(s Standing) time.Time {
	since := l.untracedMover(s)
	if len(l.Limits) > 0 {
		since = earlier(since, l.Untraced(s))
	}
	return since
}

// untracedMover returns when Colony made the last move of the work, if a guard asks who made it and nobody has found out who ordered that;
// zero otherwise.
func (l *Lifecycle) untracedMover(s Standing) time.Time {
	if !slices.ContainsFunc(l.Guards, Guard.asksForMover) {
		return time.Time{}
	}
	e := evaluation{life: l, standing: s}
	e.movedBefore()
	return e.doubt
}

// asksForMover reports whether a guard asks who made the move before.
func (g Guard) asksForMover() bool {
	asks := func(c Condition) bool {
		return c.Kind == MovedBefore || c.Kind == IsWho && slices.Contains(c.Words, PreviousMover)
	}
	return slices.ContainsFunc(g.Requires, asks) || slices.ContainsFunc(g.Forbids, asks) ||
		slices.ContainsFunc(g.Unless, func(x Exception) bool { return asks(x.Condition) })
}
