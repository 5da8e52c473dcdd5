package playground

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// GET /repos/{owner}/{repo}/commits: the history of a branch or commit (sha), newest first, or of a path in it.
func listCommits(c *call) (any, error) {
	at := c.repo.commitAt(c.query.Get("sha"))
	if at == nil {
		return nil, errNotFound
	}
	return each(page(c, c.historyOf(at, strings.Trim(c.query.Get("path"), "/"))), func(listed *commit) object { return c.p.commitPayload(c.repo, listed) }), nil
}

// historyOf lists the commits that changed a path (empty: all), as git simplifies a history: where a path is as in one of the
// parents, only that parent is followed.
func (c *call) historyOf(at *commit, path string) []*commit {
	var history []*commit
	for at != nil {
		var parents []*commit
		for _, parent := range c.p.parents(c.repo, at) {
			parents = append(parents, c.repo.commitAt(parent["sha"].(string)))
		}
		same := slices.IndexFunc(parents, func(parent *commit) bool { return path != "" && sameAt(path, at, parent) })
		switch {
		case same >= 0:
			at = parents[same]
			continue
		case path == "" || len(parents) > 0 || !sameAt(path, at, &commit{}):
			history = append(history, at)
		}
		if at = nil; len(parents) > 0 {
			at = parents[0]
		}
	}
	return history
}

// sameAt reports whether a file, or everything in a folder, is the same in two commits.
func sameAt(path string, a, b *commit) bool {
	below := func(c *commit) map[string][]byte {
		files := maps.Clone(c.files)
		maps.DeleteFunc(files, func(name string, _ []byte) bool { return name != path && !strings.HasPrefix(name, path+"/") })
		return files
	}
	return maps.EqualFunc(below(a), below(b), bytes.Equal)
}

// commitComment is a comment on a commit as a whole.
type commitComment struct {
	comment
	sha string
}

// commented is the commit that the path names.
func (c *call) commented() (*commit, error) {
	at := c.repo.commitAt(c.vars["commit_sha"])
	if at == nil || at.sha != c.vars["commit_sha"] {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.vars["commit_sha"])
	}
	return at, nil
}

// GET /repos/{owner}/{repo}/commits/{commit_sha}/comments
func listCommitComments(c *call) (any, error) {
	at, err := c.commented()
	if err != nil {
		return nil, err
	}
	var found []*commitComment
	for _, m := range c.repo.commitComments {
		if m.sha == at.sha {
			found = append(found, m)
		}
	}
	return each(page(c, found), func(m *commitComment) object { return c.p.commitCommentPayload(c.repo, m) }), nil
}

// POST /repos/{owner}/{repo}/commits/{commit_sha}/comments: on the commit as a whole; comments on lines are not there.
func createCommitComment(c *call, in struct {
	Body *string `json:"body"`
},
) (any, error) {
	if in.Body == nil {
		return nil, missing("body")
	}
	if strings.TrimSpace(*in.Body) == "" {
		return nil, invalid("CommitComment", "body", "missing_field", "")
	}
	if err := checkBody("CommitComment", *in.Body); err != nil {
		return nil, err
	}
	at, err := c.commented()
	if err != nil {
		return nil, err
	}
	now := c.p.now()
	m := &commitComment{comment{id: c.p.nextID(), body: *in.Body, user: c.actor.account, app: c.actor.app, created: now, updated: now}, at.sha}
	c.repo.commitComments = append(c.repo.commitComments, m)
	payload := c.p.commitCommentPayload(c.repo, m)
	c.header.Set("Location", payload["url"].(string))
	c.status = http.StatusCreated
	return payload, nil
}

func (p *Playground) commitCommentPayload(r *repository, m *commitComment) object {
	u := p.api("/repos/%s/comments/%d", r.fullName(), m.id)
	return object{
		"url": u, "html_url": p.html("/%s/commit/%s#commitcomment-%d", r.fullName(), m.sha, m.id), "id": m.id,
		"node_id": nodeID("CC", m.id), "user": orNil(p.userPayload(m.user)), "position": nil, "line": nil, "path": nil, "commit_id": m.sha,
		"created_at": stamp(m.created), "updated_at": stamp(m.updated), "author_association": r.association(m.user), "body": m.body,
		"reactions": reactionSummary(u+"/reactions", nil),
	}
}
