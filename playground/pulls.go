package playground

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// pull is what makes an issue a pull request, between two branches of its repository.
type pull struct {
	head, base string  // branches
	tip, onto  *commit // of head; of base when it was opened
	mergeSHA   string
	draft      bool
	merged     bool
	mergedAt   time.Time
	mergedBy   *account
	judged     judgement
	reviews    []*review // oldest first
	linked     []*issue  // by hand
}

// changes are the files that differ from the commit at which the branches went apart.
func (p *pull) changes() []fileChange {
	from := mergeBase(p.onto, p.tip)
	if from == nil {
		from = p.onto
	}
	return changedFiles(from, p.tip)
}

// simplePullPayload is a pull request as lists show it.
func (p *Playground) simplePullPayload(i *issue) object {
	u, page := p.api("/repos/%s/pulls/%d", i.repo.fullName(), i.number), p.html("/%s/pull/%d", i.repo.fullName(), i.number)
	thread, statuses := p.api("/repos/%s/issues/%d", i.repo.fullName(), i.number), p.api("/repos/%s/statuses/%s", i.repo.fullName(), i.pull.tip.sha)
	link := func(address string) object { return object{"href": address} }
	end := func(branch, sha string) object {
		return object{
			"label": i.repo.owner.login + ":" + branch, "ref": branch, "sha": sha, "user": p.userPayload(i.repo.owner),
			"repo": p.repositoryPayload(i.repo),
		}
	}
	payload := object{
		"url": u, "id": i.id, "node_id": nodeID("PR", i.id), "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch",
		"issue_url": thread, "number": i.number, "state": i.state, "locked": i.locked, "title": i.title, "user": orNil(p.userPayload(i.user)),
		"body": i.body, "created_at": stamp(i.created), "updated_at": stamp(i.updated), "closed_at": stamp(i.closed),
		"merged_at": stamp(i.pull.mergedAt), "merge_commit_sha": orNull(i.pull.mergeSHA),
		"requested_reviewers": []object{}, "requested_teams": []object{}, "labels": p.labelPayloads(i.repo, i.labels), "milestone": nil,
		"draft": i.pull.draft, "commits_url": u + "/commits", "review_comments_url": u + "/comments",
		"review_comment_url": p.api("/repos/%s/pulls/comments{/number}", i.repo.fullName()), "comments_url": thread + "/comments",
		"statuses_url": statuses, "head": end(i.pull.head, i.pull.tip.sha), "base": end(i.pull.base, i.pull.onto.sha),
		"_links": object{
			"self": link(u), "html": link(page), "issue": link(thread), "comments": link(thread + "/comments"),
			"review_comments": link(u + "/comments"), "review_comment": link(p.api("/repos/%s/pulls/comments{/number}", i.repo.fullName())),
			"commits": link(u + "/commits"), "statuses": link(statuses),
		},
		"author_association": i.repo.association(i.user), "auto_merge": nil, "active_lock_reason": orNull(i.lockReason),
	}
	p.addAssignees(payload, i)
	return payload
}

// pullPayload is a pull request as webhooks show it, and GET does, which asks whether it can be merged.
func (p *Playground) pullPayload(i *issue, asked bool) object {
	payload := p.simplePullPayload(i)
	changes := i.pull.changes()
	additions, deletions := 0, 0
	for _, f := range changes {
		additions, deletions = additions+f.additions, deletions+f.deletions
	}
	mergeable, state := p.mergeability(i, asked)
	maps.Copy(payload, object{
		"merged": i.pull.merged, "mergeable": mergeable, "rebaseable": mergeable, "mergeable_state": state, "merged_by": orNil(p.userPayload(i.pull.mergedBy)),
		"comments": len(i.comments), "review_comments": 0, "maintainer_can_modify": false, "commits": len(i.pull.tip.since(i.pull.onto)),
		"additions": additions, "deletions": deletions, "changed_files": len(changes),
	})
	return payload
}

func (c *call) pulls() []*issue {
	return slices.DeleteFunc(c.openIssues(), func(i *issue) bool { return i.pull == nil })
}

