package issues

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Approval says who approved an issue as it was then, and when. The login is empty if it is unknown: then everybody's edit counts as someone else's.
type Approval struct {
	By string
	At time.Time
	// Roles are those whose work was approved: what they wrote last before it, in a comment, was approved too.
	Roles []string
}

// brokenBy reports whether an edit changes what was approved: it is someone else's, and not surely older. GitHub's times are whole seconds, so one of
// the same second counts.
func (a Approval) brokenBy(login string, at time.Time) bool {
	return !at.Before(a.At) && (a.By == "" || !strings.EqualFold(login, a.By))
}

const revisionsQuery = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { issue(number: $number) {
    userContentEdits(first: 100) { nodes { editedAt diff editor { __typename login } } pageInfo { hasNextPage } }
  } }
}`

// revision is one text of an issue. What GitHub calls diff is all of it; null if someone deleted it from the history.
type revision struct {
	EditedAt time.Time
	Diff     *string
	Editor   *editor
}

// revisions reads the texts that the issue has had, oldest first; whole says that the first of them is the one that was written.
func (q questions) revisions(ctx context.Context) (found []revision, whole bool, err error) {
	var data struct {
		Repository struct {
			Issue struct {
				UserContentEdits struct {
					Nodes    []revision
					PageInfo struct{ HasNextPage bool }
				}
			}
		}
	}
	if err := q.query(ctx, revisionsQuery, &data); err != nil {
		return nil, false, err
	}
	edits := data.Repository.Issue.UserContentEdits
	found = edits.Nodes
	slices.Reverse(found) // GitHub tells the latest first
	slices.SortStableFunc(found, func(a, b revision) int { return a.EditedAt.Compare(b.EditedAt) })
	return found, !edits.PageInfo.HasNextPage, nil
}

// Changed is what became of what a person approved: nothing if Differences is empty.
type Changed struct {
	Differences []statemachine.Difference
	// At is when someone other than the approver changed it last.
	At time.Time
}

// add notes a difference and when its last part was made.
func (c *Changed) add(d statemachine.Difference, at time.Time) {
	d.By = slices.DeleteFunc(d.By, func(login string) bool { return login == "" })
	slices.Sort(d.By)
	d.By = slices.Compact(d.By)
	c.Differences = append(c.Differences, d)
	c.At = Latest(c.At, at)
}

// ChangedSince compares the title and the text of an issue with what was approved, and its pull requests if they were too. An edit that was undone
// does not count. Neither does an edit by the person who approved.
func (s *Store) ChangedSince(ctx context.Context, v View, a Ask) (Changed, error) {
	r := s.reading(v, a)
	err := edits(ctx, r)
	if a.Heads && (err == nil || IsPermanent(err)) {
		err = errors.Join(err, pullRequestFacts(ctx, r))
	}
	return r.changed, err
}

// edits observes that the author changed the title, which the log tells, or the text, which only GraphQL tells; of several edits
// of the text it tells the last. Of what was approved it observes whether it is still the same.
func edits(ctx context.Context, r *reading) error {
	author := r.view.Author.Login
	for _, renamed := range r.view.Renamed {
		if author != "" && strings.EqualFold(renamed.By, author) {
			r.observe("author-edited", renamed.At, author)
		}
	}
	var edited Edit
	told, err := r.comments.askForEdits(ctx, r.view.Ref, []Comment{r.view.Opening()})
	switch {
	case err == nil:
		edited = told[0]
	case !errors.Is(err, errNoGraphQL):
		return err
	}
	if edited.State == Edited && author != "" && strings.EqualFold(edited.By.Login, author) {
		r.observe("author-edited", edited.At, author)
	}
	if r.ask.Approval == nil {
		return nil
	}
	return textChanged(ctx, r, edited.At)
}

// textChanged observes that the issue is no longer what was approved. lastEdit is when its text was edited last; zero if never.
func textChanged(ctx context.Context, r *reading, lastEdit time.Time) error {
	a := *r.ask.Approval
	titleChanged(r, a)
	if !lastEdit.IsZero() && !lastEdit.Before(a.At) {
		all, whole, err := r.pulls.revisions(ctx)
		if err != nil && !errors.Is(err, errNoGraphQL) {
			return err
		}
		bodyChanged(r, a, all, whole)
	}
	if err := planChanged(ctx, r, a); err != nil {
		return err
	}
	var by []string
	for _, d := range r.changed.Differences {
		by = append(by, d.By...)
	}
	if len(r.changed.Differences) > 0 {
		slices.Sort(by)
		r.observe("text-changed", r.changed.At, strings.Join(slices.Compact(by), ", "))
	}
	return nil
}

// planChanged finds out whether the comment was edited with which the work that was approved was handed over: the last one of a bot in its role.
func planChanged(ctx context.Context, r *reading, a Approval) error {
	if len(a.Roles) == 0 {
		return nil
	}
	commentsDeleted(r, a)
	all, err := r.comments.Comments(ctx, r.view.Ref, r.view.Created)
	if err != nil {
		return err
	}
	plan := slices.DeleteFunc(all, func(c Comment) bool {
		return c.By.Kind != lifecycle.Executor || a.isOther(c.By) || !c.Created.Before(a.At)
	})
	if len(plan) == 0 || plan[len(plan)-1].Updated.Before(a.At) {
		return nil
	}
	last := plan[len(plan)-1:]
	edits, err := r.comments.Edits(ctx, r.view.Ref, last)
	if err != nil {
		return err
	}
	at := edits[0].At
	if at.IsZero() {
		at = last[0].Updated
	}
	if login := edits[0].By.Login; edits[0].State != Unedited && a.brokenBy(login, at) {
		r.changed.add(statemachine.Difference{What: statemachine.DifferentPlan, By: []string{login}}, at)
	}
	return nil
}

// commentsDeleted notes the comments that were deleted since: any might have been the approved one, as GitHub does not tell.
func commentsDeleted(r *reading, a Approval) {
	d, at := statemachine.Difference{What: statemachine.DifferentComment}, time.Time{}
	for _, deleted := range r.view.Deleted {
		if a.brokenByDeletion(deleted) {
			d.By, at = append(d.By, deleted.By.Login), deleted.At
		}
	}
	if !at.IsZero() {
		r.changed.add(d, at)
	}
}

// brokenByDeletion reports whether a comment that was deleted might have been the approved one. Colony and Apps in other roles tidy up what they
// wrote themselves.
func (a Approval) brokenByDeletion(d Deletion) bool {
	tidies := d.By.Kind == lifecycle.Colony || d.By.IsApp() && a.isOther(d.By)
	return !tidies && a.brokenBy(d.By.Login, d.At)
}

// isOther reports whether a bot has roles, and none whose work was approved.
func (a Approval) isOther(by lifecycle.Actor) bool {
	return len(by.Roles) > 0 && !slices.ContainsFunc(by.Roles, func(role string) bool { return slices.Contains(a.Roles, role) })
}

// titleChanged compares the title with that of the approval: what the first renaming since changed.
func titleChanged(r *reading, a Approval) {
	since := slices.DeleteFunc(slices.Clone(r.view.Renamed), func(n Renaming) bool { return n.At.Before(a.At) })
	others := slices.DeleteFunc(slices.Clone(since), func(n Renaming) bool { return !a.brokenBy(n.By, n.At) })
	if len(others) == 0 || since[0].From == r.view.Title {
		return
	}
	d := statemachine.Difference{What: statemachine.DifferentTitle, Before: since[0].From, After: r.view.Title, Known: true}
	var at time.Time
	for _, n := range others {
		d.By, at = append(d.By, n.By), Latest(at, n.At)
	}
	r.changed.add(d, at)
}

// bodyChanged compares the text with that of the approval: the latest revision before it.
func bodyChanged(r *reading, a Approval, all []revision, whole bool) {
	edits := all
	if whole && len(all) > 0 && all[0].EditedAt.Sub(r.view.Created) <= stampedLate { // the first is what was written, and no edit
		edits = all[1:]
	}
	d := statemachine.Difference{What: statemachine.DifferentText, After: r.view.Body}
	var at time.Time
	for _, e := range edits {
		if a.brokenBy(e.Editor.login(), e.EditedAt) {
			d.By, at = append(d.By, e.Editor.login()), Latest(at, e.EditedAt)
		}
	}
	if at.IsZero() {
		return
	}
	approved := len(all) - len(edits) - 1
	for i, e := range all {
		if e.EditedAt.Before(a.At) {
			approved = i
		}
	}
	now := all[len(all)-1].Diff
	if approved >= 0 && all[approved].Diff != nil && now != nil {
		d.Before, d.After, d.Known = *all[approved].Diff, *now, true
		if sameText(d.Before, d.After) {
			return
		}
	}
	r.changed.add(d, at)
}

// sameText reports whether two texts differ in nothing but the ends of their lines, which browsers write in another way than programs.
func sameText(a, b string) bool {
	unix := func(text string) string { return strings.ReplaceAll(text, "\r\n", "\n") }
	return unix(a) == unix(b)
}
