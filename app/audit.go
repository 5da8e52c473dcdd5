package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/issues"
	"github.com/colony-app/colony/app/rules"
	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/statemachine"
)

// Irregular is what an audit finds about an issue.
type Irregular string

// What an audit finds.
const (
	Orphaned      Irregular = "orphan"         // it ended without the reflection that its lifecycle asks for
	SeveralStates Irregular = "several-states" // it has the labels of several states
	UnknownLabel  Irregular = "unknown-label"  // a label looks like Colony's and is none of the lifecycle
	OutOfLine     Irregular = "out-of-line"    // its label is not what its log says
	WaitsForHuman Irregular = "needs-human"    // a person is asked to look
	Overdue       Irregular = "overdue"        // it has been in its state for longer than the lifecycle allows
	Halted        Irregular = "halted"         // Colony stopped reverting there
	ForcedRound   Irregular = "forced"         // it was moved round the table
	ClosedEarly   Irregular = "closed"         // it is closed, and its state is none in which work ends
	NotLookedAt   Irregular = "not-looked-at"  // it could not be looked at
)

// Irregulars lists what an audit finds, with what each means.
func Irregulars() []struct {
	Irregular Irregular
	Means     string
} {
	return []struct {
		Irregular Irregular
		Means     string
	}{
		{Orphaned, "It came to its end within the horizon, and the written reflection that its lifecycle asks for is missing, for longer than the lifecycle gives."},
		{SeveralStates, "It has the labels of several states."},
		{UnknownLabel, "It has a label that begins with `colony:` and is none of its lifecycle."},
		{OutOfLine, "Its state's label is not what its log says, or is missing."},
		{WaitsForHuman, "It has the label `colony:needs-human`: a person is asked to look."},
		{Overdue, "It has been in its state for longer than the lifecycle allows."},
		{Halted, "Colony stopped reverting there, or stopped moving it by itself, and waits for a person."},
		{ForcedRound, "It was moved round the table within the horizon."},
		{ClosedEarly, "It was closed or changed within the horizon, is closed, and its state is not a terminal one."},
		{NotLookedAt, "A repository, or a part of it, could not be looked at, or there is too much of it."},
	}
}

// AuditFinding is one thing that an audit found. Nobody's title or comment is in it but the reason of a forced move.
type AuditFinding struct {
	Irregular  Irregular `json:"irregular"`
	Repository string    `json:"repository"`
	Issue      int       `json:"issue,omitempty"`
	State      string    `json:"state,omitempty"`
	// Since is since when it is so, as far as that is known.
	Since time.Time `json:"since,omitzero"`
	// By is whose doing it was, if it was anybody's.
	By   string `json:"by,omitempty"`
	Says string `json:"says"`
}

func (f AuditFinding) String() string {
	about := f.Repository
	if f.Issue != 0 {
		about = fmt.Sprintf("%s#%d", f.Repository, f.Issue)
	}
	line := fmt.Sprintf("%-14s  %s: %s", f.Irregular, about, f.Says)
	if !f.Since.IsZero() {
		line += ", since " + f.Since.UTC().Format("2006-01-02 15:04 MST")
	}
	if f.By != "" {
		line += ", by " + f.By
	}
	return line
}

// Audited counts what an audit looked at.
type Audited struct {
	Repositories int `json:"repositories"`
	Issues       int `json:"issues"`
}

// auditLogs bounds how many logs of issues of one repository an audit reads.
const auditLogs = 500

// Audit looks at all issues of all installations and tells what is not as it should be, repository by repository. It changes
// nothing. An error says that it could not be carried through; what was told before holds.
func Audit(ctx context.Context, c Config, seams Seams, tell func(AuditFinding)) (Audited, error) {
	if seams.Clock == nil {
		seams.Clock = clockwork.NewRealClock()
	}
	if seams.Transport == nil {
		seams.Transport = newTransport()
	}
	a, err := newAuditor(ctx, c, seams, tell)
	if err != nil {
		return Audited{}, err
	}
	all, err := allInstallations(ctx, a.app)
	if err != nil {
		return Audited{}, err
	}
	for _, i := range all {
		if i.SuspendedAt != nil {
			continue
		}
		if err := a.installation(ctx, i.GetID()); err != nil {
			return a.seen, err
		}
	}
	return a.seen, nil
}

