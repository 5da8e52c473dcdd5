package page

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/google/go-github/v62/github"
)

// perPage is the most that the API gives at a time; listed is how many issues a page shows.
const (
	perPage = 100
	listed  = 30
)

// row is an issue in a list.
type row struct {
	Path     string
	Number   int
	Title    string
	Pull     bool
	Open     bool
	Planned  bool // closed as completed
	Labels   []chip
	Author   person
	Created  moment
	Comments int
}

// filter is what the list is narrowed to; its fields are the query's.
type filter struct {
	Base  string
	State string // open, closed or all
	Label string
	Page  int
}

// With is the address of the list with one thing changed, from its first page on.
func (f filter) With(name, value string) string {
	query := url.Values{}
	for key, given := range map[string]string{"state": f.State, "label": f.Label} {
		if given != "" && given != "open" {
			query.Set(key, given)
		}
	}
	query.Set(name, value)
	if value == "" || name == "state" && value == "open" {
		query.Del(name)
	}
	if len(query) == 0 {
		return f.Base
	}
	return f.Base + "?" + query.Encode()
}

// At is the address of another page of the list.
func (f filter) At(number int) string { return f.With("page", strconv.Itoa(number)) }

// live is where the script asks for news of the list.
func (f filter) live() string {
	f.Base += "/live"
	if f.Page > 1 {
		return f.At(f.Page)
	}
	return f.With("page", "")
}

func (v *visit) filter(r *repository) filter {
	query := v.r.URL.Query()
	f := filter{Base: r.Path() + "/issues", State: query.Get("state"), Label: query.Get("label"), Page: 1}
	if f.State == "" {
		f.State = "open"
	}
	if n, err := strconv.Atoi(query.Get("page")); err == nil && n > 0 {
		f.Page = n
	}
	return f
}

// issuesView is the page of a list of issues.
type issuesView struct {
	frame
	Filter          filter
	Labels          []chip
	Rows            []row
	Open, Closed    int
	Previous, Later int
}

func showIssues(v *visit) error {
	content, err := v.issuesView()
	if err != nil {
		return err
	}
	return v.show("issues", content)
}

// showLiveIssues answers with the list if it is not what the page shows.
func showLiveIssues(v *visit) error {
	content, err := v.issuesView()
	if err != nil {
		return err
	}
	if v.r.URL.Query().Get("version") == content.Version {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return v.show("issues-live", content)
}

func (v *visit) issuesView() (content issuesView, err error) {
	repo, err := v.repository()
	if err != nil {
		return content, err
	}
	wanted := v.filter(repo)
	options := &github.IssueListByRepoOptions{State: wanted.State, ListOptions: github.ListOptions{Page: wanted.Page, PerPage: listed}}
	if wanted.Label != "" {
		options.Labels = []string{wanted.Label}
	}
	issues, response, err := v.github.Issues.ListByRepo(v.ctx(), v.owner(), v.repo(), options)
	if err != nil {
		return content, err //nolint:wrapcheck // shown as it is
	}
	labels, err := v.repositoryLabels()
	if err != nil {
		return content, err
	}
	content = issuesView{frame: v.frame(repo.Owner+"/"+repo.Name, repo), Filter: wanted, Labels: v.chipsOf(labels), Previous: response.PrevPage, Later: response.NextPage}
	content.Tab, content.Unfold = "issues", true
	for state, count := range map[string]*int{"open": &content.Open, "closed": &content.Closed} {
		if *count, err = v.countIssues(state, options.Labels); err != nil {
			return content, err
		}
	}
	for _, issue := range issues {
		content.Rows = append(content.Rows, v.row(issue))
	}
	content.Live = wanted.live()
	shown := sha256.Sum256(fmt.Append(nil, content.Rows, content.Open, content.Closed))
	content.Version = hex.EncodeToString(shown[:8])
	return content, nil
}

func (v *visit) row(issue *github.Issue) row {
	return row{
		Path: pathOf(issue.GetHTMLURL()), Number: issue.GetNumber(), Title: issue.GetTitle(), Pull: issue.IsPullRequest(),
		Open: issue.GetState() == "open", Planned: issue.GetStateReason() != "not_planned", Labels: v.chipsOf(issue.Labels),
		Author: named(issue.GetUser().GetLogin()), Created: v.moment(issue.GetCreatedAt().Time), Comments: issue.GetComments(),
	}
}

// countIssues asks for pages of one issue: the last page's number is how many there are.
func (v *visit) countIssues(state string, labels []string) (int, error) {
	issues, response, err := v.github.Issues.ListByRepo(v.ctx(), v.owner(), v.repo(), &github.IssueListByRepoOptions{
		State: state, Labels: labels, ListOptions: github.ListOptions{PerPage: 1},
	})
	if err != nil {
		return 0, err //nolint:wrapcheck // shown as it is
	}
	return max(response.LastPage, len(issues)), nil
}

// repositoryLabels are all labels of the repository.
func (v *visit) repositoryLabels() ([]*github.Label, error) {
	return all(func(options *github.ListOptions) ([]*github.Label, *github.Response, error) {
		return v.github.Issues.ListLabels(v.ctx(), v.owner(), v.repo(), options)
	})
}

// all reads a list to its last page.
func all[T any](list func(*github.ListOptions) ([]T, *github.Response, error)) ([]T, error) {
	var items []T
	options := &github.ListOptions{PerPage: perPage}
	for {
		some, response, err := list(options)
		if err != nil {
			return nil, err
		}
		items = append(items, some...)
		if response.NextPage == 0 {
			return items, nil
		}
		options.Page = response.NextPage
	}
}

func showLabels(v *visit) error {
	repo, err := v.repository()
	if err != nil {
		return err
	}
	labels, err := v.repositoryLabels()
	if err != nil {
		return err
	}
	f := v.frame("Labels of "+repo.Owner+"/"+repo.Name, repo)
	f.Tab = "labels"
	return v.show("labels", struct {
		frame
		Labels []chip
		Filter filter
	}{f, v.chipsOf(labels), v.filter(repo)})
}

// pathOf is where this page has what the API's html_url names.
func pathOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "/"
	}
	return "/" + strings.TrimLeft(parsed.EscapedPath(), "/")
}
