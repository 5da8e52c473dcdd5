package lifecycle

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Guard is a row of the lifecycle file that says who is allowed to make a move of the table, and under which conditions. Guards are about what people
// and bots ask for. What Colony does on its own has its conditions in its own rows, and a forced move bypasses the guards.
type Guard struct {
	Name       string `yaml:"name" json:"name" is:"slug" twice:"an earlier guard has the name %q" means:"What the guard is called, in kebab-case."`
	Why        string `yaml:"why" json:"why" is:"plain,needed" missing:"this guard has no why: what it takes, for people" means:"What it takes, for people: Somebody else than the author has to approve."`
	Link       string `yaml:"link" json:"link,omitempty" longest:"200" is:"link" means:"The https address of what explains it."`
	From       Words  `yaml:"from" json:"from,omitempty" is:"states" means:"The states that the moves leave; without it, any."`
	To         Words  `yaml:"to" json:"to" is:"states,needed" means:"The states that they lead to."`
	Whom       `yaml:",inline"`
	Requires   []Condition `yaml:"requires" json:"requires,omitempty" most:"20 conditions" means:"What has to hold, all of it."`
	Forbids    []Condition `yaml:"forbids" json:"forbids,omitempty" most:"20 conditions" means:"What must not hold, none of it."`
	Unless     []Exception `yaml:"unless" json:"unless,omitempty" most:"20 exceptions" means:"The exceptions: while one of them holds, the guard does not count."`
	Followed   bool        `yaml:"while-followed" json:"while_followed,omitempty" means:"The guard counts only where the repository follows all facts that it names."`
	NeedsHuman bool        `yaml:"needs-human" json:"needs_human,omitempty" means:"A refusal also asks for a person."`
}

// Whom says whose requests a guard is about, and how they are made.
type Whom struct {
	Commands Words  `yaml:"command" json:"commands,omitempty" is:"name,once" means:"The guard is only about moves that one of these commands asks for. Without it, it is about labels too."`
	Of       Askers `yaml:"of" json:"of,omitempty" is:"word" means:"Whom it is about; without it, everybody."`
	Roles    Words  `yaml:"role" json:"roles,omitempty" is:"name,once" means:"It is only about executors in one of these roles."`
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
	Why string `json:"why"`
}

