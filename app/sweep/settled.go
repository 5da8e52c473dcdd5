package sweep

import (
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// watched is the label of a state in which an issue can move although no one changes it.
type watched struct {
	label string
	// pulls says that pull requests can move the issues there, checks that checks of them can. Most else changes an issue, a pull request or a
	// branch of the repository: see docs/reliability.md.
	pulls, checks bool
}

// withoutPulls are the readings that read no pull requests, and need no permission for that.
var withoutPulls = []lifecycle.Reading{
	lifecycle.ReadComments, lifecycle.ReadEdits, lifecycle.ReadDependencies, lifecycle.ReadCycles, lifecycle.ReadEarly, lifecycle.ReadSubIssues,
}

// watched lists the labels in a repository of the states in which an issue can move although no one changes it.
func (s *Sweeper) watched(repo issues.Repository, life *statemachine.Table) []watched {
	timed := map[string]bool{}
	for _, t := range life.TimeOuts {
		for _, state := range t.In {
			timed[state] = true
		}
	}
	var all []watched
	for _, at := range life.States {
		outside, guarded := statemachine.Outside(life, at.Name), life.Guards.MayWaitFor(at.Name)
		if at.Label == "" || !timed[at.Name] && len(outside) == 0 && !guarded {
			continue
		}
		checks := slices.Contains(outside, lifecycle.ReadChecks)
		pulls := life.Triggers.SealHead(at.Name) || slices.ContainsFunc(outside, func(r lifecycle.Reading) bool { return !slices.Contains(withoutPulls, r) })
		for _, label := range s.Reconciler.Labels.NamesOf(repo, life, at.Name) {
			all = append(all, watched{label, pulls, checks})
		}
	}
	return all
}

func askAbout(repo issues.Repository, all []watched) issues.Asked {
	asked := issues.Asked{Repository: repo}
	for _, w := range all {
		asked.Labels, asked.Pulls = append(asked.Labels, w.label), asked.Pulls || w.pulls
		asked.Checked = append(asked.Checked, w.checks)
	}
	return asked
}

// settled says until when the watched issues of a repository rest while no issue, pull request or branch of it changes.
type settled struct {
	// Version is that of the policy by which they rest.
	Version string `json:"version"`
	// Due is when time moves the first of them; zero: never.
	Due time.Time `json:"due,omitzero"`
	// Checks is the sum of the checks that they rest with; empty if it is not known.
	Checks string `json:"checks,omitempty"`
}

// toRead says of each watched label whether the issues that have it have to be read, by what GitHub tells of the repository at a time.
func (k *record) toRead(all []watched, told issues.Activity, version string, at time.Time) []bool {
	since := k.Until.Add(-sweepOverlap)
	rests := k.Settled != nil && k.Settled.Version == version && (k.Settled.Due.IsZero() || at.Before(k.Settled.Due)) &&
		told.Changed.Before(since) && told.Pulled.Before(since) && told.Pushed.Before(since)
	checksChanged := rests && (told.Checks == "" || told.Checks != k.Settled.Checks)
	read := slices.Clone(told.Has)
	for n, w := range all {
		read[n] = read[n] && (!rests || w.checks && checksChanged)
	}
	return read
}

// rests notes of an issue at rest when time moves it, if that is known.
func (p *Progress) rests(due time.Time, known bool) {
	p.Unsettled = p.Unsettled || !known
	if p.Due.IsZero() || !due.IsZero() && due.Before(p.Due) {
		p.Due = due
	}
}

// settled is what a sweep that has come to its end found out about the watched issues; nil if not all of them rest, or another repository can move one.
func (p *Progress) settled() *settled {
	w := p.Watching
	if !w.All || w.Begun.Page != 1 || p.Unsettled || len(p.Unread) > 0 || p.Version == "" { // earlier pages were not seen
		return nil
	}
	return &settled{Version: p.Version, Due: p.Due, Checks: p.Checks}
}
