package lifecycle

import "slices"

// Bounds of scales.
const (
	maxLevels   = 10
	maxSentence = 80 // characters of a scale's meaning: the level is added to it
)

func (c *checker) scales() {
	c.hold("scales")
	for i := range c.life.Scales {
		here, s := c.at("scales", i), &c.life.Scales[i]
		s.prefix = c.life.LabelPrefix()
		switch {
		case len(s.Label(0)) > maxLabelName:
			here.in("name").wrong("label %q has more than GitHub's %d characters", s.Label(0), maxLabelName)
		case s.Levels < 2 || s.Levels > maxLevels:
			here.in("levels").wrong("levels %d is not from 2 to %d", s.Levels, maxLevels)
		case s.High < 1 || s.High >= s.Levels:
			here.in("high").wrong("high %d is not a level above 0", s.High)
		case !hexColor.MatchString(s.Color):
			here.in("color").wrong("color %q is not six hexadecimal digits", s.Color)
		case s.Meaning == "" || len(s.Meaning) > maxSentence:
			here.in("meaning").wrong("scale %q has no meaning of 1 to %d characters", s.Name, maxSentence)
		}
		for level := range min(max(s.Levels, 0), maxLevels) {
			if other, taken := c.life.StateOf(s.Label(level)); taken {
				here.in("name").wrong("label %q means state %q already", s.Label(level), other.Name)
			}
		}
	}
}

func (c *checker) priority() {
	c.hold("priority")
	for i, row := range c.life.Priority {
		here := c.at("priority", i)
		for j, name := range row {
			if !slices.ContainsFunc(c.life.Scales, func(s Scale) bool { return s.Name == name }) {
				here.in(j).wrong("priority names %q, which is no scale of this lifecycle", name)
			}
		}
		if len(row) == 0 {
			here.wrong("this row of the priority names no scale")
		}
	}
}
