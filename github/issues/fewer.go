package issues

import (
	"context"
	"slices"
)

// Fewer reports whether fewer than so many open issues carry one of some labels, one issue aside. Labels are the labels that mean a state. It reads
// one page of each label, and further ones only where GitHub lists so many pull requests with it.
func (s lists) Fewer(ctx context.Context, repo Repository, labels []string, most, aside int) (bool, error) {
	var found []int
	for _, label := range labels {
		for number, more := 1, true; more; number++ {
			var list []Entry
			var err error
			if list, more, err = s.List(ctx, repo, WithLabel(label).At(number, perPage)); err != nil {
				return false, err
			}
			for _, e := range list {
				if e.Number != aside && !slices.Contains(found, e.Number) {
					found = append(found, e.Number)
				}
			}
			if len(found) >= most {
				return false, nil
			}
		}
	}
	return true, nil
}
