package api

import (
	"errors"
	"fmt"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// The kinds of files.
const (
	kindLifecycle  = "lifecycle"
	kindRepository = "repository"
)

// Validation is what is wrong with a file.
type Validation struct {
	// Valid says that Colony accepts the file: no problem is an error.
	Valid    bool      `json:"valid"`
	Problems []Problem `json:"problems"`
}

// Problem is one thing that is wrong, or might be wrong, in a file.
type Problem struct {
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	// Excerpt is the line of the file.
	Excerpt string `json:"excerpt"`
}

func (c *call) validate() (any, error) {
	problems, err := c.problems()
	if err != nil {
		return nil, err
	}
	v := Validation{Valid: true, Problems: []Problem{}}
	for _, p := range problems {
		v.Valid = v.Valid && p.Severity != lifecycle.Error
		v.Problems = append(v.Problems, Problem{Line: p.Line, Column: p.Column, Severity: p.Severity.String(), Message: p.Message, Excerpt: p.Excerpt})
	}
	return v, nil
}

func (c *call) problems() ([]lifecycle.Problem, error) {
	named := c.query["lifecycle"]
	if c.query["kind"] == kindRepository {
		below := c.Inspector.Reconciler.ServerSettings.Lifecycle
		if named != "" {
			var err error
			if below, err = shipped(named); err != nil {
				return nil, err
			}
		}
		return policy.Lint(policy.SettingsFile, c.body, policy.Beside{Below: below}), nil
	}
	if named != "" {
		return nil, badRequest("The parameter lifecycle goes with kind=repository only.")
	}
	problems, err := lifecycle.Lint(policy.LifecycleFile, c.body)
	if wrong, ok := errors.AsType[*lifecycle.FileError](err); ok {
		return wrong.Problems, nil
	}
	if err != nil {
		return nil, fmt.Errorf("check a lifecycle file: %w", err)
	}
	return problems, nil
}
