package board

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Filler makes an index complete after a start, and every six hours: it lists the repositories and their issues, and then reads the logs
// that were not read yet. It writes nothing, and leaves to people what they need. It is safe for concurrent use.
type Filler struct {
	FillerOptions

	wake   chan struct{}
	places chan struct{} // has room for the readers that make a call

	mu sync.Mutex
	of map[int64]*filling // by installation; 0 lists the installations
}

// FillerOptions are what a Filler needs. All are required.
type FillerOptions struct {
	Index     *Index
	Inspector *inspect.Inspector
	Clients   issues.Clients
	Limiter   *ratelimit.Limiter
	Limits    *ratelimit.Limits
	// Observed is called with each issue whose log was read.
	Observed func(reconcile.Observed)
	Clock    clockwork.Clock
	Log      zerolog.Logger
}

// filling is what is to be done for one installation.
type filling struct {
	under bool                         // a goroutine does it
	until time.Time                    // that it waits; zero while it works
	asked map[string]issues.Repository // to be listed, by name; one without a name is the whole installation
}

const (
	// fillAgain is how often everything is listed again, for what no webhook reported: issues that were deleted, repositories out of reach.
	fillAgain = 6 * time.Hour
	// pagesListed bounds how many pages of issues are read of a repository, for the open issues and for the closed ones.
	pagesListed = 100
	// fillTries is how often reading an issue is tried, and fillPause the first pause after something failed.
	fillTries = 3
	fillPause = time.Minute
	// fillPauseAtMost bounds the pause after a list failed again and again.
	fillPauseAtMost = time.Hour
	// filledAtOnce is how many installations make calls at the same time.
	filledAtOnce = 4
)

// NewFiller returns a filler that was asked for everything.
func NewFiller(o FillerOptions) *Filler {
	f := &Filler{FillerOptions: o, wake: make(chan struct{}, 1), places: make(chan struct{}, filledAtOnce), of: map[int64]*filling{}}
	f.Ask(issues.Repository{})
	return f
}

// Ask makes the issues of a repository be listed again; without a name those of all repositories of an installation, and without that
// everything.
func (f *Filler) Ask(repo issues.Repository) {
	f.mu.Lock()
	defer f.mu.Unlock()
	of := f.of[repo.Installation]
	if of == nil {
		of = &filling{asked: map[string]issues.Repository{}}
		f.of[repo.Installation] = of
	}
	of.asked[issues.NameKey(repo.Owner, repo.Name)] = repo
	wake(f.wake)
}

// Run fills the index until ctx ends.
func (f *Filler) Run(ctx context.Context) {
	var under sync.WaitGroup
	defer under.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
			for _, installation := range f.take() {
				under.Go(func() { f.fill(ctx, installation) })
			}
		}
	}
}

// take returns the installations for which nothing is under way yet.
func (f *Filler) take() (begin []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for installation, of := range f.of {
		if !of.under {
			of.under = true
			begin = append(begin, installation)
		}
	}
	return begin
}

// fill does what is asked for one installation until nothing is left, or ctx ends.
func (f *Filler) fill(ctx context.Context, installation int64) {
	p := &pass{Filler: f, installation: installation, tries: map[string]int{}, known: map[string]judged{}}
	ctx = client.OnlyReading(ctx)
	if installation != 0 { // the App's own calls have no budget
		ctx = ratelimit.WithCaller(ctx, ratelimit.Caller{Installation: installation, Class: ratelimit.Board})
	}
	for failures := 0; ; {
		asked, more := p.next(ctx)
		if !more {
			return
		}
		failed := p.list(ctx, asked)
		p.readLogs(ctx)
		if len(failed) == 0 {
			failures = 0
			continue
		}
		for _, repo := range failed {
			f.Ask(repo)
		}
		p.sleep(ctx, min(fillPause<<min(failures, 10), fillPauseAtMost))
		failures++
	}
}

// Idle returns once there is nothing to do now; what waits for its time does not count.
func (f *Filler) Idle(ctx context.Context) error {
	for {
		f.mu.Lock()
		busy := false
		for _, of := range f.of {
			busy = busy || !f.Clock.Now().Before(of.until)
		}
		f.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("wait for the board: %w", ctx.Err())
		}
	}
}

// pass is what is done for one installation, one thing after the other.
type pass struct {
	*Filler

	installation int64
	tries        map[string]int // by issue
	known        map[string]judged
}

// judged is by what the issues of a repository are judged.
type judged struct {
	found policy.Effective
	since issues.Epoch
}

