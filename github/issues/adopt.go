package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// A label that a lifecycle adopts is renamed, so that it stays on its issues and in their history. GitHub refuses that where there is a
// label of the new name already; then the issues have to be given the one for the other.

// Adopted is a label under a name that a table adopts.
type Adopted struct {
	Is, Want lifecycle.Mark
	// Both says that the label which is wanted is there as well, so that this one cannot be renamed.
	Both bool
}

// adopted returns the label that a repository has under the first of the names that a label of the table had; empty if the repository has no such
// label.
func (t Table) adopted(have map[string]lifecycle.Mark, label string) string {
	for _, a := range t.Adopts {
		if is := have[strings.ToLower(a.From)]; is.Label != "" && lifecycle.SameLabel(a.To, label) {
			return is.Label
		}
	}
	return ""
}

func (t Table) adopts(label string) bool {
	return slices.ContainsFunc(t.Adopts, func(a lifecycle.Adoption) bool { return lifecycle.SameLabel(a.From, label) })
}

func (t Table) adoptions(have map[string]lifecycle.Mark) (all []Adopted) {
	taken := map[string]bool{}
	for _, a := range t.Adopts {
		is := have[strings.ToLower(a.From)]
		if is.Label == "" {
			continue
		}
		for _, want := range t.Marks {
			if to := strings.ToLower(a.To); lifecycle.SameLabel(want.Label, to) {
				all = append(all, Adopted{Is: is, Want: want, Both: have[to].Label != "" || taken[to]})
				taken[to] = true
			}
		}
	}
	return all
}

// Adopt renames a label to the name that a table wants, with the colour and the description. ok is false if it is gone, or if there is
// one of that name by now: then nothing was written.
func (l *LabelProvisioner) Adopt(ctx context.Context, repo Repository, a Adopted) (ok bool, err error) {
	return l.rename(ctx, l.store.client(repo), repo, a.Is.Label, a.Want)
}

// labelEdit is what GitHub takes to edit a label: https://docs.github.com/rest/issues/labels#update-a-label.
type labelEdit struct {
	NewName     string `json:"new_name"`
	Color       string `json:"color,omitempty"`
	Description string `json:"description,omitempty"`
}

// rename gives a label another name, and a colour and a description unless they are empty. ok is false if GitHub knows no such label, or
// one of the new name already.
func (l *LabelProvisioner) rename(ctx context.Context, client *github.Client, repo Repository, from string, to lifecycle.Mark) (ok bool, err error) {
	address := fmt.Sprintf("repos/%s/%s/labels/%s", repo.Owner, repo.Name, url.PathEscape(from))
	_, err = ask(ctx, client, http.MethodPatch, address, labelEdit{to.Label, to.Color, to.Description}, nil)
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusUnprocessableEntity) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("rename label %s of %s to %s: %w", from, repo, to.Label, err)
	}
	return true, nil
}

// NamesOf lists the labels of a repository that mean a state. Names that the lifecycle adopts are left out if the repository is known to
// have no such label.
func (l *LabelProvisioner) NamesOf(repo Repository, life *statemachine.Table, state string) []string {
	names := life.LabelsOf(state)
	if len(names) < 2 {
		return names
	}
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checked.IsZero() {
		return names
	}
	return append(names[:1:1], slices.DeleteFunc(names[1:], func(name string) bool { return !lifecycle.HasLabel(p.adopted, name) })...)
}
