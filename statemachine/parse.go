package statemachine

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// GitHub's limits on labels: https://docs.github.com/rest/issues/labels.
const (
	maxLabelDescription = 100
	maxLabelName        = 50
)

// labelPrefix begins every label that Colony keeps: webhooks about others are not looked at.
const labelPrefix = "colony:"

// Bounds on what a file that a repository supplies can make Colony do: moves grow with the square of the states.
const (
	maxStates   = 200
	maxProblems = 50
	maxRows     = 200
	maxText     = 300
	maxGlyph    = 4 // code points: a sign may have a variation selector, or be two letters of a flag
)

var (
	slug     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	hexColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)
)

// Parse reads and checks a lifecycle file. The name is used in messages only. Every error is a *FileError that
// names line and column of everything that is wrong.
func Parse(file string, text []byte) (*Lifecycle, error) {
	src, err := readSource(file, text)
	if err != nil {
		return nil, err
	}
	var doc fileDocument
	if err := src.decode(&doc); err != nil {
		return nil, err
	}
	for i := range doc.States { // black is a number to the decoder, and 0
		doc.States[i].Color = src.written(doc.States[i].Color, "states", i, "color")
	}
	for i := range doc.Scales {
		doc.Scales[i].Color = src.written(doc.Scales[i].Color, "scales", i, "color")
	}
	c := &checker{source: src, life: &Lifecycle{
		byName:  map[string]*State{},
		byLabel: map[string]*State{},
		legal:   map[[2]string]*Pair{},
	}}
	c.names(doc)
	c.states(doc)
	if len(c.problems) == 0 { // what follows speaks of states
		c.pairs(doc)
		c.roles(doc)
		c.commands(doc)
	}
	if len(c.problems) == 0 { // what follows speaks of moves
		c.limits(doc)
		c.timeOuts(doc)
		c.triggers(doc)
		c.scales(doc)
		c.endings(doc)
		c.intake(doc)
	}
	if len(c.problems) == 0 {
		c.unreasoned(doc)
		c.reach()
	}
	if len(c.problems) > 0 {
		slices.SortStableFunc(c.problems, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
		})
		return nil, &FileError{Problems: c.problems}
	}
	return c.life, nil
}

// checker turns a file into a lifecycle and collects what is wrong on the way.
type checker struct {
	*source
	life     *Lifecycle
	problems []Problem
}

// wrong keeps a problem; people who have this many to mend do not miss more.
func (c *checker) wrong(path []any, format string, args ...any) {
	if len(c.problems) == maxProblems {
		return
	}
	line, column := c.find(path...)
	c.problems = append(c.problems, c.at(line, column, fmt.Sprintf(format, args...)))
}

func at(path ...any) []any { return path }

func (c *checker) names(doc fileDocument) {
	c.life.Name, c.life.Summary = doc.Name, doc.Summary
	c.life.Initial, c.life.BadRequest, c.life.Final = doc.Initial, doc.BadRequest, doc.Final
	c.slug(at("name"), "name", doc.Name)
	if doc.Summary == "" {
		c.wrong(at("summary"), "summary is missing: one sentence that says what the lifecycle is for")
	}
	c.plain(at("summary"), doc.Summary)
}

// plain insists on words that mean the same in a comment, in a table and in a diagram: whoever can edit a lifecycle file must
// not be able to mention people, or to write Colony's own markers, in Colony's name.
func (c *checker) plain(path []any, text string) {
	switch {
	case utf8.RuneCountInString(text) > maxText:
		c.wrong(path, "the text has %d characters, more than %d", utf8.RuneCountInString(text), maxText)
	case strings.ContainsAny(text, unplain) || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, "://"):
		c.wrong(path, "the text is not plain: it may not hold line breaks, addresses, quotation marks or any of < > | ` @ [ ] \\ * _ # ~")
	}
}

// unplain are the characters that Markdown, GitHub or Mermaid may take for their own.
const unplain = "<>|`@[]\\*_#~\""

func (c *checker) slug(path []any, what, value string) {
	switch {
	case value == "":
		c.wrong(path, "%s is missing", what)
	case !slug.MatchString(value) || len(value) > maxSlug:
		c.wrong(path, "%s %q is not kebab-case of 1 to %d characters", what, value, maxSlug)
	}
}

