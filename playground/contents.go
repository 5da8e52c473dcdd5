package playground

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
)

// rawText is an answer that is a file's bytes and not JSON.
type rawText []byte

// commitAt resolves a branch's name, a full ref or a commit's name; empty means the default branch.
func (r *repository) commitAt(ref string) *commit {
	if ref == "" {
		ref = r.defaultBranch
	}
	if c := r.branches[strings.TrimPrefix(strings.TrimPrefix(ref, "refs/"), "heads/")]; c != nil {
		return c
	}
	tips := slices.Collect(maps.Values(r.branches))
	for _, i := range r.issues {
		if i.pull != nil {
			tips = append(tips, i.pull.tip) // GitHub keeps the commits of a pull request
		}
	}
	for _, tip := range tips {
		for c := range tip.history() {
			if c.sha == ref {
				return c
			}
		}
	}
	return nil
}

func (p *Playground) contentPayload(r *repository, ref, name string, content []byte, kind string) object {
	escaped := (&url.URL{Path: name}).EscapedPath()
	self := p.api("/repos/%s/contents/%s?ref=%s", r.fullName(), escaped, url.QueryEscape(ref))
	payload := object{
		"name": path.Base(name), "path": name, "type": kind, "url": self, "size": len(content),
		"html_url": p.html("/%s/blob/%s/%s", r.fullName(), ref, escaped), "download_url": nil, "sha": objectName("blob", content),
	}
	if kind == "file" {
		payload["git_url"] = p.api("/repos/%s/git/blobs/%s", r.fullName(), payload["sha"])
		payload["download_url"] = p.html("/%s/raw/%s/%s", r.fullName(), ref, escaped)
	} else {
		payload["git_url"] = p.api("/repos/%s/git/trees/%s", r.fullName(), payload["sha"])
		payload["html_url"] = p.html("/%s/tree/%s/%s", r.fullName(), ref, escaped)
	}
	payload["_links"] = object{"self": self, "git": payload["git_url"], "html": payload["html_url"]}
	return payload
}

// GET /repos/{owner}/{repo}/contents/{path}: a file, or the list of a folder.
func getContents(c *call) (any, error) {
	ref := c.query.Get("ref")
	at := c.repo.commitAt(ref)
	if at == nil {
		return nil, refuse(http.StatusNotFound, "No commit found for the ref "+ref)
	}
	if ref == "" {
		ref = c.repo.defaultBranch
	}
	name := strings.Trim(c.vars["path"], "/")
	if content, ok := at.files[name]; ok {
		if accept := c.request.Header.Get("Accept"); strings.Contains(accept, "raw") {
			c.header.Set("Content-Type", "application/vnd.github.raw+json; charset=utf-8")
			return rawText(content), nil
		}
		payload := c.p.contentPayload(c.repo, ref, name, content, "file")
		payload["encoding"], payload["content"] = "base64", wrapped(content)
		return payload, nil
	}
	listing := []object{}
	for _, entry := range at.folder(name) {
		kind := "file"
		if entry.isFolder {
			kind = "dir"
		}
		listing = append(listing, c.p.contentPayload(c.repo, ref, path.Join(name, entry.name), entry.content, kind))
	}
	if len(listing) == 0 {
		return nil, errNotFound
	}
	return listing, nil
}

// entry is what a folder has under a name.
type entry struct {
	name     string
	content  []byte // of a file
	isFolder bool
}

// folder lists a folder by name; nothing if there is no such folder.
func (c *commit) folder(at string) []entry {
	entries := map[string]entry{}
	for file, content := range c.files {
		rest, inside := strings.CutPrefix(file, at+"/")
		if at == "" {
			rest, inside = file, true
		}
		if !inside {
			continue
		}
		name, _, isFolder := strings.Cut(rest, "/")
		if isFolder {
			content = nil
		}
		entries[name] = entry{name, content, isFolder}
	}
	return slices.SortedFunc(maps.Values(entries), func(a, b entry) int { return strings.Compare(a.name, b.name) })
}

// wrapped is base64 in lines of 60, as GitHub sends it.
func wrapped(content []byte) string {
	text := base64.StdEncoding.EncodeToString(content)
	var lines strings.Builder
	for len(text) > 60 {
		lines.WriteString(text[:60] + "\n")
		text = text[60:]
	}
	lines.WriteString(text + "\n")
	return lines.String()
}

type contentsBody struct {
	Message *string `json:"message"`
	Content *string `json:"content"`
	SHA     *string `json:"sha"`
	Branch  *string `json:"branch"`
}

