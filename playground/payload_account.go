package playground

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// object is a JSON object as GitHub sends it.
type object = map[string]any

// stamp is GitHub's time: UTC, whole seconds; nil for the zero time.
func stamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func nodeID(kind string, id int64) string {
	return kind + "_kwDO" + base64.RawURLEncoding.EncodeToString([]byte(strconv.FormatInt(id, 10)))
}

// api is the absolute address of a REST path, in the way of GitHub Enterprise Server.
func (p *Playground) api(format string, args ...any) string {
	return p.base + "/api/v3" + fmt.Sprintf(format, args...)
}

func (p *Playground) html(format string, args ...any) string {
	return p.base + fmt.Sprintf(format, args...)
}

// userPayload is a simple user; a deleted account is shown as the user "ghost", none as null.
func (p *Playground) userPayload(a *account) object {
	if a == nil {
		return nil
	}
	if a.deleted {
		a = p.ghost
	}
	u := p.api("/users/%s", url.PathEscape(a.login))
	page, node := p.html("/%s", a.login), "U"
	switch a.kind {
	case kindBot:
		page, node = p.html("/apps/%s", a.app.Slug), "BOT"
	case kindOrganization:
		node = "O"
	}
	return object{
		"login": a.login, "id": a.id, "node_id": nodeID(node, a.id), "avatar_url": p.html("/avatars/u/%d?v=4", a.id),
		"gravatar_id": "", "url": u, "html_url": page,
		"followers_url": u + "/followers", "following_url": u + "/following{/other_user}", "gists_url": u + "/gists{/gist_id}",
		"starred_url": u + "/starred{/owner}{/repo}", "subscriptions_url": u + "/subscriptions", "organizations_url": u + "/orgs",
		"repos_url": u + "/repos", "events_url": u + "/events{/privacy}", "received_events_url": u + "/received_events",
		"type": a.kind, "user_view_type": "public", "site_admin": false,
	}
}

// orNil turns a nil object into a JSON null; a nil map inside an interface would be one too, but not equal to nil.
func orNil(o object) any {
	if o == nil {
		return nil
	}
	return o
}

// publicUserPayload is GET /users/{username}.
func (p *Playground) publicUserPayload(a *account) object {
	u := p.userPayload(a)
	maps.Copy(u, object{
		"name": nil, "company": nil, "blog": "", "location": nil, "email": nil, "hireable": nil, "bio": nil, "twitter_username": nil,
		"public_repos": len(p.ownedRepositories(a)), "public_gists": 0, "followers": 0, "following": 0,
		"created_at": stamp(a.created), "updated_at": stamp(a.created),
	})
	return u
}

// privateUserPayload is GET /user.
func (p *Playground) privateUserPayload(a *account) object {
	u := p.publicUserPayload(a)
	maps.Copy(u, object{
		"user_view_type": "private",
		"private_gists":  0, "total_private_repos": 0, "owned_private_repos": 0, "disk_usage": 0, "collaborators": 0,
		"two_factor_authentication": true, "plan": object{"name": "free", "space": 976562499, "collaborators": 0, "private_repos": 10000},
	})
	return u
}

// organizationPayload is the organization member of webhooks.
func (p *Playground) organizationPayload(a *account) object {
	u := p.api("/orgs/%s", a.login)
	return object{
		"login": a.login, "id": a.id, "node_id": nodeID("O", a.id), "url": u, "repos_url": u + "/repos", "events_url": u + "/events",
		"hooks_url": u + "/hooks", "issues_url": u + "/issues", "members_url": u + "/members{/member}",
		"public_members_url": u + "/public_members{/member}", "avatar_url": p.html("/avatars/u/%d?v=4", a.id), "description": "",
	}
}

// appPayload is an integration, as GET /app and performed_via_github_app show it.
func (p *Playground) appPayload(a *app) object {
	if a == nil {
		return nil
	}
	homepage := a.homepage
	if homepage == "" {
		homepage = p.html("/apps/%s/about", a.Slug)
	}
	return object{
		"id": a.ID, "client_id": a.ClientID(), "slug": a.Slug, "node_id": nodeID("A", a.ID),
		"owner": p.userPayload(a.owner), "name": a.Name, "description": a.description, "external_url": homepage,
		"html_url": p.html("/apps/%s", a.Slug), "created_at": stamp(a.created), "updated_at": stamp(a.updated),
		"permissions": maps.Clone(a.Permissions), "events": append([]string{}, a.Events...),
	}
}

// appWithCount adds what only the App itself sees.
func (p *Playground) appWithCount(a *app) object {
	payload := p.appPayload(a)
	count := 0
	for _, i := range p.installations {
		if i.app == a && !i.deleted {
			count++
		}
	}
	payload["installations_count"] = count
	return payload
}

func (p *Playground) installationPayload(i *installation) object {
	settings := p.html("/settings/installations/%d", i.id)
	if i.account.kind == kindOrganization {
		settings = p.html("/organizations/%s/settings/installations/%d", i.account.login, i.id)
	}
	return object{
		"id": i.id, "client_id": i.app.ClientID(), "account": p.userPayload(i.account),
		"repository_selection": i.selection(), "access_tokens_url": p.api("/app/installations/%d/access_tokens", i.id),
		"repositories_url": p.api("/installation/repositories"), "html_url": settings, "app_id": i.app.ID, "app_slug": i.app.Slug,
		"target_id": i.account.id, "target_type": i.account.kind, "permissions": maps.Clone(i.permissions),
		"events": append([]string{}, i.events...), "created_at": stamp(i.created), "updated_at": stamp(i.updated),
		"single_file_name": nil, "has_multiple_single_files": false, "single_file_paths": []string{},
		"suspended_by": orNil(p.userPayload(i.suspendedBy)), "suspended_at": stamp(i.suspended),
	}
}

