package replay

import (
	"maps"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// judgedSince is the horizon of now.
func (r *run) judgedSince() time.Time { return issues.Latest(r.Since, r.now.Add(-r.Settings.Horizon)) }

func (r *run) fold() statemachine.Standing {
	h := r.view.History(r.judgedSince())
	h.Stands = !r.Settings.Mode.Undoes()
	h.Ordered = func(id int64) (lifecycle.Actor, bool) { return r.attributions[id].By, true }
	h.Opening.OnlyAsks = h.Opening.OnlyAsks && r.Settings.AsksForAuthorsRight(r.view, h, r.now)
	return r.life.Fold(h)
}

// reconcile does what a reconciliation would: decide, write, run commands, and again while there is more to do.
func (r *run) reconcile() {
	r.out.Events++
	for range mostRounds {
		r.out.Cost.Reads += 2 // the issue and its log
		if !r.round() {
			return
		}
	}
	r.out.LeftOut[LeftRestless]++
}

// round is one reconciliation; it reports whether another one follows immediately.
func (r *run) round() (again bool) {
	standing := r.fold()
	r.wrote, r.entered, r.replyWaits = false, "", false
	d := r.decide(standing)
	r.count(standing, d)
	r.apply(standing, d)
	r.wake = r.wakes(r.fold(), d)
	switch {
	case d.Wait.Why == statemachine.Quiet:
		return false
	case d.Automatic != nil, d.Wait.Why == statemachine.Held && r.wrote:
		return true
	}
	if waits := r.runCommands(standing, d); !waits.IsZero() {
		r.wake = statemachine.Earliest(r.wake, waits)
		return false
	}
	_, entered := r.life.State(r.entered)
	again = r.replyWaits || entered && (!r.Settings.Mode.Undoes() || reconcile.MayMoveAgain(r.life, r.entered, r.view))
	if !again && !r.wrote {
		r.remind(r.fold())
	}
	r.wake = statemachine.Earliest(r.wake, r.wakes(r.fold(), d))
	return again
}

// wakes returns when the next of Colony's own waits ends; zero without a wait.
func (r *run) wakes(standing statemachine.Standing, d statemachine.Decision) time.Time {
	at := d.Wait.Until
	if out, ok := r.life.TimesOut(standing); ok && out.After(r.now) {
		at = statemachine.Earliest(at, out)
	}
	if end, wanted := r.ended(standing); wanted {
		at = statemachine.Earliest(at, issues.Latest(end.Due, r.now.Add(time.Second)))
	}
	return at
}

// decide asks the engine, and reads what Colony's own comments say only if that is needed.
func (r *run) decide(standing statemachine.Standing) (d statemachine.Decision) {
	c := r.Settings.CaseOf(r.view, standing, r.now)
	var read statemachine.Evidence
	r.readAll = false
	err := statemachine.Meet(func() (need statemachine.Needs) {
		d, need = r.life.Decide(r.Settings.Thresholds, c, read)
		need.Guards = nil // a move that waits for guards remains pending
		return need
	}, func(need statemachine.Needs) error {
		if need.Said {
			r.readComments(&read)
		}
		r.readFacts(&read, standing, need.Facts)
		return nil
	})
	if err != nil {
		r.out.LeftOut[LeftRestless]++
	}
	return d
}

func (r *run) readComments(in *statemachine.Evidence) {
	r.reads()
	in.Answered = func(id int64) bool { return r.explained[id] }
	in.Stopped = in.Answered
	in.Commanded = func(id int64) bool { return r.attributions[id].CommentID != 0 || r.attributions[id].Verb != "" }
	in.ForcePending = slices.ContainsFunc(r.pending, func(c Comment) bool {
		return slices.ContainsFunc(c.Invocations, func(i commands.Invocation) bool { return i.Verb == commands.Force })
	})
	in.RefusedCommand = func(since time.Time) bool {
		return len(r.pending) > 0 || slices.ContainsFunc(r.refusedAt, func(at time.Time) bool { return !at.Before(since) })
	}
	in.Asked = func(id int64) bool { return r.asked[id] }
	in.LastAsked = r.lastAsked
}

// reads counts the comments as read, once in a reconciliation.
func (r *run) reads() {
	if !r.readAll {
		r.out.Cost.Reads++
	}
	r.readAll = true
}

// readFacts observes replies. All other facts are left out.
func (r *run) readFacts(in *statemachine.Evidence, standing statemachine.Standing, needs []lifecycle.Reading) {
	in.Facts.Read = append(in.Facts.Read, needs...)
	for _, need := range needs {
		if need != lifecycle.ReadComments {
			r.out.LeftOut[LeftOut(need)]++
			r.out.Cost.Reads++
			continue
		}
		if in.Answered == nil {
			r.readComments(in)
		}
		in.Facts.Observed = append(in.Facts.Observed, r.repliesIn(standing)...)
	}
}

// repliesIn returns the comments that are facts, and notes whether one of them waits for commands.
func (r *run) repliesIn(standing statemachine.Standing) []statemachine.Observation {
	said := map[int64]Comment{}
	from := reconcile.Replies{
		Lifecycle: r.life, Author: r.view.Author.Login, From: standing, At: standing,
		Pending: func(id int64) []commands.Invocation {
			if i := slices.IndexFunc(r.pending, func(c Comment) bool { return c.ID == id }); i >= 0 {
				return r.pending[i].Invocations
			}
			return nil
		},
		MayMove: func(c issues.Comment) (bool, error) {
			if said[c.ID].Unknown {
				r.out.LeftOut[LeftUnknown]++
			}
			return said[c.ID].Requester.Right >= commands.MayMove, nil
		},
		Link: func(issues.Comment) string { return "" },
	}
	for _, c := range r.replies {
		if !c.At.Before(r.judgedSince()) {
			said[c.ID] = c
			from.Said = append(from.Said, issues.Comment{ID: c.ID, By: c.Requester.Actor, Created: c.At})
		}
	}
	found, _ := from.Observed() // only a right that cannot be read is an error
	r.replyWaits = slices.ContainsFunc(found, func(o statemachine.Observation) bool { return o.Waits })
	return found
}

func (r *run) apply(standing statemachine.Standing, d statemachine.Decision) {
	if a := d.Automatic; a != nil && !a.TakesIn && !a.AsksPerson && r.Settings.Mode.Writes() { // its reason goes into the trail
		r.out.Cost.Writes++
	}
	r.write(reconcile.WritesOf(r.Settings, standing, d), commands.MoveAttribution{})
	for _, rejection := range d.Explain {
		r.explain(rejection.IDs...)
	}
	if d.Halted != nil {
		r.explain(d.Halted.IDs...)
	}
	for _, a := range d.Announce {
		r.explain(a.ID)
	}
	for _, a := range d.Ask {
		for _, id := range a.IDs {
			r.asked[id] = true
			r.lastAsked = max(r.lastAsked, id)
		}
	}
}

func (r *run) explain(ids ...int64) {
	for _, id := range ids {
		r.explained[id] = true
	}
}

// write makes writes, in their order; a label that is put there for a command is attributed to it.
func (r *run) write(writes []issues.Write, order commands.MoveAttribution) {
	colony := lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	for _, w := range reconcile.WithoutMark(r.Settings.Mode, writes) {
		r.out.Cost.Writes++
		r.wrote = true
		for _, label := range w.Add {
			if lifecycle.HasLabel(r.view.Labels, label) {
				continue
			}
			r.adds(label, colony, 0)
			if state, is := r.life.StateOf(label); is {
				r.entered = state.Name
				r.attributions[int64(len(r.view.Changes))] = order
			}
		}
		if w.Remove != "" {
			r.removes(w.Remove, colony, 0)
		}
		if w.Close != "" {
			r.shut(true, r.now)
		}
	}
}

// runCommands runs the commands that wait, in their order, and returns until when it has to wait before it refuses one.
func (r *run) runCommands(standing statemachine.Standing, d statemachine.Decision) (waits time.Time) {
	if len(r.pending) > 0 {
		r.reads()
	}
	quiet := standing.LastChange.Add(r.Settings.Thresholds.Settle)
	standing.State = d.State
	for len(r.pending) > 0 {
		c := r.pending[0]
		invocations := slices.DeleteFunc(slices.Clone(c.Invocations), commands.Invocation.Links)
		if len(invocations) < len(c.Invocations) {
			r.out.LeftOut[LeftLinks]++
		}
		env := commands.Env{
			Lifecycle: r.life, Standing: standing, Attributions: maps.Clone(r.attributions), Now: r.now, Labels: r.view.Labels,
			Rule: func(standing statemachine.Standing, a statemachine.Ask) statemachine.Ruling { // with the guards that the log answers
				return r.life.Rule(standing, a, statemachine.NothingRead)
			},
			NeedsHuman: lifecycle.HasLabel(r.view.Labels, lifecycle.NeedsHuman), Halted: d.Halted != nil,
			Home: commands.Home{Reference: commands.Reference{Owner: r.view.Ref.Owner, Name: r.view.Ref.Name, Number: r.view.Ref.Number}, Web: r.Web},
		}
		result := commands.Run(env, c.Requester, invocations)
		if result.Answer == commands.Refused && r.now.Before(quiet) {
			return quiet
		}
		r.pending = r.pending[1:]
		if c.ID == 0 {
			r.out.LeftOut[LeftOpening]++
		}
		r.out.Cost.Reads++ // the permission of its writer
		r.commandRun(c, standing, result)
		order := commands.MoveAttribution{CommentID: c.ID, By: c.Requester.Actor, Verb: c.Invocations[0].Verb}
		for planned, a := range env.Attributions {
			if planned < 0 && a.Reason != "" {
				order.Reason = a.Reason
			}
		}
		r.write(reconcile.WritesOfCommands(r.life, c.ID, false, result, r.view.Labels), order)
		standing = result.Standing
	}
	return time.Time{}
}
