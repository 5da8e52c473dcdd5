package blackbox_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

// world is one scenario on the stage. What Colony says and does has to be read: whatever is left unread at the end fails
// the test, so every scenario proves Colony's silence too.
type world struct {
	t *testing.T
	*stage
	scenario string
	issues   []*issue
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// sees reports whether the target has what the next lines of a scenario check, and notes it if not.
func (w *world) sees(c capability) bool {
	if !w.can(c) {
		w.miss(w.scenario, c, "Seen in part")
		return false
	}
	return true
}

// login is the name of the account that plays a part, as Colony writes it.
func (w *world) login(p part) string { return "`" + w.people[p].login + "`" }

// mention is how a comment names a person whose label change was undone: GitHub tells nobody
// else that it happened.
func (w *world) mention(p part) string { return "@" + w.people[p].login + " " }

// quiet waits until every webhook of the scenario's issues has come to Colony and Colony has nothing left to do.
func (w *world) quiet() {
	w.t.Helper()
	delivered := false // once it is, only Colony can change that: calls are limited
	eventually(w.t, w.tick, w.deadline, func() (bool, string) {
		if w.target.quiet != nil {
			w.must(w.target.quiet(ctx))
		}
		w.must(w.mail.collect(ctx))
		if !delivered {
			if missing := w.undelivered(); missing != "" {
				return false, missing
			}
			delivered = true
		}
		if rest, missing := w.colony.atRest(ctx); !rest {
			return false, missing
		}
		missing := w.undelivered() // of what Colony wrote meanwhile
		delivered = missing == ""
		return delivered, missing
	})
}

// undelivered names a webhook that GitHub owes for what is in its log of an issue.
func (w *world) undelivered() string {
	w.t.Helper()
	for _, i := range w.issues {
		owed := map[string]int{"opened": 1}
		for _, e := range i.events() {
			switch e.GetEvent() {
			case "labeled", "unlabeled":
				owed[e.GetEvent()+" "+strings.ToLower(e.GetLabel().GetName())]++
			case "closed", "reopened":
				owed[e.GetEvent()]++
			}
		}
		for _, c := range i.allComments() {
			owed[fmt.Sprint("comment ", c.GetID())]++
		}
		for id, times := range i.edited { // GitHub's log does not show them
			owed[fmt.Sprint("edit of comment ", id)] = times
		}
		for _, d := range i.deliveries() {
			owed[keyOf(d)]--
		}
		for what, n := range owed {
			if n > 0 {
				return fmt.Sprintf("%d webhook(s) of #%d: %s", n, i.number, what)
			}
		}
	}
	return ""
}

func keyOf(d delivery) string {
	a := d.about
	switch {
	case d.event == "issue_comment":
		switch a.Action {
		case "created":
		case "edited":
			return fmt.Sprint("edit of comment ", a.Comment.ID)
		default:
			return "another comment event"
		}
		return fmt.Sprint("comment ", a.Comment.ID)
	case a.Label.Name != "":
		return a.Action + " " + strings.ToLower(a.Label.Name)
	}
	return a.Action
}

// close ends a scenario: nothing is left unread, and every webhook coming once more, late, in reverse order and with
// another id, changes nothing.
func (w *world) close() {
	w.t.Helper()
	if w.t.Failed() {
		return
	}
	w.quiet()
	w.nothingUnread()
	for _, i := range w.issues {
		labels := i.labels()
		for _, d := range reversed(i.deliveries()) {
			d.guid = newGUID()
			w.deliver(d)
		}
		w.quiet()
		if diff := cmp.Diff(labels, i.labels()); diff != "" {
			w.t.Errorf("late deliveries changed the labels of #%d (-before +after):\n%s", i.number, diff)
		}
	}
	w.nothingUnread()
	for _, d := range w.mail.arrived() {
		if d.status < 200 || d.status > 299 {
			w.t.Errorf("Colony answered %s %s with %d", d.event, d.about.Action, d.status)
		}
	}
	if w.can(colonysLog) {
		for _, line := range w.colony.log.errors() {
			w.t.Errorf("Colony logged: %s", line)
		}
	}
	r, err := w.colony.ready(ctx)
	w.must(err)
	if r.Queue.Dead > 0 {
		w.t.Errorf("Colony gave %d requests up", r.Queue.Dead)
	}
}

// deliver sends a webhook to Colony, correctly signed.
func (w *world) deliver(d delivery) {
	w.t.Helper()
	status, err := send(ctx, w.colony.url, d.header(signature(w.app.secret, d.body)), d.body)
	w.must(err)
	if status < 200 || status > 299 {
		w.t.Errorf("Colony answered %s %s with %d", d.event, d.about.Action, status)
	}
}

// heldBack does something while webhooks are held back, and releases them in an order. A target that cannot hold them
// delivers them as they come.
func (w *world) heldBack(do func(), order func([]delivery) []delivery) {
	w.t.Helper()
	if !w.sees(holding) {
		do()
		return
	}
	w.mail.hold()
	do()
	w.waitForHeld()
	w.must(w.mail.release(ctx, order))
}

// waitForHeld waits until everything that GitHub owes is held back.
func (w *world) waitForHeld() []delivery {
	w.t.Helper()
	var held []delivery
	eventually(w.t, w.tick, w.deadline, func() (bool, string) {
		var err error
		held, err = w.mail.held(ctx)
		w.must(err)
		for _, i := range w.issues {
			i.ahead = held
		}
		missing := w.undelivered()
		for _, i := range w.issues {
			i.ahead = nil
		}
		return missing == "", missing
	})
	return held
}

// issue is one issue of the repository as the people of a scenario see it.
type issue struct {
	*world
	number int
	// The writes of Colony that have been read: comments and reactions by id, and the label events by their number.
	comments     map[int64]bool
	reactions    map[int64]bool
	labelChanges int
	// edited counts the edits of comments, by their ids.
	edited map[int64]int
	// ahead are deliveries that are held back.
	ahead []delivery
}

// open opens an issue, with labels.
func (w *world) open(by part, body string, labels ...string) *issue {
	w.t.Helper()
	title := titlePrefix + w.scenario
	request := &github.IssueRequest{Title: &title, Body: &body}
	if len(labels) > 0 {
		request.Labels = &labels
	}
	opened, _, err := w.as(by).Issues.Create(ctx, w.owner, w.repo, request)
	w.must(err)
	i := &issue{world: w, number: opened.GetNumber(), comments: map[int64]bool{}, reactions: map[int64]bool{}}
	w.issues = append(w.issues, i)
	return i
}

// in opens an issue and brings it into a state.
func (w *world) in(state string) *issue {
	w.t.Helper()
	i := w.open(author, "It does not work.")
	i.label(operator, "colony:"+state)
	w.quiet()
	i.has("colony:" + state)
	return i
}

// label puts labels on the issue, each with a request of its own.
func (i *issue) label(by part, labels ...string) {
	i.t.Helper()
	for _, l := range labels {
		_, _, err := i.as(by).Issues.AddLabelsToIssue(ctx, i.owner, i.repo, i.number, []string{l})
		i.must(err)
	}
}

// unlabel takes labels off the issue.
func (i *issue) unlabel(by part, labels ...string) {
	i.t.Helper()
	for _, l := range labels {
		_, err := i.as(by).Issues.RemoveLabelForIssue(ctx, i.owner, i.repo, i.number, url.PathEscape(l))
		i.must(err)
	}
}

// unlabelUnlessColonyDid takes a label off. Where webhooks cannot be held back, Colony may have taken it off before.
func (i *issue) unlabelUnlessColonyDid(by part, label string) {
	i.t.Helper()
	_, err := i.as(by).Issues.RemoveLabelForIssue(ctx, i.owner, i.repo, i.number, url.PathEscape(label))
	if err != nil && (i.can(holding) || !isStatus(err, http.StatusNotFound)) {
		i.t.Fatal(err)
	}
}

// comment writes a comment and returns its id.
func (i *issue) comment(by part, lines ...string) int64 {
	i.t.Helper()
	body := strings.Join(lines, "\n")
	c, _, err := i.as(by).Issues.CreateComment(ctx, i.owner, i.repo, i.number, &github.IssueComment{Body: &body})
	i.must(err)
	return c.GetID()
}

// editComment changes the text of a comment.
func (i *issue) editComment(by part, comment int64, body string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.EditComment(ctx, i.owner, i.repo, comment, &github.IssueComment{Body: &body})
	i.must(err)
	if i.edited == nil {
		i.edited = map[int64]int{}
	}
	i.edited[comment]++
}

// edit opens or closes the issue.
func (i *issue) edit(by part, state string) {
	i.t.Helper()
	_, _, err := i.as(by).Issues.Edit(ctx, i.owner, i.repo, i.number, &github.IssueRequest{State: &state})
	i.must(err)
}

func (i *issue) labels() []string {
	i.t.Helper()
	is, _, err := i.as(operator).Issues.Get(ctx, i.owner, i.repo, i.number)
	i.must(err)
	names := []string{}
	for _, l := range is.Labels {
		names = append(names, l.GetName())
	}
	slices.Sort(names)
	return names
}

// has asserts the labels of the issue, in any order, and reads the log of labels.
func (i *issue) has(labels ...string) {
	i.t.Helper()
	want := append([]string{}, labels...)
	slices.Sort(want)
	if diff := cmp.Diff(want, i.labels()); diff != "" {
		i.t.Fatalf("labels of #%d (-want +got):\n%s", i.number, diff)
	}
	i.labelChanges = len(i.labelEvents())
}

// colonySays reads the next comment of Colony's and asserts that it has all these words.
func (i *issue) colonySays(words ...string) {
	i.t.Helper()
	for _, c := range i.colonyComments() {
		if i.comments[c.GetID()] {
			continue
		}
		i.comments[c.GetID()] = true
		for _, word := range words {
			if !strings.Contains(c.GetBody(), word) {
				i.t.Errorf("Colony's comment on #%d does not say %q:\n%s", i.number, word, c.GetBody())
			}
		}
		return
	}
	i.t.Fatalf("Colony said nothing on #%d, not even %q", i.number, words)
}

// colonyReacts reads Colony's reaction on a comment, or on the opening text (0), where there are reactions.
func (i *issue) colonyReacts(comment int64, content string) {
	i.t.Helper()
	if !i.sees(reactions) {
		return
	}
	for _, r := range i.colonyReactions(comment) {
		if i.reactions[r.GetID()] {
			continue
		}
		i.reactions[r.GetID()] = true
		if r.GetContent() != content {
			i.t.Errorf("Colony reacted with %s instead of %s on #%d", r.GetContent(), content, i.number)
		}
		return
	}
	i.t.Fatalf("Colony did not react with %s on #%d", content, i.number)
}

func (i *issue) allComments() []*github.IssueComment {
	i.t.Helper()
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	all, _, err := i.as(operator).Issues.ListComments(ctx, i.owner, i.repo, i.number, options)
	i.must(err)
	return all
}

func (i *issue) colonyComments() []*github.IssueComment {
	i.t.Helper()
	return slices.DeleteFunc(i.allComments(), func(c *github.IssueComment) bool { return c.GetUser().GetLogin() != i.colonyLogin() })
}

func (i *issue) colonyReactions(comment int64) []*github.Reaction {
	i.t.Helper()
	var all []*github.Reaction
	var err error
	if comment == 0 {
		all, _, err = i.as(operator).Reactions.ListIssueReactions(ctx, i.owner, i.repo, i.number, nil)
	} else {
		all, _, err = i.as(operator).Reactions.ListIssueCommentReactions(ctx, i.owner, i.repo, comment, nil)
	}
	i.must(err)
	return slices.DeleteFunc(all, func(r *github.Reaction) bool { return r.GetUser().GetLogin() != i.colonyLogin() })
}

func (i *issue) events() []*github.IssueEvent {
	i.t.Helper()
	var all []*github.IssueEvent
	page := &github.ListOptions{PerPage: 100}
	for {
		events, response, err := i.as(operator).Issues.ListIssueEvents(ctx, i.owner, i.repo, i.number, page)
		i.must(err)
		all = append(all, events...)
		if response.NextPage == 0 {
			return all
		}
		page.Page = response.NextPage
	}
}

// labelEvents is the log of the issue's labels.
func (i *issue) labelEvents() []*github.IssueEvent {
	i.t.Helper()
	return slices.DeleteFunc(i.events(), func(e *github.IssueEvent) bool {
		return e.GetEvent() != "labeled" && e.GetEvent() != "unlabeled"
	})
}

// deliveries lists the webhooks about the issue that arrived, or are held back.
func (i *issue) deliveries() []delivery {
	return slices.DeleteFunc(slices.Concat(i.mail.arrived(), i.ahead), func(d delivery) bool {
		return d.about.Issue.Number != i.number
	})
}

// nothingUnread asserts that Colony did nothing that the scenario did not read.
func (w *world) nothingUnread() {
	w.t.Helper()
	for _, i := range w.issues {
		for _, c := range i.colonyComments() {
			if !i.comments[c.GetID()] {
				w.t.Errorf("unread on #%d:\n%s", i.number, c.GetBody())
			}
		}
		if log := i.labelEvents(); len(log) != i.labelChanges {
			for _, e := range log[min(i.labelChanges, len(log)):] {
				w.t.Errorf("unread on #%d: %s %s %s", i.number, e.GetActor().GetLogin(), e.GetEvent(), e.GetLabel().GetName())
			}
		}
		if !w.can(reactions) {
			continue
		}
		of := []int64{0}
		for _, c := range i.allComments() {
			of = append(of, c.GetID())
		}
		for _, comment := range of {
			for _, r := range i.colonyReactions(comment) {
				if !i.reactions[r.GetID()] {
					w.t.Errorf("unread on #%d: reaction %s on comment %d", i.number, r.GetContent(), comment)
				}
			}
		}
	}
}
