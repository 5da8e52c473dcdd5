package playground

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of texts on GitHub, in characters.
const (
	maxTitle = 256
	maxBody  = 65536
)

// emitIssue tells of a change of an issue: as the event issues, or pull_request if it is one.
func (p *Playground) emitIssue(action string, by actor, i *issue, extra object) {
	event, fields := "issues", object{"issue": p.issuePayload(i)}
	if i.pull != nil {
		event, fields = "pull_request", object{"pull_request": p.pullPayload(i, false), "number": i.number}
	}
	maps.Copy(fields, extra)
	p.emit(event, action, by, i.repo, fields)
}

func (c *call) openIssues() []*issue {
	return slices.DeleteFunc(slices.Clone(c.repo.issues), func(i *issue) bool { return i.deleted || i.movedTo != nil })
}

// GET /repos/{owner}/{repo}/issues
func listIssues(c *call) (any, error) {
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	state, err := c.choice("state", "open", "closed", "all")
	if err != nil {
		return nil, err
	}
	by, err := c.choice("sort", "created", "updated", "comments")
	if err != nil {
		return nil, err
	}
	direction, err := c.choice("direction", "desc", "asc")
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"milestone", "assignee", "mentioned", "type"} {
		if c.query.Has(name) {
			c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with "+name]++
			return nil, refuse(http.StatusNotImplemented, "The playground does not implement the parameter "+name)
		}
	}
	var wanted []string
	if text := c.query.Get("labels"); text != "" {
		wanted = strings.Split(text, ",")
	}
	creator := c.query.Get("creator")
	found := slices.DeleteFunc(c.openIssues(), func(i *issue) bool {
		if state != "all" && i.state != state || i.updated.Before(since) {
			return true
		}
		if creator != "" && (i.user == nil || !strings.EqualFold(i.user.login, creator)) {
			return true
		}
		return slices.ContainsFunc(wanted, func(name string) bool {
			l := c.repo.label(strings.TrimSpace(name))
			return l == nil || !slices.Contains(c.p.visibleLabels(i), l)
		})
	})
	slices.SortStableFunc(found, func(a, b *issue) int {
		order := 0
		switch by {
		case "updated":
			order = a.updated.Compare(b.updated)
		case "comments":
			order = cmp.Compare(len(a.comments), len(b.comments))
		}
		if order == 0 {
			order = cmp.Compare(a.number, b.number)
		}
		if direction == "desc" {
			return -order
		}
		return order
	})
	return each(page(c, found), c.p.readIssuePayload), nil
}

// title reads a title, which GitHub takes as a whole number too where it is an issue's.
func title(value any) (string, error) {
	switch given := value.(type) {
	case string:
		if strings.TrimSpace(given) == "" {
			return "", invalid("Issue", "title", "missing_field", "")
		}
		if utf8.RuneCountInString(given) > maxTitle {
			return "", invalid("Issue", "title", "custom", "title is too long (maximum is 256 characters)")
		}
		return given, nil
	case float64:
		if given == math.Trunc(given) {
			return strconv.FormatFloat(given, 'f', -1, 64), nil
		}
	}
	return "", refuse(http.StatusUnprocessableEntity, "Invalid request.\n\nFor 'properties/title', the value is not a string.")
}

func tooLong(body string) bool { return utf8.RuneCountInString(body) > maxBody }

