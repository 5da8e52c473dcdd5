package playground

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// pull is what makes an issue a pull request, between two branches of its repository.
type pull struct {
	head, base string // branches
	headSHA    string
	baseSHA    string
	mergeSHA   string
	draft      bool
	merged     bool
	mergedAt   time.Time
	mergedBy   *account
}

// simplePullPayload is a pull request as lists show it.
func (p *Playground) simplePullPayload(i *issue) object {
	u, page := p.api("/repos/%s/pulls/%d", i.repo.fullName(), i.number), p.html("/%s/pull/%d", i.repo.fullName(), i.number)
	thread, statuses := p.api("/repos/%s/issues/%d", i.repo.fullName(), i.number), p.api("/repos/%s/statuses/%s", i.repo.fullName(), i.pull.headSHA)
	link := func(address string) object { return object{"href": address} }
	end := func(branch, sha string) object {
		return object{
			"label": i.repo.owner.login + ":" + branch, "ref": branch, "sha": sha, "user": p.userPayload(i.repo.owner),
			"repo": p.repositoryPayload(i.repo),
		}
	}
	return object{
		"url": u, "id": i.id, "node_id": nodeID("PR", i.id), "html_url": page, "diff_url": page + ".diff", "patch_url": page + ".patch",
		"issue_url": thread, "number": i.number, "state": i.state, "locked": i.locked, "title": i.title, "user": orNil(p.userPayload(i.user)),
		"body": i.body, "created_at": stamp(i.created), "updated_at": stamp(i.updated), "closed_at": stamp(i.closed),
		"merged_at": stamp(i.pull.mergedAt), "merge_commit_sha": orNull(i.pull.mergeSHA), "assignee": nil, "assignees": []object{},
		"requested_reviewers": []object{}, "requested_teams": []object{}, "labels": p.labelPayloads(i.repo, i.labels), "milestone": nil,
		"draft": i.pull.draft, "commits_url": u + "/commits", "review_comments_url": u + "/comments",
		"review_comment_url": p.api("/repos/%s/pulls/comments{/number}", i.repo.fullName()), "comments_url": thread + "/comments",
		"statuses_url": statuses, "head": end(i.pull.head, i.pull.headSHA), "base": end(i.pull.base, i.pull.baseSHA),
		"_links": object{
			"self": link(u), "html": link(page), "issue": link(thread), "comments": link(thread + "/comments"),
			"review_comments": link(u + "/comments"), "review_comment": link(p.api("/repos/%s/pulls/comments{/number}", i.repo.fullName())),
			"commits": link(u + "/commits"), "statuses": link(statuses),
		},
		"author_association": i.repo.association(i.user), "auto_merge": nil, "active_lock_reason": orNull(i.lockReason),
	}
}

// pullPayload is a pull request as webhooks and GET show it.
func (p *Playground) pullPayload(i *issue) object {
	payload := p.simplePullPayload(i)
	ahead, changed := 0, 0
	base, head := i.repo.commitAt(i.pull.baseSHA), i.repo.commitAt(i.pull.headSHA)
	if head != nil && base != nil {
		for c := head; c != nil && c != base; c = c.parent {
			ahead++
		}
		for file, content := range head.files {
			if !slices.Equal(base.files[file], content) {
				changed++
			}
		}
	}
	maps.Copy(payload, object{
		"merged": i.pull.merged, "mergeable": true, "rebaseable": true, "mergeable_state": "clean", "merged_by": orNil(p.userPayload(i.pull.mergedBy)),
		"comments": len(i.comments), "review_comments": 0, "maintainer_can_modify": false, "commits": ahead, "additions": changed,
		"deletions": 0, "changed_files": changed,
	})
	if i.state == "closed" {
		payload["mergeable"], payload["rebaseable"], payload["mergeable_state"] = nil, nil, "unknown"
	}
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
	if _, err := c.choice("sort", "created"); err != nil {
		return nil, refuse(http.StatusNotImplemented, "The playground sorts pull requests by creation only")
	}
	head, base := c.query.Get("head"), c.query.Get("base")
	found := slices.DeleteFunc(c.pulls(), func(i *issue) bool {
		return state != "all" && i.state != state || base != "" && i.pull.base != base ||
			head != "" && !strings.EqualFold(head, c.repo.owner.login+":"+i.pull.head)
	})
	if direction == "desc" {
		slices.Reverse(found)
	}
	payloads := []object{}
	for _, i := range page(c, found) {
		payloads = append(payloads, c.p.simplePullPayload(i))
	}
	return payloads, nil
}

