package reconcile

import (
	"context"
	"slices"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
)

// Links between issues are written by commands. They are recorded by GitHub's own dependencies where the server has them, and in
// any case by the comments themselves and their receipts: what is in force follows from those in their order.

// homeOf is an issue as commands on it name others; web is the address of GitHub's pages.
func homeOf(ref issues.Ref, web string) commands.Home {
	return commands.Home{Reference: commands.Reference{Owner: ref.Owner, Name: ref.Name, Number: ref.Number}, Web: web}
}

func (q *inquiry) home() commands.Home { return homeOf(q.view.Ref, q.Web) }

// refOf names the issue of a reference, reached through the same installation.
func refOf(q *inquiry, r commands.Reference) issues.Ref {
	repo := q.view.Ref.Repository
	if !q.home().Near(r) {
		repo = issues.Repository{Installation: repo.Installation, Owner: r.Owner, Name: r.Name}
	}
	return issues.Ref{Repository: repo, Number: r.Number}
}

// linksOf returns what the issue is linked to by the commands on it, however long ago they were written.
func linksOf(ctx context.Context, q *inquiry) (commands.Links, error) {
	if q.conversation != nil && !q.view.Created.Before(q.commandsSince) {
		return q.conversation.links, nil
	}
	return readLinks(ctx, q, q.view)
}

func readLinks(ctx context.Context, q *inquiry, v issues.View) (commands.Links, error) {
	var links commands.Links
	comments, err := q.store.Written(ctx, v)
	if err != nil {
		return links, err
	}
	home := homeOf(v.Ref, q.Web)
	linking := func(o commandComment) bool { return len(home.Named(o.invocations)) > 0 }
	accepted, edits, err := readRun(ctx, q, v.Ref, slices.Insert(comments, 0, v.Opening()), linking, func(r issues.Receipt) bool { return r.Content == issues.ThumbsUp })
	for i, o := range accepted {
		if edits[i].State != issues.Edited {
			links = links.Then(home, o.invocations, o.receipt.At)
		}
	}
	return links, err
}

// linkTargets finds out about the issues that the link commands of a comment name. Someone who is not allowed to link learns nothing about them.
func linkTargets(ctx context.Context, q *inquiry, requester commands.Requester, invocations []commands.Invocation) (map[commands.Reference]commands.Target, error) {
	if requester.Right < commands.MayMove {
		return nil, nil
	}
	home := q.home()
	targets := map[commands.Reference]commands.Target{}
	for _, link := range home.Named(invocations) {
		if home.Is(link.To) {
			continue
		}
		target, err := linkTarget(ctx, q, requester, link)
		if err != nil {
			return nil, err
		}
		targets[link.To] = target
	}
	return targets, nil
}

// linkTarget finds out about one issue. To take a link away, no one needs to be able to read the other issue, and Colony says nothing about it.
func linkTarget(ctx context.Context, q *inquiry, requester commands.Requester, link commands.Link) (commands.Target, error) {
	ref := refOf(q, link.To)
	if link.On && ref.Repository != q.view.Ref.Repository {
		readable, err := q.store.Readable(ctx, ref.Repository, requester.Actor.Login)
		if err != nil || !readable {
			return commands.Target{}, err
		}
	}
	named, err := q.store.Get(ctx, ref)
	switch {
	case issues.IsGone(err):
		return commands.Target{}, nil
	case err != nil:
		return commands.Target{}, err
	}
	target := commands.Target{ID: named.ID, There: true, PullRequest: named.PullRequest}
	if link.On && !target.PullRequest {
		target.Route, err = routeHome(ctx, q, link.To)
	}
	return target, err
}

// routeSteps bounds how many issues are read to find out whether one depends on another. A circle that is larger is found by
// people: everything in it waits.
const routeSteps = 25

// routeHome finds the shortest way by which an issue depends on the one that is reconciled; it is empty if it does not, as far as can
// be seen.
func routeHome(ctx context.Context, q *inquiry, from commands.Reference) ([]commands.Reference, error) {
	home := q.home()
	ways := [][]commands.Reference{{from}}
	seen := map[commands.Reference]bool{from: true}
	for steps := 0; len(ways) > 0 && steps < routeSteps; steps++ {
		way := ways[0]
		ways = ways[1:]
		depends, err := dependencies(ctx, q, way[len(way)-1])
		if err != nil {
			return nil, err
		}
		for _, next := range depends {
			if next = home.Complete(next); home.Is(next) {
				return way, nil
			}
			if !seen[next] {
				seen[next] = true
				ways = append(ways, append(slices.Clone(way), next))
			}
		}
	}
	return nil, nil
}

// dependencies lists what an issue depends on. There is nothing to list of one that is no longer there, or not for Colony.
func dependencies(ctx context.Context, q *inquiry, of commands.Reference) ([]commands.Reference, error) {
	named, err := q.store.Get(ctx, refOf(q, of))
	if issues.IsGone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	links, err := readLinks(ctx, q, named)
	if err != nil {
		return nil, err
	}
	return q.store.DependsOn(q.log.WithContext(ctx), named, links)
}

// writesOfLinks turns links into GitHub's own dependencies. An issue that is not known has none.
func writesOfLinks(links []commands.Link) []issues.Write {
	var writes []issues.Write
	for _, link := range links {
		if link.ID != 0 {
			writes = append(writes, issues.Write{Link: &issues.Link{ID: link.ID, On: link.On}})
		}
	}
	return writes
}
