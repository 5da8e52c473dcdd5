package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/simulate"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

type simulateCommand struct {
	Repo         string `placeholder:"OWNER/NAME" help:"The repository. Without it, all that the App can see."`
	Installation int64  `placeholder:"ID" help:"All repositories of this installation of the App."`
	From         string `placeholder:"OWNER/NAME" help:"Go on with this repository: leave out what GitHub lists before it."`
	Since        string `default:"30d" placeholder:"AGE" help:"How far back to begin: days, hours or minutes, such as 30d or 12h (default: ${default})."`
	Lifecycle    string `placeholder:"NAME|FILE" help:"Judge by this lifecycle: the name of one that comes with Colony, a file, or - for the standard input. It stands in for .github/colony-lifecycle.yml of each repository."`
	Settings     string `placeholder:"FILE" help:"Judge by these settings. The file stands in for .github/colony.yml of each repository."`
	Compare      bool   `help:"Also say what --lifecycle and --settings change, compared with what is in force."`
	Config       string `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Mode         string `enum:"enforce,warn" default:"enforce" help:"Say what Colony would have done in this mode: one of ${enum} (default: ${default}). In the modes observe and off it writes nothing."`
	TokenEnv     string `placeholder:"NAME" help:"Read with the token in this environment variable, and not as the App. Without credentials of an App, $$GITHUB_TOKEN is taken."`
	AtOnce       int    `default:"8" placeholder:"N" help:"How many issues to read at once (default: ${default})."`
	Format       string `enum:"text,json,markdown" default:"text" help:"One of ${enum} (default: ${default})."`
}

func (c simulateCommand) Run(ctx context.Context, k *kong.Kong) error {
	options, err := c.options()
	if err != nil {
		return err
	}
	settings, reads, err := reading(k, c.Config, c.TokenEnv)
	if err != nil {
		return err
	}
	if reads.Token != "" && c.Repo == "" {
		return wrongUsage{"a token sees no list of installations: say which repository with --repo owner/name"}
	}
	end := follow(k.Stderr, &options)
	report, err := simulate.Run(ctx, settings, reads, options)
	end()
	if err != nil {
		return cannotCheck(err)
	}
	if err := c.print(k.Stdout, report); err != nil {
		return wrongUsage{fmt.Sprintf("print what was simulated: %v", err)}
	}
	if !report.Complete {
		k.Exit(1)
	}
	return nil
}

func (c simulateCommand) print(w io.Writer, report *simulate.Report) error {
	switch c.Format {
	case "json":
		return printDocument(w, report)
	case "markdown":
		return report.WriteMarkdown(w)
	}
	return report.WriteText(w)
}

// repositoryName is how a repository is named: https://docs.github.com/repositories/creating-and-managing-repositories.
var repositoryName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)

// misuse says which flags cannot be understood, or do not go together; nil: all can.
func (c simulateCommand) misuse() error {
	switch {
	case c.Repo != "" && !repositoryName.MatchString(c.Repo):
		return wrongUsage{fmt.Sprintf("--repo %q is not a repository: write owner/name", c.Repo)}
	case c.Repo != "" && c.Installation != 0:
		return wrongUsage{"--repo and --installation do not go together"}
	case c.From != "" && (c.Repo != "" || !repositoryName.MatchString(c.From)):
		return wrongUsage{"--from is the owner/name of one of several repositories: it does not go with --repo"}
	case c.AtOnce < 1:
		return wrongUsage{"--at-once has to be 1 or more"}
	case c.Compare && c.Lifecycle == "" && c.Settings == "":
		return wrongUsage{"--compare needs a --lifecycle or --settings to compare with what is in force"}
	}
	return nil
}

func (c simulateCommand) options() (o simulate.Options, err error) {
	o = simulate.Options{Repository: c.Repo, Installation: c.Installation, From: c.From, Compare: c.Compare, Mode: lifecycle.Mode(c.Mode), AtOnce: c.AtOnce, Files: map[string][]byte{}}
	if err := c.misuse(); err != nil {
		return o, err
	}
	if o.Since, err = age(c.Since); err != nil {
		return o, err
	}
	if c.Lifecycle != "" {
		_, text, err := lifecycleOf(c.Lifecycle)
		if err != nil {
			return o, err
		}
		o.Files[policy.LifecycleFile] = text
	}
	if c.Settings != "" {
		text, err := bounded.File(c.Settings, lifecycle.MaxFile)
		if err != nil {
			return o, notRead("read the settings", err)
		}
		o.Files[policy.SettingsFile] = text
	}
	return o, nil
}

// age reads how long ago something was: Go's durations, and days.
func age(word string) (time.Duration, error) {
	long, err := time.ParseDuration(word)
	if days, isDays := strings.CutSuffix(word, "d"); isDays {
		var n int
		n, err = strconv.Atoi(days)
		long = time.Duration(n) * 24 * time.Hour
	}
	const most = 10 * 365 * 24 * time.Hour
	if err != nil || long <= 0 || long > most {
		return 0, wrongUsage{fmt.Sprintf("--since %q is not an age such as 30d or 12h, of ten years at most", word)}
	}
	return long, nil
}

// reading returns the configuration and the options of a subcommand that only reads: with the token in the variable that --token-env names, or
// else in $GITHUB_TOKEN if the App's credentials are not there.
func reading(k *kong.Kong, file, variable string) (settings config.Config, o app.Options, err error) {
	if settings, err = config.Load(file, os.Environ()); err != nil {
		return settings, o, cannotCheck(err)
	}
	o.Waits = waits(k.Stderr, time.Now)
	o.Token, err = tokenIn(variable)
	if app := settings.GitHub.App; o.Token == "" && app.IntegrationID == 0 && app.PrivateKey == "" {
		o.Token = os.Getenv("GITHUB_TOKEN")
	}
	if o.Token != "" {
		onActions(&settings)
	}
	return settings, o, err
}

// onActions takes GitHub's addresses from what a runner of GitHub Actions says, unless the configuration has others:
// https://docs.github.com/actions/reference/workflows-and-actions/variables.
func onActions(settings *config.Config) {
	usual := config.Default().GitHub
	if settings.GitHub.V3APIURL == usual.V3APIURL {
		settings.GitHub.V3APIURL = strings.TrimSuffix(cmp.Or(os.Getenv("GITHUB_API_URL"), usual.V3APIURL), "/") + "/"
	}
	if settings.GitHub.WebURL == usual.WebURL {
		settings.GitHub.WebURL = cmp.Or(os.Getenv("GITHUB_SERVER_URL"), usual.WebURL)
	}
}
