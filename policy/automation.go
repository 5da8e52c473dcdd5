package policy

import (
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Automate returns the policy with what the settings of all layers say. What does not fit the lifecycle is left out.
func (r Policy) Automate(s Settings) Policy {
	intake := given(s.Intake).under(r.Lifecycle)
	if len(intake.problems(r.Lifecycle)) > 0 {
		intake = Intake{When: None}
	}
	options := s.options(intake.Requests())
	options.Access = s.Commands.under(r.Lifecycle).access()
	life := r.Lifecycle.With(options)
	automated := New(life, r.listed, r.From)
	automated.settings = s
	comments := given(s.Comments)
	automated.Commands, automated.House = s.Commands.under(life), wording.House(comments.Text, comments.Link)
	automated.Mentions, automated.Notify = s.Mentions != MentionsOff, notifying(s.Notify, life)
	automated.Intake, automated.Adopt = intake, given(s.Adopt)
	automated.Mode, automated.ModeBy = s.effectiveMode()
	automated.Asked = s.Asked
	if automated.Mode != lifecycle.ModeEnforce { // stamps from before there were modes are of repositories in which Colony enforces
		automated.Fingerprint = lifecycle.Fingerprint([]any{automated.Fingerprint, automated.Mode})
	}
	automated.version = lifecycle.Fingerprint([]any{automated.Fingerprint, s})
	return automated
}

// options are what they say of a lifecycle, with the labels that ask for an issue to be taken in.
func (s Settings) options(requests []string) statemachine.Options {
	return statemachine.Options{
		Ignored: s.Follow.ignored(), Limits: s.Limits, TimeOuts: s.TimeOuts.lengths(), Dispatch: s.Dispatch,
		Unforced: s.Unforced, LeaveOpen: !given(s.Close), Requests: requests,
	}
}
