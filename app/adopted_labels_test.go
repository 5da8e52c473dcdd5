package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/bench/acme"
)

// A Colony that runs renames the labels as well, where the repository's own file says so: it makes no second ones.
func TestColonyRenamesWhatARepositorysFileAdopts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all := w.people.HadIssues(17)
	w.Settle()
	w.Bring(w.people.AdoptingLifecycle())
	w.Settle()
	w.people.KeepState(all)
	for _, name := range w.RepositoryLabels() {
		if strings.HasPrefix(name, "status: ") && name != "status: unknown" {
			t.Errorf("there is %q still", name)
		}
	}
	w.github.ResetCalls()
	w.Sweep()
	w.Settle()
	for _, h := range all {
		if said := w.people.Said(h.Number); len(said) > 0 {
			t.Errorf("Colony says something on #%d: %q", h.Number, said)
		}
	}
	w.WritesNothing("after it renamed the labels")

	h := all[slices.IndexFunc(all, func(h acme.Had) bool { return h.State == "in-review" && !h.Closed })]
	foreign := slices.DeleteFunc(w.labelsOf(h.Number), func(l string) bool { return l == "In review" })
	moved := w.heed(h.Number)
	moved.Label("olivia", "New")
	w.Settle()
	moved.Has(append(foreign, "In review", "colony:needs-human")...)
	moved.ColonySays("from `in-review` to `new`")
	moved.Label("olivia", "Merge pending")
	w.Settle()
	moved.Has(append(foreign, "Merge pending")...)
	moved.Label("olivia", "Status: Done") // a script that knows the earlier name only makes the label again
	w.Settle()
	moved.Has(append(foreign, "Done")...)
}
