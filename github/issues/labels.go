package issues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
)

// provisionedFor is how long a repository's labels are taken to be right without reading them again. Webhooks about labels end it immediately; this
// is for webhooks that were lost.
const provisionedFor = time.Hour

// Table is what a repository is provisioned for: the table by which its issues are reconciled.
type Table struct {
	// Marks are the labels, with their colours and descriptions.
	Marks []lifecycle.Mark
	// Adopts are the names that labels of the table had, or that labels in their place had.
	Adopts []lifecycle.Adoption
	// Fingerprint tells the table from one that decides differently.
	Fingerprint string
	// Lazy says that no one asked for the labels there. A label is made when it is about to be put on an issue. Only the one that holds the time of
	// JudgedSince is made immediately.
	Lazy bool
	// Asking are the labels with which people ask for something. No one can put on a label that is not there, so they are made immediately.
	Asking []string
}

// ErrOtherTable says that a repository was provisioned for another table. Nothing was written.
var ErrOtherTable = errors.New("the repository was provisioned for another table")

// LabelProvisioner keeps the labels of repositories as their tables want them: created, with their colours and descriptions. That is a write for many
// labels or for each, and a person who moved an issue does not wait for all of them. JudgedSince makes only the stamp, and Ensure the labels that are
// about to be put on an issue. Provision makes the rest, for which JudgedSince asks.
//
// It also keeps, on GitHub, the time from which Colony judges a repository, and by which table: in the description of the mark Forced. What changed
// before Colony came was done by people who did not know it yet. What changed before the table did was judged by another table. Neither is ever
// rewritten. Where the description was lost or edited away, the time starts again, which makes the present states final. The same holds for a time
// that lies ahead. It is safe for concurrent use.
type LabelProvisioner struct {
	store *Store
	clock clockwork.Clock
	// Altered is called when someone altered the time from which a repository is judged; nil: no one has to know.
	Altered func(repo Repository, how Alteration, was, now Epoch)
	// Incomplete is called when labels of a repository have to be made or repaired besides the stamp. It is called again and again until someone was
	// asked to do so; nil: no one does that.
	Incomplete func(ctx context.Context, repo Repository) (asked bool, err error)

	mu    sync.Mutex
	repos map[string]*provisioned
}

type provisioned struct {
	mu      sync.Mutex // held while the stamp is read and written, not while other labels are
	since   Epoch
	as      string // the fingerprint of the table
	checked time.Time
	amiss   []flaw    // as far as it is known
	asked   bool      // someone was asked to bring these in order
	adopted []string  // the labels under names that the table adopts
	watched time.Time // when nothing was to be written, and the stamp was looked at; see WatchedSince
}

// flaw is a label that is missing, or looks otherwise than it should.
type flaw struct {
	lifecycle.Mark

	missing bool
	waits   bool // until someone needs it
	// was is the name of the label that is to be renamed instead; only of one that is missing.
	was string
}

// NewLabelProvisioner returns a keeper of labels that reads and writes through a store.
func NewLabelProvisioner(store *Store, clock clockwork.Clock) *LabelProvisioner {
	return &LabelProvisioner{store: store, clock: clock, repos: map[string]*provisioned{}}
}

// JudgedSince returns the time from which Colony judges a repository by a table with a fingerprint. It writes that down in the repository if it was
// not done lately, and asks for the other labels that are amiss. The error is ErrOtherTable if it was provisioned for another table, unless the
// caller is sure that this one is in force now: then judging begins again.
func (l *LabelProvisioner) JudgedSince(ctx context.Context, repo Repository, fingerprint string, table func() Table, sure bool) (Epoch, error) {
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.checked.IsZero() || p.as != fingerprint || l.clock.Since(p.checked) >= provisionedFor {
		if _, err := l.stamp(ctx, repo, p, table(), sure); err != nil {
			return Epoch{}, err
		}
	}
	if len(p.due()) > 0 && !p.asked && l.Incomplete != nil {
		var err error
		if p.asked, err = l.Incomplete(ctx, repo); err != nil {
			return Epoch{}, err
		}
	}
	return p.since, nil
}

// Provision brings the labels of a repository in order, whenever that was done last. See JudgedSince. What was written before an error
// is in order.
func (l *LabelProvisioner) Provision(ctx context.Context, repo Repository, table Table, sure bool) error {
	p := l.repo(repo)
	p.mu.Lock()
	have, err := l.stamp(ctx, repo, p, table, sure)
	amiss := p.due()
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return l.mend(ctx, l.store.client(repo), repo, p, have, amiss)
}

