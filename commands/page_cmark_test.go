//go:build cmark

package commands

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"
)

var (
	texts = flag.Int("texts", 20_000, "how many texts are generated")
	seed  = flag.Uint64("seed", 1, "what the texts are generated from")
)

// githubs renders a text with cmark-gfm, the implementation of Markdown that GitHub published as its own
// (https://github.com/github/cmark-gfm), with the extensions that GitHub uses.
func githubs(ctx context.Context, markdown string) (string, error) {
	render := exec.CommandContext(ctx, "cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tagfilter", "-e", "footnotes")
	render.Stdin = strings.NewReader(markdown)
	var page, said bytes.Buffer
	render.Stdout, render.Stderr = &page, &said
	if err := render.Run(); err != nil {
		return "", fmt.Errorf("cmark-gfm: %w: %s", err, said.Bytes())
	}
	return page.String(), nil
}

// What runs, GitHub's page shows as text of its writer's own. And where there is no HTML, no table and no footnote, what the page shows
// so runs.
func TestParseAgreesWithGitHubsPage(t *testing.T) {
	check := func(markdown string) error {
		page, err := githubs(t.Context(), string(normalise(markdown)))
		if err != nil {
			return err
		}
		got := Parse(markdown)
		if verb := hidden(got, shownOn(t, page)); verb != "" {
			return fmt.Errorf("%q: %s runs, but the page is\n%s", markdown, verb, page)
		}
		cautious := cautiousAbout.Match(normalise(markdown))
		if verb := missing(markdown, got, shownOn(t, page)); verb != "" && !cautious {
			return fmt.Errorf("%q: %s does not run, but the page is\n%s", markdown, verb, page)
		}
		return nil
	}
	for _, markdown := range doubts {
		if err := check(markdown); err != nil {
			t.Error(err)
		}
	}
	var workers sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for n := worker; n < *texts; n += runtime.GOMAXPROCS(0) {
				random := rand.New(rand.NewPCG(*seed, uint64(n)))
				from := pieces
				if n%3 == 0 {
					from = withoutHTML()
				}
				if err := check(generated(random, from)); err != nil && !t.Failed() {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
}
