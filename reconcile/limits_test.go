package reconcile_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/policy"
)

// A repository, or the server, sets how often executors fix the checks before Colony asks a person.
func TestLimitsAreSettings(t *testing.T) {
	t.Parallel()
	autoralph := func(c *config.Config) { c.Lifecycle = "autoralph" }
	for name, set := range map[string]func(t *testing.T) *world{
		"server": func(t *testing.T) *world {
			t.Helper()
			return newWorld(t, acme.Follows, autoralph, func(c *config.Config) { c.Limits = policy.Limits{"fix attempts": 1} })
		},
		"repository": func(t *testing.T) *world {
			t.Helper()
			w := newWorld(t, acme.Follows, autoralph, func(c *config.Config) { c.Limits = policy.Limits{"fix attempts": 4} })
			w.CommitAndSettle("widgets", policy.SettingsFile, "limits: {fix attempts: 1}\n")
			return w
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := set(t)
			i := w.open("ada", "Paint it.")
			pull := i.Fixed()
			i.Through("autoralph", "in-review")
			w.Settle()
			w.clock.Advance(time.Minute)
			i.Check("work-on-1", "build", "failure")
			w.Settle()
			i.Has("colony:fixing-checks")
			w.clock.Advance(time.Minute)
			i.Push("work-on-1", "a.txt")
			i.Label("dev[bot]", "colony:in-review")
			w.Settle()
			i.Has("colony:in-review")
			w.clock.Advance(time.Minute)
			i.Check("work-on-1", "build", "failure")
			w.Settle()
			i.Has("colony:paused", "colony:needs-human")
			i.ColonySays("fix attempts are used up", fmt.Sprintf("(`#%d` (build))", pull))
		})
	}
}
