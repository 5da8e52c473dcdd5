// Package labels lists, makes and deletes Colony's labels in repositories, for "colony labels" and "colony uninstall".
package labels

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Options say how to work.
type Options struct {
	app.Options
	// Former are lifecycles that were in force before: their labels count as Colony's, no matter what they begin with.
	Former []*statemachine.Table
	// OwnNames says that Uninstall deletes also those labels of the lifecycle in force whose names do not say that they are Colony's.
	OwnNames bool
	// Lifecycle is the text of a lifecycle file to use instead of that of each repository, to see what it would need. It takes a dry run.
	Lifecycle []byte
	// DryRun writes nothing.
	DryRun bool
}

// Keeper works on the labels of repositories.
type Keeper struct {
	options  Options
	config   config.Config
	parts    *app.Parts
	app      *client.App // nil without the App's credentials
	policies *policy.Cache
	// reconciler says in which state an issue is; it writes nothing here.
	reconciler *reconcile.Reconciler
	store      *issues.Store
	labels     *issues.LabelProvisioner
	clock      clockwork.Clock
}

// New returns a keeper with a configuration. It fails with an error that names the setting if that is wrong. It waits for rate limits.
func New(c config.Config, o Options) (*Keeper, error) {
	o.Options = o.WithDefaults()
	k := &Keeper{options: o, config: c, clock: o.Clock}
	var err error
	if k.parts, err = app.NewProgram(c, o.Options); err != nil {
		return nil, err
	}
	k.app = k.parts.App
	if o.Token != "" && k.config.Validate() == nil { // the App's settings are there as well
		o.Token = ""
		ofApp, err := app.NewProgram(c, o.Options)
		if err != nil {
			return nil, err
		}
		k.app = ofApp.App
	}
	k.reconciler = k.parts.Reconciler
	k.policies, k.store, k.labels = k.reconciler.Policies, k.reconciler.Store, k.reconciler.Labels
	if o.Lifecycle != nil {
		k.policies = k.policies.Instead(map[string][]byte{policy.LifecycleFile: o.Lifecycle})
	}
	return k, nil
}

// Failure is what could not be done in a repository.
type Failure struct {
	Repository string
	Err        error
}

func (f Failure) String() string { return f.Repository + ": " + app.OneLine(f.Err) }

// Each does something about repositories: the named ones, or all in which the App is installed. What fails in one of them is
// passed to failed, and the next one follows. An error says that it could not go on.
func (k *Keeper) Each(ctx context.Context, named []string, do func(context.Context, issues.Repository) error, failed func(Failure)) error {
	one := func(ctx context.Context, repo issues.Repository) error {
		err := do(ctx, repo)
		if err != nil && ctx.Err() == nil {
			failed(Failure{repo.String(), err})
			return nil
		}
		return err
	}
	if len(named) == 0 {
		err := k.parts.Each(ctx, app.Scope{}, one)
		if refused := client.Refused(err); refused != nil {
			return refused
		}
		return err
	}
	for _, name := range named {
		repo, err := k.repository(ctx, name)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			failed(Failure{name, err})
			continue
		}
		if err := one(k.parts.As(ctx, repo.Installation), repo); err != nil {
			return err
		}
	}
	return nil
}

// repository finds a repository that a command line names as OWNER/NAME.
func (k *Keeper) repository(ctx context.Context, name string) (repo issues.Repository, err error) {
	owner, short, ok := strings.Cut(name, "/")
	if !ok || owner == "" || short == "" || strings.ContainsAny(short, "/ ") {
		return repo, errors.New("write a repository as OWNER/NAME")
	}
	return k.parts.Repository(ctx, owner, short)
}

// explained adds to an error of a write what helps.
func explained(err error) error {
	if issues.IsForbidden(err) {
		return fmt.Errorf("%w -> is the repository archived, or may these credentials not write labels (issues: write)?", err)
	}
	return err
}
