package playground

import (
	"net/url"
	"slices"
)

// contents of reactions, as the summary lists them.
var reactionContents = []string{"+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"}

func labelPayload(p *Playground, r *repository, l *label) object {
	payload := object{
		"id": l.id, "node_id": nodeID("LA", l.id), "url": p.api("/repos/%s/labels/%s", r.fullName(), url.PathEscape(l.name)),
		"name": l.name, "color": l.color, "default": isDefaultLabel(l.name), "description": nil,
	}
	if l.description != nil {
		payload["description"] = *l.description
	}
	return payload
}

func (p *Playground) labelPayloads(r *repository, labels []*label) []object {
	payloads := []object{}
	for _, l := range labels {
		payloads = append(payloads, labelPayload(p, r, l))
	}
	return payloads
}

func reactionSummary(address string, reactions []*reaction) object {
	summary := object{"url": address, "total_count": len(reactions)}
	for _, content := range reactionContents {
		summary[content] = 0
	}
	for _, r := range reactions {
		summary[r.content] = summary[r.content].(int) + 1
	}
	return summary
}

func (p *Playground) reactionPayload(r *reaction) object {
	return object{
		"id": r.id, "node_id": nodeID("REA", r.id), "user": orNil(p.userPayload(r.user)), "content": r.content,
		"created_at": stamp(r.created),
	}
}

// association is how an author is associated with a repository.
func (r *repository) association(a *account) string {
	switch {
	case a == nil || a.deleted:
		return "NONE"
	case a == r.owner:
		return "OWNER"
	case r.roles[a] > roleNone:
		return "COLLABORATOR"
	case slices.ContainsFunc(r.issues, func(i *issue) bool { return i.pull != nil && i.pull.merged && i.user == a }):
		return "CONTRIBUTOR"
	default:
		return "NONE"
	}
}

// issuePayload is an issue as webhooks show it.
func (p *Playground) issuePayload(i *issue) object {
	u := p.api("/repos/%s/issues/%d", i.repo.fullName(), i.number)
	payload := object{
		"url": u, "repository_url": p.api("/repos/%s", i.repo.fullName()), "labels_url": u + "/labels{/name}",
		"comments_url": u + "/comments", "events_url": u + "/events", "timeline_url": u + "/timeline",
		"html_url": p.html("/%s/issues/%d", i.repo.fullName(), i.number), "id": i.id, "node_id": nodeID("I", i.id),
		"number": i.number, "title": i.title, "user": orNil(p.userPayload(i.user)), "labels": p.labelPayloads(i.repo, i.labels),
		"state": i.state, "locked": i.locked, "milestone": orNil(p.milestonePayload(i.repo, i.milestone)), "comments": len(i.comments),
		"created_at": stamp(i.created), "updated_at": stamp(i.updated), "closed_at": stamp(i.closed),
		"author_association": i.repo.association(i.user), "active_lock_reason": orNull(i.lockReason), "body": i.body,
		"reactions": reactionSummary(u+"/reactions", i.reactions), "performed_via_github_app": orNil(p.appPayload(i.app)),
		"state_reason": orNull(i.stateReason),
	}
	p.addAssignees(payload, i)
	if i.pull == nil {
		if len(p.issueTypes[i.repo.owner]) > 0 {
			payload["type"] = orNil(p.issueTypePayload(i.kind))
		}
		p.addRelations(payload, i)
		return payload
	}
	page := p.html("/%s/pull/%d", i.repo.fullName(), i.number)
	payload["html_url"], payload["draft"], payload["node_id"] = page, i.pull.draft, nodeID("PR", i.id)
	payload["pull_request"] = object{
		"url": p.api("/repos/%s/pulls/%d", i.repo.fullName(), i.number), "html_url": page, "diff_url": page + ".diff",
		"patch_url": page + ".patch", "merged_at": stamp(i.pull.mergedAt),
	}
	return payload
}

// addRelations counts the issues that one is related to.
func (p *Playground) addRelations(payload object, i *issue) {
	if !p.lacking[SubIssues] {
		subs := present(i.subs)
		completed := len(subs) - open(subs)
		payload["sub_issues_summary"] = object{"total": len(subs), "completed": completed, "percent_completed": 100 * completed / max(len(subs), 1)}
	}
	if !p.lacking[IssueDependencies] {
		blockers, blocked := present(i.blockedBy), present(i.blocks)
		payload["issue_dependencies_summary"] = object{
			"blocked_by": open(blockers), "total_blocked_by": len(blockers), "blocking": open(blocked), "total_blocking": len(blocked),
		}
	}
}

