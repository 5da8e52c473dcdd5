package playground

import (
	"fmt"
	"slices"
)

// threadFor finds an issue and who acts on it: the repository's owner if by is empty.
func (p *Playground) threadFor(owner, name string, number int, by string) (*issue, actor, error) {
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return nil, actor{}, err
	}
	i := r.issue(number)
	if i == nil || i.deleted || i.movedTo != nil {
		return nil, actor{}, fmt.Errorf("there is no issue %s#%d", r.fullName(), number)
	}
	_, who, err := p.doer(owner, name, by)
	return i, who, err
}

// OpenWithForm opens an issue with an issue form or template of the repository, which names labels, and returns its number. It acts as a person (the
// owner if by is empty) does on the web. GitHub puts the labels on no matter which role the person has, and notes the person as the actor; labels
// that the repository lacks are left out
// (https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-issue-forms).
func (p *Playground) OpenWithForm(owner, name, heading, body string, labels []string, by string) (number int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, who, err := p.doer(owner, name, by)
	if err != nil {
		return 0, fmt.Errorf("open an issue: %w", err)
	}
	if _, err := title(heading); err != nil || tooLong(body) {
		return 0, fmt.Errorf("open an issue in %s: the title is empty, or a text is too long", r.fullName())
	}
	var found []*label
	for _, wanted := range labels {
		if l := r.label(wanted); l != nil && !slices.Contains(found, l) {
			found = append(found, l)
		}
	}
	return p.openWith(who, r, heading, &body, found, nil).number, nil
}

// DeleteIssue deletes an issue as a person (the owner if by is empty) does on the web: it is answered 410 from then
// on (issues.deleted).
func (p *Playground) DeleteIssue(owner, name string, number int, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("delete an issue: %w", err)
	}
	i.deleted = true
	p.emitIssue("deleted", who, i, nil)
	return nil
}

// ConvertToDiscussion turns an issue into a discussion, as a person (the owner if by is empty) does on the web. For
// the issues API it is deleted; discussions themselves the playground does not have.
func (p *Playground) ConvertToDiscussion(owner, name string, number int, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("convert an issue to a discussion: %w", err)
	}
	if i.pull != nil {
		return fmt.Errorf("convert %s#%d to a discussion: it is a pull request", i.repo.fullName(), number)
	}
	p.addEvent(i, who, "converted_to_discussion")
	i.deleted = true
	p.emitIssue("deleted", who, i, nil)
	return nil
}

// TransferIssue moves an issue to another repository of the same owner, as a person (the owner if by is empty) does on
// the web, and returns its number there. The old address redirects. Labels go along where the target has them by the same
// name; comments, reactions and the log go along too (issues.transferred there, issues.opened here).
func (p *Playground) TransferIssue(owner, name string, number int, to, by string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, number, by)
	if err != nil {
		return 0, fmt.Errorf("transfer an issue: %w", err)
	}
	target, err := p.mustRepository(owner, to)
	if err != nil {
		return 0, fmt.Errorf("transfer an issue: %w", err)
	}
	if i.pull != nil || target == i.repo || i.repo.private != target.private && !target.private {
		return 0, fmt.Errorf("transfer %s#%d to %s: GitHub does not transfer pull requests, to the same repository, or from private to public", i.repo.fullName(), number, target.fullName())
	}
	moved := *i
	moved.id, moved.repo, moved.number = p.nextID(), target, len(target.issues)+1
	moved.labels, moved.shown = nil, nil
	for _, l := range i.labels {
		if same := target.label(l.name); same != nil {
			moved.labels = append(moved.labels, same)
		}
	}
	moved.assignees = slices.DeleteFunc(slices.Clone(i.assignees), func(a *account) bool { return !target.assignable(a, i) })
	if i.milestone != nil { // that of the same title, if there is one
		moved.milestone = target.milestone(i.milestone.title)
	}
	if target.owner != i.repo.owner {
		moved.kind = nil
	}
	moved.comments, moved.events = nil, nil
	for _, c := range i.comments {
		own := *c
		own.issue = &moved
		moved.comments = append(moved.comments, &own)
	}
	for _, e := range i.events {
		own := *e
		own.issue = &moved
		moved.events = append(moved.events, &own)
	}
	moved.reactions = slices.Clone(i.reactions)
	target.issues = append(target.issues, &moved)
	p.addEvent(&moved, who, "transferred")
	p.emitIssue("transferred", who, i, object{"changes": object{
		"new_issue": p.issuePayload(&moved), "new_repository": p.repositoryPayload(target),
	}})
	i.movedTo = &moved
	p.emitIssue("opened", who, &moved, object{"changes": object{
		"old_issue": p.issuePayload(i), "old_repository": p.repositoryPayload(i.repo),
	}})
	return moved.number, nil
}
