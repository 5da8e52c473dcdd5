package statemachine

// Closure is one `closed` or `reopened` event of an issue.
type Closure struct {
	Moment
	Closed bool // else opened again
}

// closedAt reports whether the issue was closed at a moment of its log.
func (h *History) closedAt(m Moment) bool {
	closed := false
	for _, c := range h.Closures {
		if !m.follows(c.Moment) {
			break
		}
		closed = c.Closed
	}
	return closed
}
