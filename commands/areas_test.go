package commands

import "testing"

// An area that begins within the one before reaches as far: what is indented below an empty line belongs to both.
func TestAnAreaReachesAsFarAsTheOneThatItBeginsIn(t *testing.T) {
	const source = "a\nb\n\n  c\n\nd\n\ne\n"
	first := areaFrom([]byte(source), 0, area{})
	if first.belowRows != len("a\nb\n") || first.stop != len("a\nb\n\n  c\n\n") {
		t.Fatalf("the first area is %+v", first)
	}
	within := areaFrom([]byte(source), len("a\n"), first)
	if within.start != len("a\n") || within.belowRows != first.belowRows || within.stop != first.stop {
		t.Errorf("the area from the second line is %+v", within)
	}
	below := areaFrom([]byte(source), len("a\nb\n\n  c\n\n"), first)
	if below.belowRows != len("a\nb\n\n  c\n\nd\n") || below.stop != len("a\nb\n\n  c\n\nd\n\n") {
		t.Errorf("the area below is %+v", below)
	}
}
