package statemachine

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
)

// Bounds on what happens by itself.
const (
	minTimeOut  = time.Minute
	maxTimeOut  = 365 * 24 * time.Hour
	maxScales   = 4
	maxLevels   = 10
	maxWords    = 60 // characters that a reflection begins with
	maxSentence = 80 // of a scale's meaning: the level is added to it
)

// reason checks what a request stands for: one word, so that it can be told from a sentence.
func (c *checker) reason(path []any, word string) {
	if !reasonWord.MatchString(word) {
		c.wrong(path, "reason %q is not one word of letters, digits, hyphens and underscores", word)
	}
}

var reasonWord = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func unprintable(r rune) bool { return !unicode.IsGraphic(r) && r != 0xFE0F && r != 0x200D }

// rows bounds a list, and complains of one that is too long.
func (c *checker) rows(path []any, n int) bool {
	if n <= maxRows {
		return true
	}
	c.wrong(path, "%d rows, more than %d", n, maxRows)
	return false
}

func (c *checker) limits(doc fileDocument) {
	if !c.rows(at("limits"), len(doc.Limits)) {
		return
	}
	for i, f := range doc.Limits {
		here := at("limits", i)
		if f.Count == "" {
			c.wrong(here, "this limit has no count: what is counted, for people")
		}
		c.plain(append(slices.Clone(here), "count"), f.Count)
		c.plain(append(slices.Clone(here), "why"), f.Why)
		limit := Limit{
			Name: f.Count, To: f.To, From: c.words(append(here, "from"), "from", f.From), AtMost: f.AtMost, Instead: f.Instead,
			Why: f.Why, OnPullRequest: f.OnPull,
		}
		if c.known(append(here, "to"), "to", f.To) {
			c.limit(here, limit)
		}
		c.life.Limits = append(c.life.Limits, limit)
	}
	for i, limit := range c.life.Limits {
		for _, other := range c.life.Limits {
			if limit.AtMost > 0 && other.AtMost > 0 && limit.Instead == other.To {
				c.wrong(at("limits", i, "instead"), "%q is limited itself, so nothing can lead there instead", limit.Instead)
			}
		}
	}
}

func (c *checker) limit(here []any, limit Limit) {
	entries := slices.DeleteFunc(slices.Clone(c.life.Pairs), func(p Pair) bool { return p.To != limit.To || !limit.from(p.From) })
	if len(entries) == 0 {
		c.wrong(append(here, "from"), "no move of the table leads to %q from there", limit.To)
	}
	switch {
	case limit.AtMost < 0:
		c.wrong(append(here, "at-most"), "at-most %d is negative", limit.AtMost)
	case limit.AtMost == 0 && limit.Instead != "":
		c.wrong(append(here, "instead"), "a limit without at-most only counts; it leads nowhere")
	case limit.AtMost == 0 && limit.OnPullRequest:
		c.wrong(append(here, "on-pull-request"), "a limit without at-most only counts; there is nothing to tell")
	case limit.AtMost == 0:
	case limit.Why == "":
		c.wrong(here, "this limit has no why")
	case c.known(append(here, "instead"), "instead", limit.Instead):
		for _, p := range entries {
			instead, legal := c.life.Pair(p.From, limit.Instead)
			switch {
			case !legal:
				c.wrong(append(here, "instead"), "%s -> %s is not in the table, so %s -> %s cannot be limited", p.From, limit.Instead, p.From, p.To)
			case instead.OnlyPrevious:
				c.wrong(append(here, "instead"), "%s -> %s is legal only back to the state before, which no limit can promise", p.From, limit.Instead)
			}
		}
	}
}

func (c *checker) timeOuts(doc fileDocument) {
	if !c.rows(at("time-outs"), len(doc.TimeOuts)) {
		return
	}
	limited := map[string]bool{}
	for i, f := range doc.TimeOuts {
		here := at("time-outs", i)
		t := TimeOut{In: c.words(append(here, "in"), "in", f.In), To: f.To, Why: f.Why}
		t.After = c.duration(append(here, "after"), f.After, minTimeOut, maxTimeOut)
		c.byItself(here, t.In, t.To, t.Why)
		for j, state := range t.In {
			if limited[state] {
				c.wrong(append(here, "in", j), "%q has a time-out already", state)
			}
			limited[state] = true
		}
		c.life.TimeOuts = append(c.life.TimeOuts, t)
	}
}

