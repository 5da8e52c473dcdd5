package access_test

import (
	"context"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/access"
)

func TestNamesThatRepositoriesCanHave(t *testing.T) {
	t.Parallel()
	for full, want := range map[string]bool{
		"acme/widgets": true, "acme/.github": true, "a/-": true, "a_b-1/_": true, strings.Repeat("a", 100) + "/" + strings.Repeat("b", 100): true,
		"/widgets": false, "acme/": false, "acme/.": false, "acme/..": false, "-acme/x": false, ".acme/x": false, "ac.me/x": false, "acme/a b": false, "acme/a%2Fb": false,
		"acme/a\n": false, "acme\n/a": false, strings.Repeat("a", 101) + "/x": false, "acme/" + strings.Repeat("b", 101): false,
	} {
		owner, name, _ := strings.Cut(full, "/")
		if got := access.IsName(owner, name); got != want {
			t.Errorf("%q: %t", full, got)
		}
	}
}

// What cannot be a repository costs no call, and what can be one is asked for.
func TestOnlyNamesOfRepositoriesAreAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.github.AddRepository("acme", ".github")
	v := w.viewer(w.github.Token("pat"))
	if !w.may(v, ".github") {
		t.Error("a repository is not asked for")
	}
	w.github.ResetCalls()
	for _, number := range []int{0, 1} {
		if may, err := w.reader.MayRead(context.Background(), v, ".github", "acme", number); may || err != nil {
			t.Errorf("no owner has this name: %t, %v", may, err)
		}
	}
	if may, err := w.reader.MayRead(context.Background(), v, ".github", "acme", 0); may || err != nil {
		t.Errorf("no owner has this name: %t, %v", may, err)
	}
	if calls := w.github.Calls(); len(calls) > 0 {
		t.Errorf("what is no repository is asked for: %+v", calls)
	}
}
