package lifecycle

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of guards.
const (
	maxGuards     = 50
	maxConditions = 20
	maxNamed      = 50
	maxNamedText  = 100
	maxLink       = 200
	maxCapacityOf = maxCapacity
)

// Permissions are GitHub's permissions in a repository, the least first
// (https://docs.github.com/organizations/managing-user-access-to-your-organizations-repositories/managing-repository-roles/repository-roles-for-an-organization).
func Permissions() []string { return []string{"read", "triage", "write", "maintain", "admin"} }

// teamName is organisation/team, the latter as in the team's address.
var teamName = regexp.MustCompile(`^[a-zA-Z0-9](-?[a-zA-Z0-9])*/[a-z0-9][a-z0-9_-]*$`)

// loginName is a login, also that of an App.
var loginName = regexp.MustCompile(`^[a-zA-Z0-9](-?[a-zA-Z0-9_])*(\[bot\])?$`)

func (c *checker) guards(doc fileDocument) {
	if len(doc.Guards) > maxGuards {
		c.wrong(at("guards"), "%d guards, more than %d", len(doc.Guards), maxGuards)
		return
	}
	for i, f := range doc.Guards {
		c.guard(i, f)
	}
}

func (c *checker) guard(i int, f fileGuard) {
	here := at("guards", i)
	in := func(key string) []any { return append(slices.Clone(here), key) }
	g := Guard{
		Name: f.Name, Why: f.Why, Link: f.Link, Of: f.Of, NeedsHuman: f.NeedsHuman, Commands: f.Commands, Roles: f.Roles,
		From: c.words(in("from"), "from", f.From), To: c.words(in("to"), "to", f.To),
	}
	c.slug(in("name"), "name", f.Name)
	if slices.ContainsFunc(c.life.Guards, func(other Guard) bool { return other.Name == g.Name }) {
		c.wrong(in("name"), "an earlier guard has the name %q", g.Name)
	}
	if g.Why == "" {
		c.wrong(here, "this guard has no why: what it takes, for people")
	}
	c.plain(in("why"), g.Why)
	c.link(in("link"), g.Link)
	if g.Of != "" && g.Of != People && g.Of != Bots {
		c.wrong(in("of"), "of %q is not people or executors", g.Of)
	}
	if len(f.To) == 0 {
		c.wrong(here, "this guard has no to: the states whose entry it guards")
	}
	c.guardedMoves(here, &g)
	for j, verb := range g.Commands {
		if _, known := c.life.Commands.Of(verb); !known && verb != "move" {
			c.wrong(append(in("command"), j), "command names %q, which is no command of this lifecycle that moves an issue", verb)
		}
	}
	for j, role := range g.Roles {
		if _, known := c.life.Roles.Named(role); !known {
			c.wrong(append(in("role"), j), "role names %q, which is no role of this lifecycle", role)
		}
	}
	if len(g.Roles) > 0 && g.Of == People {
		c.wrong(in("role"), "people have no role")
	}
	if len(f.Requires)+len(f.Forbids) == 0 {
		c.wrong(here, "this guard has neither requires nor forbids, so it refuses nothing")
	}
	g.Requires, g.Forbids = c.conditions(in("requires"), f.Requires), c.conditions(in("forbids"), f.Forbids)
	for j, x := range f.Unless {
		path := append(in("unless"), j)
		if condition, ok := c.condition(path, x.FileCondition); ok {
			g.Unless = append(g.Unless, Exception{Condition: condition, Why: x.Why})
		}
		if x.Why == "" {
			c.wrong(path, "this exception has no why")
		}
		c.plain(append(slices.Clone(path), "why"), x.Why)
	}
	c.life.Guards = append(c.life.Guards, g)
}

// guardedMoves insists on moves of the table that the guard can be about.
func (c *checker) guardedMoves(here []any, g *Guard) {
	if len(g.To) == 0 { // that is said already
		return
	}
	for j, to := range g.To {
		if !slices.ContainsFunc(c.life.Pairs, func(p Pair) bool { return p.To == to && (len(g.From) == 0 || slices.Contains(g.From, p.From)) }) {
			c.wrong(append(slices.Clone(here), "to", j), "no move of the table leads to %q from there", to)
		}
	}
	for j, from := range g.From {
		if !slices.ContainsFunc(c.life.Pairs, func(p Pair) bool { return p.From == from && slices.Contains(g.To, p.To) }) {
			c.wrong(append(slices.Clone(here), "from", j), "no move of the table leads from %q to where this guard is", from)
		}
	}
}

// link insists on an address that can stand in a comment.
func (c *checker) link(path []any, text string) {
	if text == "" {
		return
	}
	if !plainLink.MatchString(text) || len(text) > maxLink {
		c.wrong(path, "link %q is not a plain https address of at most %d characters", text, maxLink)
	}
}

// plainLink is an address that cannot end a link in Markdown, nor mention somebody.
var plainLink = regexp.MustCompile(`^https://[a-zA-Z0-9.-]+(:[0-9]+)?(/[a-zA-Z0-9._~/?#&=%+:;,!-]*)?$`)

