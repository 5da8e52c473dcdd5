package board

import (
	"fmt"
	"net/url"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func partiesOf(life *statemachine.Table, parties []advice.Party) []string {
	names := make([]string, len(parties))
	for n, p := range parties {
		names[n] = wording.Party(statemachine.AccessOf(life), p)
	}
	return names
}

// verdicts are the reasons of refusals where they are counted; inspect.WhyNot says one in a sentence.
var verdicts = map[lifecycle.Verdict]string{
	lifecycle.NotInTable:   "the lifecycle has no such move",
	lifecycle.NotForRole:   "not for who asked",
	lifecycle.NotAState:    "the label names no state",
	lifecycle.NotPrevious:  "not the state before",
	lifecycle.NeedsReason:  "a reason is needed",
	lifecycle.LimitReached: "a limit is reached",
	lifecycle.Guarded:      "a guard refuses it",
	lifecycle.NoEvent:      "another label was renamed",
	lifecycle.Transferred:  "it was approved in another repository",
	lifecycle.IsClosed:     "the issue is closed",
	lifecycle.Same:         "it was there already",
}

func spanOf(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return count(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return count(int(d/time.Hour), "hour")
	}
	return count(int(d/(24*time.Hour)), "day")
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// pathOf is an address of segments, where each segment is escaped.
func pathOf(root string, segments ...any) string {
	for _, s := range segments {
		root += "/" + url.PathEscape(fmt.Sprint(s))
	}
	return root
}
