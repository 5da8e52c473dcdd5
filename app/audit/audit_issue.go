package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// issue checks one issue: its labels, and its log if that can say more.
func (r *repositoryAudit) issue(ctx context.Context, i issues.Entry) error {
	life := r.basis.Settings.Lifecycle
	var states []lifecycle.State
	for _, label := range i.Labels {
		if _, isState := life.StateOf(label); !isState && r.isStrange(label) {
			r.found(i, Finding{Irregular: UnknownLabel, Says: fmt.Sprintf("the label %q is not in lifecycle %s", label, life.Name)})
		}
	}
	for _, s := range life.States {
		if len(life.OnIssue(i.Labels, s.Name)) > 0 {
			states = append(states, s)
		}
	}
	if r.open != nil && !i.Closed {
		r.later = append(r.later, func() { r.open(r.repo.String(), life, states) })
	}
	if len(states) > 1 && !r.busy(i) {
		r.found(i, Finding{Irregular: SeveralStates, Says: "it has the labels of " + namesOf(states)})
	}
	if !r.logTellsMore(i, states) {
		r.ofLabels(i, states)
		return nil
	}
	r.logs++
	if r.logs > auditLogs {
		return nil
	}
	if r.basis.Since == (issues.Epoch{}) {
		var err error
		if _, r.basis, err = r.Inspector().Policy(ctx, r.repo); err != nil {
			return err
		}
	}
	v, err := r.Reconciler.Inspect(ctx, issues.Ref{Repository: r.repo, Number: i.Number}, r.basis)
	if err != nil {
		return err
	}
	return r.ofLog(ctx, v, i, states)
}

// isStrange reports whether a label looks like one of Colony's and is not.
func (r *repositoryAudit) isStrange(label string) bool {
	return (issues.IsColonys(label) || lifecycle.LabelBegins(label, r.basis.Settings.Lifecycle.LabelPrefix())) &&
		!slices.ContainsFunc(r.basis.Settings.Lifecycle.Labels(), func(m lifecycle.Mark) bool { return lifecycle.SameLabel(m.Label, label) })
}

// logTellsMore reports whether the log of an issue can tell more than its labels. It can if a person has to act there, if the issue might be late, or if
// it changed since JudgedSince; for a status only if it also ended.
func (r *repositoryAudit) logTellsMore(i issues.Entry, states []lifecycle.State) bool {
	life := r.basis.Settings.Lifecycle
	waits := slices.ContainsFunc(states, func(s lifecycle.State) bool {
		return !i.Closed && len(advice.Needs(life, statemachine.Standing{State: s.Name}, advice.Attended{})) > 0
	})
	ended := slices.ContainsFunc(states, func(s lifecycle.State) bool { return s.Type == lifecycle.Terminal })
	changed := !i.Updated.Before(r.basis.JudgedSince) && (r.open == nil || ended && life.Reflection != nil)
	return waits || changed || r.mightBeLate(i, states) || lifecycle.HasLabel(i.Labels, lifecycle.NeedsHuman)
}

// mightBeLate reports whether an issue is in a state with a time limit, and there for longer than that if it came there when it was opened.
func (r *repositoryAudit) mightBeLate(i issues.Entry, states []lifecycle.State) bool {
	return !i.Closed && slices.ContainsFunc(states, func(s lifecycle.State) bool {
		limit, limited := r.basis.Settings.Lifecycle.TimeOuts.In(s.Name)
		return limited && r.Reconciler.Clock.Since(i.Created) > time.Duration(limit.After)
	})
}

func (r *repositoryAudit) ofLabels(i issues.Entry, states []lifecycle.State) {
	if len(states) == 1 {
		r.closedEarly(i, states[0])
	}
}

func (r *repositoryAudit) closedEarly(i issues.Entry, state lifecycle.State) {
	if i.Closed && state.Type != lifecycle.Terminal && state.Label != "" {
		r.found(i, Finding{Irregular: ClosedEarly, State: state.Name, Since: i.ClosedAt, Says: "it is closed in " + state.Name})
	}
}

