package lifecycle

import (
	"fmt"
	"slices"
)

// fileForce is a word, or who and into which states.
type fileForce struct {
	By   string    `yaml:"by"`
	Into oneOrMore `yaml:"into"`
}

// UnmarshalYAML accepts both spellings.
func (f *fileForce) UnmarshalYAML(decode func(any) error) error {
	var word string
	if err := decode(&word); err == nil {
		*f = fileForce{By: word}
		return nil
	}
	type rows fileForce
	var r rows
	if err := decode(&r); err != nil {
		return fmt.Errorf("a permission, or by and into: %w", err)
	}
	*f = fileForce(r)
	return nil
}

// force checks what /colony:force may do.
func (c *checker) force(doc fileDocument) {
	f := doc.Force
	if f == nil {
		return
	}
	here := at("force")
	switch {
	case f.By == ForceOff && len(f.Into) > 0:
		c.wrong(append(here, "into"), "force is off, so it leads nowhere: leave into out")
	case f.By == ForceOff:
		c.life.Force.Off = true
	case f.By != "" && !slices.Contains(forcers, f.By):
		c.wrong(here, "force is by %q, which is none of %s, %s", f.By, quotedList(forcers), ForceOff)
	default:
		c.life.Force = Force{By: f.By, Into: c.words(append(slices.Clone(here), "into"), "into", f.Into)}
	}
	for i, state := range c.life.Force.Into {
		if c.life.byName[state] != nil && c.life.byName[state].Label == "" {
			c.wrong(append(slices.Clone(here), "into", i), "%q has no label, so nothing can be forced there", state)
		}
	}
	if f.By == "" && len(f.Into) == 0 {
		c.wrong(here, "force says neither by whom nor into which states")
	}
}
