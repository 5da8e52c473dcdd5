package board

import (
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Issue is what the board knows of an issue. It is never changed: what is seen later takes its place. Its JSON is a part of record's.
type Issue struct {
	Ref     issues.Ref `json:"-"`
	Title   string     `json:"title,omitempty"`
	URL     string     `json:"url,omitempty"` // on GitHub
	State   string     `json:"state,omitempty"`
	Since   time.Time  `json:"since,omitzero"` // in the state, as far as its log tells; else when it was opened
	By      string     `json:"by,omitempty"`   // login of who brought it there; empty if the log does not tell
	Who     []string   `json:"who,omitempty"`  // who has to act for it to go on, in words
	Labels  []string   `json:"labels,omitempty"`
	Closed  bool       `json:"closed,omitempty"`
	Updated time.Time  `json:"updated,omitzero"`

	// needs are why it waits for a person, the most pressing first.
	needs    []Need
	stays    []stay
	refusals []refusal
	// seen is when it was seen.
	seen time.Time
	// unread is what a list says of it, until its log is read; nil: it was read.
	unread *unread
}

// AtLeast says that Since is not when it came there, but when it was last changed: its log was not read yet.
func (i *Issue) AtLeast() bool { return i.unread != nil }

// Need is why an issue waits for a person, in words.
type Need struct {
	Kind    advice.Need
	Why     string
	Since   time.Time
	By      string
	Who     []string
	Command string // that is recommended; empty without a recommendation
	// AtLeast says that it might be so for longer.
	AtLeast bool
	// From is the time from which it counts, and Until the time at which it ceases to. They are zero where it always counts.
	From, Until time.Time
}

// Needs are why the issue waits for a person at a time, the most pressing first: what is not overdue yet is not among them, nor is what
// ended too long ago to be asked about.
func (i *Issue) Needs(now time.Time) []Need {
	counts := func(n Need) bool { return !n.From.After(now) && (n.Until.IsZero() || now.Before(n.Until)) }
	if !slices.ContainsFunc(i.needs, func(n Need) bool { return !counts(n) }) {
		return i.needs
	}
	return slices.DeleteFunc(slices.Clone(i.needs), func(n Need) bool { return !counts(n) })
}

// waits is the time from which the issue waits for a person, for the most pressing of the needs.
func (i *Issue) waits(now time.Time) (since time.Time, ok bool) {
	needs := i.Needs(now)
	if len(needs) == 0 {
		return time.Time{}, false
	}
	return needs[0].Since, true
}

// far is later than any timeout.
var far = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// issueIn is an issue that has been in a state since it was opened.
func issueIn(state string, life *statemachine.Table, v issues.View, ref issues.Ref, web string) *Issue {
	return &Issue{
		Ref: ref, Title: v.Title, URL: strings.TrimSuffix(web, "/") + pathOf("", ref.Owner, ref.Name, "issues", ref.Number), State: state, Since: v.Created, Who: partiesOf(life, advice.Expected(life, state, v.Author.Login)),
		Labels: v.Labels, Closed: v.Closed, Updated: v.Updated,
	}
}

// issueOf is what the board keeps of what was observed, with the flow since a time.
func issueOf(o reconcile.Observed, web string, window time.Time) *Issue {
	life, v, s := o.Settings.Lifecycle, o.View, o.Standing
	i := issueIn(s.State, life, v, issues.Ref{Repository: o.Request.Repository, Number: o.Request.Number}, web)
	if m, ok := s.Since(); ok {
		i.Since, i.By = m.At, m.Maker().Login
	}
	attended := advice.Attended{Labels: v.Labels, Closed: v.Closed, Author: v.Author.Login, Now: far, Halted: o.Halted}
	if o.Reflection != nil && o.Reflection.Missing {
		attended.Orphan, attended.OrphanedBy = &o.Reflection.Ended, o.Reflection.By
	}
	i.needs = i.needsOf(life, s, attended)
	for n, need := range i.needs {
		if need.Kind == advice.NeedsReflection {
			i.needs[n].Until = need.Since.Add(o.Settings.Horizon)
		}
	}
	i.stays = last(staysOf(v, s, window), pastKept)
	i.refusals = last(append(refusalsOf(o.Earlier, window), refusalsOf(s.Rejections, window)...), pastKept)
	return i
}

// pastKept bounds how much of the past of one issue is kept: bots can move one without end.
const pastKept = 200

func last[T any](all []T, n int) []T { return slices.Clip(all[max(0, len(all)-n):]) }

// needsOf words why an issue in a given standing waits for a person.
func (i *Issue) needsOf(life *statemachine.Table, s statemachine.Standing, attended advice.Attended) (needs []Need) {
	for _, a := range advice.Needs(life, s, attended) {
		need := Need{Kind: a.Need, Why: strings.ReplaceAll(a.Need.Meaning(), "`", ""), Since: a.Since, By: a.By.Login, Who: partiesOf(life, a.Who), Command: wording.Typed(a.Action)}
		if need.Since.IsZero() {
			need.Since, need.AtLeast = i.Since, i.AtLeast()
		}
		if a.Need == advice.NeedsHurry {
			need.From, _ = life.TimesOut(s)
		}
		needs = append(needs, need)
	}
	return needs
}

// isNewerThan reports whether an issue was read after GitHub had changed it once more.
func (i *Issue) isNewerThan(seen *Issue) bool {
	return i.unread == nil && i.Updated.After(seen.Updated)
}

// remember takes over from what was known before what an observation did not look for, or can no longer tell.
func (i *Issue) remember(before *Issue, o reconcile.Observed) {
	if o.Earlier == nil { // what is final is no longer in it
		kept := slices.DeleteFunc(slices.Clone(before.refusals), func(r refusal) bool { return !r.At.Before(o.Standing.JudgedSince) })
		i.refusals = last(append(kept, i.refusals...), pastKept)
	}
	if o.Reflection != nil || i.State != before.State || !i.Since.Equal(before.Since) {
		return
	}
	for _, need := range before.needs {
		if need.Kind == advice.NeedsReflection {
			i.needs = append(i.needs, need)
		}
	}
}
