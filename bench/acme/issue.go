package acme

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/statemachine"
)

// Issue is one issue of acme/widgets as the people of a test see it.
type Issue struct {
	*GitHub
	Number int
	// The writes of Colony that have been read.
	ReadComments, ReadReactions map[int64]bool

	w *World
}

// NewIssue opens an issue, with labels. What Colony says on it has to be read.
func (w *World) NewIssue(by, body string, labels ...string) *Issue {
	w.t.Helper()
	return w.Heed(w.create("widgets", by, &github.IssueRequest{Title: new("A widget that works"), Body: &body, Labels: &labels}))
}

// Heed lets what Colony says on an issue have to be read.
func (w *World) Heed(number int) *Issue {
	i := &Issue{Number: number, ReadComments: map[int64]bool{}, ReadReactions: map[int64]bool{}, GitHub: w.GitHub, w: w}
	w.Issues = append(w.Issues, i)
	return i
}

// Label puts labels on the issue, each with a request of its own.
func (i *Issue) Label(by string, labels ...string) {
	i.t.Helper()
	i.GitHub.Label(i.Number, by, labels...)
}

// Unlabel takes labels off the issue. Colony can be faster: it takes the old label of an allowed move off itself.
func (i *Issue) Unlabel(by string, labels ...string) {
	i.t.Helper()
	for _, l := range labels {
		response, err := i.As(by).Issues.RemoveLabelForIssue(context.Background(), "acme", "widgets", i.Number, url.PathEscape(l))
		if response == nil || response.StatusCode != http.StatusNotFound || !i.wasTakenOff(l) {
			i.Must(err)
		}
	}
}

// wasTakenOff reports whether the last change of a label took it off.
func (i *Issue) wasTakenOff(label string) (off bool) {
	i.t.Helper()
	for _, e := range i.events() {
		if e.GetLabel().GetName() == label {
			off = e.GetEvent() == "unlabeled"
		}
	}
	return off
}

// events are the log of the issue, as far as one page shows it.
func (i *Issue) events() []*github.IssueEvent {
	i.t.Helper()
	log, _, err := i.As("mona").Issues.ListIssueEvents(context.Background(), "acme", "widgets", i.Number, &github.ListOptions{PerPage: 100})
	i.Must(err)
	return log
}

// Swap puts one label in the place of another, as the label picker does. Colony learns of both requests together: else it can take the old
// label off first.
func (i *Issue) Swap(by, from, to string) {
	i.t.Helper()
	i.HoldDeliveries()
	i.Label(by, to)
	i.Unlabel(by, from)
	i.ReleaseDeliveries(nil)
}

// Comment writes a comment and returns its id.
func (i *Issue) Comment(by, body string) int64 {
	i.t.Helper()
	return i.GitHub.Comment(i.Number, by, body)
}

// Has asserts the labels of the issue, in any order.
func (i *Issue) Has(labels ...string) {
	i.t.Helper()
	i.GitHub.Has(i.Number, labels...)
}

// ColonySays reads the next comment of Colony's and asserts that it has all these words.
func (i *Issue) ColonySays(words ...string) {
	i.t.Helper()
	for _, c := range i.ColonyComments() {
		if i.ReadComments[c.GetID()] {
			continue
		}
		i.ReadComments[c.GetID()] = true
		for _, word := range words {
			if !strings.Contains(c.GetBody(), word) {
				i.t.Errorf("Colony's comment on #%d does not say %q:\n%s", i.Number, word, c.GetBody())
			}
		}
		return
	}
	i.t.Fatalf("Colony said nothing on #%d, not even %q", i.Number, words)
}

// ColonyReacts reads Colony's reaction on a comment.
func (i *Issue) ColonyReacts(comment int64, content string) {
	i.t.Helper()
	for _, r := range i.ColonyReactions(comment) {
		if i.ReadReactions[r.GetID()] {
			continue
		}
		i.ReadReactions[r.GetID()] = true
		if r.GetContent() != content {
			i.t.Errorf("Colony reacted with %s instead of %s on #%d", r.GetContent(), content, i.Number)
		}
		return
	}
	i.t.Fatalf("Colony did not react with %s on #%d", content, i.Number)
}