func (c *checker) duration(path []any, text string, least, most time.Duration) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > most {
		c.wrong(path, "%q is not a duration from %s to %s, written like 30m or 72h", text, Span(least), Span(most))
		return least
	}
	return d
}

// byItself checks a row that moves an issue without anybody asking.
func (c *checker) byItself(here []any, in []string, to, why string) {
	if why == "" {
		c.wrong(here, "this row has no why")
	}
	c.plain(append(slices.Clone(here), "why"), why)
	if len(in) == 0 {
		c.wrong(here, "in is missing: the states in which the row holds")
	}
	if !c.known(append(here, "to"), "to", to) {
		return
	}
	for _, from := range in {
		pair, legal := c.life.Pair(from, to)
		switch {
		case !legal:
			c.wrong(append(here, "to"), "%s -> %s is not in the table", from, to)
		case pair.OnlyPrevious:
			c.wrong(append(here, "to"), "%s -> %s is legal only back to the state before, which no row can promise", from, to)
		}
	}
}

func (c *checker) triggers(doc fileDocument) {
	if !c.rows(at("triggers"), len(doc.Triggers)) {
		return
	}
	for i, f := range doc.Triggers {
		here := at("triggers", i)
		t := Trigger{On: f.On, In: c.words(append(here, "in"), "in", f.In), To: f.To, Why: f.Why, AsksPerson: f.AsksPerson}
		if _, ok := factSpec(f.On); !ok {
			c.wrong(append(here, "on"), "%q is no fact that Colony knows; there are: %s", f.On, strings.Join(factNames(), ", "))
		}
		c.byItself(here, t.In, t.To, t.Why)
		for _, earlier := range c.life.Triggers {
			for _, state := range t.In {
				if earlier.On == t.On && slices.Contains(earlier.In, state) {
					c.wrong(append(here, "in"), "%s in %q is taken by an earlier row, so this one never holds", t.On, state)
				}
			}
		}
		c.life.Triggers = append(c.life.Triggers, t)
	}
	c.opposed()
}

func factNames() []string {
	var names []string
	for _, s := range FactSpecs() {
		names = append(names, string(s.Fact))
	}
	return names
}

// opposed complains of two rows on the same fact, or on facts that can hold together for good, that move an issue to and fro.
func (c *checker) opposed() {
	for i, a := range c.life.Triggers {
		for _, b := range c.life.Triggers[:i] {
			if a.To != b.To && slices.Contains(a.In, b.To) && slices.Contains(b.In, a.To) && together(a.On, b.On) {
				c.wrong(at("triggers", i), "%s and %s can hold at the same time, and would move an issue between %q and %q for ever", b.On, a.On, b.To, a.To)
			}
		}
	}
}

// together reports whether two standing facts can hold at the same time. The others are counted once.
func together(a, b Fact) bool {
	sa, _ := factSpec(a)
	sb, _ := factSpec(b)
	if sa.Dating != StandingFact || sb.Dating != StandingFact {
		return false
	}
	for _, never := range [][2]Fact{
		{"pull-request-missing", "pull-request-opened"},
		{"pull-request-missing", "pull-request-ready"},
		{"pull-request-missing", "pull-request-conflicting"},
		{"dependency-open", "dependencies-closed"},
		{"dependency-dropped", "dependencies-closed"},
		{"dependency-cycle", "dependencies-closed"},
	} {
		if never == [2]Fact{a, b} || never == [2]Fact{b, a} {
			return false
		}
	}
	return true
}

