package board

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// Filler makes an index complete after a start, and again once in a while: it lists the repositories and their issues, and then reads the
// logs of those that nobody has looked at. It writes nothing, and leaves to people what they need. It is safe for concurrent use.
type Filler struct {
	FillerOptions

	wake   chan struct{}
	places chan struct{} // has room for those that make a call

	mu sync.Mutex
	// of holds what was asked for, by installation; 0 are the installations themselves.
	of      map[int64]*filling
	again   time.Time     // of the next whole listing; zero before Run
	changed chan struct{} // closed when it becomes idle, and replaced
}

// FillerOptions are what a Filler needs. All are required.
type FillerOptions struct {
	Index      *Index
	Reconciler *reconcile.Reconciler
	Clients    issues.Clients
	App        *client.App // nil for a process that has a token
	Limiter    *ratelimit.Limiter
	Limits     *ratelimit.Limits
	// Observed takes note of what was read.
	Observed func(reconcile.Observed)
	Clock    clockwork.Clock
	Log      zerolog.Logger
}

// filling is what is to be done for one installation.
type filling struct {
	under   bool // somebody does it
	waiting bool // for its time
	all     bool // list all repositories
	some    map[string]issues.Repository
}

const (
	// fillAgain is how often everything is listed again, for what nobody told: issues that were deleted, repositories that are out of reach.
	fillAgain = 6 * time.Hour
	// pagesListed bounds how many pages of issues are read of a repository, for those that are open and for those that were closed.
	pagesListed = 100
	// fillTries is how often reading an issue is tried, and fillPause how long it is after something failed.
	fillTries = 3
	fillPause = time.Minute
	// fillPauseAtMost bounds how long it is after several things failed, one after the other.
	fillPauseAtMost = time.Hour
	// filledAtOnce is how many installations are read at the same time.
	filledAtOnce = 4
)

// NewFiller returns a filler that was asked for everything.
func NewFiller(o FillerOptions) *Filler {
	f := &Filler{FillerOptions: o, wake: make(chan struct{}, 1), places: make(chan struct{}, filledAtOnce), of: map[int64]*filling{}, changed: make(chan struct{})}
	f.Ask(issues.Repository{})
	return f
}

// Ask makes the issues of a repository be listed again; without a name those of all repositories of an installation, and without that
// everything.
func (f *Filler) Ask(repo issues.Repository) {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked := f.of[repo.Installation]
	if asked == nil {
		asked = &filling{some: map[string]issues.Repository{}}
		f.of[repo.Installation] = asked
	}
	if repo.Owner == "" {
		asked.all = true
	} else {
		asked.some[issues.NameKey(repo.Owner, repo.Name)] = repo
	}
	wake(f.wake)
}

// Run fills the index until ctx ends.
func (f *Filler) Run(ctx context.Context) {
	var under sync.WaitGroup
	defer under.Wait()
	again := f.Clock.NewTicker(fillAgain)
	defer again.Stop()
	f.listAgain()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.Chan():
			f.Index.Age()
			f.Ask(issues.Repository{})
			f.listAgain()
		case <-f.wake:
			for _, installation := range f.take() {
				under.Go(func() { f.fill(ctx, installation) })
			}
		}
	}
}

// listAgain sets the time of the next whole listing.
func (f *Filler) listAgain() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.again = f.Clock.Now().Add(fillAgain)
}

// take returns for which installations somebody has to begin.
func (f *Filler) take() (begin []int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for installation, asked := range f.of {
		if !asked.under {
			asked.under = true
			begin = append(begin, installation)
		}
	}
	return begin
}

// fill does what is asked for one installation until nothing is left, or ctx ends.
func (f *Filler) fill(ctx context.Context, installation int64) {
	of := &pass{Filler: f, installation: installation, tries: map[string]int{}}
	ctx = client.OnlyReading(ctx)
	if installation != 0 { // the App's own calls have no budget
		ctx = ratelimit.WithCaller(ctx, ratelimit.Caller{Installation: installation, Background: true})
	}
	for failures := 0; ; {
		all, some, more := f.next(installation, of)
		if !more {
			return
		}
		err := of.do(ctx, all, some)
		switch {
		case ctx.Err() != nil:
			f.end(installation)
			return
		case err == nil:
			failures = 0
		case issues.IsGone(err) && installation != 0:
			f.Index.Forget(issues.Ref{Repository: issues.Repository{Installation: installation}})
			f.end(installation)
			return
		default:
			f.Log.Warn().Err(err).Int64("installation", installation).Msg("the board could not list all issues; it tries again")
			of.askAgain(all, some)
			of.sleep(ctx, min(fillPause<<min(failures, 10), fillPauseAtMost))
			failures++
		}
	}
}

