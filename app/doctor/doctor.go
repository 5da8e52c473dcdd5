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

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/policy"
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

// Options say what to check in addition to the configuration.
type Options struct {
	// Server is the address of a Colony that runs; empty: none.
	Server string
	// Repositories are those to check one by one, as OWNER/NAME; empty: the first ones of each installation.
	Repositories []string
}

// Run checks a configuration against the GitHub that it names, and the Colony that runs at an address, if one is given.
// It changes nothing, and tells what it finds in the order in which it looks. What depends on something that does
// not work is left out.
func Run(ctx context.Context, c config.Config, options app.Options, o Options, tell func(Finding)) {
	options = options.WithDefaults()
	options.Log = zerolog.Nop() // what is wrong is a finding
	d := &doctor{config: c, options: options, tell: tell, named: o.Repositories, served: o.Server != ""}
	if d.configuration() && d.connect() && d.app(ctx) {
		d.webhook(ctx)
		d.deliveries(ctx)
		d.installations(ctx)
	}
	d.queue(ctx)
	d.address(ctx)
	d.budget()
	if o.Server != "" {
		d.server(ctx, strings.TrimSuffix(o.Server, "/"))
	}
}

type doctor struct {
	config  config.Config
	options app.Options
	tell    func(Finding)
	parts   *app.Parts // once the configuration is known to be right
	named   []string   // the repositories to check; none: the first ones of each installation
	served  bool       // a Colony that runs is asked, too
	install string     // where the App is installed
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
		for _, e := range config.Joined[config.SettingError](err) {
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
	c.GitHub.Budget = ratelimit.Settings{} // an examination asks little
	if d.parts, err = app.NewParts(c, d.options, prometheus.NewRegistry()); err != nil {
		d.wrong("configuration", "", "%v", err)
		return false
	}
	return true
}

// app asks GitHub who Colony is and what it is allowed to do. It reports whether GitHub answered.
func (d *doctor) app(ctx context.Context) bool {
	about := fmt.Sprintf("App %d", d.config.GitHub.App.IntegrationID)
	known, err := d.parts.App.Self(ctx)
	status, _ := issues.Answer(err)
	if err == nil || status != 0 {
		d.skew(known.At)
	}
	switch {
	case status == http.StatusUnauthorized:
		d.wrong(about, "set github.app.private_key to a key of this App, made in its settings", "GitHub does not accept the private key")
		return false
	case status == http.StatusNotFound:
		d.wrong(about, "compare github.app.integration_id with the App's settings, and github.v3_api_url with the server", "GitHub knows no such App")
		return false
	case err != nil:
		d.wrong("GitHub", "is github.v3_api_url right, and does the network let Colony through?", "cannot be asked: %v", app.OneLine(errors.Unwrap(err)))
		return false
	}
	d.install = fmt.Sprintf("%s/apps/%s/installations/new", strings.TrimSuffix(d.config.GitHub.WebURL, "/"), known.Slug)
	d.fine(about, "GitHub knows it as %s and accepts its key", known.Slug)
	d.grants("permissions", known.Grants, known.Events, permissions.AtTheApp)
	return true
}

// skews are how far the clocks can be apart: GitHub takes a token of an App for at most ten minutes from its own clock
// (https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app).
const (
	skewWarning = 10 * time.Second
	skewProblem = time.Minute
)

func (d *doctor) skew(date time.Time) {
	if date.IsZero() {
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

// grants compares what is granted with what is needed. It reports whether that is enough to look further.
func (d *doctor) grants(about string, grants map[string]string, events []string, does string) bool {
	lacking, silent := permissions.Missing(grants), permissions.Unheard(events)
	for _, n := range lacking {
		granted := grants[n.Permission]
		if granted == "" {
			granted = "not granted"
		}
		d.wrong(about, does, "%s is %s, and %s is needed for %s", n.Permission, granted, n.Level, n.For)
	}
	isOlder := func(event string) bool { return !slices.Contains(permissions.Younger, event) }
	if len(silent) > 0 && d.config.GitHub.WebURL != config.Default().GitHub.WebURL && !slices.ContainsFunc(silent, isOlder) {
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

func (d *doctor) installations(ctx context.Context) {
	all, err := d.parts.App.Installations(ctx)
	if err != nil {
		d.wrong("installations", "", "%v", app.OneLine(err))
		return
	}
	if len(all) == 0 {
		d.warn("installations", "install it on an organisation or account: "+d.install, "the App is not installed anywhere, so Colony has nothing to do")
		return
	}
	for _, i := range all {
		d.installation(ctx, i)
	}
	for _, name := range d.named {
		d.repository(ctx, name)
	}
}

func (d *doctor) installation(ctx context.Context, i client.Installation) {
	about := fmt.Sprintf("installation %d on %s", i.ID, i.Account)
	if !i.Works() {
		d.warn(about, "an owner can lift that: "+i.Page, "suspended since %s, so Colony leaves its issues alone", i.Suspended.UTC().Format(time.DateOnly))
		return
	}
	if !d.grants(about, i.Grants, i.Events, "an owner has to accept the App's permissions: "+i.Page) {
		return
	}
	d.rate(ctx, about, i.ID)
	if len(d.named) == 0 {
		d.repositories(ctx, about, i.ID)
	}
}

func (d *doctor) rate(ctx context.Context, about string, installation int64) {
	hour, err := d.parts.Clients.Hour(ctx, installation)
	switch {
	case issues.IsMissing(err):
		d.fine(about, "this GitHub does not limit calls")
	case err != nil:
		d.wrong(about, "", "%v", app.OneLine(err))
	case hour.Left < hour.Limit/10:
		d.warn(about, "Colony's sweeps wait for that; who else acts as this App?", "%d of %d calls are left until %s",
			hour.Left, hour.Limit, hour.Ends.UTC().Format("15:04 MST"))
	default:
		d.fine(about, "more than a tenth of the %d calls of the hour are left", hour.Limit)
	}
}

// Worst returns the highest severity of some findings, Fine if there are none.
func Worst(found []Finding) Severity {
	severity := Fine
	for _, f := range found {
		severity = max(severity, f.Severity)
	}
	return severity
}
