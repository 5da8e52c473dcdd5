package commands

import (
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// nextIssues is how many issues `next` lists.
const nextIssues = 10

// Waiting is what waits to be taken in a repository.
type Waiting struct {
	Candidates []lifecycle.Candidate
	// More says that so many wait that only the oldest were read.
	More bool
}

// Asks reports whether a verb is among some invocations.
func Asks(verb string, invocations []Invocation) bool {
	return slices.ContainsFunc(invocations, func(i Invocation) bool { return i.Verb == verb })
}

// levels tells where an issue with some labels is on each scale.
func levels(l *statemachine.Table, labels []string) (all []wording.Level) {
	for _, scale := range l.Scales {
		all = append(all, wording.Level{Name: scale.Name, Level: scale.Level(labels), Of: scale.Levels - 1})
	}
	return all
}

func (e *execution) next() {
	life := e.Lifecycle
	if len(life.Waiting) == 0 {
		e.refuse(wording.NothingWaits(life.Name))
		return
	}
	waiting := slices.DeleteFunc(slices.Clone(e.Waiting.Candidates), life.Triggers.Held)
	held := len(e.Waiting.Candidates) - len(waiting)
	life.Order(waiting)
	list := wording.NextList{
		Waiting: life.Waiting, Left: max(0, len(waiting)-nextIssues), Held: held, Cut: e.Waiting.More,
		Scales: life.Scales, Priority: life.Priority, Capacities: e.capacities(""),
	}
	for _, c := range waiting[:min(len(waiting), nextIssues)] {
		list.Rows = append(list.Rows, wording.NextRow{Candidate: c, Levels: levels(life, c.Labels)})
	}
	e.reply(wording.RenderNext(list))
}
