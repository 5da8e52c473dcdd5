//go:build cluster

package cluster_test

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// found is what GitHub shows of an issue in the end.
type found struct {
	labels   []string
	changes  []statemachine.Change
	comments []*github.IssueComment
	standing statemachine.Standing
}

// tally sums up what happened on all issues.
type tally struct {
	moves, ordered, rejections, explained, commands, writes int
	comments                                                map[int64]string // the issue that each belongs to
	odd                                                     *worked          // the first on which something is wrong; nil: none
}

// verify compares every issue with what the fold of its log says, and counts what may be there only once.
func (c *crowd) verify() tally {
	c.t.Helper()
	sum := tally{comments: map[int64]string{}}
	for _, w := range c.issues {
		f := c.find(w)
		for _, comment := range f.comments {
			sum.comments[comment.GetID()] = w.String()
		}
		failed := c.t.Failed()
		c.labelsAreRight(w, f)
		c.rejectionsAreExplainedOnce(w, f, &sum)
		c.commandsRanOnce(w, f, &sum)
		if c.t.Failed() && !failed { // one is enough to see why
			c.t.Logf("what GitHub shows of %s:\n%s", w, f)
			sum.odd = w
		}
	}
	return sum
}

// String tells the changes of labels and the comments, in the order of their times.
func (f found) String() string {
	type line struct {
		at   time.Time
		text string
	}
	var lines []line
	for _, c := range f.changes {
		sign := "-"
		if c.Added {
			sign = "+"
		}
		lines = append(lines, line{c.At, fmt.Sprintf("%d %s%s by %s", c.ID, sign, c.Label, c.By.Login)})
	}
	for _, c := range f.comments {
		lines = append(lines, line{c.GetCreatedAt().Time, fmt.Sprintf("comment %d by %s: %.70q %v", c.GetID(), c.GetUser().GetLogin(), c.GetBody(), wording.Markers(c.GetBody()))})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return a.at.Compare(b.at) })
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&text, "%s %s\n", l.at.Format(time.TimeOnly), l.text)
	}
	return text.String()
}

func (w *worked) String() string { return fmt.Sprintf("%s#%d", w.repo, w.number) }

func (c *crowd) find(w *worked) found {
	c.t.Helper()
	ctx, client := c.t.Context(), c.clients[olivia]
	issue, _, err := client.Issues.Get(ctx, owner, w.repo, w.number)
	c.must(err)
	var f found
	for _, l := range issue.Labels {
		f.labels = append(f.labels, l.GetName())
	}
	for page := 1; page != 0; {
		events, response, err := client.Issues.ListIssueEvents(ctx, owner, w.repo, w.number, &github.ListOptions{PerPage: 100, Page: page})
		c.must(err)
		for _, e := range events {
			if kind := e.GetEvent(); kind == "labeled" || kind == "unlabeled" {
				f.changes = append(f.changes, statemachine.Change{
					Moment: statemachine.Moment{ID: e.GetID(), At: e.GetCreatedAt().Time}, Added: kind == "labeled", Label: e.GetLabel().GetName(), By: actor(e.GetActor()),
				})
			}
		}
		page = response.NextPage
	}
	for page := 1; page != 0; {
		comments, response, err := client.Issues.ListComments(ctx, owner, w.repo, w.number,
			&github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100, Page: page}})
		c.must(err)
		f.comments = append(f.comments, comments...)
		page = response.NextPage
	}
	history := statemachine.History{Changes: f.changes, Labels: f.labels, Terms: statemachine.Terms{JudgedSince: issue.GetCreatedAt().Time}}
	history.Ordered = c.ordered(c.life.Fold(history), c.written(w, f))
	f.standing = c.life.Fold(history)
	return f
}

// written returns the commands of an issue that were granted.
func (c *crowd) written(w *worked, f found) []commands.CommandComment {
	var granted []commands.CommandComment
	for _, comment := range f.comments {
		if id := comment.GetID(); slices.Contains(w.commands, id) && slices.Contains(c.receipts(w, id), "+1") {
			granted = append(granted, commands.CommandComment{
				CommentID: id, Requester: commands.Requester{Actor: actor(comment.GetUser()), Right: commands.MayMove},
				Invocations: commands.Parse(comment.GetBody()), At: comment.GetCreatedAt().Time,
			})
		}
	}
	return granted
}

