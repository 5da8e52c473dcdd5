package playground

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// audience is who is allowed to call a route at all.
type audience string

const (
	anyone           audience = "anyone"       // no token needed for what is public
	signedIn         audience = "signed in"    // a user's or an installation's token
	userOnly         audience = "user"         // a user's token
	appOnly          audience = "app"          // an App's JWT
	installationOnly audience = "installation" // an installation's token
)

// Route is one operation of the REST API that the playground has.
type Route struct {
	Method     string
	Pattern    string
	Docs       string   // below https://docs.github.com/rest/
	Audience   audience // who is allowed to call it
	Permission []string // any one of these lets an installation in; none: it needs none
	Level      string   // of the permission: read or write
	Role       role     // what a person needs in the repository
	handle     func(*call) (any, error)
	segments   []string
}

var (
	issuesPermission   = []string{"issues"}
	threadPermission   = []string{"issues", "pull_requests"}
	contentsPermission = []string{"contents"}
	pullsPermission    = []string{"pull_requests"}
	checksPermission   = []string{"checks"}
	statusesPermission = []string{"statuses"}
	membersPermission  = []string{"members"}
)

const (
	get    = http.MethodGet
	post   = http.MethodPost
	put    = http.MethodPut
	patch  = http.MethodPatch
	remove = http.MethodDelete
)

