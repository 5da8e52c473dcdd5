package reconcile

import (
	"context"
	"time"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Basis is by what the issues of a repository are inspected.
type Basis struct {
	Settings Settings
	// Store knows the repository's bots.
	Store *issues.Store
	// Since holds the times from which Colony checks labels there and runs commands: since it was installed.
	Since issues.Epoch
	// JudgedSince and CommandsSince are the same, but not before the horizon.
	JudgedSince, CommandsSince time.Time
}

// Basis returns by what the issues of a repository are inspected: by its policy, and from which time on Colony reconciles there.
func (r *Reconciler) Basis(found policy.Effective, since issues.Epoch, horizon time.Time) Basis {
	settings := r.ServerSettings
	settings.Policy = found.Policy
	return Basis{
		Settings: settings, Store: r.Store.WithExecutors(found.Executors), Since: since,
		JudgedSince: issues.Latest(since.Labels, horizon), CommandsSince: issues.Latest(since.Commands, horizon),
	}
}

// Inspection is an issue as a reconciliation sees it. Nothing is written.
type Inspection struct{ *inquiry }

// Inspect reads an issue and its log.
func (r *Reconciler) Inspect(ctx context.Context, ref issues.Ref, b Basis) (*Inspection, error) {
	q := &inquiry{Reconciler: r, memory: r.memories.about(ref), log: zerolog.Nop()}
	q.judgeBy(b)
	if err := q.readIssue(ctx, ref, b.Since); err != nil {
		return nil, err
	}
	q.fold()
	return &Inspection{q}, nil
}

// View is the issue as it was read.
func (i *Inspection) View() issues.View { return i.view }

// Standing is the standing of the issue by its log.
func (i *Inspection) Standing() statemachine.Standing { return i.standing }

// Read is when the issue was read.
func (i *Inspection) Read() time.Time { return i.read }

// Halted returns what tripped the breaker; nil if it is not tripped. Nothing but the labels, the log and the comments is asked for it.
func (i *Inspection) Halted(ctx context.Context) (*statemachine.Rejection, error) {
	decision, err := i.decideFrom(ctx, i.evidenceWithoutFacts)
	return decision.Halted, err
}

// AttributionOf returns the command for which a move was made; ok is false if it was made for none.
func (i *Inspection) AttributionOf(ctx context.Context, event int64) (a commands.MoveAttribution, ok bool, err error) {
	orders, err := i.attributions(ctx)
	a, ok = orders[event]
	return a, ok, err
}

// LacksReflection returns how the issue came to its end and who ended it, and whether the reflection that its lifecycle asks for is overdue.
func (i *Inspection) LacksReflection(ctx context.Context) (last statemachine.Move, by lifecycle.Actor, missing bool, err error) {
	e, ok, err := ended(ctx, i.inquiry)
	if err != nil || !ok || i.read.Before(e.Due) {
		return statemachine.Move{}, lifecycle.Actor{}, false, err
	}
	there, err := isReflectedOn(ctx, i.inquiry, e)
	return e.Move, e.by, err == nil && !there, err
}

// Attention says why the issue waits for a person, the most pressing reason first; nothing if it does not. Whether a reflection is overdue
// LacksReflection tells.
func (i *Inspection) Attention(ctx context.Context) ([]advice.Attention, error) {
	halted, err := i.Halted(ctx)
	if err != nil {
		return nil, err
	}
	view := i.View()
	on := advice.Attended{Labels: view.Labels, Closed: view.Closed, Author: view.Author.Login, Now: i.Read(), Halted: halted}
	if lifecycle.HasLabel(view.Labels, lifecycle.NeedsHuman) {
		on.Marked = i.markedAt()
	}
	return advice.Needs(i.settings.Lifecycle, i.Standing(), on), nil
}
