package bench

import (
	"slices"
)

// verdict is what became of an event.
type verdict int

const (
	done    verdict = iota
	lost            // nothing came of it
	doubled         // it was done more than once
	wrong           // something else came of it
)

// edit is a kind of event: what a person does at an issue, and what must come of it.
type edit struct {
	labels []string // of the issue before
	act    func(*github, int) error
	judge  func(outcome) verdict
	bare   func(outcome) verdict // of the handler, if less comes of it there; nil: the same
}

const (
	planning = "colony:planning"
	paused   = "colony:paused"
	foreign  = "area: documentation"
)

// expect judges an issue by its labels and by how often it was written to.
func expect(labels []string, changes, comments, reactions int) func(outcome) verdict {
	slices.Sort(labels)
	return func(i outcome) verdict {
		switch {
		case i.Changes > changes || i.Comments > comments || i.Reactions > reactions:
			return doubled
		case i.Changes == 0 && i.Comments == 0 && changes+comments > 0:
			return lost
		case !slices.Equal(i.Labels, labels) || i.Comments < comments || i.Reactions < reactions:
			return wrong
		}
		return done
	}
}

// The kinds of events.
var (
	foreignOff = edit{
		labels: []string{planning, foreign},
		act:    put(foreign, false),
		judge:  expect([]string{planning}, 0, 0, 0),
	}
	foreignOn = edit{
		labels: []string{planning},
		act:    put(foreign, true),
		judge:  expect([]string{planning, foreign}, 0, 0, 0),
	}
	chat = edit{
		labels: []string{planning},
		act:    say("I see the same here, with the lamp off.", reader),
		judge:  expect([]string{planning}, 0, 0, 0),
	}
	// unpause is move the other way round, on an issue that was moved.
	unpause = edit{
		labels: []string{paused},
		act:    put(planning, true),
		judge:  expect([]string{planning}, 2, 0, 0),
	}
	refusal = edit{
		labels: []string{planning},
		act:    put("colony:new", true),
		judge:  expect([]string{planning, "colony:needs-human"}, 2, 1, 0),
	}
	command = edit{
		labels: []string{planning},
		act:    say("/colony:pause", person),
		judge:  expect([]string{paused}, 2, 0, 1),
		bare:   expect([]string{paused}, 2, 0, 0),
	}
	move = edit{
		labels: []string{planning},
		act:    put(paused, true),
		judge:  expect([]string{paused}, 1, 0, 0),
	}
)
