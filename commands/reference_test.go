package commands

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func written(references []Reference) []string {
	var all []string
	for _, r := range references {
		all = append(all, r.String())
	}
	return all
}

func TestCloses(t *testing.T) {
	for text, want := range map[string][]string{
		"Fixes #3":                             {"#3"},
		"fix #3, closes: #4 and Resolved GH-5": {"#3", "#4", "#5"},
		"close #1\nfixed #2\nresolves #3\nclosed #4\nfixes #5\nresolve #6":         {"#1", "#2", "#3", "#4", "#5", "#6"},
		"Closes acme/widgets#7 and closes https://github.com/acme/gears/issues/8.": {"acme/widgets#7", "acme/gears#8"},
		"Fixes <https://github.com/acme/gears/issues/8>":                           {"acme/gears#8"},
		"**Fixes** #3, _closes_ #4":                                                nil,
		"fixes\n#3":                                                                {"#3"},
		"Fixes #3 and #4":                                                          {"#3"},
		"fixes #3 twice: fixes #3":                                                 {"#3"},
		"# Fixes #3\n\n- closes #4\n\n> resolves #5":                               {"#3", "#4", "#5"},
		"prefixes #3, fixes#4, unclosed #5":                                        nil,
		"fixes #":                                                                  nil,
		"fixes #0":                                                                 nil,
		"fixes #99999999999999999999":                                              nil,
		"`fixes #3`":                                                               nil,
		"``\nfixes #3\n``":                                                         nil,
		"```\nfixes #3\n```":                                                       nil,
		"~~~\nfixes #3":                                                            nil,
		"text\n\n    fixes #3":                                                     nil,
		"<!-- fixes #3 -->":                                                        nil,
		"text <!-- fixes #3 --> fixes #4":                                          {"#4"},
		"fixes <!-- --> #3":                                                        nil,
		"<code>fixes #3</code> fixes #4":                                           {"#4"},
		"[fixes #3](https://example.org)":                                          nil,
		"[text](https://example.org 'fixes #3')":                                   nil,
		"nothing":                                                                  nil,
		"":                                                                         nil,
	} {
		if diff := cmp.Diff(want, written(closes(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestDependsOn(t *testing.T) {
	for text, want := range map[string][]string{
		"depends on #1, #2 and acme/gears#3; GH-4 later #5":         {"#1", "#2", "acme/gears#3", "#4"},
		"- Depends on #3\n- [ ] blocked by #4\n* [x] Depends on #5": {"#3", "#4", "#5"},
		"|Links|Why|\n|-|-|\n| Depends on #3 | x |":                 {"#3"},
		"## Plan\nText\nDepends on #3\nText":                        {"#3"},
		"Depends on #3":                                             {"#3"},
		"Blocked by: acme/gears#4.":                                 {"acme/gears#4"},
		"This depends on #3, as #4 said.":                           {"#3"},
		"It **depends on #3** and requires #4.":                     {"#3", "#4"},
		"Requires: #3":                                              {"#3"},
		"**Depends on:** #3, **#4** and _#5_":                       {"#3", "#4", "#5"},
		"- **Blocked by** #3\n- _Requires_: #4":                     {"#3", "#4"},
		"Depends on issue #3 and issues #4, #5":                     {"#3", "#4", "#5"},
		"Depends on\u00a0#3 and my__own/a_b_#4":                     {"#3", "my__own/a_b_#4"},
		"~~Depends on #3~~ It ~~is not~~ blocked by #4":             {"#4"},
		"~Depends on #3~ Requires ~#4~ ~2 #5":                       nil,
		"~~Depends on #3\nand blocked by #4~~\nRequires #5":         {"#5"},
		"Depends on ~~#3,~~ #4 and \\~~#5~~":                        {"#4"},
		"It was formerly blocked by #3, previously blocked by #4":   nil,
		"### Depends on\n\n#3, #4\n#5\n\n### Why\n\n#6":             {"#3", "#4", "#5"},
		"### Blocked by\n\n- #3\n- [ ] #4\n\n#5 was first":          {"#3", "#4", "#5"},
		"### Depends on\n\n_No response_\n\n#3":                     nil,
		"It no longer depends on #3, and is not blocked by #4":      nil,
		"#3 depends on #4":                                          nil,
		"It was blocked by #3 and isn't blocked by #4":              nil,
		"> Depends on #3":                                           nil,
		"`Depends on #3`":                                           nil,
		"```\nDepends on #3\n```":                                   nil,
		"<!--\nDepends on #3\n-->":                                  nil,
		"<!-- Depends on #3 -->":                                    nil,
		"Depends on the weather, see #3":                            nil,
		"Depends on https://github.example/a/b/issues/9":            {"a/b#9"},
		"Depends on #3\nDepends on #3":                              {"#3"},
	} {
		if diff := cmp.Diff(want, written(DependsOn(text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

func TestParseReference(t *testing.T) {
	for word, want := range map[string]string{
		"#3": "#3", "3": "#3", "gh-3": "#3", "acme/widgets#3": "acme/widgets#3",
		"https://github.com/acme/widgets/issues/3": "acme/widgets#3", "https://github.com/acme/widgets/pull/3": "acme/widgets#3",
		"": "", "#": "", "#0": "", "0": "", "#3x": "", "x#3": "", "-3": "", "three": "", "acme/widgets": "", "#1234567890": "",
		"acme/..#3": "", "acme/.#3": "", "https://github.com/acme/../issues/3": "", "acme/.github#3": "acme/.github#3", "acme/a..#3": "acme/a..#3",
	} {
		r, ok := ParseReference(word)
		if ok != (want != "") || ok && r.String() != want {
			t.Errorf("%q is %v, %t; want %q", word, r, ok, want)
		}
	}
}

func TestSameReference(t *testing.T) {
	r := Reference{Number: 3}.In("Acme", "widgets")
	if !r.Same(Reference{"acme", "Widgets", 3}) || r.Same(Reference{"acme", "widgets", 4}) || r.Same(Reference{"acme", "gears", 3}) {
		t.Errorf("%v is taken for another", r)
	}
	if other := (Reference{"a", "b", 1}).In("c", "d"); other.Owner != "a" {
		t.Errorf("a reference with a repository moved to %v", other)
	}
}

// A text that costs a Markdown library much is given up, not waited for.
func TestReferencesOfHostileTexts(t *testing.T) {
	for _, part := range []string{"[", "*fixes #1 ", "`", "<a ", "> ", "- ", "![", "[a]: b\n", "~", "|-", "requires #1 is ", "*a_ ", "*a b_ ", "~a ", "~~a ", "(~a~"} {
		text := strings.Repeat(part, MaxBody/len(part))
		closes(text + "#")
		DependsOn(text + "depends on #1")
	}
	if found := closes(strings.Repeat("fixes #1 ", MaxBody)); found != nil {
		t.Errorf("a text longer than GitHub's longest names %v", found)
	}
}

func FuzzReferences(f *testing.F) {
	f.Add("Fixes #3\n- Depends on acme/gears#4 and https://github.com/a/b/pull/5\n> `blocked by #6`")
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range append(closes(text), DependsOn(text)...) {
			if r.Number <= 0 || (r.Owner == "") != (r.Name == "") {
				t.Errorf("%q names %+v", text, r)
			}
			if again, ok := ParseReference(r.String()); !ok || again != r {
				t.Errorf("%v is read again as %v", r, again)
			}
		}
	})
}
