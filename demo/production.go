package demo

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Production is the demo of one lifecycle: who is there, which issues there are at its start, what to try, and the story that is
// played with them. It is read from a file in stories/.
type Production struct {
	Lifecycle string
	// People are the bots of the file, and those who are in the file beside the people that every demo has.
	People []Person
	// Tries is what to try, on the issues as they are at the start. What is to be typed or picked is in backquotes.
	Tries []string
	// File is the lifecycle that the repository brings; empty: it comes with Colony.
	File string
	// Teams are those of the organization, with their members.
	Teams map[string][]string
	// Follow is what moves issues apart from labels and commands; empty: what Colony follows by default.
	Follow policy.Follow
	// Board has the issues that are there before Colony is.
	Board []opened
	Story []scene
	// Warns are the warnings that the story makes Colony log, each by a phrase.
	Warns []string
}

// opened is an issue that is there before Colony is: who wrote it, and how it was moved, as "olivia new". Every move is one of the
// lifecycle, so that Colony undoes none.
type opened struct {
	By, Title, Body string
	Moves           []string
}

// scene is one step of a story: what everybody does, and what must be seen on the issue once Colony has finished.
type scene struct {
	Chapter string // begins a chapter, if it is named
	Tells   string // why this is of interest
	Issue   int
	Acts    []string // sentences of acts
	Sees    sight
}

//go:embed stories/*.yml
var stories embed.FS

//go:embed four-eyes.yml
var fourEyes string

// Names lists the demos, that of the lifecycle that Colony has by default first.
func Names() []string { return []string{"colony", "autoralph", "colibri", "prp", "four-eyes"} }

// Of returns the demo of a lifecycle. The error lists those that there are.
func Of(lifecycle string) (d Production, err error) {
	if !slices.Contains(Names(), lifecycle) {
		return d, fmt.Errorf("there is no demo of a lifecycle %q; there are: %s", lifecycle, strings.Join(Names(), ", "))
	}
	text, err := stories.ReadFile("stories/" + lifecycle + ".yml")
	if err != nil {
		return d, fmt.Errorf("read the story of %s: %w", lifecycle, err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&d); err != nil {
		return d, fmt.Errorf("read the story of %s: %w", lifecycle, err)
	}
	d.Lifecycle, d.People = lifecycle, append(slices.Clone(everywhere), d.People...)
	if len(d.Follow) == 0 {
		d.Follow = policy.DefaultFollow()
	}
	if lifecycle == "four-eyes" {
		d.File = fourEyes
	}
	return d, nil
}

// Life returns the lifecycle of the demo.
func (d Production) Life() (*statemachine.Table, error) {
	if d.File == "" {
		return statemachine.Shipped(d.Lifecycle)
	}
	return statemachine.Parse(policy.LifecycleFile, []byte(d.File))
}

// Seed puts the demo's people, repository and issues into an empty playground that is started.
func (d Production) Seed(ctx context.Context, p *playground.Playground) error {
	if err := addPeople(p, d.People); err != nil {
		return err
	}
	for name, members := range d.Teams {
		if err := p.AddTeam(Owner, name, members...); err != nil {
			return fmt.Errorf("make the team %s: %w", name, err)
		}
	}
	if d.File != "" {
		if err := p.SetFile(Owner, Repository, policy.LifecycleFile, d.File); err != nil {
			return fmt.Errorf("commit %s to %s/%s: %w", policy.LifecycleFile, Owner, Repository, err)
		}
	}
	for _, issue := range d.Board {
		if err := issue.open(ctx, p); err != nil {
			return fmt.Errorf("fill the board: %w", err)
		}
	}
	return nil
}

// open opens the issue and moves it through its past, through the REST API, as everybody does there.
func (o opened) open(ctx context.Context, p *playground.Playground) error {
	var made struct{ Number int }
	if err := call(ctx, p, o.By, "POST", "issues", object{"title": o.Title, "body": o.Body}, &made); err != nil {
		return err
	}
	before := ""
	for _, move := range o.Moves {
		who, state, _ := strings.Cut(move, " ")
		if err := putLabel(ctx, p, who, made.Number, label(state)); err != nil {
			return err
		}
		if before != "" {
			if err := takeLabel(ctx, p, who, made.Number, label(before)); err != nil {
				return err
			}
		}
		before = state
	}
	return nil
}

// label is the label of a state, and of the mark needs-human.
func label(state string) string { return "colony:" + state }