// GET /repos/{owner}/{repo}/pulls
func listPulls(c *call) (any, error) {
	state, err := c.choice("state", "open", "closed", "all")
	if err != nil {
		return nil, err
	}
	direction, err := c.choice("direction", "desc", "asc")
	if err != nil {
		return nil, err
	}
	by, err := c.choice("sort", "created", "updated", "popularity", "long-running")
	if err != nil {
		return nil, err
	}
	if by == "long-running" {
		c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with sort=long-running"]++
		return nil, refuse(http.StatusNotImplemented, "The playground does not sort pull requests by how long they are running")
	}
	if by != "created" && !c.query.Has("direction") {
		direction = "asc"
	}
	head, base := c.query.Get("head"), c.query.Get("base")
	found := slices.DeleteFunc(c.pulls(), func(i *issue) bool {
		return state != "all" && i.state != state || base != "" && i.pull.base != base ||
			head != "" && !strings.EqualFold(head, c.repo.owner.login+":"+i.pull.head)
	})
	slices.SortStableFunc(found, func(a, b *issue) int {
		switch by {
		case "updated":
			return a.updated.Compare(b.updated)
		case "popularity":
			return cmp.Compare(len(a.comments), len(b.comments))
		default:
			return cmp.Compare(a.number, b.number)
		}
	})
	if direction == "desc" {
		slices.Reverse(found)
	}
	return each(page(c, found), c.p.simplePullPayload), nil
}

// POST /repos/{owner}/{repo}/pulls: between branches of the same repository.
func createPull(c *call, in struct {
	Title *string `json:"title"`
	Head  *string `json:"head"`
	Base  *string `json:"base"`
	Body  *string `json:"body"`
	Draft bool    `json:"draft"`
},
) (any, error) {
	switch {
	case in.Title == nil:
		return nil, missing("title")
	case in.Head == nil:
		return nil, missing("head")
	case in.Base == nil:
		return nil, missing("base")
	}
	name, err := title(*in.Title)
	if err != nil {
		return nil, err
	}
	head := *in.Head
	if owner, branch, named := strings.Cut(head, ":"); named {
		if !strings.EqualFold(owner, c.repo.owner.login) {
			c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" from a fork"]++
			return nil, refuse(http.StatusNotImplemented, "The playground has no forks: pull requests join branches of one repository")
		}
		head = branch
	}
	if in.Body != nil {
		if err := checkBody("PullRequest", *in.Body); err != nil {
			return nil, err
		}
	}
	i, err := c.p.openPull(c.actor, c.repo, pullRequest{title: name, body: in.Body, head: head, base: *in.Base, draft: in.Draft})
	if err != nil {
		return nil, err
	}
	payload := c.p.pullPayload(i, false)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// pullRequest is what is asked for when a pull request is opened.
type pullRequest struct {
	title, head, base string
	body              *string
	draft             bool
}

func (p *Playground) openPull(by actor, r *repository, asked pullRequest) (*issue, error) {
	for field, branch := range map[string]string{"head": asked.head, "base": asked.base} {
		if r.branches[branch] == nil {
			return nil, invalid("PullRequest", field, "invalid", "")
		}
	}
	if r.openPull(asked.head, asked.base) != nil {
		return nil, invalid("PullRequest", "base", "custom", "A pull request already exists for "+r.owner.login+":"+asked.head+".")
	}
	tip, onto := r.branches[asked.head], r.branches[asked.base]
	if len(tip.since(onto)) == 0 {
		return nil, invalid("PullRequest", "base", "custom", "No commits between "+asked.base+" and "+asked.head)
	}
	i := p.newIssue(by, r, asked.title, asked.body)
	i.pull = &pull{head: asked.head, base: asked.base, tip: tip, onto: onto, draft: asked.draft}
	p.emitIssue("opened", by, i, nil)
	return i, nil
}

// openPull is the open pull request from one branch into another; nil without one.
func (r *repository) openPull(head, base string) *issue {
	for _, i := range r.issues {
		if i.pull != nil && i.state == "open" && i.pull.head == head && i.pull.base == base {
			return i
		}
	}
	return nil
}

// closePullsOf closes the open pull requests whose branch was deleted, as GitHub does.
func (p *Playground) closePullsOf(by actor, r *repository, branch string) {
	for _, i := range r.issues {
		if i.pull == nil || i.pull.head != branch {
			continue
		}
		p.addEvent(i, by, "head_ref_deleted")
		if i.state == "open" {
			p.setState(by, i, "closed", "")
		}
	}
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}
func getPull(c *call) (any, error) { return c.p.pullPayload(c.issue, true), nil }

// PATCH /repos/{owner}/{repo}/pulls/{pull_number}
func updatePull(c *call, in struct {
	Title *string `json:"title"`
	Body  *string `json:"body"`
	State *string `json:"state"`
},
) (any, error) {
	if !c.allowed(roleTriage) && c.issue.user != c.actor.account {
		return nil, errNeedsRights
	}
	wanted := change{body: in.Body, state: in.State}
	if in.Title != nil {
		name, err := title(*in.Title)
		if err != nil {
			return nil, err
		}
		wanted.title = &name
	}
	if in.State != nil && *in.State != "open" && *in.State != "closed" {
		return nil, invalid("PullRequest", "state", "invalid", "")
	}
	if in.Body != nil {
		if err := checkBody("PullRequest", *in.Body); err != nil {
			return nil, err
		}
	}
	if err := c.p.mayReopen(c.issue, in.State); err != nil {
		return nil, err
	}
	c.p.updateIssue(c.actor, c.issue, wanted)
	return c.p.pullPayload(c.issue, false), nil
}

