package statemachine

import "time"

// A guard whose conditions cannot be read neither grants nor refuses: the labels remain as they were left with the request. Colony tries
// again a bounded number of times, then says so, and later sweeps try again.

// awaitGuards reads what the guards of pending moves need. Nothing else is done while their verdict is unknown: the next step depends on
// where the issue is, and what Colony writes could pass for a verdict. Where Colony only warns, it asks no person.
func (d *decider) awaitGuards() (ends bool) {
	s := &d.Standing
	switch {
	case !d.GuardsRead:
		return d.needs(Needs{Guards: s.Pending})
	case d.MayWait:
		return d.waits(Wait{Why: Unread}, nil)
	case d.Asked == nil:
		return d.needs(Needs{Said: true})
	}
	d.waits(Wait{Why: Undecided}, nil)
	var asked []Asked
	for _, a := range s.Pending {
		asked = append(asked, Asked{
			State: a.From, To: a.To, Why: d.Unreadable, AsksPerson: a.AsksPerson && !s.Stands,
			IDs: []int64{questionID(a.At.Add(-time.Second), a.To)}, // the move itself, once it is granted, comes after what was asked
		})
	}
	d.ask(asked)
	return true
}