// ColonyComments are what Colony wrote to people: not the trail, which Trail reads.
func (i *Issue) ColonyComments() []*github.IssueComment {
	i.t.Helper()
	all := i.AllComments()
	return slices.DeleteFunc(all, func(c *github.IssueComment) bool {
		_, isTrail := wording.TrailOf(i.Number, c.GetBody())
		return c.GetUser().GetLogin() != "colony[bot]" || isTrail
	})
}

// Trail is why Colony made its own moves, as the trail of the issue says; it fails if there is more than one.
func (i *Issue) Trail() (moves []string) {
	i.t.Helper()
	n := 0
	for _, c := range i.AllComments() {
		said, is := wording.TrailOf(i.Number, c.GetBody())
		if !is || c.GetUser().GetLogin() != "colony[bot]" {
			continue
		}
		n++
		for _, m := range said {
			moves = append(moves, strings.TrimSpace(fmt.Sprintf("%s -> %s: %s %s", m.From, m.To, m.Why, m.About)))
			if !strings.Contains(c.GetBody(), "`"+m.From+"` → `"+m.To+"`: "+strings.TrimSuffix(m.Why, ".")) {
				i.t.Errorf("people do not see that it was moved from %s to %s:\n%s", m.From, m.To, c.GetBody())
			}
		}
	}
	if n > 1 {
		i.t.Errorf("#%d has %d trails", i.Number, n)
	}
	return moves
}

// AllComments are the comments of everybody; none if the issue is gone.
func (i *Issue) AllComments() []*github.IssueComment {
	i.t.Helper()
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	all, response, err := i.As("mona").Issues.ListComments(context.Background(), "acme", "widgets", i.Number, options)
	if response != nil && (response.StatusCode == http.StatusNotFound || response.StatusCode == http.StatusGone) {
		return nil
	}
	i.Must(err)
	return all
}

// ColonyReactions lists Colony's reactions on a comment, or on the issue itself (0).
func (i *Issue) ColonyReactions(comment int64) []*github.Reaction {
	i.t.Helper()
	var all []*github.Reaction
	var err error
	if comment == 0 {
		all, _, err = i.As("mona").Reactions.ListIssueReactions(context.Background(), "acme", "widgets", i.Number, nil)
	} else {
		all, _, err = i.As("mona").Reactions.ListIssueCommentReactions(context.Background(), "acme", "widgets", comment, nil)
	}
	i.Must(err)
	return slices.DeleteFunc(all, func(r *github.Reaction) bool { return r.GetUser().GetLogin() != "colony[bot]" })
}

// NothingUnread asserts that everything that Colony said and reacted was read.
func (i *Issue) NothingUnread() {
	i.t.Helper()
	for _, c := range i.ColonyComments() {
		if !i.ReadComments[c.GetID()] {
			i.t.Errorf("unread on #%d:\n%s", i.Number, c.GetBody())
		}
	}
	for _, c := range i.AllComments() {
		for _, r := range i.ColonyReactions(c.GetID()) {
			if !i.ReadReactions[r.GetID()] {
				i.t.Errorf("unread reaction %s on a comment of #%d: %q", r.GetContent(), i.Number, c.GetBody())
			}
		}
	}
}

// Labels are what is on the issue, sorted.
func (i *Issue) Labels() []string { return i.LabelsOf(i.Number) }

// Describe lists the labels, Colony's comments without their markers, and its reactions; all of it counts as read.
func (i *Issue) Describe() string {
	i.t.Helper()
	labels := i.Labels()
	var said, reactions []string
	for _, c := range i.AllComments() {
		if c.GetUser().GetLogin() == "colony[bot]" {
			first, _, _ := strings.Cut(c.GetBody(), "\n")
			said = append(said, first)
			i.ReadComments[c.GetID()] = true
			continue
		}
		for _, r := range i.ColonyReactions(c.GetID()) {
			reactions = append(reactions, r.GetContent())
			i.ReadReactions[r.GetID()] = true
		}
	}
	return fmt.Sprintf("labels %v, reactions %v, said:\n  %s", labels, reactions, strings.Join(said, "\n  "))
}

// Reads reads all comments and reactions of Colony on the issue.
func (i *Issue) Reads() {
	i.t.Helper()
	i.Describe()
}

