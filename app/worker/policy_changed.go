package worker

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// policies knows the policies of repositories, and does what follows from a change of one.
type policies struct {
	*Publisher

	reconciler interface {
		Has(repo issues.Repository) bool
		PolicyChanged(repo issues.Repository)
		RefreshPolicy(ctx context.Context, request reconcile.Request, waited int) (*reconcile.Result, error)
	}
	cache interface {
		Known(repo issues.Repository) (found policy.Policy, known bool)
		Invalidate(repo issues.Repository)
	}
	labels     interface{ Forget(repo issues.Repository) }
	clients    issues.Clients
	peers      *peers
	dispatcher *dispatcher
	dashboards *dashboards
}

// policyReader reads the policy of a repository, mostly from memory.
type policyReader interface {
	Get(ctx context.Context, repo issues.Repository) (policy.Effective, error)
}

func policyOf(ctx context.Context, from policyReader, repo issues.Repository) (policy.Effective, error) {
	found, err := from.Get(ctx, repo)
	if err != nil {
		return found, fmt.Errorf("read the policy of %s: %w", repo, err)
	}
	return found, nil
}

// changed reads the policy of a repository again. If the repository speaks for others, their policies are read again as well.
func (p *policies) changed(ctx context.Context, item *Item) (*reconcile.Result, error) {
	p.tell(item.Repository)
	result, err := p.reconciler.RefreshPolicy(ctx, item.Request, item.Waited)
	if err != nil {
		return result, err
	}
	return result, p.after(ctx, item.Request, item.Waited)
}

// after asks for what follows from the policy of a repository that was read again.
func (p *policies) after(ctx context.Context, request reconcile.Request, waited int) error {
	if err := p.dispatcher.DispatchIfSet(ctx, fmt.Sprintf("%s/dispatch/%d/%d", request.Delivery, request.ID, waited), request); err != nil {
		return err
	}
	if err := p.dashboards.afterPolicy(ctx, request, waited); err != nil {
		return err
	}
	if !request.AllOfOwner || !policy.SpeaksForOthers(request.Name) {
		return nil
	}
	others := request
	others.Kind, others.Expect, others.AllOfOwner = reconcile.KindPolicy, reconcile.ExpectedEvent{}, false
	others.Delivery = fmt.Sprintf("%s/others/%d", request.Delivery, waited)
	err := client.EachRepository(ctx, p.clients, request.Installation, client.Once, func(repo issues.Repository) error {
		one := others
		one.Repository = repo
		return p.Publish(ctx, fmt.Sprintf("%s/repository/%d", others.Delivery, repo.ID), one)
	})
	return client.IgnoreUnlisted(p.log, request.Installation, err)
}

// tell lets the other replicas read the policy of a repository again when they need it next.
func (p *policies) tell(repo issues.Repository) {
	p.peers.Tell(wordRules, repo)
}

// changedElsewhere lets this replica read the policy of a repository again.
func (p *policies) changedElsewhere(repo issues.Repository) {
	p.cache.Invalidate(repo)
	p.labels.Forget(repo)
	p.reconciler.PolicyChanged(repo)
}

// KnownPolicy returns the policy of a repository if nothing has to be read for it. It implements handlers.Policies.
func (p *policies) KnownPolicy(repo issues.Repository) (found policy.Policy, known bool) {
	return p.cache.Known(repo)
}

// Has reports whether Colony works in a repository. It implements handlers.Policies.
func (p *policies) Has(repo issues.Repository) bool { return p.reconciler.Has(repo) }

// ForgetPolicy lets this replica and the others read the policy of a repository again when they need it next. It implements
// handlers.Policies.
func (p *policies) ForgetPolicy(repo issues.Repository) {
	p.cache.Invalidate(repo)
	p.tell(repo)
}
