package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"github.com/google/go-github/v62/github"
)

// thread is an issue or a pull request with everything that happened to it.
type thread struct {
	row
	StateWord string // open, closed, closed as not planned, merged
	Locked    bool
	Body      template.HTML
	Reactions []reaction
	Items     []item
	Picks     []pick
}

// pick is a label of the repository in the picker.
type pick struct {
	chip
	On bool
}

// issueView is the page of an issue.
type issueView struct {
	frame
	Issue thread
	Draft string // a comment that could not be written
}

func showIssue(v *visit) error {
	number, err := v.number()
	if err != nil {
		return err
	}
	return v.showThread(number, "")
}

// showThread shows an issue; draft is a comment that was refused.
func (v *visit) showThread(number int, draft string) error {
	repo, err := v.repository()
	if err != nil {
		return err
	}
	found, err := v.thread(number)
	if err != nil {
		return err
	}
	if v.r.Method == http.MethodGet && found.Path != v.r.URL.EscapedPath() {
		return &elsewhere{found.Path} // it was transferred, or is a pull request, or its repository was renamed
	}
	version, err := found.version()
	if err != nil {
		return err
	}
	content := issueView{frame: v.frame(fmt.Sprintf("%s · #%d", found.Title, number), repo), Issue: found, Draft: draft}
	content.Tab = "issues"
	content.Live, content.Version = fmt.Sprintf("%s/issues/%d/live", repo.Path(), number), version
	if v.r.Method != http.MethodGet {
		content.Back = found.Path
	}
	content.reloading(v.r)
	return v.show("issue", content)
}

// showLive answers the script with those parts of an issue's page that change, or with 204 if ?version still holds.
func showLive(v *visit) error {
	number, err := v.number()
	if err != nil {
		return err
	}
	found, err := v.thread(number)
	if err != nil {
		v.status, _ = meaning(err)
		http.Error(v.w, http.StatusText(v.status), v.status)
		return nil
	}
	version, err := found.version()
	if err != nil {
		return err
	}
	if v.r.URL.Query().Get("version") == version {
		v.w.WriteHeader(http.StatusNoContent)
		return nil
	}
	return v.show("issue-live", issueView{Issue: found, frame: frame{
		Version: version, Repo: &repository{Owner: v.r.PathValue("owner"), Name: v.r.PathValue("repo")},
	}})
}

// version changes whenever the issue looks different. How long ago things happened doesn't count.
func (t thread) version() (string, error) {
	t.Created.Ago = ""
	t.Items = slices.Clone(t.Items)
	for i := range t.Items {
		t.Items[i].At.Ago = ""
	}
	text, err := json.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("tell versions of an issue apart: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8]), nil
}

func (v *visit) thread(number int) (thread, error) {
	issue, _, err := v.github.Issues.Get(v.ctx(), v.owner(), v.repo(), number)
	if err != nil {
		return thread{}, err //nolint:wrapcheck // shown as it is
	}
	labels, err := v.repositoryLabels()
	if err != nil {
		return thread{}, err
	}
	t := thread{row: v.row(issue), StateWord: stateWord(issue), Locked: issue.GetLocked()}
	if t.Body, err = rendered(issue.GetBody()); err != nil {
		return thread{}, err
	}
	if t.Reactions, err = v.issueReactions(issue); err != nil {
		return thread{}, err
	}
	if t.Items, err = v.items(number, labels); err != nil {
		return thread{}, err
	}
	t.Picks = v.picks(labels, issue.Labels)
	return t, nil
}

func stateWord(issue *github.Issue) string {
	switch {
	case issue.GetState() == "open":
		return "Open"
	case issue.GetStateReason() == "not_planned":
		return "Closed as not planned"
	default:
		return "Closed"
	}
}

// picks lists the repository's labels for the picker: those on the issue first, as GitHub's does.
func (g *page) picks(labels, on []*github.Label) []pick {
	var first, rest []pick
	for _, l := range labels {
		if slices.ContainsFunc(on, func(other *github.Label) bool { return other.GetID() == l.GetID() }) {
			first = append(first, pick{g.chipOf(l), true})
		} else {
			rest = append(rest, pick{g.chipOf(l), false})
		}
	}
	return append(first, rest...)
}

// newIssueView is the form for a new issue.
type newIssueView struct {
	frame
	TitleDraft, BodyDraft string
	Picks                 []pick
}

func showNewIssue(v *visit) error { return v.showIssueForm("", "", nil) }

// showIssueForm shows the form for a new issue, filled with what a refused one held.
func (v *visit) showIssueForm(title, body string, chosen []string) error {
	repo, err := v.repository()
	if err != nil {
		return err
	}
	labels, err := v.repositoryLabels()
	if err != nil {
		return err
	}
	content := newIssueView{frame: v.frame("New issue in "+repo.Owner+"/"+repo.Name, repo), TitleDraft: title, BodyDraft: body}
	content.Tab = "issues"
	for _, l := range labels {
		content.Picks = append(content.Picks, pick{v.chipOf(l), slices.Contains(chosen, l.GetName())})
	}
	if v.r.Method != http.MethodGet {
		content.Back = repo.Path() + "/issues/new"
	}
	return v.show("new-issue", content)
}

// Key is the number as text.
func (r row) Key() string { return strconv.Itoa(r.Number) }
