package statemachine

import (
	"cmp"
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// editLabels makes the state's label the only state label, under its present name. Where Colony has stopped it does so once the issue was
// quiet for the breaker's window: that leaves nothing to fight with. What an allowed move left behind goes immediately.
func (d *decider) editLabels() (ends bool) {
	switch quiet := d.Standing.LastChange.Add(d.p.BreakerWindow); {
	case d.Standing.Stands:
		d.out.Remove = d.standingLabels(d.out.State)
	case d.out.Halted != nil && d.readBefore(quiet):
		d.out.Remove = d.leftBehind(d.Standing.Rejections)
		if !d.inOrder(d.out.Remove) {
			d.out.Wait = Wait{Why: Tidy, Until: quiet}
		}
	default:
		d.restoreLabels()
	}
	return false
}

// restoreLabels lists all edits that bring the labels to the state.
func (d *decider) restoreLabels() {
	want := d.life.Label(d.out.State)
	if want != "" && !lifecycle.HasLabel(d.Labels, want) {
		d.out.Add = append(d.out.Add, want)
	}
	for _, label := range d.Labels {
		if d.isState(label) && !lifecycle.SameLabel(label, want) {
			d.out.Remove = append(d.out.Remove, label)
			if !lifecycle.HasLabel(d.Standing.Present, d.life.PresentLabel(label)) { // once it is off, the log can ask for an explanation
				d.hold()
			}
		}
	}
	if len(d.out.Remove) > 1 && len(d.life.Guards) > 0 {
		d.refusedFirst(d.out.Remove)
	}
	if len(d.Standing.Rejections) > 0 {
		d.out.Remove = append(d.out.Remove, d.refusedLabels()...)
	}
	if len(d.Requests) > 0 {
		d.out.Remove = append(d.out.Remove, d.answeredRequests(d.out.State)...)
	}
	if lifecycle.HasLabel(d.Labels, lifecycle.Forced) && !d.ForcePending {
		d.out.Remove = append(d.out.Remove, lifecycle.Forced)
	}
}

// leftBehind returns the labels that an allowed move left behind. They can go already although something else on the issue is about to be
// refused.
func (d *decider) leftBehind(refused []Rejection) []string {
	last, ok := d.Standing.Since()
	if !ok || last.Kind != Moved || last.From == last.To || len(d.life.OnIssue(d.Labels, last.To)) == 0 {
		return nil
	}
	if slices.ContainsFunc(refused, func(r Rejection) bool { return r.follows(last.Moment) && (r.To == last.From || r.To == "") }) {
		return nil
	}
	if d.passesForVerdict() {
		return nil
	}
	return d.life.OnIssue(d.Labels, last.From)
}

// passesForVerdict reports whether taking off what the last move left behind could pass for the verdict about another request: for the
// refusal of one that guards granted, or for the grant of one that they refused. See record.
func (d *decider) passesForVerdict() bool {
	granted := d.unrecorded()
	return len(granted) > 0 && !d.finishes(granted) ||
		slices.ContainsFunc(d.Labels, func(label string) bool { return d.refusedByGuard(label) })
}

// refusedFirst orders labels that go such that what a guard refused goes before the others, and other names of the state's label after
// them: see record.
func (in *input) refusedFirst(labels []string) {
	rank := func(label string) int {
		state, _ := in.life.StateOf(label)
		switch {
		case in.refusedByGuard(label):
			return 0
		case state.Name == in.Standing.State:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// refusedByGuard reports whether a guard refused what a label asked for, and no later request for it was granted.
func (in *input) refusedByGuard(label string) bool {
	state, is := in.life.StateOf(label)
	return is && slices.ContainsFunc(in.Standing.Rejections, func(r Rejection) bool {
		return r.Verdict == lifecycle.Guarded && r.To == state.Name && !slices.ContainsFunc(in.Standing.Trail, func(m Move) bool { return m.To == r.To && m.follows(r.Moment) })
	})
}

// inOrder reports whether the label of the state, under its present name, is the only one of a state without some labels.
func (d *decider) inOrder(without []string) bool {
	want := d.life.Label(d.out.State)
	states := slices.DeleteFunc(slices.Clone(d.Labels), func(label string) bool { return !d.isState(label) || lifecycle.HasLabel(without, label) })
	return len(states) == 0 && want == "" || len(states) == 1 && lifecycle.SameLabel(states[0], want)
}

func (in *input) isState(label string) bool {
	_, is := in.life.StateOf(label)
	return is
}
