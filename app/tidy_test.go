package app_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

// hidden tells of each comment of Colony's why it is hidden, in their order; "" if it is open.
func (i *issue) hidden() []string {
	i.t.Helper()
	var ids, why []string
	for _, c := range i.colonyComments() {
		ids = append(ids, c.GetNodeID())
	}
	request, err := i.as("mona").NewRequest(http.MethodPost, "../graphql", map[string]any{
		"query": `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { isMinimized minimizedReason } } }`, "variables": map[string]any{"ids": ids},
	})
	i.must(err)
	var answer struct {
		Data struct {
			Nodes []struct {
				IsMinimized     bool
				MinimizedReason string
			}
		}
	}
	_, err = i.as("mona").Do(context.Background(), request, &answer)
	i.must(err)
	for _, n := range answer.Data.Nodes {
		if n.IsMinimized == (n.MinimizedReason == "") {
			i.t.Errorf("%+v", n)
		}
		why = append(why, n.MinimizedReason)
	}
	return why
}

func (i *issue) isHidden(want ...string) {
	i.t.Helper()
	if diff := cmp.Diff(want, i.hidden()); diff != "" {
		i.t.Errorf("hidden comments (-want +got):\n%s", diff)
	}
}

// readsAll reads what Colony said, whatever it is.
func (i *issue) readsAll() {
	i.t.Helper()
	for _, c := range i.colonyComments() {
		i.comments[c.GetID()] = true
	}
}

// However often somebody is refused, one refusal is open; a legal move of a person resolves it.
func TestOneRefusalIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:in-review")
	w.settle()
	const refusals = 50
	var want []string
	for n := range refusals {
		w.clock.Advance(time.Hour) // not so often that Colony stops
		if n%3 == 2 {
			i.commentAndSettle("olivia", "/colony:move new")
		} else {
			i.label("olivia", "colony:new")
			w.settle()
		}
		i.has("colony:in-review", "colony:needs-human")
		i.isHidden(append(want, "")...)
		want = append(want, "outdated")
		if n == refusals/2 {
			w.restart(true)
		}
	}
	i.label("tara", "colony:changes-requested")
	w.settle()
	i.has("colony:changes-requested")
	i.isHidden(append(want[1:], "resolved")...)
	i.readsAll()
	i.readsReactions()
}

// readsReactions reads what Colony reacted with, whatever it is.
func (i *issue) readsReactions() {
	i.t.Helper()
	for _, c := range i.allComments() {
		for _, r := range i.colonyReactions(c.GetID()) {
			i.reactions[r.GetID()] = true
		}
	}
}

// A person's command resolves a refusal as their label does, also when it comes after the horizon, and after a restart.
func TestALegalMoveResolvesTheRefusal(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string]func(i *issue){
		"by label":   func(i *issue) { i.label("tara", "colony:changes-requested") },
		"by command": func(i *issue) { i.reactions[0] = true; i.comment("tara", "/colony:move changes-requested") },
	} {
		for _, after := range []time.Duration{time.Minute, 200 * time.Hour} {
			t.Run(fmt.Sprintf("%s after %s", name, after), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				i := w.open("olivia", "", "colony:in-review")
				w.settle()
				i.label("olivia", "colony:new")
				w.settle()
				i.colonySays("@olivia tried to move the issue from `in-review` to `new`")
				i.isHidden("")
				w.clock.Advance(after)
				w.restart(true)
				moves(i)
				w.settle()
				i.has("colony:changes-requested")
				for _, why := range i.hidden() { // in between Colony may have said that it was there for too long
					if why != "resolved" {
						t.Errorf("a comment is hidden as %q", why)
					}
				}
				i.readsAll()
				i.readsReactions()
			})
		}
	}
}

// A GitHub that hides no comments, or does not let Colony, holds nothing up.
func TestARefusalThatCannotBeHidden(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusForbidden} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			i := w.open("olivia", "", "colony:in-review")
			w.settle()
			i.label("olivia", "colony:new")
			w.settle()
			i.colonySays("@olivia tried")
			w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/graphql$`), Status: status})
			i.label("tara", "colony:changes-requested")
			w.settle()
			i.has("colony:changes-requested")
			i.isOpenYet()
		})
	}
}

// isOpenYet asserts that nothing was hidden, without GraphQL.
func (i *issue) isOpenYet() {
	i.t.Helper()
	if n := len(i.colonyComments()); n != 1 {
		i.t.Errorf("%d comments", n)
	}
}

// Whose label change is undone is mentioned, unless the repository turns that off. A bot is not.
func TestWhoIsRefusedIsMentioned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:in-review")
	w.settle()
	i.label("tara", "colony:new")
	w.settle()
	i.colonySays("@tara tried to move the issue")
	i.label("reviewer[bot]", "colony:done")
	w.settle()
	i.colonySays("`reviewer[bot]` tried to move the issue")
	w.commitAndSettle("widgets", ".github/colony.yml", "mentions: off\n")
	j := w.open("olivia", "", "colony:in-review")
	w.settle()
	j.label("tara", "colony:new")
	w.settle()
	j.colonySays("`tara` tried to move the issue")
	if r, ok := wording.RecordOf(j.colonyComments()[0].GetBody()); !ok || len(r.Verdicts) != 1 || r.Verdicts[0].Actor != "tara" || r.Verdicts[0].Verdict != "not-in-table" {
		t.Errorf("%t %+v", ok, r)
	}
}
