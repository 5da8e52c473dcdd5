package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
)

// createIssue opens an issue from the form's title, body and labels.
func createIssue(v *visit) error {
	if err := v.r.ParseForm(); err != nil {
		return fmt.Errorf("read the form: %w", err)
	}
	title, body, labels := v.r.PostForm.Get("title"), v.r.PostForm.Get("body"), v.r.PostForm["label"]
	request := &github.IssueRequest{Title: &title, Body: &body}
	if len(labels) > 0 {
		request.Labels = &labels
	}
	made, _, err := v.github.Issues.Create(v.ctx(), v.owner(), v.repo(), request)
	if err != nil {
		v.refuse("open an issue", err)
		return v.showIssueForm(title, body, labels)
	}
	return v.to(pathOf(made.GetHTMLURL()))
}

// editLabels applies the picker as GitHub's does: one request for each label that was checked or unchecked, so that each is an event of its own. The
// form says in "was" which labels were on the issue when it was shown: what someone else changed since then is left alone.
func editLabels(v *visit) error {
	number, err := v.number()
	if err != nil {
		return err
	}
	if err := v.r.ParseForm(); err != nil {
		return fmt.Errorf("read the form: %w", err)
	}
	was, wanted := v.r.PostForm["was"], v.r.PostForm["label"]
	for _, name := range wanted {
		if slices.Contains(was, name) {
			continue
		}
		if _, _, err := v.github.Issues.AddLabelsToIssue(v.ctx(), v.owner(), v.repo(), number, []string{name}); err != nil {
			v.refuse("add the label "+name, err)
			return v.showThread(number, "")
		}
	}
	for _, name := range was {
		if slices.Contains(wanted, name) {
			continue
		}
		// go-github puts the name into the address as it is.
		if _, err := v.github.Issues.RemoveLabelForIssue(v.ctx(), v.owner(), v.repo(), number, url.PathEscape(name)); err != nil && !alreadyOff(err) {
			v.refuse("remove the label "+name, err)
			return v.showThread(number, "")
		}
	}
	return v.toIssue(number, "")
}

// alreadyOff is whether a label could not be removed because it is not on the issue.
func alreadyOff(err error) bool {
	_, text := meaning(err)
	return strings.HasPrefix(text, "Label does not exist")
}

// talk writes the form's comment, if there is one, and then closes or reopens the issue, if "state" says so.
func talk(v *visit) error {
	number, err := v.number()
	if err != nil {
		return err
	}
	body, state := v.r.PostFormValue("body"), v.r.PostFormValue("state")
	at := ""
	if strings.TrimSpace(body) != "" || state == "" {
		written, _, err := v.github.Issues.CreateComment(v.ctx(), v.owner(), v.repo(), number, &github.IssueComment{Body: &body})
		if err != nil {
			v.refuse("comment", err)
			return v.showThread(number, body)
		}
		at = fmt.Sprintf("#issuecomment-%d", written.GetID())
	}
	if state != "" {
		change, known := stateChanges[state]
		if !known {
			return errNoPage
		}
		if _, _, err := v.github.Issues.Edit(v.ctx(), v.owner(), v.repo(), number, &change.request); err != nil {
			v.refuse(change.what, err)
			return v.showThread(number, "")
		}
	}
	return v.toIssue(number, at)
}

// stateChanges are the values that the buttons below the comment send.
var stateChanges = map[string]struct {
	what    string
	request github.IssueRequest
}{
	"completed":   {"close this", github.IssueRequest{State: new("closed"), StateReason: new("completed")}},
	"not_planned": {"close this", github.IssueRequest{State: new("closed"), StateReason: new("not_planned")}},
	"reopened":    {"reopen this", github.IssueRequest{State: new("open"), StateReason: new("reopened")}},
}

func (v *visit) toIssue(number int, fragment string) error {
	return v.to(fmt.Sprintf("%s/issues/%d%s", below(v.r.PathValue("owner"), v.r.PathValue("repo")), number, fragment))
}
