// Package handlers turns webhooks into requests to reconcile. A webhook never carries truth: what it says is used to decide whether
// and when to reconcile, and for nothing else.
package handlers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// publisher publishes what a routing asks for. Every handler has one.
type publisher struct {
	queue    reconcile.Enqueuer
	self     Self
	policies Policies
	news     News
	log      zerolog.Logger
}

// Policies knows the policies of repositories.
type Policies interface {
	// Has reports whether Colony works in a repository, by its name alone.
	Has(repo issues.Repository) bool
	// KnownPolicy returns the policy of a repository if nothing has to be read for it: what it returns is what a worker would use now.
	KnownPolicy(repo issues.Repository) (found policy.Policy, known bool)
	// ForgetPolicy is called once a policy might have changed, before that is published. No replica knows it then until it has read it.
	ForgetPolicy(repo issues.Repository)
}

// News receives what webhooks tell of issues without a reconciliation. What it calls must be quick.
type News struct {
	// Gone is called with an issue that is no longer there, or not for Colony; without a number with a repository, and without that with an
	// installation. Nil: no one has to know.
	Gone func(ref issues.Ref)
	// Closed is called with an issue that was closed. Nil: no one has to know.
	Closed func(ref issues.Ref)
}

func (p publisher) tell(v routing) {
	if p.news.Gone != nil {
		for _, ref := range v.gone {
			p.news.Gone(ref)
		}
	}
	if v.closed != nil && p.news.Closed != nil {
		p.news.Closed(*v.closed)
	}
}

// inVain says why a request that is for one purpose would lead to nothing, if that is known without a queue; else it is empty.
func (p publisher) inVain(request reconcile.Request) reason {
	if request.Owner != "" && !p.policies.Has(request.Repository) {
		return leftAlone
	}
	if !request.IsConditional() {
		return ""
	}
	found, known := p.policies.KnownPolicy(request.Repository)
	switch {
	case !known || request.HasReason(found):
		return ""
	case request.OnlyIntake:
		return notTakenIn
	case len(request.OnlyStates) > 0 && !found.UsesAny(request.OnlyStates):
		return stateless(request)
	case request.OnlySealed:
		return otherAction
	}
	return noReply
}

// stateless is the reason why a request is ignored that no state is in.
func stateless(request reconcile.Request) reason {
	switch {
	case request.Expect.Label != "" || request.Number == 0 && request.Kind == reconcile.KindRepository:
		return otherLabel
	case request.Expect.CommentID != 0:
		return noCommand
	}
	return noState
}

// publish publishes the requests of a delivery and returns once all are safe. An error means that at least one is not,
// and that GitHub has to record a failed delivery. To deliver it again is harmless: its requests have the same ids.
func (p publisher) publish(ctx context.Context, d delivery, e envelope, issue int, v routing) error {
	p.tell(v)
	v.requests = slices.DeleteFunc(v.requests, func(request reconcile.Request) bool {
		vain := p.inVain(request)
		v.ignored = cmp.Or(vain, v.ignored)
		return vain != ""
	})
	if v.ignored != "" {
		owner, repo := e.Repository.address()
		describe(p.log.WithLevel(v.level), d, e.Action, reconcile.Request{
			Ref:   issues.Ref{Repository: issues.Repository{Installation: e.Installation.ID, Owner: owner, Name: repo}, Number: issue},
			Cause: string(v.ignored),
		}).Msg("event ignored")
	}
	if len(v.requests) == 0 {
		return nil
	}
	identity := d.identity()
	for i, request := range v.requests {
		request.Cause = d.event + "." + e.Action
		request.Delivery = d.guid
		if request.Kind == reconcile.KindPolicy {
			p.policies.ForgetPolicy(request.Repository)
		}
		for _, added := range request.Added {
			p.policies.ForgetPolicy(added)
		}
		if err := p.queue.Publish(ctx, identity+"/"+strconv.Itoa(i), request); err != nil {
			return fmt.Errorf("publish request %d of %d because of %s, delivery %s: %w",
				i+1, len(v.requests), request.Cause, d.guid, err)
		}
		describe(p.log.Debug(), d, e.Action, request).Msg("request published")
	}
	return nil
}

// describe names what a log line is about. Nothing else of a payload is ever logged.
func describe(line *zerolog.Event, d delivery, action string, request reconcile.Request) *zerolog.Event {
	if !line.Enabled() {
		return line
	}
	const longest = 200 // more than GitHub's names have; a body must not reach the log as a name
	repo := ""
	if request.Owner != "" {
		repo = request.Owner + "/" + request.Name
	}
	return line.
		Str("event", d.event).
		Str("action", action[:min(len(action), longest)]).
		Str("delivery", d.guid).
		Str("repo", repo[:min(len(repo), longest)]).
		Int("issue", request.Number).
		Int64("installation", request.Installation).
		Str("because", request.Cause)
}

// Self knows Colony's own identities, so that Colony does not answer itself. An event without a sender might be a person's: a request too many is
// harmless, one too few is not.
type Self interface {
	// IsSelf reports whether a login is Colony's present bot user or one of its former identities.
	IsSelf(login string) bool
}
