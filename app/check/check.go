// Package check says what would become of a move of a real issue if somebody asked for it now, for "colony check --repo". It changes nothing on
// GitHub.
package check

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
)

// Options say what to ask.
type Options struct {
	Owner, Name string
	Number      int
	// As is the login of who would ask.
	As string
	// To is the state, or its label.
	To string
	// Token is taken instead of the App's credentials.
	Token string
	// Notice is told what takes long; nil: nobody is.
	Notice func(line string)
}

// Run asks. The error is an inspect.UnknownError if there is no such account or state; any other says that nothing could be found out.
func Run(ctx context.Context, c config.Config, options app.Options, o Options) (*inspect.Answer, error) {
	k, err := newChecker(c, options, o)
	if err != nil {
		return nil, err
	}
	repo, err := k.repository(ctx)
	if err != nil {
		return nil, err
	}
	return k.ask(ctx, issues.Ref{Repository: repo, Number: o.Number})
}

// checker is one question.
type checker struct {
	Options
	parts     *app.Parts
	inspector *inspect.Inspector
	// reads is what the installation grants of what Colony uses.
	reads map[string]string
}

func newChecker(c config.Config, options app.Options, o Options) (*checker, error) {
	c.GitHub.Budget = ratelimit.Settings{} // nobody else acts in this process; what GitHub limits is waited for
	options = options.WithDefaults()
	options.Log, options.Token = zerolog.Nop(), o.Token
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	k := &checker{Options: o}
	options.Transport = client.ReadOnlyWith(options.Transport, func() map[string]string { return k.reads })
	parts, err := app.NewParts(c, options, prometheus.NewRegistry())
	if err != nil {
		return nil, err
	}
	k.parts, k.inspector = parts, parts.Inspector()
	return k, nil
}

// repository finds the repository as the App's installation sees it, or whoever the token is of.
func (k *checker) repository(ctx context.Context) (repo issues.Repository, err error) {
	installation, err := k.installation(ctx)
	if err != nil {
		return repo, err
	}
	err = k.patiently(ctx, func() error {
		repo, err = k.parts.Reconciler.Store.Repository(ctx, issues.Repository{Installation: installation, Owner: k.Owner, Name: k.Name})
		return err
	})
	return repo, err
}

// installation asks GitHub who this App is, where it is installed, and what it may read there; it is 0 for a token.
func (k *checker) installation(ctx context.Context) (id int64, err error) {
	if k.parts.App == nil {
		return 0, nil
	}
	if err := k.patiently(ctx, func() error { return k.parts.Introduce(ctx) }); err != nil {
		return 0, err
	}
	var found client.Installation
	err = k.patiently(ctx, func() error {
		found, err = k.parts.App.InstallationOn(ctx, k.Owner, k.Name)
		return err
	})
	if errors.Is(err, client.ErrNotInstalled) {
		return 0, fmt.Errorf("the App is not installed on %s/%s, or there is no such repository", k.Owner, k.Name)
	}
	if err != nil {
		return 0, err
	}
	k.reads = map[string]string{}
	for name := range permissions.All() {
		if found.Grants[name] != "" {
			k.reads[name] = found.Grants[name]
		}
	}
	return found.ID, nil
}

// patiently does something again for as long as GitHub limits the rate of calls.
func (k *checker) patiently(ctx context.Context, do func() error) error {
	return app.Patiently(ctx, k.parts.Reconciler.Clock, do, k.Notice)
}

// ask asks about the issue.
func (k *checker) ask(ctx context.Context, ref issues.Ref) (a *inspect.Answer, err error) {
	err = k.patiently(ctx, func() error {
		a, err = k.inspector.Ask(ctx, ref, inspect.Question{As: k.As, To: k.To})
		return err
	})
	switch {
	case errors.Is(err, inspect.ErrNoIssue):
		return nil, fmt.Errorf("there is no issue %s", ref)
	case errors.Is(err, inspect.ErrNotAnIssue):
		return nil, fmt.Errorf("%s is a pull request; Colony keeps issues", ref)
	}
	return a, err
}
