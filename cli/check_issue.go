package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// issueName is how an issue is named: https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls.
var issueName = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)#([1-9][0-9]{0,8})$`)

// issueOf reads the name of an issue; ok is false for other texts.
func issueOf(named string) (owner, name string, number int, ok bool) {
	parts := issueName.FindStringSubmatch(named)
	if parts == nil {
		return "", "", 0, false
	}
	number, err := strconv.Atoi(parts[3])
	return parts[1], parts[2], number, err == nil
}

// exitStatus is how the command ends by its answer.
var exitStatus = map[inspect.Legality]int{inspect.NotLegal: 1, inspect.NotKnown: 3}

// used is what an installation grants of what Colony uses.
func used(granted map[string]string) map[string]string {
	reads := maps.Clone(granted)
	maps.DeleteFunc(reads, func(name, _ string) bool { return permissions.All()[name] == "" })
	return reads
}

func (c checkCommand) ask(ctx context.Context, i *inspect.Inspector, ref issues.Ref) (*inspect.Answer, error) {
	answer, err := i.Ask(ctx, ref, inspect.Question{As: c.As, To: c.From})
	switch {
	case errors.Is(err, inspect.ErrNoIssue):
		return nil, fmt.Errorf("there is no issue %s", ref)
	case errors.Is(err, inspect.ErrNotAnIssue):
		return nil, fmt.Errorf("%s is a pull request; Colony keeps issues", ref)
	}
	return answer, err
}

func (c checkCommand) onGitHub(ctx context.Context, k *kong.Kong) error {
	owner, name, number, ok := issueOf(c.Repo)
	switch {
	case !ok:
		return wrongUsage{fmt.Sprintf("--repo %q is not an issue: write owner/name#number", c.Repo)}
	case c.To != "":
		return wrongUsage{"with --repo, name only the state to move to: GitHub tells which one the issue is in"}
	case c.Lifecycle != "":
		return wrongUsage{"--repo and --lifecycle do not go together: the lifecycle is the one in force in the repository"}
	case c.As == "":
		return wrongUsage{"with --repo, say who asks: --as LOGIN"}
	}
	settings, reads, err := reading(k, c.Config, c.TokenEnv)
	if err != nil {
		return err
	}
	reads.Reads = used
	answer, err := app.InspectIssue(ctx, settings, reads, owner, name, number, func(i *inspect.Inspector, ctx context.Context, ref issues.Ref) (*inspect.Answer, error) {
		return c.ask(ctx, i, ref)
	})
	unknown := (*inspect.UnknownError)(nil)
	switch {
	case errors.Is(err, client.ErrNotInstalled):
		return cannotCheck(fmt.Errorf("the App is not installed on %s/%s, or there is no such repository", owner, name))
	case errors.As(err, &unknown) && len(unknown.Known) > 0:
		return unknownWord(unknown.What, unknown.Word, unknown.Known)
	case unknown != nil:
		return wrongUsage{unknown.Error() + ". The bot of an App is written name[bot]."}
	case err != nil:
		return cannotCheck(err)
	}
	if c.Format == "json" {
		err = printPlain(k.Stdout, answer)
	} else {
		err = answer.WriteText(k.Stdout)
	}
	if err != nil {
		return wrongUsage{fmt.Sprintf("print the answer: %v", err)}
	}
	if status := exitStatus[answer.Answer]; status != 0 {
		k.Exit(status)
	}
	return nil
}
