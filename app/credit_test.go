package app_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// A command that is not permitted takes no credit for an automatic move: Colony explains that move all the same.
func TestACommandTakesNoCreditForColonysOwnMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	pull := i.fixed()
	i.through("autoralph", "in-review")
	w.settle()
	i.has("colony:in-review")
	w.clock.Advance(time.Minute)
	w.github.HoldDeliveries()
	i.must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
	pause := i.comment("rita", "/colony:pause")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.settle()
	i.colonyReacts(pause, "-1")
	i.has("colony:paused", lifecycle.NeedsHuman)
	i.colonySays("Colony moved this issue from `in-review` to `paused`", "conflicts with its base")
}
