package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// markNeedsHuman adds the mark once for what a person has to look at, and takes it off after the next allowed move that a person makes,
// or by which Colony ends the issue, if that is recent enough: what was asked since an older one is unknown. A person who takes the mark off
// earlier is right.
func (d *decider) markNeedsHuman() (ends bool) {
	if d.Standing.Stands {
		return false
	}
	there := lifecycle.HasLabel(d.Labels, lifecycle.NeedsHuman)
	var asked int64
	if len(d.open)+len(d.own) > 0 || d.out.Halted != nil {
		asked = d.asksPerson()
	}
	if there {
		asked = max(asked, d.reportedFailure())
	}
	if asked == 0 && !there {
		return false
	}
	acted, commanded := d.acted(asked)
	switch {
	case !there && asked > max(acted.ID, commanded, d.Standing.NeedsHumanID):
		d.out.Add = append(d.out.Add, lifecycle.NeedsHuman)
	case !there, acted.before(d.Standing.JudgedSince): // what was asked after such an old move is unknown
	case acted.ID > max(asked, d.Standing.NeedsHumanID) && (acted.By.Kind == lifecycle.Operator || d.Standing.MarkedByColony):
		d.out.Remove = append(d.out.Remove, lifecycle.NeedsHuman)
	case d.Standing.MarkedByColony && d.Standing.overtaken(acted, asked):
		return d.takeMarkOff(acted)
	}
	return false
}

// asksPerson returns the latest event that asks for a person; 0 if none does.
func (d *decider) asksPerson() int64 {
	var asked int64
	for _, r := range d.open {
		if r.AsksPerson {
			asked = max(asked, r.ID)
		}
	}
	for _, t := range d.own {
		if t.AsksPerson {
			asked = max(asked, t.ID)
		}
	}
	if d.out.Halted != nil {
		asked = max(asked, d.out.Halted.ID)
	}
	return asked
}

// takeMarkOff takes Colony's mark off after such a move, unless the mark is there for a command that was refused since, or for what was
// asked since. It could have been on its way during that move.
func (d *decider) takeMarkOff(acted Move) (ends bool) {
	if d.RefusedCommand == nil {
		return d.needs(Needs{Said: true})
	}
	if !d.RefusedCommand(acted.At) && acted.after(askedAt(d.LastAsked)) {
		d.out.Remove = append(d.out.Remove, lifecycle.NeedsHuman)
	}
	return false
}

// acted returns the latest allowed move that a person made by label, or by which Colony itself ended the issue, and the event of
// the latest that a person made otherwise, as far as they are later than what was asked. What is so old that it can take no mark off is left
// out.
func (in *input) acted(asked int64) (last Move, otherwise int64) {
	for _, m := range slices.Backward(in.Standing.Trail) {
		if m.Kind == Settled {
			continue // it has no event
		}
		if m.ID <= asked {
			break
		}
		ended := in.life.own(m) && in.life.IsEnd(m.To)
		if !ended && !in.life.intervened(m) {
			continue
		}
		if ended || m.By.Kind == lifecycle.Operator {
			return m, otherwise
		}
		otherwise = max(otherwise, m.ID)
	}
	return Move{}, otherwise
}

// overtaken reports whether the log has nothing that Colony's mark can be for since such a move: what the mark was for counts, and
// not when it landed.
func (s Standing) overtaken(acted Move, asked int64) bool {
	for _, r := range s.Rejections { // one that was withdrawn, silenced, or tripped the breaker can have caused it all the same
		asked = max(asked, r.ID)
	}
	return acted.ID > asked
}

// markFailure adds the mark NeedsHuman for work that failed, unless Colony moves the issue on from there.
func (d *decider) markFailure() (ends bool) {
	if d.reportedFailure() > d.Standing.NeedsHumanID && !d.Standing.Stands && d.out.Automatic == nil &&
		!lifecycle.HasLabel(d.Labels, lifecycle.NeedsHuman) && !lifecycle.HasLabel(d.out.Add, lifecycle.NeedsHuman) {
		d.out.Add = append(d.out.Add, lifecycle.NeedsHuman)
	}
	return false
}

// reportedFailure returns the event of the move by which a bot said that its work failed, if the issue is where that led. Who left a comment on
// what failed is answered by a person.
func (in *input) reportedFailure() (eventID int64) {
	s := &in.Standing
	m, known := s.Since()
	byBot := m.By.Kind == lifecycle.Executor || m.Ordered.Kind == lifecycle.Executor
	if !known || !byBot || s.State != in.life.BadRequest || m.Kind != Moved || m.before(s.JudgedSince) {
		return 0
	}
	return m.ID
}
