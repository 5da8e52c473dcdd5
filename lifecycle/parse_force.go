package lifecycle

import (
	"fmt"
	"slices"
)

// UnmarshalYAML takes a permission or off, or a mapping of by and into.
func (f *Force) UnmarshalYAML(decode func(any) error) error {
	var word string
	if err := decode(&word); err == nil {
		*f = Force{By: word}
		return nil
	}
	type rows Force
	if err := decode((*rows)(f)); err != nil {
		return fmt.Errorf("a permission, or by and into: %w", err)
	}
	return nil
}

// force checks what /colony:force may do.
func (c *checker) force() {
	f, here := &c.life.Force, c.at("force")
	into := here.in("into")
	switch {
	case here.unset():
	case f.By == ForceOff && len(f.Into) > 0:
		into.wrong("force is off, so it leads nowhere: leave into out")
	case f.By == ForceOff:
		*f = Force{Off: true}
	case f.By != "" && !slices.Contains(forcers, f.By):
		here.wrong("force is by %q, which is none of %s, %s", f.By, quotedList(forcers), ForceOff)
	case f.By == "" && len(f.Into) == 0:
		here.wrong("force says neither by whom nor into which states")
	default:
		f.Into = into.states("into", f.Into)
		for i, state := range f.Into {
			if c.life.byName[state].Label == "" {
				into.in(i).wrong("%q has no label, so nothing can be forced there", state)
			}
		}
	}
}