// Condition is one thing that can hold for a move that an actor asks for. Exactly one of its settings is there: see ConditionKinds.
type Condition struct {
	Kind ConditionKind
	// Words are what it names: logins, labels, a team, a pattern. One of them is enough.
	Words []string
	// AtMost and For are for the kinds that need a number or a time.
	AtMost int
	For    Duration
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

// Words that conditions can name.
const (
	// TheAuthor is the account that opened the issue, and PreviousMover who made the last move of the work. Pausing, blocking and going back from
	// there are not moves of the work. An issue has no previous mover where that was Colony's own doing, or before the log begins.
	TheAuthor     = "author"
	PreviousMover = "previous-mover"
	// SeveralRoles is a bot that the settings give more than one role.
	SeveralRoles = "several-roles"
	// ByCommand and ByLabel are the ways to ask.
	ByCommand = "command"
	ByLabel   = "label"
	// ByColony is, in addition to People and Bots, who can have made a move.
	ByColony = "colony"
	// AnyOne matches any milestone or assignee.
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

var conditionKinds = func() (all []ConditionSpec) {
	for field := range reflect.TypeFor[FileCondition]().Fields() {
		tag := field.Tag.Get
		all = append(all, ConditionSpec{
			Kind: ConditionKind(SettingOf(field)), Meaning: tag("means"), Example: tag("example"), Read: tag("read") != "", Says: tag("says"), Denies: tag("denies"),
		})
	}
	return all
}()

func (k ConditionKind) spec() ConditionSpec {
	s, _ := first(conditionKinds, func(s ConditionSpec) bool { return s.Kind == k })
	return s
}

// Read reports whether the log does not tell whether a condition holds: it is read from GitHub, and counts as of then.
func (c Condition) Read() bool { return c.Kind.spec().Read }

// String writes the condition as lifecycle files do: what it is about, and what it names.
func (c Condition) String() string { return string(c.Kind) + ": " + c.named(", ") }

// named writes what the condition names: a time, a number, or words with something between them.
func (c Condition) named(between string) string {
	switch c.Kind {
	case InStateFor:
		return Span(c.For)
	case CapacityAllowed:
		return strconv.Itoa(c.AtMost)
	default:
		return strings.Join(c.Words, between)
	}
}

// Answer is whether something holds, which can be unknown.
type Answer string

// The answers.
const (
	Yes Answer = "yes"
	No  Answer = "no"
	// Unknown says that it could not be found out, Unasked that no one tried.
	Unknown Answer = "unknown"
	Unasked Answer = ""
)

// IsOpen reports whether an answer is neither Yes nor No.
func (a Answer) IsOpen() bool { return a == Unknown || a == Unasked }

// AnswerOf returns Yes or No.
func AnswerOf(holds bool) Answer {
	if holds {
		return Yes
	}
	return No
}

// Not returns the answer to the opposite question.
func (a Answer) Not() Answer {
	switch a {
	case Yes:
		return No
	case No:
		return Yes
	case Unknown, Unasked:
	}
	return a
}

// AllOf returns Yes if all answers are Yes, No if one is No, and else Unknown.
func AllOf(answers ...Answer) Answer {
	switch {
	case slices.Contains(answers, No):
		return No
	case slices.ContainsFunc(answers, Answer.IsOpen):
		return Unknown
	}
	return Yes
}

// Asking is a move of the table that an actor asks for.
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

// Concerns reports whether a guard is about what an actor asks for.
func (g Guard) Concerns(a Asking) bool {
	switch {
	case !g.about(a.From, a.To), len(g.Commands) > 0 && !slices.Contains(g.Commands, a.Command):
		return false
	case g.Of == People && a.By.Kind != Operator, g.Of == Bots && a.By.Kind != Executor:
		return false
	case len(g.Roles) > 0 && (a.By.Kind != Executor || len(a.By.Roles) > 0 && !slices.ContainsFunc(a.By.Roles, func(r string) bool { return slices.Contains(g.Roles, r) })):
		return false
	}
	return true
}

// Guards are the guards of a lifecycle, in the order of the file.
type Guards []Guard

// Of returns the guards of a move that an actor can ask for, in the order of the file. Those of a command are among them.
func (all Guards) Of(who Actor, from, to string) []Guard {
	if who.Kind == Colony {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(g Guard) bool {
		a := Asking{By: who, From: from, To: to}
		if len(g.Commands) > 0 {
			a.Command = g.Commands[0]
		}
		return !g.Concerns(a)
	})
}

// between returns the guards of a move, no matter who asks for it.
func (all Guards) between(from, to string) []Guard {
	return slices.DeleteFunc(slices.Clone(all), func(g Guard) bool { return !g.about(from, to) })
}

// Read reports whether some guard needs more than the log.
func (all Guards) Read() bool { return slices.ContainsFunc(all, Guard.Reads) }

// Reads reports whether a guard needs more than the log.
func (g Guard) Reads() bool { return slices.ContainsFunc(g.conditions(), Condition.Read) }

// Facts lists the facts that a guard names.
func (g Guard) Facts() []string {
	var named []string
	for _, c := range g.conditions() {
		if c.Kind == HasFact {
			named = append(named, c.Words...)
		}
	}
	return named
}

// Same reports whether another condition asks the same.
func (c Condition) Same(other Condition) bool {
	return c.Kind == other.Kind && slices.Equal(c.Words, other.Words) && c.AtMost == other.AtMost && c.For == other.For
}

// Reading returns the guards of a move that need more than the log.
func (all Guards) Reading(a Asking) []Guard {
	return slices.DeleteFunc(slices.Clone(all), func(g Guard) bool {
		return !g.Concerns(a) || !g.Reads()
	})
}
