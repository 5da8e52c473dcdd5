package simulate

import (
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile/replay"
)

// reasons says what each word for a reason means to people. A reason that is not here is a sentence of the lifecycle's.
var reasons = map[string]string{
	string(lifecycle.NotInTable):   "the lifecycle has no such move",
	string(lifecycle.NotForRole):   "the lifecycle has this move, but not for the role of who asked",
	string(lifecycle.NotAState):    "this is no state of the lifecycle",
	string(lifecycle.NotPrevious):  "this move leads only back to the state before",
	string(lifecycle.NeedsReason):  "this move needs a written reason, by command",
	string(lifecycle.Guarded):      "a guard refuses this move",
	string(lifecycle.IsClosed):     "the issue is closed, and a bot asked",
	string(lifecycle.LimitReached): "the issue has made this move as often as it may",
	string(lifecycle.NoEvent):      "another label was renamed to that of the state",
	replay.Removed:                 "someone removed the label of the state",
	replay.BadCommand:              "a command asks for what cannot be done",
	replay.NotPermitted:            "a command of someone who may not",
	replay.TooMany:                 "too many changes were undone",
	replay.LeftBehind:              "a legal move left the old label behind",
	replay.CommandRun:              "a command",
	replay.AsksForRefusal:          "something was refused",
	replay.AsksForMove:             "Colony moved the issue, and a person has to see it",
	replay.AsksForFact:             "a row of the lifecycle asks a person",
	replay.AsksForStop:             "Colony stopped there",
	replay.LacksReflection:         "the reflection on the end is missing",
}

func meaning(reason string) string {
	if says, known := reasons[reason]; known {
		return says
	}
	return reason
}

var by = map[string]string{
	string(lifecycle.Operator): "a person", string(lifecycle.Executor): "a bot", string(lifecycle.Author): "the author or someone without the right",
	string(lifecycle.Colony): "Colony", "": "nobody",
}

func move(from, to string) string {
	switch {
	case to == "":
		return from
	case from == "":
		return to
	}
	return from + " -> " + to
}