// ReadsComments reads all comments of Colony.
func (i *Issue) ReadsComments() {
	i.t.Helper()
	for _, c := range i.ColonyComments() {
		i.ReadComments[c.GetID()] = true
	}
}

// ReadsReactions reads all reactions of Colony to comments.
func (i *Issue) ReadsReactions() {
	i.t.Helper()
	for _, c := range i.AllComments() {
		for _, r := range i.ColonyReactions(c.GetID()) {
			i.ReadReactions[r.GetID()] = true
		}
	}
}

// Edit opens or closes an issue.
func (i *Issue) Edit(by, state string) {
	i.t.Helper()
	i.Change(by, i.Number, &github.IssueRequest{State: &state})
}

// Pull opens a pull request.
func (i *Issue) Pull(branch, body string, draft bool) int {
	i.t.Helper()
	number, err := i.OpenPullRequest(playground.PullRequest{Owner: "acme", Name: "widgets", By: "tara", Branch: branch, Body: body, Draft: draft})
	i.Must(err)
	return number
}

// Fixes says in a pull request that it fixes the issue.
func (i *Issue) Fixes() string { return fmt.Sprintf("Fixes #%d", i.Number) }

// Fixed opens a pull request that fixes the issue.
func (i *Issue) Fixed() int { return i.Pull(fmt.Sprintf("work-on-%d", i.Number), i.Fixes(), false) }

// Push puts a file onto a branch, another content each time.
func (i *Issue) Push(branch, path string) {
	i.t.Helper()
	i.PushAs("tara", branch, path)
}

// PushAs is Push by someone else.
func (i *Issue) PushAs(by, branch, path string) {
	i.t.Helper()
	_, err := i.Playground.Push("acme", "widgets", branch, path, branch+i.Clock.Now().String(), by)
	i.Must(err)
}

// Resolves takes over what the base branch has of the files of a pull request, and pushes another one.
func (i *Issue) Resolves(branch string, pull int) {
	i.t.Helper()
	files, _, err := i.As("mona").PullRequests.ListFiles(context.Background(), "acme", "widgets", pull, nil)
	i.Must(err)
	for _, f := range files {
		file, _, response, err := i.As("mona").Repositories.GetContents(context.Background(), "acme", "widgets", f.GetFilename(), nil)
		if response != nil && response.StatusCode == http.StatusNotFound {
			continue
		}
		i.Must(err)
		content, err := file.GetContent()
		i.Must(err)
		_, err = i.Playground.Push("acme", "widgets", branch, f.GetFilename(), content, "tara")
		i.Must(err)
	}
	i.Push(branch, "more.txt")
}

// Older opens a pull request that changes a file for another issue, and returns its number.
func (i *Issue) Older(path string) int {
	i.t.Helper()
	branch := fmt.Sprintf("older-than-%d", i.Number)
	i.Push(branch, path)
	return i.Pull(branch, fmt.Sprintf("Fixes #%d", i.Other()), false)
}

// Other opens another issue that Colony does not follow.
func (i *Issue) Other() int {
	i.t.Helper()
	return i.create("widgets", "mona", &github.IssueRequest{Title: new("Another")})
}

// CloseAs closes an issue of acme/widgets for a reason.
func (i *Issue) CloseAs(number int, reason string) {
	i.t.Helper()
	request := &github.IssueRequest{State: new("closed")}
	if reason != "" {
		request.StateReason = &reason
	}
	i.Change("mona", number, request)
}

// BlockedBy lets an issue of acme/widgets depend on another, or ends that.
func (i *Issue) BlockedBy(number, by int, is bool) {
	i.t.Helper()
	i.Must(i.SetBlockedBy("acme", "widgets", number, "", by, is, "mona"))
}

// SubIssue makes another issue a part of this one.
func (i *Issue) SubIssue(number int) {
	i.t.Helper()
	i.Must(i.SetSubIssue("acme", "widgets", i.Number, "", number, true, "mona"))
}

// Review reviews a pull request.
func (i *Issue) Review(pull int, event, by string) {
	i.t.Helper()
	_, err := i.ReviewPullRequest("acme", "widgets", pull, event, "so be it", by)
	i.Must(err)
}

