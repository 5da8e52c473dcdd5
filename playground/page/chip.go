package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"

	"github.com/google/go-github/v62/github"
)

// chip is a label as the page shows it.
type chip struct {
	Name        string
	Description string
	Color       string       // six hexadecimal digits
	Style       template.CSS // its colour, and that of text upon it
}

func chipOf(l *github.Label) chip {
	color := l.GetColor()
	rgb, err := strconv.ParseUint(color, 16, 32)
	if err != nil || len(color) != 6 {
		color, rgb = "ededed", 0xededed
	}
	return chip{
		Name: l.GetName(), Description: l.GetDescription(), Color: color,
		Style: template.CSS(fmt.Sprintf("--label:#%06x;--on-label:%s", rgb, textOn(rgb))), //nolint:gosec // numbers and words of our own
	}
}

// textOn is black or white, whichever has the higher contrast to the colour (WCAG 2.2, "relative luminance").
func textOn(rgb uint64) string {
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	luminance := 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
	if luminance > 0.179 { // where (L+0.05)/0.05 and 1.05/(L+0.05) are equal
		return "#000"
	}
	return "#fff"
}

func chipsOf(labels []*github.Label) []chip {
	var chips []chip
	for _, l := range labels {
		chips = append(chips, chipOf(l))
	}
	return chips
}
