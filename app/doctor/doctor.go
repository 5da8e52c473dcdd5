// Package doctor checks the App, its webhooks and its installations, for "colony doctor", and says what to do.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

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
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// Severity says how bad a finding is.
type Severity int

// The severities.
const (
	Fine    Severity = iota
	Warning          // something to look at
	Problem          // something does not work
)

func (s Severity) String() string { return [...]string{"ok", "warning", "problem"}[s] }

// Finding is what a check found out, in one line.
type Finding struct {
	Severity Severity
	About    string
	Says     string
	Do       string // what to do about it; empty if nothing
}

func (f Finding) String() string {
	line := fmt.Sprintf("%-7s  %s: %s", f.Severity, f.About, f.Says)
	if f.Do != "" {
		line += " -> " + f.Do
	}
	return line
}

// Run checks a configuration against the GitHub that it names, and the Colony that runs at an address, if one is given.
// It changes nothing, and tells what it finds in the order in which it looks. What depends on something that does
// not work is left out.
func Run(ctx context.Context, c config.Config, options app.Options, server string, tell func(Finding)) {
	options = options.WithDefaults()
	options.Log = zerolog.Nop() // what is wrong is a finding
	d := &doctor{config: c, options: options, tell: tell}
	if d.configuration() && d.connect() && d.app(ctx) {
		d.webhook(ctx)
		d.deliveries(ctx)
		d.installations(ctx)
	}
	d.queue(ctx)
	d.address(ctx)
	d.pace()
	if server != "" {
		d.server(ctx, strings.TrimSuffix(server, "/"))
	}
}

// doctor is one examination.
type doctor struct {
	config  config.Config
	options app.Options
	tell    func(Finding)
	parts   *app.Parts // once the configuration is known to be right
}

func (d *doctor) fine(about, format string, args ...any) {
	d.tell(Finding{Fine, about, fmt.Sprintf(format, args...), ""})
}

func (d *doctor) warn(about, does, format string, args ...any) {
	d.tell(Finding{Warning, about, fmt.Sprintf(format, args...), does})
}

func (d *doctor) wrong(about, does, format string, args ...any) {
	d.tell(Finding{Problem, about, fmt.Sprintf(format, args...), does})
}

// configuration reports whether Colony would start with the configuration.
func (d *doctor) configuration() bool {
	if err := d.config.Validate(); err != nil {
		for _, e := range config.Problems(err) {
			d.wrong("configuration", e.Do, "%s: %s", policy.SettingName(e.Path), e.Says)
		}
		return false
	}
	settings, err := d.config.Settings()
	if err != nil {
		d.wrong("configuration", "", "%v", err)
		return false
	}
	d.fine("configuration", "complete; lifecycle %s has %d states", settings.Lifecycle.Name, len(settings.Lifecycle.States))
	return true
}

func (d *doctor) connect() bool {
	var err error
	c := d.config
	c.GitHub.Pace = ratelimit.Settings{} // an examination asks little
	if d.parts, err = app.NewParts(c, d.options, prometheus.NewRegistry()); err != nil {
		d.wrong("configuration", "", "%v", err)
		return false
	}
	return true
}

// app asks GitHub who Colony is and what it may do. It reports whether GitHub answered.
func (d *doctor) app(ctx context.Context) bool {
	about := fmt.Sprintf("App %d", d.config.GitHub.App.IntegrationID)
	known, response, err := d.parts.App.Apps.Get(ctx, "")
	if response != nil {
		d.skew(response.Response)
	}
	switch {
	case isAnswer(err, http.StatusUnauthorized):
		d.wrong(about, "set github.app.private_key to a key of this App, made in its settings", "GitHub does not accept the private key")
		return false
	case isAnswer(err, http.StatusNotFound):
		d.wrong(about, "compare github.app.integration_id with the App's settings, and github.v3_api_url with the server", "GitHub knows no such App")
		return false
	case err != nil:
		d.wrong("GitHub", "is github.v3_api_url right, and does the network let Colony through?", "cannot be asked: %v", app.OneLine(err))
		return false
	}
	d.fine(about, "GitHub knows it as %s and accepts its key", known.GetSlug())
	d.grants("permissions", known.GetPermissions(), known.Events, permissions.AtTheApp)
	return true
}

// skews are how far the clocks may be apart: GitHub takes a token of an App for at most ten minutes from its own clock
// (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app).
const (
	skewWarning = 10 * time.Second
	skewProblem = time.Minute
)

