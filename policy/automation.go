package policy

import (
	"slices"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Automation is what Colony does without being asked.
type Automation struct {
	Intake   Intake
	Dispatch []Dispatch
	Follow   Follow
	// Limits has other numbers for the lifecycle's limits.
	Limits Limits
	// TimeOuts has other lengths for its time-outs.
	TimeOuts TimeOuts
	// Commands says which permission commands need; what is empty, nobody says.
	Commands Commands
	// Unforced says that nobody may go round the table.
	Unforced bool
	// Comments is what stands at the end of Colony's comments.
	Comments Comments
	// Mentions says whether a comment mentions the person whose change it undoes; empty is on.
	Mentions Mentions
	// Notify says whom Colony tells.
	Notify []Notify
	// Close says whether issues that come to an end are closed, where the lifecycle says so.
	Close bool
	// Adopt says whether issues that stood in their states before Colony came move as well, although nobody has moved them since.
	Adopt bool
	// Mode is what is said of the mode.
	Mode Mode
}

// Problems lists what is wrong with it under a lifecycle.
func (a Automation) Problems(life *statemachine.Table) []Problem {
	return slices.Concat(a.Intake.problems(life), problemsOfDispatch(a.Dispatch, life), a.Follow.problems(), a.Limits.problems(life))
}

// Automate returns the policy with what Colony does without being asked. What does not fit the lifecycle is left out.
func (r Policy) Automate(a Automation) Policy {
	intake := a.Intake.under(r.Lifecycle)
	if len(a.Intake.problems(r.Lifecycle)) > 0 {
		intake = Intake{When: None}
	}
	life := r.Lifecycle.With(a.options(intake.Requests()))
	automated := New(life, r.listed, r.From)
	automated.automation = a
	automated.Commands, automated.House = a.Commands.under(life), wording.House(a.Comments.Text, a.Comments.Link)
	automated.Mentions, automated.Notify = a.Mentions != MentionsOff, notifying(a.Notify, life)
	automated.Intake, automated.Adopt = intake, a.Adopt
	automated.Mode, automated.ModeBy = a.Mode.Effective()
	automated.Asked = a.Mode.Asked
	if automated.Mode != lifecycle.ModeEnforce { // stamps from before there were modes are of repositories in which Colony enforces
		automated.Fingerprint = lifecycle.Fingerprint([]any{automated.Fingerprint, automated.Mode})
	}
	automated.version = lifecycle.Fingerprint([]any{automated.Fingerprint, a})
	return automated
}

// options are what it says of a lifecycle, with the labels that ask for an issue to be taken in.
func (a Automation) options(requests []string) statemachine.Options {
	return statemachine.Options{
		Ignored: a.Follow.ignored(), Limits: a.Limits, TimeOuts: a.TimeOuts.lengths(), Dispatch: rowsOf(a.Dispatch),
		Unforced: a.Unforced, LeaveOpen: !a.Close, Requests: requests,
	}
}

// over puts what a settings file says in the place of what holds without it, and reports whether it says anything. By names the file.
func (c chosen) over(below Automation, by string) (a Automation, says bool) {
	a = below
	if c.intake != nil {
		a.Intake = *c.intake
	}
	if c.dispatch != nil {
		a.Dispatch = *c.dispatch
	}
	if c.follow != nil {
		a.Follow = *c.follow
	}
	if c.limits != nil {
		a.Limits = *c.limits
	}
	if c.timeOuts != nil {
		a.TimeOuts = *c.timeOuts
	}
	if c.commands != nil {
		a.Commands, a.Unforced = c.commands.over(a.Commands), a.Unforced || c.commands.unforced()
	}
	if c.comments != nil {
		a.Comments = *c.comments
	}
	if c.mentions != "" {
		a.Mentions = c.mentions
	}
	if c.notify != nil {
		a.Notify = *c.notify
	}
	if c.closes != nil {
		a.Close = *c.closes
	}
	if c.adopts != nil {
		a.Adopt = *c.adopts
	}
	if c.mode != "" {
		a.Mode.Named, a.Mode.By = c.mode, by
	}
	return a, c.mode != "" || c.notify != nil || c.mentions != "" || c.timeOuts != nil || c.commands != nil || c.comments != nil || c.adopts != nil || c.intake != nil || c.dispatch != nil || c.follow != nil || c.limits != nil || c.closes != nil
}