func (c *checker) states(doc fileDocument) {
	if len(doc.States) == 0 {
		c.wrong(at("states"), "states is missing: a lifecycle has at least one state")
		return
	}
	if len(doc.States) > maxStates {
		c.wrong(at("states"), "%d states, more than %d", len(doc.States), maxStates)
		return
	}
	c.life.States = make([]State, len(doc.States))
	for i, f := range doc.States {
		here := at("states", i)
		c.state(here, f)
		c.life.States[i] = f.state()
		s := &c.life.States[i]
		if c.life.byName[s.Name] != nil {
			c.wrong(append(here, "name"), "state %q is listed twice", s.Name)
		}
		c.life.byName[s.Name] = s
		if s.Label == "" {
			continue
		}
		if other := c.life.byLabel[foldCase(s.Label)]; other != nil {
			c.wrong(append(here, "label"), "label %q is the label of state %q already", s.Label, other.Name)
		}
		c.life.byLabel[foldCase(s.Label)] = s
	}
	if doc.BadRequest != "" {
		c.known(at("bad-request"), "bad-request", doc.BadRequest)
	}
	for i, s := range c.life.States {
		if s.Label == "" && s.Name != doc.Initial {
			c.wrong(at("states", i), "state %q has no label: only the initial state may be without one", s.Name)
		}
	}
	c.begin(doc)
}

// begin finds the state of an issue without a state label: the initial state, if that has no label, or a place outside of the
// lifecycle, from which issues enter it.
func (c *checker) begin(doc fileDocument) {
	if !c.known(at("initial"), "initial", doc.Initial) {
		return
	}
	if c.life.byName[doc.Initial].Label == "" {
		return
	}
	c.life.Initial = Outside
	c.life.byName[Outside] = &State{
		Name: Outside, Type: Active, Meaning: "The issue carries no label of this lifecycle.",
	}
	c.life.legal[[2]string{Outside, doc.Initial}] = &Pair{
		From: Outside, To: doc.Initial, Kind: Enter, Why: "The issue enters the lifecycle",
	}
}

func (c *checker) state(here []any, f fileState) {
	c.slug(append(here, "name"), "name", f.Name)
	switch {
	case !slices.Contains([]StateType{Active, Blocked, AwaitingHuman, Terminal}, f.Type):
		c.wrong(append(here, "type"), "type %q is not one of active, blocked, awaiting-human, terminal", f.Type)
	case f.Type == Blocked && f.Recovery != RecoveryAuto && f.Recovery != RecoveryManual:
		c.wrong(append(here, "recovery"), "recovery %q of a blocked state is not auto or manual", f.Recovery)
	case f.Type != Blocked && f.Recovery != "":
		c.wrong(append(here, "recovery"), "only a blocked state has a recovery")
	}
	if f.Meaning == "" {
		c.wrong(here, "state %q has no meaning: one sentence for people", f.Name)
	}
	c.plain(append(slices.Clone(here), "meaning"), f.Meaning)
	if f.Name == Outside {
		c.wrong(append(here, "name"), "%q is what an issue without a state label is called; no state can have that name", Outside)
	}
	if n := utf8.RuneCountInString(f.Glyph); n > maxGlyph || strings.ContainsFunc(f.Glyph, unprintable) {
		c.wrong(append(here, "glyph"), "glyph %q is not one sign", f.Glyph)
	}
	switch {
	case f.Closes != "" && f.Closes != ClosedCompleted && f.Closes != ClosedNotPlanned:
		c.wrong(append(here, "closes"), "closes %q is not completed or not_planned", f.Closes)
	case f.Closes != "" && f.Type != Terminal:
		c.wrong(append(here, "closes"), "only a terminal state closes the issue")
	}
	if f.Label != "" {
		c.label(here, f)
	}
}

func (c *checker) label(here []any, f fileState) {
	if n := utf8.RuneCountInString(f.Label); n > maxLabelName {
		c.wrong(append(here, "label"), "label %q has %d characters, more than GitHub's %d", f.Label, n, maxLabelName)
	}
	if !strings.HasPrefix(foldCase(f.Label), labelPrefix) || len(f.Label) == len(labelPrefix) {
		c.wrong(append(here, "label"), "label %q does not begin with %q, which is how Colony knows its labels", f.Label, labelPrefix)
	}
	for _, m := range Marks() {
		if SameLabel(m.Label, f.Label) {
			c.wrong(append(here, "label"), "label %q is one of Colony's marks and cannot be a state", f.Label)
		}
	}
	if !hexColor.MatchString(f.Color) {
		c.wrong(append(here, "color"), "color %q is not six hexadecimal digits", f.Color)
	}
	switch n := utf8.RuneCountInString(f.Description); {
	case n == 0:
		c.wrong(here, "state %q has no description for its label", f.Name)
	case n > maxLabelDescription:
		c.wrong(append(here, "description"), "description has %d characters, more than GitHub's %d", n, maxLabelDescription)
	}
}

// known reports whether a word is a state, and complains if it is not.
func (c *checker) known(path []any, what, state string) bool {
	if c.life.byName[state] != nil {
		return true
	}
	c.wrong(path, "%s names %q, which is no state of this lifecycle", what, state)
	return false
}

