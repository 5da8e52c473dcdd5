package lifecycle

import (
	"slices"
	"time"
)

// Bounds of a duration.
const (
	minTimeOut = time.Minute
	maxTimeOut = 365 * 24 * time.Hour
)

func (c *checker) limits() {
	c.hold("limits")
	for i, limit := range c.life.Limits {
		here := c.at("limits", i)
		if here.in("to").known("to", limit.To) {
			here.limit(limit)
		}
	}
	for i, limit := range c.life.Limits {
		for _, other := range c.life.Limits {
			if limit.AtMost > 0 && other.AtMost > 0 && limit.Instead == other.To {
				c.at("limits", i, "instead").wrong("%q is limited itself, so nothing can lead there instead", limit.Instead)
			}
		}
	}
}

func (p place) limit(limit Limit) {
	entries := slices.DeleteFunc(slices.Clone(p.life.Pairs), func(m Pair) bool { return m.To != limit.To || !limit.CountsFrom(m.From) })
	if len(entries) == 0 {
		p.in("from").wrong("no move of the table leads to %q from there", limit.To)
	}
	switch {
	case limit.AtMost < 0:
		p.in("at-most").wrong("at-most %d is negative", limit.AtMost)
	case limit.AtMost == 0:
		onlyCounts(p, limit)
	case limit.Why == "":
		p.wrong("this limit has no why")
	case p.in("instead").known("instead", limit.Instead):
		leadsElsewhere(p, limit, entries)
	}
}

// onlyCounts checks a limit without at-most.
func onlyCounts(p place, limit Limit) {
	const counts = "a limit without at-most only counts; "
	switch {
	case limit.Instead != "":
		p.in("instead").wrong(counts + "it leads nowhere")
	case limit.OnPullRequest:
		p.in("on-pull-request").wrong(counts + "there is nothing to tell")
	case limit.BackTo != "":
		p.in("back-to").wrong(counts + "nothing comes back from it")
	}
}

// leadsElsewhere checks where a limit leads in place of some moves, and where the issue returns to from there.
func leadsElsewhere(p place, limit Limit, entries []Pair) {
	instead := p.in("instead")
	for _, m := range entries {
		switch pair, legal := p.life.Pair(m.From, limit.Instead); {
		case !legal:
			instead.wrong("%s -> %s is not in the table, so %s -> %s cannot be limited", m.From, limit.Instead, m.From, m.To)
		case pair.OnlyPrevious:
			instead.wrong("%s -> %s is legal only back to the state before, which no limit can promise", m.From, limit.Instead)
		}
	}
	if back := p.in("back-to"); limit.BackTo != "" && back.known("back-to", limit.BackTo) {
		if _, legal := p.life.Pair(limit.Instead, limit.BackTo); !legal {
			back.wrong("%s -> %s is not in the table", limit.Instead, limit.BackTo)
		}
	}
}

func (c *checker) timeOuts() {
	c.hold("time-outs")
	limited := map[string]bool{}
	for i, t := range c.life.TimeOuts {
		here := c.at("time-outs", i)
		here.byItself(t.In, t.To)
		for j, state := range t.In {
			if limited[state] {
				here.in("in", j).wrong("%q has a time-out already", state)
			}
			limited[state] = true
		}
	}
}

// byItself checks a row that moves an issue without anybody asking.
func (p place) byItself(in []string, to string) {
	if len(in) == 0 {
		p.wrong("in is missing: the states in which the row holds")
	}
	target := p.in("to")
	if to == "" || !target.known("to", to) {
		return
	}
	for _, from := range in {
		switch pair, legal := p.life.Pair(from, to); {
		case !legal:
			target.wrong("%s -> %s is not in the table", from, to)
		case pair.OnlyPrevious:
			target.wrong("%s -> %s is legal only back to the state before, which no row can promise", from, to)
		}
	}
}

