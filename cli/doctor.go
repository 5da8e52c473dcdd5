package cli

import (
	"context"
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
)

type doctorCommand struct {
	Config string   `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`
	Repo   []string `placeholder:"OWNER/NAME" help:"A repository to check, whichever it is: its mode, who decided that and how to change it, its lifecycle and its labels; repeat it for several. Without it, the first 20 of each installation."`
	Server string   `placeholder:"URL" help:"The address of a running Colony to check too, such as http://127.0.0.1:8080."`
}

func (c doctorCommand) Run(ctx context.Context, k *kong.Kong) error {
	for _, name := range c.Repo {
		if !repositoryName.MatchString(name) {
			return wrongUsage{fmt.Sprintf("--repo %q is not a repository: write owner/name", name)}
		}
	}
	config, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotCheck(err)
	}
	var found []doctor.Finding
	doctor.Run(ctx, config, app.Options{}, doctor.Options{Server: c.Server, Repositories: c.Repo}, func(f doctor.Finding) {
		found = append(found, f)
		fmt.Fprintln(k.Stdout, f)
	})
	if worst := doctor.Worst(found); worst > doctor.Fine {
		k.Exit(int(worst))
	}
	return nil
}
