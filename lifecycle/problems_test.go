package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each text is added to a right file, or put there for another. The problem is at what follows the mark ¦ in it.
func TestProblemsOfSettings(t *testing.T) {
	t.Parallel()
	const facts = "; there are: author-replied, person-replied, author-edited, text-changed, head-changed, pull-request-opened, pull-request-ready, " +
		"pull-request-missing, pull-request-merged, issue-merged, pull-request-closed, pull-request-conflicting, pull-request-pushed, review-approved, review-changes-requested, person-approved, checks-passed, " +
		"checks-failed, files-overlap, files-clear, dependency-open, dependencies-closed, dependencies-none, dependency-dropped, dependency-cycle, dependency-early, " +
		"sub-issues-open, sub-issues-none, sub-issues-closed, sub-issues-completed, sub-issues-dropped, issue-closed, issue-completed, issue-dropped, issue-reopened"
	const settings = "there are name, summary, label-prefix, initial, bad-request, terminal-is-final, force, states, forward, transitions, executors, commands, " +
		"limits, time-outs, triggers, guards, scales, priority, waiting, reflection, intake, takes-in"
	guard := func(rest string) string {
		return "guards:\n  - {name: g, why: It takes more., from: stuck, to: end, " + rest + "}\n"
	}
	trigger := func(rest string) string {
		return "triggers:\n  - {on: pull-request-opened, in: stuck, to: end, why: It is open, " + rest + "}\n"
	}
	for _, c := range []struct{ text, want string }{
		{guard("requires: [¦{in-state-for: \"\"}]"), "a condition is one of: is, login, role, by, moved-by, in-state-for, permission, team, fact, label, milestone, assignee, type, title, body, section, at-most; this has 0 of them"},
		{guard("requires: [{in-state-for: ¦0s}]"), `"0s" is not a duration from 1m to 8760h, written like 30m or 72h`},
		{guard("requires: [{in-state-for: ¦59s}]"), `"59s" is not a duration from 1m to 8760h, written like 30m or 72h`},
		{guard("requires: [{in-state-for: ¦8760h1s}]"), `"8760h1s" is not a duration from 1m to 8760h, written like 30m or 72h`},
		{guard("requires: [{label: ¦[]}]"), "label names nothing, so it never holds"},
		{guard("requires: [{label: ¦[" + strings.Repeat("x,", 51) + "]}]"), "label names 51, more than 50"},
		{guard("requires: [{permission: ¦[read, write]}]"), "permission is the least that is enough, so it is one word"},
		{guard("requires: [{label: ¦" + strings.Repeat("x", 101) + "}]"), "label names a text that is not 1 to 100 characters in one line"},
		{guard("requires: [{at-most: ¦1001}]"), "at-most 1001 is not from 1 to 1000"},
		{guard("requires: ¦[" + strings.Repeat("{label: x},", 21) + "]"), "21 conditions, more than 20"},
		{guard("requires: [{label: x}], role: ¦nobody"), `role names "nobody", which is no role of this lifecycle`},
		{guard("requires: [{label: x}], unless: [{label: y, why: ¦\"@all\"}]"), "the text is not plain: it may not hold line breaks, addresses, quotation marks or any of < > | ` @ [ ] \\ * _ # ~"},
		{guard("requires: [{label: x}], unless: ¦[" + strings.Repeat("{label: y, why: It is small.},", 21) + "]"), "21 exceptions, more than 20"},
		{"¦3: every\n", `unknown setting "3": ` + settings},
		{"¦~: every\n", `unknown setting "~": ` + settings},
		{"¦1.5: every\n", `unknown setting "1.5": ` + settings},
		{"¦true: every\n", `unknown setting "true": ` + settings},
		{"reflection: {in: end, words: So, within: 1h, ¦7: 1h}\n", `unknown setting "7": there are in, words, within`},
		{guard("requires: [{label: x, ¦null: y}]"), `unknown setting "null": there are is, login, role, by, moved-by, in-state-for, permission, team, fact, label, milestone, assignee, type, title, body, section, at-most`},
		{trigger("planned-in: ¦Files"), "pull-request-opened is not about the files that an issue changes, so no section names any for it"},
		{strings.Replace(trigger("planned-in: [Files, ¦\"@all\"]"), "pull-request-opened", "files-overlap", 1), "the text is not plain: it may not hold line breaks, addresses, quotation marks or any of < > | ` @ [ ] \\ * _ # ~"},
		{trigger("unless: ¦it-rains"), `"it-rains" is no fact that Colony knows` + facts},
		{trigger("unless: ¦pull-request-missing"), "pull-request-opened and pull-request-missing never hold together"},
		{trigger("unless: [files-overlap, ¦files-overlap]"), "files-overlap is listed twice"},
		{"limits:\n  - {count: ends, to: end, on-pull-request: ¦true}\n", "a limit without at-most only counts; there is nothing to tell"},
		{"takes-in: ¦every\n", "nothing is taken in without a state for it: say which with intake"},
		{"takes-in: ¦none\nintake: stuck\n", `"none" is not one of every, labelled, assigned`},
		{"intake: ¦nowhere\n", `intake names "nowhere", which is no state of this lifecycle`},
		{"label-prefix: ¦\" x\"\n", `label-prefix " x" is not 1 to 20 characters that begin with no blank`},
		{"label-prefix: ¦abcdefghijklmnopqrstu\n", `label-prefix "abcdefghijklmnopqrstu" is not 1 to 20 characters that begin with no blank`},
		{"force: ¦{}\n", "force says neither by whom nor into which states"},
		{"scales: ¦3\n", "a list is expected here"},
		{"reflection: ¦3\n", "a mapping is expected here"},
		{"limits: [{count: c, to: end, at-most: ¦many}]\n", "a whole number is expected here"},
		{"limits: [{count: c, to: end, at-most: ¦1.5, instead: stuck}]\n", "a whole number is expected here"},
		{"terminal-is-final: ¦perhaps\n", "true or false is expected here"},
		{"takes-in: ¦[every]\n", "a single value is expected here"},
		{"reflection: {in: end, words: So, within: ¦[1h]}\n", "a single value is expected here"},
	} {
		text := tiny + c.text
		before, after, _ := strings.Cut(text, "¦")
		lines := strings.Split(before, "\n")
		want := fmt.Sprintf("x.yml:%d:%d: %s", len(lines), len(lines[len(lines)-1])+1, c.want)
		var got []string
		for _, p := range problemsIn(before + after) {
			p.Excerpt = ""
			got = append(got, p.String())
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s\nwant %s\ngot  %s", c.text, want, strings.Join(got, "\n     "))
		}
	}
}