func (c *checker) triggers() {
	c.hold("triggers")
	for i := range c.life.Triggers {
		here, t := c.at("triggers", i), &c.life.Triggers[i]
		here.byItself(t.In, t.To)
		t.AsksPerson = t.AsksPerson || t.Sealed() // who approved has to know, and is the one to approve again
		here.sealing(*t)
		here.unless(*t)
		here.asking(*t)
		here.planned(*t)
		for _, earlier := range c.life.Triggers[:i] {
			for _, state := range t.In {
				if earlier.On == t.On && slices.Contains(earlier.In, state) {
					here.in("in").wrong("%s in %q is taken by an earlier row, so this one never holds", t.On, state)
				}
			}
		}
	}
	c.opposed()
	c.seals()
}

func factNames() []string {
	var names []string
	for _, s := range factSpecs {
		names = append(names, string(s.Fact))
	}
	return names
}

// asking checks a trigger that leads nowhere: it is there to say something.
func (p place) asking(t Trigger) {
	if t.Holds && !stands(t.On) {
		p.in("holds").wrong("only a fact that lasts can hold an issue where it is")
	}
	if t.After != 0 && (t.To != "" || t.Holds) {
		p.in("after").wrong("only what is told without a move waits")
	}
	if t.Holds && (t.To != "" || t.AsksPerson) {
		p.in("holds").wrong("a row that holds an issue where it is leads nowhere and asks nobody")
	}
}

// planned checks the names of the sections that list files.
func (p place) planned(t Trigger) {
	if spec, known := SpecOf(t.On); len(t.PlannedIn) > 0 && known && spec.Needs != ReadFiles {
		p.in("planned-in").wrong("%s is not about the files that an issue changes, so no section names any for it", t.On)
	}
	for i, section := range t.PlannedIn {
		p.in("planned-in", i).plain(section)
	}
}

// unless checks the facts during which a trigger does nothing.
func (p place) unless(t Trigger) {
	for i, f := range t.Unless {
		switch here := p.in("unless", i); {
		case !here.fact(f):
		case !stands(f):
			here.wrong("%s comes at some time and does not last, so that nothing can be left alone during it", f)
		case !together(f, t.On):
			here.wrong("%s and %s never hold together", t.On, f)
		case slices.Contains(t.Unless[:i], f):
			here.wrong("%s is listed twice", f)
		}
	}
}

// opposed complains of two rows on standing facts, the same or such that can hold together for good, that move an issue back and forth.
func (c *checker) opposed() {
	for i, a := range c.life.Triggers {
		for _, b := range c.life.Triggers[:i] {
			if a.To != "" && b.To != "" && a.To != b.To && slices.Contains(a.In, b.To) && slices.Contains(b.In, a.To) &&
				stands(a.On) && stands(b.On) && together(a.On, b.On) && !slices.Contains(a.Unless, b.On) && !slices.Contains(b.Unless, a.On) {
				c.at("triggers", i).wrong("%s and %s can hold at the same time, and would move an issue between %q and %q for ever", b.On, a.On, b.To, a.To)
			}
		}
	}
}

// stands reports whether a fact is one that counts while it is so. The others move an issue once.
func stands(f Fact) bool {
	spec, known := SpecOf(f)
	return known && !spec.Once()
}

// sealing checks a trigger on a sealed fact: it holds in sealed states only, and leads out of them.
func (p place) sealing(t Trigger) {
	if !t.Sealed() {
		return
	}
	for i, name := range t.In {
		switch state, _ := p.life.State(name); {
		case !state.Sealed:
			p.in("in", i).wrong("%s is a fact of sealed states, and %q is none: write sealed: true there", t.On, name)
		case t.To == name:
			p.in("to").wrong("%s leads out of a sealed state, not into it again", t.On)
		}
	}
}

// seals complains of sealed states that nothing leads out of when their seal is broken.
func (c *checker) seals() {
	for i, s := range c.life.States {
		if !s.Sealed || slices.ContainsFunc(c.life.Triggers.Seals(s.Name), func(t Trigger) bool { return t.On == textChanged }) {
			continue
		}
		c.at("states", i, "sealed").wrong("state %q is sealed, and no trigger on %s leads out of it", s.Name, textChanged)
	}
}