// repositoryStub is how installation webhooks name a repository.
func repositoryStub(r *repository) object {
	return object{"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private}
}

func repositoryStubs(repositories []*repository) []object {
	stubs := []object{}
	for _, r := range repositories {
		stubs = append(stubs, repositoryStub(r))
	}
	return stubs
}

// repositoryPayload is a repository as lists and parts of webhooks show it.
func (p *Playground) repositoryPayload(r *repository) object {
	u, page := p.api("/repos/%s", r.fullName()), p.html("/%s", r.fullName())
	open := 0
	for _, i := range r.issues {
		if i.state == "open" && !i.deleted {
			open++
		}
	}
	visibility := "public"
	if r.private {
		visibility = "private"
	}
	payload := object{
		"id": r.id, "node_id": nodeID("R", r.id), "name": r.name, "full_name": r.fullName(), "private": r.private,
		"owner": p.userPayload(r.owner), "html_url": page, "description": orNull(r.description), "fork": false, "url": u,
		"created_at": stamp(r.created), "updated_at": stamp(r.updated), "pushed_at": stamp(r.pushed),
		"git_url": "git" + page[slices.Index([]byte(page), ':'):] + ".git", "ssh_url": "git@" + hostOf(p.base) + ":" + r.fullName() + ".git",
		"clone_url": page + ".git", "svn_url": page, "homepage": nil, "size": 0, "stargazers_count": 0, "watchers_count": 0,
		"language": nil, "has_issues": true, "has_projects": true, "has_downloads": true, "has_wiki": true, "has_pages": false,
		"has_discussions": true, "forks_count": 0, "mirror_url": nil, "archived": r.archived, "disabled": false,
		"open_issues_count": open, "license": nil, "allow_forking": true, "is_template": false, "web_commit_signoff_required": false,
		"topics": []string{}, "visibility": visibility, "forks": 0, "open_issues": open, "watchers": 0,
		"default_branch": r.defaultBranch,
	}
	for name, tail := range repositoryURLs {
		payload[name] = u + tail
	}
	return payload
}

// repositoryURLs are the address templates below a repository's own.
var repositoryURLs = map[string]string{
	"forks_url": "/forks", "keys_url": "/keys{/key_id}", "collaborators_url": "/collaborators{/collaborator}", "teams_url": "/teams",
	"hooks_url": "/hooks", "issue_events_url": "/issues/events{/number}", "events_url": "/events", "assignees_url": "/assignees{/user}",
	"branches_url": "/branches{/branch}", "tags_url": "/tags", "blobs_url": "/git/blobs{/sha}", "git_tags_url": "/git/tags{/sha}",
	"git_refs_url": "/git/refs{/sha}", "trees_url": "/git/trees{/sha}", "statuses_url": "/statuses/{sha}",
	"languages_url": "/languages", "stargazers_url": "/stargazers", "contributors_url": "/contributors",
	"subscribers_url": "/subscribers", "subscription_url": "/subscription", "commits_url": "/commits{/sha}",
	"git_commits_url": "/git/commits{/sha}", "comments_url": "/comments{/number}", "issue_comment_url": "/issues/comments{/number}",
	"contents_url": "/contents/{+path}", "compare_url": "/compare/{base}...{head}", "merges_url": "/merges",
	"archive_url": "/{archive_format}{/ref}", "downloads_url": "/downloads", "issues_url": "/issues{/number}",
	"pulls_url": "/pulls{/number}", "milestones_url": "/milestones{/number}",
	"notifications_url": "/notifications{?since,all,participating}", "labels_url": "/labels{/name}",
	"releases_url": "/releases{/id}", "deployments_url": "/deployments",
}

// fullRepositoryPayload is GET /repos/{owner}/{repo}: with what the caller is allowed to do there.
func (p *Playground) fullRepositoryPayload(r *repository, has role) object {
	payload := p.repositoryPayload(r)
	payload["permissions"], payload["custom_properties"] = has.permissions(), object{}
	payload["network_count"], payload["subscribers_count"], payload["temp_clone_token"] = 0, 0, ""
	if r.owner.kind == kindOrganization {
		payload["organization"] = p.userPayload(r.owner)
	}
	if has >= roleWrite {
		maps.Copy(payload, object{
			"allow_squash_merge": true, "allow_merge_commit": true, "allow_rebase_merge": true, "allow_auto_merge": false,
			"delete_branch_on_merge": false, "allow_update_branch": false, "use_squash_pr_title_as_default": false,
			"squash_merge_commit_message": "COMMIT_MESSAGES", "squash_merge_commit_title": "COMMIT_OR_PR_TITLE",
			"merge_commit_message": "PR_TITLE", "merge_commit_title": "MERGE_MESSAGE",
		})
	}
	return payload
}

func hostOf(base string) string {
	parsed, err := url.Parse(base)
	if err != nil {
		return base
	}
	return parsed.Hostname()
}