// next returns what is asked for one installation; more is false, and somebody else may begin, if nothing is.
func (f *Filler) next(installation int64, of *pass) (all bool, some []issues.Repository, more bool) {
	unread := installation != 0 && len(of.unread()) > 0
	f.mu.Lock()
	defer f.mu.Unlock()
	asked := f.of[installation]
	all = asked.all
	for _, repo := range asked.some {
		some = append(some, repo)
	}
	asked.all = false
	clear(asked.some)
	if all || len(some) > 0 || unread {
		return all, some, true
	}
	delete(f.of, installation)
	f.tellIdle()
	return false, nil, false
}

// end forgets what was asked for an installation.
func (f *Filler) end(installation int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.of, installation)
	f.tellIdle()
}

func (f *Filler) tellIdle() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Idle returns once there is nothing to do now; what waits for its time does not count.
func (f *Filler) Idle(ctx context.Context) error {
	for {
		f.mu.Lock()
		busy, changed := !f.again.IsZero() && !f.Clock.Now().Before(f.again), f.changed
		for _, asked := range f.of {
			busy = busy || !asked.waiting
		}
		f.mu.Unlock()
		if !busy {
			return nil
		}
		select {
		case <-changed:
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
	failed       []issues.Repository // whose issues could not be listed, though they were asked for
}

// askAgain asks for what failed: for the repositories that did, or else for all that was asked for.
func (p *pass) askAgain(all bool, some []issues.Repository) {
	switch {
	case len(p.failed) > 0:
		some = p.failed
	case all:
		some = []issues.Repository{{Installation: p.installation}}
	}
	for _, repo := range some {
		p.Ask(repo)
	}
}

// judged is by what the issues of a repository are judged.
type judged struct {
	found policy.Effective
	since issues.Epoch
}

func (p *pass) unread() []*Issue {
	return p.Index.Unread(p.installation, p.Clock.Now().Add(-p.Reconciler.ServerSettings.Horizon))
}

// do lists what is asked for, and then reads logs, until something else is asked for.
func (p *pass) do(ctx context.Context, all bool, some []issues.Repository) error {
	p.known, p.failed = map[string]judged{}, nil
	if p.installation == 0 {
		return p.listInstallations(ctx)
	}
	if all {
		var err error
		if some, err = p.listRepositories(ctx); err != nil {
			return err
		}
	}
	var failures []error
	for _, repo := range some {
		switch err := p.list(ctx, repo); {
		case issues.IsGone(err):
			p.Index.Forget(issues.Ref{Repository: repo})
		case ctx.Err() != nil:
			return ctx.Err()
		case issues.IsPermanent(err):
			p.Log.Warn().Err(err).Str("repo", repo.String()).Msg("the board cannot list the issues of a repository")
		case err != nil:
			p.failed, failures = append(p.failed, repo), append(failures, err)
		}
	}
	return errors.Join(append(failures, p.readLogs(ctx))...)
}

// listInstallations asks for all that there are, and forgets the others.
func (p *pass) listInstallations(ctx context.Context) error {
	var all []client.Installation
	if err := p.call(ctx, func() (err error) {
		all, err = p.App.Installations(ctx)
		return err
	}); err != nil {
		return err
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
	return nil
}

func (p *pass) listRepositories(ctx context.Context) (all []issues.Repository, err error) {
	err = client.EachRepository(ctx, p.Clients, p.installation, p.call, func(repo issues.Repository) error {
		all = append(all, repo)
		return nil
	})
	if err != nil {
		if issues.IsMissing(err) { // this GitHub does not list them
			return nil, nil
		}
		return nil, err
	}
	p.Index.KeepOnly(p.installation, all)
	return all, nil
}

// list lists the issues of a repository: those that are open, and those that were closed within the window.
func (p *pass) list(ctx context.Context, repo issues.Repository) error {
	if !p.Reconciler.Has(repo) {
		p.Index.Forget(issues.Ref{Repository: repo})
		return nil
	}
	var found policy.Effective
	if err := p.call(ctx, func() (err error) {
		found, err = p.Reconciler.Policies.Get(ctx, repo)
		return err
	}); err != nil {
		return fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	if !found.Mode.Reads() {
		p.Index.Forget(issues.Ref{Repository: repo})
		return nil
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
				views, more, err = p.Reconciler.Store.Views(ctx, repo, which.At(page, 0))
				return err
			}); err != nil {
				return err
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
	return nil
}

// readLogs reads logs until none is left, or something is asked for.
func (p *pass) readLogs(ctx context.Context) error {
	for _, i := range p.unread() {
		if p.isAsked() {
			return nil
		}
		if !p.Index.isUnread(i) { // somebody has looked at it meanwhile
			continue
		}
		err := p.read(ctx, i)
		switch {
		case err == nil:
			continue
		case ctx.Err() != nil:
			return ctx.Err()
		case issues.IsGone(err):
			p.Index.Forget(i.Ref)
			continue
		}
		p.tries[i.Ref.String()]++
		if tries := p.tries[i.Ref.String()]; tries >= fillTries || issues.IsPermanent(err) {
			p.Log.Warn().Err(err).Str("issue", i.Ref.String()).Msg("the board cannot read an issue, and shows what its list says")
			p.Index.leave(i)
			continue
		}
		p.sleep(ctx, fillPause)
	}
	return nil
}

func (p *pass) isAsked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.of[p.installation]
	return asked.all || len(asked.some) > 0
}

// read reads the log of an issue.
func (p *pass) read(ctx context.Context, i *Issue) error {
	basis, err := p.basis(ctx, i.Ref.Repository)
	if err != nil {
		return err
	}
	var o reconcile.Observed
	err = p.call(ctx, func() (err error) {
		o, err = p.Reconciler.ObserveListed(ctx, i.unread.view, i.unread.whole, basis, p.Clock.Now().Add(-p.Index.window))
		return err
	})
	if err != nil {
		return fmt.Errorf("read %s for the board: %w", i.Ref, err)
	}
	p.Observed(o)
	return nil
}

// basis is by what the issues of a repository are judged now, which is read once.
func (p *pass) basis(ctx context.Context, repo issues.Repository) (reconcile.Basis, error) {
	key, now := issues.NameKey(repo.Owner, repo.Name), p.Clock.Now()
	horizon := now.Add(-p.Reconciler.ServerSettings.Horizon)
	if j, there := p.known[key]; there {
		return p.Reconciler.Basis(j.found, j.since, horizon), nil
	}
	var j judged
	var known bool
	if err := p.call(ctx, func() (err error) {
		if j.found, err = p.Reconciler.Policies.Get(ctx, repo); err != nil {
			return fmt.Errorf("read the rules of %s: %w", repo, err)
		}
		j.since, known, err = p.Reconciler.Labels.Known(ctx, repo, j.found.Table())
		return err
	}); err != nil {
		return reconcile.Basis{}, err
	}
	if !known { // it is judged from the next reconciliation on
		j.since = issues.Epoch{Labels: now, Commands: now}
	}
	p.known[key] = j
	return p.Reconciler.Basis(j.found, j.since, horizon), nil
}

// call makes calls once they are admitted, and again for as long as a limit refuses them.
func (p *pass) call(ctx context.Context, do func() error) error {
	for {
		if err := p.admit(ctx); err != nil {
			return err
		}
		err := p.inPlace(ctx, do)
		limited := (*ratelimit.Error)(nil)
		if !errors.As(err, &limited) {
			return err
		}
		if limited.Budget == ratelimit.BudgetGitHub {
			p.Limits.Set(p.installation, p.Clock.Now().Add(limited.Wait))
		}
		p.sleep(ctx, limited.Wait)
	}
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

// admit waits until there is so much left of what the installation may use that nobody misses what filling takes.
func (p *pass) admit(ctx context.Context) error {
	for p.installation != 0 {
		wait := p.Limits.Left(p.installation, p.Clock.Now())
		if wait == 0 {
			wait = p.Limiter.SparedFor(p.installation)
		}
		if wait == 0 {
			wait = p.Limiter.WaitToFill(p.installation)
		}
		if wait == 0 {
			break
		}
		p.sleep(ctx, wait)
		if ctx.Err() != nil {
			break
		}
	}
	return ctx.Err()
}

// sleep waits for a time, or for the end of ctx.
func (p *pass) sleep(ctx context.Context, wait time.Duration) {
	p.mark(true)
	defer p.mark(false)
	select {
	case <-p.Clock.After(wait):
	case <-ctx.Done():
	}
}

func (p *pass) mark(waiting bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[p.installation].waiting = waiting
	p.tellIdle()
}
