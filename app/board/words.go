package board

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
)

// meanings say why an issue waits, in words without Markdown.
var meanings = func() map[advice.Need]string {
	all := map[advice.Need]string{}
	for _, s := range advice.NeedSpecs() {
		all[s.Need] = strings.ReplaceAll(s.Meaning, "`", "")
	}
	return all
}()

// partiesOf names who has to act.
func partiesOf(parties []advice.Party) []string {
	names := make([]string, len(parties))
	for n, p := range parties {
		switch {
		case p.Login != "":
			names[n] = p.Login
		case p.Role != "":
			names[n] = "a bot: " + p.Role
		default:
			names[n] = kinds[p.Kind]
		}
	}
	return names
}

// kinds name those who act, where no login is known.
var kinds = map[lifecycle.ActorKind]string{
	lifecycle.Operator: "anyone who may edit labels",
	lifecycle.Executor: "a bot",
	lifecycle.Author:   "who opened it",
	lifecycle.Colony:   "Colony",
}

// verdicts are the reasons of refusals, in words.
var verdicts = map[lifecycle.Verdict]string{
	lifecycle.NotInTable:   "the lifecycle has no such move",
	lifecycle.NotForRole:   "not for who asked",
	lifecycle.NotAState:    "the label names no state",
	lifecycle.NotPrevious:  "not the state before",
	lifecycle.NeedsReason:  "a reason is needed",
	lifecycle.LimitReached: "a limit is reached",
	lifecycle.Guarded:      "a guard refuses it",
	lifecycle.Same:         "it was there already",
}

// spanOf words a duration, coarsely.
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

// count words a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// pathOf is an address of segments, each of which is escaped.
func pathOf(root string, segments ...any) string {
	for _, s := range segments {
		root += "/" + url.PathEscape(fmt.Sprint(s))
	}
	return root
}
