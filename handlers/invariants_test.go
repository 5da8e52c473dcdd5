package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/reconcile"
)

// checkLook fails unless a look says all that its scope needs and survives the queue. With an event, the look must
// name it.
func checkLook(t *testing.T, event string, look reconcile.Request) {
	t.Helper()
	ok := look.Installation > 0
	switch look.Kind {
	case reconcile.KindIssue, reconcile.KindPullRequest, reconcile.KindFiles, reconcile.KindDependents:
		ok = ok && look.RepositoryID > 0 && look.Owner != "" && look.Repo != "" && look.Issue > 0
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindDispatch, reconcile.KindConflicts:
		ok = ok && look.RepositoryID > 0 && look.Owner != "" && look.Repo != "" && look.Issue == 0
	case reconcile.KindCommit:
		ok = ok && look.RepositoryID > 0 && look.Owner != "" && look.Repo != "" && look.Issue == 0 && look.Commit != ""
	case reconcile.KindInstallation:
		ok = ok && look.RepositoryID == 0 && look.Owner == "" && look.Repo == "" && look.Issue == 0
	default:
		ok = false
	}
	if !ok {
		t.Errorf("a look that names nothing to look at: %+v", look)
	}
	if strings.Contains(look.Owner+look.Repo, "/") {
		t.Errorf("a look at a repository with a slash in its name: %+v", look)
	}
	if event != "" && !strings.HasPrefix(look.Cause, event+".") {
		t.Errorf("because %q, want event %q", look.Cause, event)
	}
	kept, err := json.Marshal(look)
	if err != nil {
		t.Fatalf("the look cannot be kept: %v", err)
	}
	var back reconcile.Request
	if err := json.Unmarshal(kept, &back); err != nil {
		t.Fatalf("the look cannot be read again: %v", err)
	}
	if diff := cmp.Diff(look, back); diff != "" {
		t.Errorf("the look changed on its way (-before +after):\n%s", diff)
	}
}
