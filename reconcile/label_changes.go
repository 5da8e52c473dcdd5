package reconcile

import (
	"slices"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

type labelChange struct {
	label string
	added bool
}

// changing lists what writes change about these labels, in order: there is no event of adding what is there. after are the labels then.
func changing(labels []string, writes []issues.Write) (changes []labelChange, after []string) {
	after = slices.Clone(labels)
	for _, w := range writes {
		for _, label := range w.Add {
			if !lifecycle.HasLabel(after, label) {
				changes, after = append(changes, labelChange{label, true}), append(after, label)
			}
		}
		if w.Remove != "" && lifecycle.HasLabel(after, w.Remove) {
			changes = append(changes, labelChange{w.Remove, false})
			after = slices.DeleteFunc(after, func(l string) bool { return lifecycle.SameLabel(l, w.Remove) })
		}
	}
	return changes, after
}

func afterWrites(labels []string, writes []issues.Write) []string {
	_, after := changing(labels, writes)
	return after
}
