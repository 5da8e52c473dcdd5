package rules

import (
	"errors"

	"github.com/colony-app/colony/statemachine"
)

// CheckAutomation says what is wrong with what Colony is to do by itself under a lifecycle: each error names its setting.
func CheckAutomation(life *statemachine.Lifecycle, intake Intake, dispatch []Dispatch) error {
	var all []error
	for _, w := range append(intake.problems(life), problemsOfDispatch(dispatch, life)...) {
		all = append(all, errors.New(w.String()))
	}
	return errors.Join(all...)
}

// Automate returns the rules with what Colony does by itself. What does not fit the lifecycle is left out.
func (r Rules) Automate(intake Intake, dispatch []Dispatch) Rules {
	life, _ := r.Lifecycle.Dispatching(rowsOf(dispatch))
	automated := New(life, r.listed, r.From)
	automated.dispatch, automated.intake = dispatch, intake
	automated.Intake = intake
	if len(intake.problems(life)) > 0 {
		automated.Intake = Intake{When: None}
	}
	automated.version = statemachine.Fingerprint([]any{automated.Fingerprint, intake, dispatch})
	return automated
}
