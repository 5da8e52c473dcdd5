package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"runtime/pprof"
	"time"

	"github.com/alecthomas/kong"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench"
	"github.com/colony-app/colony/bench/subject"
)

type benchCommand struct {
	Scenario []string      `placeholder:"NAME" help:"A scenario to measure; may be repeated. Without it, all."`
	Subject  []string      `placeholder:"NAME" help:"A subject to measure: floor, append, handler or colony; may be repeated. Without it, all."`
	Events   int           `placeholder:"N" help:"How many events each round has, instead of what the scenario is worth."`
	Rounds   int           `default:"3" placeholder:"N" help:"How many rounds the medians are of (default: ${default})."`
	Latency  time.Duration `placeholder:"TIME" help:"How long each call to GitHub takes, such as 50ms."`
	Rest     time.Duration `default:"12s" placeholder:"TIME" help:"How long Colony rests after its start before its memory is read (default: ${default})."`
	JSON     string        `name:"json" placeholder:"FILE" help:"Write the results to this file too; - for standard output, instead of the table."`
	Profile  string        `placeholder:"DIR" help:"Write a profile of Colony's processor time and one of its allocations for each scenario into this folder."`
	Keep     bool          `help:"Leave the subjects' files, such as logs and queues, where they are."`
}

func (c benchCommand) Run(ctx context.Context, k *kong.Kong) error {
	table := bench.NewTable(k.Stdout)
	options := bench.Options{
		Scenarios: c.Scenario, Subjects: c.Subject, Events: c.Events, Rounds: c.Rounds, Latency: c.Latency, Rest: c.Rest, Profile: c.Profile, Keep: c.Keep,
	}
	if c.JSON != "-" {
		options.Heard = table.Add
	}
	if err := options.Check(); err != nil {
		return wrongUsage{err.Error()}
	}
	results, err := bench.Run(ctx, options)
	if err != nil {
		return err
	}
	if c.JSON != "" {
		err = c.write(k, results)
	}
	for _, r := range results {
		if !r.Right() {
			err = errors.Join(err, fmt.Errorf("%s of %s: %d lost, %d doubled, %d wrong, %d refused", r.Scenario, r.Subject, r.Lost, r.Doubled, r.Wrong, r.Refused))
		}
	}
	return err
}

func (c benchCommand) write(k *kong.Kong, results []bench.Result) error {
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	text = append(text, '\n')
	if c.JSON == "-" {
		_, err = k.Stdout.Write(text)
	} else {
		err = os.WriteFile(c.JSON, text, 0o600)
	}
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}

// benchSubjectCommand is a subject, as the measurement starts it in a process of its own.
type benchSubjectCommand struct {
	Name    string `arg:"" enum:"floor,append,handler,colony"`
	Config  string `required:""`
	File    string
	Profile string
}

func (c benchSubjectCommand) Run(ctx context.Context, k *kong.Kong) (err error) {
	if c.Name == bench.Colony {
		return c.profiled(func() error { return serveCommand{Config: c.Config}.Run(ctx, k) })
	}
	config, err := config.Load(c.Config, os.Environ())
	if err != nil {
		return cannotStart(err)
	}
	var handler http.Handler
	switch c.Name {
	case bench.Floor:
		handler = subject.Floor(config.GitHub.App.WebhookSecret, subject.Nothing)
	case bench.Append:
		var appended func([]byte) error
		if appended, err = subject.AppendTo(c.File); err != nil {
			return err
		}
		handler = subject.Floor(config.GitHub.App.WebhookSecret, appended)
	case bench.Handler:
		if handler, err = subject.Handler(config.GitHubApp()); err != nil {
			return err
		}
	}
	return subject.Serve(ctx, config.Server.Address, handler)
}

// profiled runs Colony under the profilers, which "colony serve" has not.
func (c benchSubjectCommand) profiled(run func() error) (err error) {
	cpu, err := os.Create(c.Profile + ".cpu.pprof")
	if err != nil {
		return fmt.Errorf("write a profile: %w", err)
	}
	defer func() { err = errors.Join(err, cpu.Close()) }()
	if err := pprof.StartCPUProfile(cpu); err != nil {
		return fmt.Errorf("write a profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	defer func() {
		allocations, created := os.Create(c.Profile + ".allocs.pprof")
		if created != nil {
			err = errors.Join(err, created)
			return
		}
		err = errors.Join(err, pprof.Lookup("allocs").WriteTo(allocations, 0), allocations.Close())
	}()
	return run()
}
