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
	said := []bool{
		choose(&a.Intake, c.intake), choose(&a.Dispatch, c.dispatch), choose(&a.Follow, c.follow), choose(&a.Limits, c.limits), choose(&a.TimeOuts, c.timeOuts),
		choose(&a.Comments, c.comments), choose(&a.Notify, c.notify), choose(&a.Close, c.closes), choose(&a.Adopt, c.adopts),
	}
	if c.commands != nil {
		a.Commands, a.Unforced = c.commands.over(a.Commands), a.Unforced || c.commands.unforced()
	}
	if c.mentions != "" {
		a.Mentions = c.mentions
	}
	if c.mode != "" {
		a.Mode.Named, a.Mode.By = c.mode, by
	}
	return a, c.mode != "" || c.mentions != "" || c.commands != nil || slices.Contains(said, true)
}

// choose puts what a file says in the place of what holds without it, and reports whether it says anything.
func choose[T any](holds, says *T) bool {
	if says == nil {
		return false
	}
	*holds = *says
	return true
}