func (c *checker) scales(doc fileDocument) {
	if len(doc.Scales) > maxScales {
		c.wrong(at("scales"), "%d scales, more than %d", len(doc.Scales), maxScales)
		return
	}
	for i, f := range doc.Scales {
		here := at("scales", i)
		c.slug(append(here, "name"), "name", f.Name)
		c.plain(append(here, "meaning"), f.Meaning)
		s := Scale(f)
		switch {
		case len(s.Label(0)) > maxLabelName:
			c.wrong(append(here, "name"), "label %q has more than GitHub's %d characters", s.Label(0), maxLabelName)
		case f.Levels < 2 || f.Levels > maxLevels:
			c.wrong(append(here, "levels"), "levels %d is not from 2 to %d", f.Levels, maxLevels)
		case f.High < 1 || f.High >= f.Levels:
			c.wrong(append(here, "high"), "high %d is not a level above 0", f.High)
		case !hexColor.MatchString(f.Color):
			c.wrong(append(here, "color"), "color %q is not six hexadecimal digits", f.Color)
		case f.Meaning == "" || len(f.Meaning) > maxSentence:
			c.wrong(append(here, "meaning"), "scale %q has no meaning of 1 to %d characters", f.Name, maxSentence)
		}
		for level := range min(max(f.Levels, 0), maxLevels) {
			if other, taken := c.life.StateOf(s.Label(level)); taken {
				c.wrong(append(here, "name"), "label %q is the label of state %q already", s.Label(level), other.Name)
			}
		}
		if slices.ContainsFunc(c.life.Scales, func(other Scale) bool { return other.Name == s.Name }) {
			c.wrong(append(here, "name"), "scale %q is listed twice", s.Name)
		}
		c.life.Scales = append(c.life.Scales, s)
	}
	c.priority(doc)
}

func (c *checker) priority(doc fileDocument) {
	if !c.rows(at("priority"), len(doc.Priority)) {
		return
	}
	for i, row := range doc.Priority {
		for j, name := range row {
			if !slices.ContainsFunc(c.life.Scales, func(s Scale) bool { return s.Name == name }) {
				c.wrong(at("priority", i, j), "priority names %q, which is no scale of this lifecycle", name)
			}
		}
		if len(row) == 0 {
			c.wrong(at("priority", i), "this row of the priority names no scale")
		}
		c.life.Priority = append(c.life.Priority, row)
	}
}

// endings checks what is asked of issues that wait, and of those that came to an end.
func (c *checker) endings(doc fileDocument) {
	c.life.Waiting = c.words(at("waiting"), "waiting", doc.Waiting)
	for i, state := range c.life.Waiting {
		if c.life.byName[state].Label == "" {
			c.wrong(at("waiting", i), "%q has no label, so the issues in it cannot be listed", state)
		}
	}
	f := doc.Reflection
	if f == nil {
		return
	}
	here := at("reflection")
	r := &Reflection{In: c.words(append(here, "in"), "in", f.In), Words: f.Words}
	r.Within = c.duration(append(here, "within"), f.Within, minTimeOut, maxTimeOut)
	if len(f.In) == 0 {
		c.wrong(here, "in is missing: the terminal states that want a reflection")
	}
	for i, state := range r.In {
		if c.life.byName[state].Type != Terminal {
			c.wrong(append(here, "in", i), "%q is not terminal, so it wants no reflection", state)
		}
	}
	if strings.TrimSpace(r.Words) != r.Words || r.Words == "" || len(r.Words) > maxWords || strings.Contains(r.Words, "/") {
		c.wrong(append(here, "words"), "words %q is not what a line of a comment can begin with", r.Words)
	}
	c.plain(append(here, "words"), r.Words)
	c.life.Reflection = r
}

// unreasoned complains of moves that need a reason which nobody can give: no command takes one there.
func (c *checker) unreasoned(doc fileDocument) {
	for i, f := range doc.Transitions {
		for j, pairs := range f.Pairs {
			if pairs.Reason != Required {
				continue
			}
			for _, from := range pairs.From {
				for _, to := range pairs.To {
					if !c.reasonTaken(from, to) {
						c.wrong(at("transitions", i, "pairs", j, "reason"), "%s -> %s needs a reason, and no command takes one there", from, to)
					}
				}
			}
		}
	}
}

func (c *checker) reasonTaken(from, to string) bool {
	return slices.ContainsFunc(c.life.Commands, func(command Command) bool {
		return command.Reason != NotTaken && (command.To == to || command.To == Previous || command.Target != NotTaken) &&
			(len(command.From) == 0 || slices.Contains(command.From, from))
	})
}
