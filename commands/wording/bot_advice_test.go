package wording

import (
	"strings"
	"testing"
)

// What only people can do is left out where a bot is told what it can do.
func TestABotIsOfferedNoMoveOfPeople(t *testing.T) {
	l, waits := colonyLifecycle(t), at("waiting-for-subtasks")
	const people, move = "Also allowed: `done`.", "move it on."
	if said := rejected(l, olivia, waits.State, "paused", "", waits); !strings.Contains(said, people) || !strings.Contains(said, move) {
		t.Errorf("a person is not offered the moves of people:\n%s", said)
	}
	said := rejected(l, bot, waits.State, "paused", "", waits)
	if strings.Contains(said, people) || strings.Contains(said, move) || !strings.Contains(said, "`analyzer[bot]` may not move it from there.") {
		t.Errorf("a bot is offered what it cannot do:\n%s", said)
	}
}