// auditor is one audit.
type auditor struct {
	looker  *Looker
	clients issues.Clients
	app     *github.Client
	tell    func(AuditFinding)
	seen    Audited
}

func newAuditor(ctx context.Context, c Config, seams Seams, tell func(AuditFinding)) (*auditor, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	settings, err := c.Rules()
	if err != nil {
		return nil, err
	}
	clients := newClientCreator(c, seams.Transport, newCallMetrics(prometheus.NewRegistry()), newPace(PaceConfig{}, seams.Clock), seams.Clock)
	client, err := clients.NewAppClient()
	if err != nil {
		return nil, fmt.Errorf("make the App's client: %w", err)
	}
	app, _, err := client.Apps.Get(ctx, "")
	if err != nil {
		if refused := appRefused(err); refused != nil {
			err = refused
		}
		return nil, fmt.Errorf("ask GitHub who this App is: %w", err)
	}
	cast := &issues.Cast{AppID: c.GitHub.App.IntegrationID, Former: c.Identities.Former, Executors: c.Executors.Logins}
	cast.SetSelf(app.GetSlug() + "[bot]")
	store := issues.NewStore(clients, cast)
	return &auditor{
		clients: clients, app: client, tell: tell,
		looker: &Looker{
			Store: store, Rules: settings, Clock: seams.Clock, Log: zerolog.Nop(), Answered: NewAnswered(), Web: c.GitHub.WebURL,
			Labels: issues.NewLabels(store, seams.Clock),
			Book:   rules.NewBook(clients, c.serverRules(settings.Lifecycle), c.Repositories.Keep, seams.Clock, zerolog.Nop()),
		},
	}, nil
}

func (a *auditor) installation(ctx context.Context, id int64) error {
	return eachRepository(ctx, a.clients, id, func(repo issues.Repository) error {
		err := a.repository(ctx, repo)
		if limited := (*LimitedError)(nil); errors.As(err, &limited) || ctx.Err() != nil {
			return err
		}
		if err != nil {
			a.tell(AuditFinding{Irregular: NotLookedAt, Repository: repo.String(), Says: brief(err)})
		}
		return nil
	})
}

// repositoryAudit is the audit of one repository.
type repositoryAudit struct {
	*auditor
	repo        issues.Repository
	rules       Rules
	store       *issues.Store
	judgedSince time.Time
	begun       time.Time // see issues.View
	heardSince  time.Time
	logs        int
}

func (a *auditor) repository(ctx context.Context, repo issues.Repository) error {
	found, err := a.looker.Book.Of(ctx, repo)
	if err != nil {
		return fmt.Errorf("read the rules of %s: %w", repo, err)
	}
	since, known, err := a.looker.Labels.Known(ctx, repo, found.Table())
	if err != nil {
		return err
	}
	a.seen.Repositories++
	now := a.looker.Clock.Now()
	if !known { // Colony judges it from its next look on
		since = issues.Since{Labels: now, Commands: now}
	}
	horizon := now.Add(-a.looker.Rules.Horizon)
	r := &repositoryAudit{
		auditor: a, repo: repo, rules: a.looker.Rules.under(found), store: a.looker.Store.As(found.Executors),
		begun: since.Labels, judgedSince: latest(since.Labels, horizon), heardSince: latest(since.Commands, horizon),
	}
	for _, closed := range []bool{false, true} {
		list, more, err := r.store.Audit(ctx, repo, closed, horizon)
		if err != nil {
			return err
		}
		for _, issue := range list {
			a.seen.Issues++
			if err := r.issue(ctx, issue); err != nil && !issues.IsGone(err) {
				return err
			}
		}
		if more {
			r.found(0, AuditFinding{Irregular: NotLookedAt, Says: fmt.Sprintf("there are more issues than the %d that changed last", len(list))})
		}
	}
	if r.logs > auditLogs {
		r.found(0, AuditFinding{Irregular: NotLookedAt, Says: fmt.Sprintf("the logs of %d issues were not read, after the first %d", r.logs-auditLogs, auditLogs)})
	}
	return nil
}

