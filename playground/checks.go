package playground

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checkSuite is what one App checks of one commit (https://docs.github.com/rest/checks/suites).
type checkSuite struct {
	id      int64
	repo    *repository
	app     *app
	branch  string // empty: the commit was the newest of none
	commit  *commit
	runs    []*checkRun // oldest first
	created time.Time
	updated time.Time
}

// checkRun is one check of a suite (https://docs.github.com/rest/checks/runs).
type checkRun struct {
	id         int64
	suite      *checkSuite
	name       string
	externalID string
	detailsURL string
	status     string // queued, in_progress or completed
	conclusion string // empty until it is completed
	started    time.Time
	completed  time.Time
	output     checkOutput
}

type checkOutput struct {
	Title       *string `json:"title"`
	Summary     *string `json:"summary"`
	Text        *string `json:"text"`
	Annotations []any   `json:"annotations"`
	Images      []any   `json:"images"`
}

// conclusions are the conclusions that an App can give a run, the worst first.
var conclusions = []string{"action_required", "timed_out", "failure", "cancelled", "success", "neutral", "skipped"}

// latest are a suite's runs without those in whose place another of the same name came.
func (s *checkSuite) latest() []*checkRun {
	var latest []*checkRun
	for i, run := range s.runs {
		if !slices.ContainsFunc(s.runs[i+1:], func(later *checkRun) bool { return later.name == run.name }) {
			latest = append(latest, run)
		}
	}
	return latest
}

// standing is the status and conclusion of a suite: completed when all its runs are, and as the worst of them.
func (s *checkSuite) standing() (status, conclusion string) {
	latest := s.latest()
	is := func(status string) func(*checkRun) bool {
		return func(run *checkRun) bool { return run.status == status }
	}
	switch {
	case len(latest) == 0:
		return "queued", ""
	case slices.ContainsFunc(latest, is("in_progress")):
		return "in_progress", ""
	case slices.ContainsFunc(latest, is("queued")):
		if slices.ContainsFunc(latest, is("completed")) {
			return "in_progress", ""
		}
		return "queued", ""
	}
	worst := slices.MinFunc(latest, func(a, b *checkRun) int {
		return cmp.Compare(slices.Index(conclusions, a.conclusion), slices.Index(conclusions, b.conclusion))
	})
	return "completed", worst.conclusion
}

// suitesOf lists those of a commit, oldest first.
func (r *repository) suitesOf(c *commit) []*checkSuite {
	var found []*checkSuite
	for _, s := range r.suites {
		if s.commit == c {
			found = append(found, s)
		}
	}
	return found
}

// suite is an App's suite of a commit, made if it is not there.
func (p *Playground) suite(r *repository, a *app, c *commit) (s *checkSuite, made bool) {
	for _, s := range r.suitesOf(c) {
		if s.app == a {
			return s, false
		}
	}
	s = &checkSuite{id: p.nextID(), repo: r, app: a, commit: c, created: p.now(), updated: p.now()}
	for branch, tip := range r.branches {
		// Of several, one that is not the default branch: the commit came with it.
		if tip == c && (s.branch == "" || s.branch == r.defaultBranch || branch != r.defaultBranch && branch < s.branch) {
			s.branch = branch
		}
	}
	r.suites = append(r.suites, s)
	return s, true
}

// requestSuites makes a suite of a commit that was pushed for every App installed there that is allowed to write checks. It asks the App to run its
// checks (check_suite.requested), as GitHub does. An App that never does leaves it queued permanently.
func (p *Playground) requestSuites(by actor, r *repository, c *commit) {
	for _, i := range p.installations {
		if !i.covers(r) || !i.suspended.IsZero() || !grants(i.permissions, "checks", "write") {
			continue
		}
		if s, made := p.suite(r, i.app, c); made {
			p.emitTo(i.app, "check_suite", "requested", by, r, object{"check_suite": p.suiteWebhook(s)})
		}
	}
}

// checkedPulls are the open pull requests that a suite is of.
func (p *Playground) checkedPulls(s *checkSuite) []object {
	payloads := []object{}
	end := func(branch, sha string) object {
		return object{"ref": branch, "sha": sha, "repo": object{"id": s.repo.id, "url": p.api("/repos/%s", s.repo.fullName()), "name": s.repo.name}}
	}
	for _, i := range s.repo.issues {
		if i.pull != nil && i.state == "open" && i.pull.tip == s.commit && i.pull.head == s.branch {
			payloads = append(payloads, object{
				"url": p.api("/repos/%s/pulls/%d", s.repo.fullName(), i.number), "id": i.id, "number": i.number,
				"head": end(i.pull.head, i.pull.tip.sha), "base": end(i.pull.base, i.pull.onto.sha),
			})
		}
	}
	return payloads
}

// suiteCore is what every payload says of a suite.
func (p *Playground) suiteCore(s *checkSuite) object {
	status, conclusion := s.standing()
	payload := object{
		"id": s.id, "node_id": nodeID("CS", s.id), "head_branch": orNull(s.branch), "head_sha": s.commit.sha, "status": status,
		"conclusion": orNull(conclusion), "url": p.api("/repos/%s/check-suites/%d", s.repo.fullName(), s.id), "before": nil,
		"after": s.commit.sha, "pull_requests": p.checkedPulls(s), "app": p.appPayload(s.app), "created_at": stamp(s.created),
		"updated_at": stamp(s.updated),
	}
	if len(s.commit.parents) > 0 {
		payload["before"] = s.commit.parents[0].sha
	}
	return payload
}

// suiteWebhook is a suite as its webhooks show it.
func (p *Playground) suiteWebhook(s *checkSuite) object {
	payload := p.suiteCore(s)
	author := signature(s.commit)
	person := object{"name": author["name"], "email": author["email"]}
	payload["head_commit"] = object{
		"id": s.commit.sha, "tree_id": s.commit.treeSHA(), "message": s.commit.message, "timestamp": stamp(s.commit.date),
		"author": person, "committer": person,
	}
	payload["latest_check_runs_count"] = len(s.latest())
	payload["check_runs_url"] = p.api("/repos/%s/check-suites/%d/check-runs", s.repo.fullName(), s.id)
	payload["rerequestable"], payload["runs_rerequestable"] = true, true
	return payload
}

// suitePayload is a suite as the REST API shows it.
func (p *Playground) suitePayload(s *checkSuite) object {
	payload := p.suiteWebhook(s)
	payload["repository"] = p.repositoryPayload(s.repo)
	return payload
}

// runPayload is a check run as the REST API shows it.
func (p *Playground) runPayload(run *checkRun) object {
	u := p.api("/repos/%s/check-runs/%d", run.suite.repo.fullName(), run.id)
	page := p.html("/%s/runs/%d", run.suite.repo.fullName(), run.id)
	return object{
		"id": run.id, "name": run.name, "node_id": nodeID("CR", run.id), "head_sha": run.suite.commit.sha, "external_id": run.externalID,
		"url": u, "html_url": page, "details_url": cmp.Or(run.detailsURL, page), "status": run.status,
		"conclusion": orNull(run.conclusion), "started_at": stamp(run.started), "completed_at": stamp(run.completed),
		"output": object{
			"title": run.output.Title, "summary": run.output.Summary, "text": run.output.Text, "annotations_count": 0,
			"annotations_url": u + "/annotations",
		},
		"check_suite": object{"id": run.suite.id}, "app": p.appPayload(run.suite.app), "pull_requests": p.checkedPulls(run.suite),
	}
}

func (p *Playground) emitRun(action string, by actor, run *checkRun) {
	payload := p.runPayload(run)
	payload["check_suite"] = p.suiteCore(run.suite)
	p.emit("check_run", action, by, run.suite.repo, object{"check_run": payload})
}

// changeRun tells of a run that was made or changed, and of its suite if that made it complete.
func (p *Playground) changeRun(by actor, run *checkRun, before string, created bool) {
	run.suite.updated = p.now()
	if created {
		p.emitRun("created", by, run)
	}
	if run.status == "completed" {
		p.emitRun("completed", by, run)
	}
	if status, _ := run.suite.standing(); status == "completed" && before != "completed" {
		p.emit("check_suite", "completed", by, run.suite.repo, object{"check_suite": p.suiteWebhook(run.suite)})
	}
}

// runBody is what POST and PATCH of check runs take.
type runBody struct {
	Name        *string      `json:"name"`
	HeadSHA     *string      `json:"head_sha"`
	DetailsURL  *string      `json:"details_url"`
	ExternalID  *string      `json:"external_id"`
	Status      *string      `json:"status"`
	Conclusion  *string      `json:"conclusion"`
	StartedAt   *time.Time   `json:"started_at"`
	CompletedAt *time.Time   `json:"completed_at"`
	Output      *checkOutput `json:"output"`
	Actions     []any        `json:"actions"`
}

func (c *call) runBody() (in runBody, err error) {
	if err := c.decode(&in); err != nil {
		return in, err
	}
	if len(in.Actions) > 0 || in.Output != nil && (len(in.Output.Annotations) > 0 || len(in.Output.Images) > 0) {
		c.p.unimplemented[c.route.Method+" "+c.route.Pattern+" with actions, annotations or images"]++
		return in, refuse(http.StatusNotImplemented, "The playground has neither actions, annotations nor images of check runs")
	}
	switch {
	case in.Status != nil && !slices.Contains([]string{"queued", "in_progress", "completed"}, *in.Status):
		return in, refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+*in.Status+" is not a member of [\"queued\", \"in_progress\", \"completed\"].")
	case in.Conclusion != nil && !slices.Contains(conclusions, *in.Conclusion):
		return in, refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+*in.Conclusion+" is not a conclusion that an App may give.")
	case in.Status != nil && *in.Status == "completed" && in.Conclusion == nil:
		return in, missing("conclusion")
	case in.Conclusion != nil && in.Status != nil && *in.Status != "completed":
		return in, refuse(http.StatusUnprocessableEntity, "Invalid request.\n\nA check run with a conclusion is completed.")
	case in.Output != nil && in.Output.Summary == nil:
		return in, missing("summary")
	case in.Output != nil && in.Output.Title == nil && c.route.Method == post:
		return in, missing("title")
	}
	return in, nil
}