// Check lets a check of the newest commit of a branch come to an end.
func (i *Issue) Check(branch, name, conclusion string) {
	i.t.Helper()
	_, err := i.SetCheck("acme", "widgets", branch, "analyzer", name, conclusion)
	i.Must(err)
}

// Through brings an issue to a state by the labels of the moves that lead there.
func (i *Issue) Through(of, state string) {
	i.t.Helper()
	life, err := statemachine.Shipped(of)
	i.Must(err)
	for _, next := range advice.Route(life, statemachine.Standing{State: life.Initial}, lifecycle.Actor{Kind: lifecycle.Operator}, state)[1:] {
		i.Label("olivia", "colony:"+next)
	}
}

// StateChanges counts how often Colony put a label of a state on the issue.
func (i *Issue) StateChanges() int {
	i.t.Helper()
	n := 0
	for _, e := range i.events() {
		if e.GetEvent() == "labeled" && e.GetActor().GetLogin() == "colony[bot]" && e.GetLabel().GetName() != "colony:needs-human" {
			n++
		}
	}
	return n
}

// EditComment changes a comment.
func (i *Issue) EditComment(by string, comment int64, body string) {
	i.t.Helper()
	_, _, err := i.As(by).Issues.EditComment(context.Background(), "acme", "widgets", comment, &github.IssueComment{Body: &body})
	i.Must(err)
}

// EditOpening changes the opening text.
func (i *Issue) EditOpening(by, body string) {
	i.t.Helper()
	i.Change(by, i.Number, &github.IssueRequest{Body: &body})
}

// SaysNotRun asserts that Colony answers an edited text with a command, and does nothing else.
func (i *Issue) SaysNotRun(comment int64) {
	i.t.Helper()
	i.ColonySays("did not run", "edited", "new comment")
	i.ColonyReacts(comment, "confused")
}

// Settle waits as World.Settle does.
func (i *Issue) Settle() { i.w.Settle() }

// Sweep has everything swept as World.Sweep does.
func (i *Issue) Sweep() { i.w.Sweep() }

// CommentAndSettle writes a comment and waits until Colony has read it.
func (i *Issue) CommentAndSettle(by, body string) int64 {
	i.t.Helper()
	id := i.Comment(by, body)
	i.w.Settle()
	return id
}

// Closed is the reason for which the issue is closed; empty: it is open.
func (i *Issue) Closed() string {
	i.t.Helper()
	is, _, err := i.As("olivia").Issues.Get(context.Background(), "acme", "widgets", i.Number)
	i.Must(err)
	if is.GetState() != "closed" {
		return ""
	}
	return is.GetStateReason()
}

// Lock locks the conversation, or unlocks it.
func (i *Issue) Lock(locked bool) {
	i.t.Helper()
	var err error
	if locked {
		_, err = i.As("mona").Issues.Lock(context.Background(), "acme", "widgets", i.Number, nil)
	} else {
		_, err = i.As("mona").Issues.Unlock(context.Background(), "acme", "widgets", i.Number)
	}
	i.Must(err)
}

// Age fills the log of an issue with changes of a label that is not Colony's, until it has so many events.
func (i *Issue) Age(events int) {
	i.t.Helper()
	log, response, err := i.As("mona").Issues.ListIssueEvents(context.Background(), "acme", "widgets", i.Number, &github.ListOptions{PerPage: 1})
	i.Must(err)
	change := []func(string, ...string){i.Label, i.Unlabel}
	begun := max(response.LastPage, len(log))
	for n := range max(0, events-begun) {
		change[n%2]("mona", "bug")
	}
}

// Replace makes the labels of the issue equal to these in one request, as the picker does.
func (i *Issue) Replace(by string, labels ...string) {
	i.t.Helper()
	_, _, err := i.As(by).Issues.ReplaceLabelsForIssue(context.Background(), "acme", "widgets", i.Number, labels)
	i.Must(err)
}

// Says asks for something with a command and returns what Colony answers.
func (i *Issue) Says(by, command string) string {
	i.t.Helper()
	id := i.CommentAndSettle(by, command)
	i.ColonyReacts(id, "+1")
	for _, c := range slices.Backward(i.ColonyComments()) {
		i.ReadComments[c.GetID()] = true
		return c.GetBody()
	}
	i.t.Fatalf("Colony does not answer %q", command)
	return ""
}

