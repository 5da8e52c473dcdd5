package app_test

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
	w.commitAndSettle("widgets", policy.SettingsFile, "time-outs: {in-review: 2h}\n")
	i, other := w.stateful("colony:in-review"), w.stateful("colony:in-development")
	w.clock.Advance(3 * time.Hour)
	w.sweep()
	i.has("colony:failure-blocked", "colony:needs-human")
	i.colonySays("from `in-review` to `failure-blocked`")
	other.has("colony:in-development")
}

// A repository can ask for more than the server does before a command moves an issue, and not for less.
func TestARepositoryRaisesThePermissionOfCommands(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, "commands: {move: write}\n")
	i := w.stateful("colony:new")
	refused := i.comment("tara", "/colony:move planning")
	w.settle()
	i.has("colony:new")
	i.colonyReacts(refused, "-1")
	granted := i.comment("olivia", "/colony:move planning")
	w.settle()
	i.has("colony:planning")
	i.colonyReacts(granted, "+1")
}

func TestTheHouseTextIsAtTheEndOfColonysComments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.commitAndSettle("widgets", policy.SettingsFile, "comments: {text: 'Ask @mona, or read', link: 'https://wiki.example.com/colony'}\n")
	i := w.stateful("colony:done")
	i.label("olivia", "colony:new")
	w.settle()
	i.has("colony:done", "colony:needs-human")
	const house = "\n\nAsk `@mona`, or read <https://wiki.example.com/colony>"
	if said := i.colonyComments(); len(said) != 1 || !strings.HasSuffix(said[0].GetBody(), house) {
		t.Errorf("%v do not end with %q", said, house)
	}
	i.colonySays("from `done` to `new`")
	w.sweep() // and it is said once
	asked := i.comment("olivia", "/colony:why new")
	w.settle()
	i.colonyReacts(asked, "+1")
	i.colonySays(house)
}
