package reconcile_test

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

// However often somebody is refused, one refusal is open; a legal move of a person resolves it.
func TestOneRefusalIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.remembers = true // what was hidden as outdated would become resolved
	i := w.open("olivia", "", "colony:in-review")
	w.Settle()
	const refusals = 50
	var want []string
	for n := range refusals {
		w.clock.Advance(time.Hour) // not so often that Colony stops
		if n%3 == 2 {
			i.CommentAndSettle("olivia", "/colony:move new")
		} else {
			i.Label("olivia", "colony:new")
			w.Settle()
		}
		i.Has("colony:in-review", "colony:needs-human")
		i.IsHidden(append(want, "")...)
		want = append(want, "outdated")
		if n == refusals/2 {
			w.restart(true)
		}
	}
	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.Has("colony:changes-requested")
	i.IsHidden(append(want[1:], "resolved")...)
	i.ReadsComments()
	i.ReadsReactions()
}

// A person's command resolves a refusal as their label does, also when it comes after the horizon, and after a restart.
func TestALegalMoveResolvesTheRefusal(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string]func(i *issue){
		"by label":   func(i *issue) { i.Label("tara", "colony:changes-requested") },
		"by command": func(i *issue) { i.ReadReactions[0] = true; i.Comment("tara", "/colony:move changes-requested") },
	} {
		for _, after := range []time.Duration{time.Minute, 200 * time.Hour} {
			t.Run(fmt.Sprintf("%s after %s", name, after), func(t *testing.T) {
				t.Parallel()
				w, i := refusedInReview(t)
				i.IsHidden("")
				w.clock.Advance(after)
				w.restart(true)
				moves(i)
				w.Settle()
				i.Has("colony:changes-requested")
				for _, why := range i.Hidden() { // in between Colony may have said that it was there for too long
					if why != "resolved" {
						t.Errorf("a comment is hidden as %q", why)
					}
				}
				i.ReadsComments()
				i.ReadsReactions()
			})
		}
	}
}

// refusedInReview opens an issue in in-review on which Colony refused a move.
func refusedInReview(t *testing.T) (*world, *issue) {
	t.Helper()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:in-review")
	w.Settle()
	i.Label("olivia", "colony:new")
	w.Settle()
	i.ColonySays("@olivia tried to move the issue from `in-review` to `new`")
	return w, i
}

// A GitHub that hides no comments, or does not let Colony, holds nothing up.
func TestARefusalThatCannotBeHidden(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusNotFound, http.StatusForbidden} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			w, i := refusedInReview(t)
			w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/graphql$`), Status: status})
			i.Label("tara", "colony:changes-requested")
			w.Settle()
			i.Has("colony:changes-requested")
			if n := len(i.ColonyComments()); n != 1 { // and nothing was hidden, without GraphQL
				t.Errorf("%d comments", n)
			}
		})
	}
}

// Where GraphQL is down, what Colony says does not wait until earlier comments can be hidden.
func TestARefusalIsToldWhereNothingCanBeHidden(t *testing.T) {
	t.Parallel()
	w, i := refusedInReview(t)
	up := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/graphql$`), Status: http.StatusBadGateway})
	w.clock.Advance(time.Minute)
	i.Label("tara", "colony:new")
	w.Quiet()
	w.Pass(3, 3*time.Second)
	i.Has("colony:in-review", "colony:needs-human")
	i.ColonySays("@tara tried")
	up()
	w.Pass(10, time.Minute)
	w.Settle()
	i.Has("colony:in-review", "colony:needs-human")
	i.IsHidden("", "")
	i.Label("tara", "colony:new")
	w.Settle()
	i.ColonySays("@tara tried")
	i.IsHidden("outdated", "outdated", "")
}

// Where GraphQL is down for a moment, what follows from an allowed move waits until the refusal is hidden that it answers: nothing stays open.
func TestAnAnswerWaitsUntilTheRefusalCanBeHidden(t *testing.T) {
	t.Parallel()
	w, i := refusedInReview(t)
	w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/graphql$`), Status: http.StatusBadGateway, Times: 2})
	i.Label("tara", "colony:changes-requested")
	w.Settle()
	i.Has("colony:changes-requested")
	i.IsHidden("resolved")
}

// Whose label change is undone is mentioned, unless the repository turns that off. A bot is not.
func TestWhoIsRefusedIsMentioned(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:in-review")
	w.Settle()
	i.Label("tara", "colony:new")
	w.Settle()
	i.ColonySays("@tara tried to move the issue")
	i.Label("reviewer[bot]", "colony:done")
	w.Settle()
	i.ColonySays("`reviewer[bot]` tried to move the issue")
	w.CommitAndSettle("widgets", ".github/colony.yml", "mentions: off\n")
	j := w.open("olivia", "", "colony:in-review")
	w.Settle()
	j.Label("tara", "colony:new")
	w.Settle()
	j.ColonySays("`tara` tried to move the issue")
	if r, ok := wording.RecordOf(j.ColonyComments()[0].GetBody()); !ok || len(r.Verdicts) != 1 || r.Verdicts[0].Actor != "tara" || r.Verdicts[0].Verdict != "not-in-table" {
		t.Errorf("%t %+v", ok, r)
	}
}
