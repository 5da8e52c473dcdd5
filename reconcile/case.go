package reconcile

import (
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/statemachine"
)

// Case is an issue as it was read, and the rules that are in force for it.
type Case struct {
	request        Request
	settings       Settings      // in force for the repository
	store          *issues.Store // knows the bots of the repository
	view           issues.View
	judgedSince    time.Time // what was done with labels before remains
	commandsSince  time.Time // what was written before is not run
	installedSince time.Time // Colony runs commands in the repository from then on
	read           time.Time // when the issue and its log were read: what lags and what is quiet counts as of then
	mayWait        bool      // GitHub can be given time to show what its webhooks said
}

func (c *Case) judgeBy(b Basis) {
	c.settings, c.store = b.Settings, b.Store
	c.judgedSince, c.commandsSince, c.installedSince = b.JudgedSince, b.CommandsSince, b.Since.Commands
}

func (c *Case) beganAt(since issues.Epoch) {
	c.view.Begun = since.Labels
	if !c.settings.Adopt {
		c.view.Installed = since.Commands
	}
}

func (c *Case) at(standing statemachine.Standing) statemachine.Case {
	at := c.settings.CaseOf(c.view, standing, c.read)
	at.Updated, at.MayWait = c.view.Updated, c.mayWait
	return at
}

// CaseOf is an issue that a decision is about, as it is at a time.
func (r Settings) CaseOf(v issues.View, s statemachine.Standing, now time.Time) statemachine.Case {
	return statemachine.Case{
		Standing: s, Labels: v.Labels, Updated: now, Now: now, Closed: v.Closed,
		TakenIn: r.Intake.Takes(v, s.JudgedSince), Requests: r.Intake.Requests(),
	}
}

// begunAt returns when someone began what led from one state to another. Another round in a state begins when its label goes, which can be long
// before the label is back: GitHub can refuse the second write.
func (c *Case) begunAt(from, to string, made statemachine.Moment) time.Time {
	begun := made.At
	if from != to {
		return begun
	}
	for _, change := range c.view.Changes {
		if state, is := c.settings.Lifecycle.StateOf(change.Label); is && state.Name == to && !change.Added && change.ID < made.ID {
			begun = change.At
		}
	}
	return begun
}
