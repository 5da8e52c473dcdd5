package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Question is who would ask for what.
type Question struct {
	// As is the login of who would ask, and Role the role in which a bot would; empty: any that it has.
	As, Role string
	// To is the state, or its label; empty: every move that there is.
	To string
}

// UnknownError is a word that names nothing.
type UnknownError struct {
	What, Word string
	// Known lists what there is; empty if it cannot be listed.
	Known []string
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no %s is called %q", e.What, e.Word) }

// Ask says what would become of a move of an issue if someone asked for it now. The error is an UnknownError if there is no such account,
// role or state; any other says that nothing could be found out.
func (i *Inspector) Ask(ctx context.Context, ref issues.Ref, q Question) (*Answer, error) {
	found, basis, err := i.Policy(ctx, ref.Repository)
	if err != nil {
		return nil, err
	}
	to := ""
	if q.To != "" {
		if to, err = stateOf(found.Lifecycle, q.To); err != nil {
			return nil, err
		}
	}
	if _, known := found.Lifecycle.Roles.Named(q.Role); q.Role != "" && !known {
		return nil, &UnknownError{What: "role of lifecycle " + found.Lifecycle.Name, Word: q.Role, Known: roleNames(found.Lifecycle)}
	}
	if basis.Store, err = i.recognizing(ctx, ref, basis.Store); err != nil {
		return nil, err
	}
	who, ok, err := basis.Store.Account(ctx, ref.Repository, q.As)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &UnknownError{What: "account on GitHub", Word: q.As}
	}
	if who, err = inRole(who, q.Role); err != nil {
		return nil, err
	}
	issue, err := i.read(ctx, ref, basis)
	if err != nil {
		return nil, err
	}
	answer := &Answer{
		Issue: ref.String(), Closed: issue.View().Closed, Lifecycle: found.Lifecycle.Name, From: issue.Standing().State, To: to,
		Mode: basis.Settings.Mode, ModeBy: found.ModeBy, life: basis.Settings.Lifecycle,
	}
	if who, err = right(ctx, ref.Repository, basis, who); err != nil {
		answer.by(who)
		err = answer.unknown(err)
		return answer, err
	}
	answer.by(who)
	if to == "" {
		answer.Next = NextOf(answer.life, answer.who, answer.life.NextAt(issue.Standing(), who))
		return answer, nil
	}
	asked, err := issue.Ask(ctx, who, to)
	if err != nil {
		return nil, fmt.Errorf("ask about %s: %w", ref, err)
	}
	answer.tell(asked)
	return answer, nil
}

// inRole restricts a bot to one of its roles.
func inRole(who lifecycle.Actor, role string) (lifecycle.Actor, error) {
	switch {
	case role == "":
		return who, nil
	case who.Kind != lifecycle.Executor, len(who.Roles) > 0 && !slices.Contains(who.Roles, role):
		return who, &UnknownError{What: "role of " + who.Login, Word: role, Known: who.Roles}
	}
	who.Roles = []string{role}
	return who, nil
}

func roleNames(life *statemachine.Table) []string {
	var names []string
	for _, r := range life.Roles {
		names = append(names, r.Name)
	}
	return names
}

// right makes an author of a person who can neither edit labels nor move issues by command. An error says that this is not known.
func right(ctx context.Context, repo issues.Repository, basis reconcile.Basis, who lifecycle.Actor) (lifecycle.Actor, error) {
	if who.Kind != lifecycle.Operator {
		return who, nil
	}
	permission, err := basis.Store.Permission(ctx, repo, who.Login)
	if err != nil {
		return who, err
	}
	return basis.Settings.RequesterOf(who, permission).Actor, nil
}

// recognizing returns the store with the logins under which Colony speaks on the issue, for a token, which does not tell who Colony is: whose
// comments have Colony's markers is Colony.
func (i *Inspector) recognizing(ctx context.Context, ref issues.Ref, store *issues.Store) (*issues.Store, error) {
	if i.App != nil {
		return store, nil
	}
	comments, err := store.Comments(ctx, ref, i.Reconciler.Clock.Now().Add(-i.Reconciler.ServerSettings.Horizon))
	if err != nil {
		return store, err
	}
	var former []string
	for _, c := range comments {
		if c.By.IsApp() && len(wording.Markers(c.Body)) > 0 && !slices.Contains(former, c.By.Login) {
			former = append(former, c.By.Login)
		}
	}
	return store.WithFormer(former...), nil
}

// stateOf understands a state's name and its label, in any case.
func stateOf(life *statemachine.Table, word string) (string, error) {
	if s, ok := life.State(strings.ToLower(word)); ok {
		return s.Name, nil
	}
	if s, ok := life.StateOf(word); ok {
		return s.Name, nil
	}
	return "", &UnknownError{What: "state of lifecycle " + life.Name, Word: word, Known: life.StateNames()}
}
