package statemachine

// Closure is one `closed` or `reopened` event of an issue.
type Closure struct {
	Moment
	Closed bool // else opened again
}

// closedAt reports whether an issue was closed at a moment of its log.
func closedAt(closures []Closure, m Moment) bool {
	closed := false
	for _, c := range closures {
		if !m.follows(c.Moment) {
			break
		}
		closed = c.Closed
	}
	return closed
}