// What is at a bound is within it.
func TestSettingsAtTheirBounds(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"label-prefix: abcdefghijklmnopqrst\n",
		"label-prefix: \"colony:\"\n",
		"time-outs: [{in: stuck, after: 1m, to: end, why: It waited}]\n",
		"time-outs: [{in: stuck, after: 8760h, to: end, why: It waited}]\n",
		"force: {by: admin, into: stuck}\n",
		"guards:\n  - {name: g, why: It takes more., to: end, requires: [{at-most: 1000}, {label: " + strings.Repeat("x", 100) + "}, {label: [" + strings.Repeat("x,", 50) + "]}]}\n",
		"scales: [{name: " + strings.Repeat("s", 41) + ", levels: 10, high: 9, color: aaaaaa, meaning: " + strings.Repeat("m", 80) + "}]\n",
		"reflection: {in: end, words: " + strings.Repeat("w", 60) + ", within: 1m}\n",
	} {
		life, err := Parse("x.yml", []byte(tiny+text))
		if err != nil {
			t.Errorf("%s\n%v", text, err)
		} else if life.LabelPrefix() == DefaultLabelPrefix && life.Prefix != "" {
			t.Errorf("the prefix %q says nothing new", life.Prefix)
		}
	}
}

func TestSettingsOfAnotherFile(t *testing.T) {
	t.Parallel()
	var into struct {
		Most int `yaml:"most"`
	}
	at, err := ReadSettings("x.yml", []byte("# Settings.\nmost: 3\n"), &into)
	if err != nil || into.Most != 3 {
		t.Fatalf("%d, %v", into.Most, err)
	}
	for _, c := range []struct{ got, want string }{
		{at.Problem("too many", "most").String(), "x.yml:2:7: too many\n    most: 3\n          ^"},
		{at.Problem("too few", "least", "most").String(), "x.yml:2:1: too few\n    most: 3\n    ^"},
	} {
		if c.got != c.want {
			t.Errorf("%s\nwant %s", c.got, c.want)
		}
	}
	for text, want := range map[string]string{
		"[": "x.yml:1:1: did not find expected node content", "least: 3\n": `x.yml:1:1: unknown setting "least": there are most`,
	} {
		if _, err := ReadSettings("x.yml", []byte(text), &into); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