// target checks what PUT and DELETE have in common and names branch and path.
func (in contentsBody) target(c *call) (branch, name string, err error) {
	branch = c.repo.defaultBranch
	if in.Branch != nil {
		branch = *in.Branch
	}
	if c.repo.branches[branch] == nil {
		return "", "", refuse(http.StatusNotFound, "Branch "+branch+" not found")
	}
	if in.Message == nil {
		return "", "", missing("message")
	}
	name = c.vars["path"]
	if name == "" || path.Clean(name) != name || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "..") {
		return "", "", refuse(http.StatusUnprocessableEntity, "path contains a malformed path component")
	}
	existing, there := c.repo.branches[branch].files[name]
	if there && in.SHA == nil {
		return "", "", missing("sha")
	}
	if there && *in.SHA != objectName("blob", existing) || !there && in.SHA != nil {
		return "", "", refuse(http.StatusConflict, name+" does not match "+*in.SHA)
	}
	return branch, name, nil
}

// PUT /repos/{owner}/{repo}/contents/{path}
func putContents(c *call, in contentsBody) (any, error) {
	if in.Content == nil {
		return nil, missing("content")
	}
	content, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(*in.Content, "\n", ""))
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "content is not valid Base64")
	}
	branch, name, err := in.target(c)
	if err != nil {
		return nil, err
	}
	c.status = http.StatusCreated
	if in.SHA != nil {
		c.status = http.StatusOK
	}
	made := c.p.commitFile(c.actor, c.repo, branch, *in.Message, name, content)
	return object{
		"content": c.p.contentPayload(c.repo, branch, name, content, "file"), "commit": c.p.gitCommitPayload(c.repo, made),
	}, nil
}

// DELETE /repos/{owner}/{repo}/contents/{path}
func deleteContents(c *call, in contentsBody) (any, error) {
	if in.SHA == nil {
		return nil, missing("sha")
	}
	branch, name, err := in.target(c)
	if err != nil {
		return nil, err
	}
	if _, there := c.repo.branches[branch].files[name]; !there {
		return nil, errNotFound
	}
	made := c.p.commitFile(c.actor, c.repo, branch, *in.Message, name, nil)
	return object{"content": nil, "commit": c.p.gitCommitPayload(c.repo, made)}, nil
}

// signature is how git names who made a commit.
func signature(c *commit) object {
	return object{
		"name": c.author.login, "email": fmt.Sprintf("%d+%s@users.noreply.github.com", c.author.id, c.author.login),
		"date": stamp(c.date),
	}
}

var unsigned = object{"verified": false, "reason": "unsigned", "signature": nil, "payload": nil, "verified_at": nil}

func (p *Playground) parents(r *repository, c *commit) []object {
	parents := []object{}
	for _, parent := range c.parents {
		parents = append(parents, object{
			"sha": parent.sha, "url": p.api("/repos/%s/commits/%s", r.fullName(), parent.sha),
			"html_url": p.html("/%s/commit/%s", r.fullName(), parent.sha),
		})
	}
	return parents
}

// gitCommitPayload is a commit as the git database shows it.
func (p *Playground) gitCommitPayload(r *repository, c *commit) object {
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha, "url": p.api("/repos/%s/git/commits/%s", r.fullName(), c.sha),
		"html_url": p.html("/%s/commit/%s", r.fullName(), c.sha), "author": signature(c), "committer": signature(c), "message": c.message,
		"tree":    object{"sha": c.treeSHA(), "url": p.api("/repos/%s/git/trees/%s", r.fullName(), c.treeSHA())},
		"parents": p.parents(r, c), "verification": unsigned,
	}
}

// commitPayload is a commit as the repository shows it.
func (p *Playground) commitPayload(r *repository, c *commit) object {
	u := p.api("/repos/%s/commits/%s", r.fullName(), c.sha)
	git := p.gitCommitPayload(r, c)
	return object{
		"sha": c.sha, "node_id": "C_" + c.sha, "url": u, "html_url": git["html_url"], "comments_url": u + "/comments",
		"commit": object{
			"author": git["author"], "committer": git["committer"], "message": c.message, "tree": git["tree"], "url": git["url"],
			"comment_count": 0, "verification": unsigned,
		},
		"author": orNil(p.userPayload(c.author)), "committer": orNil(p.userPayload(c.author)), "parents": p.parents(r, c),
	}
}

// GET /repos/{owner}/{repo}/commits/{ref}
func getCommit(c *call) (any, error) {
	at := c.repo.commitAt(c.vars["ref"])
	if at == nil {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.vars["ref"])
	}
	return c.p.commitPayload(c.repo, at), nil
}

