package lifecycle

import "slices"

// force checks what /colony:force can do.
func (c *checker) force() {
	f, here := &c.life.Force, c.at("force")
	into := here.in("into")
	switch {
	case here.gone || here.node.Tag == "!!null":
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
