package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// An exception has the keys of conditions beside its own.
func TestAWrongKeyOfAnExceptionIsTheOnlyOneNamed(t *testing.T) {
	t.Parallel()
	got := problemsIn("guards:\n  - {name: g, unless: [{label: small, wyh: It is small.}]}\n")
	if len(got) != 1 || got[0].Message != `unknown setting "wyh": did you mean "why"?` {
		t.Errorf("%v", got)
	}
}

func TestEveryUnknownSettingIsNamedWithTheNearestOneThatThereIs(t *testing.T) {
	t.Parallel()
	text := "name: a\nsumary: b\nstates:\n  - {name: s, meening: m, 7: x}\n  - ~\n"
	want := []string{
		`x.yml:2:1: unknown setting "sumary": did you mean "summary"?`,
		`x.yml:4:15: unknown setting "meening": did you mean "meaning"?`,
		`x.yml:4:27: unknown setting "7": there are name, type, recovery, label, previously, color, description, meaning, glyph, closes, recommended, sealed`,
	}
	var got []string
	for _, p := range problemsIn(text) {
		p.Excerpt = ""
		got = append(got, p.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
