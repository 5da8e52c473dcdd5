package issues

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/statemachine"
)

// auditPages bounds how many pages of issues an audit reads of a repository, for those that are open and for those that were closed.
const auditPages = 10

// Audited is an issue as a list shows it.
type Audited struct {
	Changed
	ClosedAt time.Time // zero if it is open
}

// Audit lists the open issues of a repository, or the closed ones that changed since a time, those that changed last first; more
// says that there are more than it read. Pull requests are left out.
func (s *Store) Audit(ctx context.Context, repo Repository, closed bool, since time.Time) (list []Audited, more bool, err error) {
	client, err := s.client(repo)
	if err != nil {
		return nil, false, err
	}
	options := &github.IssueListByRepoOptions{
		State: "open", Sort: "updated", Direction: "desc", ListOptions: github.ListOptions{PerPage: perPage},
	}
	if closed {
		options.State, options.Since = "closed", since
	}
	for range auditPages {
		batch, response, err := client.Issues.ListByRepo(ctx, repo.Owner, repo.Name, options)
		if err != nil {
			return nil, false, fmt.Errorf("list the issues of %s: %w", repo, unreadable(err))
		}
		for _, issue := range batch {
			if !issue.IsPullRequest() {
				list = append(list, Audited{Changed: changedOf(issue), ClosedAt: issue.GetClosedAt().Time})
			}
		}
		if more = response.NextPage != 0; !more {
			break
		}
		options.Page = response.NextPage
	}
	return list, more, nil
}

// Known tells since when Colony judges a repository by a table, without writing anything; ok is false if it does not judge it, or by
// another table.
func (l *LabelProvisioner) Known(ctx context.Context, repo Repository, table Table) (since Epoch, ok bool, err error) {
	client, err := l.store.client(repo)
	if err != nil {
		return Epoch{}, false, err
	}
	have, err := l.list(ctx, client, repo)
	if err != nil {
		return Epoch{}, false, err
	}
	known, ok := readStamp(have[strings.ToLower(statemachine.Forced)].GetDescription())
	ok = ok && !known.ahead(l.clock.Now())
	return known.since, ok && (known.as == "" || known.as == table.Fingerprint), nil
}
