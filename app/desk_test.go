package app

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A look that has waited as often as it may is not kept from waiting for what is hidden from the looks that follow it.
func TestNextLookMayWaitAnew(t *testing.T) {
	t.Parallel()
	about := &About{To: "in-development"}
	for _, test := range []struct {
		name  string
		later Later
		want  Before
	}{
		{"waits on", Later{Waits: true, Refusing: true}, Before{Waited: 6, Refusing: true, About: about}},
		{"wrote something", Later{}, Before{About: about}},
		{"is quiet later", Later{Refusing: true}, Before{Refusing: true, About: about}},
		{"moved the issue", Later{About: &About{To: "done"}}, Before{About: &About{To: "done"}}},
	} {
		e := entry{Before: Before{Waited: 5, About: about}, Paced: true}
		e.next(&test.later)
		if diff := cmp.Diff(test.want, e.Before); diff != "" || e.Paced {
			t.Errorf("%s: %s %v", test.name, diff, e.Paced)
		}
	}
}