// routes is the table of everything that is implemented. A route that is not in it is answered 501.
var routes = buildRoutes([]Route{
	{get, "/rate_limit", "rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user", anyone, nil, "", 0, getRateLimit, nil},
	{get, "/user", "users/users#get-the-authenticated-user", userOnly, nil, "", 0, getAuthenticatedUser, nil},
	{get, "/users/{username}", "users/users#get-a-user", anyone, nil, "", 0, getUser, nil},

	{get, "/app", "apps/apps#get-the-authenticated-app", appOnly, nil, "", 0, getApp, nil},
	{get, "/apps/{app_slug}", "apps/apps#get-an-app", anyone, nil, "", 0, getAppBySlug, nil},
	{post, "/app-manifests/{code}/conversions", "apps/apps#create-a-github-app-from-a-manifest", anyone, nil, "", 0, convertManifest, nil},
	{remove, "/applications/{client_id}/token", "apps/oauth-applications#delete-an-app-token", anyone, nil, "", 0, deleteAppToken, nil},
	{get, "/app/installations", "apps/apps#list-installations-for-the-authenticated-app", appOnly, nil, "", 0, listInstallations, nil},
	{get, "/app/installations/{installation_id}", "apps/apps#get-an-installation-for-the-authenticated-app", appOnly, nil, "", 0, getInstallation, nil},
	{remove, "/app/installations/{installation_id}", "apps/apps#delete-an-installation-for-the-authenticated-app", appOnly, nil, "", 0, deleteInstallation, nil},
	{post, "/app/installations/{installation_id}/access_tokens", "apps/apps#create-an-installation-access-token-for-an-app", appOnly, nil, "", 0, createInstallationToken, nil},
	{get, "/app/hook/config", "apps/webhooks#get-a-webhook-configuration-for-an-app", appOnly, nil, "", 0, getHookConfig, nil},
	{patch, "/app/hook/config", "apps/webhooks#update-a-webhook-configuration-for-an-app", appOnly, nil, "", 0, reads(updateHookConfig), nil},
	{get, "/app/hook/deliveries", "apps/webhooks#list-deliveries-for-an-app-webhook", appOnly, nil, "", 0, listHookDeliveries, nil},
	{get, "/app/hook/deliveries/{delivery_id}", "apps/webhooks#get-a-delivery-for-an-app-webhook", appOnly, nil, "", 0, getHookDelivery, nil},
	{post, "/app/hook/deliveries/{delivery_id}/attempts", "apps/webhooks#redeliver-a-delivery-for-an-app-webhook", appOnly, nil, "", 0, redeliverHook, nil},
	{get, "/installation/repositories", "apps/installations#list-repositories-accessible-to-the-app-installation", installationOnly, nil, "", 0, listInstallationRepositories, nil},
	{remove, "/installation/token", "apps/installations#revoke-an-installation-access-token", installationOnly, nil, "", 0, revokeInstallationToken, nil},
	{get, "/orgs/{account}/installation", "apps/apps#get-an-organization-installation-for-the-authenticated-app", appOnly, nil, "", 0, getAccountInstallation, nil},
	{get, "/users/{account}/installation", "apps/apps#get-a-user-installation-for-the-authenticated-app", appOnly, nil, "", 0, getAccountInstallation, nil},
	{get, "/orgs/{org}/teams", "teams/teams#list-teams", signedIn, membersPermission, "read", 0, listTeams, nil},
	{get, "/orgs/{org}/teams/{team_slug}", "teams/teams#get-a-team-by-name", signedIn, membersPermission, "read", 0, getTeam, nil},
	{get, "/orgs/{org}/teams/{team_slug}/memberships/{username}", "teams/members#get-team-membership-for-a-user", signedIn, membersPermission, "read", 0, getTeamMembership, nil},
	{get, "/repos/{owner}/{repo}/installation", "apps/apps#get-a-repository-installation-for-the-authenticated-app", appOnly, nil, "", 0, getRepositoryInstallation, nil},

	{get, "/repos/{owner}/{repo}", "repos/repos#get-a-repository", anyone, []string{"metadata"}, "read", roleRead, getRepository, nil},
	{patch, "/repos/{owner}/{repo}", "repos/repos#update-a-repository", signedIn, []string{"administration"}, "write", roleAdmin, reads(updateRepository, "name", "description", "private", "visibility", "archived", "default_branch"), nil},
	{remove, "/repos/{owner}/{repo}", "repos/repos#delete-a-repository", signedIn, []string{"administration"}, "write", roleAdmin, deleteRepository, nil},
	{get, "/repos/{owner}/{repo}/collaborators/{username}/permission", "collaborators/collaborators#get-repository-permissions-for-a-user", signedIn, []string{"metadata"}, "read", roleRead, getCollaboratorPermission, nil},

	{get, "/repos/{owner}/{repo}/labels", "issues/labels#list-labels-for-a-repository", anyone, threadPermission, "read", roleRead, listLabels, nil},
	{post, "/repos/{owner}/{repo}/labels", "issues/labels#create-a-label", signedIn, threadPermission, "write", roleWrite, reads(createLabel), nil},
	{get, "/repos/{owner}/{repo}/labels/{name}", "issues/labels#get-a-label", anyone, threadPermission, "read", roleRead, getLabel, nil},
	{patch, "/repos/{owner}/{repo}/labels/{name}", "issues/labels#update-a-label", signedIn, threadPermission, "write", roleWrite, updateLabel, nil},
	{remove, "/repos/{owner}/{repo}/labels/{name}", "issues/labels#delete-a-label", signedIn, threadPermission, "write", roleWrite, deleteLabel, nil},

	{get, "/repos/{owner}/{repo}/issues", "issues/issues#list-repository-issues", anyone, issuesPermission, "read", roleRead, listIssues, nil},
	{post, "/repos/{owner}/{repo}/issues", "issues/issues#create-an-issue", signedIn, issuesPermission, "write", roleRead, reads(createIssue, "assignees"), nil},
	{get, "/repos/{owner}/{repo}/issues/events", "issues/events#list-issue-events-for-a-repository", anyone, threadPermission, "read", roleRead, listRepositoryEvents, nil},
	{get, "/repos/{owner}/{repo}/issues/events/{event_id}", "issues/events#get-an-issue-event", anyone, threadPermission, "read", roleRead, getRepositoryEvent, nil},
	{get, "/repos/{owner}/{repo}/issues/comments", "issues/comments#list-issue-comments-for-a-repository", anyone, threadPermission, "read", roleRead, listRepositoryComments, nil},
	{get, "/repos/{owner}/{repo}/issues/comments/{comment_id}", "issues/comments#get-an-issue-comment", anyone, threadPermission, "read", roleRead, getComment, nil},
	{patch, "/repos/{owner}/{repo}/issues/comments/{comment_id}", "issues/comments#update-an-issue-comment", signedIn, threadPermission, "write", roleRead, updateComment, nil},
	{remove, "/repos/{owner}/{repo}/issues/comments/{comment_id}", "issues/comments#delete-an-issue-comment", signedIn, threadPermission, "write", roleRead, deleteComment, nil},
	{get, "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", "reactions/reactions#list-reactions-for-an-issue-comment", anyone, threadPermission, "read", roleRead, listReactions, nil},
	{post, "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions", "reactions/reactions#create-reaction-for-an-issue-comment", signedIn, threadPermission, "write", roleRead, createReaction, nil},
	{remove, "/repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}", "reactions/reactions#delete-an-issue-comment-reaction", signedIn, threadPermission, "write", roleRead, deleteReaction, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}", "issues/issues#get-an-issue", anyone, threadPermission, "read", roleRead, getIssue, nil},
	{patch, "/repos/{owner}/{repo}/issues/{issue_number}", "issues/issues#update-an-issue", signedIn, threadPermission, "write", roleRead, reads(updateIssue, "assignees"), nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/events", "issues/events#list-issue-events", anyone, threadPermission, "read", roleRead, listIssueEvents, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/timeline", "issues/timeline#list-timeline-events-for-an-issue", anyone, threadPermission, "read", roleRead, listTimeline, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues/labels#list-labels-for-an-issue", anyone, threadPermission, "read", roleRead, listIssueLabels, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues/labels#add-labels-to-an-issue", signedIn, threadPermission, "write", roleTriage, addIssueLabels, nil},
	{put, "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues/labels#set-labels-for-an-issue", signedIn, threadPermission, "write", roleTriage, setIssueLabels, nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/labels", "issues/labels#remove-all-labels-from-an-issue", signedIn, threadPermission, "write", roleTriage, removeIssueLabels, nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", "issues/labels#remove-a-label-from-an-issue", signedIn, threadPermission, "write", roleTriage, removeIssueLabel, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/assignees", "issues/assignees#add-assignees-to-an-issue", signedIn, threadPermission, "write", roleRead, reads(addAssignees, "assignees"), nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/assignees", "issues/assignees#remove-assignees-from-an-issue", signedIn, threadPermission, "write", roleRead, reads(removeAssignees, "assignees"), nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/comments", "issues/comments#list-issue-comments", anyone, threadPermission, "read", roleRead, listComments, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/comments", "issues/comments#create-an-issue-comment", signedIn, threadPermission, "write", roleRead, createComment, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/reactions", "reactions/reactions#list-reactions-for-an-issue", anyone, threadPermission, "read", roleRead, listReactions, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/reactions", "reactions/reactions#create-reaction-for-an-issue", signedIn, threadPermission, "write", roleRead, createReaction, nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/reactions/{reaction_id}", "reactions/reactions#delete-an-issue-reaction", signedIn, threadPermission, "write", roleRead, deleteReaction, nil},
	{put, "/repos/{owner}/{repo}/issues/{issue_number}/lock", "issues/issues#lock-an-issue", signedIn, threadPermission, "write", roleWrite, reads(lockIssue), nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/lock", "issues/issues#unlock-an-issue", signedIn, threadPermission, "write", roleWrite, unlockIssue, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by", "issues/issue-dependencies#list-dependencies-an-issue-is-blocked-by", anyone, issuesPermission, "read", roleRead, listBlockedBy, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by", "issues/issue-dependencies#add-a-dependency-an-issue-is-blocked-by", signedIn, issuesPermission, "write", roleTriage, addBlockedBy, nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocked_by/{issue_id}", "issues/issue-dependencies#remove-dependency-an-issue-is-blocked-by", signedIn, issuesPermission, "write", roleTriage, removeBlockedBy, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/dependencies/blocking", "issues/issue-dependencies#list-dependencies-an-issue-is-blocking", anyone, issuesPermission, "read", roleRead, listBlocking, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/parent", "issues/sub-issues#get-parent-issue", anyone, issuesPermission, "read", roleRead, getParent, nil},
	{get, "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues", "issues/sub-issues#list-sub-issues", anyone, issuesPermission, "read", roleRead, listSubIssues, nil},
	{post, "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues", "issues/sub-issues#add-sub-issue", signedIn, issuesPermission, "write", roleTriage, addSubIssue, nil},
	{remove, "/repos/{owner}/{repo}/issues/{issue_number}/sub_issue", "issues/sub-issues#remove-sub-issue", signedIn, issuesPermission, "write", roleTriage, removeSubIssue, nil},
	{patch, "/repos/{owner}/{repo}/issues/{issue_number}/sub_issues/priority", "issues/sub-issues#reprioritize-sub-issue", signedIn, issuesPermission, "write", roleTriage, prioritizeSubIssue, nil},

	{get, "/repos/{owner}/{repo}/contents/{path...}", "repos/contents#get-repository-content", anyone, contentsPermission, "read", roleRead, getContents, nil},
	{put, "/repos/{owner}/{repo}/contents/{path...}", "repos/contents#create-or-update-file-contents", signedIn, contentsPermission, "write", roleWrite, reads(putContents), nil},
	{remove, "/repos/{owner}/{repo}/contents/{path...}", "repos/contents#delete-a-file", signedIn, contentsPermission, "write", roleWrite, reads(deleteContents), nil},
	{get, "/repos/{owner}/{repo}/activity", "repos/repos#list-repository-activities", anyone, contentsPermission, "read", roleRead, listActivities, nil},
	{get, "/repos/{owner}/{repo}/commits", "commits/commits#list-commits", anyone, contentsPermission, "read", roleRead, listCommits, nil},
	{get, "/repos/{owner}/{repo}/commits/{commit_sha}/comments", "commits/comments#list-commit-comments", anyone, []string{"metadata"}, "read", roleRead, listCommitComments, nil},
	{post, "/repos/{owner}/{repo}/commits/{commit_sha}/comments", "commits/comments#create-a-commit-comment", signedIn, contentsPermission, "read", roleRead, reads(createCommitComment), nil},
	{get, "/repos/{owner}/{repo}/commits/{ref}", "commits/commits#get-a-commit", anyone, contentsPermission, "read", roleRead, getCommit, nil},
	{get, "/repos/{owner}/{repo}/git/commits/{commit_sha}", "git/commits#get-a-commit-object", anyone, contentsPermission, "read", roleRead, getGitCommit, nil},
	{get, "/repos/{owner}/{repo}/git/ref/{ref...}", "git/refs#get-a-reference", anyone, contentsPermission, "read", roleRead, getRef, nil},
	{post, "/repos/{owner}/{repo}/git/refs", "git/refs#create-a-reference", signedIn, contentsPermission, "write", roleWrite, reads(createRef), nil},
	{remove, "/repos/{owner}/{repo}/git/refs/{ref...}", "git/refs#delete-a-reference", signedIn, contentsPermission, "write", roleWrite, deleteRef, nil},

	{get, "/repos/{owner}/{repo}/pulls", "pulls/pulls#list-pull-requests", anyone, pullsPermission, "read", roleRead, listPulls, nil},
	{post, "/repos/{owner}/{repo}/pulls", "pulls/pulls#create-a-pull-request", signedIn, pullsPermission, "write", roleRead, reads(createPull, "base"), nil},
	{get, "/repos/{owner}/{repo}/pulls/{pull_number}", "pulls/pulls#get-a-pull-request", anyone, pullsPermission, "read", roleRead, getPull, nil},
	{patch, "/repos/{owner}/{repo}/pulls/{pull_number}", "pulls/pulls#update-a-pull-request", signedIn, pullsPermission, "write", roleRead, reads(updatePull), nil},
	{get, "/repos/{owner}/{repo}/pulls/{pull_number}/files", "pulls/pulls#list-pull-requests-files", anyone, pullsPermission, "read", roleRead, listPullFiles, nil},
	{get, "/repos/{owner}/{repo}/pulls/{pull_number}/merge", "pulls/pulls#check-if-a-pull-request-has-been-merged", anyone, pullsPermission, "read", roleRead, isMerged, nil},
	{put, "/repos/{owner}/{repo}/pulls/{pull_number}/merge", "pulls/pulls#merge-a-pull-request", signedIn, contentsPermission, "write", roleWrite, reads(mergePull), nil},
	{get, "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", "pulls/reviews#list-reviews-for-a-pull-request", anyone, pullsPermission, "read", roleRead, listReviews, nil},
	{post, "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", "pulls/reviews#create-a-review-for-a-pull-request", signedIn, pullsPermission, "write", roleRead, reads(createReview), nil},
	{get, "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", "pulls/reviews#get-a-review-for-a-pull-request", anyone, pullsPermission, "read", roleRead, getReview, nil},
	{put, "/repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}/dismissals", "pulls/reviews#dismiss-a-review-for-a-pull-request", signedIn, pullsPermission, "write", roleWrite, reads(dismissReview), nil},

	{post, "/repos/{owner}/{repo}/check-runs", "checks/runs#create-a-check-run", signedIn, checksPermission, "write", roleRead, createCheckRun, nil},
	{get, "/repos/{owner}/{repo}/check-runs/{check_run_id}", "checks/runs#get-a-check-run", anyone, checksPermission, "read", roleRead, getCheckRun, nil},
	{patch, "/repos/{owner}/{repo}/check-runs/{check_run_id}", "checks/runs#update-a-check-run", signedIn, checksPermission, "write", roleRead, updateCheckRun, nil},
	{get, "/repos/{owner}/{repo}/check-suites/{check_suite_id}", "checks/suites#get-a-check-suite", anyone, checksPermission, "read", roleRead, getCheckSuite, nil},
	{get, "/repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs", "checks/runs#list-check-runs-in-a-check-suite", anyone, checksPermission, "read", roleRead, listRunsOfSuite, nil},
	{get, "/repos/{owner}/{repo}/commits/{ref}/check-runs", "checks/runs#list-check-runs-for-a-git-reference", anyone, checksPermission, "read", roleRead, listCheckRuns, nil},
	{get, "/repos/{owner}/{repo}/commits/{ref}/check-suites", "checks/suites#list-check-suites-for-a-git-reference", anyone, checksPermission, "read", roleRead, listCheckSuites, nil},
	{get, "/repos/{owner}/{repo}/commits/{ref}/status", "commits/statuses#get-the-combined-status-for-a-specific-reference", anyone, statusesPermission, "read", roleRead, getCombinedStatus, nil},
	{get, "/repos/{owner}/{repo}/commits/{ref}/statuses", "commits/statuses#list-commit-statuses-for-a-reference", anyone, statusesPermission, "read", roleRead, listStatuses, nil},
	{post, "/repos/{owner}/{repo}/statuses/{sha}", "commits/statuses#create-a-commit-status", signedIn, statusesPermission, "write", roleWrite, reads(createStatus), nil},
})

// Routes lists every operation that the playground has, in the order of its table.
func Routes() []Route { return slices.Clone(routes) }

func buildRoutes(rows []Route) []Route {
	for i := range rows {
		rows[i].segments = strings.Split(strings.TrimPrefix(rows[i].Pattern, "/"), "/")
	}
	return rows
}

// findRoute matches a path, segment by segment and unescaped. Where several patterns fit, the one with a literal
// segment further to the left wins. net/http's ServeMux refuses GitHub's patterns as ambiguous.
func findRoute(rows []Route, method, escapedPath string) (*Route, map[string]string) {
	parts := strings.Split(strings.TrimPrefix(escapedPath, "/"), "/")
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil {
			return nil, nil
		}
		parts[i] = plain
	}
	if method == http.MethodHead {
		method = get
	}
	var best *Route
	for i := range rows {
		row := &rows[i]
		if row.Method == method && fits(row.segments, parts) && (best == nil || moreLiteral(row.segments, best.segments)) {
			best = row
		}
	}
	if best == nil {
		return nil, nil
	}
	vars := map[string]string{}
	for i, segment := range best.segments {
		if name, ok := strings.CutSuffix(segment, "...}"); ok {
			vars[name[1:]] = strings.Join(parts[i:], "/")
			break
		}
		if isVariable(segment) {
			vars[strings.Trim(segment, "{}")] = parts[i]
		}
	}
	return best, vars
}

func isVariable(segment string) bool { return strings.HasPrefix(segment, "{") }

func fits(segments, parts []string) bool {
	for i, segment := range segments {
		if strings.HasSuffix(segment, "...}") {
			return len(parts) >= i
		}
		if i >= len(parts) {
			return false
		}
		switch {
		case !isVariable(segment):
			if segment != parts[i] {
				return false
			}
		case segment != "{client_id}" && strings.HasSuffix(segment, "_id}") || strings.HasSuffix(segment, "_number}"):
			if parts[i] == "" || strings.Trim(parts[i], "0123456789") != "" {
				return false
			}
		case parts[i] == "":
			return false
		}
	}
	return len(segments) == len(parts)
}

func moreLiteral(a, b []string) bool {
	for i := range min(len(a), len(b)) {
		if isVariable(a[i]) != isVariable(b[i]) {
			return !isVariable(a[i])
		}
	}
	return len(a) > len(b)
}
