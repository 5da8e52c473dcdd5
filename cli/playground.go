package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/command"
	"github.com/colony-app/colony/playground/page"
)

type playgroundCommand struct{ command.Flags }

// playgroundVars are what the flags of the playground say of Colony.
var playgroundVars = kong.Vars{
	"playground_slug": "colony", "playground_permissions": "what Colony needs", "playground_events": "Colony's",
}

func (c playgroundCommand) Run(ctx context.Context, k *kong.Kong) error {
	shown, err := demo.Of(demo.Names()[0])
	if err != nil {
		return err
	}
	return c.Serve(ctx, k.Stdout, command.Guest{
		App:         playground.App{Slug: "colony", Name: "Colony", Permissions: permissions.All(), Events: permissions.Subscriptions()},
		Owner:       demo.Owner,
		Seed:        shown.Seed,
		Tell:        func(w io.Writer, p *playground.Playground) { printPeople(w, p, shown.People) },
		Environment: printEnvironment,
		Page:        page.Options{ActAs: demo.Maintainer, Glyphs: glyphs(shipped()...)},
		Log:         newConsole(k.Stderr),
	})
}

func printEnvironment(w io.Writer, url, madeKey string, f *command.Flags) {
	fmt.Fprintf(w, "\nTo run Colony on it, set:\n\n  COLONY_GITHUB_WEB_URL=%s\n  COLONY_GITHUB_V3_API_URL=%s/api/v3/\n  COLONY_GITHUB_APP_INTEGRATION_ID=%d\n", url, url, f.AppID)
	if madeKey == "" {
		fmt.Fprintf(w, "  COLONY_GITHUB_APP_WEBHOOK_SECRET and COLONY_GITHUB_APP_PRIVATE_KEY_FILE, as given here\n")
		return
	}
	fmt.Fprintf(w, "  COLONY_GITHUB_APP_WEBHOOK_SECRET=%s\n  COLONY_GITHUB_APP_PRIVATE_KEY_FILE=%s\n", f.WebhookSecret, madeKey)
}
