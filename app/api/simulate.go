package api

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Simulation is what to simulate. One of lifecycle and file is needed.
type Simulation struct {
	// Lifecycle is the name of one that comes with Colony, and File the text of a lifecycle file.
	Lifecycle string `json:"lifecycle,omitempty"`
	File      string `json:"file,omitempty"`
	// State is where the issue is: a state or its label.
	State string `json:"state"`
	// Actor is who puts the labels on.
	Actor SimulatedActor `json:"actor"`
	// Labels are put on one after the other.
	Labels []string `json:"labels"`
}

// SimulatedActor is who puts labels on.
type SimulatedActor struct {
	Kind lifecycle.ActorKind `json:"kind"`
	// Roles are the roles of a bot; without them, it has each role of the lifecycle.
	Roles []string `json:"roles,omitempty"`
	Login string   `json:"login,omitempty"`
}

// The bounds of a simulation.
const (
	maxLabels = 50
	maxRoles  = 50
	maxLabel  = 100
)

func (c *call) simulate() (any, error) {
	var s Simulation
	if err := c.decode(&s); err != nil {
		return nil, err
	}
	life, err := s.lifecycle()
	if err != nil {
		return nil, err
	}
	if err := s.check(life); err != nil {
		return nil, err
	}
	who := lifecycle.Actor{Login: s.Actor.Login, Kind: s.Actor.Kind, Roles: s.Actor.Roles}
	return inspect.Simulate(life, s.State, who, s.Labels)
}

func (s Simulation) lifecycle() (*statemachine.Table, error) {
	switch {
	case (s.Lifecycle == "") == (s.File == ""):
		return nil, badRequest("Name the lifecycle, or send its file: one of lifecycle and file.")
	case s.Lifecycle != "":
		return shipped(s.Lifecycle)
	}
	life, err := statemachine.Parse("lifecycle", []byte(s.File))
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok {
		first := wrong.Problems[0]
		return nil, badRequest(fmt.Sprintf("The lifecycle file cannot be used: line %d, column %d: %s; %svalidate lists all that is wrong.", first.Line, first.Column, first.Message, Prefix))
	}
	if err != nil {
		return nil, badRequest("The lifecycle file cannot be used.")
	}
	return life, nil
}

func shipped(name string) (*statemachine.Table, error) {
	if !slices.Contains(lifecycle.ShippedNames(), name) {
		return nil, badRequest(fmt.Sprintf("No lifecycle is called %q; there are: %s.", clipped(name), strings.Join(lifecycle.ShippedNames(), ", ")))
	}
	life, err := statemachine.Shipped(name)
	if err != nil {
		return nil, fmt.Errorf("read the lifecycle %s: %w", name, err)
	}
	return life, nil
}

func (s Simulation) check(life *statemachine.Table) error {
	kinds := []lifecycle.ActorKind{lifecycle.Operator, lifecycle.Executor, lifecycle.Author, lifecycle.Colony}
	long := func(word string) bool { return len(word) > maxLabel || !isText(word) }
	switch {
	case !slices.Contains(kinds, s.Actor.Kind):
		return badRequest("The kind of the actor is none of operator, executor, author, colony.")
	case len(s.Actor.Roles) > 0 && s.Actor.Kind != lifecycle.Executor:
		return badRequest("Only an executor has roles.")
	case len(s.Labels) > maxLabels || len(s.Actor.Roles) > maxRoles:
		return badRequest(fmt.Sprintf("There are more than %d labels or %d roles.", maxLabels, maxRoles))
	case slices.ContainsFunc(s.Labels, long), long(s.State), long(s.Actor.Login):
		return badRequest(fmt.Sprintf("A label, the state or the login is longer than %d bytes, or no text.", maxLabel))
	case slices.Contains(s.Labels, ""):
		return badRequest("A label is empty.")
	}
	for _, role := range s.Actor.Roles {
		if _, ok := life.Roles.Named(role); !ok {
			return badRequest(fmt.Sprintf("Lifecycle %s has no role %q.", life.Name, clipped(role)))
		}
	}
	return nil
}
