package access_test

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/colony-app/colony/app/access"
)

// asked are the calls to GitHub so far.
func (w *world) asked() (calls []string) {
	for _, c := range w.github.Calls() {
		calls = append(calls, c.Method+" "+c.Path)
	}
	return calls
}

// One question covers a hundred repositories. One repository alone is a call that costs nothing if its answer is as before.
func TestHowManyCallsManyRepositoriesCost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	v := w.viewer(w.github.Token("rita"))
	for n, want := range map[int][]string{
		1: {"GET /repos/acme/alone0/issues"}, 2: {"POST /api/graphql"}, 100: {"POST /api/graphql"}, 102: {"POST /api/graphql", "POST /api/graphql"},
		101: {"POST /api/graphql", "GET /repos/acme/more100/issues"},
	} {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("%s%d", map[int]string{1: "alone", 2: "both", 100: "hundred", 101: "more", 102: "most"}[n], i))
		}
		w.github.ResetCalls()
		readable, err := w.among(v, names...)
		w.must(err)
		if got := w.asked(); !slices.Equal(got, want) || len(readable) > 0 {
			t.Errorf("%d repositories cost %v, not %v", n, got, want)
		}
	}
}

// A token that ended is forgotten by each question that finds out.
func TestATokenThatEndedIsForgotten(t *testing.T) {
	t.Parallel()
	for name, finds := range map[string]func(w *world, v access.Viewer) error{
		"many": func(w *world, v access.Viewer) error { _, err := w.among(v, "secret", "widgets"); return err },
		"one":  func(w *world, v access.Viewer) error { _, err := w.among(v, "secret"); return err },
		"one, as an issue": func(w *world, v access.Viewer) error {
			_, err := w.reader.MayRead(t.Context(), v, "acme", "secret", 1)
			return err
		},
	} {
		w := newWorld(t)
		token := w.github.Token("rita")
		v := w.viewer(token)
		w.github.RevokeToken(token)
		w.github.ResetCalls()
		if err := finds(w, v); !errors.Is(err, access.ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
		if calls := w.github.Calls(); len(calls) != 1 || calls[0].Status != http.StatusUnauthorized {
			t.Errorf("%s: %+v", name, calls)
		}
		if _, err := w.reader.ViewerOf(t.Context(), token); !errors.Is(err, access.ErrRefused) {
			t.Errorf("%s: it is not forgotten: %v", name, err)
		}
	}
}
