package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/check"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
)

// issueName is how an issue is named: https://docs.github.com/get-started/writing-on-github/working-with-advanced-formatting/autolinked-references-and-urls.
var issueName = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9-]*)/([A-Za-z0-9._-]+)#([1-9][0-9]{0,8})$`)

// notKnown is the exit status where nobody knows whether a move is legal.
const notKnown = 3

// onGitHub answers as Colony would judge an issue as it is now.
func (c checkCommand) onGitHub(ctx context.Context, k *kong.Kong) error {
	parts := issueName.FindStringSubmatch(c.Repo)
	switch {
	case parts == nil:
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
		return cannotCheck{err}
	}
	number, err := strconv.Atoi(parts[3])
	if err != nil {
		return wrongUsage{fmt.Sprintf("--repo %q is not an issue: %v", c.Repo, err)}
	}
	o := check.Options{Owner: parts[1], Name: parts[2], Number: number, As: c.As, To: c.From}
	o.Notice = func(line string) { fmt.Fprintln(k.Stderr, line) }
	if o.Token, err = readingToken(c.TokenEnv, settings); err != nil {
		return err
	}
	if o.Token != "" {
		onActions(&settings)
	}
	answer, err := check.Run(ctx, settings, app.Options{}, o)
	unknown := (*inspect.UnknownError)(nil)
	switch {
	case errors.As(err, &unknown) && len(unknown.Known) > 0:
		return unknownWord(unknown.What, unknown.Word, unknown.Known)
	case unknown != nil:
		return wrongUsage{unknown.Error() + ". The bot of an App is written name[bot]."}
	case err != nil:
		return cannotCheck{err}
	}
	if err := c.print(k.Stdout, answer); err != nil {
		return wrongUsage{fmt.Sprintf("print the answer: %v", err)}
	}
	switch answer.Answer {
	case inspect.Legal:
	case inspect.NotLegal:
		k.Exit(1)
	case inspect.NotKnown:
		k.Exit(notKnown)
	}
	return nil
}

func (c checkCommand) print(w io.Writer, answer *inspect.Answer) error {
	if c.Format != "json" {
		return answer.WriteText(w)
	}
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	out.SetEscapeHTML(false)
	return out.Encode(answer)
}
