package lifecycle

import (
	"slices"
	"strings"
	"time"
)

// Bounds of a duration.
const (
	minTimeOut = time.Minute
	maxTimeOut = 365 * 24 * time.Hour
)

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
	entries := slices.DeleteFunc(slices.Clone(c.life.Pairs), func(p Pair) bool { return p.To != limit.To || !limit.CountsFrom(p.From) })
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
		t.After = c.duration(append(here, "after"), f.After, maxTimeOut)
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

func (c *checker) duration(path []any, text string, most time.Duration) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil || d < minTimeOut || d > most {
		c.wrong(path, "%q is not a duration from %s to %s, written like 30m or 72h", text, Span(minTimeOut), Span(most))
		return minTimeOut
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
	if to == "" || !c.known(append(here, "to"), "to", to) {
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
		t := Trigger{On: f.On, In: c.words(append(here, "in"), "in", f.In), To: f.To, Why: f.Why, AsksPerson: f.AsksPerson, Holds: f.Holds, Since: f.Since}
		spec, ok := SpecOf(f.On)
		if !ok {
			c.wrong(append(here, "on"), "%q is no fact that Colony knows; there are: %s", f.On, strings.Join(factNames(), ", "))
		}
		switch {
		case f.Since == "" || !ok:
		case spec.Sealed:
			c.wrong(append(here, "since"), "%s counts from the approval on, and has no since", f.On)
		case !spec.Once():
			c.wrong(append(here, "since"), "%s stands: it counts as long as it is so, and has no since", f.On)
		case !slices.Contains(everySince(), f.Since):
			c.wrong(append(here, "since"), "%q is not one of entry, decision, ever", f.Since)
		}
		c.byItself(here, t.In, t.To, t.Why)
		t.AsksPerson = t.AsksPerson || spec.Sealed // who approved has to know, and is the one to approve again
		c.sealing(here, t)
		t.Unless = c.unless(here, t, f.Unless)
		c.asking(here, t)
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
	c.seals()
}

// asking checks a trigger that leads nowhere: it is there to say something about what lasts.
func (c *checker) asking(here []any, t Trigger) {
	if t.To == "" && !stands(t.On) {
		c.wrong(here, "to is missing: only of a fact that lasts can be told without a move")
	}
	if t.Holds && (t.To != "" || t.AsksPerson) {
		c.wrong(append(here, "holds"), "a row that holds an issue where it is leads nowhere and asks nobody")
	}
}

// The bounds of a lifecycle's own breaker.
const (
	mostRefusals = 1000
	maxWindow    = 24 * time.Hour
)

func (c *checker) breaker(doc fileDocument) {
	if doc.Breaker == nil {
		return
	}
	b := &Breaker{Refusals: doc.Breaker.Refusals, Within: c.duration(at("breaker", "within"), doc.Breaker.Within, maxWindow)}
	if b.Refusals < 1 || b.Refusals > mostRefusals {
		c.wrong(at("breaker", "refusals"), "refusals %d is not from 1 to %d", b.Refusals, mostRefusals)
	}
	c.life.Breaker = b
}

// unless reads the facts during which a trigger does nothing.
func (c *checker) unless(here []any, t Trigger, words []string) []Fact {
	var facts []Fact
	for i, word := range words {
		path, f := append(slices.Clone(here), "unless", i), Fact(word)
		_, known := SpecOf(f)
		switch {
		case !known:
			c.wrong(path, "%q is no fact that Colony knows; there are: %s", word, strings.Join(factNames(), ", "))
		case !stands(f):
			c.wrong(path, "%s comes at some time and does not last, so that nothing can be left alone during it", f)
		case !together(f, t.On):
			c.wrong(path, "%s and %s never hold together", t.On, f)
		case slices.Contains(facts, f):
			c.wrong(path, "%s is listed twice", f)
		}
		facts = append(facts, f)
	}
	return facts
}

func factNames() []string {
	var names []string
	for _, s := range FactSpecs() {
		names = append(names, string(s.Fact))
	}
	return names
}

// opposed complains of two rows on standing facts, the same or such that can hold together for good, that move an issue to and fro.
func (c *checker) opposed() {
	for i, a := range c.life.Triggers {
		for _, b := range c.life.Triggers[:i] {
			if a.To != "" && b.To != "" && a.To != b.To && slices.Contains(a.In, b.To) && slices.Contains(b.In, a.To) &&
				stands(a.On) && stands(b.On) && together(a.On, b.On) && !slices.Contains(a.Unless, b.On) && !slices.Contains(b.Unless, a.On) {
				c.wrong(at("triggers", i), "%s and %s can hold at the same time, and would move an issue between %q and %q for ever", b.On, a.On, b.To, a.To)
			}
		}
	}
}

// stands reports whether a fact is one that counts as long as it is so. The others move an issue once.
func stands(f Fact) bool {
	spec, known := SpecOf(f)
	return known && !spec.Once()
}