// Ensure makes those of some labels that a repository is known not to have. It is for labels that are about to be put on an issue: GitHub
// would make them without colour and description.
func (l *LabelProvisioner) Ensure(ctx context.Context, repo Repository, labels []string) error {
	p := l.repo(repo)
	p.mu.Lock()
	missing := slices.DeleteFunc(slices.Clone(p.amiss), func(f flaw) bool {
		return !f.missing || !slices.ContainsFunc(labels, func(l string) bool { return lifecycle.SameLabel(l, f.Label) })
	})
	p.mu.Unlock()
	if len(missing) == 0 {
		return nil
	}
	return l.mend(ctx, l.store.client(repo), repo, p, nil, missing)
}

// due returns what is amiss and does not wait until someone needs it. The caller holds the lock.
func (p *provisioned) due() []flaw {
	return slices.DeleteFunc(slices.Clone(p.amiss), func(f flaw) bool { return f.waits })
}

// mend makes or repairs labels, and remembers each that is in order.
func (l *LabelProvisioner) mend(ctx context.Context, client *github.Client, repo Repository, p *provisioned, have map[string]lifecycle.Mark, amiss []flaw) error {
	made := l.makeAtOnce(ctx, client, repo, amiss)
	for _, f := range made {
		p.inOrder(f)
	}
	for _, f := range amiss {
		if slices.Contains(made, f) {
			continue
		}
		if err := l.mendOne(ctx, client, repo, p, have, f); err != nil {
			return err
		}
		p.inOrder(f)
	}
	return nil
}

func (p *provisioned) inOrder(f flaw) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.amiss = slices.DeleteFunc(slices.Clone(p.amiss), func(other flaw) bool { return other == f })
}

func (l *LabelProvisioner) mendOne(ctx context.Context, client *github.Client, repo Repository, p *provisioned, have map[string]lifecycle.Mark, f flaw) error {
	if f.was != "" {
		renamed, err := l.rename(ctx, client, repo, f.was, f.Mark)
		if renamed {
			p.mu.Lock()
			p.adopted = slices.DeleteFunc(slices.Clone(p.adopted), func(name string) bool { return name == f.was })
			p.mu.Unlock()
		}
		if renamed || err != nil {
			return err
		}
	}
	return l.ensure(ctx, client, repo, have[strings.ToLower(f.Label)], f.Mark)
}

// Forget makes the labels of a repository be read again when they are needed next.
func (l *LabelProvisioner) Forget(repo Repository) {
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.checked = time.Time{}
}

