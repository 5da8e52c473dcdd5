// Command playground is a GitHub of one's own, to try and to test any GitHub App: "colony playground" without Colony.
// docs/playground.md describes it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/playground/command"
	"github.com/colony-app/colony/playground/page"
)

// people are those of the organization acme, with their roles in its repository widgets.
var people = [][2]string{{"olivia", "admin"}, {"tara", "triage"}, {"rita", "read"}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var flags command.Flags
	parser := kong.Must(&flags, kong.Name("playground"), kong.Description(command.About("playground")),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Vars{"playground_slug": "app", "playground_permissions": "all that the playground asks for, with write", "playground_events": "all that it sends"})
	_, err := parser.Parse(os.Args[1:])
	parser.FatalIfErrorf(err)
	parser.FatalIfErrorf(flags.Serve(ctx, os.Stdout, command.Guest{
		App: playground.App{Slug: "app", Permissions: permissions(), Events: events()}, Owner: "acme", Seed: seed, Tell: tell, Page: page.Options{ActAs: "olivia"},
		Log: zerolog.New(zerolog.ConsoleWriter{Out: os.Stderr}).Level(zerolog.WarnLevel),
	}))
}

// seed makes an organization, its repository and people.
func seed(_ context.Context, p *playground.Playground) error {
	p.AddOrganization("acme")
	p.AddRepository("acme", "widgets")
	for _, person := range people {
		p.AddUser(person[0])
		p.SetPermission("acme", "widgets", person[0], person[1])
	}
	return nil
}

func tell(w io.Writer, p *playground.Playground) {
	fmt.Fprintf(w, "\nWho is there, with tokens for the REST API:\n\n")
	for _, person := range people {
		fmt.Fprintf(w, "  %s\t%s\t%s\n", person[0], person[1], p.Token(person[0]))
	}
}

// permissions are all that some operation asks an App for.
func permissions() map[string]string {
	all := map[string]string{}
	for _, route := range playground.Routes() {
		for _, name := range route.Permission {
			all[name] = "write"
		}
	}
	return all
}

// events are all that an App can subscribe to.
func events() (names []string) {
	for _, e := range playground.Events() {
		names = append(names, e.Name)
	}
	return names
}
