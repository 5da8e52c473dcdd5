package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/api"
	"github.com/colony-app/colony/demo"
	"github.com/colony-app/colony/playground/command"
	"github.com/colony-app/colony/playground/page"
)

const demoAddress command.UsualAddress = "127.0.0.1:7777"

type demoCommand struct {
	Address   string   `placeholder:"HOST:PORT" xor:"address" help:"Where the demo's GitHub listens (default: 127.0.0.1:7777, or a free port if that is in use)."`
	Host      []string `sep:"none" placeholder:"NAME" help:"A further name by which you call the demo; may be repeated. On a loopback address the demo answers only to localhost, loopback addresses and these names."`
	Lifecycle string   `default:"colony" placeholder:"NAME" help:"The lifecycle to show: colony, autoralph, colibri or prp, or the example four-eyes (default: ${default})."`
	Headless  bool     `xor:"address" help:"Play a story and print what happens, instead of waiting for you."`
}

func (c demoCommand) Run(ctx context.Context, k *kong.Kong) error {
	production, err := demo.Of(c.Lifecycle)
	if err != nil {
		return wrongUsage{"--lifecycle: " + err.Error()}
	}
	life, err := production.Life()
	if err != nil {
		return err
	}
	if c.Headless {
		return story(ctx, k.Stdout, production)
	}
	var world *demo.World
	address, err := demoAddress.Listen(c.Address, func(address string) (err error) {
		world, err = demo.Open(ctx, demo.Options{Production: production, Address: address, Hosts: c.Host, Log: newConsole(k.Stderr)})
		return err
	})
	if err != nil {
		return c.unless(ctx, k, err)
	}
	world.Playground.SetPage(page.New(world.Playground, page.Options{
		Title: "GitHub", Beside: page.Beside{Name: "Colony", URL: world.ColonyURL + "/board"}, Notice: "What to try:\n" + strings.Join(production.Tries, "\n"), ActAs: "tara", Glyphs: glyphs(life),
	}))
	world.Install()
	if err := world.Rest(ctx); err != nil {
		return c.unless(ctx, k, errors.Join(err, world.Close()))
	}
	if err := c.picture(k.Stdout, world, production, address); err != nil {
		return errors.Join(err, world.Close())
	}
	select {
	case <-ctx.Done():
		fmt.Fprintln(k.Stdout, farewell)
	case <-world.Ended():
	}
	return world.Close()
}

const farewell = "\nThe demo ends; nothing of it is kept."

// unless returns why the demo did not begin, unless that is because it was asked to end, which is no error.
func (demoCommand) unless(ctx context.Context, k *kong.Kong, err error) error {
	if ctx.Err() == nil {
		return err
	}
	fmt.Fprintln(k.Stdout, farewell)
	return nil
}

func story(ctx context.Context, w io.Writer, production demo.Production) error {
	err := production.Play(ctx, time.Now().Truncate(time.Minute), w)
	if err != nil && ctx.Err() != nil {
		return errors.New("the story was interrupted before its end")
	}
	return err
}

// picture says where everything is, who is there, and what to try.
func (c demoCommand) picture(w io.Writer, world *demo.World, production demo.Production, address string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Colony runs, on a GitHub of its own:\n\n")
	fmt.Fprintf(t, "  page\t%s/%s/%s/issues\n", world.GitHubURL, demo.Owner, demo.Repository)
	fmt.Fprintf(t, "  REST API\t%s/api/v3\n", world.GitHubURL)
	fmt.Fprintf(t, "  Colony\t%s/board, and %s/readyz, %s/metrics\n", world.ColonyURL, world.ColonyURL, world.ColonyURL)
	fmt.Fprintf(t, "  Colony's API\t%s%sissues/%s/%s/1, for any of these tokens (Authorization: Bearer TOKEN)\n", world.ColonyURL, api.Prefix, demo.Owner, demo.Repository)
	printPeople(t, world.Playground, production.People)
	fmt.Fprintf(t, "\nWhat to try:\n\n")
	for i, try := range production.Tries {
		fmt.Fprintf(t, "  %d. %s\n", i+1, strings.ReplaceAll(try, "`", ""))
	}
	demoAddress.PrintMoved(t, c.Address, address)
	command.PrintReach(t, address)
	fmt.Fprintf(t, "\nCtrl-C ends it.\n")
	if err := t.Flush(); err != nil {
		return fmt.Errorf("print what there is: %w", err)
	}
	return nil
}
