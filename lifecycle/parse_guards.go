package lifecycle

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of guards.
const (
	maxNamed     = 50
	maxNamedText = 100
	maxLink      = 200
)

// Permissions are GitHub's permissions in a repository, the least first
// (https://docs.github.com/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization).
func Permissions() []string { return []string{"read", "triage", "write", "maintain", "admin"} }

// teamName is organisation/team, the latter as in the team's address.
var teamName = regexp.MustCompile(`^[a-zA-Z0-9](-?[a-zA-Z0-9])*/[a-z0-9][a-z0-9_-]*$`)

// loginName is a login, also that of an App.
var loginName = regexp.MustCompile(`^[a-zA-Z0-9](-?[a-zA-Z0-9_])*(\[bot\])?$`)

func (c *checker) guards() {
	c.hold("guards")
	for i, g := range c.life.Guards {
		c.at("guards", i).guard(g)
	}
}

func (p place) guard(g Guard) {
	if g.To == nil {
		p.wrong("this guard has no to: the states whose entry it guards")
	}
	p.guardedMoves(g)
	for i, verb := range g.Commands {
		if _, known := p.life.Commands.Of(verb); !known && verb != "move" {
			p.in("command", i).wrong("command names %q, which is no command of this lifecycle that moves an issue", verb)
		}
	}
	for i, role := range g.Roles {
		if _, known := p.life.Roles.Named(role); !known {
			p.in("role", i).wrong("role names %q, which is no role of this lifecycle", role)
		}
	}
	if len(g.Roles) > 0 && g.Of == People {
		p.in("role").wrong("people have no role")
	}
	if g.Requires == nil && g.Forbids == nil {
		p.wrong("this guard has neither requires nor forbids, so it refuses nothing")
	}
	for i, x := range g.Unless {
		here := p.in("unless", i)
		if x.Why == "" {
			here.wrong("this exception has no why")
		}
		here.in("why").plain(x.Why)
	}
}

// guardedMoves insists on moves of the table that the guard can be about.
func (p place) guardedMoves(g Guard) {
	about := func(m Pair, from []string) bool {
		return slices.Contains(g.To, m.To) && (len(from) == 0 || slices.Contains(from, m.From))
	}
	for i, to := range g.To {
		if !slices.ContainsFunc(p.life.Pairs, func(m Pair) bool { return m.To == to && about(m, g.From) }) {
			p.in("to", i).wrong("no move of the table leads to %q from there", to)
		}
	}
	for i, from := range g.From {
		if len(g.To) > 0 && !slices.ContainsFunc(p.life.Pairs, func(m Pair) bool { return about(m, []string{from}) }) {
			p.in("from", i).wrong("no move of the table leads from %q to where this guard is", from)
		}
	}
}

// plainLink is an address that cannot end a link in Markdown, nor mention someone.
var plainLink = regexp.MustCompile(`^https://[a-zA-Z0-9.-]+(:[0-9]+)?(/[a-zA-Z0-9._~/?#&=%+:;,!-]*)?$`)

// condition checks a condition: exactly one setting, which is its kind.
func (p place) condition(c Condition) {
	if c.For != 0 {
		p.in(string(InStateFor)).duration(c.For)
	}
	here := p.in(string(c.Kind))
	switch c.Kind {
	case "":
		var names []string
		for _, s := range conditionKinds {
			names = append(names, string(s.Kind))
		}
		p.wrong("a condition is one of: %s; this has %d of them", strings.Join(names, ", "), c.AtMost)
	case CapacityAllowed:
		if c.AtMost < 1 || c.AtMost > maxCapacity {
			here.wrong("at-most %d is not from 1 to %d", c.AtMost, maxCapacity)
		}
	case InStateFor:
	default:
		here.named(c)
	}
}

func (p place) named(c Condition) {
	if len(c.Words) == 0 {
		p.wrong("%s names nothing, so it never holds", c.Kind)
	}
	if len(c.Words) > maxNamed {
		p.wrong("%s names %d, more than %d", c.Kind, len(c.Words), maxNamed)
		return
	}
	if c.Kind == HasPermission && len(c.Words) > 1 {
		p.wrong("permission is the least that is enough, so it is one word")
	}
	for i, word := range c.Words {
		here := p.in(i)
		if n := utf8.RuneCountInString(word); n == 0 || n > maxNamedText || strings.ContainsFunc(word, unicode.IsControl) {
			here.wrong("%s names a text that is not 1 to %d characters in one line", c.Kind, maxNamedText)
		} else if misnamed := misnamed[c.Kind]; misnamed != nil {
			if problem := misnamed(p.life, c.Kind, word); problem != "" {
				here.wrong("%s", problem)
			}
		}
	}
}

// misnamed says what is wrong with a word of a condition of some kinds; empty if nothing is.
var misnamed = map[ConditionKind]func(*Lifecycle, ConditionKind, string) string{
	IsWho:         noneOf(TheAuthor, PreviousMover, SeveralRoles),
	AsksBy:        noneOf(ByCommand, ByLabel),
	MovedBefore:   noneOf(string(People), string(Bots), ByColony),
	HasPermission: noneOf(Permissions()...),
	HasLogin:      noLogin,
	AssignedTo:    noLogin,
	TitleMatches:  noPattern,
	BodyMatches:   noPattern,
	HasFact: func(_ *Lifecycle, _ ConditionKind, word string) string {
		if _, known := SpecOf(Fact(word)); known {
			return ""
		}
		problem := fmt.Sprintf("fact names %q, which is no fact", word)
		if closest, near := Closest(word, factNames()); near {
			problem += fmt.Sprintf("; did you mean %q?", closest)
		}
		return problem
	},
	HasRole: func(l *Lifecycle, _ ConditionKind, word string) string {
		if _, known := l.Roles.Named(word); known {
			return ""
		}
		return fmt.Sprintf("role names %q, which is no role of this lifecycle", word)
	},
	InTeam: func(_ *Lifecycle, _ ConditionKind, word string) string {
		if teamName.MatchString(word) {
			return ""
		}
		return fmt.Sprintf("team %q is not written organisation/team, such as acme/leads", word)
	},
	OnIssueLabel: func(l *Lifecycle, _ ConditionKind, word string) string {
		if _, isState := l.StateOf(word); !isState && !IsMark(word) {
			return ""
		}
		return fmt.Sprintf("label %q is the lifecycle's own; from and to are about states", word)
	},
}

func noneOf(words ...string) func(*Lifecycle, ConditionKind, string) string {
	return func(_ *Lifecycle, kind ConditionKind, word string) string {
		if slices.Contains(words, word) {
			return ""
		}
		return fmt.Sprintf("%s %q is not one of %s", kind, word, strings.Join(words, ", "))
	}
}

func noLogin(_ *Lifecycle, kind ConditionKind, word string) string {
	if loginName.MatchString(word) {
		return ""
	}
	return fmt.Sprintf("%s %q cannot be a login", kind, word)
}

func noPattern(_ *Lifecycle, kind ConditionKind, word string) string {
	if _, err := CompilePattern(word); err != nil {
		return fmt.Sprintf("%s: %v", kind, err)
	}
	return ""
}
