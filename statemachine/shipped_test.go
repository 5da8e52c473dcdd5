package statemachine

import "testing"

func colony(t testing.TB) *Lifecycle {
	t.Helper()
	life, err := Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}
