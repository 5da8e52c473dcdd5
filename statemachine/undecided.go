package statemachine

import "slices"

// A guard whose facts cannot be read neither grants nor refuses: the labels stay as whoever asked has left them. Colony tries again a
// bounded number of times, then says so, and later sweeps try again.

// undecided decides about an issue on which it is not known whether a move is granted. Nothing else is done there meanwhile: what comes
// next depends on where the issue is.
func (l *Lifecycle) undecided(in Input) Decision {
	d := Decision{State: in.Standing.State}
	switch {
	case !in.ConditionsRead:
		d.NeedConditions = true
		return d
	case in.MayWait:
		d.Unread = true
		return d
	case in.Asked == nil:
		d.NeedAnswers = true
		return d
	}
	d.Undecided = true
	var asked []Asked
	for _, a := range in.Standing.Pending {
		asked = append(asked, Asked{
			State: a.From, To: a.To, Why: in.Unreadable, AsksPerson: a.AsksPerson,
			ID: a.At.Unix() - 1, // the move itself, once it is granted, comes after what was asked
		})
	}
	ask(&d, in, asked)
	return d
}

// recordGrant leaves in the log that a move was granted that depended on more than the log, unless finishing it does. Each has a mark of its
// own, and nothing else is written before the last: a label that goes or comes back could pass for a refusal of what has none yet.
func (l *Lifecycle) recordGrant(in Input, d *Decision) {
	marked := HasLabel(in.Labels, Checked)
	if marked {
		d.Remove = append(d.Remove, Checked)
	}
	granted := in.unrecorded()
	if len(granted) == 0 || l.finishes(in, granted) && d.Halted == nil {
		return
	}
	d.Held = true
	refused := slices.DeleteFunc(slices.Clone(d.Remove), func(label string) bool { return !l.refusedByGuard(in.Standing, label) })
	untold := slices.DeleteFunc(slices.Clone(d.Explain), func(r Rejection) bool { return r.Verdict != Guarded })
	switch {
	case len(refused)+len(untold) > 0: // a mark would pass for a grant of these
		d.Add, d.Remove, d.Explain = nil, refused, untold
	case marked: // only an event records anything
		d.Add, d.Remove, d.Explain = nil, []string{Checked}, nil
	case len(granted) > 1:
		d.Add, d.Remove, d.Explain = []string{Checked}, []string{Checked}, nil
	default:
		d.Add, d.Remove = slices.Insert(d.Add, 0, Checked), append(d.Remove, Checked)
	}
}

// unrecorded returns the events of the moves that guards granted and that have no record in the log.
func (in Input) unrecorded() []int64 {
	return slices.DeleteFunc(slices.Clone(in.Standing.Granted), func(id int64) bool { // what was taken back needs no record
		return !slices.ContainsFunc(in.Standing.Trail, func(m Move) bool { return m.EventID == id })
	})
}

// finishes reports whether taking off what the last move left behind records the only grant that has no record.
func (l *Lifecycle) finishes(in Input, granted []int64) bool {
	last, _ := in.Standing.Since()
	return len(granted) == 1 && last.EventID == granted[0] && last.From != last.To && len(l.OnIssue(in.Labels, last.From)) > 0
}