func (d *doctor) skew(response *http.Response) {
	date, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		d.warn("clock", "", "GitHub does not tell its time")
		return
	}
	const does = "set this machine's clock, for example by NTP"
	skew := d.options.Clock.Now().Sub(date).Round(time.Second)
	switch {
	case skew.Abs() >= skewProblem:
		d.wrong("clock", does, "%s off GitHub's, which refuses tokens for that", skew.Round(time.Minute))
	case skew.Abs() >= skewWarning:
		d.warn("clock", does, "%s off GitHub's", skew)
	default:
		d.fine("clock", "as GitHub's")
	}
}

// onlyYounger is whether an older GitHub Enterprise Server has none of the events.
func onlyYounger(events []string) bool {
	return !slices.ContainsFunc(events, func(event string) bool { return !slices.Contains(permissions.Younger, event) })
}

// grants compares what is granted with what is needed. It reports whether that is enough to look further.
func (d *doctor) grants(about string, granted *github.InstallationPermissions, events []string, does string) bool {
	grants, err := permissions.Granted(granted)
	if err != nil {
		d.wrong(about, "", "%v", err)
		return false
	}
	lacking, silent := permissions.Missing(grants), permissions.Unheard(events)
	for _, n := range lacking {
		granted := grants[n.Permission]
		if granted == "" {
			granted = "not granted"
		}
		d.wrong(about, does, "%s is %s, and %s is needed for %s", n.Permission, granted, n.Level, n.For)
	}
	if len(silent) > 0 && d.config.GitHub.WebURL != config.Default().GitHub.WebURL && onlyYounger(silent) {
		d.fine(about, "not subscribed to %s, which an older GitHub Enterprise Server does not have", strings.Join(silent, ", "))
		silent = nil
	}
	if len(silent) > 0 {
		d.wrong(about, does, "not subscribed to %s, so Colony gets none of these webhooks", strings.Join(silent, ", "))
	}
	if len(lacking)+len(silent) > 0 {
		return len(lacking) == 0
	}
	for _, n := range permissions.Forgone(grants) {
		d.fine(about, "without %s: %s, which is optional, for %s", n.Permission, n.Level, n.For)
	}
	if more := permissions.Beyond(grants); len(more) > 0 {
		d.fine(about, "all that is needed, and more: %s", strings.Join(more, ", "))
	} else {
		d.fine(about, "what is needed")
	}
	return true
}

// repositoriesSeen bounds how many repositories of an installation are looked at one by one.
const repositoriesSeen = 20

func (d *doctor) installations(ctx context.Context) {
	all, err := client.Installations(ctx, d.parts.App)
	if err != nil {
		d.wrong("installations", "", "%v", app.OneLine(err))
		return
	}
	if len(all) == 0 {
		d.warn("installations", "install the App on an organisation or account", "the App is not installed anywhere, so Colony has nothing to do")
		return
	}
	for _, i := range all {
		d.installation(ctx, i)
	}
}

func (d *doctor) installation(ctx context.Context, i *github.Installation) {
	about := fmt.Sprintf("installation %d on %s", i.GetID(), i.GetAccount().GetLogin())
	if i.SuspendedAt != nil {
		d.warn(about, "an owner can lift that: "+i.GetHTMLURL(), "suspended since %s, so Colony leaves its issues alone", i.GetSuspendedAt().UTC().Format(time.DateOnly))
		return
	}
	if !d.grants(about, i.GetPermissions(), i.Events, "an owner has to accept the App's permissions: "+i.GetHTMLURL()) {
		return
	}
	client, err := d.parts.Clients.NewInstallationClient(i.GetID())
	if err != nil {
		d.wrong(about, "", "%v", app.OneLine(err))
		return
	}
	d.rate(ctx, about, client)
	d.repositories(ctx, about, i.GetID(), client)
}

func (d *doctor) rate(ctx context.Context, about string, client *github.Client) {
	limits, _, err := client.RateLimit.Get(ctx)
	switch {
	case isAnswer(err, http.StatusNotFound):
		d.fine(about, "this GitHub does not limit calls")
	case err != nil:
		d.wrong(about, "", "%v", app.OneLine(err))
	case limits.GetCore().Remaining < limits.GetCore().Limit/10:
		d.warn(about, "Colony's sweeps wait for that; who else acts as this App?", "%d of %d calls are left until %s",
			limits.GetCore().Remaining, limits.GetCore().Limit, limits.GetCore().Reset.UTC().Format("15:04 MST"))
	default:
		d.fine(about, "more than a tenth of the %d calls of the hour are left", limits.GetCore().Limit)
	}
}

