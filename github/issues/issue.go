package issues

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
)

// fetch reads an issue. The error is the one of the call.
func fetch(ctx context.Context, client *github.Client, owner, name string, number int) (*related, *github.Response, error) {
	issue := &related{}
	response, err := ask(ctx, client, http.MethodGet, fmt.Sprintf("repos/%s/%s/issues/%d", owner, name, number), nil, issue)
	return issue, response, err
}

// get reads an issue of its repository. The error is ErrGone if there is no such issue there.
func get(ctx context.Context, client *github.Client, ref Ref) (*related, error) {
	issue, response, err := fetch(ctx, client, ref.Owner, ref.Name, ref.Number)
	if err != nil {
		return nil, fmt.Errorf("read issue %s: %w", ref, asNotFound(err))
	}
	if moved(issue, response, ref) {
		return nil, fmt.Errorf("read issue %s: it is %s now: %w", ref, issue.URL, ErrMoved)
	}
	return issue, nil
}

type logs struct {
	connection
	pages pageCache[logPage]
}

// Load reads an issue and its log, in two calls if the log fits one page. The issue is read first: should something happen in between, the log is the
// newer of the two, and what is decided from it can be written twice without harm. The error is ErrGone if there is no such issue in this repository.
func (s logs) Load(ctx context.Context, ref Ref) (View, error) {
	client := s.client(ref.Repository)
	v, err := s.withoutLog(ctx, client, ref)
	if err != nil || v.PullRequest || v.Dashboard {
		return v, err
	}
	err = s.log(ctx, client, &v, v.ID)
	return v, err
}

// LoadTold is Load for an issue that GitHub says to have changed at a time, and reads both at the same time. If the issue did not change since, nor
// since the last event of the log, the log is not the older of the two; else the log is read again.
func (s logs) LoadTold(ctx context.Context, ref Ref, told time.Time) (View, error) {
	client := s.client(ref.Repository)
	join := s.forkLog(ctx, client, ref)
	v, err := s.withoutLog(ctx, client, ref)
	log, logErr := join()
	switch id := strconv.FormatInt(v.ID, 10); {
	case err != nil, v.PullRequest, v.Dashboard:
		return v, err
	case logErr != nil:
		return v, fmt.Errorf("read the events of %s: %w", ref, logErr)
	case log.issue == "", log.issue == id:
		log.issue = id
		s.pages.keep(log)
		if !v.Updated.After(Latest(told, newestOf(log.pages))) {
			s.actors.add(&v, log.pages)
			return v, nil
		}
	}
	err = s.log(ctx, client, &v, v.ID)
	return v, err
}

// forkLog begins to read the log of the issue that has a number, and returns what waits for it.
func (s logs) forkLog(ctx context.Context, client *github.Client, ref Ref) (join func() (knownPages[logPage], error)) {
	var log knownPages[logPage]
	var err error
	wait := s.Begin(func() {
		log, err = s.pages.known(s.Settings, ref).read(ctx, s.Settings, ref, logReader(ctx, client, ref))
	})
	return func() (knownPages[logPage], error) {
		wait()
		return log, err
	}
}

func newestOf(pages []logPage) (at time.Time) {
	for _, p := range pages {
		at = Latest(at, p.newest)
	}
	return at
}

func (s logs) withoutLog(ctx context.Context, client *github.Client, ref Ref) (View, error) {
	issue, err := get(ctx, client, ref)
	if err != nil {
		return View{}, err
	}
	return s.actors.viewOf(ref, issue), nil
}

// WithLog reads the log of an issue that Views listed, in one call if it fits one page.
func (s logs) WithLog(ctx context.Context, v View) (View, error) {
	if err := s.log(ctx, s.client(v.Ref.Repository), &v, v.ID); err != nil {
		return View{}, asNotFound(err)
	}
	return v, nil
}

// viewOf is an issue without its log.
func (c *Actors) viewOf(ref Ref, issue *related) View {
	v := View{
		Ref: ref, ID: issue.ID, NodeID: issue.NodeID, Title: issue.Title, Body: issue.Body,
		Author: c.actorOf(issue.User), Association: issue.Association,
		Created: issue.Created, Updated: issue.Updated,
		PullRequest: issue.isPullRequest(), Dashboard: c.isDashboard(issue), Closed: issue.State == "closed", ClosedAt: issue.Closed, ClosedAs: issue.StateReason, Locked: issue.Locked,
		Reactions: issue.Reactions.Total, Milestone: issue.Milestone.Title, Type: issue.Type.Name,
		Uncommented: issue.Comments != nil && *issue.Comments == 0,
	}
	for _, a := range issue.Assignees {
		v.Assignees = append(v.Assignees, a.Login)
	}
	if issue.SubIssues != nil {
		v.SubIssues = &Progress{Done: issue.SubIssues.Completed, Total: issue.SubIssues.Total}
	}
	if issue.Dependencies != nil {
		v.BlockedBy = &issue.Dependencies.TotalBlockedBy
	}
	v.Labels = labelNames(issue)
	return v
}

// Get reads an issue without its log. The error is ErrGone if there is no such issue in this repository.
func (s logs) Get(ctx context.Context, ref Ref) (View, error) {
	v, err := s.withoutLog(ctx, s.client(ref.Repository), ref)
	return v, asHidden(err)
}

// byID is the address by id that GitHub redirects to:
// https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects.
var byID = regexp.MustCompile(`/repositories/(\d+)/issues/\d+$`)

// moved reports whether GitHub redirected us to an issue of another repository or number. A repository that was renamed is the
// same one, as its id tells; the issue itself tells only the name of its repository.
func moved(issue *related, response *github.Response, ref Ref) bool {
	if issue.Number != ref.Number {
		return true
	}
	if id := byID.FindStringSubmatch(response.Request.URL.Path); id != nil && ref.ID != 0 {
		return id[1] != strconv.FormatInt(ref.ID, 10)
	}
	repo := strings.ToLower(issue.RepositoryURL)
	return repo != "" && !strings.HasSuffix(repo, strings.ToLower("/repos/"+ref.Owner+"/"+ref.Name))
}
