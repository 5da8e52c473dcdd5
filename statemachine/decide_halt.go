package statemachine

// halt finds out whether the breaker is tripped: then Colony undoes nothing on the issue until a person makes an allowed move.
func (d *decider) halt() (ends bool) {
	tripped, silenced, doubt := d.life.breaker(d.p, &d.in)
	d.out.Halted, d.silenced = tripped, silenced
	return d.needs(Needs{OrdersSince: doubt})
}
