package main

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// pages lists every document of the repository.
func pages(t *testing.T, folder string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return filepath.SkipDir // the documents of others
		}
		if strings.HasSuffix(path, ".md") {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// onGitHub is where the pages of this repository are for people who read Colony's comments.
const onGitHub = "https://github.com/colony-app/colony/blob/main/"

func TestLinksLeadSomewhere(t *testing.T) {
	t.Parallel()
	folder := root(t)
	followed := 0
	for _, page := range pages(t, folder) {
		source := read(t, page)
		for _, link := range links(source) {
			to, err := url.Parse(link)
			if err != nil {
				t.Errorf("%s: %v", page, err)
				continue
			}
			target := page
			within, ours := strings.CutPrefix(to.Scheme+"://"+to.Host+to.Path, onGitHub)
			switch {
			case ours:
				target = filepath.Join(folder, filepath.FromSlash(within))
			case to.Scheme != "":
				continue
			case to.Path != "":
				target = filepath.Join(filepath.Dir(page), filepath.FromSlash(to.Path))
			}
			followed++
			if within, err := filepath.Rel(folder, target); err != nil || !filepath.IsLocal(within) {
				t.Errorf("%s: the link %s leads out of the repository", page, link)
				continue
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", page, link, err)
				continue
			}
			if to.Fragment != "" && !anchors(read(t, target))[to.Fragment] {
				t.Errorf("%s: the link %s leads to no heading", page, link)
			}
		}
	}
	if followed < 20 {
		t.Errorf("only %d links were found", followed)
	}
}

func links(source string) []string {
	var found []string
	walk(source, func(n ast.Node, _ []byte) {
		switch n := n.(type) {
		case *ast.Link:
			found = append(found, string(n.Destination))
		case *ast.Image:
			found = append(found, string(n.Destination))
		}
	})
	return found
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// anchors lists the headings of a page as GitHub names them in addresses.
func anchors(source string) map[string]bool {
	found := map[string]bool{}
	walk(source, func(n ast.Node, source []byte) {
		heading, ok := n.(*ast.Heading)
		if !ok {
			return
		}
		words := strings.ToLower(string(heading.Lines().Value(source)))
		found[strings.ReplaceAll(notInAnchors.ReplaceAllString(words, ""), " ", "-")] = true
	})
	return found
}

func walk(source string, visit func(ast.Node, []byte)) {
	document := markdown.Parser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the visitor has no errors
		if entering {
			visit(n, []byte(source))
		}
		return ast.WalkContinue, nil
	})
}

// namedTest is a test as the documents name it, with one of its cases after the slash.
var namedTest = regexp.MustCompile("`(Test[A-Z]\\w*)(?:/([^`]+))?`")

func TestTestsThatDocumentsNameExist(t *testing.T) {
	t.Parallel()
	folder := root(t)
	bodies := testBodies(t, folder)
	named := 0
	for _, page := range append(pages(t, folder), filepath.Join(folder, promises)) {
		for _, m := range namedTest.FindAllStringSubmatch(read(t, page), -1) {
			named++
			body, ok := bodies[m[1]]
			if !ok {
				t.Errorf("%s names the test %s, which does not exist", page, m[1])
			} else if m[2] != "" && !strings.Contains(body, `"`+m[2]+`"`) {
				t.Errorf("%s names the case %q, which %s does not have", page, m[2], m[1])
			}
		}
	}
	if named < 200 {
		t.Errorf("the documents name only %d tests", named)
	}
}