func checkBody(resource, body string) error {
	if tooLong(body) {
		return invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

func (p *Playground) newIssue(by actor, r *repository, title string, body *string) *issue {
	now := p.now()
	i := &issue{
		id: p.nextID(), repo: r, number: len(r.issues) + 1, title: title, body: body, user: by.account, app: by.app,
		state: "open", created: now, updated: now,
	}
	r.issues = append(r.issues, i)
	if body != nil {
		p.noteReferences(by, i, *body)
	}
	return i
}

// openWith opens an issue with labels and assignees. GitHub shows them in the payload of "opened" already, and then tells of each.
func (p *Playground) openWith(by actor, r *repository, title string, body *string, labels []*label, assignees []*account) *issue {
	i := p.newIssue(by, r, title, body)
	i.labels, i.assignees = slices.Clone(labels), slices.Clone(assignees)
	p.emitIssue("opened", by, i, nil)
	for _, l := range labels {
		p.labelChanged(by, i, l, "labeled")
	}
	for _, a := range assignees {
		p.assignmentChanged(by, i, a, "assigned")
	}
	return i
}

// POST /repos/{owner}/{repo}/issues. What people without push access name of labels and assignees is
// dropped silently, as GitHub documents.
func createIssue(c *call, in struct {
	Title     any        `json:"title"`
	Body      *string    `json:"body"`
	Labels    labelNames `json:"labels"`
	Assignees []string   `json:"assignees"`
},
) (any, error) {
	if in.Title == nil {
		return nil, missing("title")
	}
	name, err := title(in.Title)
	if err != nil {
		return nil, err
	}
	if in.Body != nil {
		if err := checkBody("Issue", *in.Body); err != nil {
			return nil, err
		}
	}
	var labels []*label
	if c.allowed(roleWrite) {
		if labels, err = c.findLabels(in.Labels); err != nil {
			return nil, err
		}
	}
	var assignees []*account
	if c.mayAssign() {
		if assignees, err = c.wantedAssignees(in.Assignees); err != nil {
			return nil, err
		}
	}
	i := c.p.openWith(c.actor, c.repo, name, in.Body, labels, assignees)
	payload := c.p.restIssuePayload(i)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

// GET /repos/{owner}/{repo}/issues/{issue_number}
func getIssue(c *call) (any, error) { return c.p.readIssuePayload(c.issue), nil }

// PATCH /repos/{owner}/{repo}/issues/{issue_number}: for the author, or triage and more.
func updateIssue(c *call, in struct {
	Title       any         `json:"title"`
	Body        *string     `json:"body"`
	State       *string     `json:"state"`
	StateReason *string     `json:"state_reason"`
	Labels      *labelNames `json:"labels"`
	Assignees   *[]string   `json:"assignees"`
},
) (any, error) {
	if !c.allowed(roleTriage) && c.issue.user != c.actor.account {
		return nil, errNeedsRights
	}
	var wanted change
	if in.Title != nil {
		name, err := title(in.Title)
		if err != nil {
			return nil, err
		}
		wanted.title = &name
	}
	if in.Body != nil {
		if err := checkBody("Issue", *in.Body); err != nil {
			return nil, err
		}
		wanted.body = in.Body
	}
	if in.State != nil && *in.State != "open" && *in.State != "closed" {
		return nil, invalid("Issue", "state", "invalid", "")
	}
	wanted.state, wanted.reason = in.State, in.StateReason
	if in.StateReason != nil && !slices.Contains([]string{"completed", "not_planned", "duplicate", "reopened"}, *in.StateReason) {
		return nil, invalid("Issue", "state_reason", "invalid", "")
	}
	if in.Labels != nil && c.allowed(roleTriage) {
		labels, err := c.findLabels(*in.Labels)
		if err != nil {
			return nil, err
		}
		wanted.labels = &labels
	}
	if in.Assignees != nil && c.mayAssign() {
		assignees, err := c.wantedAssignees(*in.Assignees)
		if err != nil {
			return nil, err
		}
		wanted.assignees = &assignees
	}
	if err := c.p.mayReopen(c.issue, in.State); err != nil {
		return nil, err
	}
	c.p.updateIssue(c.actor, c.issue, wanted)
	return c.p.restIssuePayload(c.issue), nil
}

// change is what to alter in an issue; nil fields stay.
type change struct {
	title, body, state, reason *string
	labels                     *[]*label
	assignees                  *[]*account
}

func (p *Playground) updateIssue(by actor, i *issue, wanted change) {
	changes := object{}
	if wanted.title != nil && *wanted.title != i.title {
		e := p.addEvent(i, by, "renamed")
		e.rename = object{"from": i.title, "to": *wanted.title}
		changes["title"] = object{"from": i.title}
		i.title = *wanted.title
	}
	if wanted.body != nil && (i.body == nil || *i.body != *wanted.body) {
		from := ""
		if i.body != nil {
			from = *i.body
		}
		changes["body"] = object{"from": from}
		i.body, i.updated = wanted.body, p.now()
		i.edited, i.editor = i.updated, by.account
		i.revised(from)
	}
	if len(changes) > 0 {
		p.emitIssue("edited", by, i, object{"changes": changes})
	}
	if wanted.body != nil {
		p.noteReferences(by, i, *wanted.body)
	}
	if wanted.labels != nil {
		p.setLabels(by, i, *wanted.labels)
	}
	if wanted.assignees != nil {
		p.setAssignees(by, i, *wanted.assignees)
	}
	if wanted.state != nil && *wanted.state != i.state {
		reason := ""
		if wanted.reason != nil {
			reason = *wanted.reason
		}
		p.setState(by, i, *wanted.state, reason)
	}
}

// setState closes or reopens an issue or pull request.
func (p *Playground) setState(by actor, i *issue, state, reason string) {
	i.state = state
	if state == "closed" {
		if reason == "" || reason == "reopened" {
			reason = "completed"
		}
		i.closed, i.closedBy = p.now(), by.account
	} else {
		reason = "reopened"
		i.closed, i.closedBy = time.Time{}, nil
		if i.pull != nil {
			i.pull.tip = i.repo.branches[i.pull.head] // what was pushed in the meantime
		}
	}
	if i.pull != nil {
		reason = ""
	}
	i.stateReason = reason
	what := map[string]string{"closed": "closed", "open": "reopened"}[state]
	e := p.addEvent(i, by, what)
	if state == "closed" && i.pull == nil {
		e.stateReason = &reason
	}
	p.emitIssue(what, by, i, nil)
}

// visibleEvents is the log as the API shows it now: events of labels can lag behind (Playground.LagEvents).
func (p *Playground) visibleEvents(i *issue) []*issueEvent {
	now := p.clock.Now()
	return slices.DeleteFunc(slices.Clone(i.events), func(e *issueEvent) bool { return e.visible.After(now) })
}

// GET /repos/{owner}/{repo}/issues/{issue_number}/events
func listIssueEvents(c *call) (any, error) {
	return each(page(c, c.p.visibleEvents(c.issue)), c.p.eventPayload), nil
}

// GET /repos/{owner}/{repo}/issues/{issue_number}/timeline: events, comments, reviews and
// mentions elsewhere, oldest first.
func listTimeline(c *call) (any, error) {
	type line struct {
		id      int64
		payload object
	}
	var lines []line
	for _, e := range c.p.visibleEvents(c.issue) {
		lines = append(lines, line{e.id, c.p.timelineEventPayload(e)})
	}
	for _, m := range c.issue.comments {
		lines = append(lines, line{m.id, c.p.timelineCommentPayload(m)})
	}
	for _, m := range c.issue.mentions {
		if c.actor.sees(m.source.repo) && !m.source.deleted && m.source.movedTo == nil {
			lines = append(lines, line{m.id, c.p.crossReferencePayload(m)})
		}
	}
	if c.issue.pull != nil {
		for _, r := range c.issue.pull.reviews {
			lines = append(lines, line{r.id, c.p.timelineReviewPayload(r)})
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.id, b.id) })
	payloads := []object{}
	for _, l := range page(c, lines) {
		payloads = append(payloads, l.payload)
	}
	return payloads, nil
}

func (c *call) repositoryEvents() []*issueEvent {
	var events []*issueEvent
	for _, i := range c.openIssues() {
		events = append(events, c.p.visibleEvents(i)...)
	}
	slices.SortFunc(events, func(a, b *issueEvent) int { return cmp.Compare(b.id, a.id) })
	return events
}

// GET /repos/{owner}/{repo}/issues/events: newest first, each with its issue.
func listRepositoryEvents(c *call) (any, error) {
	payloads := []object{}
	for _, e := range page(c, c.repositoryEvents()) {
		payload := c.p.eventPayload(e)
		if e.assignee != nil {
			payload["actor"] = payload["assigner"]
		}
		payload["issue"] = c.p.issuePayload(e.issue)
		payloads = append(payloads, payload)
	}
	return payloads, nil
}

// GET /repos/{owner}/{repo}/issues/events/{event_id}
func getRepositoryEvent(c *call) (any, error) {
	for _, e := range c.repositoryEvents() {
		if e.id == c.number("event_id") {
			payload := c.p.eventPayload(e)
			if e.assignee != nil {
				payload["actor"] = payload["assigner"]
			}
			payload["issue"] = c.p.issuePayload(e.issue)
			return payload, nil
		}
	}
	return nil, errNotFound
}

// PUT /repos/{owner}/{repo}/issues/{issue_number}/lock
func lockIssue(c *call, in struct {
	Reason *string `json:"lock_reason"`
},
) (any, error) {
	reason := ""
	if in.Reason != nil {
		if !slices.Contains([]string{"off-topic", "too heated", "resolved", "spam"}, *in.Reason) {
			return nil, invalid("Issue", "lock_reason", "invalid", "")
		}
		reason = *in.Reason
	}
	if c.issue.locked {
		return nil, nil
	}
	c.issue.locked, c.issue.lockReason = true, reason
	c.p.addEvent(c.issue, c.actor, "locked").lockReason = reason
	c.p.emitIssue("locked", c.actor, c.issue, nil)
	return nil, nil
}

// DELETE /repos/{owner}/{repo}/issues/{issue_number}/lock
func unlockIssue(c *call) (any, error) {
	if !c.issue.locked {
		return nil, nil
	}
	c.issue.locked, c.issue.lockReason = false, ""
	c.p.addEvent(c.issue, c.actor, "unlocked")
	c.p.emitIssue("unlocked", c.actor, c.issue, nil)
	return nil, nil
}
