package lifecycle

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
			if len(s.Previously) > 0 {
				c.wrong(append(here, "previously"), "state %q has no label, so no label can have been called otherwise", s.Name)
			}
			continue
		}
		c.taken(append(slices.Clone(here), "label"), s.Label, s)
		for j, name := range s.Previously {
			c.life.adopts = true
			c.taken(append(slices.Clone(here), "previously", j), name, s)
		}
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

// taken gives the name of a label to a state. No label means two things.
func (c *checker) taken(here []any, name string, s *State) {
	switch other := c.life.byLabel[FoldCase(name)]; {
	case other == nil:
		c.life.byLabel[FoldCase(name)] = s
	case other == s:
		c.wrong(here, "label %q is listed twice in state %q", name, s.Name)
	case SameLabel(other.Label, name):
		c.wrong(here, "label %q is the label of state %q already", name, other.Name)
	default:
		c.wrong(here, "label %q is what the label of state %q was called, so it means that state already", name, other.Name)
	}
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
	c.labelName(append(slices.Clone(here), "label"), f.Label)
	if len(f.Previously) > maxPreviously {
		c.wrong(append(slices.Clone(here), "previously"), "%d names, more than %d", len(f.Previously), maxPreviously)
	}
	for i, name := range f.Previously {
		c.labelName(append(slices.Clone(here), "previously", i), name)
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

// labelName checks the name of a state's label, which need not begin with the prefix: a repository may have it already.
func (c *checker) labelName(here []any, name string) {
	switch n := utf8.RuneCountInString(name); {
	case n > maxLabelName:
		c.wrong(here, "label %q has %d characters, more than GitHub's %d", name, n, maxLabelName)
	case strings.TrimSpace(name) == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
		c.wrong(here, "%q cannot be the name of a label: it is empty, begins or ends with a blank, or holds a line break", name)
	case strings.Contains(name, ","):
		c.wrong(here, "label %q holds a comma: GitHub lists no issues by such a label, so rename it first", name)
	case SameLabel(name, c.life.LabelPrefix()):
		c.wrong(here, "label %q is the label-prefix alone", name)
	}
	for _, m := range Marks() {
		if SameLabel(m.Label, name) {
			c.wrong(here, "label %q is one of Colony's marks and cannot be a state", name)
		}
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
