package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

var snippet = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// What the page on writing lifecycles says of guards is part of a lifecycle that nothing is doubtful in, and that the demo plays.
func TestSnippetsOfGuardsAreOfALifecycle(t *testing.T) {
	t.Parallel()
	file := read(t, root(t), "demo", "four-eyes.yml")
	if problems, err := lifecycle.Lint("four-eyes.yml", []byte(file)); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	life, err := statemachine.Parse("four-eyes.yml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(read(t, root(t), "docs", "write-a-lifecycle.md"), "## Say who may make a move\n")
	section, _, ends := strings.Cut(section, "\n## ")
	if !found || !ends {
		t.Fatal("the page has no such section")
	}
	snippets := snippet.FindAllStringSubmatch(section, -1)
	for _, s := range snippets {
		if !strings.Contains(file, "\n"+s[1]) {
			t.Errorf("the lifecycle has no lines\n%s", s[1])
		}
	}
	guards := slices.DeleteFunc(slices.Clone(life.Guards), func(g lifecycle.Guard) bool { return !strings.Contains(file, "- name: "+g.Name+"\n") }) // a seal has a guard without a row
	for _, g := range guards {
		if g.Name != "not-the-author" && !strings.Contains(section, "- name: "+g.Name+"\n") {
			t.Errorf("the page does not show guard %s", g.Name)
		}
	}
	if len(snippets) < len(guards) {
		t.Errorf("only %d snippets", len(snippets))
	}
}
