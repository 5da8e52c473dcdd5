package issues

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

// timelineServer is a GitHub that has the timeline of one issue.
type timelineServer struct {
	lines  []map[string]any
	nextID int
	asked  []string // the pages that were asked for; "304" after those that are not modified
}

func (s *timelineServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	from := min((number-1)*perPage, len(s.lines))
	to := min(from+perPage, len(s.lines))
	body, _ := json.Marshal(s.lines[from:to])
	tag := fmt.Sprintf(`W/"%x"`, sha256.Sum256(body))
	w.Header().Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag { // which does not say whether another page follows
		s.asked = append(s.asked, strconv.Itoa(number)+" 304")
		w.WriteHeader(http.StatusNotModified)
		return
	}
	s.asked = append(s.asked, strconv.Itoa(number))
	_, _ = w.Write(body)
}

func (s *timelineServer) comment(at time.Time) {
	s.nextID++
	s.lines = append(s.lines, map[string]any{"event": "commented", "id": s.nextID, "created_at": at, "body": "A comment"})
}

// mention is a pull request of a repository that names the issue; GitHub gives such a line no id.
func (s *timelineServer) mention(at time.Time, repository, body string) {
	s.nextID++
	s.lines = append(s.lines, map[string]any{"event": "cross-referenced", "created_at": at, "source": map[string]any{
		"type": "issue", "issue": map[string]any{
			"id": s.nextID, "number": s.nextID, "title": "A pull request", "body": body,
			"repository_url": "https://api.github.com/repos/" + repository, "pull_request": map[string]any{"url": "x"},
		},
	}})
}

// However a timeline and the texts of pull requests change, the store finds the pull requests that name the issue now.
func TestWhatIsRememberedOfATimelineIsTheTimeline(t *testing.T) {
	t.Parallel()
	long.Check(t, func(t *rapid.T) {
		server := &timelineServer{}
		store, clock, stop := newLogStore(t, server)
		defer stop()
		client := store.client(theIssue.Repository)
		text := rapid.SampledFrom([]string{"Fixes #1", "See #1"})
		for range rapid.IntRange(2, 8).Draw(t, "reads") {
			for range rapid.IntRange(0, 3).Draw(t, "happenings") {
				mentions := rapid.IntRange(0, 2).Draw(t, "mentions") == 0
				for range rapid.SampledFrom([]int{1, 2, 99, 100, 101, 250}).Draw(t, "lines") {
					server.comment(clock.Now())
				}
				if mentions {
					server.mention(clock.Now(), rapid.SampledFrom([]string{"acme/widgets", "acme/gadgets"}).Draw(t, "repository"), text.Draw(t, "text"))
				}
			}
			for _, line := range server.lines {
				if source, is := line["source"].(map[string]any); is && rapid.Bool().Draw(t, "edit") {
					source["issue"].(map[string]any)["body"] = text.Draw(t, "edited")
				}
			}
			if n := len(server.lines); n > 0 && rapid.IntRange(0, 3).Draw(t, "goes") == 0 {
				at := rapid.IntRange(0, n-1).Draw(t, "from")
				server.lines = slices.Delete(server.lines, at, min(n, at+rapid.IntRange(1, 101).Draw(t, "gone")))
			}
			found, err := store.pullsOf(client, View{Ref: theIssue}, Ask{}).crossReferences(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var want []int
			for _, line := range server.lines {
				if source, is := line["source"].(map[string]any); is {
					pull := source["issue"].(map[string]any)
					if pull["body"] == "Fixes #1" && pull["repository_url"] == "https://api.github.com/repos/acme/widgets" {
						want = append(want, pull["number"].(int))
					}
				}
			}
			if diff := cmp.Diff(want, found, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("the pull requests (-want +got):\n%s", diff)
			}
			clock.Advance(rapid.SampledFrom([]time.Duration{time.Second, time.Hour, 23 * time.Hour, 80 * time.Hour}).Draw(t, "passes"))
		}
	})
}

// Of an old timeline, the store reads the last page and the pages on which a pull request names the issue.
func TestOldPagesOfATimelineAreNotReadAgain(t *testing.T) {
	t.Parallel()
	server := &timelineServer{}
	store, clock, stop := newLogStore(t, server)
	defer stop()
	client := store.client(theIssue.Repository)
	reads := func(pulls []int, want ...string) {
		t.Helper()
		server.asked = nil
		found, err := store.pullsOf(client, View{Ref: theIssue}, Ask{}).crossReferences(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, server.asked); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(pulls, found, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("pull requests (-want +got):\n%s", diff)
		}
	}
	for range 120 {
		server.comment(clock.Now())
	}
	server.mention(clock.Now(), "acme/widgets", "See #1")
	for range 150 {
		server.comment(clock.Now())
	}
	clock.Advance(80 * time.Hour)
	reads(nil, "1", "2", "3")
	reads(nil, "2 304", "3 304")
	server.lines[120]["source"].(map[string]any)["issue"].(map[string]any)["body"] = "Fixes #1"
	reads([]int{121}, "2", "3 304")
	reads([]int{121}, "2 304", "3 304")
	server.comment(clock.Now())
	reads([]int{121}, "2 304", "3")
	server.lines = slices.Delete(server.lines, 5, 6) // all after it has moved up
	reads([]int{121}, "2", "1", "2", "3")
	reads([]int{121}, "2 304", "3 304")
}