func (c *checker) pairs(doc fileDocument) {
	for i, f := range doc.Forward {
		here := at("forward", i, "order")
		c.plain(at("forward", i, "source"), f.Source)
		order := c.words(here, "the order", f.Order)
		for j, from := range order {
			for _, to := range order[j+1:] {
				c.pair(here, Pair{From: from, To: to, Kind: Forward, Why: "A later state of the forward order", Source: f.Source})
			}
		}
	}
	for i, f := range doc.Transitions {
		here := at("transitions", i)
		c.plain(append(slices.Clone(here), "source"), f.Source)
		if !slices.Contains([]Kind{Forward, Backward, Pause, Resume, Again, Abandon}, f.Kind) {
			c.wrong(append(here, "kind"), "kind %q is not one of forward, backward, pause, resume, again, abandon", f.Kind)
		}
		for j, p := range f.Pairs {
			row := append(slices.Clone(here), "pairs", j)
			if p.Why == "" {
				c.wrong(row, "this pair has no why")
			}
			c.plain(append(slices.Clone(row), "why"), p.Why)
			if p.Only != "" && p.Only != Previous {
				c.wrong(append(slices.Clone(row), "only"), "only %q is not previous", p.Only)
			}
			if p.Reason != NotTaken && p.Reason != Required {
				c.wrong(append(slices.Clone(row), "reason"), "reason %q of a pair is not required", p.Reason)
			}
			c.product(row, sides{"from", "to"}, p.From, p.To, func(from, to string) {
				c.pair(row, Pair{
					From: from, To: to, Kind: f.Kind, Why: p.Why, Source: f.Source, OnlyPrevious: p.Only == Previous, Reason: p.Reason,
				})
			})
		}
	}
	c.order()
}

// sides are the two settings whose states are combined.
type sides struct{ from, to string }

func (c *checker) product(row []any, keys sides, from, to oneOrMore, each func(from, to string)) {
	if len(from) == 0 || len(to) == 0 {
		c.wrong(row, "both %s and %s are needed", keys.from, keys.to)
	}
	starts := c.words(append(slices.Clone(row), keys.from), keys.from, from)
	ends := c.words(append(slices.Clone(row), keys.to), keys.to, to)
	for _, f := range starts {
		for _, t := range ends {
			each(f, t)
		}
	}
}

// words returns the states of a list, each once, and complains of the others. A single word has the place of the list.
func (c *checker) words(list []any, what string, words []string) []string {
	var states []string
	for i, word := range words {
		here := append(slices.Clone(list), i)
		switch {
		case !c.known(here, what, word):
		case slices.Contains(states, word):
			c.wrong(here, "%s names %q twice", what, word)
		default:
			states = append(states, word)
		}
	}
	return states
}

func (c *checker) pair(row []any, p Pair) {
	switch {
	case p.From == p.To && p.Kind != Again:
		c.wrong(row, "%s -> %s is no move, unless its kind is again", p.From, p.To)
	case p.From != p.To && p.Kind == Again:
		c.wrong(row, "%s -> %s leads elsewhere, so its kind is not again", p.From, p.To)
	case c.life.byName[p.From].Type == Terminal:
		c.wrong(row, "%s -> %s leaves a terminal state", p.From, p.To)
	case c.life.byName[p.To].Label == "":
		c.wrong(row, "%s -> %s leads to the state without a label, which is only where issues begin", p.From, p.To)
	case c.life.legal[[2]string{p.From, p.To}] != nil:
		c.wrong(row, "%s -> %s is listed already", p.From, p.To)
	default:
		c.life.legal[[2]string{p.From, p.To}] = &p
	}
}

// order lists the pairs as the states stand in the file, so that everything printed from them is stable.
func (c *checker) order() {
	for _, from := range c.life.everywhere() {
		for _, to := range c.life.States {
			if p := c.life.legal[[2]string{from.Name, to.Name}]; p != nil {
				c.life.Pairs = append(c.life.Pairs, *p)
			}
		}
	}
}

func (c *checker) roles(doc fileDocument) {
	for i, f := range doc.Executors {
		here := at("executors", i)
		c.slug(append(here, "role"), "role", f.Role)
		if _, twice := c.life.Role(f.Role); twice {
			c.wrong(append(here, "role"), "role %q is listed twice", f.Role)
		}
		r := Role{Name: f.Role, WorksIn: f.WorksIn, Requests: f.Requests, Reasons: f.Reasons}
		for _, to := range slices.Sorted(maps.Keys(f.Reasons)) {
			c.reason(append(slices.Clone(here), "reasons", to), f.Reasons[to])
			if !slices.Contains(f.Requests, to) {
				c.wrong(append(slices.Clone(here), "reasons", to), "role %q has a reason for %q, which it does not request", f.Role, to)
			}
		}
		c.work(here, f)
		for j, claim := range f.Claims {
			row := append(slices.Clone(here), "claims", j)
			c.product(row, sides{"from", "to"}, claim.From, claim.To, func(from, to string) {
				if !c.legalFor(row, f.Role, from, to) {
					return
				}
				r.Claims = append(r.Claims, Claim{from, to})
				if pair, _ := c.life.Pair(from, to); pair.Reason == Required {
					c.wrong(row, "%s -> %s needs a reason, which a claim cannot give", from, to)
				}
			})
		}
		c.life.Roles = append(c.life.Roles, r)
	}
}

