package statemachine

import (
	"testing"

	"github.com/colony-app/colony/lifecycle"
)

// In any lifecycle that parses, an issue with a state's label is somewhere.
func FuzzFoldOfAnyFile(f *testing.F) {
	for _, name := range lifecycle.ShippedNames() {
		text, err := lifecycle.ShippedFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		life, err := Parse("fuzz.yml", text)
		if err != nil {
			return
		}
		if s := life.Fold(History{Labels: []string{life.States[len(life.States)-1].Label}}); s.State == "" {
			t.Error("an issue is in no state")
		}
	})
}
