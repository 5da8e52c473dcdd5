package statemachine

import (
	"testing"
)

func colony(t testing.TB) *Table {
	t.Helper()
	return shipped(t, "colony")
}

// shipped is the table of a lifecycle, without its guards: those have tests of their own.
func shipped(t testing.TB, name string) *Table {
	t.Helper()
	life := shippedWithGuards(t, name)
	life.Guards = nil
	return life
}

func shippedWithGuards(t testing.TB, name string) *Table {
	t.Helper()
	life, err := Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	copied := *life
	return &copied
}