// next returns what is asked for; more is false, and another goroutine can begin, if nothing is and no log is left to be read. That of the
// installations never ends: it waits for the time to list everything again.
func (p *pass) next(ctx context.Context) (asked []issues.Repository, more bool) {
	for {
		unread := p.installation != 0 && len(p.unread()) > 0
		p.mu.Lock()
		of := p.of[p.installation]
		asked = slices.Collect(maps.Values(of.asked))
		clear(of.asked)
		ends := ctx.Err() != nil || p.installation != 0 && len(asked) == 0 && !unread
		if ends {
			delete(p.of, p.installation)
		}
		p.mu.Unlock()
		switch {
		case ends:
			return nil, false
		case len(asked) > 0 || unread:
			return asked, true
		}
		p.sleep(ctx, fillAgain)
		p.Index.Age()
		p.Ask(issues.Repository{})
	}
}

func (p *pass) unread() []*Issue {
	return p.Index.Unread(p.installation, p.Clock.Now().Add(-p.Inspector.Reconciler.ServerSettings.Horizon))
}

// list lists what is asked for, and returns what has to be listed again because it failed.
func (p *pass) list(ctx context.Context, asked []issues.Repository) (failed []issues.Repository) {
	clear(p.known)
	for len(asked) > 0 {
		repo, list := asked[0], p.listIssues
		asked = asked[1:]
		switch {
		case repo.Installation == 0:
			list = p.listInstallations
		case repo.Owner == "":
			list = p.listRepositories
		}
		switch more, err := list(ctx, repo); {
		case err == nil:
			asked = append(asked, more...)
		case ctx.Err() != nil:
			return nil
		case repo.Installation != 0 && issues.IsGone(err):
			p.Index.Forget(issues.Ref{Repository: repo})
		case repo.Owner != "" && issues.IsPermanent(err):
			p.Log.Warn().Err(err).Str("repo", repo.String()).Msg("the board cannot list the issues of a repository")
		default:
			p.Log.Warn().Err(err).Int64("installation", repo.Installation).Str("repo", repo.String()).Msg("the board could not list all issues; it tries again")
			failed = append(failed, repo)
		}
	}
	return failed
}

// listInstallations asks for all that there are, and forgets the others.
func (p *pass) listInstallations(ctx context.Context, _ issues.Repository) (none []issues.Repository, err error) {
	var all []client.Installation
	if err := p.call(ctx, func() (err error) {
		all, err = p.Inspector.App.Installations(ctx)
		return err
	}); err != nil {
		return nil, err
	}
	there := map[int64]bool{}
	for _, i := range all {
		if i.Works() {
			there[i.ID] = true
			p.Ask(issues.Repository{Installation: i.ID})
		}
	}
	for _, known := range p.Index.Installations() {
		if !there[known] {
			p.Index.Forget(issues.Ref{Repository: issues.Repository{Installation: known}})
		}
	}
	return nil, nil
}

// listRepositories returns the repositories of an installation, and forgets the others.
func (p *pass) listRepositories(ctx context.Context, of issues.Repository) (all []issues.Repository, err error) {
	err = client.EachRepository(ctx, p.Clients, of.Installation, p.call, func(repo issues.Repository) error {
		all = append(all, repo)
		return nil
	})
	switch {
	case issues.IsMissing(err): // this GitHub does not list them
		return nil, nil
	case err == nil:
		p.Index.KeepOnly(of.Installation, all)
	}
	return all, err
}

// listIssues lists the issues of a repository: the open ones, and the ones that were closed within the window.
func (p *pass) listIssues(ctx context.Context, repo issues.Repository) (none []issues.Repository, err error) {
	r := p.Inspector.Reconciler
	if !r.Has(repo) {
		p.Index.Forget(issues.Ref{Repository: repo})
		return nil, nil
	}
	var found policy.Effective
	if err := p.call(ctx, func() (err error) {
		found, err = r.Policies.Get(ctx, repo)
		return err
	}); err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	if !found.Mode.Reads() {
		p.Index.Forget(issues.Ref{Repository: repo})
		return nil, nil
	}
	began, listed, whole := p.Clock.Now(), map[int]bool{}, true
	for _, which := range []issues.Filter{
		{State: issues.Open, Order: issues.OldestFirst},
		{State: issues.Closed, Order: issues.ChangedLastFirst, Since: began.Add(-p.Index.window).UTC()},
	} {
		more := true
		for page := 1; more && page <= pagesListed; page++ {
			var views []issues.View
			if err := p.call(ctx, func() (err error) {
				views, more, err = r.Store.Views(ctx, repo, which.At(page, 0))
				return err
			}); err != nil {
				return nil, err
			}
			p.Index.Listed(repo, found.Lifecycle, views)
			for _, v := range views {
				listed[v.Ref.Number] = true
			}
		}
		whole = whole && !more
	}
	if whole {
		p.Index.Missed(repo, began, listed)
	} else {
		p.Log.Info().Str("repo", repo.String()).Int("issues", len(listed)).Msg("the board does not list all issues of this repository: there are too many")
	}
	return nil, nil
}

