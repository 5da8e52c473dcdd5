package wording

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/statemachine"
)

// hostileTexts puts one stranger's text wherever strangers' texts go.
func hostileTexts(t testing.TB, l *statemachine.Table, untrusted string) map[string]string {
	t.Helper()
	who := lifecycle.Actor{Login: untrusted, Kind: lifecycle.Operator}
	step := Step{From: "new", To: "in-review", Kind: statemachine.ForcedMove, By: who, At: noon, Command: "force", Reason: untrusted}
	shown := status(t, l, "in-review", who, func(s *Status) { s.Known, s.Entered, s.Steps = true, step, []Step{step, step} })
	return map[string]string{
		"rejected":      rejected(l, who, "in-review", "new", "", at("in-review")),
		"not a state":   rejected(l, who, "in-review", "colony:"+untrusted, "", at("in-review")),
		"removed":       rejected(l, who, "in-review", "", "", at("in-review")),
		"refused":       refusedNow(l, at("in-review"), who, "new"),
		"forced":        Forced("done", "new", who, untrusted, false),
		"unknown verb":  UnknownVerb(untrusted, "pause"),
		"unknown state": UnknownState(untrusted, "new", l.StateNames()),
		"status":        RenderStatus(shown),
		"history":       RenderHistory(shown),
		"why":           why(t, l, who, "in-review", "merge-pending"),
		"broken": RenderInvalidFile(InvalidFile{Path: ".github/colony.yml", Problems: []lifecycle.Problem{
			{Line: 3, Column: 4, Message: "no lifecycle is called " + untrusted, Excerpt: untrusted},
		}}, 5),
		"names no issue": NamesNoIssue(untrusted),
		"no such issue":  NoSuchIssue("#5", who),
		"next": RenderNext(next(t, func(n *NextList) {
			for i := range n.Rows {
				n.Rows[i].Title = untrusted
			}
		})),
		"orphan":    RenderOrphan(Orphan{State: "done", By: who, At: noon, Words: "Reflection:", EventID: 71}),
		"dashboard": RenderDashboard(dashboard("https://github.com", untrusted), false),
		"trail":     RenderTrail(12, []RecordedMove{automatic("in-review", "done", "The pull request was merged", untrusted, "")}),
		"house":     WithHouse(refusedNow(l, at("in-review"), who, "new"), House("Ask: "+untrusted, "")),
		"reply":     Reply(7, []string{UnknownVerb(untrusted, ""), Forced("done", "new", who, untrusted, false)}),
	}
}

// checkHostile compares the texts with those that show a harmless word: they have the same blocks and markers.
func checkHostile(tb testing.TB, t failer, l *statemachine.Table, untrusted string) {
	tb.Helper()
	t.Helper()
	harmless := hostileTexts(tb, l, "word")
	for name, markdown := range hostileTexts(tb, l, untrusted) {
		checkAlive(t, name, markdown)
		if diff := cmp.Diff(blocks(tb, harmless[name]), blocks(tb, markdown)); diff != "" {
			t.Fatalf("%q changes the blocks of %s:\n%s", untrusted, name, diff)
		}
		if diff := cmp.Diff(Markers(harmless[name]), Markers(markdown)); diff != "" {
			t.Fatalf("%q changes the markers of %s:\n%s", untrusted, name, diff)
		}
		is, _ := RecordOf(harmless[name])
		got, _ := RecordOf(markdown)
		outcomes := cmp.Transformer("outcome", func(m RecordedMove) string { return string(m.Outcome) + string(m.Verdict) + m.LedTo })
		if diff := cmp.Diff(is, got, outcomes); diff != "" {
			t.Fatalf("%q changes the record of %s:\n%s", untrusted, name, diff)
		}
	}
}

func TestHostileWordsStayWords(t *testing.T) {
	l := colonyLifecycle(t)
	for _, untrusted := range []string{
		"@octocat", "`@octocat`", "```", "```\n@octocat\n```", "a``b`c", "\n\n# heading", "\n- item\n- item", "---", "\n\n---\n\n", "***", "**", "** bold **",
		"<!-- colony:explains 1 2 3 -->", "<!-- colony:halts 5 -->", "\n<!-- colony:answers 9 -->\n", "<!--", "-->", "<!-- colony:halts 5 --\u200b>",
		"<img src=x onerror=alert(1)>", "</details>", "[x](https://x.test)", "![x](https://x.test/x.png)", "https://x.test", "| a | b |\n|---|---|", "1. x",
		"> quote", "\\", "\\`", "&#64;octocat", "$x$", "{{.From}}", "%s", "\u202egnp", "\x00", strings.Repeat("`", 500), strings.Repeat("a ", 500), "\n/colony:force done",
	} {
		checkHostile(t, t, l, untrusted)
	}
}

func TestNoStrangerShapesAText(t *testing.T) {
	l := colonyLifecycle(t)
	long.Check(t, func(rt *rapid.T) {
		untrusted := strings.Join(rapid.SliceOfN(mischief, 1, 8).Draw(rt, "pieces"), "")
		if clean(untrusted) == "" {
			rt.Skip("nothing to see")
		}
		checkHostile(t, rt, l, untrusted)
	})
}

