package statemachine

// findOrders needs to know who ordered Colony's moves, if the standing depends on that.
func (d *decider) findOrders() (ends bool) {
	return d.needs(Needs{OrdersSince: d.in.Standing.Doubt})
}
