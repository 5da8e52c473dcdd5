package issues

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
)

// talk is a conversation with GitHub. Its script has what Colony asks in lines that begin with ">", in this order, and after each what GitHub
// answers in a line that begins with "<": the status, then perhaps "next" if another page follows and "etag=…", then the body.
type talk struct {
	t      *testing.T
	clock  *clockwork.FakeClock
	script []string
	said   []string
}

// RoundTrip implements http.RoundTripper.
func (k *talk) RoundTrip(request *http.Request) (*http.Response, error) {
	k.said = append(k.said, asked(request))
	if len(k.script) < 2 || k.said[len(k.said)-1] != k.script[0] {
		return nil, fmt.Errorf("not in the script: %s", k.said[len(k.said)-1])
	}
	answer := answerForm.FindStringSubmatch(k.script[1])
	if answer == nil {
		k.t.Fatalf("no answer: %s", k.script[1])
	}
	k.said, k.script = append(k.said, k.script[1]), k.script[2:]
	response := &http.Response{Request: request, Header: http.Header{"Date": {k.clock.Now().Format(http.TimeFormat)}}, Body: io.NopCloser(strings.NewReader(answer[4]))}
	_, _ = fmt.Sscan(answer[1], &response.StatusCode)
	if answer[2] != "" {
		query := request.URL.Query()
		page := 1
		_, _ = fmt.Sscan(query.Get("page"), &page)
		query.Set("page", fmt.Sprint(page+1))
		response.Header.Set("Link", fmt.Sprintf(`<https://api.github.com%s?%s>; rel="next"`, request.URL.Path, query.Encode()))
	}
	if answer[3] != "" {
		response.Header.Set("ETag", answer[3])
	}
	return response, nil
}

var answerForm = regexp.MustCompile(`^< (\d+)( next)?(?: etag=(\S+))?(?: (.*))?$`)

// asked is a line of the script: of GraphQL, what it is about and the variables.
func asked(request *http.Request) string {
	path := strings.TrimPrefix(request.URL.Path, "/")
	line := fmt.Sprintf("> %s %s", request.Method, path)
	if query := request.URL.Query(); len(query) > 0 {
		var terms []string
		for name, values := range query {
			terms = append(terms, name+"="+strings.Join(values, ","))
		}
		slices.Sort(terms)
		line += "?" + strings.Join(terms, "&")
	}
	if tag := request.Header.Get("If-None-Match"); tag != "" {
		line += " unless " + tag
	}
	if request.Body == nil {
		return line
	}
	text, _ := io.ReadAll(request.Body)
	body := jsontext.Value(text)
	if err := body.Canonicalize(); err != nil {
		return line + " " + string(text)
	}
	return line + " " + graphqlForm.ReplaceAllStringFunc(string(body), func(query string) string {
		return `"` + fieldForm.FindStringSubmatch(query)[1] + `"`
	})
}

// A document of GraphQL is told by its first field that is none of the issue's place.
var (
	graphqlForm = regexp.MustCompile(`"(query|mutation)[( ]([^"\\]|\\.)*"`)
	fieldForm   = regexp.MustCompile(`\b(conflicts|statusCheckRollup|pullsOfIssue|onePull|closedByPullRequestsReferences|closingIssuesReferences|lastEditedAt|userContentEdits|minimizeComment|pinIssue|unpinIssue|createLabel|repositoryID)\b`)
)

// holds a conversation about a script, and fails unless all of it was said.
func holds(t *testing.T, script string, does func(s *Store, clock *clockwork.FakeClock)) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(script), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	if script == "" {
		lines = nil
	}
	k := &talk{t: t, clock: clockwork.NewFakeClockAt(noon), script: lines}
	cast := &Actors{AppID: 9, Executors: map[string][]string{"dev[bot]": {"developer"}}}
	cast.SetSelf("colony[bot]")
	s := NewStore(oneClient{github.NewClient(&http.Client{Transport: k})}, cast)
	s.Clock = k.clock
	s.refused.Add(pullQuestion(s), refusal{err: errNoGraphQL, until: noon.Add(missingFor)})
	does(s, k.clock)
	if diff := cmp.Diff(lines, k.said); diff != "" {
		t.Errorf("the conversation (-script +said):\n%s", diff)
	}
}

// pullQuestion is what a store knows the question about the pull requests of an issue by. Those of a script do not ask it, unless it is taken out.
func pullQuestion(s *Store) string { return s.about(nil, theIssue).missingKey(pullsOfIssueQuery) }

var noon = time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)

// at is a time of the day of noon, as GitHub writes it.
func at(clock string) time.Time {
	found, err := time.Parse(time.DateTime, "2026-03-02 "+clock)
	if err != nil {
		panic(err)
	}
	return found
}

// says compares what a call gives with what is expected; of an error, how it reads.
func says(t *testing.T, want, got any, err error, wrong string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	switch {
	case err == nil && wrong != "":
		t.Errorf("no error, but %q is expected", wrong)
	case err != nil && (wrong == "" || !strings.Contains(err.Error(), wrong)):
		t.Errorf("the error is %q, and %q is expected", err, wrong)
	}
}

// exchange is one call, what it says to GitHub, and what comes of it.
type exchange struct {
	script string
	does   func(s *Store) (any, error)
	want   any
	wrong  string // what the error says; empty: there is none
}

func exchanges(t *testing.T, rows map[string]exchange) {
	t.Helper()
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			holds(t, row.script, func(s *Store, _ *clockwork.FakeClock) {
				got, err := row.does(s)
				says(t, row.want, got, err, row.wrong)
			})
		})
	}
}

var widgets = theIssue.Repository

// oneLine is JSON that a test writes in several lines.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
