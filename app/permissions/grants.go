package permissions

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/client"
)

// Grants knows what each installation does not grant that Colony needs. GitHub notifies no one of a permission that was taken away. So it is
// compared when GitHub reports that something was granted, with each sweep, and when GitHub forbids something. It is safe for concurrent use.
type Grants struct {
	clock clockwork.Clock
	log   zerolog.Logger

	mu      sync.Mutex
	leftOut []string           // events that the App was made without on purpose
	lacking map[int64][]string // "issues: write", "event label"
	asked   map[int64]time.Time
}

// NewGrants returns one that knows nothing yet.
func NewGrants(clock clockwork.Clock, log zerolog.Logger) *Grants {
	return &Grants{clock: clock, log: log, lacking: map[int64][]string{}, asked: map[int64]time.Time{}}
}

// Lacking returns what installations do not grant, by the installation.
func (g *Grants) Lacking() map[int64][]string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return maps.Clone(g.lacking)
}

// LeaveOut says which events the App was made without on purpose: no installation lacks them.
func (g *Grants) LeaveOut(events []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.leftOut = events
}

func (g *Grants) isLeftOut(event string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.leftOut, event)
}

// Compare notes what all installations grant, and logs what has changed. What the App itself lacks has been logged: no installation
// can grant it.
func (g *Grants) Compare(all []client.Installation, appLacks ...string) {
	there := map[int64]bool{}
	for _, i := range all {
		there[i.ID] = true
		g.compare(i, appLacks)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	maps.DeleteFunc(g.lacking, func(id int64, _ []string) bool { return !there[id] })
	maps.DeleteFunc(g.asked, func(id int64, _ time.Time) bool { return !there[id] })
}

// Replace notes what another replica found.
func (g *Grants) Replace(lacking map[int64][]string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.lacking = lacking
}

// askedAtMost is the least time between two questions by Doubt about one installation: a stream of refusals must not become a stream of questions.
const askedAtMost = time.Minute

// Doubt asks GitHub what an installation grants, because GitHub has forbidden something. It reports whether it got an answer.
func (g *Grants) Doubt(ctx context.Context, app *client.App, installation int64) bool {
	g.mu.Lock()
	now := g.clock.Now()
	asked, known := g.asked[installation]
	soon := known && now.Sub(asked) < askedAtMost
	if !soon {
		g.asked[installation] = now
	}
	g.mu.Unlock()
	return !soon && g.Ask(ctx, app, installation)
}

// Ask asks GitHub what an installation grants. It reports whether it got an answer.
func (g *Grants) Ask(ctx context.Context, app *client.App, installation int64) bool {
	i, err := app.Installation(ctx, installation)
	if err != nil { // the next sweep compares all of them
		g.log.Debug().Err(err).Int64("installation", installation).Msg("the permissions of the installation cannot be compared with what is needed")
		return false
	}
	g.compare(i, nil)
	return true
}

func (g *Grants) compare(i client.Installation, logged []string) {
	log := g.log.With().Int64("installation", i.ID).Str("account", i.Account).Logger()
	needs, silent := Missing(i.Grants), slices.DeleteFunc(Unheard(i.Events), g.isLeftOut)
	lacking := Describe(needs, silent)
	if !i.Works() { // it grants nothing at all, and Colony leaves it alone
		lacking = nil
	}
	before := g.note(i.ID, lacking)
	if len(lacking) == 0 {
		if len(before) > 0 {
			log.Info().Strs("before", before).Msg("the installation grants again all that is needed")
		}
		return
	}
	logged = append(slices.Clone(logged), before...)
	isLogged := func(what string) bool { return slices.Contains(logged, what) }
	needs = slices.DeleteFunc(needs, func(n Need) bool { return isLogged(describeNeed(n)) })
	silent = slices.DeleteFunc(silent, func(event string) bool { return isLogged(describeEvent(event)) })
	LogMissing(log, i.Grants, needs, silent, "an owner of the account has to accept the App's permissions: "+i.Page)
}

// Describe says in a few words each what is lacking.
func Describe(needs []Need, events []string) []string {
	var lacking []string
	for _, n := range needs {
		lacking = append(lacking, describeNeed(n))
	}
	for _, event := range events {
		lacking = append(lacking, describeEvent(event))
	}
	return lacking
}

func describeNeed(n Need) string { return n.Permission + ": " + n.Level }

func describeEvent(event string) string { return "event " + event }

func (g *Grants) note(installation int64, lacking []string) (before []string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	before = g.lacking[installation]
	if len(lacking) == 0 {
		delete(g.lacking, installation)
	} else {
		g.lacking[installation] = lacking
	}
	return before
}

// LogMissing logs what is needed and not granted, and what to do.
func LogMissing(log zerolog.Logger, grants map[string]string, needs []Need, events []string, do string) {
	for _, n := range needs {
		log.Error().Str("permission", n.Permission).Str("needed", n.Level).Str("granted", grants[n.Permission]).Str("for", n.For).Str("do", do).
			Msg("GitHub does not grant a permission that is needed: see colony doctor")
	}
	for _, event := range events {
		log.Error().Str("event", event).Str("do", do).Msg("the App is not subscribed to an event that is needed: see colony doctor")
	}
}
