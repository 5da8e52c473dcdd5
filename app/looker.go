// Package app wires Colony together: configuration, GitHub clients, the queue, the look at an issue, and the HTTP
// server.
package app

import (
	"context"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/handlers"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Rules are the settings that a look goes by.
type Rules struct {
	Lifecycle *statemachine.Lifecycle // of the server, or what is in force for a repository instead
	Patience  statemachine.Patience
	// Horizon is how far back changes are judged and commands are run.
	Horizon time.Duration
	// MoveNeeds and ForceNeeds are the permissions that commands ask for.
	MoveNeeds, ForceNeeds issues.Permission
	// LagLooks is how often an issue is looked at again because GitHub does not show yet what it told; LagWait is how long
	// before the first of them. Each further one waits twice as long.
	LagLooks int
	LagWait  time.Duration
	// Intake says which new issues are taken in.
	Intake policy.Intake
	// Adopt says that what stood when Colony was installed is moved like anything else.
	Adopt bool
}

// Looker looks at issues: load, decide, apply. Webhooks, commands and timers all end here.
type Looker struct {
	Store    *issues.Store
	Labels   *issues.Labels
	Book     *policy.Cache
	Rules    Rules // the server's
	Clock    clockwork.Clock
	Log      zerolog.Logger
	Answered *Answered
	Done     *Done
	// recent holds what this process wrote to issues and GitHub may not show yet.
	recent *recentWrites
	// summaries remembers what the settled beginnings of logs come to; nil: they are folded each time.
	summaries *summaries
	Reported  *Reported
	Openings  *Openings
	// shares and movers say who waits of those who ask something.
	refused *refusedWrites
	shares  *shares
	movers  *movers
	// Reflections remembers on which issues the reflection was looked for.
	Reflections *Done
	// Room is told that an issue came to, left, or is in a state of which a repository says how many issues may be there; nil: nobody
	// has to be told.
	Room func(ctx context.Context, look reconcile.Request) error
	// Prefixes are those of the lifecycles that are in force anywhere, as far as they were read; nil: nobody has to know.
	Prefixes *handlers.Prefixes
	// Web is the address of GitHub's pages.
	Web      string
	Measured *Measured // nil: nothing is measured
	// Notes keep what GitHub does not; nil: nothing is written to an issue either.
	Notes notes
}

// Later asks for another look.
type Later struct {
	After time.Duration
	// Waits says that the look waits for something that GitHub told and does not show yet: it counts against LagLooks.
	Waits bool
	// Refusing says that the next look will have something to refuse, so it needs the comments.
	Refusing bool
	// About is what a move was made for that the next look may have to tell of.
	About *About
}

// Before is what earlier looks for the same reason found out.
type Before struct {
	// Waited is how often the look was put off because GitHub lagged behind.
	Waited int `json:"waited,omitempty"`
	// Refusing says that there was something to refuse once the issue is quiet.
	Refusing bool `json:"refusing,omitempty"`
	// About is what the issue was moved for by the look before.
	About *About `json:"about,omitempty"`
}

// Issue looks at one issue. Nothing is written unless everything that is needed could be read.
func (l *Looker) Issue(ctx context.Context, look reconcile.Request, before Before) (*Later, error) {
	v, later, err := l.visit(ctx, look, before)
	if v == nil {
		return later, err
	}
	var again []issues.Write
	if look.Retry || v.unlockedSince() {
		again = v.forgetRefused()
	}
	later, err = v.run(ctx, before.Waited)
	if err == nil {
		err = v.writeAgain(ctx, again)
	}
	if err == nil {
		err = v.giveReceipts(ctx)
	}
	if err == nil && later == nil && !v.wrote && look.Cause == becauseSweep {
		err = v.askForReflection(ctx)
	}
	if err == nil {
		err = v.tellOfRoom(ctx)
	}
	if later != nil && later.Waits { // what had to be refused still has to be
		later.Refusing = later.Refusing || before.Refusing
	}
	if err == nil && later == nil && !v.wrote {
		l.Done.add(v.view, v.restsUntil())
	}
	return later, err
}

// visit reads an issue. The visit is nil if there is nothing to do about it: because it is gone, or a pull request, or because
// GitHub does not show yet what it told, which asks for another look.
func (l *Looker) visit(ctx context.Context, look reconcile.Request, before Before) (*visit, *Later, error) {
	ref := refOf(look)
	log := l.Log.With().Str("repo", ref.Repository.String()).Int("issue", ref.Number).Str("because", look.Cause).Str("delivery", look.Delivery).Logger()
	v := &visit{Looker: l, Rules: l.Rules, Store: l.Store, look: look, log: log, mayWait: before.Waited < l.Rules.LagLooks, about: before.About}
	comments, err := v.load(ctx, ref, before.Refusing)
	if err != nil || v.view.PullRequest {
		return nil, nil, err
	}
	if v.hidesOwn() || v.mayWait && !v.visible() { // what was written is sure to be there, however often this look has waited
		return nil, l.lagging(before.Waited), nil
	}
	if err := v.askForAuthorsRight(ctx); err != nil {
		return nil, nil, err
	}
	v.fold()
	if before.Refusing {
		if err := v.converse(ctx, comments); err != nil {
			return nil, nil, err
		}
	}
	return v, nil, nil
}

// load reads the issue and its log, and the comments before them if they are sure to be needed: then little time is left
// between reading the log and writing.
func (v *visit) load(ctx context.Context, ref issues.Ref, refusing bool) (comments []issues.Comment, err error) {
	found, since, err := v.inForce(ctx, ref.Repository)
	if err != nil {
		return nil, err
	}
	v.Rules, v.Store, v.version = v.Looker.Rules.under(found), v.Looker.Store.As(found.Executors), found.Version()
	horizon := v.Clock.Now().Add(-v.Rules.Horizon)
	v.judgedSince, v.heardSince = latest(since.Labels, horizon), latest(since.Commands, horizon)
	if refusing {
		if comments, err = v.Store.Comments(ctx, ref, v.heardSince); err != nil {
			return nil, err
		}
	}
	v.read = v.Clock.Now()
	v.view, err = v.Store.Load(ctx, ref)
	v.view.Begun, v.begun = since.Labels, since.Commands
	if !v.Rules.Adopt {
		v.view.Installed = since.Commands
	}
	return comments, err
}

// lagging puts a look off because GitHub does not show yet what it told.
func (l *Looker) lagging(waited int) *Later {
	return &Later{After: l.Rules.LagWait << min(waited, 20), Waits: true}
}

// Repository provisions the labels of a repository.
func (l *Looker) Repository(ctx context.Context, look reconcile.Request) error {
	repo := refOf(look).Repository
	found, _, err := l.inForce(ctx, repo)
	if err != nil {
		return err
	}
	if look.Renamed != nil {
		if err := l.Labels.Rename(ctx, repo, found.Table(), look.Renamed.From, look.Renamed.To); err != nil {
			return err
		}
	}
	return l.Labels.Provision(ctx, repo, found.Table(), true)
}

// reportAlteration says that somebody altered since when a repository is judged.
func (l *Looker) reportAlteration(repo issues.Repository, how issues.Alteration, was, now issues.Since) {
	l.Measured.altered(how)
	l.Log.Error().Str("repo", repo.String()).Str("how", string(how)).
		Time("was_labels", was.Labels).Time("was_commands", was.Commands).Time("labels", now.Labels).Time("commands", now.Commands).
		Msg("somebody altered since when this repository is judged: see the description of the label " + statemachine.Forced)
}

func refOf(look reconcile.Request) issues.Ref {
	return issues.Ref{
		Repository: issues.Repository{
			Installation: look.Installation, ID: look.RepositoryID, Owner: look.Owner, Name: look.Repo,
		},
		Number: look.Issue,
	}
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// rightOf turns GitHub's permission into the right that commands ask for.
func (r Rules) rightOf(p issues.Permission) commands.Right {
	switch {
	case p.Includes(r.ForceNeeds) && p.Includes(r.MoveNeeds):
		return commands.MayForce
	case p.Includes(r.MoveNeeds):
		return commands.MayMove
	}
	return commands.MayRead
}