// work checks where a role works and what it requests there. One that claims its work need not request anything: then
// somebody else hands it on.
func (c *checker) work(here []any, f fileExecutor) {
	switch {
	case len(f.WorksIn)+len(f.Requests) == 0:
		return
	case len(f.Requests) == 0 && len(f.Claims) > 0:
		c.words(append(slices.Clone(here), "works-in"), "works-in", f.WorksIn)
		return
	}
	c.product(here, sides{"works-in", "requests"}, f.WorksIn, f.Requests, func(from, to string) {
		if !c.legalFor(here, f.Role, from, to) {
			return
		}
		if pair, _ := c.life.Pair(from, to); pair.Reason == Required && f.Reasons[to] == "" {
			c.wrong(append(slices.Clone(here), "requests"), "%s -> %s needs a reason, and role %q has none among its reasons", from, to, f.Role)
		}
	})
}

func (c *checker) legalFor(row []any, role, from, to string) bool {
	_, ok := c.life.Pair(from, to)
	if !ok {
		c.wrong(row, "role %q asks for %s -> %s, which is not in the table", role, from, to)
	}
	return ok
}

func (c *checker) commands(doc fileDocument) {
	for i, f := range doc.Commands {
		here := at("commands", i)
		c.slug(append(here, "verb"), "verb", f.Verb)
		if _, twice := c.life.Command(f.Verb); twice {
			c.wrong(append(here, "verb"), "verb %q is listed twice", f.Verb)
		}
		if slices.Contains(BuiltInVerbs(), f.Verb) {
			c.wrong(append(here, "verb"), "verb %q comes with every lifecycle", f.Verb)
		}
		if f.Help == "" {
			c.wrong(here, "command %q has no help", f.Verb)
		}
		c.plain(append(slices.Clone(here), "help"), f.Help)
		c.demand(append(here, "target"), f.Target)
		c.demand(append(here, "reason"), f.Reason)
		c.commandStates(here, f)
		c.life.Commands = append(c.life.Commands, Command{
			Verb: f.Verb, From: f.From, To: f.To, Instead: f.Instead,
			Target: f.Target, Reason: f.Reason, Help: f.Help,
		})
	}
}

func (c *checker) commandStates(here []any, f fileCommand) {
	for _, from := range f.From {
		if c.known(append(here, "from"), "from", from) && f.To != Previous && c.life.byName[f.To] != nil {
			if _, legal := c.life.Pair(from, f.To); !legal {
				c.wrong(append(here, "from"), "command %q moves %s -> %s, which is not in the table", f.Verb, from, f.To)
			}
		}
	}
	if f.To == Previous && len(f.From) == 0 {
		c.wrong(here, "command %q returns to the previous state and must say from where", f.Verb)
	}
	if f.To != Previous {
		c.known(append(here, "to"), "to", f.To)
	}
	for _, from := range slices.Sorted(maps.Keys(f.Instead)) {
		c.known(append(here, "instead"), "instead", from)
		c.known(append(here, "instead"), "instead", f.Instead[from])
	}
}

func (c *checker) demand(path []any, d Demand) {
	if d != NotTaken && d != Optional && d != Required {
		c.wrong(path, "%q is not optional or required", d)
	}
}

// reach complains of states that no issue can come to, and of states without a way out that are not declared terminal.
func (c *checker) reach() {
	reached := map[string]bool{c.life.Initial: true}
	for todo := []string{c.life.Initial}; len(todo) > 0; todo = todo[1:] {
		for _, p := range c.life.Pairs {
			if p.From == todo[0] && !reached[p.To] {
				reached[p.To] = true
				todo = append(todo, p.To)
			}
		}
	}
	for i, s := range c.life.States {
		if !reached[s.Name] {
			c.wrong(at("states", i), "state %q cannot be reached from %q", s.Name, c.life.Initial)
		}
		if s.Type != Terminal && !slices.ContainsFunc(c.life.Pairs, func(p Pair) bool { return p.From == s.Name && p.To != s.Name }) {
			c.wrong(at("states", i), "state %q is a dead end: no way out, and not declared terminal", s.Name)
		}
	}
}