func (r *repositoryAudit) ofLog(ctx context.Context, v *reconcile.Inspection, i issues.Entry, states []lifecycle.State) error {
	life := r.basis.Settings.Lifecycle
	state, _ := life.State(v.Standing().State)
	r.closedEarly(i, state)
	if is := onlyLabel(states); is != state.Label && len(states) < 2 && !r.busy(i) {
		if is == "" {
			is = "nothing"
		}
		r.found(i, Finding{Irregular: OutOfLine, State: state.Name, Says: fmt.Sprintf("its label says %s, and its log says %s", is, state.Name)})
	}
	if err := r.waits(ctx, v, i); err != nil {
		return err
	}
	if err := r.forced(ctx, v, i); err != nil {
		return err
	}
	return r.orphaned(ctx, v, i)
}

// onlyLabel is the label of the only state that labels show.
func onlyLabel(states []lifecycle.State) string {
	if len(states) != 1 {
		return ""
	}
	return states[0].Label
}

// busy reports whether an issue changed a moment ago, so that its labels might not be in order yet.
func (r *repositoryAudit) busy(i issues.Entry) bool {
	return r.Reconciler.Clock.Since(i.Updated) < r.basis.Settings.Thresholds.Lag
}

// says tells each need in words, by the state that the issue is in.
var says = map[advice.Need]string{
	advice.NeedsRestart:  "Colony leaves it as it is until a person moves it",
	advice.NeedsLook:     "it waits for a person in %s",
	advice.NeedsAnswer:   "%s asks a person for something",
	advice.NeedsRecovery: "it is blocked in %s until a person retries it",
	advice.NeedsResuming: "it is %s until a person resumes it",
	advice.NeedsHurry:    "it should have left %s",
}

// waits tells why an open issue waits for a person.
func (r *repositoryAudit) waits(ctx context.Context, v *reconcile.Inspection, i issues.Entry) error {
	attention, err := v.Attention(ctx)
	if err != nil {
		return err
	}
	life := r.basis.Settings.Lifecycle
	for _, a := range attention {
		f := Finding{Irregular: Irregular(a.Need), State: a.State, Since: a.Since, By: a.By.Login, Says: says[a.Need], Do: wording.Typed(a.Action)}
		if strings.Contains(f.Says, "%s") {
			f.Says = fmt.Sprintf(f.Says, a.State)
		}
		if at, ok := life.TimesOut(v.Standing()); ok && a.Need == advice.NeedsHurry {
			f.Says += " by " + at.UTC().Format("2006-01-02 15:04 MST")
		}
		if f.By == "" {
			if f.By, err = r.movedBy(ctx, v); err != nil {
				return err
			}
		}
		for _, p := range a.Who {
			f.Who = append(f.Who, wording.Party(statemachine.AccessOf(life), p))
		}
		r.found(i, f)
	}
	return nil
}

// movedBy names who brought an issue to its state: who wrote the command, if one did that is not too long ago.
func (r *repositoryAudit) movedBy(ctx context.Context, v *reconcile.Inspection) (login string, err error) {
	entered, known := v.Standing().Since()
	if !known || entered.Kind == statemachine.Settled {
		return "", nil
	}
	a, ok, err := v.AttributionOf(ctx, entered.ID)
	if err != nil || !ok {
		return entered.By.Login, err
	}
	return a.By.Login, nil
}

func (r *repositoryAudit) forced(ctx context.Context, v *reconcile.Inspection, i issues.Entry) error {
	for _, m := range v.Standing().Trail {
		if m.Kind != statemachine.ForcedMove || m.At.Before(r.basis.JudgedSince) {
			continue
		}
		a, ok, err := v.AttributionOf(ctx, m.ID)
		if err != nil {
			return err
		}
		f := Finding{Irregular: ForcedRound, State: m.To, From: m.From, Since: m.At, By: m.By.Login, Says: fmt.Sprintf("it was forced from %s to %s", m.From, m.To)}
		if ok {
			f.By, f.Reason = a.By.Login, a.Reason
			f.Says += fmt.Sprintf(", because %q", a.Reason)
		}
		r.found(i, f)
	}
	return nil
}

func (r *repositoryAudit) orphaned(ctx context.Context, v *reconcile.Inspection, i issues.Entry) error {
	e, by, missing, err := v.LacksReflection(ctx)
	if err != nil || !missing {
		return err
	}
	r.found(i, Finding{
		Irregular: Irregular(advice.NeedsReflection), State: e.To, Since: e.At, By: by.Login, Says: fmt.Sprintf("it ended in %s without a written reflection", e.To),
	})
	return nil
}

func namesOf(states []lifecycle.State) string {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = s.Name
	}
	return strings.Join(names, ", ")
}