// readLogs reads logs until all are read, something is asked for, or ctx ends.
func (p *pass) readLogs(ctx context.Context) {
	for _, i := range p.unread() {
		if p.isAsked() {
			return
		}
		if !p.Index.isUnread(i) { // it was seen since
			continue
		}
		err := p.read(ctx, i)
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return
		case issues.IsGone(err):
			p.Index.Forget(i.Ref)
			continue
		}
		p.tries[i.Ref.String()]++
		if p.tries[i.Ref.String()] >= fillTries || issues.IsPermanent(err) {
			p.Log.Warn().Err(err).Str("issue", i.Ref.String()).Msg("the board cannot read an issue, and shows what its list says")
			p.Index.leave(i)
			continue
		}
		p.sleep(ctx, fillPause)
	}
}

func (p *pass) isAsked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.of[p.installation].asked) > 0
}

func (p *pass) read(ctx context.Context, i *Issue) error {
	basis, err := p.basis(ctx, i.Ref.Repository)
	if err != nil {
		return err
	}
	var o reconcile.Observed
	err = p.call(ctx, func() (err error) {
		o, err = p.Inspector.Reconciler.ObserveListed(ctx, i.unread.view, i.unread.whole, basis, p.Clock.Now().Add(-p.Index.window))
		return err
	})
	if err != nil {
		return fmt.Errorf("read %s for the board: %w", i.Ref, err)
	}
	p.Observed(o)
	return nil
}

// basis is what the issues of a repository are checked by now, which is read once.
func (p *pass) basis(ctx context.Context, repo issues.Repository) (reconcile.Basis, error) {
	r, key := p.Inspector.Reconciler, issues.NameKey(repo.Owner, repo.Name)
	if j, there := p.known[key]; there {
		return r.Basis(j.found, j.since, p.Clock.Now().Add(-r.ServerSettings.Horizon)), nil
	}
	var found policy.Effective
	var basis reconcile.Basis
	err := p.call(ctx, func() (err error) {
		found, basis, err = p.Inspector.Policy(ctx, repo)
		return err
	})
	if err == nil {
		p.known[key] = judged{found, basis.Since}
	}
	return basis, err
}

// call makes calls when they are admitted and not too many others are made, and again while a limit refuses them.
func (p *pass) call(ctx context.Context, do func() error) error {
	for ctx.Err() == nil {
		wait := p.wait()
		if wait == 0 {
			err := p.inPlace(ctx, do)
			limited := (*ratelimit.Error)(nil)
			if !errors.As(err, &limited) {
				return err
			}
			if wait = limited.Wait; limited.Budget == ratelimit.BudgetGitHub {
				p.Limits.Set(p.installation, p.Clock.Now().Add(wait))
			}
		}
		p.sleep(ctx, wait)
	}
	return ctx.Err()
}

// inPlace makes calls while not too many others do.
func (p *pass) inPlace(ctx context.Context, do func() error) error {
	select {
	case p.places <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.places }()
	return do()
}

// pointsOfCall is at least what a call costs that fills the board: a question that lists issues.
const pointsOfCall = 4

// wait returns how long it is until the installation has so much left that people do not miss what filling takes.
func (p *pass) wait() time.Duration {
	if p.installation == 0 {
		return 0
	}
	if wait := p.Limits.Left(p.installation, p.Clock.Now()); wait > 0 {
		return wait
	}
	if wait := p.Limiter.SparedFor(p.installation); wait > 0 {
		return wait
	}
	return p.Limiter.Wait(ratelimit.Caller{Installation: p.installation, Class: ratelimit.Board}, pointsOfCall)
}

func (p *pass) sleep(ctx context.Context, wait time.Duration) {
	p.waits(p.Clock.Now().Add(wait))
	defer p.waits(time.Time{})
	select {
	case <-p.Clock.After(wait):
	case <-ctx.Done():
	}
}

func (p *pass) waits(until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[p.installation].until = until
}