// GET /repos/{owner}/{repo}/git/commits/{commit_sha}
func getGitCommit(c *call) (any, error) {
	at := c.repo.commitAt(c.vars["commit_sha"])
	if at == nil || at.sha != c.vars["commit_sha"] {
		return nil, errNotFound
	}
	return c.p.gitCommitPayload(c.repo, at), nil
}

func (p *Playground) refPayload(r *repository, branch string) object {
	tip := r.branches[branch]
	return object{
		"ref": "refs/heads/" + branch, "node_id": nodeID("REF", r.id) + base64.RawURLEncoding.EncodeToString([]byte(branch)),
		"url":    p.api("/repos/%s/git/refs/heads/%s", r.fullName(), (&url.URL{Path: branch}).EscapedPath()),
		"object": object{"type": "commit", "sha": tip.sha, "url": p.api("/repos/%s/git/commits/%s", r.fullName(), tip.sha)},
	}
}

// branchOf is the branch that the path's ref names; there are no tags.
func (c *call) branchOf() (string, error) {
	branch, ok := strings.CutPrefix(c.vars["ref"], "heads/")
	if !ok || c.repo.branches[branch] == nil {
		return "", errNotFound
	}
	return branch, nil
}

// GET /repos/{owner}/{repo}/git/ref/{ref}
func getRef(c *call) (any, error) {
	branch, err := c.branchOf()
	if err != nil {
		return nil, err
	}
	return c.p.refPayload(c.repo, branch), nil
}

// POST /repos/{owner}/{repo}/git/refs
func createRef(c *call, in struct {
	Ref *string `json:"ref"`
	SHA *string `json:"sha"`
},
) (any, error) {
	if in.Ref == nil {
		return nil, missing("ref")
	}
	if in.SHA == nil {
		return nil, missing("sha")
	}
	branch, ok := strings.CutPrefix(*in.Ref, "refs/heads/")
	if !ok || branch == "" {
		return nil, refuse(http.StatusUnprocessableEntity, "Reference name must start with 'refs/heads/': the playground has branches only")
	}
	at := c.repo.commitAt(*in.SHA)
	if at == nil || at.sha != *in.SHA {
		return nil, refuse(http.StatusUnprocessableEntity, "Object does not exist")
	}
	if c.repo.branches[branch] != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "Reference already exists")
	}
	c.p.makeBranch(c.actor, c.repo, branch, at)
	payload := c.p.refPayload(c.repo, branch)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// DELETE /repos/{owner}/{repo}/git/refs/{ref}
func deleteRef(c *call) (any, error) {
	branch, err := c.branchOf()
	if err != nil {
		return nil, refuse(http.StatusUnprocessableEntity, "Reference does not exist")
	}
	if branch == c.repo.defaultBranch {
		return nil, refuse(http.StatusUnprocessableEntity, "Cannot delete the default branch")
	}
	c.p.moved(c.actor, c.repo, branch, "branch_deletion", c.repo.branches[branch], nil)
	delete(c.repo.branches, branch)
	c.p.closePullsOf(c.actor, c.repo, branch)
	return nil, nil
}

// emitPush tells of a branch that moved from one commit to its child.
func (p *Playground) emitPush(by actor, r *repository, branch string, before, after *commit) {
	changed := object{"added": []string{}, "removed": []string{}, "modified": []string{}}
	note := func(kind, file string) { changed[kind] = append(changed[kind].([]string), file) }
	for _, file := range slices.Sorted(maps.Keys(after.files)) {
		if old, there := before.files[file]; !there {
			note("added", file)
		} else if !slices.Equal(old, after.files[file]) {
			note("modified", file)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(before.files)) {
		if _, there := after.files[file]; !there {
			note("removed", file)
		}
	}
	person := object{"name": after.author.login, "email": signature(after)["email"], "username": after.author.login}
	head := object{
		"id": after.sha, "tree_id": after.treeSHA(), "distinct": true, "message": after.message, "timestamp": stamp(after.date),
		"url": p.html("/%s/commit/%s", r.fullName(), after.sha), "author": person, "committer": person,
	}
	maps.Copy(head, changed)
	repository := p.repositoryPayload(r)
	repository["created_at"], repository["pushed_at"] = r.created.Unix(), r.pushed.Unix()
	repository["stargazers"], repository["master_branch"] = 0, r.defaultBranch
	p.emit("push", "", by, r, object{
		"ref": "refs/heads/" + branch, "before": before.sha, "after": after.sha, "base_ref": nil, "created": false, "deleted": false,
		"forced": false, "compare": p.html("/%s/compare/%s...%s", r.fullName(), before.sha[:12], after.sha[:12]),
		"commits": []object{head}, "head_commit": head, "repository": repository,
		"pusher": object{"name": by.login(), "email": signature(after)["email"]},
	})
}
