package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/statemachine"
)

// A repository can have people reminded before an issue has been in its state for too long. There is one comment for each time that runs:
// its marker names the event that the time began with, so GitHub alone says whether it was written. When the issue leaves the state, or is opened
// again and has another time, it is hidden.

// reminder is one that a stay in a state has, or will have.
type reminder struct {
	policy.Reminder
	begun int64     // the event that the time began with
	due   time.Time // when it is to be written
	ends  time.Time // when the issue will have been there for too long
}

// reminderOf returns the reminder of a stay in a state. ok is false without a reminder, because no row is about it or nothing ends the stay.
func (c *Case) reminderOf(s statemachine.Standing) (r reminder, ok bool) {
	row, ok := policy.ReminderIn(c.settings.Notify, s.State)
	if !ok {
		return reminder{}, false
	}
	ends, timed := c.settings.Lifecycle.TimesOut(s)
	limit, _ := c.settings.Lifecycle.TimeOuts.In(s.State)
	begun, known := s.SinceOpen()
	if !timed || !known || row.Before >= time.Duration(limit.After) { // an owner's row is for several lifecycles
		return reminder{}, false
	}
	return reminder{row, begun.ID, ends.Add(-row.Before), ends}, true
}

// reminderFeature reminds of the timeout of the state where the issue stays, once for each time that runs. The comments are read for it once a process.
var reminderFeature = feature{
	name: "reminder",
	applies: func(p planning) bool {
		return p.rests() && p.Halted == nil && dueReminder(p.issue) != nil
	},
	plan: planReminder,
}

func planReminder(ctx context.Context, p planning) ([]issues.Write, error) {
	q := p.issue
	r := dueReminder(q)
	since, _ := q.standing.SinceOpen()
	own, err := ownSince(ctx, q, since.At)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(own, func(c issues.Comment) bool { return isMarked(c, wording.Reminds, r.begun) }) {
		q.memory.add(note{kind: noteReminded, id: r.begun})
		return nil, nil
	}
	who := r.Mention
	if len(who) == 0 {
		for _, p := range advice.Expected(q.settings.Lifecycle, q.standing.State, q.view.Author.Login) {
			if p.Login != "" && q.view.Author.Kind != lifecycle.Executor {
				who = append(who, p.Login)
			}
		}
	}
	limit, _ := q.settings.Lifecycle.TimeOuts.In(q.standing.State)
	text := wording.RenderReminder(q.settings.Lifecycle, q.standing, wording.Reminder{State: q.standing.State, To: limit.To, At: r.ends}, r.begun)
	return []issues.Write{{Comment: wording.WithMentions(text, who), Purpose: purpose(wording.Reminds, r.begun)}}, nil
}

// dueReminder is the reminder that this process has to write, unless GitHub has it; nil without such a reminder. After the timeout there is nothing
// left to remind of.
func dueReminder(q *inquiry) *reminder {
	r, ok := q.reminderOf(q.standing)
	if !ok || q.view.Closed || q.read.Before(r.due) || !q.read.Before(r.ends) || q.memory.knows(note{kind: noteReminded, id: r.begun}) {
		return nil
	}
	return &r
}

// withdrawnWithin is for how long after an issue left a state, or was opened again, its reminder is looked for. One that is not found within it stays
// as it is.
const withdrawnWithin = 24 * time.Hour

// hideReminderFeature hides the reminder of the state that the issue left, or of the time before it was opened again, once a process.
var hideReminderFeature = feature{
	name: "hide reminder",
	applies: func(p planning) bool {
		if len(p.settings.Notify) == 0 || !p.rests() {
			return false
		}
		begun, known := p.standing.SinceOpen()
		return known && p.issue.read.Sub(begun.At) <= withdrawnWithin && !p.issue.memory.knows(note{kind: noteWithdrawn, id: begun.ID})
	},
	plan: planHiddenReminder,
}

func planHiddenReminder(ctx context.Context, p planning) ([]issues.Write, error) {
	q := p.issue
	entered, _ := q.standing.Since()
	begun, _ := q.standing.SinceOpen()
	before := q.standing
	if begun == entered.Moment {
		before = before.BeforeLast()
	}
	before.Reopened, before.Closed = statemachine.Moment{}, false // the time of the first opening, which is over the earliest
	r, ok := q.reminderOf(before)
	if !ok || begun.At.Before(r.due) {
		return nil, nil
	}
	own, err := ownSince(ctx, q, r.due)
	if err != nil {
		return nil, err
	}
	past := func(id int64) bool { return r.begun <= id && id < begun.ID }
	writes := hiding(q, own, func(body string) bool { return slices.ContainsFunc(wording.Markers(body)[wording.Reminds], past) }, issues.Resolved)
	if len(writes) == 0 {
		q.memory.add(note{kind: noteWithdrawn, id: begun.ID})
	}
	return writes, nil
}