func (c *checker) conditions(path []any, list []FileCondition) []Condition {
	if len(list) > maxConditions {
		c.wrong(path, "%d conditions, more than %d", len(list), maxConditions)
		return nil
	}
	var conditions []Condition
	for i, f := range list {
		if condition, ok := c.condition(append(slices.Clone(path), i), f); ok {
			conditions = append(conditions, condition)
		}
	}
	return conditions
}

// condition reads a condition: exactly one setting, which is its kind.
func (c *checker) condition(here []any, f FileCondition) (Condition, bool) {
	var set []Condition
	fields := reflect.ValueOf(f)
	for i := range fields.NumField() {
		kind := ConditionKind(strings.Split(fields.Type().Field(i).Tag.Get("yaml"), ",")[0])
		switch value := fields.Field(i).Interface().(type) {
		case oneOrMore:
			if value != nil {
				set = append(set, Condition{Kind: kind, Words: value})
			}
		case string:
			if value != "" {
				set = append(set, Condition{Kind: kind, For: c.duration(append(slices.Clone(here), string(kind)), value, maxTimeOut)})
			}
		case int:
			if value != 0 {
				set = append(set, Condition{Kind: kind, AtMost: value})
			}
		}
	}
	if len(set) != 1 {
		c.wrong(here, "a condition is one of: %s; this has %d of them", conditionNames(), len(set))
		return Condition{}, false
	}
	c.named(append(slices.Clone(here), string(set[0].Kind)), set[0])
	return set[0], true
}

func conditionNames() string {
	var names []string
	for _, s := range conditionKinds {
		names = append(names, string(s.Kind))
	}
	return strings.Join(names, ", ")
}

// named checks what a condition names.
func (c *checker) named(here []any, condition Condition) {
	if condition.Kind == CapacityAllowed && (condition.AtMost < 1 || condition.AtMost > maxCapacityOf) {
		c.wrong(here, "at-most %d is not from 1 to %d", condition.AtMost, maxCapacityOf)
	}
	if condition.Kind == CapacityAllowed || condition.Kind == InStateFor {
		return
	}
	if len(condition.Words) == 0 {
		c.wrong(here, "%s names nothing, so it never holds", condition.Kind)
	}
	if len(condition.Words) > maxNamed {
		c.wrong(here, "%s names %d, more than %d", condition.Kind, len(condition.Words), maxNamed)
		return
	}
	if condition.Kind == HasPermission && len(condition.Words) > 1 {
		c.wrong(here, "permission is the least that is enough, so it is one word")
	}
	for i, word := range condition.Words {
		if problem := c.misnamed(condition.Kind, word); problem != "" {
			c.wrong(append(slices.Clone(here), i), "%s", problem)
		}
	}
}

// misnamed says what is wrong with a word of a condition; empty if nothing is.
func (c *checker) misnamed(kind ConditionKind, word string) string {
	oneOf := func(words ...string) string {
		if slices.Contains(words, word) {
			return ""
		}
		return fmt.Sprintf("%s %q is not one of %s", kind, word, strings.Join(words, ", "))
	}
	if n := utf8.RuneCountInString(word); n == 0 || n > maxNamedText || strings.ContainsFunc(word, unicode.IsControl) {
		return fmt.Sprintf("%s names a text that is not 1 to %d characters in one line", kind, maxNamedText)
	}
	switch kind {
	case IsWho:
		return oneOf(TheAuthor, PreviousMover)
	case AsksBy:
		return oneOf(ByCommand, ByLabel)
	case MovedBefore:
		return oneOf(string(People), string(Bots), ByColony)
	case HasPermission:
		return oneOf(Permissions()...)
	case HasFact:
		if _, known := SpecOf(Fact(word)); !known {
			var names []string
			for _, s := range factSpecs {
				names = append(names, string(s.Fact))
			}
			if closest, near := Closest(word, names); near {
				return fmt.Sprintf("fact names %q, which is no fact; did you mean %q?", word, closest)
			}
			return fmt.Sprintf("fact names %q, which is no fact", word)
		}
	case HasRole:
		if _, known := c.life.Roles.Named(word); !known {
			return fmt.Sprintf("role names %q, which is no role of this lifecycle", word)
		}
	case InTeam:
		if !teamName.MatchString(word) {
			return fmt.Sprintf("team %q is not written organisation/team, such as acme/leads", word)
		}
	case HasLogin, AssignedTo:
		if !loginName.MatchString(word) {
			return fmt.Sprintf("%s %q cannot be a login", kind, word)
		}
	case TitleMatches, BodyMatches:
		if _, err := CompilePattern(word); err != nil {
			return fmt.Sprintf("%s: %v", kind, err)
		}
	case OnIssueLabel:
		if _, isState := c.life.StateOf(word); isState || IsMark(word) {
			return fmt.Sprintf("label %q is the lifecycle's own; from and to are about states", word)
		}
	default:
	}
	return ""
}
