package statemachine

// Kinds returns the kinds of legal moves in the order in which people are told of them.
func Kinds() []Kind {
	return []Kind{Enter, Forward, Backward, Again, Pause, Resume, Abandon}
}
