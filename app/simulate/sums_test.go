package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile/replay"
)

// outcome is what the replay of some issue comes to.
func outcome(n int) replay.Outcome {
	kinds := replay.KindSpecs()
	o := replay.Outcome{Ref: issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: n}, Legal: 1, Cost: replay.Cost{Reads: 2, Writes: 1}, LeftOut: map[replay.LeftOut]int{replay.LeftEdited: 3}}
	for i := range 5 {
		o.Findings = append(o.Findings, replay.Finding{
			Kind: kinds[(n+i)%len(kinds)].Kind, Reason: string(lifecycle.NotInTable), From: fmt.Sprintf("state-%d", n%7), To: "b", EventID: int64(10*n + i),
			At: time.Unix(int64(n), 0).UTC(), By: lifecycle.Actor{Login: fmt.Sprintf("user-%d", n), Kind: lifecycle.Operator},
		})
	}
	return o
}

// However many issues there are, only counts and a few examples are kept, and the report does not depend on the order in which they came.
func TestSumsAreBounded(t *testing.T) {
	t.Parallel()
	const many = 10_000
	report := func(order []int) string {
		s := &simulator{sums: newSums("https://github.test", func(replay.Outcome) {}), Options: Options{Compare: true}}
		for _, n := range order {
			s.sums.issue(outcome(n))
			s.sums.compare(outcome(n), outcome(n+1))
		}
		for _, g := range []groups{s.sums.found, s.sums.added, s.sums.removed} {
			if len(g) > 7*len(replay.KindSpecs()) {
				t.Errorf("%d groups are kept", len(g))
			}
			for key, of := range g {
				if len(of.examples) > mostExamples {
					t.Errorf("%d examples of %+v are kept", len(of.examples), key)
				}
			}
		}
		r := s.report()
		if r.Issues != many || r.Moves != many || r.Cost.Writes != many || len(r.Examples) != mostExamples || r.LeftOut[0].Issues != many {
			t.Errorf("%+v", r)
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	order := rand.Perm(many)
	if diff := cmp.Diff(report(order), report(rand.Perm(many))); diff != "" {
		t.Errorf("the order matters:\n%s", diff)
	}
}

// The page names every word that a report can have.
func TestThePageNamesWhatAReportSays(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/simulate.md")
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, s := range replay.KindSpecs() {
		words = append(words, string(s.Kind))
	}
	for what := range replay.LeftOutSpecs() {
		words = append(words, string(what))
	}
	for reason := range reasons {
		if reason != string(lifecycle.NotAState) { // no event names such a state
			words = append(words, reason)
		}
	}
	text, err := json.Marshal(Report{Stopped: "x", Changes: &Changes{}})
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(text, &keys); err != nil {
		t.Fatal(err)
	}
	for key := range keys {
		words = append(words, key)
	}
	for _, word := range words {
		if !strings.Contains(string(page), "`"+word+"`") {
			t.Errorf("the page says nothing of %s", word)
		}
	}
}

// What a lifecycle file says can neither write a page nor move a cursor.
func TestReportsShowTextAsText(t *testing.T) {
	t.Parallel()
	s := &simulator{sums: newSums("https://github.test", func(replay.Outcome) {})}
	o := outcome(1)
	o.Findings = []replay.Finding{{Kind: replay.Moves, Reason: "x\x1b[31m <img src=x onerror=y>\n# @octocat", From: "a", To: "b"}}
	s.sums.issue(o)
	var text, markdown bytes.Buffer
	if err := s.report().WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if err := s.report().WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text.String(), "\x1b") || strings.Contains(text.String(), "\n# @") {
		t.Errorf("%q", text.String())
	}
	for line := range strings.Lines(markdown.String()) {
		if before, _, there := strings.Cut(line, "<img"); strings.HasPrefix(line, "# @") || there && strings.Count(before, "`")%2 == 0 {
			t.Errorf("%q", line)
		}
	}
}
