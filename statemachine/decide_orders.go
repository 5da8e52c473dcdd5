package statemachine

// findOrders needs to know who ordered each of Colony's moves.
func (d *decider) findOrders() (ends bool) {
	return d.needs(Needs{OrdersSince: d.Standing.Unordered})
}
