package wording_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/long"
)

func TestNothingIsACommand(t *testing.T) {
	piece := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{"/colony", "/colony:retry", "/COLONY force done x", " ", "\n", "\r", "\r\n", "\n\n", "\u2028", "\u200b", "\ufeff", "\x00", "`", "``", "```", "\\", "<!--", "-->", "</details>", "word", "("}),
	)
	long.Check(t, func(t *rapid.T) {
		untrusted := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), "")
		for _, shown := range []string{wording.Inline(untrusted), wording.Code(untrusted)} {
			for _, comment := range []string{shown, shown + " and more", "  " + shown, "text\n" + shown, "text\n\n" + shown + "\ntext"} {
				if found := commands.Parse(comment); found != nil {
					t.Fatalf("%q gives %+v", comment, found)
				}
			}
		}
	})
}
