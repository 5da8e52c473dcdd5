package page

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"
)

// chip is a label as the page shows it.
type chip struct {
	Name        string
	Description string
	Glyph       string       // a sign before the name; can be empty
	Color       string       // six hexadecimal digits
	Style       template.CSS // its colour, and that of text upon it
}

func (g *page) chipOf(l *github.Label) chip {
	color := l.GetColor()
	rgb, err := strconv.ParseUint(color, 16, 32)
	if err != nil || len(color) != 6 {
		color, rgb = "ededed", 0xededed
	}
	return chip{
		Name: l.GetName(), Description: l.GetDescription(), Glyph: g.glyphs[strings.ToLower(l.GetName())], Color: color,
		Style: template.CSS(fmt.Sprintf("--label:#%06x;--on-label:%s", rgb, textOn(rgb))), //nolint:gosec // numbers and words of our own
	}
}

// textOn is white on colours where it can be read at least as 4:1 (WCAG 2.2, "relative luminance"), else black:
// on the saturated ones white is easier on the eye, even where black has more contrast.
func textOn(rgb uint64) string {
	linear := func(shift int) float64 {
		c := float64(rgb>>shift&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	luminance := 0.2126*linear(16) + 0.7152*linear(8) + 0.0722*linear(0)
	if 1.05/(luminance+0.05) >= 4 {
		return "#fff"
	}
	return "#000"
}

func (g *page) chipsOf(labels []*github.Label) []chip {
	var chips []chip
	for _, l := range labels {
		chips = append(chips, g.chipOf(l))
	}
	return chips
}
