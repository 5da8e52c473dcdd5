package issues

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
)

// Bounds of what is read about dependencies of one issue at a time.
const (
	// dependenciesRead is how many of an issue's dependencies count, those of GitHub's own list first.
	dependenciesRead = 50
	// cycleReads is how many issues a search for a cycle reads.
	cycleReads = 50
)

type dependency struct {
	to commands.Reference // with its repository
	// by is the text that names it; nil if it was no text.
	by *text
	// issue is nil if it cannot be read: it is not there, or of a repository out of reach.
	issue *related
	// deleted says that the issue was there. GitHub tells that of repositories that Colony can read
	// (https://docs.github.com/rest/issues/issues#get-an-issue).
	deleted bool
	// outcome is what its labels tell, if it is in the repository of the issue: others can have other states.
	outcome lifecycle.Outcome
}

// open reports whether a dependency is still waited for: also if it was closed as completed in the middle of its lifecycle.
func (d dependency) open() bool {
	switch {
	case d.deleted, d.outcome == lifecycle.Completed, d.outcome == lifecycle.Dropped:
		return false
	case d.issue == nil, d.issue.State == "open":
		return true
	}
	return d.outcome == lifecycle.UnderWay && !dropped(d.issue.StateReason)
}

// dropped reports whether a dependency was deleted, or closed without being completed; of a pull request, without being merged.
func (d dependency) dropped() bool {
	switch {
	case d.deleted, d.outcome == lifecycle.Dropped:
		return true
	case d.open(), d.outcome == lifecycle.Completed:
		return false
	case d.issue.isPullRequest():
		return d.issue.PullRequest.Merged.IsZero()
	}
	return dropped(d.issue.StateReason)
}

// dependencies are the issues that one depends on, read once.
type dependencies struct {
	*onlookers

	client *github.Client
	view   View
	links  commands.Links
	// outcome is Ask.Outcome.
	outcome func(labels []string) lifecycle.Outcome
	all     []dependency
	read    bool
	others  bool // one of the issues that were named is of another repository, or a pull request
}

// name notes where an issue is that counts.
func (r *dependencies) name(to commands.Reference) {
	here := r.view.Ref
	r.others = r.others || !strings.EqualFold(to.Owner, here.Owner) || !strings.EqualFold(to.Name, here.Name)
}

// dependencyFacts observes how the issues are that this one depends on. One that is not there counts as open.
func dependencyFacts(ctx context.Context, r *reading) error {
	depends, err := r.depends.list(ctx)
	if err != nil {
		return err
	}
	if len(depends) == 0 {
		// when the issue lost a dependency last, as far as its log and the commands on it tell
		r.observe("dependencies-none", Latest(r.depends.links.OffAt, r.depends.view.Unblocked), "")
		return nil
	}
	completed := true
	for _, d := range depends {
		fact := lifecycle.Fact("dependency-open")
		switch {
		case d.open():
		case d.dropped():
			fact = "dependency-dropped"
		default:
			continue
		}
		completed = false
		if err := r.depends.observe(ctx, r, fact, d); err != nil {
			return err
		}
	}
	if completed {
		r.observe("dependencies-closed", time.Time{}, "")
	}
	return nil
}

func early(ctx context.Context, r *reading) error {
	depends, err := r.depends.list(ctx)
	if err != nil {
		return err
	}
	for _, d := range depends {
		if !d.open() {
			continue
		}
		if err := r.depends.observe(ctx, r, "dependency-early", d); err != nil {
			return err
		}
	}
	return nil
}

func (r *dependencies) observe(ctx context.Context, reading *reading, fact lifecycle.Fact, d dependency) error {
	shown, err := r.shown(ctx, d.to)
	if err == nil {
		reading.observe(fact, r.bound(d), shown)
	}
	return err
}

// bound is when the issue last got a dependency, as far as its log and the commands on it tell: one that its text names has no date.
func (r *dependencies) bound(d dependency) time.Time {
	if d.by != nil {
		return time.Time{}
	}
	return Latest(r.links.OnAt, r.view.Blocked)
}

// list reads the issues that this one depends on, once.
func (r *dependencies) list(ctx context.Context) ([]dependency, error) {
	if r.read {
		return r.all, nil
	}
	named, err := r.named(ctx)
	if err != nil {
		return nil, err
	}
	var depends []dependency
	for _, d := range named {
		there, err := r.find(ctx, &d)
		if err != nil {
			return nil, err
		}
		if there {
			r.others = r.others || d.issue != nil && d.issue.isPullRequest()
			d.outcome = r.outcomeOf(d.issue)
			depends = append(depends, d)
		}
	}
	r.all, r.read = depends, true
	return depends, nil
}

func (r *dependencies) named(ctx context.Context) ([]dependency, error) {
	count := -1
	if r.view.BlockedBy != nil {
		count = *r.view.BlockedBy
	}
	return r.dependenciesOf(ctx, r.view.Ref, &text{Comment: r.view.Opening(), of: r.view.Ref}, count, r.links)
}

// outcomeOf returns what the labels of an issue tell of its work, if it is of the same repository.
func (r *dependencies) outcomeOf(issue *related) lifecycle.Outcome {
	if issue == nil || issue.isPullRequest() || r.outcome == nil || !sameRepository(issue, r.view.Ref.Repository) {
		return lifecycle.Untold
	}
	return r.outcome(labelNames(issue))
}

