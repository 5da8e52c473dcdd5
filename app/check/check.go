// Package check says what would become of a move of a real issue if somebody asked for it now, for "colony check --repo". It changes nothing on
// GitHub.
package check

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
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

// UnknownError is a word that names nothing.
type UnknownError struct {
	What, Word string
	// Known lists what there is; empty if nobody can list it.
	Known []string
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no %s is called %q", e.What, e.Word) }

// Run asks. The error is an UnknownError if there is no such account or state; any other says that nothing could be found out.
func Run(ctx context.Context, c config.Config, options app.Options, o Options) (*Answer, error) {
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
	parts *app.Parts
	// reads is what the installation grants of what Colony uses.
	reads map[string]string
}

func newChecker(c config.Config, options app.Options, o Options) (*checker, error) {
	c.GitHub.Pace = ratelimit.Settings{} // nobody else acts in this process; what GitHub limits is waited for
	options = options.WithDefaults()
	options.Log, options.Token = zerolog.Nop(), o.Token
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	k := &checker{Options: o}
	options.Transport = client.ReadOnlyWith(options.Transport, func() map[string]string { return k.reads })
	parts, err := app.NewParts(c, options, prometheus.NewRegistry())
	k.parts = parts
	return k, err
}

// repository finds the repository as the App's installation sees it, or whoever the token is of.
func (k *checker) repository(ctx context.Context) (repo issues.Repository, err error) {
	installation, err := k.installation(ctx)
	if err != nil {
		return repo, err
	}
	github, err := k.parts.Clients.NewInstallationClient(installation)
	if err != nil {
		return repo, err
	}
	err = k.patiently(ctx, func() error {
		found, _, err := github.Repositories.Get(ctx, k.Owner, k.Name)
		repo = client.RepositoryOf(installation, found)
		return err //nolint:wrapcheck // it is wrapped below
	})
	if err != nil {
		return repo, fmt.Errorf("read the repository %s/%s: %w", k.Owner, k.Name, err)
	}
	return repo, nil
}

// installation asks GitHub who this App is, where it is installed, and what it may read there; it is 0 for a token.
func (k *checker) installation(ctx context.Context) (id int64, err error) {
	if k.parts.App == nil {
		return 0, nil
	}
	var self *github.App
	err = k.patiently(ctx, func() error {
		self, _, err = k.parts.App.Apps.Get(ctx, "")
		return err //nolint:wrapcheck // it is wrapped below
	})
	if refused := client.Refused(err); refused != nil {
		err = refused
	}
	if err != nil {
		return 0, fmt.Errorf("ask GitHub who this App is: %w", err)
	}
	k.parts.Actors.SetSelf(self.GetSlug() + "[bot]")
	var found *github.Installation
	err = k.patiently(ctx, func() error {
		found, _, err = k.parts.App.Apps.FindRepositoryInstallation(ctx, url.PathEscape(k.Owner), url.PathEscape(k.Name))
		return err //nolint:wrapcheck // it is wrapped below
	})
	if issues.IsMissing(err) {
		return 0, fmt.Errorf("the App is not installed on %s/%s, or there is no such repository", k.Owner, k.Name)
	}
	if err != nil {
		return 0, fmt.Errorf("find the App's installation on %s/%s: %w", k.Owner, k.Name, err)
	}
	granted, err := permissions.Granted(found.GetPermissions())
	if err != nil {
		return 0, fmt.Errorf("understand what the installation on %s/%s grants: %w", k.Owner, k.Name, err)
	}
	k.reads = map[string]string{}
	for name := range permissions.All() {
		if granted[name] != "" {
			k.reads[name] = granted[name]
		}
	}
	return found.GetID(), nil
}

// patiently does something again for as long as GitHub limits the rate of calls.
func (k *checker) patiently(ctx context.Context, do func() error) error {
	return app.Patiently(ctx, k.parts.Reconciler.Clock, do, k.Notice)
}

// ask asks about the issue.
func (k *checker) ask(ctx context.Context, ref issues.Ref) (a *Answer, err error) {
	err = k.patiently(ctx, func() error {
		a, err = k.askOnce(ctx, ref)
		return err
	})
	return a, err
}

func (k *checker) askOnce(ctx context.Context, ref issues.Ref) (*Answer, error) {
	r := k.parts.Reconciler
	found, err := r.Policies.Get(ctx, ref.Repository)
	if err != nil {
		return nil, fmt.Errorf("read the rules of %s: %w", ref.Repository, err)
	}
	to, err := stateOf(found.Lifecycle, k.To)
	if err != nil {
		return nil, err
	}
	since, known, err := r.Labels.Known(ctx, ref.Repository, found.Table())
	if err != nil {
		return nil, err
	}
	now := r.Clock.Now()
	if !known { // Colony judges it from its next reconciliation on
		since = issues.Epoch{Labels: now, Commands: now}
	}
	basis := r.Basis(found, since, now.Add(-r.ServerSettings.Horizon))
	if basis.Store, err = k.recognizing(ctx, ref, basis.Store); err != nil {
		return nil, err
	}
	who, ok, err := basis.Store.Account(ctx, ref.Repository, k.As)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &UnknownError{What: "account on GitHub", Word: k.As}
	}
	issue, err := r.Inspect(ctx, ref, basis)
	switch {
	case issues.IsGone(err):
		return nil, fmt.Errorf("there is no issue %s", ref)
	case err != nil:
		return nil, err
	case issue.View().PullRequest:
		return nil, fmt.Errorf("%s is a pull request; Colony keeps issues", ref)
	}
	answer := &Answer{
		Issue: ref.String(), Closed: issue.View().Closed, Lifecycle: found.Lifecycle.Name, From: issue.Standing().State, To: to,
		Mode: basis.Settings.Mode, ModeBy: found.ModeBy, life: basis.Settings.Lifecycle,
	}
	if who, err = k.right(ctx, ref.Repository, basis, who); err != nil {
		answer.by(who)
		err = answer.unknown(err)
		return answer, err
	}
	answer.by(who)
	asked, err := issue.Ask(ctx, who, to)
	if err != nil {
		return nil, err
	}
	answer.tell(asked)
	return answer, nil
}

