package cli

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gh "github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/audit"
)

// runAudit runs "colony audit" in an empty folder and returns what it prints and its exit status.
func runAudit(t *testing.T, environment []string, args ...string) (stdout string, status int) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "colony", append([]string{"audit"}, args...)...)
	command.Env = append(os.Environ(), environment...)
	command.Dir = t.TempDir()
	command.Stderr = os.Stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

func TestAuditTellsByItsExit(t *testing.T) {
	p, environment := github(t)
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	id := p.Install(7, "acme")
	if err := p.SetInstallationPermissions(id, map[string]string{"issues": "read", "contents": "read"}); err != nil {
		t.Fatal(err)
	}
	if out, status := runAudit(t, environment); status != 0 || out != "0 findings; checked 0 issues in 1 repository\n" {
		t.Errorf("exits with %d and prints %q", status, out)
	}

	client := gh.NewClient(nil).WithAuthToken(p.Token("olivia"))
	for _, e := range environment {
		if address, ok := strings.CutPrefix(e, "COLONY_GITHUB_V3_API_URL="); ok {
			base, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			client.BaseURL = base
		}
	}
	_, _, err := client.Issues.Create(context.Background(), "acme", "widgets", &gh.IssueRequest{
		Title: new("A widget"), Labels: &[]string{"colony:nonsense", "colony:new"},
	})
	if err != nil {
		t.Fatal(err)
	}
	const says = `the label "colony:nonsense" is not in lifecycle colony`
	out, status := runAudit(t, environment)
	want := "unknown-label   acme/widgets#1: " + says + "\n1 finding; checked 1 issue in 1 repository\n"
	if diff := cmp.Diff(want, out); diff != "" || status != 1 {
		t.Errorf("exits with %d (-want +got):\n%s", status, diff)
	}
	out, status = runAudit(t, environment, "--format", "json")
	var got audited
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 1 {
		t.Fatalf("exits with %d and prints %q: %v", status, out, err)
	}
	all := audited{
		Findings: []audit.Finding{{Irregular: audit.UnknownLabel, Repository: "acme/widgets", Issue: 1, Says: says}},
		Audited:  audit.Audited{Repositories: 1, Issues: 1},
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
