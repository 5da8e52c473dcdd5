package reconcile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
)

func TestWritesThatFit(t *testing.T) {
	t.Parallel()
	full := func(n int, labels ...string) []string {
		for len(labels) < n {
			labels = append(labels, fmt.Sprint("x", len(labels)))
		}
		return labels
	}
	add := func(labels ...string) issues.Write { return issues.Write{Add: labels} }
	remove := func(label string) issues.Write { return issues.Write{Remove: label} }
	says := issues.Write{Comment: "no"}
	for name, row := range map[string]struct {
		labels       []string
		writes, want []issues.Write
		left         []string
	}{
		"room":                       {full(98, "b"), []issues.Write{add("A", "mark"), remove("b"), says}, []issues.Write{add("A", "mark"), remove("b"), says}, nil},
		"there already":              {full(100, "b", "mark"), []issues.Write{add("mark"), remove("b")}, []issues.Write{add("mark"), remove("b")}, nil},
		"room for one after another": {full(100, "b"), []issues.Write{add("A"), remove("b"), says}, []issues.Write{remove("b"), add("A"), says}, nil},
		"no room for the mark":       {full(100, "b"), []issues.Write{add("mark", "A"), remove("b"), says}, []issues.Write{remove("b"), add("A"), says}, []string{"mark"}},
		"room for all after two":     {full(100, "b", "c"), []issues.Write{add("A", "mark"), says, remove("b"), remove("c")}, []issues.Write{remove("b"), remove("c"), add("A", "mark"), says}, nil},
		"a mark alone":               {full(100), []issues.Write{add("mark"), says}, []issues.Write{says}, []string{"mark"}},
		"on and off":                 {full(100), []issues.Write{add("mark"), remove("mark")}, nil, []string{"mark"}},
		"no room for the state":      {full(100), []issues.Write{add("A", "mark"), says}, []issues.Write{add("A"), says}, []string{"mark"}},
		"what is gone makes no room": {full(100), []issues.Write{add("A"), remove("b")}, []issues.Write{add("A"), remove("b")}, nil},
	} {
		before := slices.Clone(row.writes)
		got, left := fitting(row.labels, row.writes, func(label string) bool { return strings.ToUpper(label) == label })
		if diff := cmp.Diff(row.want, got); diff != "" || !slices.Equal(left, row.left) || !cmp.Equal(before, row.writes) {
			t.Errorf("%s: left %q, -want +got:\n%s", name, left, diff)
		}
	}
}
