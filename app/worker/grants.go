package worker

import (
	"context"
	"errors"

	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/github/issues"
)

// Grants knows what the installations do not grant: see permissions.Grants.
type Grants interface {
	Compare(all []client.Installation, appLacks ...string)
	Lacking() map[int64][]string
	Replace(lacking map[int64][]string)
	Ask(ctx context.Context, app *client.App, installation int64) (answered bool)
	Doubt(ctx context.Context, app *client.App, installation int64) (answered bool)
}

// grantWatch keeps what the installations grant up to date, on all replicas.
type grantWatch struct {
	Grants

	app   *client.App
	modes interface{ KeepModes(installations []int64) }
	peers *peers
}

func (g *grantWatch) tell() { g.peers.Tell(wordUngranted, g.Lacking()) }

// compare notes what the installations grant, as a sweep has listed them, and tells the other replicas.
func (g *grantWatch) compare(all []client.Installation) {
	g.Compare(all)
	g.tell()
	installed := make([]int64, 0, len(all))
	for _, i := range all {
		installed = append(installed, i.ID)
	}
	g.modes.KeepModes(installed)
	g.peers.Tell(wordInstalled, installed)
}

// forbidden compares what an installation grants, if an error says that GitHub has forbidden something: a permission might have been taken away.
func (g *grantWatch) forbidden(ctx context.Context, installation int64, err error) {
	forbidden := errors.Is(err, issues.ErrForbidden) || issues.IsForbidden(err)
	if forbidden && installation != 0 && g.Doubt(ctx, g.app, installation) {
		g.tell()
	}
}

// ask compares what an installation grants, as it might have changed.
func (g *grantWatch) ask(ctx context.Context, installation int64) {
	if g.Ask(ctx, g.app, installation) {
		g.tell()
	}
}
