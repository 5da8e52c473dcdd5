package handlers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/reconcile"
)

// checkSender checks that a request about an issue that is in the payload has its sender, and takes it out of the request.
func checkSender(t *testing.T, event, body string, request *reconcile.Request) {
	t.Helper()
	var payload struct {
		Sender struct {
			Login string `json:"login"`
		} `json:"sender"`
	}
	if err := json.Unmarshal([]byte(body), &payload); err != nil {
		t.Fatal(err)
	}
	want := ""
	if request.Number > 0 && (strings.HasPrefix(event, "issue") || event == "sub_issues") {
		want = payload.Sender.Login
	}
	if request.Expect.By != want {
		t.Errorf("a request of %q, want %q", request.Expect.By, want)
	}
	request.Expect.By = ""
}

// checkRequest fails unless a request says all that its kind needs and survives the queue. With an event, the request must
// name it.
func checkRequest(t *testing.T, event string, request reconcile.Request) {
	t.Helper()
	ok := request.Installation > 0
	switch request.Kind {
	case reconcile.KindIssue, reconcile.KindPullRequest, reconcile.KindFiles, reconcile.KindDependents:
		ok = ok && request.ID > 0 && request.Owner != "" && request.Name != "" && request.Number > 0
	case reconcile.KindRepository, reconcile.KindPolicy, reconcile.KindDispatch, reconcile.KindConflicts:
		ok = ok && request.ID > 0 && request.Owner != "" && request.Name != "" && request.Number == 0
	case reconcile.KindCommit:
		ok = ok && request.ID > 0 && request.Owner != "" && request.Name != "" && request.Number == 0 && request.Commit != ""
	case reconcile.KindInstallation:
		ok = ok && request.ID == 0 && request.Owner == "" && request.Name == "" && request.Number == 0
	default:
		ok = false
	}
	if !ok {
		t.Errorf("a request that names nothing to reconcile: %+v", request)
	}
	if strings.Contains(request.Owner+request.Name, "/") {
		t.Errorf("a request for a repository with a slash in its name: %+v", request)
	}
	if event != "" && !strings.HasPrefix(request.Cause, event+".") {
		t.Errorf("because %q, want event %q", request.Cause, event)
	}
	kept, err := json.Marshal(request)
	if err != nil {
		t.Fatalf("the request cannot be encoded: %v", err)
	}
	var back reconcile.Request
	if err := json.Unmarshal(kept, &back); err != nil {
		t.Fatalf("the request cannot be decoded: %v", err)
	}
	if diff := cmp.Diff(request, back); diff != "" {
		t.Errorf("the request changed on its way (-before +after):\n%s", diff)
	}
}
