package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
)

type uninstallCommand struct {
	Config   string   `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Repo     []string `required:"" placeholder:"OWNER/NAME" help:"The repository; repeat it for several."`
	TokenEnv string   `placeholder:"NAME" help:"The variable with the token of a maintainer, such as GITHUB_TOKEN: for when the App is not installed there any more."`
	DryRun   bool     `help:"Print what it would delete, and write nothing."`
	OwnNames bool     `help:"Delete also the labels of the lifecycle in force that do not begin with colony:, which the repository may have had before."`
	Yes      bool     `help:"Do not ask: for scripts."`
	formerFlag
}

func (c uninstallCommand) Run(ctx context.Context, k *kong.Kong) error {
	token, err := tokenIn(c.TokenEnv)
	if err != nil {
		return err
	}
	o := labels.Options{OwnNames: c.OwnNames}
	o.Token = token
	keeper, err := labelsFlags{Config: c.Config}.keeper(k, c.formerFlag, o)
	if err != nil {
		return err
	}
	var failures []labels.Failure
	plans, repositories := map[string]labels.Leaving{}, 0
	steps := 0
	err = keeper.Each(ctx, c.Repo, func(ctx context.Context, repo issues.Repository) error {
		l, err := keeper.Leave(ctx, repo)
		if err != nil {
			return err
		}
		for _, s := range append(slices.Clone(l.Steps), l.Kept...) {
			fmt.Fprintln(k.Stdout, s)
		}
		if l.Note != "" {
			fmt.Fprintf(k.Stdout, "note    %s: %s\n", repo, l.Note)
		}
		plans[repo.String()] = l
		repositories++
		steps += len(l.Steps)
		return nil
	}, fails(k, &failures))
	if err != nil {
		return cannotCheck(err)
	}
	switch {
	case len(failures) > 0:
		if slices.ContainsFunc(failures, func(f labels.Failure) bool { return errors.Is(f.Err, client.ErrNotInstalled) }) {
			fmt.Fprintln(k.Stderr, "Where the App is not installed, run this with --token-env and the token of a maintainer.")
		}
		fmt.Fprintln(k.Stderr, "Nothing was written.")
		k.Exit(2)
	case steps == 0:
		fmt.Fprintln(k.Stdout, "None of Colony's labels is there.")
		return nil
	case c.DryRun:
		fmt.Fprintln(k.Stdout, "Nothing was written (--dry-run).")
		k.Exit(1)
	case !c.Yes && !c.agrees(k, steps, repositories):
		fmt.Fprintln(k.Stderr, "Nothing was written: answer yes, or give --yes in a script.")
		k.Exit(1)
	}
	return c.uninstall(ctx, k, keeper, plans)
}

func (uninstallCommand) agrees(k *kong.Kong, steps, repositories int) bool {
	fmt.Fprintf(k.Stderr, "Delete %s in %s? Their issues lose their states, and that cannot be undone. Type yes to go on: ",
		wording.Counted(steps, "label", "labels"), wording.Counted(repositories, "repository", "repositories"))
	answer := bufio.NewScanner(os.Stdin)
	agrees := answer.Scan() && strings.EqualFold(strings.TrimSpace(answer.Text()), "yes")
	fmt.Fprintln(k.Stderr)
	return agrees
}

func (c uninstallCommand) uninstall(ctx context.Context, k *kong.Kong, keeper *labels.Keeper, plans map[string]labels.Leaving) error {
	var failures []labels.Failure
	deleted := 0
	err := keeper.Each(ctx, c.Repo, func(ctx context.Context, repo issues.Repository) error {
		return keeper.Uninstall(ctx, repo, plans[repo.String()], func(labels.Step) { deleted++ })
	}, fails(k, &failures))
	if err != nil {
		return cannotCheck(err)
	}
	fmt.Fprintf(k.Stdout, "%s deleted. Comments and reactions stay. %s and %s stay too, if the repository has them: delete them with a commit.\n",
		wording.Counted(deleted, "label", "labels"), policy.SettingsFile, policy.LifecycleFile)
	if len(failures) > 0 {
		k.Exit(2)
	}
	return nil
}
