package commands

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// apart are the elements that take what they hold away from the text that its writer says in person. This list is longer than the
// parser's own, and shares nothing with it.
var apart = set(`details blockquote q pre code samp kbd tt del s strike ul ol dl li dd dt menu dir table caption colgroup thead tbody tfoot tr td th
	h1 h2 h3 h4 h5 h6 svg math select option optgroup template title textarea style xmp iframe noembed noframes noscript script plaintext button
	object applet marquee dialog fieldset video audio canvas rp rt listing head frameset`)

// onPage is a line as the page has it, up to the first markup in it.
var onPage = regexp.MustCompile(`(?i)^/colony[:\s\p{Zs}]*([a-z0-9]*(?:-+[a-z0-9]+)*)`)

// disallowed are the tags that GitHub shows as text: https://github.github.com/gfm/#disallowed-raw-html-extension-.
var disallowed = regexp.MustCompile(`(?i)<(/?(?:title|textarea|style|xmp|iframe|noembed|noframes|script|plaintext)(?:[\s/>]|$))`)

// blocky are the elements before and after which a browser begins a new line.
var blocky = set(`html body p br hr div center section article aside header footer main nav address form fieldset details summary blockquote ul ol dl li dd dt
	menu dir pre listing table caption colgroup thead tbody tfoot tr td th h1 h2 h3 h4 h5 h6 figure figcaption hgroup search`)

// shownOn counts the commands of a page, by verb, that show as text at the start of a line and are apart from nothing, as a
// browser reads the HTML.
func shownOn(t testing.TB, page string) map[string]int {
	t.Helper()
	document, err := html.Parse(strings.NewReader(disallowed.ReplaceAllString(page, "&lt;$1")))
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]int{}
	var line strings.Builder // the present one
	plain := false           // whether what it begins with is apart from nothing
	end := func() {
		if found := onPage.FindStringSubmatch(strings.Trim(line.String(), " \n")); found != nil && plain {
			shown[strings.ToLower(found[1])]++
		}
		line.Reset()
	}
	var visit func(n *html.Node, within bool)
	visit = func(n *html.Node, within bool) {
		switch n.Type {
		case html.TextNode:
			for text := range strings.Lines(n.Data) {
				if strings.Trim(line.String(), " \n") == "" {
					plain = within
				}
				line.WriteString(text)
				if strings.HasSuffix(text, "\n") {
					end()
				}
			}
		case html.ElementNode:
			within = within && !apart[n.Data]
			for _, a := range n.Attr {
				within = within && (n.Data != "a" || a.Key != "href")
			}
		default:
		}
		if blocky[n.Data] {
			end()
			defer end()
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			visit(c, within)
		}
	}
	visit(document, true)
	return shown
}

// hidden returns a command that Parse lets run, though the page does not show it as text of its writer's own; "" if there is none.
func hidden(got []Invocation, shown map[string]int) string {
	for _, invocation := range got {
		if invocation.Verb == Doubtful || invocation.Verb == Excess {
			continue
		}
		verb := invocation.Verb
		if verb == "help" && shown[verb] == 0 {
			verb = "" // a bare /colony
		}
		if shown[verb] == 0 {
			return invocation.Verb
		}
		shown[verb]--
	}
	return ""
}

// cautiousAbout are signs of HTML, tables, footnotes, definitions, strikes of two lengths, empty quotes, what is indented below lists,
// form feeds, and tabs behind a quote's mark, in a text whose line endings are normalised: goldmark and GitHub read some of these differently, and there
// Parse would rather find too little.
var cautiousAbout = regexp.MustCompile(`(?m)[<|\t\f~]|\[\^|\]:|:[ \t]*-|-[ \t]*:|>[ \t]*$|^ *(?:[*+-]|[0-9]+[.)])(?: |$)`)

// missing returns a command that the page shows alone on its line, and Parse neither lets run nor takes for doubtful.
func missing(markdown string, got []Invocation, shown map[string]int) string {
	for _, invocation := range got {
		delete(shown, invocation.Verb)
		if invocation.Verb == Doubtful || invocation.Verb == Excess {
			return ""
		}
	}
	for verb := range shown {
		if regexp.MustCompile(`(?m)^ {0,3}/colony:` + verb + `(?: x)?$`).MatchString(markdown) {
			return verb
		}
	}
	return ""
}

// pieces are what generated texts are made of.
var pieces = []string{
	"\n", "\n", "\n", "\n\n", "\n\n", " ", "  ", "    ", "\t", "\f", "> ", ">", "- ", "* ", "1. ", "# ", "## ", "---\n", "===\n", "***\n", "```", "~~~\n", "~~", "~", "`", "``", "*", "**", "_", "\\", "|", "a|b\n-|-\n", "|-|\n",
	"[", "]", "](", ")", "](/x)", "![", "[^0]", "[^0]: ", "[a]: /x\n", "[a]: <s>\n", "\"", "'", "<", ">", "/>", "&lt;", "text", "text\n", "é", "    code\n", ":", "https://example.org ",
	"<s>", "</s>", "<del>", "</del>", "<q>", "</q>", "<b>", "</b>", "<p>", "</p>", "<div>", "</div>", "<details>", "</details>", "<summary>", "</summary>", "<ul>", "</ul>", "<li>", "</li>", "<pre>", "</pre>",
	"<code>", "</code>", "<table>", "</table>", "<tr>", "<td>", "</td>", "<h1>", "</h1>", "<a>", "<a href=x>", "</a>", "<a name=\"x\">", "<blockquote>", "</blockquote>", "<kbd>", "</kbd>", "<br>", "<img src=x>", "<hr>",
	"<s", "<s title=\"", "<s title='", "<div\n", "<div title=\"\n", "</s", "<!--", "-->", "--", "--!>", "<!-- x -->", "<!-->", "<!--->", "<![CDATA[", "]]>", "<?", "?>", "<!X", "<!x >", "<script>", "</script>", "<style>", "</style>",
	"<textarea>", "</textarea>", "<title>", "</title>", "<svg>", "</svg>", "<math>", "<select>", "</select>", "<option>", "<template>", "</template>", "<object>", "</object>", "<button>", "</button>", "<ruby>", "<rt>", "</rt>",
	"<foo>", "</foo>", "<foo-bar x>", "<x@example.org>", "<https://x.test>", "<S>", "</S >", "<s/>", "<source>", "<search>", "<nobr>", "<font>", "</font>", "<center>", "<form>", "<input>", "<plaintext>", "<noscript>", "</noscript>", "<menu>", "</menu>",
}

// generated makes a text with commands v0, v1 … in it, some of them on lines of their own.
func generated(random *rand.Rand, from []string) string {
	var text strings.Builder
	commands := 0
	for range 2 + random.IntN(14) {
		switch random.IntN(5) {
		case 0:
			fmt.Fprintf(&text, "\n%s/colony:v%d", []string{"", "", "\n", "\n", "   "}[random.IntN(5)], commands)
			commands++
			text.WriteString([]string{"\n", "\n", "\n\n", " x", ""}[random.IntN(5)])
		default:
			text.WriteString(from[random.IntN(len(from))])
		}
	}
	fmt.Fprintf(&text, "%s/colony:v%d%s", []string{"\n", "\n\n"}[random.IntN(2)], commands, []string{"", "\n", "\n" + from[random.IntN(len(from))]}[random.IntN(3)])
	return text.String()
}

// withoutHTML are the pieces that cannot be a part of any.
func withoutHTML() []string {
	var plain []string
	for _, piece := range pieces {
		if !strings.Contains(piece, "<") {
			plain = append(plain, piece)
		}
	}
	return plain
}
