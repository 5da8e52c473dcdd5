package lifecycle

import "slices"

// Bounds of scales.
const (
	maxScales   = 4
	maxLevels   = 10
	maxSentence = 80 // characters of a scale's meaning: the level is added to it
)

func (c *checker) scales(doc fileDocument) {
	if len(doc.Scales) > maxScales {
		c.wrong(at("scales"), "%d scales, more than %d", len(doc.Scales), maxScales)
		return
	}
	for i, f := range doc.Scales {
		here := at("scales", i)
		c.slug(append(here, "name"), "name", f.Name)
		c.plain(append(here, "meaning"), f.Meaning)
		s := Scale{Name: f.Name, Levels: f.Levels, High: f.High, Color: f.Color, Meaning: f.Meaning, prefix: c.life.LabelPrefix()}
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
				c.wrong(append(here, "name"), "label %q means state %q already", s.Label(level), other.Name)
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
