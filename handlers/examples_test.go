package handlers

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// How many requests each event and action of the examples causes, as they are: they are about a label "bug" and
// comments without commands, and most lack an installation. An issue that is opened or gets a label may be taken in.
var requestsOfExamples = map[string]int{
	"check_suite.completed":                 7,
	"installation.created":                  4,
	"installation.new_permissions_accepted": 1,
	"installation.unsuspend":                1,
	"installation_repositories.added":       9,
	"issue_comment.created":                 8,
	"issues.assigned":                       3,
	"issues.deleted":                        1,
	"issues.labeled":                        2,
	"issues.opened":                         2,
	"issues.reopened":                       2,
	"issues.unlabeled":                      2,
	"label.created":                         3,
	"label.deleted":                         7,
	"label.edited":                          2,
	"pull_request.closed":                   8,
	"pull_request.converted_to_draft":       1,
	"pull_request.opened":                   10,
	"pull_request.ready_for_review":         1,
	"pull_request.reopened":                 4,
	"pull_request.synchronize":              2,
	"pull_request_review.dismissed":         1,
	"pull_request_review.submitted":         9,
	"push.":                                 2,
	"repository.created":                    1,
	"repository.privatized":                 2,
	"repository.publicized":                 7,
	"repository.renamed":                    1,
	"repository.transferred":                1,
	"status.success":                        8,
}

func TestExamples(t *testing.T) {
	got := map[string]int{}
	for i, e := range examples(t) {
		d := newFixture(t)
		if d.handlers[e.Event] == nil {
			continue
		}
		if err := d.handle(t, e.Event, fmt.Sprint(i), string(e.Payload)); err != nil {
			t.Errorf("example %d, %s: %v", i, e.Event, err)
		}
		for _, request := range d.publisher.published() {
			checkRequest(t, e.Event, request)
			got[request.Cause]++
		}
		if len(d.publisher.published()) == 0 && len(d.lines(t)) != 1 {
			t.Errorf("example %d, %s: neither a request nor one line that says why: %s", i, e.Event, &d.log)
		}
	}
	if diff := cmp.Diff(requestsOfExamples, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// The same examples, had they been about Colony's labels and commands, in an installation.
var looksOfColonysExamples = map[string]int{
	"check_run.completed":                   2,
	"check_suite.completed":                 11,
	"installation.created":                  4,
	"installation.new_permissions_accepted": 1,
	"installation.unsuspend":                1,
	"installation_repositories.added":       9,
	"issue_comment.created":                 12,
	"issue_comment.edited":                  4,
	"issues.assigned":                       5,
	"issues.deleted":                        1,
	"issues.labeled":                        4,
	"issues.opened":                         6,
	"issues.reopened":                       2,
	"issues.unlabeled":                      4,
	"issues.unlocked":                       2,
	"label.created":                         5,
	"label.deleted":                         9,
	"label.edited":                          3,
	"pull_request.closed":                   8,
	"pull_request.converted_to_draft":       3,
	"pull_request.opened":                   11,
	"pull_request.ready_for_review":         3,
	"pull_request.reopened":                 4,
	"pull_request.synchronize":              2,
	"pull_request_review.dismissed":         1,
	"pull_request_review.submitted":         10,
	"push.":                                 2,
	"repository.created":                    4,
	"repository.edited":                     1,
	"repository.privatized":                 4,
	"repository.publicized":                 10,
	"repository.renamed":                    1,
	"repository.transferred":                3,
	"status.success":                        11,
}

func TestExamplesOfColony(t *testing.T) {
	got := map[string]int{}
	for i, e := range examples(t) {
		d := newFixture(t)
		if d.handlers[e.Event] == nil {
			continue
		}
		if err := d.handle(t, e.Event, fmt.Sprint(i), colonys(t, e.Payload)); err != nil {
			t.Errorf("example %d, %s: %v", i, e.Event, err)
		}
		for _, request := range d.publisher.published() {
			checkRequest(t, e.Event, request)
			got[request.Cause]++
		}
	}
	if diff := cmp.Diff(looksOfColonysExamples, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// colonys gives a payload one of Colony's labels, a command and an installation.
func colonys(t *testing.T, payload []byte) string {
	t.Helper()
	var p map[string]any
	if err := json.Unmarshal(payload, &p); err != nil {
		t.Fatal(err)
	}
	if _, known := p["installation"]; !known {
		p["installation"] = map[string]any{"id": 7}
	}
	if label, known := p["label"].(map[string]any); known {
		label["name"] = "Colony:New"
	}
	if issue, known := p["issue"].(map[string]any); known {
		issue["body"] = "Please\n/Colony:move analyzing"
	}
	if comment, known := p["comment"].(map[string]any); known {
		comment["body"] = "Please\n/Colony:move analyzing"
	}
	changed, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(changed)
}

// Payloads of one event that reach the handler of another lack nearly all it knows.
func TestExamplesThroughEveryHandler(t *testing.T) {
	for i, e := range examples(t) {
		d := newFixture(t)
		for event := range d.handlers {
			if err := d.handle(t, event, fmt.Sprint(i), string(e.Payload)); err != nil {
				t.Errorf("example %d, %s, as %s: %v", i, e.Event, event, err)
			}
		}
		for _, request := range d.publisher.published() {
			checkRequest(t, "", request)
		}
	}
}