// Assign assigns the issue to people.
func (i *Issue) Assign(by string, to ...string) {
	i.t.Helper()
	_, _, err := i.As(by).Issues.AddAssignees(context.Background(), "acme", "widgets", i.Number, to)
	i.Must(err)
}

// Unassign takes an assignment back.
func (i *Issue) Unassign(by string, from ...string) {
	i.t.Helper()
	_, _, err := i.As(by).Issues.RemoveAssignees(context.Background(), "acme", "widgets", i.Number, from)
	i.Must(err)
}

// Blockers lists what an issue depends on by GitHub's own dependencies.
func (i *Issue) Blockers() (numbers []int) {
	i.t.Helper()
	request, err := i.As("mona").NewRequest(http.MethodGet, fmt.Sprintf("repos/acme/widgets/issues/%d/dependencies/blocked_by", i.Number), nil)
	i.Must(err)
	var list []*github.Issue
	_, err = i.As("mona").Do(context.Background(), request, &list)
	i.Must(err)
	for _, b := range list {
		numbers = append(numbers, b.GetNumber())
	}
	return numbers
}

// Merged has Colony move the issue to its end for another pull request, and returns that and what the trail says of it.
func (i *Issue) Merged() (pull int, says string) {
	i.t.Helper()
	pull = i.Pull("again", i.Fixes(), false)
	i.Through("colony", "in-review")
	i.w.Settle()
	i.Clock.Advance(time.Hour)
	i.Must(i.MergePullRequest("acme", "widgets", pull, "mona"))
	i.w.Settle()
	return pull, fmt.Sprintf("in-review -> done: The pull request was merged #%d", pull)
}

// HasTrail asserts what the trail says.
func (i *Issue) HasTrail(want ...string) {
	i.t.Helper()
	if diff := cmp.Diff(want, i.Trail()); diff != "" {
		i.t.Errorf("the trail of #%d (-want +got):\n%s", i.Number, diff)
	}
}

// Hidden tells of each comment of Colony's why it is hidden, in their order; "" if it is open.
func (i *Issue) Hidden() []string {
	i.t.Helper()
	var ids, why []string
	for _, c := range i.ColonyComments() {
		ids = append(ids, c.GetNodeID())
	}
	request, err := i.As("mona").NewRequest(http.MethodPost, "../graphql", map[string]any{
		"query": `query($ids: [ID!]!) { nodes(ids: $ids) { ... on IssueComment { isMinimized minimizedReason } } }`, "variables": map[string]any{"ids": ids},
	})
	i.Must(err)
	var answer struct {
		Data struct {
			Nodes []struct {
				IsMinimized     bool
				MinimizedReason string
			}
		}
	}
	_, err = i.As("mona").Do(context.Background(), request, &answer)
	i.Must(err)
	for _, n := range answer.Data.Nodes {
		if n.IsMinimized == (n.MinimizedReason == "") {
			i.t.Errorf("%+v", n)
		}
		why = append(why, n.MinimizedReason)
	}
	return why
}

// IsHidden asserts which comments of Colony's are hidden, and why.
func (i *Issue) IsHidden(want ...string) {
	i.t.Helper()
	if diff := cmp.Diff(want, i.Hidden()); diff != "" {
		i.t.Errorf("hidden comments (-want +got):\n%s", diff)
	}
}

// ReadsNothingMore is for an issue that is out of reach.
func (i *Issue) ReadsNothingMore() {
	i.w.Issues = slices.DeleteFunc(i.w.Issues, func(other *Issue) bool { return other == i })
}

// AssignedTo asserts who is assigned to the issue.
func (i *Issue) AssignedTo(logins ...string) {
	i.t.Helper()
	is, _, err := i.As("mona").Issues.Get(context.Background(), "acme", "widgets", i.Number)
	i.Must(err)
	got := []string{}
	for _, a := range is.Assignees {
		got = append(got, a.GetLogin())
	}
	slices.Sort(got)
	if diff := cmp.Diff(append([]string{}, logins...), got); diff != "" {
		i.t.Errorf("assigned to #%d (-want +got):\n%s", i.Number, diff)
	}
}