// Rename gives a label of a table its name back, so that no issue loses its state. It does nothing for another label, or if someone made the label
// again. A webhook alone proves no renaming: the label has to look as the table says, which a renaming keeps.
func (l *LabelProvisioner) Rename(ctx context.Context, repo Repository, table Table, from, to string) error {
	was := table.mark(from)
	if was == nil || lifecycle.SameLabel(from, to) {
		return nil
	}
	client := l.store.client(repo)
	is, _, err := client.Issues.GetLabel(ctx, repo.Owner, repo.Name, url.PathEscape(to))
	switch {
	case isStatus(err, http.StatusNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read label %s of %s: %w", to, repo, err)
	case !describedAs(markOf(is), *was):
		return nil
	}
	_, err = l.rename(ctx, client, repo, to, lifecycle.Mark{Label: from})
	return err
}

// describedAs reports whether a label has the description of a mark, and its color if the mark has no description. That of Forced has the
// stamp behind it.
func describedAs(is, mark lifecycle.Mark) bool {
	switch {
	case mark.Description == "":
		return is.Description == "" && strings.EqualFold(is.Color, mark.Color)
	case mark.Label == lifecycle.Forced:
		return strings.HasPrefix(is.Description, mark.Description)
	}
	return is.Description == mark.Description
}

func (t Table) has(name string) bool { return t.mark(name) != nil }

// mark returns the mark with a label; nil if the table has none.
func (t Table) mark(label string) *lifecycle.Mark {
	for i := range t.Marks {
		if lifecycle.SameLabel(t.Marks[i].Label, label) {
			return &t.Marks[i]
		}
	}
	return nil
}

func (l *LabelProvisioner) repo(repo Repository) *provisioned {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := fmt.Sprintf("%d/%s", repo.Installation, strings.ToLower(repo.String()))
	if l.repos[key] == nil {
		l.repos[key] = &provisioned{}
	}
	return l.repos[key]
}

// stamp reads the labels of a repository, sees to the stamp, and notes what else is amiss. The caller holds the lock.
func (l *LabelProvisioner) stamp(ctx context.Context, repo Repository, p *provisioned, table Table, sure bool) (have map[string]lifecycle.Mark, err error) {
	client := l.store.client(repo)
	if have, err = l.list(ctx, client, repo); err != nil {
		return nil, err
	}
	now := l.clock.Now().UTC().Truncate(time.Second)
	written, there := readStamp(have[lifecycle.Forced].Description)
	how := p.alteration(written, there, now)
	known, err := written.renewed(there && how != StampAhead, table, now, sure)
	if err != nil {
		return nil, fmt.Errorf("provision %s: %w", repo, err)
	}
	for _, want := range table.Marks {
		if want.Label == lifecycle.Forced {
			want.Description += known.String()
			if err := l.ensure(ctx, client, repo, have[lifecycle.Forced], want); err != nil {
				return nil, err
			}
		}
	}
	if how != "" && l.Altered != nil {
		l.Altered(repo, how, cmp.Or(p.since, written.since), known.since)
	}
	p.adopted = nil
	for _, a := range table.adoptions(have) {
		p.adopted = append(p.adopted, a.Is.Label)
	}
	p.since, p.as, p.checked = known.since, known.as, l.clock.Now()
	p.amiss, p.asked, p.watched = table.amiss(have), false, time.Time{}
	return have, nil
}

// amiss lists the labels of the table that a repository does not have as they should look, but for that with the stamp.
func (t Table) amiss(have map[string]lifecycle.Mark) (amiss []flaw) {
	for _, want := range t.Marks {
		is := have[strings.ToLower(want.Label)]
		if want.Label == lifecycle.Forced || looksAs(is, want) {
			continue
		}
		f := flaw{Mark: want, missing: is.Label == ""}
		f.waits = f.missing && t.Lazy && !lifecycle.HasLabel(t.Asking, want.Label)
		if f.missing {
			f.was = t.adopted(have, want.Label)
		}
		amiss = append(amiss, f)
	}
	return amiss
}

func looksAs(is, want lifecycle.Mark) bool {
	return is.Label != "" && strings.EqualFold(is.Color, want.Color) && is.Description == want.Description
}

func markOf(label *github.Label) lifecycle.Mark {
	return lifecycle.Mark{Label: label.GetName(), Color: label.GetColor(), Description: label.GetDescription()}
}

// list reads the labels of a repository, by their names in small letters.
func (l *LabelProvisioner) list(ctx context.Context, client *github.Client, repo Repository) (map[string]lifecycle.Mark, error) {
	have := map[string]lifecycle.Mark{}
	err := each(ctx, client, fmt.Sprintf("repos/%s/%s/labels", repo.Owner, repo.Name), func(label *github.Label) { have[strings.ToLower(label.GetName())] = markOf(label) })
	if err != nil {
		return nil, fmt.Errorf("list the labels of %s: %w", repo, asNotFound(err))
	}
	return have, nil
}

// ensure creates a label, or repairs what differs of its colour and description. How its name is written is left to the repository.
func (l *LabelProvisioner) ensure(ctx context.Context, client *github.Client, repo Repository, is, want lifecycle.Mark) error {
	if is.Label == "" {
		_, _, err := client.Issues.CreateLabel(ctx, repo.Owner, repo.Name, &github.Label{Name: &want.Label, Color: &want.Color, Description: &want.Description})
		if isTaken(err) || isStatus(err, http.StatusUnprocessableEntity) && l.exists(ctx, client, repo, want.Label) {
			return nil // someone else was faster; the next reconciliation repairs it
		}
		if err != nil {
			return fmt.Errorf("create label %s in %s: %w", want.Label, repo, err)
		}
		return nil
	}
	if looksAs(is, want) {
		return nil
	}
	edit := &github.Label{}
	if !strings.EqualFold(is.Color, want.Color) {
		edit.Color = &want.Color
	}
	if is.Description != want.Description {
		edit.Description = &want.Description
	}
	if _, _, err := client.Issues.EditLabel(ctx, repo.Owner, repo.Name, url.PathEscape(is.Label), edit); err != nil {
		return fmt.Errorf("repair label %s in %s: %w", is.Label, repo, err)
	}
	return nil
}

// exists asks whether a repository has a label, for servers that refuse to make it again without saying why.
func (l *LabelProvisioner) exists(ctx context.Context, client *github.Client, repo Repository, label string) bool {
	_, _, err := client.Issues.GetLabel(ctx, repo.Owner, repo.Name, url.PathEscape(label))
	return err == nil
}
