package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/check"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
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

// onGitHub answers as Colony would decide about an issue as it is now.
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
	settings, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotCheck(err)
	}
	reads, err := reading(k, c.TokenEnv, &settings)
	if err != nil {
		return err
	}
	answer, err := check.Run(ctx, settings, reads, check.Options{Owner: owner, Name: name, Number: number, As: c.As, To: c.From})
	unknown := (*inspect.UnknownError)(nil)
	switch {
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
