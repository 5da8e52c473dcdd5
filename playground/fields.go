package playground

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// milestone is one of a repository; issues are in one or none.
type milestone struct {
	id      int64
	number  int
	title   string
	creator *account
	created time.Time
}

// issueType is one of an organization's types of issues.
type issueType struct {
	id      int64
	name    string
	created time.Time
}

// SetMilestone puts an issue into the milestone of that title, which is made where the repository has none, as a person (the owner if by is
// empty) does; no title takes the issue out of its milestone.
func (p *Playground) SetMilestone(owner, name string, number int, title, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, number, by)
	if err != nil {
		return fmt.Errorf("set the milestone: %w", err)
	}
	if i.pull != nil {
		return errors.New("set the milestone: the playground does so for issues only")
	}
	wanted := i.repo.milestone(title)
	if wanted == nil && title != "" {
		wanted = &milestone{id: p.nextID(), number: len(i.repo.milestones) + 1, title: title, creator: who.account, created: p.now()}
		i.repo.milestones = append(i.repo.milestones, wanted)
	}
	if before := i.milestone; before != nil && before != wanted {
		i.milestone = nil
		p.addEvent(i, who, "demilestoned").milestone = object{"title": before.title}
		p.emitIssue("demilestoned", who, i, object{"milestone": p.milestonePayload(i.repo, before)})
	}
	if wanted != nil && i.milestone != wanted {
		i.milestone = wanted
		p.addEvent(i, who, "milestoned").milestone = object{"title": wanted.title}
		p.emitIssue("milestoned", who, i, object{"milestone": p.milestonePayload(i.repo, wanted)})
	}
	return nil
}

func (r *repository) milestone(title string) *milestone {
	at := slices.IndexFunc(r.milestones, func(m *milestone) bool { return m.title == title })
	if at < 0 {
		return nil
	}
	return r.milestones[at]
}

// SetIssueType gives an issue one of its organization's types, which is made where that name is missing, as a person (the owner if by is empty) does;
// no name takes the issue's type away. Only organizations have types.
func (p *Playground) SetIssueType(owner, name string, number int, kind, by string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, who, err := p.threadFor(owner, name, number, by)
	switch {
	case err != nil:
		return fmt.Errorf("set the type: %w", err)
	case i.pull != nil || i.repo.owner.kind != kindOrganization:
		return errors.New("set the type: only issues of organizations have types")
	}
	var wanted *issueType
	for _, t := range p.issueTypes[i.repo.owner] {
		if strings.EqualFold(t.name, kind) {
			wanted = t
		}
	}
	if wanted == nil && kind != "" {
		wanted = &issueType{id: p.nextID(), name: kind, created: p.now()}
		if p.issueTypes == nil {
			p.issueTypes = map[*account][]*issueType{}
		}
		p.issueTypes[i.repo.owner] = append(p.issueTypes[i.repo.owner], wanted)
	}
	if i.kind == wanted {
		return nil
	}
	before := i.kind
	i.kind, i.updated = wanted, p.now() // the log's events of types are a preview's, which the playground does not have
	if before != nil {
		p.emitIssue("untyped", who, i, object{"type": p.issueTypePayload(before)})
	}
	if wanted != nil {
		p.emitIssue("typed", who, i, object{"type": p.issueTypePayload(wanted)})
	}
	return nil
}

func (p *Playground) milestonePayload(r *repository, m *milestone) object {
	if m == nil {
		return nil
	}
	opened, closed := 0, 0
	for _, i := range r.issues {
		switch {
		case i.milestone != m || i.deleted || i.movedTo != nil:
		case i.state == "open":
			opened++
		default:
			closed++
		}
	}
	u := p.api("/repos/%s/milestones/%d", r.fullName(), m.number)
	return object{
		"url": u, "html_url": p.html("/%s/milestone/%d", r.fullName(), m.number), "labels_url": u + "/labels", "id": m.id,
		"node_id": nodeID("MI", m.id), "number": m.number, "title": m.title, "description": nil, "creator": orNil(p.userPayload(m.creator)),
		"open_issues": opened, "closed_issues": closed, "state": "open", "created_at": stamp(m.created), "updated_at": stamp(m.created),
		"due_on": nil, "closed_at": nil,
	}
}

func (p *Playground) issueTypePayload(t *issueType) object {
	if t == nil {
		return nil
	}
	return object{
		"id": t.id, "node_id": nodeID("IT", t.id), "name": t.name, "description": nil, "color": "gray",
		"created_at": stamp(t.created), "updated_at": stamp(t.created), "is_enabled": true,
	}
}