// apply sets what a body says of a run.
func (in runBody) apply(run *checkRun, now time.Time) {
	for given, target := range map[*string]*string{in.Name: &run.name, in.DetailsURL: &run.detailsURL, in.ExternalID: &run.externalID, in.Status: &run.status} {
		if given != nil {
			*target = *given
		}
	}
	if in.StartedAt != nil {
		run.started = *in.StartedAt
	}
	if in.Conclusion != nil {
		run.status, run.conclusion, run.completed = "completed", *in.Conclusion, now
	}
	if run.status != "completed" {
		run.conclusion, run.completed = "", time.Time{}
	} else if in.CompletedAt != nil {
		run.completed = *in.CompletedAt
	}
	if in.Output != nil {
		run.output = *in.Output
	}
}

// byApp refuses those who are no App.
func (c *call) byApp() error {
	if !c.actor.asApp() {
		return refuse(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	return nil
}

// POST /repos/{owner}/{repo}/check-runs: for Apps only.
func createCheckRun(c *call) (any, error) {
	if err := c.byApp(); err != nil {
		return nil, err
	}
	in, err := c.runBody()
	if err != nil {
		return nil, err
	}
	switch {
	case in.Name == nil || strings.TrimSpace(*in.Name) == "":
		return nil, missing("name")
	case in.HeadSHA == nil:
		return nil, missing("head_sha")
	}
	at := c.repo.commitAt(*in.HeadSHA)
	if at == nil || at.sha != *in.HeadSHA {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+*in.HeadSHA)
	}
	run := c.p.newRun(c.actor, c.repo, c.actor.app, at, in)
	payload := c.p.runPayload(run)
	c.header.Set("Location", payload["url"].(string))
	return payload, nil
}

func (p *Playground) newRun(by actor, r *repository, a *app, at *commit, in runBody) *checkRun {
	s, _ := p.suite(r, a, at)
	before, _ := s.standing()
	run := &checkRun{id: p.nextID(), suite: s, status: "queued", started: p.now()}
	in.apply(run, p.now())
	s.runs = append(s.runs, run)
	p.changeRun(by, run, before, true)
	return run
}

func (c *call) checkRun() (*checkRun, error) {
	for _, s := range c.repo.suites {
		for _, run := range s.runs {
			if run.id == c.number("check_run_id") {
				return run, nil
			}
		}
	}
	return nil, errNotFound
}

// GET /repos/{owner}/{repo}/check-runs/{check_run_id}
func getCheckRun(c *call) (any, error) {
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	return c.p.runPayload(run), nil
}

// PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}: for the App that made it.
func updateCheckRun(c *call) (any, error) {
	if err := c.byApp(); err != nil {
		return nil, err
	}
	in, err := c.runBody()
	if err != nil {
		return nil, err
	}
	run, err := c.checkRun()
	if err != nil {
		return nil, err
	}
	if run.suite.app != c.actor.app {
		return nil, refuse(http.StatusForbidden, fmt.Sprintf("Invalid app_id `%d` - check run can only be modified by the GitHub App that created it.", c.actor.app.ID))
	}
	before, _ := run.suite.standing()
	in.apply(run, c.p.now())
	c.p.changeRun(c.actor, run, before, false)
	return c.p.runPayload(run), nil
}

// runPage lists runs of suites, the newest suite first, as the query wants them.
func (c *call) runPage(suites []*checkSuite) (any, error) {
	status, err := c.choice("status", "", "queued", "in_progress", "completed")
	if err != nil {
		return nil, err
	}
	which, err := c.choice("filter", "latest", "all")
	if err != nil {
		return nil, err
	}
	var found []*checkRun
	for _, s := range slices.Backward(suites) {
		runs := s.latest()
		if which == "all" {
			runs = s.runs
		}
		for _, run := range slices.Backward(runs) {
			name := c.query.Get("check_name")
			if (status == "" || run.status == status) && (name == "" || run.name == name) {
				found = append(found, run)
			}
		}
	}
	return object{"total_count": len(found), "check_runs": each(page(c, found), c.p.runPayload)}, nil
}

// suitesOfRef are the suites of the commit in the path, of one App if the query says so.
func (c *call) suitesOfRef() ([]*checkSuite, error) {
	at := c.repo.commitAt(c.vars["ref"])
	if at == nil {
		return nil, refuse(http.StatusUnprocessableEntity, "No commit found for SHA: "+c.vars["ref"])
	}
	suites := c.repo.suitesOf(at)
	if given := c.query.Get("app_id"); given != "" {
		id, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil, refuse(http.StatusUnprocessableEntity, "Invalid request.\n\n"+given+" is not an integer.")
		}
		suites = slices.DeleteFunc(suites, func(s *checkSuite) bool { return s.app.ID != id })
	}
	return suites, nil
}

