package schematest

import (
	"slices"

	"github.com/colony-app/colony/playground/deviations"
)

// rows names every row of both tables.
func rows() []string {
	var all []string
	for _, d := range deviations.Deviations {
		all = append(all, d.String())
	}
	for _, u := range deviations.Statuses {
		all = append(all, u.String())
	}
	return all
}

func undescribedFor(status int, where string) *deviations.Undescribed {
	for i, row := range deviations.Statuses {
		if row.From <= status && status <= row.To && row.Where.MatchString(where) {
			return &deviations.Statuses[i]
		}
	}
	return nil
}

// excused is whether a row of the table accounts for a problem. again gives the problems with a fixed body.
func (w *Watch) excused(description, where, problem string, again func(mended func(any) any) []string) bool {
	for _, d := range deviations.Deviations {
		if d.Description != "" && d.Description != description || !d.Where.MatchString(where) || !d.Problem.MatchString(problem) {
			continue
		}
		if d.Mended != nil && slices.Contains(again(d.Mended), problem) {
			continue
		}
		w.use(d.String())
		return true
	}
	return false
}