func (r *repositoryAudit) found(number int, f AuditFinding) {
	f.Repository, f.Issue = r.repo.String(), number
	r.tell(f)
}

// issue looks at one issue: at its labels, and at its log if that can tell more.
func (r *repositoryAudit) issue(ctx context.Context, i issues.Audited) error {
	life := r.rules.Lifecycle
	var states []statemachine.State
	for _, label := range i.Labels {
		if _, isState := life.StateOf(label); !isState && r.isStrange(label) {
			r.found(i.Number, AuditFinding{Irregular: UnknownLabel, Says: fmt.Sprintf("the label %q is none of lifecycle %s", label, life.Name)})
		}
	}
	for _, s := range life.States {
		if s.Label != "" && has(i.Labels, s.Label) {
			states = append(states, s)
		}
	}
	if len(states) > 1 && !r.busy(i) {
		r.found(i.Number, AuditFinding{Irregular: SeveralStates, Says: "it has the labels of " + namesOf(states)})
	}
	if !r.logTellsMore(i, states) {
		r.ofLabels(i, states)
		return nil
	}
	r.logs++
	if r.logs > auditLogs {
		return nil
	}
	v := &visit{
		Looker: r.looker, Rules: r.rules, Store: r.store, log: zerolog.Nop(), read: r.looker.Clock.Now(),
		judgedSince: r.judgedSince, heardSince: r.heardSince,
	}
	var err error
	if v.view, err = r.store.Load(ctx, issues.Ref{Repository: r.repo, Number: i.Number}); err != nil {
		return err
	}
	v.view.Begun = r.begun
	v.fold()
	return r.ofLog(ctx, v, i, states)
}

// isStrange reports whether a label looks like one of Colony's and is none.
func (r *repositoryAudit) isStrange(label string) bool {
	return strings.HasPrefix(strings.ToLower(label), "colony:") &&
		!slices.ContainsFunc(r.rules.Lifecycle.Labels(), func(m statemachine.Mark) bool { return statemachine.SameLabel(m.Label, label) })
}

// logTellsMore reports whether the log of an issue can tell more than its labels: if it changed since it is judged, or if it matters
// since when something is so.
func (r *repositoryAudit) logTellsMore(i issues.Audited, states []statemachine.State) bool {
	timed := slices.ContainsFunc(r.rules.Lifecycle.TimeOuts, func(t statemachine.TimeOut) bool {
		return slices.ContainsFunc(states, func(s statemachine.State) bool { return slices.Contains(t.In, s.Name) })
	})
	return !i.Updated.Before(r.judgedSince) || timed && !i.Closed || has(i.Labels, statemachine.NeedsHuman)
}

// ofLabels tells what the labels alone show.
func (r *repositoryAudit) ofLabels(i issues.Audited, states []statemachine.State) {
	if len(states) == 1 {
		r.closedEarly(i, states[0])
	}
}

func (r *repositoryAudit) closedEarly(i issues.Audited, state statemachine.State) {
	if i.Closed && state.Type != statemachine.Terminal && state.Label != "" {
		r.found(i.Number, AuditFinding{Irregular: ClosedEarly, State: state.Name, Since: i.ClosedAt, Says: "it is closed in " + state.Name})
	}
}

