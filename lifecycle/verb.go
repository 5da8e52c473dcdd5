package lifecycle

// BuiltInVerbs returns the verbs that every lifecycle has, so that no file declares them again.
func BuiltInVerbs() []string {
	return []string{"help", "status", "why", "history", "move", "force", "next", "depends-on", "independent-of"}
}

// Commands are the commands of a lifecycle, in the order of the file.
type Commands []Command

// Of returns the command of that verb.
func (all Commands) Of(verb string) (Command, bool) {
	for _, c := range all {
		if c.Verb == verb {
			return c, true
		}
	}
	return Command{}, false
}
