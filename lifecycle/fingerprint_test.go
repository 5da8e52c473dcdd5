package lifecycle

import (
	"strings"
	"testing"
)

func TestFingerprintDistinguishesTables(t *testing.T) {
	t.Parallel()
	text, err := ShippedFile("colony")
	if err != nil {
		t.Fatal(err)
	}
	of := func(text string) string {
		t.Helper()
		l, err := Parse("colony.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return l.Fingerprint()
	}
	edited := func(old, by string) string {
		t.Helper()
		if !strings.Contains(string(text), old) {
			t.Fatalf("there is no %q to edit", old)
		}
		return of(strings.Replace(string(text), old, by, 1))
	}
	is := of(string(text))
	if len(is) != FingerprintLength || is != colony(t).Fingerprint() {
		t.Errorf("the fingerprint is %q, and %q again", is, colony(t).Fingerprint())
	}
	for name, other := range map[string]string{
		"the name of the lifecycle": edited("name: colony\n", "name: another\n"),
		"a colour":                  edited("color: ", "color: abcdef # "),
		"what is recommended":       edited("recommended: new", "recommended: planning"),
	} {
		if other != is {
			t.Errorf("%s: %s became %s, although nothing is judged by it", name, is, other)
		}
	}
	widened, err := colony(t).Widen("reviewer", "in-review", "merge-pending")
	if err != nil {
		t.Fatal(err)
	}
	guarded := func(count string) string {
		return edited("\nguards:\n", "\nguards:\n  - {name: few, why: Few., to: planning, requires: [at-most: "+count+"]}\n")
	}
	if guarded("4") == guarded("5") {
		t.Error("the number of a guard makes no difference")
	}
	for name, other := range map[string]string{
		// What an event with another name means depends on it, so what was before is settled, and never judged by it.
		"another name":    edited("label: colony:new\n", "label: colony:new\n    previously: [new]\n"),
		"a label":         edited("label: colony:new", "label: colony:newly"),
		"a wider role":    widened.Fingerprint(),
		"a bad request's": edited("bad-request: failure-blocked", "bad-request: needs-clarification"),
	} {
		if other == is {
			t.Errorf("%s makes no difference", name)
		}
	}
}
