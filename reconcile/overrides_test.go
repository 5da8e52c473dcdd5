package reconcile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/policy"
)

// A repository sets how long an issue may be in a state, without a lifecycle of its own.
func TestTimeOutsAreSettingsOfARepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "time-outs: {in-review: 2h}\n")
	i, other := w.stateful("colony:in-review"), w.stateful("colony:in-development")
	w.clock.Advance(3 * time.Hour)
	w.Sweep()
	i.Has("colony:failure-blocked", "colony:needs-human")
	i.ColonySays("from `in-review` to `failure-blocked`", "2h")
	other.Has("colony:in-development")
}

// A repository can ask for more than the server does before a command moves an issue, and not for less.
func TestARepositoryRaisesThePermissionOfCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "commands: {move: write}\n")
	i := w.stateful("colony:new")
	refused := i.Comment("tara", "/colony:move planning")
	w.Settle()
	i.Has("colony:new")
	i.ColonyReacts(refused, "-1")
	asks := i.Comment("tara", "/colony:why planning")
	w.Settle()
	i.ColonyReacts(asks, "+1")
	i.ColonySays("can move this issue from `new` to `planning`", "The label `colony:planning` does it: a command takes write access.")
	granted := i.Comment("olivia", "/colony:move planning")
	w.Settle()
	i.Has("colony:planning")
	i.ColonyReacts(granted, "+1")
}

func TestTheHouseTextIsAtTheEndOfColonysComments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "comments: {text: 'Ask @mona, or read', link: 'https://wiki.example.com/colony'}\n")
	i := w.stateful("colony:done")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:done", "colony:needs-human")
	const house = "\n\nAsk `@mona`, or read <https://wiki.example.com/colony>"
	if said := i.ColonyComments(); len(said) != 1 || !strings.HasSuffix(said[0].GetBody(), house) {
		t.Errorf("%v do not end with %q", said, house)
	}
	i.ColonySays("from `done` to `new`")
	w.Sweep() // and it is said once
	asked := i.Comment("olivia", "/colony:why new")
	w.Settle()
	i.ColonyReacts(asked, "+1")
	i.ColonySays(house)
}
