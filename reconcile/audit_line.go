package reconcile

import (
	"context"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// The audit line: one line of the log for each verdict, with the same fields always. It is written, and OnVerdict is called, before anything is
// written on the issue. A crash in between can make Colony find the same again, and never lose it.

// VerdictMessage is the message of the audit line.
const VerdictMessage = "verdict"

// AuditField describes a field of the audit line.
type AuditField struct {
	Name, Meaning string
	of            func(Verdict) any
}

// auditFields is the table of the fields, in the order of the line. Their names are frozen: logs are searched by them.
var auditFields = []AuditField{
	{"delivery", "GitHub's delivery, or the name of the sweep or dispatch.", func(v Verdict) any { return v.Delivery }},
	{"repo", "The repository.", func(v Verdict) any { return v.Ref.Repository.String() }},
	{"issue", "The issue's number.", func(v Verdict) any { return v.Ref.Number }},
	{"actor", "Who asked for it; empty for Colony, and for a deleted account.", func(v Verdict) any { return v.By.Login }},
	{"role", "In which capacity: `operator`, `executor`, `author` or `colony`.", func(v Verdict) any { return string(v.By.Kind) }},
	{"from", "The state before.", func(v Verdict) any { return v.From }},
	{"to", "The state asked for or moved to. For a comment, the state after its commands; empty if only a label was removed.", func(v Verdict) any { return v.To }},
	{"verdict", "See below.", func(v Verdict) any { return string(v.Kind) }},
	{"reason", "Why: of a refusal a word (`not-in-table`, `guarded: NAME` …), of Colony's own move the lifecycle's reason, of a comment its commands and the answer.", func(v Verdict) any { return v.Reason }},
	{"trigger", "The webhook's event and action (`issues.labeled`), `command`, `sweep`, `fact` (a trigger of the lifecycle, a limit, a time-out, a capacity), `dispatch` or `retry`.", func(v Verdict) any { return v.Trigger }},
	{"writes", "How many writes on the issue this step takes.", func(v Verdict) any { return v.Writes }},
}

// AuditFields lists the fields of the audit line.
func AuditFields() []AuditField { return slices.Clone(auditFields) }

// Subject is the issue of a verdict, as people know it.
type Subject struct {
	Title string
	// State is the issue's state once the verdict is carried out, and Allowed are the states to which a person can move it from there.
	State   string
	Allowed []string
}

// audit writes the audit line of verdicts on the issue that this process has not reported, and calls OnVerdict. state is the issue's state once
// they are carried out.
func (rc *reconciliation) audit(ctx context.Context, state string, writes []issues.Write, verdicts ...Verdict) error {
	if !rc.settings.Mode.Writes() {
		return nil
	}
	for _, v := range verdicts {
		v.Ref, v.Delivery, v.Writes = rc.view.Ref, rc.request.Delivery, 0
		for _, w := range WithoutMark(rc.settings.Mode, writes) {
			if w.On == 0 && w.ClosePull == 0 {
				v.Writes++
			}
		}
		if v.Trigger == "" {
			v.Trigger = rc.request.Cause
		}
		key := v.Key()
		if rc.memory.knows(note{kind: noteTold, name: key}) {
			rc.await(v)
			continue
		}
		if rc.OnVerdict != nil {
			if err := rc.OnVerdict(ctx, v, rc.subject(state)); err != nil {
				return err
			}
		}
		rc.memory.add(note{kind: noteTold, name: key})
		if v.Writes > 0 && !v.At.IsZero() {
			rc.memory.add(note{kind: noteAwaited, name: key})
		}
		rc.await(v)
		rc.Metrics.verdict(rc.settings.Mode, rc.settings.Lifecycle, v)
		line := rc.Log.Info()
		for _, f := range auditFields {
			line = line.Any(f.Name, f.of(v))
		}
		line.Msg(VerdictMessage)
	}
	return nil
}

// await remembers a verdict that someone waits for until it is carried out.
func (rc *reconciliation) await(v Verdict) {
	if rc.memory.knows(note{kind: noteAwaited, name: v.Key()}) {
		rc.awaited = append(rc.awaited, v)
	}
}

// measure says how long those waited whose verdicts were just carried out, once for each.
func (rc *reconciliation) measure() {
	for _, v := range rc.awaited {
		if rc.memory.forget(note{kind: noteAwaited, name: v.Key()}) {
			rc.Metrics.putRight.WithLabelValues(string(v.Kind)).Observe(max(0, rc.Clock.Since(v.At)).Seconds())
		}
	}
	rc.awaited = nil
}

func (rc *reconciliation) subject(state string) Subject {
	s := Subject{Title: rc.view.Title, State: state}
	for _, pair := range rc.settings.Lifecycle.Next(lifecycle.Actor{Kind: lifecycle.Operator}, state) {
		s.Allowed = append(s.Allowed, pair.To)
	}
	return s
}

// tellsSince is the time from which allowed moves that need no write are news to this process. It is when the process began, or the time of an
// earlier event that webhooks reported.
func (c *Case) tellsSince(began time.Time) time.Time {
	since := began
	for _, e := range c.request.Expected() {
		if !e.At.IsZero() && e.At.Before(since) {
			since = e.At
		}
	}
	return since
}

// withholds reports whether verdicts of a kind are not carried out in a mode.
func withholds(mode lifecycle.Mode, kind VerdictKind) bool {
	return !mode.Writes() || !mode.Undoes() && (kind == VerdictRefused || kind == VerdictBlocked || kind == VerdictHalted)
}
