package issues

import (
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
}

func (s *timelineServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	from := min((number-1)*perPage, len(s.lines))
	to := min(from+perPage, len(s.lines))
	body, _ := json.Marshal(s.lines[from:to])
	if to < len(s.lines) {
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next"`, r.Host, r.URL.Path, number+1))
	}
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
func TestATimelineTellsWhichPullRequestsNameAnIssue(t *testing.T) {
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
