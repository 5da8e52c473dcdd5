// Package audit lists the issues that might need a person, for "colony audit". It changes nothing.
package audit

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Audited counts what an audit looked at.
type Audited struct {
	Repositories int `json:"repositories"`
	Issues       int `json:"issues"`
}

// auditPages bounds how many pages of issues an audit reads of a repository, for the open issues and for the closed ones.
const auditPages = 10

// auditLogs bounds how many logs of issues of one repository an audit reads.
const auditLogs = 500

// repositoriesAtOnce is how many repositories are read at a time: GitHub asks for few calls at a time.
const repositoriesAtOnce = 8

// Run checks all issues of all installations and reports what is not as it should be, repository by repository. It changes
// nothing. An error says that it could not be carried through; what was reported before holds.
func Run(ctx context.Context, c config.Config, options app.Options, tell func(Finding)) (Audited, error) {
	a, err := newAuditor(ctx, c, options, tell)
	if err != nil {
		return Audited{}, err
	}
	err = a.run(ctx, app.Scope{})
	return a.seen, err
}

type auditor struct {
	*app.Parts
	tell func(Finding)
	seen Audited
	// open is called with each issue that is open and its states, for figures; nil: no one needs them, and closed issues are checked.
	open func(repo string, life *statemachine.Table, states []lifecycle.State)
	// questions are under way: see overviews.
	questions sync.WaitGroup
}

func newAuditor(ctx context.Context, c config.Config, options app.Options, tell func(Finding)) (*auditor, error) {
	parts, err := app.OpenReader(ctx, c, options)
	if err != nil {
		return nil, err
	}
	return &auditor{Parts: parts, tell: tell}, nil
}

// run checks all issues of a scope, several repositories at a time. It reports in the order in which these are listed.
func (a *auditor) run(ctx context.Context, scope app.Scope) error {
	defer a.questions.Wait()
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(repositoriesAtOnce)
	turn := make(chan struct{})
	close(turn)
	err := a.EachPage(within, scope, func(ctx context.Context, list []issues.Repository) error {
		listed := a.overviews(ctx, list)
		for n, repo := range list {
			r, mine, next := &repositoryAudit{auditor: a, repo: repo}, turn, make(chan struct{})
			turn = next
			group.Go(func() error {
				defer close(next)
				r.listed = listed(n)
				err := r.audit(ctx)
				<-mine
				for _, report := range r.later {
					report()
				}
				return err
			})
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	return cmp.Or(group.Wait(), err) //nolint:wrapcheck // each names its attempt
}

type repositoryAudit struct {
	*auditor
	repo issues.Repository
	// listed are its open issues, as one question about several repositories has them; All says whether it has them all.
	listed issues.Overview
	basis  reconcile.Basis
	logs   int
	// later is what the audit reports, once it is the turn of the repository.
	later []func()
}

// audit checks all issues of the repository. What cannot be read is a finding, but for what ends the audit.
func (r *repositoryAudit) audit(ctx context.Context) error {
	err := r.issues(ctx)
	if ctx.Err() != nil { // a limit is waited for: see app.NewProgram
		return err
	}
	if err != nil {
		r.later = append(r.later, func() { r.tell(Finding{Irregular: NotChecked, Repository: r.repo.String(), Says: app.OneLine(err)}) })
	}
	return nil
}

func (r *repositoryAudit) issues(ctx context.Context) (err error) {
	horizon := r.Reconciler.Clock.Now().Add(-r.Reconciler.ServerSettings.Horizon)
	if err := r.judgeBy(ctx, horizon); err != nil {
		return err
	}
	r.later = append(r.later, func() { r.seen.Repositories++ })
	for _, which := range []issues.Filter{
		{State: issues.Open, Order: issues.ChangedLastFirst, Pages: auditPages},
		{State: issues.Closed, Order: issues.ChangedLastFirst, Pages: auditPages, Since: horizon},
	} {
		if r.open != nil && which.State == issues.Closed {
			continue
		}
		list, more, err := r.list(ctx, which)
		if err != nil {
			return err
		}
		read := len(list)
		r.later = append(r.later, func() { r.seen.Issues += read })
		for _, issue := range list {
			if err := r.issue(ctx, issue); err != nil && !issues.IsGone(err) {
				return err
			}
		}
		if more {
			r.found(issues.Entry{}, Finding{Irregular: NotChecked, Says: fmt.Sprintf("there are more issues than the %d that changed last", len(list))})
		}
	}
	if r.open == nil {
		if err := r.closedBefore(ctx, horizon); err != nil {
			return err
		}
	}
	if r.logs > auditLogs {
		r.found(issues.Entry{}, Finding{Irregular: NotChecked, Says: fmt.Sprintf("the logs of %d issues were not read, after the first %d", r.logs-auditLogs, auditLogs)})
	}
	return nil
}

// judgeBy reads what is in force and, for an audit, from which time on. A status reads that time where it reads a log.
func (r *repositoryAudit) judgeBy(ctx context.Context, horizon time.Time) (err error) {
	if r.open == nil {
		_, r.basis, err = r.Inspector().Policy(ctx, r.repo)
		return err
	}
	found, err := r.Inspector().Rules(ctx, r.repo)
	if err != nil {
		return err
	}
	r.basis = r.Reconciler.Basis(found, issues.Epoch{}, horizon)
	return nil
}

// list lists issues, from the answer about several repositories if that has them all.
func (r *repositoryAudit) list(ctx context.Context, which issues.Filter) (list []issues.Entry, more bool, err error) {
	if which.State == issues.Open && r.listed.All {
		return r.listed.Open, false, nil
	}
	return r.basis.Store.List(ctx, r.repo, which)
}

// closedBefore finds the issues that were closed in the middle of their lifecycle, and not changed since a time: their labels tell.
func (r *repositoryAudit) closedBefore(ctx context.Context, horizon time.Time) error {
	for _, s := range r.basis.Settings.Lifecycle.States {
		if s.Label == "" || s.Type == lifecycle.Terminal {
			continue
		}
		labels := r.Reconciler.Labels.NamesOf(r.repo, r.basis.Settings.Lifecycle, s.Name)
		list, more, err := r.basis.Store.WithAny(ctx, r.repo, labels, func(label string) issues.Filter {
			return issues.Filter{State: issues.Closed, Label: label, Order: issues.ChangedLastFirst, Pages: auditPages}
		})
		if err != nil {
			return err
		}
		for _, i := range list {
			if i.Updated.Before(horizon) {
				r.closedEarly(i, s)
			}
		}
		if more {
			r.found(issues.Entry{}, Finding{Irregular: NotChecked, Says: fmt.Sprintf("more than %d issues are closed in %s", len(list), s.Name)})
		}
	}
	return nil
}

func (r *repositoryAudit) found(i issues.Entry, f Finding) {
	f.Repository, f.Issue, f.Title, f.Reason = r.repo.String(), i.Number, shown(i.Title), shown(f.Reason)
	if i.Number != 0 {
		f.URL = fmt.Sprintf("%s/%s/issues/%d", r.Reconciler.Web, r.repo, i.Number)
	}
	if age := r.Reconciler.Clock.Since(f.Since); !f.Since.IsZero() && age > 0 {
		f.Age = int64(age.Seconds())
	}
	r.later = append(r.later, func() { r.tell(f) })
}

// shown is what someone wrote, without what a terminal could take for more than text.
func shown(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
}
