package labels

import (
	"context"
	"fmt"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
)

// adopt brings the labels under names that the lifecycle adopts to their present names. GitHub's rename keeps them on their issues and in
// their history. Where there is a label of the present name already, the issues get that one instead, one after the other, and the other
// label is deleted once nothing carries it. What is interrupted is finished by the next run.
func (k *Keeper) adopt(ctx context.Context, e *examined, tell func(Step)) error {
	for _, a := range e.set.Adopted {
		open, closed, err := k.carriers(ctx, e.repo, a.Is.Label)
		if err != nil {
			return err
		}
		on := fmt.Sprintf("%s and %s", counted(open, "open"), counted(closed, "closed"))
		if a.Both {
			if err := k.replace(ctx, e, a, on, open.N+closed.N, tell); err != nil {
				return err
			}
			continue
		}
		renamed := true
		err = k.write(func() (err error) {
			renamed, err = k.labels.Adopt(ctx, e.repo, a)
			return err
		})
		if err != nil {
			return err
		}
		if !renamed {
			return fmt.Errorf("label %s was not renamed: it is gone, or somebody made %s meanwhile -> run this again", printable(a.Is.Label), printable(a.Want.Label))
		}
		tell(Step{e.repo.String(), Rename, a.Is.Label, fmt.Sprintf("to %s, which stays on %s", printable(a.Want.Label), on)})
	}
	return nil
}

// replace puts the present label on everything that carries an adopted one, which it takes off, and deletes it once nothing carries it.
func (k *Keeper) replace(ctx context.Context, e *examined, a issues.Adopted, on string, n int, tell func(Step)) error {
	says := fmt.Sprintf("for %s on %s", printable(a.Want.Label), on)
	if k.options.DryRun {
		if n > 0 {
			tell(Step{e.repo.String(), Swap, a.Is.Label, says})
		}
		tell(Step{e.repo.String(), Delete, a.Is.Label, "once nothing carries it"})
		return nil
	}
	left, err := k.replaceOnAll(ctx, e, a)
	if err != nil {
		return err
	}
	if n > left {
		tell(Step{e.repo.String(), Swap, a.Is.Label, says})
	}
	still, err := k.store.CarriersOf(ctx, e.repo, a.Is.Label)
	if err != nil {
		return err
	}
	switch {
	case left > 0:
		tell(Step{e.repo.String(), Keep, a.Is.Label, fmt.Sprintf("because it is on %s in another state: once Colony has taken it off, run this again",
			wording.Counted(left, "issue", "issues"))})
		return nil
	case len(still) > 0:
		tell(Step{e.repo.String(), Keep, a.Is.Label, fmt.Sprintf("because somebody put it on #%d meanwhile: run this again", still[0].Number)})
		return nil
	}
	if err := k.write(func() error { return k.labels.Delete(ctx, e.repo, a.Is.Label) }); err != nil {
		return err
	}
	tell(Step{e.repo.String(), Delete, a.Is.Label, "which nothing carries any more"})
	return nil
}

// replaceOnAll puts the present label on everything that carries an adopted one. While Colony checks the issues, it leaves alone the ones that
// are in another state by their logs. Whether the label is a request is Colony's to say.
func (k *Keeper) replaceOnAll(ctx context.Context, e *examined, a issues.Adopted) (left int, err error) {
	carriers, err := k.store.CarriersOf(ctx, e.repo, a.Is.Label)
	if err != nil {
		return 0, err
	}
	since, judged, err := k.labels.Known(ctx, e.repo, e.policy.Table())
	if err != nil {
		return 0, err
	}
	if !judged { // everything remains as it is, also what changed within this second
		soon := k.clock.Now().Add(time.Second)
		since = issues.Epoch{Labels: soon, Commands: soon}
	}
	basis := k.reconciler.Basis(e.policy, since, k.clock.Now().Add(-k.reconciler.ServerSettings.Horizon))
	state, _ := e.policy.Lifecycle.StateOf(a.Want.Label)
	for _, c := range carriers {
		ref := issues.Ref{Repository: e.repo, Number: c.Number}
		labels, in := c.Labels, state.Name
		if !c.PullRequest { // Colony does not check pull requests; the label is only a label there
			if labels, in, err = k.standing(ctx, ref, basis); err != nil {
				return left, err
			}
		}
		if in != state.Name && judged {
			left++
			continue
		}
		var writes []issues.Write
		if in == state.Name && !lifecycle.HasLabel(labels, a.Want.Label) {
			writes = append(writes, issues.Write{Add: []string{a.Want.Label}})
		}
		writes = append(writes, issues.Write{Remove: a.Is.Label})
		for _, w := range writes {
			err := k.write(func() error {
				_, err := k.store.Apply(ctx, ref, []issues.Write{w})
				return err
			})
			if err != nil {
				return left, err
			}
		}
	}
	return left, nil
}

// standing reads an issue and says which labels it carries, and in which state it is. It is read right before it is written to, as someone might
// have moved it since it was listed.
func (k *Keeper) standing(ctx context.Context, ref issues.Ref, basis reconcile.Basis) (labels []string, state string, err error) {
	i, err := k.reconciler.Inspect(ctx, ref, basis)
	if err != nil {
		return nil, "", err
	}
	return i.View().Labels, i.Standing().State, nil
}
