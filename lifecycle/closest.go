package lifecycle

import (
	"strings"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
)

// Closest returns the known word that was probably meant by word, for a "did you mean". Two adjacent letters
// that changed places count as one slip, case as none. One slip is forgiven from two letters on, two from
// five, three from eight: the longer of both words decides. Of equally close words the first is returned;
// ok is false if no word is close.
func Closest(word string, known []string) (closest string, ok bool) {
	word = strings.ToLower(word)
	best := 0
	for _, candidate := range known {
		length, other := utf8.RuneCountInString(word), utf8.RuneCountInString(candidate)
		forgiven := min(3, (max(length, other)+1)/3)
		if max(length, other)-min(length, other) > forgiven {
			continue
		}
		slips := edlib.OSADamerauLevenshteinDistance(word, strings.ToLower(candidate))
		if slips <= forgiven && (!ok || slips < best) {
			closest, best, ok = candidate, slips, true
		}
	}
	return closest, ok
}
