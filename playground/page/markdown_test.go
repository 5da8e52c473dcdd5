package page

import (
	"strings"
	"testing"
)

// Colony folds away what few need: the page shows that as GitHub does, and no other HTML.
func TestWhatIsFoldedAwayIsFoldedOnThePage(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n<details><summary>All 9 moves</summary>\n\n`b`\n\n</details>\n\nc": "<p>a</p>\n<details><summary>All 9 moves</summary>\n<p><code>b</code></p>\n</details>\n<p>c</p>\n",
		"<details><summary>never ended</summary>\n\nb":                           "<p>b</p>\n",
		"a\n\n</details>\n\nb":                                                                            "<p>a</p>\n<p>b</p>\n",
		"> <details><summary>x</summary>\n\n</details>":                                                   "<blockquote>\n</blockquote>\n",
		"<details><summary><b onclick=x>y</b></summary>\n\nb\n\n</details>":                               "<p>b</p>\n",
		"<details open><summary>x</summary>\n\nb\n\n</details>":                                           "<p>b</p>\n",
		"<details><summary>x</summary><script>\n\nb\n\n</details>":                                        "<p>b</p>\n",
		"<details><summary>x</summary>\n\n<details><summary>y</summary>\n\nb\n\n</details>\n\n</details>": "<details><summary>x</summary>\n<p>b</p>\n</details>\n",
	} {
		got, err := rendered(text)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want || strings.Count(want, "<details>") != strings.Count(string(got), "</details>") {
			t.Errorf("%q is rendered as %q, want %q", text, got, want)
		}
	}
}
