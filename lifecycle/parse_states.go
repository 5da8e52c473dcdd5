package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

func (c *checker) states() {
	if len(c.life.States) == 0 {
		c.at("states").wrong("states is missing: a lifecycle has at least one state")
		return
	}
	c.hold("states")
	if len(c.life.States) == 0 { // there were too many
		return
	}
	for i := range c.life.States {
		c.at("states", i).state(&c.life.States[i])
	}
	if c.life.BadRequest != "" {
		c.at("bad-request").known("bad-request", c.life.BadRequest)
	}
	for i, s := range c.life.States {
		if s.Label == "" && s.Name != c.life.Initial {
			c.at("states", i).wrong("state %q has no label: only the initial state may be without one", s.Name)
		}
	}
	c.begin()
}

// begin finds the state of an issue without a state label: the initial state, if that has no label, or a place outside of the
// lifecycle, from which issues enter it.
func (c *checker) begin() {
	c.begins = c.life.Initial
	if !c.at("initial").known("initial", c.begins) || c.life.byName[c.begins].Label == "" {
		return
	}
	c.life.Initial = Outside
	c.life.byName[Outside] = &State{
		Name: Outside, Type: Active, Meaning: "The issue carries no label of this lifecycle.",
	}
	c.life.legal[[2]string{Outside, c.begins}] = &Pair{
		From: Outside, To: c.begins, Kind: Enter, Why: "The issue enters the lifecycle",
	}
}

func (p place) state(s *State) {
	recovers := s.Recovery == RecoveryAuto || s.Recovery == RecoveryManual
	switch known := isWord("states.type", s.Type); {
	case known && s.Type == Blocked && !recovers:
		p.in("recovery").wrong("recovery %q of a blocked state is not auto or manual", s.Recovery)
	case known && s.Type != Blocked && s.Recovery != "":
		p.in("recovery").wrong("only a blocked state has a recovery")
	}
	if s.Name == Outside {
		p.in("name").wrong("%q is what an issue without a state label is called; no state can have that name", Outside)
	}
	if n := utf8.RuneCountInString(s.Glyph); n > maxGlyph || strings.ContainsFunc(s.Glyph, unprintable) {
		p.in("glyph").wrong("glyph %q is not one sign", s.Glyph)
	}
	if isWord("states.closes", s.Closes) && s.Type != Terminal {
		p.in("closes").wrong("only a terminal state closes the issue")
	}
	p.life.byName[s.Name] = s
	if s.Label != "" {
		p.label(s)
	} else if len(s.Previously) > 0 {
		p.in("previously").wrong("state %q has no label, so no label can have been called otherwise", s.Name)
	}
}

// label checks the label of a state, and gives its names to the state.
func (p place) label(s *State) {
	p.in("label").labelName(s.Label)
	for i, name := range s.Previously {
		p.in("previously", i).labelName(name)
	}
	if !hexColor.MatchString(s.Color) {
		p.in("color").wrong("color %q is not six hexadecimal digits", s.Color)
	}
	switch n := utf8.RuneCountInString(s.Description); {
	case n == 0:
		p.wrong("state %q has no description for its label", s.Name)
	case n > maxLabelDescription:
		p.in("description").wrong("description has %d characters, more than GitHub's %d", n, maxLabelDescription)
	}
	p.in("label").taken(s.Label, s)
	for i, name := range s.Previously {
		p.life.adopts = true
		p.in("previously", i).taken(name, s)
	}
}

// labelName checks the name of a state's label, which need not begin with the prefix: a repository might have it already.
func (p place) labelName(name string) {
	switch n := utf8.RuneCountInString(name); {
	case n > maxLabelName:
		p.wrong("label %q has %d characters, more than GitHub's %d", name, n, maxLabelName)
	case strings.TrimSpace(name) == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
		p.wrong("%q cannot be the name of a label: it is empty, begins or ends with a blank, or holds a line break", name)
	case strings.Contains(name, ","):
		p.wrong("label %q holds a comma: GitHub lists no issues by such a label, so rename it first", name)
	case HasNoAddress(name):
		p.wrong("label %q has no address on GitHub: who takes it off takes all labels off", name)
	case SameLabel(name, p.life.LabelPrefix()):
		p.wrong("label %q is the label-prefix alone", name)
	}
	if IsMark(name) {
		p.wrong("label %q is one of Colony's marks and cannot be a state", name)
	}
}

// taken gives the name of a label to a state. No label means two things.
func (p place) taken(name string, s *State) {
	switch other := p.life.byLabel[FoldCase(name)]; {
	case other == nil:
		p.life.byLabel[FoldCase(name)] = s
	case other == s:
		p.wrong("label %q is listed twice in state %q", name, s.Name)
	case SameLabel(other.Label, name):
		p.wrong("label %q is the label of state %q already", name, other.Name)
	default:
		p.wrong("label %q is what the label of state %q was called, so it means that state already", name, other.Name)
	}
}

// unprintable reports whether a character is no part of a sign: emoji hold variation selectors and joiners.
func unprintable(r rune) bool { return !unicode.IsGraphic(r) && r != 0xFE0F && r != 0x200D }
