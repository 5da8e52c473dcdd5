// Package check says what would become of a move of a real issue if someone asked for it now, for "colony check --repo". It changes nothing on
// GitHub.
package check

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// Options say what to ask.
type Options struct {
	Owner, Name string
	Number      int
	// As is the login of who would ask.
	As string
	// To is the state, or its label.
	To string
}

// reads is what an installation grants of what Colony uses.
func reads(granted map[string]string) map[string]string {
	reads := maps.Clone(granted)
	maps.DeleteFunc(reads, func(name, _ string) bool { return permissions.All()[name] == "" })
	return reads
}

// Run asks. The error is an inspect.UnknownError if there is no such account or state; any other says that nothing could be found out.
func Run(ctx context.Context, c config.Config, options app.Options, o Options) (*inspect.Answer, error) {
	options.Reads = reads
	parts, err := app.OpenReader(ctx, c, options)
	if err != nil {
		return nil, err
	}
	repo, err := parts.Repository(ctx, o.Owner, o.Name)
	if errors.Is(err, client.ErrNotInstalled) {
		return nil, fmt.Errorf("the App is not installed on %s/%s, or there is no such repository", o.Owner, o.Name)
	}
	if err != nil {
		return nil, err
	}
	ref := issues.Ref{Repository: repo, Number: o.Number}
	a, err := parts.Inspector().Ask(parts.As(ctx, repo.Installation), ref, inspect.Question{As: o.As, To: o.To})
	switch {
	case errors.Is(err, inspect.ErrNoIssue):
		return nil, fmt.Errorf("there is no issue %s", ref)
	case errors.Is(err, inspect.ErrNotAnIssue):
		return nil, fmt.Errorf("%s is a pull request; Colony keeps issues", ref)
	}
	return a, err
}
