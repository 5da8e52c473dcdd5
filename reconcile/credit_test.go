package reconcile_test

import (
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// A command that is not permitted takes no credit for an automatic move: Colony explains that move all the same.
func TestACommandTakesNoCreditForColonysOwnMove(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows, func(c *config.Config) { c.Lifecycle = "autoralph" })
	i := w.open("ada", "Paint it.")
	pull := i.Fixed()
	i.Through("autoralph", "in-review")
	w.Settle()
	i.Has("colony:in-review")
	w.clock.Advance(time.Minute)
	w.github.HoldDeliveries()
	i.Must(w.github.MakeConflict("acme", "widgets", pull, "mona"))
	pause := i.Comment("rita", "/colony:pause")
	w.github.ReleaseDeliveries(playground.InOrder)
	w.Settle()
	i.ColonyReacts(pause, "-1")
	i.Has("colony:paused", lifecycle.NeedsHuman)
	i.ColonySays("Colony moved this issue from `in-review` to `paused`", "conflicts with its base")
}
