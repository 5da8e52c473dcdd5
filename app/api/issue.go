package api

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

func (c *call) issue() (any, error) {
	return ofIssue(c, c.Inspector.Issue)
}

func (c *call) allowed() (any, error) {
	question := inspect.Question{As: c.query["as"], Role: c.query["role"], To: c.query["to"]}
	if !loginForm.MatchString(question.As) {
		return nil, badRequest("The parameter as is no login.")
	}
	return ofIssue(c, func(ctx context.Context, ref issues.Ref) (*inspect.Answer, error) {
		return c.Inspector.Ask(ctx, ref, question)
	})
}

// loginForm is what a login can be: https://docs.github.com/rest/users/users, with the ending of bots and the underscore of managed users.
var loginForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)

// ofIssue answers about the issue of the path, if the viewer can read it. That is decided before anything else is read.
func ofIssue[A any](c *call, answer func(context.Context, issues.Ref) (A, error)) (any, error) {
	ctx, owner, name := c.request.Context(), c.request.PathValue("owner"), c.request.PathValue("repo")
	number, err := strconv.Atoi(c.request.PathValue("number"))
	if err != nil || number < 1 || number > maxNumber {
		return nil, errNothing
	}
	may, err := c.Access.MayRead(ctx, c.viewer, owner, name, number)
	if err != nil {
		return nil, unchecked{err}
	}
	if !may {
		return nil, errNothing
	}
	if !c.Ready() {
		return nil, errNotReady
	}
	ref := issues.Ref{Number: number}
	for {
		var fresh bool
		if ref.Repository, fresh, err = c.locate(ctx, owner, name); err != nil {
			return nil, err
		}
		if err := c.admitTo(ref.Installation); err != nil {
			return nil, err
		}
		found, err := answer(client.OnlyAsking(ctx, ref.Installation), ref)
		if err == nil {
			return found, nil
		}
		if err = c.heed(ref.Installation, err); fresh || !c.mayBeElsewhere(err) {
			return nil, err
		}
		c.located.Remove(issues.NameKey(owner, name))
	}
}

// mayBeElsewhere reports whether an error can come of an installation that is not what it was a moment ago. Then it was suspended or removed, or
// the repository was taken out of it.
func (c *call) mayBeElsewhere(err error) bool {
	unknown, limited := (*inspect.UnknownError)(nil), (*ratelimit.Error)(nil)
	return !errors.As(err, &unknown) && !errors.As(err, &limited) && c.request.Context().Err() == nil
}

// maxNumber is more than any issue's.
const maxNumber = 999_999_999

// The bounds of what is remembered of where repositories are.
const (
	locationsKept = 5_000
	locationHolds = time.Minute
)

// location is a repository as an installation sees it, and until when that holds.
type location struct {
	repo  issues.Repository
	until time.Time
}

// locate finds the installation through which Colony reads a repository. The error is client.ErrNotInstalled if it does not work there. What
// it does not find is not remembered. Fresh says that GitHub was just asked.
func (c *call) locate(ctx context.Context, owner, name string) (repo issues.Repository, fresh bool, err error) {
	now := c.Clock.Now()
	if l, ok := c.located.Get(issues.NameKey(owner, name)); ok && now.Before(l.until) {
		return l.repo, false, nil
	}
	if repo, err = c.find(ctx, owner, name); err != nil {
		return repo, true, err
	}
	c.located.Add(issues.NameKey(owner, name), location{repo, now.Add(locationHolds)})
	return repo, true, nil
}

// find asks GitHub where a repository is, and whether Colony works there.
func (c *call) find(ctx context.Context, owner, name string) (issues.Repository, error) {
	if !c.Inspector.Reconciler.Has(issues.Repository{Owner: owner, Name: name}) {
		return issues.Repository{}, client.ErrNotInstalled
	}
	found, err := c.Inspector.App.InstallationOn(ctx, owner, name)
	if err != nil {
		return issues.Repository{}, err
	}
	if !found.Works() {
		return issues.Repository{}, client.ErrNotInstalled
	}
	if err := c.admitTo(found.ID); err != nil {
		return issues.Repository{}, err
	}
	ctx = client.OnlyAsking(ctx, found.ID)
	repo, err := c.Inspector.Reconciler.Store.Repository(ctx, issues.Repository{Installation: found.ID, Owner: owner, Name: name})
	switch {
	case issues.IsMissing(err):
		return repo, client.ErrNotInstalled
	case err != nil:
		return repo, c.heed(found.ID, err)
	case issues.NameKey(repo.Owner, repo.Name) != issues.NameKey(owner, name): // it was renamed since the viewer's right was found out
		return repo, client.ErrNotInstalled
	}
	policy, err := c.Inspector.Reconciler.Policies.Get(ctx, repo)
	switch {
	case err != nil:
		return repo, c.heed(found.ID, fmt.Errorf("read the rules of %s: %w", repo, err))
	case !policy.Mode.Reads():
		return repo, client.ErrNotInstalled
	}
	return repo, nil
}

// admitTo refuses what an installation has no room for.
func (c *call) admitTo(installation int64) error {
	wait := c.Limits.Left(installation, c.Clock.Now())
	if wait == 0 {
		wait = c.Limiter.ReservedFor(installation)
	}
	if wait == 0 {
		wait = c.Limiter.Wait(ratelimit.Caller{Installation: installation, Class: ratelimit.Questions}, ratelimit.PointsOfReconciliation)
	}
	if wait > 0 {
		return &ratelimit.Error{Budget: ratelimit.BudgetBackground, Wait: wait}
	}
	return nil
}

// heed remembers what GitHub says about its limits.
func (c *call) heed(installation int64, err error) error {
	limited := (*ratelimit.Error)(nil)
	if errors.As(err, &limited) && limited.Budget == ratelimit.BudgetGitHub {
		c.Limits.Set(installation, c.Clock.Now().Add(limited.Wait))
	}
	return err
}
