package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// The lifecycle that README calls complete has twelve lines, and colony lint finds nothing in it.
func TestTheLifecycleOfReadmeIsComplete(t *testing.T) {
	t.Parallel()
	snippets := snippet.FindAllStringSubmatch(read(t, root(t), "README.md"), -1)
	if len(snippets) != 1 {
		t.Fatalf("README shows %d pieces of YAML, want 1", len(snippets))
	}
	file := snippets[0][1]
	if problems, err := lifecycle.Lint("README.md", []byte(file)); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	if _, err := statemachine.Parse("README.md", []byte(file)); err != nil {
		t.Error(err)
	}
	if lines := strings.Count(file, "\n"); lines != 12 {
		t.Errorf("it has %d lines", lines)
	}
}

var (
	pictured    = regexp.MustCompile(`(?:srcset|src)="([^"]+)"`)
	alternative = regexp.MustCompile(`alt="([^"]*)"`)
)

// What README's picture shows is what Colony says today, and its alternative text quotes it. TestPictureOfReadme of app/blackbox, which needs
// a browser, compares the picture with the demo.
func TestThePictureOfReadmeShowsWhatColonySays(t *testing.T) {
	t.Parallel()
	folder := root(t)
	page, shows := read(t, folder, "README.md"), read(t, folder, "docs", "pictures", "refused.txt")

	refusal, err := executorRefusal()
	if err != nil {
		t.Fatal(err)
	}
	said := 0
	for line := range strings.Lines(refusal) {
		text := regexp.MustCompile(`\[(.*?)\]\(.*?\)`).ReplaceAllString(strings.TrimSpace(strings.TrimPrefix(line, ">")), "$1")
		text = strings.NewReplacer("*", "", "`", "").Replace(text)
		if strings.HasPrefix(text, "<details>") {
			break // what is folded is not in the picture
		}
		said++
		if !strings.Contains(shows, text) {
			t.Errorf("the picture does not show %q: run TestPictureOfReadme of app/blackbox with -update", text)
		}
	}
	if said < 5 {
		t.Errorf("only %d lines were compared", said)
	}

	alt := alternative.FindStringSubmatch(page)
	if alt == nil {
		t.Fatal("the picture has no alternative text")
	}
	for _, quoted := range []string{"Colony undid this move and set the issue to failure-blocked.", "/colony:retry", "2 issues wait for a person", "added colony:done"} {
		if !strings.Contains(alt[1], quoted) || !strings.Contains(shows, quoted) {
			t.Errorf("%q is not both in the picture and in its alternative text", quoted)
		}
	}

	files := pictured.FindAllStringSubmatch(page, -1)
	if len(files) != 2 {
		t.Fatalf("README shows %d pictures, want a light and a dark one", len(files))
	}
	for _, file := range files {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(file[1]))); err != nil {
			t.Errorf("README shows a picture that is not there: %v", err)
		}
	}
}

// executorRefusal shows what Colony says about a change of a bot.
func executorRefusal() (string, error) {
	life, err := shown()
	if err != nil {
		return "", err
	}
	tara := lifecycle.Actor{Login: "tara", Kind: lifecycle.Operator}
	bot := lifecycle.Actor{Login: "dev-bot[bot]", Kind: lifecycle.Executor, Roles: []string{"developer"}}
	return said(life, labelled{tara, "in-development"}, labelled{bot, "done"}), nil
}

// said quotes Colony's comment on what it does not grant.
func said(life *statemachine.Table, log ...labelled) string {
	standing := fold(life, log...)
	comment, _, _ := strings.Cut(wording.Rejections(life, standing, standing.Rejections, wording.Telling{Mentions: true}), "<!--")
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSpace(comment) + "\n") {
		b.WriteString(strings.TrimRight("> "+line, " \n") + "\n")
	}
	return b.String()
}
