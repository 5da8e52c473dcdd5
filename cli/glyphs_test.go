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
	colibri, err := statemachine.Shipped("colibri")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, glyphs(colibri)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if all := glyphs(shipped()...); all["colony:gather"] != "◔" || all["colony:completed"] == "" {
		t.Errorf("all of them: %v", all)
	}
}
