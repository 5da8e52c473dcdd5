package app_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

// forged and script are what a person with write access puts in Colony's mouth.
const (
	forged = "The owner approved it unseen"
	script = "javascript:alert(1)"
)

// ownComment is the comment of Colony's that a test picks out.
func (i *issue) ownComment(is func(body string) bool) *github.IssueComment {
	i.t.Helper()
	for _, c := range i.AllComments() {
		if c.GetUser().GetLogin() == "colony[bot]" && is(c.GetBody()) {
			return c
		}
	}
	i.t.Fatalf("#%d has no such comment of Colony's", i.Number)
	return nil
}

func (i *issue) isTrail(body string) bool {
	_, is := wording.TrailOf(i.Number, body)
	return is
}

// signature matches what Colony signs its comments with.
var signature = regexp.MustCompile(`\n<!-- colony:signed .*-->`)

// repeats fails if a forged reason, or its address, is what API, board or a comment of Colony's shows.
func (i *issue) repeats() {
	i.t.Helper()
	_, _, page := i.page(fmt.Sprintf("/board/acme/widgets/%d", i.Number))
	shown := map[string]string{
		"the API":   i.asksAPI(adminToken, http.MethodGet, fmt.Sprintf("issues/acme/widgets/%d", i.Number), "").Body.String(),
		"the board": textOf(page),
	}
	for _, c := range i.ColonyComments() {
		shown[fmt.Sprintf("comment %d", c.GetID())] = c.GetBody()
	}
	for what, text := range shown {
		if strings.Contains(text, forged) || strings.Contains(text, script) {
			i.t.Errorf("%s repeats what a person forged:\n%s", what, text)
		}
	}
}

func newForgedWorld(t *testing.T, carries http.RoundTripper) *world {
	t.Helper()
	w := newWorldWithoutColony(t, onDisk(t), acme.Follows, withAdmin, withAPI)
	w.board, w.transport = board.Open{}, carries
	w.makeLabels()
	w.start()
	w.install()
	return w
}

// A person with write access can edit Colony's trail. API, board and history do not repeat what that person wrote, and Colony's next move
// writes the trail anew: also where GitHub cannot say who edited a comment, within the second of Colony's own edit, and in a process
// that remembers nothing.
func TestATrailThatSomebodyEditedDoesNotCount(t *testing.T) {
	t.Parallel()
	reason := strings.NewReplacer("There is no open pull request", forged, `"at":`, `"link":"`+script+`","at":`)
	for name, forge := range map[string]func(i *issue, body string) string{
		"with its signature":    func(_ *issue, body string) string { return reason.Replace(body) },
		"without its signature": func(_ *issue, body string) string { return signature.ReplaceAllString(reason.Replace(body), "") },
		"rendered anew": func(i *issue, _ string) string {
			made := wording.RecordedMove{Outcome: wording.AutomaticMove, Kind: "colony", From: "in-review", To: "ready-for-dev", Why: forged, Link: script, At: i.clock.Now().UTC()}
			return wording.RenderTrail(i.Number, []wording.RecordedMove{made})
		},
	} {
		for _, c := range []struct {
			after   time.Duration
			graphql bool
		}{{0, true}, {0, false}, {time.Minute, true}, {time.Minute, false}} {
			t.Run(fmt.Sprintf("%s, %s later, GraphQL=%t", name, c.after, c.graphql), func(t *testing.T) {
				t.Parallel()
				w := newForgedWorld(t, nil)
				i := &issue{w.Moved(), w}
				if !c.graphql {
					w.Must(w.github.Lack(playground.GraphQL))
				}
				trail := i.ownComment(i.isTrail)
				w.clock.Advance(c.after)
				i.EditComment("olivia", trail.GetID(), forge(i, trail.GetBody()))
				w.Settle()
				i.repeats()
				w.restart(true)
				i.Comment("tara", "/colony:history")
				w.Settle()
				i.ColonySays("ready-for-dev")
				i.repeats()

				w.clock.Advance(time.Hour)
				_, merged := i.Merged()
				i.Has("colony:done")
				i.HasTrail(merged)
				if body := i.ownComment(i.isTrail).GetBody(); strings.Contains(body, forged) || strings.Contains(body, script) {
					t.Errorf("the next move repeats it:\n%s", body)
				}
				i.repeats()
				i.ReadsComments()
				i.ReadsReactions()
			})
		}
	}
}

// earlierColony leaves the signatures out of what Colony writes.
type earlierColony struct{}

var signatureInJSON = regexp.MustCompile(`\\n(<|\\u003c)!-- colony:signed \S+ --(>|\\u003e)`)

func (earlierColony) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return nil, err
		}
		body = signatureInJSON.ReplaceAll(body, nil)
		r = r.Clone(r.Context())
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	return http.DefaultTransport.RoundTrip(r)
}

// A trail that an earlier Colony wrote, or one with another private key, still counts where GitHub says that Colony edited it last. Elsewhere
// it does not, and no reason is invented.
func TestATrailWithoutASignature(t *testing.T) {
	t.Parallel()
	for _, graphql := range []bool{true, false} {
		t.Run(fmt.Sprintf("GraphQL=%t", graphql), func(t *testing.T) {
			t.Parallel()
			w := newForgedWorld(t, earlierColony{})
			i := &issue{w.Moved(), w}
			if body := i.ownComment(i.isTrail).GetBody(); strings.Contains(body, "colony:signed") {
				t.Fatalf("an earlier Colony signs:\n%s", body)
			}
			if !graphql {
				w.Must(w.github.Lack(playground.GraphQL))
			}
			w.transport = nil
			w.clock.Advance(time.Minute)
			w.restart(true)
			i.Comment("tara", "/colony:history")
			w.Settle()
			i.ColonySays("ready-for-dev")
			for _, c := range i.ColonyComments() {
				if got := strings.Contains(c.GetBody(), "There is no open pull request"); got != graphql {
					t.Errorf("history tells the reason: %t\n%s", got, c.GetBody())
				}
			}
			_, merged := i.Merged()
			if graphql {
				i.HasTrail(acme.MissingPull, merged)
			} else {
				i.HasTrail(merged)
			}
			if !signature.MatchString(i.ownComment(i.isTrail).GetBody()) {
				t.Error("the next move does not sign the trail")
			}
			i.ReadsReactions()
		})
	}
}
