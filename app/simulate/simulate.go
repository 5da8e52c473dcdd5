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

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
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
	// Files replace files of each repository, by their path: a lifecycle, settings. With Compare, the report says what they change.
	Files   map[string][]byte
	Compare bool
	// AtOnce is how many issues are read at a time; 0 is a few.
	AtOnce int
	// Mode is in which mode Colony would have been there: warn, or enforce, which is the default.
	Mode lifecycle.Mode
	// From is the repository, as owner/name, with which to begin: what GitHub lists before it is left out. Empty: the first one.
	From string
	// Planned is called once it is known what there is to read, and Each with what the replay of each issue comes to, one at a time;
	// nil: no one wants it.
	Planned func(Plan)
	Each    func(replay.Outcome)
}

// issuesAtOnce is how many issues are read at a time, if nothing else is said: GitHub asks for few calls at a time.
const issuesAtOnce = 8

// Run simulates and returns the report. If the context ends or a call fails before everything was read, the report is of what was read, and
// says so. An error says that nothing could be simulated.
func Run(ctx context.Context, c config.Config, options app.Options, o Options) (*Report, error) {
	scope := app.Scope{Installation: o.Installation}
	scope.Owner, scope.Name, _ = strings.Cut(o.Repository, "/")
	options.Reads = func(map[string]string) map[string]string { // GitHub adds metadata
		return map[string]string{"issues": "read", "contents": "read"}
	}
	options = options.WithDefaults()
	s := &simulator{Options: o, now: options.Clock.Now().UTC().Truncate(time.Second), next: o.From, sums: newSums(c.GitHub.WebURL, o.Each)}
	s.since, s.Mode, s.AtOnce = s.now.Add(-o.Since), cmp.Or(o.Mode, lifecycle.ModeEnforce), cmp.Or(o.AtOnce, issuesAtOnce)
	parts, err := app.OpenReader(ctx, c, options)
	if err == nil {
		s.reconciler = parts.Reconciler
		if len(o.Files) > 0 {
			s.instead = s.reconciler.Policies.Instead(o.Files)
		}
		err = s.run(ctx, parts, scope)
	}
	if errors.Is(err, client.ErrNotInstalled) {
		err = fmt.Errorf("the App is not installed on %s, or there is no such repository", o.Repository)
	}
	report := s.report()
	switch {
	case ctx.Err() != nil:
		report.Complete, report.Stopped = false, "it was stopped before it had read everything"
		if s.next != "" {
			report.Stopped += "; --from " + s.next + " goes on"
		}
	case err != nil && report.Issues == 0:
		return nil, err
	case err != nil:
		report.Complete, report.Stopped = false, app.OneLine(err)
	}
	return report, nil
}

type simulator struct {
	Options
	reconciler *reconcile.Reconciler
	instead    *policy.Cache // with the replacement files; nil without any
	since, now time.Time
	sums       *sums
	next       string // the repository that is read now; empty where there is only one
}

// run simulates the repositories that are listed, once it is known how much there is to read.
func (s *simulator) run(ctx context.Context, parts *app.Parts, scope app.Scope) error {
	repositories, unlisted := s.plan(ctx, parts, scope)
	for _, repo := range repositories {
		if s.Repository == "" {
			s.next = repo.String()
		}
		if err := s.orNote(ctx, repo, func() error { return s.repository(parts.As(ctx, repo.Installation), repo) }); err != nil {
			return err
		}
	}
	return unlisted
}

// orNote reads something of a repository. One that cannot be read is noted if there are others.
func (s *simulator) orNote(ctx context.Context, repo issues.Repository, read func() error) error {
	err := read()
	if err == nil || ctx.Err() != nil || s.Repository != "" {
		return err
	}
	if wrong := (*unusableFile)(nil); errors.As(err, &wrong) {
		return err
	}
	s.sums.NotChecked = append(s.sums.NotChecked, NotChecked{Repository: repo.String(), Says: app.OneLine(err)})
	return nil
}
