package issues

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-github/v62/github"
)

// Where nothing is to be written there is no stamp, so it is judged since this process has first seen it so. There is one exception: where
// Colony enforced before, the stamp would let it judge later what was done meanwhile. So its description is edited once: by no table, since
// now. That is the last write of enforcing.

// noTable is what a stamp has in the place of a table's fingerprint while nothing is judged that counts. It is shorter than one.
const noTable = "none"

// WatchedSince returns since when a repository is judged in which nothing is written, by a table with a fingerprint. It ends what the stamp
// of the repository says, if there is one, and looks again after an hour: another process that read another mode can have written one.
// The error is ErrOtherTable if there is one to be ended, unless the caller is sure that nothing is to be written there now.
func (l *LabelProvisioner) WatchedSince(ctx context.Context, repo Repository, fingerprint string, sure bool) (Epoch, error) {
	p := l.repo(repo)
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.watched.IsZero()
	if first || fingerprint != noTable && l.clock.Since(p.watched) >= provisionedFor {
		if err := l.end(ctx, repo, sure); err != nil {
			return Epoch{}, err
		}
	} else if p.as == fingerprint {
		return p.since, nil
	}
	now := l.clock.Now().UTC().Truncate(time.Second)
	if first || p.as != fingerprint {
		p.since, p.as = Epoch{Labels: now, Commands: now}, fingerprint
	}
	p.watched = l.clock.Now()
	p.checked, p.amiss, p.asked = time.Time{}, nil, false
	return p.since, nil
}

// Leave ends what the stamp of a repository says that Colony leaves alone from now on, once a process: no file of the repository changes that.
func (l *LabelProvisioner) Leave(ctx context.Context, repo Repository) error {
	_, err := l.WatchedSince(ctx, repo, noTable, true)
	return err
}

// end ends what the stamp of a repository says.
func (l *LabelProvisioner) end(ctx context.Context, repo Repository, sure bool) error {
	client := l.store.client(repo)
	have, err := l.list(ctx, client, repo)
	if err != nil {
		return err
	}
	label := have[lifecycle.Forced]
	written, there := readStamp(label.Description)
	now := l.clock.Now().UTC().Truncate(time.Second)
	switch {
	case !there || written.as == noTable || written.ahead(now): // the latter counts as lost
		return nil
	case !sure:
		return fmt.Errorf("watch %s: %w", repo, ErrOtherTable)
	}
	written.as, written.since.Labels = noTable, now
	text := withoutStamp(label.Description) + written.String()
	if _, _, err := client.Issues.EditLabel(Exempt(ctx), repo.Owner, repo.Name, url.PathEscape(label.Label), &github.Label{Description: &text}); err != nil {
		return fmt.Errorf("say in label %s of %s that nothing is judged there: %w", label.Label, repo, err)
	}
	return nil
}

type exempt struct{}

// Exempt returns a context for the writes that are made where otherwise nothing is written: the one that ends what the stamp says, and the
// report of a broken file to who wrote it.
func Exempt(ctx context.Context) context.Context { return context.WithValue(ctx, exempt{}, true) }

// IsExempt reports whether a context is for such a write.
func IsExempt(ctx context.Context) bool { return ctx.Value(exempt{}) != nil }
