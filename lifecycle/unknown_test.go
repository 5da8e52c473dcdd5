package lifecycle

import (
	"testing"

	"github.com/goccy/go-yaml"
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
	own, err := ReadOwn("x.yml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, problems := range map[string][]Problem{
		"as the file of a lifecycle": problemsIn(text), "alone": own.Explain(&yaml.UnknownFieldError{}, &Document{}),
	} {
		var got []string
		for _, p := range problems {
			p.Excerpt = ""
			got = append(got, p.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