// receipts are Colony's reactions on a command.
func (c *crowd) receipts(w *worked, comment int64) []string {
	c.t.Helper()
	reactions, _, err := c.clients[olivia].Reactions.ListIssueCommentReactions(c.t.Context(), owner, w.repo, comment, nil)
	c.must(err)
	var contents []string
	for _, r := range reactions {
		if r.GetUser().GetLogin() == self {
			contents = append(contents, r.GetContent())
		}
	}
	return contents
}

// ordered tells who ordered Colony's moves. Nothing but labels and commands moves issues here: what no command ordered is a label that came late.
func (c *crowd) ordered(standing statemachine.Standing, written []commands.CommandComment) func(int64) (lifecycle.Actor, bool) {
	orders, _ := commands.AttributeMoves(c.life, standing, written)
	return func(id int64) (by lifecycle.Actor, known bool) { return orders[id].By, true }
}

func (c *crowd) must(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}

func actor(user *github.User) lifecycle.Actor {
	a := lifecycle.Actor{Login: user.GetLogin(), Kind: lifecycle.Operator}
	switch {
	case a.Login == self:
		a.Kind = lifecycle.Colony
	case user.GetType() == "Bot":
		a.Kind = lifecycle.Executor
	}
	return a
}

// labelsAreRight: exactly one state label, the one of the fold, and nobody touched the foreign one.
func (c *crowd) labelsAreRight(w *worked, f found) {
	c.t.Helper()
	states := slices.DeleteFunc(slices.Clone(f.labels), func(label string) bool {
		_, is := c.life.StateOf(label)
		return !is
	})
	if diff := cmp.Diff([]string{c.life.Label(f.standing.State)}, states); diff != "" {
		c.t.Errorf("%s: the labels are not what the log says (-log +labels):\n%s", w, diff)
	}
	touched := 0
	for _, change := range f.changes {
		if change.Label == foreign {
			touched++
		}
	}
	if touched != 1 || !slices.Contains(f.labels, foreign) {
		c.t.Errorf("%s: the label %q was touched", w, foreign)
	}
}

// rejectionsAreExplainedOnce: each in one comment, and only rejections.
func (c *crowd) rejectionsAreExplainedOnce(w *worked, f found, sum *tally) {
	c.t.Helper()
	explained := map[int64]int{}
	for _, comment := range f.comments {
		if comment.GetUser().GetLogin() != self {
			continue
		}
		for _, id := range wording.Markers(comment.GetBody())[wording.Explains] {
			explained[id]++
		}
	}
	for _, r := range f.standing.Rejections {
		if r.By.Kind == lifecycle.Colony {
			continue // repaired without a word
		}
		sum.rejections++
		for _, id := range r.IDs {
			n := explained[id]
			if n != 1 && (n != 0 || !r.Withdrawn) {
				c.t.Errorf("%s: the rejected change %d (%s to %q by %s) is explained in %d comments", w, id, r.From, r.To, r.By.Login, n)
			}
			sum.explained += n
		}
	}
}

// commandsRanOnce: one receipt on each, one answer at most, and no more moves of Colony's than commands were granted.
func (c *crowd) commandsRanOnce(w *worked, f found, sum *tally) {
	c.t.Helper()
	answers := map[int64]int{}
	text := map[int64]string{}
	for _, comment := range f.comments {
		text[comment.GetID()] = comment.GetBody()
		if comment.GetUser().GetLogin() != self {
			continue
		}
		for _, id := range wording.Markers(comment.GetBody())[wording.Answers] {
			answers[id]++
		}
	}
	granted := 0
	for _, id := range w.commands {
		sum.commands++
		receipts := c.receipts(w, id)
		if len(receipts) != 1 {
			c.t.Errorf("%s: the command %q has the receipts %v", w, text[id], receipts)
		}
		if answers[id] > 1 {
			c.t.Errorf("%s: the command %q was answered %d times", w, text[id], answers[id])
		}
		if slices.Contains(receipts, "+1") && !strings.HasPrefix(text[id], "/colony:status") && !strings.HasPrefix(text[id], "/colony:why") {
			granted++
		}
	}
	ordered := 0
	for _, m := range f.standing.Trail {
		if m.By.Kind == lifecycle.Colony {
			ordered++
		}
	}
	if ordered > granted {
		c.t.Errorf("%s: Colony moved the issue %d times on %d granted commands", w, ordered, granted)
	}
	sum.moves += len(f.standing.Trail)
	sum.ordered += ordered
}
