package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/statemachine"
)

type checkCommand struct {
	From string `arg:"" help:"The state the issue is in, or its label."`
	To   string `arg:"" help:"The state to move it to, or its label."`

	As        string `default:"operator" placeholder:"WHO" help:"Who moves it: operator, executor (any bot), author, colony, or a role of the lifecycle: for colony analyzer, planner, developer, reviewer or merger (default: ${default})."`
	Lifecycle string `default:"colony" placeholder:"NAME|FILE" help:"The lifecycle to ask: the name of one that comes with Colony, a file, or - for the standard input (default: ${default})."`
}

// Help is what "colony check --help" says beside the arguments.
func (checkCommand) Help() string {
	return exitsOf("check") + `
It names what a legal move also depends on: the state before, a reason, a limit.

For example:

    colony check in-review changes-requested --as reviewer
    colony check done new
    colony check open closed --lifecycle .github/colony-lifecycle.yml`
}

// Run answers as Colony itself would judge the edit of a label.
func (c checkCommand) Run(k *kong.Kong) error {
	life, err := lifecycleOf(c.Lifecycle)
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
	verdict := life.Judge(who, from, to)
	if verdict == statemachine.Legal {
		pair, _ := life.Pair(from, to)
		fmt.Fprintf(k.Stdout, "legal: %s -> %s, as %s (%s)\n", from, to, strings.ToLower(c.As), pair.Kind)
		fmt.Fprintf(k.Stdout, "why:   %s.\n", pair.Why)
		for _, condition := range life.Conditions(who, pair) {
			fmt.Fprintf(k.Stdout, "but:   %s.\n", condition)
		}
		if causes := life.ByItself(from, to); len(causes) > 0 {
			fmt.Fprintf(k.Stdout, "also:  Colony makes this move automatically (%s).\n", strings.Join(causes, ", "))
		}
		printNext(k.Stdout, life, who, c.As, to)
		return nil
	}
	fmt.Fprintf(k.Stdout, "not legal: %s -> %s, as %s\n", from, to, strings.ToLower(c.As))
	fmt.Fprintf(k.Stdout, "why:       %s\n", whyNot(life, who, verdict, from, to))
	printNext(k.Stdout, life, who, c.As, from)
	k.Exit(1)
	return nil
}

func whyNot(life *statemachine.Lifecycle, who statemachine.Actor, verdict statemachine.Verdict, from, to string) string {
	state, _ := life.State(from)
	switch {
	case verdict == statemachine.Same:
		return "The issue is there already."
	case verdict == statemachine.NotInTable && state.Type == statemachine.Terminal:
		return fmt.Sprintf("%s is terminal: nothing leads out of it.", from)
	case verdict == statemachine.NotInTable:
		return fmt.Sprintf("The table of lifecycle %s has no such move, for anyone.", life.Name)
	case who.Kind == statemachine.Author:
		return "An issue's author cannot move it; the author answers with comments."
	}
	return fmt.Sprintf("The table has this move, but not for this role. %s", whoMay(life, from, to))
}

func whoMay(life *statemachine.Lifecycle, from, to string) string {
	may := []string{"operators"}
	for _, r := range life.Roles {
		if life.Judge(statemachine.Actor{Kind: statemachine.Executor, Roles: []string{r.Name}}, from, to) == statemachine.Legal {
			may = append(may, "the "+r.Name)
		}
	}
	return "It is for " + strings.Join(may, ", ") + "."
}

func printNext(w io.Writer, life *statemachine.Lifecycle, who statemachine.Actor, as, from string) {
	next := life.Next(who, from)
	if len(next) == 0 {
		fmt.Fprintf(w, "next:  nothing is legal from %s, as %s.\n", from, strings.ToLower(as))
		return
	}
	fmt.Fprintf(w, "Legal from %s, as %s:\n", from, strings.ToLower(as))
	width := 0
	for _, p := range next {
		width = max(width, len(p.To))
	}
	for _, p := range next {
		why := p.Why
		if conditions := life.Conditions(who, p); len(conditions) > 0 {
			why += "; " + strings.Join(conditions, "; ")
		}
		fmt.Fprintf(w, "  %-*s  %s\n", width, p.To, why)
	}
}
