package issues

import (
	"testing"

	"github.com/colony-app/colony/lifecycle"
)

// A renaming keeps description and color, so a label that looks otherwise is another one.
func TestLabelsThatCanHaveBeenRenamed(t *testing.T) {
	t.Parallel()
	described, plain := lifecycle.Mark{Label: "colony:done", Color: "0b6623", Description: "Managed by Colony."}, lifecycle.Mark{Label: "done", Color: "0b6623"}
	forced := lifecycle.Mark{Label: lifecycle.Forced, Color: "5319e7", Description: "A forced move is under way."}
	for name, c := range map[string]struct {
		mark               lifecycle.Mark
		color, description string
		want               bool
	}{
		"as it was":                           {described, "0b6623", "Managed by Colony.", true},
		"in another color":                    {described, "d73a4a", "Managed by Colony.", true},
		"described otherwise":                 {described, "0b6623", "Something isn't working", false},
		"without its description":             {described, "0b6623", "", false},
		"never described":                     {plain, "0B6623", "", true},
		"never described, in another color":   {plain, "d73a4a", "", false},
		"never described, and described now":  {plain, "0b6623", "Something isn't working", false},
		"with the stamp":                      {forced, "5319e7", forced.Description + " Since 2026-03-02.", true},
		"the mark of forced moves, otherwise": {forced, "5319e7", "Since 2026-03-02.", false},
	} {
		if got := describedAs(lifecycle.Mark{Color: c.color, Description: c.description}, c.mark); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
