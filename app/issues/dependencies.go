package issues

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/commands"
)

// Bounds of what is read about dependencies of one issue at once.
const (
	// dependenciesRead is how many of an issue's dependencies count, those of GitHub's own list first.
	dependenciesRead = 50
	// cycleReads is how many issues a search for a cycle looks at.
	cycleReads = 50
)

// dependency is an issue that another one depends on.
type dependency struct {
	to commands.Reference // with its repository
	// issue is nil if it cannot be read: it is not there, or of a repository out of reach.
	issue *related
	// deleted says that the issue was there. GitHub tells that of repositories that Colony can read
	// (https://docs.github.com/rest/issues/issues#get-an-issue).
	deleted bool
}

func (d dependency) open() bool {
	return !d.deleted && (d.issue == nil || d.issue.GetState() == "open")
}

// dropped reports whether a dependency was deleted, or closed without being completed; of a pull request, without being merged.
func (d dependency) dropped() bool {
	switch {
	case d.deleted:
		return true
	case d.open():
		return false
	case d.issue.IsPullRequest():
		return d.issue.PullRequestLinks.MergedAt == nil
	}
	return d.issue.GetStateReason() == "not_planned" || d.issue.GetStateReason() == "duplicate"
}

// name is what people call a dependency in its dependent's repository.
func (d dependency) name(from Repository) string {
	if strings.EqualFold(d.to.Owner, from.Owner) && strings.EqualFold(d.to.Name, from.Name) {
		return commands.Reference{Number: d.to.Number}.String()
	}
	return d.to.String()
}

// dependencyFacts observes how the issues are that this one depends on. One that cannot be read counts as open.
func (r *factReader) dependencyFacts(ctx context.Context) error {
	depends, err := r.dependencies(ctx)
	if err != nil {
		return err
	}
	completed := len(depends) > 0
	for _, d := range depends {
		switch {
		case d.open():
			completed = false
			r.observe("dependency-open", time.Time{}, d.name(r.view.Ref.Repository))
		case d.dropped():
			completed = false
			r.observe("dependency-dropped", time.Time{}, d.name(r.view.Ref.Repository))
		}
	}
	if completed {
		r.observe("dependencies-closed", time.Time{}, "")
	}
	return nil
}

// dependencies reads the issues that this one depends on, once.
func (r *factReader) dependencies(ctx context.Context) ([]dependency, error) {
	if r.dependsRead {
		return r.depends, nil
	}
	count := -1
	if r.view.BlockedBy != nil {
		count = *r.view.BlockedBy
	}
	depends, err := r.dependenciesOf(ctx, r.view.Ref, r.view.Body, count, r.ask.Links)
	if err != nil {
		return nil, err
	}
	for i, d := range depends {
		if d.issue != nil {
			continue
		}
		if depends[i].issue, err = r.issue(ctx, d.to); isStatus(err, http.StatusGone) {
			depends[i].deleted = true
		} else if err != nil {
			return nil, err
		}
	}
	r.depends, r.dependsRead = depends, true
	return depends, nil
}

// dependenciesOf lists what an issue depends on: by GitHub's own list
// (https://docs.github.com/rest/issues/issue-dependencies), by its text, and by commands. Those of the first come with their
// issue. The count is how many the list has; negative if that is not known.
func (r *factReader) dependenciesOf(ctx context.Context, ref Ref, body string, count int, links commands.Links) ([]dependency, error) {
	var all []dependency
	add := func(d dependency) {
		same := func(other commands.Reference) bool { return other.Same(d.to) }
		known := slices.ContainsFunc(all, func(k dependency) bool { return same(k.to) })
		itself := same(commands.Reference{Owner: ref.Owner, Name: ref.Name, Number: ref.Number})
		if !known && !itself && len(all) < dependenciesRead {
			all = append(all, d)
		}
	}
	if count != 0 {
		blockers, err := relations(ctx, r.client, ref, "dependencies/blocked_by")
		if err != nil {
			return nil, err
		}
		for _, b := range blockers {
			if owner, name, ok := repositoryOf(&b.Issue); ok {
				add(dependency{to: commands.Reference{Owner: owner, Name: name, Number: b.GetNumber()}, issue: &b})
			}
		}
	}
	// What was said to be independent is so for the text. Whoever puts it on GitHub's own list afterwards says otherwise.
	written := slices.DeleteFunc(commands.DependsOn(body), func(to commands.Reference) bool {
		return slices.ContainsFunc(links.Off, to.In(ref.Owner, ref.Name).Same)
	})
	for _, to := range slices.Concat(written, links.On) {
		add(dependency{to: to.In(ref.Owner, ref.Name)})
	}
	return all, nil
}

// issue reads an issue that may be of another repository; it is nil if it is not there for Colony. That it was deleted (410) is an
// error.
func (r *factReader) issue(ctx context.Context, at commands.Reference) (*related, error) {
	request, err := r.client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/issues/%d", at.Owner, at.Name, at.Number), nil)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", at, err)
	}
	var issue related
	_, err = r.client.Do(ctx, request, &issue)
	switch {
	case isStatus(err, http.StatusNotFound), isStatus(err, http.StatusForbidden), isStatus(err, http.StatusUnavailableForLegalReasons):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", at, err)
	}
	return &issue, nil
}

// cycles observes that the open dependencies lead back to the issue. Only what GitHub and the texts of the issues say is followed:
// the commands on other issues are not read. Of a large net, what is near is searched.
func (r *factReader) cycles(ctx context.Context) error {
	start := commands.Reference{Owner: r.view.Ref.Owner, Name: r.view.Ref.Name, Number: r.view.Ref.Number}
	first, err := r.dependencies(ctx)
	if err != nil {
		return err
	}
	type step struct {
		dependency
		way []string
	}
	name := func(d dependency) string { return d.name(r.view.Ref.Repository) }
	var queue []step
	seen := map[string]bool{}
	push := func(way []string, next []dependency) {
		for _, d := range next {
			if key := strings.ToLower(d.to.String()); d.open() && !seen[key] {
				seen[key] = true
				queue = append(queue, step{d, append(slices.Clone(way), name(d))})
			}
		}
	}
	own := name(dependency{to: start})
	push([]string{own}, first)
	for reads := 0; len(queue) > 0 && reads < cycleReads; reads++ {
		here := queue[0]
		queue = queue[1:]
		if here.issue == nil {
			if here.issue, err = r.issue(ctx, here.to); err != nil && !isStatus(err, http.StatusGone) {
				return err
			}
		}
		if here.issue == nil || !here.open() {
			continue
		}
		next, err := r.dependenciesOf(ctx, here.ref(r.view.Ref.Installation), here.issue.GetBody(), here.issue.blockers(), commands.Links{})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(next, func(d dependency) bool { return d.to.Same(start) }) {
			r.observe("dependency-cycle", time.Time{}, strings.Join(append(here.way, own), " → "))
			return nil
		}
		push(here.way, next)
	}
	return nil
}

func (d dependency) ref(installation int64) Ref {
	return Ref{Repository: Repository{Installation: installation, Owner: d.to.Owner, Name: d.to.Name}, Number: d.to.Number}
}

// blockers is how many issues GitHub's list of an issue's dependencies has; -1 if it does not tell.
func (i *related) blockers() int {
	if i.Dependencies == nil {
		return -1
	}
	return i.Dependencies.TotalBlockedBy
}
