package board

import (
	"strings"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Issue is what the board knows of an issue. It is never changed: what is seen later takes its place.
type Issue struct {
	Ref     issues.Ref
	Title   string
	URL     string // on GitHub
	State   string
	Since   time.Time // in the state, as far as its log tells; else when it was opened
	By      string    // login of who brought it there; empty if the log does not tell
	Who     []string  // who has to act for it to go on, in words
	Labels  []string
	Closed  bool
	Updated time.Time

	// needs are why it waits for a person, the most pressing first.
	needs    []Need
	stays    []stay
	refusals []refusal
}

// Need is why an issue waits for a person, in words.
type Need struct {
	Kind    statemachine.Need
	Why     string
	Since   time.Time
	By      string
	Who     []string
	Command string // that is recommended; empty if none is
	from    time.Time
}

// Needs are why the issue waits for a person at a time, the most pressing first: what is not overdue yet is not among them.
func (i *Issue) Needs(now time.Time) []Need {
	for n, need := range i.needs {
		if need.from.After(now) { // being overdue is the last of them
			return i.needs[:n]
		}
	}
	return i.needs
}

// Waits is since when the issue waits for a person, for the most pressing of the needs.
func (i *Issue) waits(now time.Time) (since time.Time, ok bool) {
	needs := i.Needs(now)
	if len(needs) == 0 {
		return time.Time{}, false
	}
	return needs[0].Since, true
}

// far is later than any time-out.
var far = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// issueOf is what the board keeps of what was observed, with the flow since a time.
func issueOf(o reconcile.Observed, web string, window time.Time) *Issue {
	life, v, s := o.Settings.Lifecycle, o.View, o.Standing
	ref := issues.Ref{Repository: o.Request.Repository, Number: o.Request.Number}
	i := &Issue{
		Ref: ref, Title: v.Title, URL: urlOf(web, ref), State: s.State, Since: v.Created,
		Who: partiesOf(life.Expected(s, v.Author.Login)), Labels: v.Labels, Closed: v.Closed, Updated: v.Updated,
	}
	if m, ok := s.Since(); ok {
		i.Since, i.By = m.At, m.Maker().Login
	}
	attended := statemachine.Attended{Labels: v.Labels, Closed: v.Closed, Author: v.Author.Login, Now: far, Halted: o.Halted}
	for _, a := range life.Attention(s, attended) {
		need := Need{Kind: a.Need, Why: meanings[a.Need], Since: a.Since, By: a.By.Login, Who: partiesOf(a.Who), Command: wording.Typed(a.Action)}
		if need.Since.IsZero() {
			need.Since = i.Since
		}
		if a.Need == statemachine.NeedsHurry {
			need.from, _ = life.TimesOut(s)
		}
		i.needs = append(i.needs, need)
	}
	i.stays = staysOf(v, s, window)
	i.refusals = refusalsOf(s, window)
	return i
}

// urlOf is the page of an issue on GitHub.
func urlOf(web string, ref issues.Ref) string {
	return strings.TrimSuffix(web, "/") + pathOf("", ref.Owner, ref.Name, "issues", ref.Number)
}
