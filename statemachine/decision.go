package statemachine

import "github.com/colony-app/colony/lifecycle"

// Decision is what is to be done about an issue's labels. The order in which it is applied is: add, remove, explain.
// Explanations carry a marker and the other two are repeatable, so a crash between any two leaves nothing that the next reconciliation
// does not finish.
type Decision struct {
	// State is the state that the labels are brought to.
	State string
	LabelEdits
	// Explain lists the rejections that have no comment yet.
	Explain []Rejection
	// Halted is the rejection that tripped the breaker, if it is tripped; HaltUnsaid says that no comment says so yet.
	Halted     *Rejection
	HaltUnsaid bool
	// Announce lists the moves that Colony made on its own and has to announce.
	Announce []Announcement
	// Automatic is a move that Colony makes on its own; the label edits make it.
	Automatic *Automatic
	// Withheld is a move that Colony would make on its own, but does not make where it only warns.
	Withheld *Automatic
	// Ask lists the questions to a person about an issue that remains where it is.
	Ask []Asked
	// Close says how the issue is to be closed; empty if it is left as it is.
	Close lifecycle.CloseReason
	// Kept says that the issue is not moved although there is capacity: a fact keeps it where it is.
	Kept bool
	// Wait says when the issue has to be reconciled again.
	Wait Wait
}

// LabelEdits are the labels that Colony puts on an issue and takes off it.
type LabelEdits struct {
	Add, Remove []string
	// Repeat is the label that goes off and on again, for one more round in the same state: only that leaves an event.
	Repeat string
}

// Nothing reports whether there is nothing to write.
func (d Decision) Nothing() bool {
	return len(d.Explain) == 0 && len(d.Announce) == 0 && !d.HaltUnsaid && len(d.Add) == 0 && len(d.Remove) == 0 &&
		d.Repeat == "" && d.Close == "" && len(d.Ask) == 0
}

// Settled reports whether there is nothing to do about an issue, now or later, and Colony is not stopped there.
func (d Decision) Settled() bool {
	return d.Nothing() && d.Halted == nil && d.Wait.Why == ""
}
