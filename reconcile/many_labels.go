package reconcile

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// maxLabels is how many labels GitHub lets an issue have; a call that adds more is refused as a whole.
const maxLabels = 100

// fitting returns writes in an order that an issue with some labels has room for, and the marks that it has no room for. Where room is short, a label
// is taken off before others are added: the issue can be without a state for a moment, which its log still tells. A mark without room is not taken off
// either. A state without room stays among the writes, for GitHub to refuse.
func fitting(labels []string, writes []issues.Write, isState func(label string) bool) (fit []issues.Write, left []string) {
	added := 0
	for _, w := range writes {
		added += len(w.Add)
	}
	if len(labels)+added <= maxLabels {
		return writes, nil
	}
	waiting := slices.Clone(writes)
	for len(waiting) > 0 {
		w := waiting[0]
		if len(w.Add) > 0 && len(afterWrites(labels, waiting[:1])) > maxLabels {
			if next := slices.IndexFunc(waiting, func(w issues.Write) bool { return w.Remove != "" && lifecycle.HasLabel(labels, w.Remove) }); next > 0 {
				first := waiting[next]
				waiting = slices.Insert(slices.Delete(waiting, next, next+1), 0, first)
				continue
			}
			omitted := marksTooMany(labels, w.Add, isState)
			left = append(left, omitted...)
			w.Add = slices.DeleteFunc(slices.Clone(w.Add), func(label string) bool { return slices.Contains(omitted, label) })
			if len(w.Add) == 0 {
				waiting = waiting[1:]
				continue
			}
		}
		if lifecycle.HasLabel(left, w.Remove) && !lifecycle.HasLabel(labels, w.Remove) {
			waiting = waiting[1:]
			continue
		}
		fit, labels, waiting = append(fit, w), afterWrites(labels, []issues.Write{w}), waiting[1:]
	}
	return fit, left
}

// marksTooMany are the labels, among the ones to be added, that are no states, not there, and too many.
func marksTooMany(labels, added []string, isState func(label string) bool) (left []string) {
	tooMany := len(afterWrites(labels, []issues.Write{{Add: added}})) - maxLabels
	for _, label := range slices.Backward(added) {
		if len(left) < tooMany && !isState(label) && !lifecycle.HasLabel(labels, label) {
			left = append(left, label)
		}
	}
	return left
}
