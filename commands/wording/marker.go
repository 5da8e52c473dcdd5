package wording

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// MarkerKind says which fact a comment of Colony's is about. A marker is hidden in the comment, so that a fact is never reported twice; only markers
// in Colony's own comments count.
type MarkerKind string

// The kinds of markers.
const (
	// Explains names the label events whose rejection a comment explains.
	Explains MarkerKind = "explains"
	// Halts names the label events that tripped the breaker.
	Halts MarkerKind = "halts"
	// Answers names the comment whose commands a comment answers; 0 is the opening text of the issue.
	Answers MarkerKind = "answers"
	// Breaks names what is wrong with a file, in a comment on a commit.
	Breaks MarkerKind = "breaks"
	// Orphans names the label event that ended an issue, in the comment that asks for a reflection on it.
	Orphans MarkerKind = "orphans"
	// Asks names what a person was asked about without a move; see statemachine.Asked.
	Asks MarkerKind = "asks"
	// Trail names the issue, by its number, of whose moves a comment is the trail.
	Trail MarkerKind = "trail"
	// Reminds names the event with which the time began that a comment reminds of the end of: that of a label, or a reopening.
	Reminds MarkerKind = "reminds"
)

// Marker renders a hidden marker.
func Marker(kind MarkerKind, ids ...int64) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = strconv.FormatInt(id, 10)
	}
	return fmt.Sprintf("<!-- colony:%s %s -->", kind, strings.Join(words, " "))
}

var marker = regexp.MustCompile(`<!-- colony:(explains|halts|answers|breaks|orphans|asks|trail|reminds)((?: \d+)+) -->`)

// Markers returns the ids that a comment of Colony's is about, by kind.
func Markers(comment string) map[MarkerKind][]int64 {
	found := map[MarkerKind][]int64{}
	for _, m := range marker.FindAllStringSubmatch(comment, -1) {
		for word := range strings.FieldsSeq(m[2]) {
			if id, err := strconv.ParseInt(word, 10, 64); err == nil {
				found[MarkerKind(m[1])] = append(found[MarkerKind(m[1])], id)
			}
		}
	}
	return found
}
