package cli

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	gh "github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/playground"
)

func TestAuditExitCodes(t *testing.T) {
	p, environment := github(t)
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	id := p.Install(7, "acme")
	if err := p.SetInstallationPermissions(id, map[string]string{"issues": "read", "contents": "read"}); err != nil {
		t.Fatal(err)
	}
	if out, status := run(t, environment, "audit"); status != 0 || out != "0 findings; checked 0 issues in 1 repository\n" {
		t.Errorf("exits with %d and prints %q", status, out)
	}

	openIssue(t, p, environment, "colony:nonsense", "colony:new")
	const says = `the label "colony:nonsense" is not in lifecycle colony`
	out, status := run(t, environment, "audit")
	address := regexp.MustCompile(`http://\S+`).FindString(out)
	want := "unknown-label   acme/widgets#1: " + says + "; \"A widget\" " + address + "\n1 finding; checked 1 issue in 1 repository\n"
	if diff := cmp.Diff(want, out); diff != "" || status != 1 {
		t.Errorf("exits with %d (-want +got):\n%s", status, diff)
	}
	out, status = run(t, environment, "audit", "--format", "json")
	var got audited
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 1 {
		t.Fatalf("exits with %d and prints %q: %v", status, out, err)
	}
	all := audited{
		Findings: []audit.Finding{{Irregular: audit.UnknownLabel, Repository: "acme/widgets", Issue: 1, Title: "A widget", URL: address, Says: says}},
		Audited:  audit.Audited{Repositories: 1, Issues: 1},
	}
	if diff := cmp.Diff(all, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// openIssue opens an issue with labels in acme/widgets.
func openIssue(t *testing.T, p *playground.Playground, environment []string, labels ...string) {
	t.Helper()
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
	_, _, err := client.Issues.Create(t.Context(), "acme", "widgets", &gh.IssueRequest{Title: new("A widget"), Labels: &labels})
	if err != nil {
		t.Fatal(err)
	}
}
