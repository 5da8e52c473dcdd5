package lifecycle

// BuiltInVerbs returns the verbs that every lifecycle has, so that no file declares them again.
func BuiltInVerbs() []string {
	return []string{"help", "status", "why", "history", "move", "force", "next", "depends-on", "independent-of"}
}