// ofLog tells what the log of an issue shows.
func (r *repositoryAudit) ofLog(ctx context.Context, v *visit, i issues.Audited, states []statemachine.State) error {
	life := r.rules.Lifecycle
	state, _ := life.State(v.standing.State)
	r.closedEarly(i, state)
	if is := shown(states); is != state.Label && len(states) < 2 && !r.busy(i) {
		if is == "" {
			is = "nothing"
		}
		r.found(i.Number, AuditFinding{Irregular: OutOfLine, State: state.Name, Says: fmt.Sprintf("its label says %s, and its log says %s", is, state.Name)})
	}
	if has(v.view.Labels, statemachine.NeedsHuman) {
		r.found(i.Number, r.waits(v, state))
	}
	if at, ok := life.TimesOut(v.standing); ok && !i.Closed && at.Before(v.read) {
		entered, _ := v.standing.Since()
		r.found(i.Number, AuditFinding{Irregular: Overdue, State: state.Name, Since: entered.At, Says: fmt.Sprintf("it should have left %s by %s", state.Name, at.UTC().Format("2006-01-02 15:04 MST"))})
	}
	if err := r.halted(ctx, v, state); err != nil {
		return err
	}
	if err := r.forced(ctx, v); err != nil {
		return err
	}
	return r.orphaned(ctx, v)
}

// shown is the label of the only state that labels show.
func shown(states []statemachine.State) string {
	if len(states) != 1 {
		return ""
	}
	return states[0].Label
}

// busy reports whether an issue changed a moment ago, so that its labels may not be put in order yet.
func (r *repositoryAudit) busy(i issues.Audited) bool {
	return r.looker.Clock.Since(i.Updated) < r.rules.Patience.Lag
}

func (r *repositoryAudit) waits(v *visit, state statemachine.State) AuditFinding {
	f := AuditFinding{Irregular: WaitsForHuman, State: state.Name, Says: "it waits for a person in " + state.Name}
	for _, c := range v.view.Changes {
		if c.Added && statemachine.SameLabel(c.Label, statemachine.NeedsHuman) && c.At.After(f.Since) {
			f.Since, f.By = c.At, c.By.Login
		}
	}
	return f
}

// halted tells whether the breaker is tripped. Nothing but the labels, the log and the comments is asked for it.
func (r *repositoryAudit) halted(ctx context.Context, v *visit, state statemachine.State) error {
	decision := r.rules.Lifecycle.Decide(r.rules.Patience, v.caseAtHand())
	if decision.NeedAnswers {
		if err := v.readConversation(ctx); err != nil {
			return err
		}
		decision = r.rules.Lifecycle.Decide(r.rules.Patience, v.caseAtHand())
	}
	if decision.Halted != nil {
		r.found(v.view.Ref.Number, AuditFinding{
			Irregular: Halted, State: state.Name, Since: decision.Halted.At, By: decision.Halted.By.Login,
			Says: "Colony leaves it as it is until a person moves it",
		})
	}
	return nil
}

// forced tells of the moves round the table.
func (r *repositoryAudit) forced(ctx context.Context, v *visit) error {
	for _, m := range v.standing.Trail {
		if m.Kind != statemachine.ForcedMove || m.At.Before(r.judgedSince) {
			continue
		}
		if err := v.readConversation(ctx); err != nil {
			return err
		}
		f := AuditFinding{Irregular: ForcedRound, State: m.To, Since: m.At, By: m.By.Login, Says: fmt.Sprintf("it was forced from %s to %s", m.From, m.To)}
		orders, _ := commands.Orders(r.rules.Lifecycle, v.since(v.standing), v.conversation.written())
		if order, ok := orders[m.EventID]; ok {
			f.By = order.By.Login
			f.Says += fmt.Sprintf(", because %q", order.Reason)
		}
		r.found(v.view.Ref.Number, f)
	}
	return nil
}

func (r *repositoryAudit) orphaned(ctx context.Context, v *visit) error {
	e, ok, err := v.ended(ctx)
	if err != nil || !ok || v.read.Before(e.At.Add(r.rules.Lifecycle.Reflection.Within)) {
		return err
	}
	there, err := v.isReflectedOn(ctx, e)
	if err != nil || there {
		return err
	}
	r.found(v.view.Ref.Number, AuditFinding{
		Irregular: Orphaned, State: e.To, Since: e.At, By: e.by.Login, Says: fmt.Sprintf("it ended in %s without a written reflection", e.To),
	})
	return nil
}

func namesOf(states []statemachine.State) string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}
