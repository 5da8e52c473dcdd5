package doctor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// Bounds of what is read of an installation.
const (
	repositoriesSeen = 20  // their labels and files, one by one
	modesSeen        = 200 // their modes, unless a Colony that runs can tell: it needs GitHub's points itself
	modesAtOnce      = 8
)

// repositories examines the first repositories of an installation, and counts the modes of more.
func (d *doctor) repositories(ctx context.Context, about string, installation int64) {
	list, total, err := d.list(ctx, installation)
	if err != nil {
		d.wrong(about, "", "Colony cannot list its repositories: %v", app.OneLine(err))
		return
	}
	if total == 0 {
		d.warn(about, "give the installation some", "it has no repositories")
		return
	}
	var bare []string
	examined, written := 0, false
	for _, repo := range list[:min(len(list), repositoriesSeen)] {
		examined++
		found, err := d.rules(ctx, repo, false)
		if err != nil {
			return
		}
		lacking, writes, err := d.labels(ctx, repo, found)
		if err != nil {
			return
		}
		written = written || writes
		if lacking > 0 {
			bare = append(bare, fmt.Sprintf("%s (%d)", repo, lacking))
		}
	}
	seen := wording.Counted(examined, "repository", "repositories")
	if total > examined {
		seen = fmt.Sprintf("the first %d of %d repositories", examined, total)
	}
	switch {
	case len(bare) > 0:
		d.warn(about, "a running Colony makes them at the next event or sweep", "of %s, these lack labels: %s", seen, strings.Join(bare, ", "))
	case written:
		d.fine(about, "%s can be read, with all labels", seen)
	default:
		d.fine(about, "%s can be read; Colony writes to none of them", seen)
	}
	if d.served {
		list = list[:examined]
	}
	d.modes(ctx, about, list, total)
}

// list returns repositories of an installation, and how many there are.
func (d *doctor) list(ctx context.Context, installation int64) (all []issues.Repository, total int, err error) {
	for page, more := 1, true; more && len(all) < modesSeen; page++ {
		var some []issues.Repository
		if some, total, more, err = client.RepositoriesOn(ctx, d.parts.Clients, installation, page); err != nil {
			return nil, 0, err
		}
		all = append(all, some...)
	}
	return all[:min(len(all), modesSeen)], total, nil
}