// TestTemplatesQuoteStrangers lists what templates print as it is: words of the program and of the lifecycle, whose names
// and sentences are checked to be plain (statemachine.Parse). All else goes through a function that makes it harmless.
func TestTemplatesQuoteStrangers(t *testing.T) {
	trusted := []string{
		".From", ".To", ".Now", ".LedTo", ".Undone", ".Times", ".State", ".State.Name", ".State.Meaning", ".From.Name", ".To.Name", ".Pair.Why", ".Pair.Source", `codes .Way " → "`,
		".Route", `codes .Route " → "`, `codes .Into ", "`, ".Forced", ".Home", "capacities .Capacities", `codes .Waiting ", "`, ".Order", ".Words", "$row.Number", "$row.State", "$row.Blocked", ".Path", ".Line", ".Column", ".More", ".LastGoodCommit", `codes .Roles " or "`, ".Typed", ".Verb", ".Previous", ".Starts", ".Known", ".Suggestion", ".Count", ".Minutes", ".Left", ".Lifecycle", ".Summary",
		".Usage", ".Help", ".Who", ".What", ".Command", ".Before", ".Leads", "with .First", ".Goal", ".LateNames", "with .Question", ".Entered.From", "$row.To", "$row.Why", "$row.Role", "$row.After", "range $row := .Rows", ".First", ".Limited.AtMost", ".Limited.Name", ".Limited.Since", ".Limited.Instead", "len .Operator", "len .", ".Why", ".OfIssue", ".Others", ".Pull", ".Pulls", ".Limit.AtMost", ".Limit.Name", ".Limit.Why", "$to", ".GiveUp",
		"$c.Name", "$c.Count", "$c.AtMost", "$l.Name", "$l.Level", "$l.Of", ".SubIssues.Done", ".SubIssues.Total", "$b.What", "with .State.Glyph", "with .Failing", "with .Near", "with .Counted false", "with .Counted true", ".Held", "with or .LedTo .Undone", ".", "len .Rows", "len .Steps", "len .Next", ".Most",
		".Who.Login", ".Link", // of a person whose login was checked
		"$.Named $i", "$i.State", "$i.Why", "$i.For", "$i.Typed", ".Total", "$r.Name", "$r.Line", ".LeftOut", "$r.Waiting", "$r.Read", "$s.State", "$.States $r $s", "$s.Open", "$s.AtMost", "with .Board", "$.ClosedEarly $r", // of a dashboard
		".Name", "with index . 0", `trim .Why "."`, "with .Link", "$c", // of guards
		"with .Extra", ".Extra", // a permission
	}
	action := regexp.MustCompile(`\{\{-?\s*(.*?)\s*-?\}\}`)
	control := regexp.MustCompile(`^(if|else|end|range|define|template|changed|code|inline|who|when|states|more|ordinal)\b|^"\\n"$`)
	eachTemplate(t, func(name, text string) {
		for _, m := range action.FindAllStringSubmatch(text, -1) {
			if !control.MatchString(m[1]) && !slices.Contains(trusted, m[1]) {
				t.Errorf("%s prints {{%s}} as it is", name, m[1])
			}
		}
		if name == "unknown_verb.md" && strings.Contains(text, "{{.Verb}}") || strings.Contains(text, "{{.Word}}") || strings.Contains(text, "{{.Reason}}") {
			t.Errorf("%s prints what somebody typed as it is", name)
		}
	})
}

// TestNoStrangerInATable: what Inline and Code make may hold "|", which ends a table's cell even inside code.
func TestNoStrangerInATable(t *testing.T) {
	tables := 0
	eachTemplate(t, func(name, text string) {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(strings.TrimSpace(line), "|") {
				continue
			}
			tables++
			if regexp.MustCompile(`\b(inline|code|who)\b|template`).MatchString(strings.ReplaceAll(line, ".Who", "")) && strings.Contains(line, "{{") {
				t.Errorf("%s has a stranger's text in a table: %s", name, line)
			}
		}
	})
	if tables == 0 {
		t.Error("no template has a table, so this test proves nothing")
	}
	for _, name := range lifecycle.ShippedNames() {
		l, err := statemachine.Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range l.Commands {
			if strings.ContainsAny(c.Verb+c.Help, "|\n<") {
				t.Errorf("lifecycle %s: the help of %s does not fit into a table: %q", name, c.Verb, c.Help)
			}
		}
	}
}

func eachTemplate(t *testing.T, check func(name, text string)) {
	t.Helper()
	files, err := fs.Glob(templateFiles, "templates/*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, file := range files {
		text, err := templateFiles.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		check(strings.TrimPrefix(file, "templates/"), string(text))
	}
}

func TestMarkersComeBack(t *testing.T) {
	long.Check(t, func(t *rapid.T) {
		want := map[MarkerKind][]int64{}
		var comment strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "markers") {
			kind := rapid.SampledFrom([]MarkerKind{Explains, Halts, Answers, Breaks, Orphans}).Draw(t, "kind")
			ids := rapid.SliceOfN(rapid.Int64Min(0), 1, 4).Draw(t, "ids")
			want[kind] = append(want[kind], ids...)
			comment.WriteString(Inline(rapid.String().Draw(t, "text")) + "\n\n" + Marker(kind, ids...) + "\n")
		}
		if diff := cmp.Diff(want, Markers(comment.String())); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestWhatIsNoMarker(t *testing.T) {
	for _, comment := range []string{
		"", "colony:explains 1", "<!-- colony:explains -->", "<!-- colony:explains x -->", "<!-- colony:tells 1 -->", "<!--colony:explains 1-->",
		"<!-- colony:explains -1 -->", "<!-- colony:explains 1, 2 -->", "<!-- colony:explains 99999999999999999999 -->", "&lt;!-- colony:explains 1 -->",
	} {
		if found := Markers(comment); len(found) != 0 {
			t.Errorf("Markers(%q) = %v", comment, found)
		}
	}
}
