package commands

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A lifecycle may not declare a verb that every lifecycle has, so the parser of lifecycles has to know those of the registry.
func TestTheVerbsThatEveryLifecycleHasAreThoseOfTheRegistry(t *testing.T) {
	if diff := cmp.Diff(lifecycle.BuiltInVerbs(), verbs(Registry(&statemachine.Table{}))); diff != "" {
		t.Errorf("verbs (-statemachine/verb.go +commands/registry.go):\n%s", diff)
	}
}

// A lifecycle that turns force off has every command but that one.
func TestForceCanBeOff(t *testing.T) {
	want := slices.DeleteFunc(verbs(Registry(&statemachine.Table{})), func(verb string) bool { return verb == Force })
	got := verbs(Registry(statemachine.New(&lifecycle.Lifecycle{Document: lifecycle.Document{Force: lifecycle.Force{Off: true}}}, statemachine.Options{})))
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("verbs (-want +got):\n%s", diff)
	}
}
