package statemachine

import "testing"

// A bot that asks again after a retry has the same failure; after a person's own move it has a new one.
func TestBadRequestsOfAKindAreCounted(t *testing.T) {
	t.Parallel()
	life := colony(t)
	count := func(log ...string) []int {
		standing := life.Fold(traced(changes(t, log...)))
		var counts []int
		for _, r := range standing.Rejections {
			counts = append(counts, life.Repeated(standing, r))
		}
		return counts
	}
	for _, row := range []struct {
		name string
		log  []string
		want []int
	}{
		{"once", []string{"olga +in-development", "bot +done"}, []int{1}},
		{"again after a retry", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +done"}, []int{1, 2}},
		{"another request", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +merge-pending"}, []int{1, 1}},
		{"from another state", []string{"olga +in-development", "bot +done", "olga +in-review", "bot +done"}, []int{1, 1}},
		{"after a person began anew", []string{"olga +in-development", "bot +done", "olga +new", "olga +in-development", "bot +done"}, []int{1, 1}},
		{"a person's wrong label", []string{"olga +done", "olga +new"}, []int{0}},
	} {
		got := count(row.log...)
		if len(got) != len(row.want) {
			t.Errorf("%s: %v, want %v", row.name, got, row.want)
			continue
		}
		for i := range got {
			if got[i] != row.want[i] {
				t.Errorf("%s: %v, want %v", row.name, got, row.want)
				break
			}
		}
	}
}

// A status shows the last failure, as long as no person has decided about the work since.
func TestFailing(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for _, row := range []struct {
		name string
		log  []string
		to   string
		want int
	}{
		{"none", []string{"olga +in-development"}, "", 0},
		{"once", []string{"olga +in-development", "bot +done"}, "done", 1},
		{"again after a retry", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +done"}, "done", 2},
		{"retried once more", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +done", "olga +in-development"}, "done", 2},
		{"the last of two kinds", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +merge-pending"}, "merge-pending", 1},
		{"a person decided since", []string{"olga +in-development", "bot +done", "olga +in-development", "bot +done", "olga +new"}, "", 0},
		{"a person's wrong label", []string{"olga +done", "olga +new"}, "", 0},
	} {
		if r, n := life.Failing(life.Fold(traced(changes(t, row.log...)))); r.To != row.to || n != row.want {
			t.Errorf("%s: %s, %d times", row.name, r.To, n)
		}
	}
}
