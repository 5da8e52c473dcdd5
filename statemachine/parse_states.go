package statemachine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

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
	if prefix := c.life.LabelPrefix(); !strings.HasPrefix(foldCase(f.Label), foldCase(prefix)) || len(f.Label) == len(prefix) {
		c.wrong(append(here, "label"), "label %q does not begin with %q, which is how Colony knows its labels (label-prefix sets another)", f.Label, prefix)
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

// unprintable reports whether a character is no part of a sign: emoji hold variation selectors and joiners.
func unprintable(r rune) bool { return !unicode.IsGraphic(r) && r != 0xFE0F && r != 0x200D }
