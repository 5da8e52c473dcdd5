package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/app/rules"
	"github.com/colony-app/colony/handlers"
)

// What a repository says of its own lifecycle and executors is asked with every look, and mostly known from memory; see package
// rules.

// under returns the settings with what is in force for one repository.
func (r Rules) under(found rules.Found) Rules {
	r.Lifecycle, r.Intake = found.Lifecycle, found.Intake
	return r
}

// inForce returns the rules of a repository, and since when it is judged by them. That the repository was provisioned for another
// table is believed only of rules that were read just now: this process may have missed the change.
func (l *Looker) inForce(ctx context.Context, repo issues.Repository) (rules.Found, issues.Since, error) {
	found, err := l.Book.Of(ctx, repo)
	if err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	since, err := l.Labels.JudgedSince(ctx, repo, found.Table(), false)
	if !errors.Is(err, issues.ErrOtherTable) {
		return found, since, err
	}
	if found, err = l.Book.Again(ctx, repo); err != nil {
		return found, issues.Since{}, fmt.Errorf("read the rules of %s again: %w", repo, err)
	}
	since, err = l.Labels.JudgedSince(ctx, repo, found.Table(), true)
	return found, since, err
}

// readRules reads the rules of a repository anew, provisions its labels for them, and reports what is broken.
func (l *Looker) readRules(ctx context.Context, look handlers.Look, waited int) (*Later, error) {
	repo := refOf(look).Repository
	found, err := l.Book.Again(ctx, repo)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	if err := l.Labels.Provision(ctx, repo, found.Table(), true); err != nil {
		return nil, err
	}
	if err := l.reportBroken(ctx, repo, found.Broken); err != nil {
		return nil, err
	}
	if look.Expect.Commit != "" && waited == 0 { // what GitHub shows may be from before the push
		return &Later{After: l.Rules.Patience.Lag, Waits: true}, nil
	}
	return nil, nil
}

// lookAtRules carries out a look at the rules of a repository. If that one speaks for others, they are looked at as well.
func (d *desk) lookAtRules(ctx context.Context, e *entry) (*Later, error) {
	d.tellOthers(refOf(e.Look).Repository)
	later, err := d.looker.readRules(ctx, e.Look, e.Waited)
	if err == nil {
		err = d.dispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d", e.Delivery, e.Waited), e.Look)
	}
	if err != nil || !e.Others || !handlers.SpeaksForOthers(e.Repo) {
		return later, err
	}
	others := e.Look
	others.Expect, others.Others = handlers.Expectation{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", e.Delivery, e.Waited)
	return later, d.repositories(ctx, others, handlers.ScopeRules)
}

// sweptRules is how old what is known of rules may be in a sweep. It is more than nothing, so that the repository that speaks for
// others is not read with each of them.
const sweptRules = time.Minute

// sweepRules looks whether a repository has other rules than this process knows, and reports what is broken.
func (d *desk) sweepRules(ctx context.Context, repo issues.Repository) (issues.Since, error) {
	d.looker.Book.ForgetOlder(repo, sweptRules)
	found, since, err := d.looker.inForce(ctx, repo)
	if err != nil {
		return since, err
	}
	return since, d.looker.reportBroken(ctx, repo, found.Broken)
}

// tellOthers lets the other replicas read the rules of a repository again when they need them next.
func (d *desk) tellOthers(repo issues.Repository) {
	if d.tell == nil {
		return
	}
	if err := d.tell(fmt.Appendf(nil, "rules %d %s %s", repo.Installation, repo.Owner, repo.Name)); err != nil {
		d.log.Warn().Err(err).Str("repo", repo.String()).Msg("other replicas do not hear that rules changed; they read them again after repositories.keep")
	}
}

// tellOfSent lets the other replicas count an issue that was moved to a state, as long as GitHub may not show it there.
func (d *desk) tellOfSent(ref issues.Ref, state string) {
	if d.tell == nil {
		return
	}
	if err := d.tell(fmt.Appendf(nil, "sent %d %d %s", ref.ID, ref.Number, state)); err != nil {
		d.log.Warn().Err(err).Stringer("issue", ref).Msg("other replicas do not hear that an issue was moved; they see it once GitHub shows it")
	}
}

// heard is what another replica tells.
func (d *desk) heard(word []byte) {
	var repo issues.Repository
	var moved issues.Ref
	var state string
	if n, err := fmt.Sscanf(string(word), "sent %d %d %s", &moved.ID, &moved.Number, &state); n == 3 && err == nil {
		d.sent.add(moved, state, d.clock.Now())
		return
	}
	if n, err := fmt.Sscanf(string(word), "rules %d %s %s", &repo.Installation, &repo.Owner, &repo.Name); n != 3 || err != nil {
		d.log.Debug().Msg("a replica of another version tells something")
		return
	}
	d.looker.Book.Forget(repo)
	d.looker.Labels.Forget(repo)
}