// right makes an author of a person who may neither edit labels nor move issues by command. An error says that this is not known.
func (k *checker) right(ctx context.Context, repo issues.Repository, basis reconcile.Basis, who statemachine.Actor) (statemachine.Actor, error) {
	if who.Kind != statemachine.Operator {
		return who, nil
	}
	permission, err := basis.Store.Permission(ctx, repo, who.Login)
	if err == nil && basis.Settings.OnlyAsks(permission) {
		who.Kind = statemachine.Author
	}
	return who, err
}

// recognizing returns the store with the logins under which Colony speaks on the issue, for a token, which does not tell who Colony is: whose
// comments have Colony's markers is Colony.
func (k *checker) recognizing(ctx context.Context, ref issues.Ref, store *issues.Store) (*issues.Store, error) {
	if k.parts.App != nil {
		return store, nil
	}
	comments, err := store.Comments(ctx, ref, k.parts.Reconciler.Clock.Now().Add(-k.parts.Reconciler.ServerSettings.Horizon))
	if err != nil {
		return store, err
	}
	var former []string
	for _, c := range comments {
		if strings.HasSuffix(c.By.Login, "[bot]") && len(wording.Markers(c.Body)) > 0 && !slices.Contains(former, c.By.Login) {
			former = append(former, c.By.Login)
		}
	}
	return store.WithFormer(former...), nil
}

// stateOf understands a state's name and its label, in any case.
func stateOf(life *statemachine.Lifecycle, word string) (string, error) {
	if s, ok := life.State(strings.ToLower(word)); ok {
		return s.Name, nil
	}
	if s, ok := life.StateOf(word); ok {
		return s.Name, nil
	}
	return "", &UnknownError{What: "state of lifecycle " + life.Name, Word: word, Known: life.StateNames()}
}

// isLimited reports whether GitHub limits the rate of calls, so that it is asked again.
func isLimited(err error) bool {
	limited := (*ratelimit.Error)(nil)
	return errors.As(err, &limited)
}
