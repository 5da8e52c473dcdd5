package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/apptest"
)

// A broken setup is mended step by step; each step is in one golden file.
func TestDoctorLeadsToHealth(t *testing.T) {
	p, environment := github(t)
	visits := map[string]string{}
	visit := func(name string, want int, args ...string) {
		t.Helper()
		out, status := run(t, environment, append([]string{"doctor"}, args...)...)
		if status != want {
			t.Errorf("%s: exits with %d, want %d", name, status, want)
		}
		out = regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(out, "HOST")
		out = regexp.MustCompile(`(installations?[ /])\d{3,}`).ReplaceAllString(out, "${1}N")
		visits[name] = regexp.MustCompile(`of the last \d+, \d+ did`).ReplaceAllString(out, "of the last N, N did")
	}
	colony := apptest.Serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest) // as if the secret were another one
	}))
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	visit("1 nothing is granted, no event is subscribed to", 2)
	p.SetWebhookURL(7, colony+"/api/github/hook")
	id := p.Install(7, "acme")
	if err := p.Quiet(t.Context()); err != nil {
		t.Fatal(err)
	}
	visit("2 the webhooks are refused, and the installation may do nothing", 2)
	all := map[string]string{}
	for _, n := range permissions.Needs {
		all[n.Permission] = n.Level
	}
	if err := p.SetInstallationPermissions(id, all); err != nil {
		t.Fatal(err)
	}
	if err := p.Quiet(t.Context()); err != nil {
		t.Fatal(err)
	}
	visit("3 the installation may do all, and has no labels yet", 2, "--server", colony)

	golden := filepath.Join("testdata", "doctor.txt")
	var got strings.Builder
	for _, name := range []string{
		"1 nothing is granted, no event is subscribed to", "2 the webhooks are refused, and the installation may do nothing",
		"3 the installation may do all, and has no labels yet",
	} {
		got.WriteString("# " + name + "\n" + visits[name] + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Colony says at the start what is missing, before anybody misses it.
func TestServeLogsWhatIsNotGranted(t *testing.T) {
	_, environment := github(t)
	colony := start(t, false, environment, "serve")
	line := colony.until(t, "GitHub does not grant a permission that is needed")
	for _, words := range []string{`"level":"error"`, `"permission":"issues"`, `"needed":"write"`, `"for":"reading issues`} {
		if !strings.Contains(line, words) {
			t.Errorf("the log does not say %s: %s", words, line)
		}
	}
	colony.until(t, `"event":"issue_comment"`)
	colony.signal(t, os.Interrupt)
	if err := colony.exits(); err != nil {
		t.Error(err)
	}
}
