// Package simulate says what Colony would have done about the issues of repositories, for "colony simulate": it reads their logs and
// comments, and replays them. It changes nothing on GitHub.
package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/reconcile/replay"
)

// Options say what to simulate.
type Options struct {
	// Repository is "owner/name"; empty: all of Installation, or of every installation if that is 0.
	Repository   string
	Installation int64
	// Since is how far back the replay begins.
	Since time.Duration
	// Files stand in for files of each repository, by their path: a lifecycle, settings. With Compare, the report says what they change.
	Files   map[string][]byte
	Compare bool
	// AtOnce is how many issues are read at once; 0 is a few.
	AtOnce int
	// Mode is in which mode Colony would have been there: warn, or enforce, which is the default.
	Mode lifecycle.Mode
	// Token is taken instead of the App's credentials.
	Token string
	// Each is told what the replay of each issue comes to, by one at a time; nil: nobody is.
	Each func(replay.Outcome)
	// Notice is told what takes long; nil: nobody is.
	Notice func(line string)
}

// issuesAtOnce is how many issues are read at once, if nothing else is said: GitHub asks for few calls at a time.
const issuesAtOnce = 8

// Run simulates and returns the report. If the context ends or a call fails before everything was read, the report is of what was read, and
// says so. An error says that nothing could be simulated.
func Run(ctx context.Context, c config.Config, options app.Options, o Options) (*Report, error) {
	s, err := newSimulator(c, options, o)
	if err != nil {
		return nil, err
	}
	repositories, err := s.begin(ctx)
	if err == nil {
		err = repositories(func(repo issues.Repository) error { return s.repositoryOrNote(ctx, repo) })
	}
	report := s.report()
	switch {
	case ctx.Err() != nil:
		report.Complete, report.Stopped = false, "it was stopped before it had read everything"
	case err != nil && report.Issues == 0:
		return nil, err
	case err != nil:
		report.Complete, report.Stopped = false, app.OneLine(err)
	}
	return report, nil
}

// simulator is one simulation.
type simulator struct {
	Options
	reconciler *reconcile.Reconciler
	instead    *policy.Cache // with the files that stand in; nil without any
	clients    issues.Clients
	app        *client.App
	since, now time.Time
	sums       *sums
	introduce  func(context.Context) error // see app.Parts
}

func newSimulator(c config.Config, options app.Options, o Options) (*simulator, error) {
	c.GitHub.Budget = ratelimit.Settings{} // nobody else acts in this process; what GitHub limits is waited for
	options = options.WithDefaults()
	options.Log, options.Token = zerolog.Nop(), o.Token
	options.Transport = client.ReadOnly(options.Transport)
	o.Mode = cmp.Or(o.Mode, lifecycle.ModeEnforce)
	if o.AtOnce <= 0 {
		o.AtOnce = issuesAtOnce
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	if o.Each == nil {
		o.Each = func(replay.Outcome) {}
	}
	parts, err := app.NewParts(c, options, prometheus.NewRegistry())
	if err != nil {
		return nil, err
	}
	s := &simulator{Options: o, reconciler: parts.Reconciler, clients: parts.Clients, app: parts.App, now: options.Clock.Now().UTC().Truncate(time.Second)}
	s.since = s.now.Add(-o.Since)
	if len(o.Files) > 0 {
		s.instead = parts.Reconciler.Policies.Instead(o.Files)
	}
	s.sums = newSums(c.GitHub.WebURL, o.Each)
	s.introduce = parts.Introduce
	return s, nil
}

// begin asks GitHub who this is, and returns how to go through the repositories.
func (s *simulator) begin(ctx context.Context) (each func(do func(issues.Repository) error) error, err error) {
	if s.app == nil {
		if s.Repository == "" {
			return nil, errors.New("a token sees one repository: say which with --repo owner/name")
		}
		return func(do func(issues.Repository) error) error { return s.one(ctx, 0, do) }, nil
	}
	if err := s.patiently(ctx, func() error { return s.introduce(ctx) }); err != nil {
		return nil, err
	}
	if s.Repository != "" {
		var found client.Installation
		owner, name, _ := strings.Cut(s.Repository, "/")
		err = s.patiently(ctx, func() error {
			found, err = s.app.InstallationOn(ctx, owner, name)
			return err
		})
		if errors.Is(err, client.ErrNotInstalled) {
			return nil, fmt.Errorf("the App is not installed on %s, or there is no such repository", s.Repository)
		}
		if err != nil {
			return nil, err
		}
		return func(do func(issues.Repository) error) error { return s.one(ctx, found.ID, do) }, nil
	}
	return func(do func(issues.Repository) error) error { return s.all(ctx, do) }, nil
}

// one does something about the repository that was named.
func (s *simulator) one(ctx context.Context, installation int64, do func(issues.Repository) error) error {
	owner, name, _ := strings.Cut(s.Repository, "/")
	repo := issues.Repository{Installation: installation, Owner: owner, Name: name}
	err := s.patiently(ctx, func() (err error) {
		repo, err = s.reconciler.Store.Repository(ctx, repo)
		return err
	})
	if err != nil {
		return err
	}
	return do(repo)
}

// all does something about every repository that the App can see.
func (s *simulator) all(ctx context.Context, do func(issues.Repository) error) error {
	ids := []int64{s.Installation}
	if s.Installation == 0 {
		ids = nil
		err := s.patiently(ctx, func() error {
			all, err := s.app.Installations(ctx)
			for _, i := range all {
				if i.Works() {
					ids = append(ids, i.ID)
				}
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := client.EachRepository(ctx, s.clients, id, s.patiently, do); err != nil {
			return err
		}
	}
	return nil
}

// repositoryOrNote simulates a repository. One that cannot be read is noted if there are others.
func (s *simulator) repositoryOrNote(ctx context.Context, repo issues.Repository) error {
	err := s.repository(ctx, repo)
	if err == nil || ctx.Err() != nil || s.Repository != "" {
		return err
	}
	if wrong := (*unusableFile)(nil); errors.As(err, &wrong) {
		return err
	}
	s.sums.notChecked(NotChecked{Repository: repo.String(), Says: app.OneLine(err)})
	return nil
}

// patiently does something again for as long as GitHub limits the rate of calls.
func (s *simulator) patiently(ctx context.Context, do func() error) error {
	return app.Patiently(ctx, s.reconciler.Clock, do, s.Notice)
}
