package statemachine

// close closes an issue that has come to where its lifecycle ends it, unless it was opened again since.
func (d *decider) close() (ends bool) {
	entered, known := d.Standing.Since()
	how := d.life.Closes(d.out.State)
	stays := how == "" || d.Closed || d.out.Automatic != nil || d.out.Halted != nil || !known || entered.Kind == Settled || entered.Kind == Stood
	// What is unknown the next reconciliation reads.
	if !stays && len(d.Facts.Unread(d.belatedReadings())) == 0 && !d.reopened() && !entered.before(d.Standing.JudgedSince) {
		d.out.Close = how
	}
	return false
}
