package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
)

type serveCommand struct {
	Config string `placeholder:"FILE" help:"The configuration, such as config.yml. Without it, no file is read."`

	Address  *string `placeholder:"HOST:PORT" help:"Where Colony receives webhooks (server.address)."`
	QueueDir *string `placeholder:"DIR" help:"Where the embedded queue keeps its files (queue.dir)."`
	QueueURL *string `placeholder:"URL" help:"A NATS cluster that keeps the queue instead (queue.url)."`
	LogLevel *string `placeholder:"LEVEL" help:"trace, debug, info, warn or error (log.level)."`
}

func (c serveCommand) Run(ctx context.Context, k *kong.Kong) error {
	config, err := c.configuration()
	if err != nil {
		return cannotStart(err)
	}
	log := newLog(k.Stderr, config.Log)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", config.Server.Address)
	if err != nil {
		return cannotStart(fmt.Errorf("server.address: %w", err))
	}
	server, err := app.New(ctx, config, app.Options{Log: log})
	if err != nil {
		err = errors.Join(err, listener.Close())
		if ctx.Err() != nil { // it waited for the queue
			log.Info().Err(err).Msg("Colony is stopping before it has begun")
			return nil //nolint:nilerr // being asked to stop is no error, and what came of it is logged
		}
		return cannotStart(err)
	}
	err = server.Run(ctx, listener)
	if refused := (*client.RefusedError)(nil); errors.As(err, &refused) { // which only GitHub could tell
		return cannotStart(err)
	}
	if err != nil {
		return cannotGoOn(err)
	}
	return nil
}

// configuration puts the flags over what file and environment say.
func (c serveCommand) configuration() (config.Config, error) {
	config, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return config, err
	}
	for _, flag := range []struct {
		given   *string
		setting *string
	}{
		{c.Address, &config.Server.Address},
		{c.QueueDir, &config.Queue.Dir},
		{c.QueueURL, &config.Queue.URL},
		{c.LogLevel, &config.Log.Level},
	} {
		if flag.given != nil {
			*flag.setting = *flag.given
		}
	}
	return config, config.Validate()
}