// GET /repos/{owner}/{repo}/commits/{ref}/check-runs
func listCheckRuns(c *call) (any, error) {
	suites, err := c.suitesOfRef()
	if err != nil {
		return nil, err
	}
	return c.runPage(suites)
}

// GET /repos/{owner}/{repo}/commits/{ref}/check-suites
func listCheckSuites(c *call) (any, error) {
	suites, err := c.suitesOfRef()
	if err != nil {
		return nil, err
	}
	if name := c.query.Get("check_name"); name != "" {
		suites = slices.DeleteFunc(suites, func(s *checkSuite) bool {
			return !slices.ContainsFunc(s.runs, func(run *checkRun) bool { return run.name == name })
		})
	}
	return object{"total_count": len(suites), "check_suites": each(page(c, suites), c.p.suitePayload)}, nil
}

func (c *call) checkSuite() (*checkSuite, error) {
	for _, s := range c.repo.suites {
		if s.id == c.number("check_suite_id") {
			return s, nil
		}
	}
	return nil, errNotFound
}

// GET /repos/{owner}/{repo}/check-suites/{check_suite_id}
func getCheckSuite(c *call) (any, error) {
	s, err := c.checkSuite()
	if err != nil {
		return nil, err
	}
	return c.p.suitePayload(s), nil
}

// GET /repos/{owner}/{repo}/check-suites/{check_suite_id}/check-runs
func listRunsOfSuite(c *call) (any, error) {
	s, err := c.checkSuite()
	if err != nil {
		return nil, err
	}
	return c.runPage([]*checkSuite{s})
}
