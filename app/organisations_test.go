package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

// Two organisations share a server: what one of them writes, and the files that it commits, tell it nothing of the other's private issues and
// change nothing there, also where a member of the other writes it.
func TestOneOrganisationLearnsNothingOfAnother(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.Follows)
	w.board = board.Open{}
	w.github.AddOrganization("globex")
	w.github.AddRepository("globex", "vault")
	w.Must(w.github.SetPrivate("globex", "vault", true))
	for _, login := range []string{"gil", "tara"} { // tara works for both
		w.github.AddUser(login)
		w.github.SetPermission("globex", "vault", login, "maintain")
	}
	w.github.AddRepository("acme", ".github")
	w.makeLabels()
	w.start()
	w.install()
	w.github.Install(appID, "globex")
	w.Settle()
	hidden, _, err := w.As("gil").Issues.Create(ctx, "globex", "vault", &github.IssueRequest{Title: new("A hidden plan"), Labels: &[]string{"colony:new"}})
	w.Must(err)
	w.Settle()
	is := func() string {
		now, _, err := w.As("gil").Issues.Get(ctx, "globex", "vault", hidden.GetNumber())
		w.Must(err)
		var names []string
		for _, l := range now.Labels {
			names = append(names, l.GetName())
		}
		return fmt.Sprint(names, now.GetState(), now.GetComments())
	}
	before := is()

	name := fmt.Sprintf("globex/vault#%d", hidden.GetNumber())
	for _, by := range []string{"mona", "tara"} {
		answers := map[string]bool{}
		for _, to := range []string{name, "globex/vault#999", "globex/nothing#1"} {
			i := w.open(by, "Depends on "+to)
			i.Label("olivia", "colony:ready-for-dev")
			w.Settle()
			link, status := i.Comment(by, "/colony:depends-on "+to), i.Comment(by, "/colony:status")
			w.Settle()
			i.ColonyReacts(link, "confused")
			i.ColonyReacts(status, "+1")
			i.Has("colony:ready-for-dev")
			said := strings.ReplaceAll(i.Describe(), to, "what it names")
			if strings.Contains(said, "hidden plan") {
				t.Errorf("%s learns of it: %s", by, said)
			}
			answers[regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`).ReplaceAllString(said, "then")] = true
		}
		if len(answers) != 1 {
			t.Errorf("%s can tell it from an issue that is not there: %v", by, answers)
		}
	}
	// acme's files speak for acme: the lifecycle of its .github has no state analyzing.
	w.CommitAndSettle(".github", policy.LifecycleFile, acme.Desk)
	w.github.ResetCalls()
	_, _, err = w.As("gil").Issues.AddLabelsToIssue(ctx, "globex", "vault", hidden.GetNumber(), []string{"colony:analyzing"})
	w.Must(err)
	w.Settle()
	if got, want := is(), strings.Replace(before, "new", "analyzing", 1); got != want {
		t.Errorf("globex's issue is %s, want %s", got, want)
	}
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != http.MethodGet && strings.Contains(c.Path, "/acme/") {
			t.Errorf("globex's move leads to %s %s", c.Method, c.Path)
		}
	}
}