// modes counts in which mode repositories are.
func (d *doctor) modes(ctx context.Context, about string, list []issues.Repository, total int) {
	decided := make([]policy.Decision, len(list))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(modesAtOnce)
	for n, repo := range list {
		group.Go(func() (err error) {
			decided[n], err = d.decided(within, repo)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		d.wrong(about, "", "the modes of its repositories cannot be read: %v", app.OneLine(err))
		return
	}
	count, writes := map[lifecycle.Mode]int{}, false
	for _, is := range decided {
		count[is.Mode]++
		writes = writes || is.Mode.Writes()
	}
	first := ""
	if total > len(list) {
		first = fmt.Sprintf("of the first %d of %d repositories, ", len(list), total)
	}
	does := "colony doctor --repo OWNER/NAME says why a repository is in its mode"
	if !writes {
		does = "to opt in with a repository, " + policy.OptIn + "; " + does
	}
	d.tell(Finding{Fine, about, first + "mode " + inModes(count), does})
}

// decided says which mode a repository is in. Where Colony does not work, nothing is read.
func (d *doctor) decided(ctx context.Context, repo issues.Repository) (policy.Decision, error) {
	if !d.parts.Reconciler.Has(repo) {
		return d.parts.Reconciler.Decided(repo, policy.Policy{}), nil
	}
	found, err := d.parts.Reconciler.Policies.Get(ctx, repo)
	return d.parts.Reconciler.Decided(repo, found.Policy), err
}

func (d *doctor) repository(ctx context.Context, name string) {
	about := "repository " + name
	owner, short, _ := strings.Cut(name, "/")
	i, err := d.parts.App.InstallationOn(ctx, owner, short)
	switch {
	case errors.Is(err, client.ErrNotInstalled):
		d.wrong(about, "install it there, if there is such a repository: "+d.install, "the App is not installed on it")
		return
	case err != nil:
		d.wrong(about, "", "%v", app.OneLine(err))
		return
	}
	repo, err := d.parts.Reconciler.Store.Repository(ctx, issues.Repository{Installation: i.ID, Owner: owner, Name: short})
	if err != nil {
		d.wrong(about, "", "cannot be read: %v", app.OneLine(err))
		return
	}
	found, err := d.rules(ctx, repo, true)
	if err != nil {
		return
	}
	is := d.parts.Reconciler.Decided(repo, found.Policy)
	d.tell(Finding{Fine, "repository " + repo.String(), fmt.Sprintf("mode %s: %s", is.Mode, is.By), "for another mode, " + is.Change})
	lacking, writes, err := d.labels(ctx, repo, found)
	switch {
	case err != nil:
	case lacking > 0:
		d.warn("repository "+repo.String(), "a running Colony makes them at the next event or sweep", "it lacks %s", wording.Counted(lacking, "label", "labels"))
	case writes:
		d.fine("repository "+repo.String(), "it has all labels")
	}
}

// labels tells what is wrong with the labels of a repository. It returns how many it lacks, and whether Colony writes to it at all.
func (d *doctor) labels(ctx context.Context, repo issues.Repository, found policy.Effective) (lacking int, writes bool, err error) {
	if !d.parts.Reconciler.Has(repo) {
		return 0, false, nil
	}
	d.teams(ctx, repo, found)
	set, err := d.parts.Reconciler.Labels.Examine(ctx, repo, found.Table(), nil)
	if err != nil {
		d.wrong("repository "+repo.String(), "", "cannot be read: %v", app.OneLine(err))
		return 0, false, err
	}
	writes = found.Mode.Writes()
	if writes && (found.OptedIn || slices.ContainsFunc(set.Missing, func(m lifecycle.Mark) bool { return m.Label == lifecycle.Forced })) {
		lacking = len(set.Missing)
	}
	d.leftOver(repo, found, set.LeftOver)
	d.adopted(repo, set.Adopted)
	return lacking, writes, nil
}

// namesSeen bounds how many labels one line names.
const namesSeen = 5

func (d *doctor) leftOver(repo issues.Repository, found policy.Effective, labels []issues.LeftOver) {
	if len(labels) > 0 {
		d.warn("repository "+repo.String(), fmt.Sprintf("colony labels prune --repo %s deletes those that no open issue carries", repo),
			"%s left over from another lifecycle: %s is in force and does not use %s",
			wording.Counted(len(labels), "label is", "labels are"), found.Lifecycle.Name, firstOf(labels, func(l issues.LeftOver) string { return l.Label }))
	}
}

// adopted tells which labels a repository has under names that its lifecycle lists as previously.
func (d *doctor) adopted(repo issues.Repository, labels []issues.Adopted) {
	if len(labels) > 0 {
		d.warn("repository "+repo.String(), fmt.Sprintf("colony labels apply --repo %s takes them over; with --dry-run it prints the plan", repo),
			"%s under names of before: %s", wording.Counted(len(labels), "label is", "labels are"),
			firstOf(labels, func(a issues.Adopted) string { return fmt.Sprintf("%s (now %s)", a.Is.Label, a.Want.Label) }))
	}
}

// firstOf names the first of some labels, and says how many more there are.
func firstOf[L any](labels []L, name func(L) string) string {
	var names []string
	for _, l := range labels[:min(len(labels), namesSeen)] {
		names = append(names, name(l))
	}
	text := strings.Join(names, ", ")
	if n := len(labels) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// rules reads what is in force for a repository, and tells what is broken. Where Colony does not work, nothing is read.
func (d *doctor) rules(ctx context.Context, repo issues.Repository, named bool) (policy.Effective, error) {
	if !d.parts.Reconciler.Has(repo) {
		return policy.Effective{}, nil
	}
	about := "repository " + repo.String()
	found, err := d.parts.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		d.wrong(about, "", "its settings cannot be read: %v", app.OneLine(err))
		return found, err
	}
	if named || found.From != config.ServerConfiguration {
		d.fine(about, "its lifecycle is %s, from %s", found.Lifecycle.Name, found.From)
	}
	for _, b := range found.InvalidFiles {
		stays := "Colony still uses what was in force before"
		switch {
		case b.Applies:
			stays = "the rest of it is in force"
		case b.LastGoodCommit != "":
			stays = "the version of " + b.LastGoodCommit + " stays in force"
		}
		d.warn(about, "mend it in the default branch", "%s; %s", app.OneLine(errors.New(b.String())), stays)
	}
	return found, nil
}
