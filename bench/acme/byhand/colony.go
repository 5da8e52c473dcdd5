// Package byhand has a Colony without its server and queue: it does something when a test says so.
package byhand

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// Colony has the parts of Colony without its server and queue.
type Colony struct {
	*app.Parts

	g *acme.GitHub
	t testing.TB
}

// New makes the parts of a Colony that works in acme/widgets from now on.
func New(t testing.TB, g *acme.GitHub) *Colony {
	t.Helper()
	parts, err := app.NewParts(g.Config, app.Options{Clock: g.Clock, Log: zerolog.Nop()}, prometheus.NewRegistry())
	g.Must(err)
	parts.Actors.SetSelf(apptest.Login)
	c := &Colony{parts, g, t}
	c.ReadPolicy()
	g.Advance(time.Second) // GitHub's times have no fractions: what follows is later
	return c
}

// repository is acme/widgets as a request names it.
func (c *Colony) repository() issues.Repository {
	c.t.Helper()
	is, err := c.Reconciler.Store.Repository(context.Background(), issues.Repository{Owner: "acme", Name: "widgets", Installation: c.g.Installation})
	c.g.Must(err)
	return is
}

// ReadPolicy reads the files of acme/widgets, and makes the labels that they need.
func (c *Colony) ReadPolicy() {
	c.t.Helper()
	_, err := c.Reconciler.RefreshPolicy(context.Background(), reconcile.Request{Kind: reconcile.KindPolicy, Ref: issues.Ref{Repository: c.repository()}}, 0)
	c.g.Must(err)
}

// soon is how long a reconciliation waits for GitHub at most. What it plans for later is a timeout.
const soon = time.Minute

// Reconcile brings issues of acme/widgets in line, and runs their commands, two seconds after what happened last: Colony refuses nothing earlier.
func (c *Colony) Reconcile(numbers ...int) {
	c.t.Helper()
	repo := c.repository()
	c.g.Advance(2 * time.Second)
	for _, number := range numbers {
		request := reconcile.Request{Kind: reconcile.KindIssue, Ref: issues.Ref{Repository: repo, Number: number}, Cause: "test", Commands: true}
		var carry reconcile.Carry
		for range 10 {
			result, err := c.Reconciler.Reconcile(context.Background(), request, carry)
			c.g.Must(err)
			if result == nil || result.RequeueAfter > soon {
				break
			}
			c.g.Clock.Advance(result.RequeueAfter)
			carry = carry.After(*result)
		}
	}
}
