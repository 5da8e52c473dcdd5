package statemachine

// halt finds out whether the breaker is tripped: then Colony undoes nothing on the issue until a person makes an allowed move.
func (d *decider) halt() (ends bool) {
	d.out.Halted, d.silenced = d.breaker()
	return false
}
