package playground

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReferencesIn(t *testing.T) {
	for text, want := range map[string][]reference{
		"":                                {},
		"#7":                              {{number: 7}},
		"see #7, #8 and GH-9":             {{number: 7}, {number: 8}, {number: 9}},
		"Fixes #7":                        {{number: 7, closing: true}},
		"FIXED: #7":                       {{number: 7, closing: true}},
		"closes\n#7":                      {{number: 7, closing: true}},
		"resolves acme/shop#7":            {{repository: "acme/shop", number: 7, closing: true}},
		"resolve #7, #8":                  {{number: 7, closing: true}, {number: 8}},
		"close #7, close #8":              {{number: 7, closing: true}, {number: 8, closing: true}},
		"prefixes #7":                     {{number: 7}},
		"fixing #7":                       {{number: 7}},
		"fix https://x.test/a/b/issues/7": {{repository: "a/b", number: 7, closing: true}},
		"<https://x.test/a/b/pull/7>":     {{repository: "a/b", number: 7}},
		"`fixes #7`":                      {},
		"fixes `x` #7":                    {{number: 7}},
		"    fixes #7":                    {},
		"```\nfixes #7\n```":              {},
		"<!-- fixes #7 -->":               {},
		"word#7":                          {},
		"#7th":                            {},
		"[fixes #7](https://x.test)":      {},
		"[it](https://x.test/a/b/pull/7)": {{repository: "a/b", number: 7}},
		"[it](https://redirect.x.test/a/b/issues/7), https://redirect.x.test/a/b/issues/8": {},
		"| a |\n|---|\n| fixes #7 |": {{number: 7, closing: true}},
		"- [ ] #7\n- [x] #8":         {{number: 7}, {number: 8}},
		"**Fixes #7**":               {{number: 7, closing: true}},
		"#99999999999999999999":      {},
	} {
		got := append([]reference{}, referencesIn(text)...)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(reference{})); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func FuzzReferencesIn(f *testing.F) {
	for _, seed := range []string{"Fixes #7", "`#1` a/b#2", "<!-- #3", "| #4 |\n|-|"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range referencesIn(text) {
			if r.number < 0 {
				t.Errorf("%+v", r)
			}
		}
	})
}
