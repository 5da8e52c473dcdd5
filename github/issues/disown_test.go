package issues

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands/wording"
)

// Colony's comments say for programs only what Colony wrote there. A signature costs no question; a comment without a right one costs one,
// once.
func TestWhatSomebodyElseWroteForProgramsDoesNotCount(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	signer, other := newTestSigner(t), newTestSigner(t)
	ref := Ref{Repository: Repository{Owner: "acme", Name: "widgets"}, Number: 12}
	written := time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)
	const (
		byColony = `{"lastEditedAt":"2026-03-02T09:00:00Z","editor":{"__typename":"Bot","login":"colony"}}`
		byOlivia = `{"lastEditedAt":"2026-03-02T09:00:00Z","editor":{"__typename":"User","login":"olivia"}}`
		byGhost  = `{"lastEditedAt":"2026-03-02T09:00:00Z","editor":null}`
		byNobody = `{"lastEditedAt":null,"editor":null}`
		missing  = "" // there is no GraphQL
	)
	// What is left of a comment.
	type left struct {
		Trail, Markers bool
		Moves          int
	}
	all, place, nothing := left{true, true, 1}, left{Trail: true}, left{}
	unsigned := trailOf(12, "it is merged") + "\n" + wording.Marker(wording.Explains, 5)
	signed := signer.sign(ref, unsigned)
	for name, c := range map[string]struct {
		by, body  string
		edit      string
		later     time.Duration // when it was updated
		want      left
		questions int
	}{
		"signed":                                       {"colony[bot]", signed, byOlivia, time.Hour, all, 0},
		"signed, no GraphQL":                           {"colony[bot]", signed, missing, time.Hour, all, 0},
		"unsigned, as written":                         {"colony[bot]", unsigned, byNobody, 0, all, 1},
		"unsigned, edited by Colony":                   {"colony[bot]", unsigned, byColony, time.Hour, all, 1},
		"with another key's, edited by Colony":         {"colony[bot]", other.sign(ref, unsigned), byColony, time.Hour, all, 1},
		"unsigned, edited by a person":                 {"colony[bot]", unsigned, byOlivia, time.Hour, place, 1},
		"unsigned, edited within the second":           {"colony[bot]", unsigned, byOlivia, 0, place, 1},
		"signed for another issue, edited by a person": {"colony[bot]", signer.sign(Ref{ref.Repository, 13}, unsigned), byOlivia, 0, place, 1},
		"unsigned, edited by who is gone":              {"colony[bot]", unsigned, byGhost, time.Hour, place, 1},
		"unsigned, no GraphQL, no time between":        {"colony[bot]", unsigned, missing, 0, left{true, true, 0}, 0},
		"unsigned, no GraphQL, an hour between":        {"colony[bot]", unsigned, missing, time.Hour, place, 0},
		"nothing for programs":                         {"colony[bot]", "Hello.", byOlivia, time.Hour, nothing, 0},
		"a person's":                                   {"olivia", unsigned, byOlivia, time.Hour, all, 0}, // of no account anywhere
	} {
		t.Run(name, func(t *testing.T) {
			questions := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					comment := map[string]any{
						"id": 5, "node_id": "IC_5", "user": map[string]any{"login": c.by}, "body": c.body,
						"created_at": written, "updated_at": written.Add(c.later),
					}
					if err := json.NewEncoder(w).Encode([]any{comment}); err != nil {
						t.Error(err)
					}
					return
				}
				if c.edit == missing {
					w.WriteHeader(http.StatusNotFound)
					return
				}
				questions++
				_, _ = w.Write([]byte(`{"data":{"nodes":[` + c.edit + `]}}`))
			}))
			defer server.Close()
			client := github.NewClient(server.Client())
			client.BaseURL, _ = url.Parse(server.URL + "/")
			actors := &Actors{}
			actors.SetSelf("colony[bot]")
			store := NewStore(oneClient{client}, actors)
			store.Signer = signer
			for range 2 {
				comments, err := store.Comments(t.Context(), ref, written)
				if err != nil || len(comments) != 1 {
					t.Fatalf("%v %v", comments, err)
				}
				var got left
				moves, is := wording.TrailOf(12, comments[0].Body)
				got.Trail, got.Moves, got.Markers = is, len(moves), len(wording.Markers(comments[0].Body)[wording.Explains]) > 0
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("(-want +got) %s\n%s", diff, comments[0].Body)
				}
			}
			if questions != c.questions {
				t.Errorf("it cost %d questions, not %d", questions, c.questions)
			}
		})
	}
}
