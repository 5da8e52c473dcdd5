package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
)

type labelsCommand struct {
	List  labelsListCommand  `cmd:"" help:"List which labels are there, missing, different, or left over from another lifecycle."`
	Apply labelsApplyCommand `cmd:"" help:"Create, repair and rename the labels that the lifecycle in force needs."`
	Prune labelsPruneCommand `cmd:"" help:"Delete the labels that no lifecycle in force uses and no open issue carries."`
}

type labelsFlags struct {
	Config string   `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Repo   []string `placeholder:"OWNER/NAME" help:"A repository; repeat it for several. Without it, all in which the App is installed."`
}

type formerFlag struct {
	Former []string `placeholder:"NAME|FILE" help:"A lifecycle that was in force before: its labels count as left over, also those that do not begin with colony:."`
}

func (f labelsFlags) keeper(k *kong.Kong, former formerFlag, o labels.Options) (*labels.Keeper, error) {
	c, err := config.Load(f.Config, os.Environ())
	if err != nil {
		return nil, cannotCheck(err)
	}
	for _, word := range former.Former {
		life, _, err := lifecycleOf(word)
		if err != nil {
			return nil, err
		}
		o.Former = append(o.Former, life)
	}
	o.Waits = waits(k.Stderr, time.Now)
	keeper, err := labels.New(c, o)
	if err != nil {
		return nil, cannotCheck(err)
	}
	return keeper, nil
}

// statusOf is the exit status of something that was done in repositories: 2 if it failed in one of them, else 1 if there is something
// to do.
func statusOf(failures []labels.Failure, something bool) int {
	switch {
	case len(failures) > 0:
		return 2
	case something:
		return 1
	}
	return 0
}

type labelsListCommand struct {
	labelsFlags
	formerFlag
	Format string `enum:"text,json" default:"text" help:"One of ${enum} (default: ${default})."`
}

func (c labelsListCommand) Run(ctx context.Context, k *kong.Kong) error {
	keeper, err := c.keeper(k, c.formerFlag, labels.Options{})
	if err != nil {
		return err
	}
	all := struct {
		Repositories []labels.Listed `json:"repositories"`
	}{[]labels.Listed{}}
	var failures []labels.Failure
	something := false
	err = keeper.Each(ctx, c.Repo, func(ctx context.Context, repo issues.Repository) error {
		l, err := keeper.List(ctx, repo)
		if err != nil {
			return err
		}
		all.Repositories = append(all.Repositories, l)
		something = something || !l.Well()
		if c.Format == "text" {
			fmt.Fprint(k.Stdout, l)
		}
		return nil
	}, fails(k, &failures))
	if err != nil {
		return cannotCheck(err)
	}
	if c.Format == "json" {
		if err := printPlain(k.Stdout, all); err != nil {
			return cannotCheck(fmt.Errorf("print the labels: %w", err))
		}
	}
	if status := statusOf(failures, something); status > 0 {
		k.Exit(status)
	}
	return nil
}

// fails prints what fails, and keeps it.
func fails(k *kong.Kong, failures *[]labels.Failure) func(labels.Failure) {
	return func(f labels.Failure) {
		*failures = append(*failures, f)
		fmt.Fprintln(k.Stderr, "colony: error: "+f.String())
	}
}

type labelsApplyCommand struct {
	labelsFlags
	DryRun    bool   `help:"Print what it would do, and write nothing."`
	Lifecycle string `placeholder:"NAME|FILE" help:"With --dry-run: print what this lifecycle would need: the name of one that comes with Colony, a file, or - for the standard input."`
}

func (c labelsApplyCommand) Run(ctx context.Context, k *kong.Kong) error {
	o := labels.Options{DryRun: c.DryRun}
	if c.Lifecycle != "" {
		if !c.DryRun {
			return wrongUsage{"--lifecycle needs --dry-run: commit the file to put it in force"}
		}
		var err error
		if _, o.Lifecycle, err = lifecycleOf(c.Lifecycle); err != nil {
			return err
		}
	}
	return c.run(ctx, k, formerFlag{}, o, (*labels.Keeper).Apply)
}

type labelsPruneCommand struct {
	labelsFlags
	formerFlag
	DryRun bool `help:"Print what it would do, and write nothing."`
}

func (c labelsPruneCommand) Run(ctx context.Context, k *kong.Kong) error {
	return c.run(ctx, k, c.formerFlag, labels.Options{DryRun: c.DryRun}, (*labels.Keeper).Prune)
}

func (f labelsFlags) run(ctx context.Context, k *kong.Kong, former formerFlag, o labels.Options, do func(*labels.Keeper, context.Context, issues.Repository, func(labels.Step)) error) error {
	keeper, err := f.keeper(k, former, o)
	if err != nil {
		return err
	}
	var failures []labels.Failure
	t := &tally{k: k, dryRun: o.DryRun, of: map[labels.Action]int{}}
	err = keeper.Each(ctx, f.Repo, func(ctx context.Context, repo issues.Repository) error {
		t.repositories++
		err := do(keeper, ctx, repo, t.tell)
		if unwritten := (*labels.UnwrittenError)(nil); len(f.Repo) == 0 && errors.As(err, &unwritten) { // no one asked for that one
			t.tell(labels.Step{Repository: repo.String(), Action: labels.Note, Says: fmt.Sprintf("nothing is written: its mode is %s (%s) -> for another mode, %s", unwritten.Mode, unwritten.By, unwritten.Change)})
			return nil
		}
		return err
	}, fails(k, &failures))
	if err != nil {
		return cannotCheck(err)
	}
	if t.repositories > 0 || len(failures) == 0 {
		fmt.Fprintln(k.Stdout, t.String())
	}
	if status := statusOf(failures, t.of[labels.Keep] > 0 || o.DryRun && t.steps > 0); status > 0 {
		k.Exit(status)
	}
	return nil
}

type tally struct {
	k                   *kong.Kong
	dryRun              bool
	repositories, steps int
	of                  map[labels.Action]int
}

func (t *tally) tell(s labels.Step) {
	if s.Action != labels.Note {
		t.of[s.Action]++
		t.steps++
	}
	fmt.Fprintln(t.k.Stdout, s)
}

func (t *tally) String() string {
	var parts []string
	for _, a := range []labels.Action{labels.Create, labels.Repair, labels.Rename, labels.Swap, labels.Delete, labels.Keep} {
		if n := t.of[a]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, map[bool]string{true: "to " + string(a), false: a.Done()}[t.dryRun]))
		}
	}
	says := "Nothing to do"
	if len(parts) > 0 {
		says = wording.Counted(t.steps, "label", "labels") + ": " + strings.Join(parts, ", ")
	}
	says += " in " + wording.Counted(t.repositories, "repository", "repositories") + "."
	if t.dryRun {
		says += " Nothing was written (--dry-run)."
	}
	return says
}
