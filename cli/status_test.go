package cli

import (
	"encoding/csv"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/audit"
	"github.com/colony-app/colony/app/inspect"
)

func TestStatus(t *testing.T) {
	p, environment := github(t)
	p.AddOrganization("acme")
	for _, name := range []string{"widgets", "gears"} {
		p.AddRepository("acme", name)
		p.SetPermission("acme", name, "olivia", "write")
	}
	p.AddUser("olivia")
	p.SetPermission("acme", "widgets", "olivia", "write")
	id := p.Install(7, "acme")
	if err := p.SetInstallationPermissions(id, map[string]string{"issues": "read", "contents": "read"}); err != nil {
		t.Fatal(err)
	}
	openIssue(t, p, environment, "colony:needs-clarification")
	openIssue(t, p, environment, "colony:in-review")
	openIssue(t, p, environment, "colony:in-review", "bug")
	varying := regexp.MustCompile(`http://[^/]+|\d{4}-\d\d-\d\d \d\d:\d\d UTC`)
	age := regexp.MustCompile(` \((\d+[hms])+\)`)
	for _, of := range []string{"", "acme", "Acme/Widgets"} {
		arguments := []string{"status"}
		if of != "" {
			arguments = append(arguments, of)
		}
		out, status := run(t, environment, arguments...)
		out = varying.ReplaceAllString(age.ReplaceAllString(out, ""), "~")
		want := `3 open issues in 2 repositories, ~
      2  in-review
      1  needs-clarification
1 issue waits for a person
awaiting-human  acme/widgets#1: needs-clarification asks a person for something, since ~, by olivia; waits for olivia or people who may edit labels; "A widget" ~/acme/widgets/issues/1
`
		if of == "Acme/Widgets" {
			want = strings.Replace(want, "2 repositories", "1 repository", 1)
		}
		if diff := cmp.Diff(want, out); diff != "" || status != 0 {
			t.Errorf("status %s exits with %d (-want +got):\n%s", of, status, diff)
		}
	}

	out, status := run(t, environment, "status", "acme/widgets", "--json")
	var got audit.Status
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != 0 || got.Issues != 3 || len(got.Waiting) != 1 || got.Waiting[0].Title != "A widget" {
		t.Errorf("exits with %d and prints %s: %v", status, out, err)
	}
	if diff := cmp.Diff([]audit.Count{{State: "in-review", Open: 2}, {State: "needs-clarification", Open: 1}}, got.Sum()); diff != "" {
		t.Error(diff)
	}
	out, status = run(t, environment, "status", "--csv")
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || status != 0 || len(rows) < 3 || rows[len(rows)-1][4] != "awaiting-human" || rows[len(rows)-1][9] != "" {
		t.Errorf("exits with %d and prints %s: %v", status, out, err)
	}

	out, status = run(t, environment, "status", "acme/widgets#1")
	for _, word := range []string{"acme/widgets#1", "needs-clarification", "by olivia", "must act: olivia or people who may edit labels", "waits:    Its state asks a person", "next:     "} {
		if !strings.Contains(out, word) || status != 0 {
			t.Errorf("exits with %d and does not print %q:\n%s", status, word, out)
		}
	}
	out, status = run(t, environment, "audit", "acme/widgets#1")
	for _, word := range []string{"1 move:", "unlabeled -> needs-clarification, by olivia", "0 refusals:"} {
		if !strings.Contains(out, word) || status != 0 {
			t.Errorf("exits with %d and does not print %q:\n%s", status, word, out)
		}
	}
	out, status = run(t, environment, "audit", "acme/widgets#1", "--format", "json")
	var issue inspect.Issue
	if err := json.Unmarshal([]byte(out), &issue); err != nil || status != 0 || issue.State != "needs-clarification" || len(issue.Trail) != 1 {
		t.Errorf("exits with %d and prints %s: %v", status, out, err)
	}

	for _, wrong := range [][]string{
		{"status", "acme/widgets/1"},
		{"status", "acme/widgets#1", "--csv"},
		{"status", "--csv", "--json"},
		{"status", "--watch", "5s"},
		{"audit", "acme/widgets"},
		{"status", "nobody"},
		{"status", "acme/widgets#99"},
		{"audit", "acme/nothing#1"},
	} {
		if out, status := run(t, environment, wrong...); status != 2 {
			t.Errorf("%q exits with %d and prints %s", wrong, status, out)
		}
	}
}