func (d *doctor) repositories(ctx context.Context, about string, installation int64, asInstallation *github.Client) {
	list, _, err := asInstallation.Apps.ListRepos(ctx, &github.ListOptions{PerPage: repositoriesSeen})
	if err != nil {
		d.wrong(about, "", "Colony cannot list its repositories: %v", app.OneLine(err))
		return
	}
	if list.GetTotalCount() == 0 {
		d.warn(about, "give the installation some", "it has no repositories")
		return
	}
	var bare []string
	for _, r := range list.Repositories {
		repo := client.RepositoryOf(installation, r)
		found, err := d.rules(ctx, repo)
		if err != nil {
			return
		}
		set, err := d.parts.Reconciler.Labels.Examine(ctx, repo, found.Table(), nil)
		if err != nil {
			d.wrong("repository "+repo.String(), "", "cannot be read: %v", app.OneLine(err))
			return
		}
		if len(set.Missing) > 0 && found.Mode.Writes() && (found.OptedIn || hasMark(set.Missing, statemachine.Forced)) {
			bare = append(bare, fmt.Sprintf("%s (%d)", repo, len(set.Missing)))
		}
		d.leftOver(repo, found, set.LeftOver)
		d.adopted(repo, set.Adopted)
	}
	seen := wording.Counted(len(list.Repositories), "repository", "repositories")
	if more := list.GetTotalCount() - len(list.Repositories); more > 0 {
		seen = fmt.Sprintf("the first %d of %d repositories", len(list.Repositories), list.GetTotalCount())
	}
	if len(bare) > 0 {
		d.warn(about, "a running Colony makes them at the next event or sweep", "of %s, these lack labels: %s", seen, strings.Join(bare, ", "))
		return
	}
	d.fine(about, "%s can be read, with all labels", seen)
}

func hasMark(marks []statemachine.Mark, label string) bool {
	return slices.ContainsFunc(marks, func(m statemachine.Mark) bool { return m.Label == label })
}

// namesSeen bounds how many labels one line names.
const namesSeen = 5

// leftOver tells which labels of another lifecycle a repository has.
func (d *doctor) leftOver(repo issues.Repository, found policy.Effective, labels []issues.LeftOver) {
	if len(labels) == 0 {
		return
	}
	var names []string
	for _, l := range labels[:min(len(labels), namesSeen)] {
		names = append(names, l.Label)
	}
	more := ""
	if n := len(labels) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	d.warn("repository "+repo.String(), fmt.Sprintf("colony labels prune --repo %s deletes those that no open issue carries", repo),
		"%s left over from another lifecycle: %s is in force and does not use %s%s",
		wording.Counted(len(labels), "label is", "labels are"), found.Lifecycle.Name, strings.Join(names, ", "), more)
}

// adopted tells which labels a repository has under names that its lifecycle lists as previously.
func (d *doctor) adopted(repo issues.Repository, labels []issues.Adopted) {
	if len(labels) == 0 {
		return
	}
	var names []string
	for _, a := range labels[:min(len(labels), namesSeen)] {
		names = append(names, fmt.Sprintf("%s (now %s)", a.Is.Label, a.Want.Label))
	}
	more := ""
	if n := len(labels) - len(names); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	d.warn("repository "+repo.String(), fmt.Sprintf("colony labels apply --repo %s takes them over; with --dry-run it prints the plan", repo),
		"%s under names of before: %s%s", wording.Counted(len(labels), "label is", "labels are"), strings.Join(names, ", "), more)
}

// rules reads what is in force for a repository, and tells what is broken.
func (d *doctor) rules(ctx context.Context, repo issues.Repository) (policy.Effective, error) {
	about := "repository " + repo.String()
	found, err := d.parts.Reconciler.Policies.Get(ctx, repo)
	if err != nil {
		d.wrong(about, "", "its settings cannot be read: %v", app.OneLine(err))
		return found, err
	}
	if found.From != config.ServerConfiguration {
		d.fine(about, "its lifecycle is %s, from %s", found.Lifecycle.Name, found.From)
	}
	for _, b := range found.InvalidFiles {
		stays := "Colony still uses what was in force before"
		switch {
		case b.Applies:
			stays = "the rest of it is in force"
		case b.LastGoodCommit != "":
			stays = "the version of " + b.LastGoodCommit + " stays in force"
		}
		d.warn(about, "mend it in the default branch", "%s; %s", app.OneLine(errors.New(b.String())), stays)
	}
	return found, nil
}

// isAnswer reports whether GitHub answered with a status.
func isAnswer(err error, status int) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && answer.Response != nil && answer.Response.StatusCode == status
}

// Worst returns the highest severity of some findings, Fine if there are none.
func Worst(found []Finding) Severity {
	severity := Fine
	for _, f := range found {
		severity = max(severity, f.Severity)
	}
	return severity
}
