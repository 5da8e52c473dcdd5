package lifecycle

import "slices"

// BuiltInVerbs returns the verbs that every lifecycle has, so that no file declares them again.
func BuiltInVerbs() []string {
	return []string{"help", "status", "why", "history", "move", "force", "next", "depends-on", "independent-of"}
}

// Commands are the commands of a lifecycle, in the order of the file.
type Commands []Command

// Of returns the command of that verb.
func (all Commands) Of(verb string) (Command, bool) {
	return first(all, func(c Command) bool { return c.Verb == verb })
}

// StartsIn reports whether a command starts in a state.
func (c Command) StartsIn(state string) bool {
	return len(c.From) == 0 || slices.Contains(c.From, state)
}

// MayMake reports whether a command can ask for a move: its own, or one to a state that follows it.
func (c Command) MayMake(from, to string) bool {
	return c.StartsIn(from) && (c.To == to || c.To == Previous || c.Target != NotTaken)
}
