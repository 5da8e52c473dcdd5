//go:build examples

// Package curl runs the calls of docs/write-an-executor.md as they stand there.
package curl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/demo"
)

// ready is the issue of the demo's board that waits for a developer.
const ready = 5

var block = regexp.MustCompile("(?s)<!-- the calls: [^\n]*\n\n```sh\n(.*?)\n```")

func calls(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/write-an-executor.md")
	if err != nil {
		t.Fatal(err)
	}
	found := block.FindSubmatch(page)
	if found == nil {
		t.Fatal("the page has no calls")
	}
	return string(found[1])
}

// runs runs the calls in a world of their own, with a program for the work, and returns the labels of the issue afterwards.
func runs(t *testing.T, work string) []string {
	t.Helper()
	production, err := demo.Of("colony")
	if err != nil {
		t.Fatal(err)
	}
	world, err := demo.Open(t.Context(), demo.Options{Production: production, Address: "127.0.0.1:0", Log: zerolog.Nop(), SweepOnce: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := world.Close(); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	world.Install()
	if err := world.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "work.sh"), []byte("#!/bin/sh\n"+work+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	script := exec.CommandContext(t.Context(), "sh", "-euc", calls(t))
	script.Dir = folder
	script.Env = []string{
		"PATH=" + os.Getenv("PATH"), "GITHUB_API_URL=" + world.GitHubURL + "/api/v3", "GITHUB_REPOSITORY=" + demo.Owner + "/" + demo.Repository,
		"TOKEN=" + world.Playground.Token("dev-bot"), "OTHERS_TOKEN=" + world.Playground.Token("tara"),
	}
	if said, err := script.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if err := world.Rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	api := world.GitHubURL + "/api/v3/"
	client, err := github.NewClient(nil).WithAuthToken(world.Playground.Token(demo.Maintainer)).WithEnterpriseURLs(api, api)
	if err != nil {
		t.Fatal(err)
	}
	issue, _, err := client.Issues.Get(t.Context(), demo.Owner, demo.Repository, ready)
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, l := range issue.Labels {
		labels = append(labels, l.GetName())
	}
	return labels
}

func TestTheCallsMoveAnIssue(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"colony:in-review"}, runs(t, fmt.Sprintf(`[ "$1" = %d ]`, ready))); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}

func TestTheCallsComeLate(t *testing.T) {
	t.Parallel()
	pause := `curl -sS --fail -H "Authorization: Bearer $OTHERS_TOKEN" "$GITHUB_API_URL/repos/$GITHUB_REPOSITORY/issues/$1/labels" ` +
		`-d '{"labels": ["colony:paused"]}' >paused.json`
	if diff := cmp.Diff([]string{"colony:paused"}, runs(t, pause)); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
}
