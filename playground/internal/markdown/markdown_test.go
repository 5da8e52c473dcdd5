package markdown

import (
	"strings"
	"testing"
)

// Colony folds away what few need: the page shows that as GitHub does, and no other HTML.
func TestWhatIsFoldedAwayIsFoldedOnThePage(t *testing.T) {
	for text, want := range map[string]string{
		"a\n\n<details><summary>All 9 moves</summary>\n\n`b`\n\n</details>\n\nc": "<p dir=\"auto\">a</p>\n<details><summary>All 9 moves</summary>\n<p dir=\"auto\"><code>b</code></p>\n</details>\n<p dir=\"auto\">c</p>\n",
		"<details><summary>never ended</summary>\n\nb":                           "<p dir=\"auto\">b</p>\n",
		"a\n\n</details>\n\nb":                                                                            "<p dir=\"auto\">a</p>\n<p dir=\"auto\">b</p>\n",
		"> <details><summary>x</summary>\n\n</details>":                                                   "<blockquote>\n</blockquote>\n",
		"<details><summary><b onclick=x>y</b></summary>\n\nb\n\n</details>":                               "<p dir=\"auto\">b</p>\n",
		"<details open><summary>x</summary>\n\nb\n\n</details>":                                           "<p dir=\"auto\">b</p>\n",
		"<details><summary>x</summary><script>\n\nb\n\n</details>":                                        "<p dir=\"auto\">b</p>\n",
		"<details><summary>x</summary>\n\n<details><summary>y</summary>\n\nb\n\n</details>\n\n</details>": "<details><summary>x</summary>\n<p dir=\"auto\">b</p>\n</details>\n",
	} {
		got, err := HTML(text)
		if err != nil {
			t.Fatal(err)
		}
		if got != want || strings.Count(want, "<details>") != strings.Count(got, "</details>") {
			t.Errorf("%q is rendered as %q, want %q", text, got, want)
		}
	}
}