// POST /repos/{owner}/{repo}/pulls: between branches of the same repository.
func createPull(c *call) (any, error) {
	var in struct {
		Title *string `json:"title"`
		Head  *string `json:"head"`
		Base  *string `json:"base"`
		Body  *string `json:"body"`
		Draft bool    `json:"draft"`
	}
	if err := c.decode(&in, "base"); err != nil {
		return nil, err
	}
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
	head := strings.TrimPrefix(*in.Head, c.repo.owner.login+":")
	for field, branch := range map[string]string{"head": head, "base": *in.Base} {
		if c.repo.branches[branch] == nil {
			return nil, invalid("PullRequest", field, "invalid", "")
		}
	}
	for _, other := range c.pulls() {
		if other.state == "open" && other.pull.head == head && other.pull.base == *in.Base {
			return nil, invalid("PullRequest", "base", "custom", "A pull request already exists for "+c.repo.owner.login+":"+head+".")
		}
	}
	tip, onto := c.repo.branches[head], c.repo.branches[*in.Base]
	if tip == onto {
		return nil, invalid("PullRequest", "base", "custom", "No commits between "+*in.Base+" and "+head)
	}
	i := c.p.newIssue(c.actor, c.repo, name, in.Body)
	i.pull = &pull{head: head, base: *in.Base, headSHA: tip.sha, baseSHA: onto.sha, draft: in.Draft}
	c.p.emitIssue("opened", c.actor, i, nil)
	payload := c.p.pullPayload(i)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}
func getPull(c *call) (any, error) { return c.p.pullPayload(c.issue), nil }

// PATCH /repos/{owner}/{repo}/pulls/{pull_number}
func updatePull(c *call) (any, error) {
	var in struct {
		Title *string `json:"title"`
		Body  *string `json:"body"`
		State *string `json:"state"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
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
	if in.State != nil && *in.State == "open" && c.issue.pull.merged {
		return nil, invalid("PullRequest", "state", "custom", "state cannot be changed. The pull request cannot be reopened.")
	}
	c.p.updateIssue(c.actor, c.issue, wanted)
	return c.p.pullPayload(c.issue), nil
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}/merge
func isMerged(c *call) (any, error) {
	if !c.issue.pull.merged {
		return nil, errNotFound
	}
	return nil, nil
}

// PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge: every method makes one commit on the base branch.
func mergePull(c *call) (any, error) {
	var in struct {
		SHA     *string `json:"sha"`
		Title   *string `json:"commit_title"`
		Message *string `json:"commit_message"`
		Method  *string `json:"merge_method"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Method != nil && !slices.Contains([]string{"merge", "squash", "rebase"}, *in.Method) {
		return nil, invalid("PullRequest", "merge_method", "invalid", "")
	}
	i := c.issue
	if i.state != "open" || i.pull.draft {
		return nil, refuse(http.StatusMethodNotAllowed, "Pull Request is not mergeable")
	}
	head, base := c.repo.branches[i.pull.head], c.repo.branches[i.pull.base]
	if head == nil || base == nil {
		return nil, refuse(http.StatusMethodNotAllowed, "Pull Request is not mergeable")
	}
	if in.SHA != nil && *in.SHA != head.sha {
		return nil, refuse(http.StatusConflict, "Head branch was modified. Review and try the merge again.")
	}
	message := i.title
	if in.Title != nil {
		message = *in.Title
	}
	if in.Message != nil {
		message += "\n\n" + *in.Message
	}
	files := maps.Clone(base.files)
	maps.Copy(files, head.files)
	merge := newCommit(base, message, c.actor.account, c.p.now(), files)
	i.pull.merged, i.pull.mergedAt, i.pull.mergedBy, i.pull.mergeSHA = true, c.p.now(), c.actor.account, merge.sha
	c.p.addEvent(i, c.actor, "merged").commitID = merge.sha
	c.p.setState(c.actor, i, "closed", "")
	c.p.advance(c.actor, c.repo, i.pull.base, merge)
	return object{"sha": merge.sha, "merged": true, "message": "Pull Request successfully merged"}, nil
}
