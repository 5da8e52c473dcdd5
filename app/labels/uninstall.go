package labels

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Leaving is what is to be deleted in a repository that Colony leaves.
type Leaving struct {
	Steps []Step
	// Kept are the labels that stay, and why.
	Kept []Step
	// Note says what could not be made sure of; empty if Colony can work there no more.
	Note string
}

// Leave says which labels are Colony's in a repository: all that it might have made there. It changes nothing, and fails while a Colony works
// there, because that one would make them again.
func (k *Keeper) Leave(ctx context.Context, repo issues.Repository) (l Leaving, err error) {
	if l.Note, err = k.stillWorks(ctx, repo); err != nil {
		return l, err
	}
	is, kept, err := k.colonys(ctx, repo)
	if err != nil {
		return l, err
	}
	for _, label := range is {
		says := "which GitHub cannot count"
		if !strings.Contains(label, ",") {
			open, closed, err := k.carriers(ctx, repo, label)
			if err != nil {
				return l, err
			}
			says = fmt.Sprintf("which is on %s and %s", counted(open, "open"), counted(closed, "closed"))
		}
		l.Steps = append(l.Steps, Step{repo.String(), Delete, label, says})
	}
	for _, label := range kept {
		l.Kept = append(l.Kept, Step{repo.String(), Keep, label, "because its name does not begin with colony:, so the repository may have had it before (--own-names deletes it too)"})
	}
	return l, nil
}

// Uninstall deletes the labels that Leave found. GitHub takes them off all issues. The label with the time from which Colony checks the
// repository goes first. So a Colony that comes back in between begins again, and refuses nothing of what was before. Uninstall fails if labels
// are there again afterwards.
func (k *Keeper) Uninstall(ctx context.Context, repo issues.Repository, l Leaving, tell func(Step)) error {
	for _, s := range l.Steps {
		if err := k.write(func() error { return k.labels.Delete(ctx, repo, s.Label) }); err != nil {
			return err
		}
		tell(s)
	}
	back, _, err := k.colonys(ctx, repo)
	if err != nil {
		return err
	}
	if len(back) > 0 {
		return fmt.Errorf("%s back: a Colony works there -> uninstall its App there or stop it, then run this again", strings.Join(back, ", "))
	}
	return nil
}

// colonys are the labels of a repository that are Colony's, those with a stamp first. Kept are labels of the lifecycle that the repository might
// have had before, as its names do not say whose they are.
func (k *Keeper) colonys(ctx context.Context, repo issues.Repository) (list, kept []string, err error) {
	e, err := k.examine(ctx, repo)
	if err != nil {
		return nil, nil, err
	}
	var first []string
	own := func(label string) bool { return !k.options.OwnNames && !issues.IsColonys(label) }
	add := func(label string, stamped bool) {
		if stamped || lifecycle.SameLabel(label, lifecycle.Forced) {
			first = append(first, label)
			return
		}
		list = append(list, label)
	}
	present := slices.Clone(e.set.There)
	for _, d := range e.set.Differing {
		present = append(present, d.Is)
	}
	for _, is := range present {
		if own(is.Label) {
			kept = append(kept, is.Label)
			continue
		}
		add(is.Label, false)
	}
	for _, left := range e.set.LeftOver {
		add(left.Label, left.Stamped)
	}
	return append(first, list...), kept, nil
}

// stillWorks fails if a Colony works on a repository: the App is installed there, and a Colony answers where GitHub sends its webhooks. The
// note says what is not known.
func (k *Keeper) stillWorks(ctx context.Context, repo issues.Repository) (note string, err error) {
	const unknown = "whether the App is installed there cannot be asked without its credentials: uninstall it first, or its Colony makes the labels anew"
	if k.app == nil {
		return unknown, nil
	}
	installed, err := k.app.InstallationOn(ctx, repo.Owner, repo.Name)
	if refused := (*client.RefusedError)(nil); errors.As(err, &refused) && k.options.Token != "" {
		return unknown, nil
	}
	if errors.Is(err, client.ErrNotInstalled) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	hook, err := k.app.Webhook(ctx)
	if err != nil && !issues.IsMissing(err) {
		return "", err
	}
	target, err := url.Parse(hook.URL)
	if err != nil {
		target = &url.URL{} // as without an address
	}
	if target.Host == "" {
		return "the App is installed there, and GitHub does not say where its Colony runs: stop that one first", nil
	}
	if status, _, err := k.options.Ask(ctx, hook.URL, ""); err == nil && status == http.StatusMethodNotAllowed { // Colony takes POST only
		return "", fmt.Errorf("a Colony works there: the App is installed (%s), and a Colony answers at %s -> "+
			"take the repository out of that installation and run this again with --token-env, or stop that Colony and run this before you uninstall the App",
			installed.Page, target.Host)
	}
	return fmt.Sprintf("the App is installed there, and no Colony answers at %s from here: uninstall the App (%s) before a Colony runs again", target.Host, installed.Page), nil
}
