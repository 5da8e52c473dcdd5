package statemachine

import (
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

// The fold says of any history what it said before it was written anew.
func TestTheNewFoldSaysTheSame(t *testing.T) {
	lives := anyLives(t)
	long.Check(t, func(t *rapid.T) {
		life, h := drawHistory(t, lives)
		want, got := oldFold(life, h), life.Fold(h)
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("the fold says something else (-was +is):\n%s\n%+v", cmp.Diff(want, got), h.Changes)
		}
	})
}