var testFunction = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)\(t \*testing\.T\) \{(?: .* \}|\n(?s:.*?)\n\})$`)

// testBodies returns the text of every test that documents may name, by its name.
func testBodies(t *testing.T, folder string) map[string]string {
	t.Helper()
	bodies := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "node_modules":
			return filepath.SkipDir
		case strings.HasSuffix(path, "_test.go"):
			for _, m := range testFunction.FindAllStringSubmatch(read(t, path), -1) {
				bodies[m[1]] = m[0]
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return bodies
}

// developers are the pages that may name tests: others are for people who will never run one.
var developers = map[string]bool{"CONTRIBUTING.md": true, "SECURITY.md": true, "docs/blackbox.md": true, "docs/architecture.md": true}

func TestOnlyDevelopersPagesNameTests(t *testing.T) {
	t.Parallel()
	folder := root(t)
	for _, page := range pages(t, folder) {
		within, err := filepath.Rel(folder, page)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.ToSlash(within)
		if developers[name] || strings.Contains(name, "/") && filepath.Dir(within) != "docs" {
			continue
		}
		if found := regexp.MustCompile("`(Test|Benchmark)[A-Z]\\w*").FindAllString(read(t, page), -1); len(found) > 0 {
			t.Errorf("%s names tests, which belong to %s: %s", name, promises, strings.Join(found, ", "))
		}
	}
}

// promises is a table of three columns: a group, a promise of the group, and the tests that show it.
const promises = "docs/generate/promises.tsv"

var shows = regexp.MustCompile("`(?:(?:Test|Benchmark)[A-Z]|go test )")

// Each row of a page's table of promises names its tests in the table of promises, in the same order.
func TestEveryPromiseNamesItsTests(t *testing.T) {
	t.Parallel()
	folder := root(t)
	shown := map[string][]string{}
	for line := range strings.Lines(read(t, folder, promises)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(cells) != 3 || cells[2] != "shown by" && !shows.MatchString(cells[2]) {
			t.Fatalf("%s: a row has to be a group, a promise and its tests: %q", promises, line)
		}
		shown[cells[0]] = append(shown[cells[0]], cells[1])
	}
	for _, c := range []struct{ page, head, group string }{
		{"reliability.md", "## Under which faults", "faults"},
		{"design.md", "## What odd things lead to", "odd things"},
	} {
		promised := firstCells(read(t, folder, "docs", c.page), c.head)
		if len(promised) < 20 {
			t.Errorf("%s has only %d rows under %q", c.page, len(promised), c.head)
		}
		if diff := cmp.Diff(promised, shown[c.group]); diff != "" {
			t.Errorf("%s, %q, has not the rows of docs/%s (-promised +shown):\n%s", promises, c.group, c.page, diff)
		}
	}
}

// firstCells returns the first column of the table under a heading, without its head.
func firstCells(page, heading string) []string {
	_, section, _ := strings.Cut(page, "\n"+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var cells []string
	for line := range strings.Lines(section) {
		if cell, _, found := strings.Cut(strings.TrimPrefix(line, "| "), " | "); found && strings.HasPrefix(line, "| ") {
			cells = append(cells, cell)
		}
	}
	if len(cells) == 0 {
		return nil
	}
	return cells[1:]
}

// The texts that the troubleshooting page quotes as symptoms are Colony's own.
func TestSymptomsAreWhatColonySays(t *testing.T) {
	t.Parallel()
	folder := root(t)
	said := texts(t, folder)
	quoted := 0
	for line := range strings.Lines(read(t, folder, "docs", "troubleshooting.md")) {
		cell, _, found := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !found || !strings.HasPrefix(line, "| ") {
			continue
		}
		for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cell, -1) {
			if text := m[1]; strings.Contains(text, " ") {
				quoted++
				if !strings.Contains(said, text) {
					t.Errorf("docs/troubleshooting.md quotes %q, which Colony does not say any more: quote what it says now", text)
				}
			}
		}
	}
	if quoted < 20 {
		t.Errorf("only %d texts are quoted", quoted)
	}
}

// texts joins what Colony's packages and templates can say.
func texts(t *testing.T, folder string) string {
	t.Helper()
	var said strings.Builder
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == filepath.Join(folder, "docs"), entry.IsDir() && slices.Contains([]string{"node_modules", ".git", "testdata", "playground"}, entry.Name()):
			return filepath.SkipDir
		case strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go"), strings.Contains(path, "templates") && strings.HasSuffix(path, ".md"):
			said.WriteString(read(t, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return said.String()
}
