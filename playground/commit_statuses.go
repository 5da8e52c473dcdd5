package playground

import (
	"net/http"
	"slices"
	"strings"
	"time"
)

// commitStatus is what an account says of a commit in one context (https://docs.github.com/rest/commits/statuses).
type commitStatus struct {
	id          int64
	commit      *commit
	state       string
	context     string
	description *string
	targetURL   *string
	creator     *account
	created     time.Time
}

var commitStates = []string{"error", "failure", "pending", "success"}

// statusesOf lists those of a commit, newest first.
func (r *repository) statusesOf(c *commit) []*commitStatus {
	var found []*commitStatus
	for _, s := range slices.Backward(r.statuses) {
		if s.commit == c {
			found = append(found, s)
		}
	}
	return found
}

// latestStatuses are the newest of each context, and what they come to together.
func (r *repository) latestStatuses(c *commit) (latest []*commitStatus, state string) {
	for _, s := range r.statusesOf(c) {
		if !slices.ContainsFunc(latest, func(newer *commitStatus) bool { return newer.context == s.context }) {
			latest = append(latest, s)
		}
	}
	is := func(states ...string) bool {
		return slices.ContainsFunc(latest, func(s *commitStatus) bool { return slices.Contains(states, s.state) })
	}
	switch {
	case is("error", "failure"):
		return latest, "failure"
	case len(latest) == 0 || is("pending"):
		return latest, "pending"
	default:
		return latest, "success"
	}
}

// unstable is whether something that was said of a commit is not, or not yet, a success.
func (r *repository) unstable(c *commit) bool {
	if latest, state := r.latestStatuses(c); len(latest) > 0 && state != "success" {
		return true
	}
	return slices.ContainsFunc(r.suitesOf(c), func(s *checkSuite) bool {
		_, conclusion := s.standing()
		return len(s.runs) > 0 && !slices.Contains([]string{"success", "neutral", "skipped"}, conclusion)
	})
}

func (p *Playground) simpleStatusPayload(r *repository, s *commitStatus) object {
	return object{
		"url": p.api("/repos/%s/statuses/%s", r.fullName(), s.commit.sha), "avatar_url": p.userPayload(s.creator)["avatar_url"], "id": s.id,
		"node_id": nodeID("SC", s.id), "state": s.state, "description": s.description, "target_url": s.targetURL, "context": s.context,
		"created_at": stamp(s.created), "updated_at": stamp(s.created),
	}
}

func (p *Playground) statusPayload(r *repository, s *commitStatus) object {
	payload := p.simpleStatusPayload(r, s)
	payload["creator"] = p.userPayload(s.creator)
	return payload
}

func (p *Playground) addStatus(by actor, r *repository, s *commitStatus) {
	s.id, s.creator, s.created = p.nextID(), by.account, p.now()
	r.statuses = append(r.statuses, s)
	branches := []object{}
	for _, name := range slices.Sorted(branchesWith(r, s.commit)) {
		tip := r.branches[name]
		branches = append(branches, object{
			"name": name, "protected": false, "commit": object{"sha": tip.sha, "url": p.api("/repos/%s/commits/%s", r.fullName(), tip.sha)},
		})
	}
	p.emit("status", "", by, r, object{
		"id": s.id, "sha": s.commit.sha, "name": r.fullName(), "avatar_url": p.userPayload(s.creator)["avatar_url"],
		"target_url": s.targetURL, "context": s.context, "description": s.description, "state": s.state,
		"commit": p.commitPayload(r, s.commit), "branches": branches[:min(len(branches), 10)],
		"created_at": stamp(s.created), "updated_at": stamp(s.created),
	})
}

// branchesWith are the names of the branches that have a commit.
func branchesWith(r *repository, c *commit) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for name, tip := range r.branches {
			for one := range tip.history() {
				if one == c {
					if !yield(name) {
						return
					}
					break
				}
			}
		}
	}
}

// POST /repos/{owner}/{repo}/statuses/{sha}
func createStatus(c *call, in struct {
	State       *string `json:"state"`
	TargetURL   *string `json:"target_url"`
	Description *string `json:"description"`
	Context     *string `json:"context"`
},
) (any, error) {
	switch {
	case in.State == nil:
		return nil, missing("state")
	case !slices.Contains(commitStates, *in.State):
		return nil, invalid("Status", "state", "custom", "state is not included in the list")
	case in.Description != nil && len([]rune(*in.Description)) > 140:
		return nil, invalid("Status", "description", "custom", "description is too long (maximum is 140 characters)")
	case in.TargetURL != nil && *in.TargetURL != "" && !strings.HasPrefix(*in.TargetURL, "http://") && !strings.HasPrefix(*in.TargetURL, "https://"):
		return nil, invalid("Status", "target_url", "custom", "target_url must use http(s) scheme")
	}
	at := c.repo.commitAt(c.vars["sha"])
	if at == nil || at.sha != c.vars["sha"] {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.vars["sha"])
	}
	s := &commitStatus{commit: at, state: *in.State, context: "default", description: in.Description, targetURL: in.TargetURL}
	if in.Context != nil {
		s.context = *in.Context
	}
	c.p.addStatus(c.actor, c.repo, s)
	payload := c.p.statusPayload(c.repo, s)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// GET /repos/{owner}/{repo}/commits/{ref}/status: the newest of each context, and all of them together.
func getCombinedStatus(c *call) (any, error) {
	at := c.repo.commitAt(c.vars["ref"])
	if at == nil {
		return nil, errNotFound
	}
	latest, state := c.repo.latestStatuses(at)
	slices.Reverse(latest) // the oldest first
	payloads := each(page(c, latest), func(s *commitStatus) object { return c.p.simpleStatusPayload(c.repo, s) })
	u := c.p.api("/repos/%s/commits/%s", c.repo.fullName(), at.sha)
	return object{
		"state": state, "statuses": payloads, "sha": at.sha, "total_count": len(latest),
		"repository": c.p.repositoryPayload(c.repo), "commit_url": u, "url": u + "/status",
	}, nil
}

// GET /repos/{owner}/{repo}/commits/{ref}/statuses: newest first.
func listStatuses(c *call) (any, error) {
	at := c.repo.commitAt(c.vars["ref"])
	if at == nil {
		return nil, errNotFound
	}
	return each(page(c, c.repo.statusesOf(at)), func(s *commitStatus) object { return c.p.statusPayload(c.repo, s) }), nil
}