// mayReopen refuses to open again what was merged, whose branch is gone, or in whose place another is open.
func (p *Playground) mayReopen(i *issue, state *string) error {
	if i.pull == nil || state == nil || *state != "open" || i.state == "open" {
		return nil
	}
	var why string
	switch other := i.repo.openPull(i.pull.head, i.pull.base); {
	case i.pull.merged:
		why = "The pull request cannot be reopened."
	case i.repo.branches[i.pull.head] == nil:
		why = "The " + i.pull.head + " branch has been deleted."
	case i.repo.branches[i.pull.base] == nil:
		why = "The " + i.pull.base + " branch has been deleted."
	case other != nil:
		why = fmt.Sprintf("There is already an open pull request from %s to %s.", i.pull.head, i.pull.base)
	default:
		return nil
	}
	return invalid("PullRequest", "state", "custom", "state cannot be changed. "+why)
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}/merge
func isMerged(c *call) (any, error) {
	if !c.issue.pull.merged {
		return nil, errNotFound
	}
	return nil, nil
}

// PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge: squash and rebase both make one commit on the base branch.
func mergePull(c *call, in struct {
	SHA     *string `json:"sha"`
	Title   *string `json:"commit_title"`
	Message *string `json:"commit_message"`
	Method  *string `json:"merge_method"`
},
) (any, error) {
	if in.Method != nil && !slices.Contains([]string{"merge", "squash", "rebase"}, *in.Method) {
		return nil, invalid("PullRequest", "merge_method", "invalid", "")
	}
	title, message := "", ""
	if in.Title != nil {
		title = *in.Title
	}
	if in.Message != nil {
		message = *in.Message
	}
	if in.SHA != nil && *in.SHA != c.issue.pull.tip.sha {
		return nil, refuse(http.StatusConflict, "Head branch was modified. Review and try the merge again.")
	}
	merge, err := c.p.mergePull(c.actor, c.issue, in.Method == nil || *in.Method == "merge", title, message)
	if err != nil {
		return nil, err
	}
	return object{"sha": merge.sha, "merged": true, "message": "Pull Request successfully merged"}, nil
}

// mergePull merges a pull request, with a merge commit or else as one commit of its own, and closes the issues that it
// is linked to. An empty title or message is the one that GitHub makes up.
func (p *Playground) mergePull(by actor, i *issue, joining bool, title, message string) (*commit, error) {
	onto := i.repo.branches[i.pull.base]
	if i.state == "open" && i.pull.draft {
		return nil, refuse(http.StatusMethodNotAllowed, "Pull Request is still a draft")
	}
	if i.state != "open" || i.repo.branches[i.pull.head] == nil || onto == nil {
		return nil, refuse(http.StatusMethodNotAllowed, "Pull Request is not mergeable")
	}
	files, conflicts := merged(onto, i.pull.tip)
	if len(conflicts) > 0 {
		return nil, refuse(http.StatusMethodNotAllowed, "Pull Request is not mergeable")
	}
	parents := []*commit{onto}
	if joining {
		parents = append(parents, i.pull.tip)
		title = cmp.Or(title, fmt.Sprintf("Merge pull request #%d from %s/%s", i.number, i.repo.owner.login, i.pull.head))
		message = cmp.Or(message, i.title)
	}
	title = cmp.Or(title, fmt.Sprintf("%s (#%d)", i.title, i.number))
	merge := newCommit(strings.TrimSpace(title+"\n\n"+message), by.account, p.now(), files, parents...)
	links := p.closing(i)
	i.pull.merged, i.pull.mergedAt, i.pull.mergedBy, i.pull.mergeSHA = true, p.now(), by.account, merge.sha
	p.addEvent(i, by, "merged").commitID = merge.sha
	p.setState(by, i, "closed", "")
	p.advance(by, i.repo, i.pull.base, "pr_merge", merge)
	for _, linked := range links {
		if linked.state == "open" && by.mayClose(linked) {
			p.setState(by, linked, "closed", "completed")
		}
	}
	return merge, nil
}

// mayClose is whether who merges is allowed to close an issue, which can be of another repository.
func (a actor) mayClose(i *issue) bool {
	if a.asApp() {
		return a.reaches(i.repo)
	}
	return i.repo.roleOf(a.account) >= roleTriage || i.user == a.account
}
