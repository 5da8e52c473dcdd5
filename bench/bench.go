// Package bench measures Colony beside what any receiver of webhooks pays at least and beside a minimal handler, in one run on one machine.
//
// Every subject is a process of its own, so that its processor time, its memory and its start are measured apart from those of GitHub
// (the playground) and of the load, which are here. After each scenario the issues are looked at: what was lost, done twice
// or done wrongly is counted, and no figure of a wrong result is good for anything.
package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Options say what to measure.
type Options struct {
	Scenarios []string      // empty: all
	Subjects  []string      // empty: all
	Events    int           // of each round; 0: as many as the scenario is worth
	Rounds    int           // of which the medians are taken
	Latency   time.Duration // of each call to GitHub
	Rest      time.Duration // between the start and the reading of its memory
	Profile   string        // a folder for profiles of Colony; empty: none
	Keep      bool          // leave the subjects' files
	Heard     func(Result)  // after each measurement
}

// Names lists the scenarios, with what they are about.
func Names() (rows [][2]string) {
	for _, s := range scenarios {
		rows = append(rows, [2]string{s.name, s.about})
	}
	return rows
}

// Run measures, and returns what came of it.
func Run(ctx context.Context, o Options) (results []Result, err error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	folder, err := os.MkdirTemp("", "colony-bench-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	if o.Profile != "" {
		if err := os.MkdirAll(o.Profile, 0o750); err != nil {
			return nil, fmt.Errorf("make the folder of profiles: %w", err)
		}
	}
	defer func() {
		if !o.Keep {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}()
	for _, s := range scenarios {
		if len(o.Scenarios) > 0 && !slices.Contains(o.Scenarios, s.name) {
			continue
		}
		of, err := o.scenario(ctx, s, &world{executable: executable, folder: folder, profile: o.Profile, scenario: s.name})
		results = append(results, of...)
		if err != nil {
			return results, err
		}
	}
	return results, nil
}

// scenario measures every subject in one scenario, each with a GitHub of its own.
func (o Options) scenario(ctx context.Context, s scenario, w *world) (results []Result, err error) {
	cpu := map[string]float64{}
	for _, subject := range s.subjects {
		if len(o.Subjects) > 0 && !slices.Contains(o.Subjects, subject) {
			continue
		}
		if w.github, err = startGitHub(ctx); err != nil {
			return results, fmt.Errorf("measure: %w", err)
		}
		of, err := s.run(ctx, w, subject, o)
		if unknown := w.github.behind.Unimplemented(); len(unknown) > 0 {
			err = errors.Join(err, fmt.Errorf("the playground was asked for what it does not have: %v", unknown))
		}
		if err = errors.Join(err, w.github.close()); err != nil {
			return results, fmt.Errorf("measure %s of %s: %w", s.name, subject, err)
		}
		for _, r := range of {
			cpu[subject+r.Case] = r.CPU
			r.ToFloor, r.ToHandler = ratio(r.CPU, cpu[Floor+r.Case]), ratio(r.CPU, cpu[Handler+r.Case])
			results = append(results, r)
			if o.Heard != nil {
				o.Heard(r)
			}
		}
	}
	return results, nil
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// Check says what is wrong with options.
func (o Options) Check() error {
	for _, name := range o.Scenarios {
		if !slices.ContainsFunc(scenarios, func(s scenario) bool { return s.name == name }) {
			return fmt.Errorf("there is no scenario %q", name)
		}
	}
	for _, name := range o.Subjects {
		if !slices.Contains(everybody, name) {
			return fmt.Errorf("there is no subject %q", name)
		}
	}
	if o.Rounds < 1 || o.Events < 0 {
		return errors.New("at least one round, and no negative number of events")
	}
	return nil
}
