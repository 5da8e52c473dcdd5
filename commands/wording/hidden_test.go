package wording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The signature stands behind what it signs, before what a repository adds, and leaves both as they are.
func TestHidden(t *testing.T) {
	moves := []RecordedMove{{Outcome: AutomaticMove, From: "a", To: "b", Why: "it is --> merged"}}
	trail := RenderTrail(12, moves)
	house := House("Read our rules.", "")
	signed := WithSignature(WithHouse(trail, house), "abc")
	if want := WithHouse(trail+"\n<!-- colony:signed abc -->", house); signed != want {
		t.Errorf("signed:\n%s", signed)
	}
	if got := Signature(signed); got != "abc" {
		t.Errorf("the signature is %q", got)
	}
	if diff := cmp.Diff(Hidden(trail), Hidden(signed)); diff != "" || len(Hidden(trail)) != 2 {
		t.Errorf("the signature changes what it signs: %s", diff)
	}
	if got, is := TrailOf(12, signed); !is || !cmp.Equal(got, moves) {
		t.Errorf("the trail is %t %v", is, got)
	}
	if got := WithSignature("Hello.", "abc"); got != "Hello." {
		t.Errorf("what programs do not read is signed: %s", got)
	}
	if got, is := TrailOf(12, Disowned(signed)); !is || len(got) != 0 || len(Hidden(Disowned(signed))) != 1 {
		t.Errorf("a disowned trail has %t %v\n%s", is, got, Disowned(signed))
	}
	refusal := "No.\n\n" + Marker(Explains, 71) + Marker(Trail, 12) + recorded(moves)
	if got := WithoutRecord(refusal); len(Markers(got)) != 2 || len(Hidden(got)) != 2 {
		t.Errorf("without its record:\n%s", got)
	}
	if got := Hidden(Disowned(refusal)); !cmp.Equal(got, []string{Marker(Trail, 12)}) {
		t.Errorf("disowned: %v", got)
	}
}
