package cli

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/statemachine"
)

func TestGlyphs(t *testing.T) {
	want := map[string]string{
		"colony:init": "○", "colony:gather": "◔", "colony:analyze": "◑", "colony:plan": "◕", "colony:apply": "◐", "colony:verify": "◎",
		"colony:done": "✓", "colony:cancelled": "✗",
	}
	if diff := cmp.Diff(want, glyphs("colibri", "nobody's")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if all := glyphs(statemachine.ShippedNames()...); all["colony:gather"] != "◔" || all["colony:completed"] == "" {
		t.Errorf("all of them: %v", all)
	}
}
