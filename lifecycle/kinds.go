package lifecycle

// Kinds returns the kinds of allowed moves in the order in which documents list them.
func Kinds() []Kind {
	return []Kind{Enter, Forward, Backward, Again, Pause, Resume, Abandon}
}
