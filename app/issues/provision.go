package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/statemachine"
)

// provisionedFor is how long a repository's labels are taken to be right without another look. Webhooks about labels end
// it at once; this is for those that were lost.
const provisionedFor = time.Hour

// Labels keeps the labels of repositories as a lifecycle wants them: created, with their colours and descriptions.
//
// It also keeps, on GitHub, since when Colony judges a repository: in the description of the mark Forced. What changed
// before that moment was done by people who did not know Colony yet, and is never rewritten. A description
// that was lost or edited away starts anew, which settles what stands. It is safe for concurrent use.
type Labels struct {
	store *Store
	want  []statemachine.Mark
	clock clockwork.Clock

	mu    sync.Mutex
	repos map[string]*provisioned
}

// provisioned is what is known of one repository.
type provisioned struct {
	mu      sync.Mutex
	since   time.Time
	checked time.Time
}

// NewLabels returns the keeper of these labels.
func NewLabels(store *Store, want []statemachine.Mark, clock clockwork.Clock) *Labels {
	return &Labels{store: store, want: want, clock: clock, repos: map[string]*provisioned{}}
}

// JudgedSince returns since when Colony judges the labels of a repository. It provisions the repository if that was not
// done lately.
func (l *Labels) JudgedSince(ctx context.Context, repo Repository) (time.Time, error) {
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.checked.IsZero() && l.clock.Since(p.checked) < provisionedFor {
		return p.since, nil
	}
	return l.provision(ctx, repo, p)
}

// Provision brings the labels of a repository in order, whenever that was done last.
func (l *Labels) Provision(ctx context.Context, repo Repository) error {
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := l.provision(ctx, repo, p)
	return err
}

// Rename gives a label of the lifecycle its name back, so that no issue loses its state. It does nothing for another label,
// or if somebody made the label anew.
func (l *Labels) Rename(ctx context.Context, repo Repository, from, to string) error {
	if !l.wanted(from) || statemachine.SameLabel(from, to) {
		return nil
	}
	client, err := l.store.client(repo)
	if err != nil {
		return err
	}
	_, _, err = client.Issues.EditLabel(ctx, repo.Owner, repo.Name, url.PathEscape(to), &github.Label{Name: &from})
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusUnprocessableEntity) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("rename label %s of %s back to %s: %w", to, repo, from, err)
	}
	return nil
}

func (l *Labels) wanted(name string) bool {
	for _, w := range l.want {
		if statemachine.SameLabel(w.Label, name) {
			return true
		}
	}
	return false
}

func (l *Labels) repo(repo Repository) *provisioned {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprintf("%d/%s", repo.Installation, strings.ToLower(repo.String()))
	if l.repos[key] == nil {
		l.repos[key] = &provisioned{}
	}
	return l.repos[key]
}

func (l *Labels) provision(ctx context.Context, repo Repository, p *provisioned) (time.Time, error) {
	client, err := l.store.client(repo)
	if err != nil {
		return time.Time{}, err
	}
	have, err := l.list(ctx, client, repo)
	if err != nil {
		return time.Time{}, err
	}
	since := judgedSince(have)
	if since.IsZero() {
		since = l.clock.Now().UTC().Truncate(time.Second)
	}
	for _, want := range l.want {
		if want.Label == statemachine.Forced {
			want.Description = withSince(want.Description, since)
		}
		if err := l.ensure(ctx, client, repo, have, want); err != nil {
			return time.Time{}, err
		}
	}
	p.since, p.checked = since, l.clock.Now()
	return since, nil
}

func (l *Labels) list(ctx context.Context, client *github.Client, repo Repository) (map[string]*github.Label, error) {
	have := map[string]*github.Label{}
	page := &github.ListOptions{PerPage: perPage}
	for {
		labels, response, err := client.Issues.ListLabels(ctx, repo.Owner, repo.Name, page)
		if err != nil {
			return nil, fmt.Errorf("list the labels of %s: %w", repo, gone(err))
		}
		for _, label := range labels {
			have[strings.ToLower(label.GetName())] = label
		}
		if response.NextPage == 0 {
			return have, nil
		}
		page.Page = response.NextPage
	}
}

// ensure creates a label, or repairs its colour and description. How its name is written is left to the repository.
func (l *Labels) ensure(ctx context.Context, client *github.Client, repo Repository, have map[string]*github.Label, want statemachine.Mark) error {
	is, ok := have[strings.ToLower(want.Label)]
	label := &github.Label{Name: &want.Label, Color: &want.Color, Description: &want.Description}
	if !ok {
		_, _, err := client.Issues.CreateLabel(ctx, repo.Owner, repo.Name, label)
		if alreadyExists(err) { // somebody else was faster; the next look repairs it
			return nil
		}
		if err != nil {
			return fmt.Errorf("create label %s in %s: %w", want.Label, repo, err)
		}
		return nil
	}
	if strings.EqualFold(is.GetColor(), want.Color) && is.GetDescription() == want.Description {
		return nil
	}
	label.Name = nil
	_, _, err := client.Issues.EditLabel(ctx, repo.Owner, repo.Name, url.PathEscape(is.GetName()), label)
	if err != nil {
		return fmt.Errorf("repair label %s in %s: %w", want.Label, repo, err)
	}
	return nil
}

func alreadyExists(err error) bool {
	var answer *github.ErrorResponse
	if !errors.As(err, &answer) {
		return false
	}
	for _, e := range answer.Errors {
		if e.Code == "already_exists" {
			return true
		}
	}
	return false
}

// The words after which the description of the mark Forced keeps since when the labels are judged. With the longest mark
// it stays within GitHub's 100 characters.
const sinceWords = " Labels judged since "

var sincePattern = regexp.MustCompile(sinceWords + `(\S+Z)\.$`)

func withSince(description string, since time.Time) string {
	return description + sinceWords + since.UTC().Format(time.RFC3339) + "."
}

func judgedSince(have map[string]*github.Label) time.Time {
	m := sincePattern.FindStringSubmatch(have[statemachine.Forced].GetDescription())
	if m == nil {
		return time.Time{}
	}
	since, err := time.Parse(time.RFC3339, m[1])
	if err != nil {
		return time.Time{}
	}
	return since
}
