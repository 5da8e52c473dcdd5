package commands

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/statemachine"
)

// A lifecycle may not declare a verb that every lifecycle has, so the parser of lifecycles has to know those of the registry.
func TestTheVerbsThatEveryLifecycleHasAreThoseOfTheRegistry(t *testing.T) {
	if diff := cmp.Diff(statemachine.BuiltInVerbs(), verbs(Registry(&statemachine.Lifecycle{}))); diff != "" {
		t.Errorf("verbs (-statemachine/verb.go +commands/registry.go):\n%s", diff)
	}
}
