package cli

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

type checkCommand struct {
	From string `arg:"" help:"The state the issue is in, or its label. With --repo, leave it out: GitHub tells it."`
	To   string `arg:"" optional:"" help:"The state to move it to, or its label."`

	As        string `placeholder:"WHO" help:"Who moves it: operator, executor (any bot), author, colony, or a role of the lifecycle: for colony analyzer, planner, developer, reviewer or merger (default: operator). With --repo, a login, which you have to name."`
	Lifecycle string `placeholder:"NAME|FILE" help:"The lifecycle to ask: the name of one that comes with Colony, a file, or - for the standard input (default: colony). With --repo, it is the one in force."`
	Repo      string `placeholder:"OWNER/NAME#N" help:"Ask about this issue on GitHub, as it is now."`
	Config    string `placeholder:"FILE" help:"With --repo: the configuration, such as config.yml. Without it, no file is read."`
	TokenEnv  string `placeholder:"NAME" help:"With --repo: read with the token in this environment variable, and not as the App. Without credentials of an App, $$GITHUB_TOKEN is taken."`
	Format    string `enum:"text,json" default:"text" help:"With --repo: one of ${enum} (default: ${default})."`
}

func (c checkCommand) Run(ctx context.Context, k *kong.Kong) error {
	if c.Repo != "" {
		return c.onGitHub(ctx, k)
	}
	switch {
	case c.To == "":
		return wrongUsage{"say from which state and to which: colony check FROM TO, or colony check TO --repo OWNER/NAME#N --as LOGIN"}
	case c.Config != "" || c.TokenEnv != "" || c.Format != "text":
		return wrongUsage{"--config, --token-env and --format need a --repo"}
	}
	c.As, c.Lifecycle = cmp.Or(c.As, string(lifecycle.Operator)), cmp.Or(c.Lifecycle, "colony")
	life, _, err := lifecycleOf(c.Lifecycle)
	if err != nil {
		return err
	}
	from, err := stateOf(life, c.From)
	if err != nil {
		return err
	}
	to, err := stateOf(life, c.To)
	if err != nil {
		return err
	}
	who, err := actorOf(life, c.As)
	if err != nil {
		return err
	}
	as, verdict := strings.ToLower(c.As), life.Judge(who, from, to)
	if verdict == lifecycle.Legal {
		pair, _ := life.Pair(from, to)
		fmt.Fprintf(k.Stdout, "legal: %s -> %s, as %s (%s)\n", from, to, as, pair.Kind)
		fmt.Fprintf(k.Stdout, "why:   %s.\n", pair.Why)
		for _, condition := range advice.Conditions(life, who, pair) {
			fmt.Fprintf(k.Stdout, "but:   %s.\n", condition)
		}
		if causes := life.ByItself(from, to); len(causes) > 0 {
			fmt.Fprintf(k.Stdout, "also:  Colony makes this move automatically (%s).\n", strings.Join(causes, ", "))
		}
		inspect.WriteNext(k.Stdout, to, as, inspect.NextOf(life, who, life.Next(who, to)))
		return nil
	}
	fmt.Fprintf(k.Stdout, "not legal: %s -> %s, as %s\n", from, to, as)
	fmt.Fprintf(k.Stdout, "why:       %s\n", inspect.WhyNot(life, statemachine.Rejection{By: who, Ruling: statemachine.Ruling{Verdict: verdict}, From: from, To: to}))
	inspect.WriteNext(k.Stdout, from, as, inspect.NextOf(life, who, life.Next(who, from)))
	k.Exit(1)
	return nil
}
