package wording

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Comments keep their markers for years, so each kind reads as it was first written.
func TestMarkersOfOldComments(t *testing.T) {
	written := `Colony undid this.

<!-- colony:explains 71 72 -->
<!-- colony:halts 73 -->
<!-- colony:answers 0 -->
<!-- colony:breaks 5003 -->
<!-- colony:orphans 74 -->
<!-- colony:asks 1741000000 -->
<!-- colony:trail 12 -->
<!-- colony:reminds 75 -->
<!-- colony:explains 76 -->
`
	want := map[MarkerKind][]int64{
		Explains: {71, 72, 76}, Halts: {73}, Answers: {0}, Breaks: {5003}, Orphans: {74}, Asks: {1741000000}, Trail: {12}, Reminds: {75},
	}
	if diff := cmp.Diff(want, Markers(written)); diff != "" {
		t.Error(diff)
	}
}