// fullIssuePayload is an issue as webhooks about relations show it.
func (p *Playground) fullIssuePayload(i *issue) object {
	payload := p.issuePayload(i)
	payload["closed_by"] = orNil(p.userPayload(i.closedBy))
	if parent := i.parent.here(); parent != nil && !p.lacking[SubIssues] {
		payload["parent_issue_url"] = p.api("/repos/%s/issues/%d", parent.repo.fullName(), parent.number)
	}
	return payload
}

// restIssuePayload is an issue as the REST API shows it.
func (p *Playground) restIssuePayload(i *issue) object {
	payload := p.fullIssuePayload(i)
	payload["pinned_comment"] = nil // there are none
	return payload
}

// readIssuePayload is an issue as reads show it, which can lag behind.
func (p *Playground) readIssuePayload(i *issue) object {
	payload := p.restIssuePayload(i)
	payload["labels"] = p.labelPayloads(i.repo, p.visibleLabels(i))
	return payload
}

func (p *Playground) commentPayload(c *comment) object {
	u := p.api("/repos/%s/issues/comments/%d", c.issue.repo.fullName(), c.id)
	segment := "issues"
	if c.issue.pull != nil {
		segment = "pull"
	}
	return object{
		"url": u, "html_url": p.html("/%s/%s/%d#issuecomment-%d", c.issue.repo.fullName(), segment, c.issue.number, c.id),
		"issue_url": p.api("/repos/%s/issues/%d", c.issue.repo.fullName(), c.issue.number), "id": c.id,
		"node_id": nodeID("IC", c.id), "user": orNil(p.userPayload(c.user)), "created_at": stamp(c.created),
		"updated_at": stamp(c.updated), "author_association": c.issue.repo.association(c.user), "body": c.body,
		"reactions": reactionSummary(u+"/reactions", c.reactions), "performed_via_github_app": orNil(p.appPayload(c.app)),
	}
}

// eventPayload is a line of GET /repos/{owner}/{repo}/issues/{issue_number}/events. A deleted user leaves no actor.
func (p *Playground) eventPayload(e *issueEvent) object {
	payload := object{
		"id": e.id, "node_id": nodeID("E", e.id), "url": p.api("/repos/%s/issues/events/%d", e.issue.repo.fullName(), e.id),
		"actor": nil, "event": e.event, "commit_id": nil, "commit_url": nil, "created_at": stamp(e.created),
		"performed_via_github_app": orNil(p.appPayload(e.app)),
	}
	if e.actor != nil && !e.actor.deleted {
		payload["actor"] = p.userPayload(e.actor)
	}
	if e.commitID != "" {
		payload["commit_id"] = e.commitID
		payload["commit_url"] = p.api("/repos/%s/commits/%s", e.issue.repo.fullName(), e.commitID)
	}
	switch e.event {
	case "labeled", "unlabeled":
		payload["label"] = e.label
	case "assigned", "unassigned":
		// GitHub names the assignee as the actor here (https://github.com/google/go-github/pull/615).
		payload["assignee"], payload["assigner"] = p.userPayload(e.assignee), payload["actor"]
		payload["actor"] = payload["assignee"]
	case "milestoned", "demilestoned":
		payload["milestone"] = e.milestone
	case "renamed":
		payload["rename"] = e.rename
	case "locked":
		payload["lock_reason"] = orNull(e.lockReason)
	case "review_dismissed":
		payload["dismissed_review"] = e.dismissed
	case "closed", "reopened":
		payload["state_reason"] = e.stateReason
	}
	return payload
}

// timelineEventPayload is an event as a line of the timeline, where the actor of an assignment is who made it
// (https://github.com/github/docs/issues/20795).
func (p *Playground) timelineEventPayload(e *issueEvent) object {
	payload := p.eventPayload(e)
	if assigner, there := payload["assigner"]; there {
		payload["actor"] = assigner
		delete(payload, "assigner")
	}
	return payload
}

// timelineCommentPayload is a comment as a line of the timeline.
func (p *Playground) timelineCommentPayload(c *comment) object {
	payload := p.commentPayload(c)
	payload["event"], payload["actor"] = "commented", payload["user"]
	return payload
}