// find reads the issue of a dependency. It is false if the dependency does not count: because the issue was transferred to a repository that the
// writer is not allowed to read.
func (r *dependencies) find(ctx context.Context, d *dependency) (bool, error) {
	if d.issue != nil {
		return true, nil
	}
	issue, err := r.issue(ctx, d.to)
	switch {
	case isStatus(err, http.StatusGone):
		d.deleted = true
		return true, nil
	case err != nil:
		return false, err
	case issue == nil:
		return true, nil
	}
	is := issue.reference()
	if strings.EqualFold(is.Owner, d.to.Owner) && strings.EqualFold(is.Name, d.to.Name) {
		d.issue = issue
		return true, nil
	}
	counts, err := r.counts(ctx, d.by, is)
	if err != nil {
		return false, err
	}
	r.name(is)
	d.to, d.issue = is, issue
	return counts, nil
}

// dependenciesOf lists what an issue depends on: by GitHub's own list
// (https://docs.github.com/rest/issues/issue-dependencies), by its text, and by commands. Those of the first come with their
// issue. The count is how many the list has; negative if that is not known.
func (r *dependencies) dependenciesOf(ctx context.Context, ref Ref, opening *text, count int, links commands.Links) ([]dependency, error) {
	var all []dependency
	add := func(d dependency) {
		same := func(other commands.Reference) bool { return other.Same(d.to) }
		known := slices.ContainsFunc(all, func(k dependency) bool { return same(k.to) })
		itself := same(commands.Reference{Owner: ref.Owner, Name: ref.Name, Number: ref.Number})
		r.name(d.to)
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
			if to := b.reference(); to.Owner != "" {
				add(dependency{to: to, issue: &b})
			}
		}
	}
	for _, to := range links.On { // the writer of the command could read it
		add(dependency{to: to.In(ref.Owner, ref.Name)})
	}
	for _, to := range commands.DependsOn(opening.Body) {
		to = to.In(ref.Owner, ref.Name)
		// What was said to be independent is so for the text. Someone who puts it on GitHub's own list afterwards says otherwise.
		if slices.ContainsFunc(links.Off, to.Same) || len(all) == dependenciesRead {
			continue
		}
		counts, err := r.counts(ctx, opening, to)
		if err != nil {
			return nil, err
		}
		if counts {
			add(dependency{to: to, by: opening})
		}
	}
	return all, nil
}

// issue reads an issue that can be of another repository; it is nil if it is not there for Colony. That it was deleted (410) is an error.
func (r *dependencies) issue(ctx context.Context, at commands.Reference) (*related, error) {
	issue, _, err := fetch(ctx, r.client, at.Owner, at.Name, at.Number)
	switch {
	case isStatus(err, http.StatusNotFound), isStatus(err, http.StatusForbidden), isStatus(err, http.StatusUnavailableForLegalReasons):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", at, err)
	}
	return issue, nil
}

// cycles observes that the open dependencies lead back to the issue. Only what GitHub and the texts of the issues say is followed:
// the commands on other issues are not read. Of a large net, what is near is searched. A way that leads through issues which not
// everybody can read is not shown.
func cycles(ctx context.Context, r *reading) error {
	start := commands.Reference{Owner: r.view.Ref.Owner, Name: r.view.Ref.Name, Number: r.view.Ref.Number}
	first, err := r.depends.list(ctx)
	if err != nil {
		return err
	}
	type step struct {
		dependency
		way []commands.Reference
	}
	var queue []step
	seen := map[string]bool{}
	push := func(way []commands.Reference, next []dependency) {
		for _, d := range next {
			if key := strings.ToLower(d.to.String()); d.open() && !seen[key] {
				seen[key] = true
				queue = append(queue, step{d, append(slices.Clone(way), d.to)})
			}
		}
	}
	push([]commands.Reference{start}, first)
	for reads := 0; len(queue) > 0 && reads < cycleReads; reads++ {
		here := queue[0]
		queue = queue[1:]
		counts, err := r.depends.find(ctx, &here.dependency)
		if err != nil {
			return err
		}
		if !counts || here.issue == nil || !here.open() {
			continue
		}
		ref := here.ref(r.view.Ref.Installation)
		next, err := r.depends.dependenciesOf(ctx, ref, &text{of: ref, Comment: r.people.actors.viewOf(ref, here.issue).Opening()}, here.issue.blockers(), commands.Links{})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(next, func(d dependency) bool { return d.to.Same(start) }) {
			way, err := r.depends.way(ctx, append(here.way, start))
			if err != nil {
				return err
			}
			r.observe("dependency-cycle", time.Time{}, way)
			return nil
		}
		push(here.way, next)
	}
	return nil
}

// way shows a way of dependencies, unless it leads through what not everybody can read.
func (r *dependencies) way(ctx context.Context, through []commands.Reference) (string, error) {
	var names []string
	for _, to := range through {
		shown, err := r.shown(ctx, to)
		if err != nil || shown == Elsewhere {
			return "through issues that not everybody here can read", err
		}
		names = append(names, shown)
	}
	return strings.Join(names, " → "), nil
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

// reference names the issue with its repository; without an owner if the server does not tell that.
func (i *related) reference() commands.Reference {
	owner, name, _ := repositoryOf(i)
	return commands.Reference{Owner: owner, Name: name, Number: i.Number}
}
