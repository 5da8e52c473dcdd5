package rules

import (
	"errors"
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// CheckAutomation says what is wrong with what Colony is to do by itself under a lifecycle: each error names its setting.
func CheckAutomation(life *statemachine.Lifecycle, intake Intake, dispatch []Dispatch, follow Follow) error {
	var all []error
	for _, w := range slices.Concat(intake.problems(life), problemsOfDispatch(dispatch, life), follow.problems()) {
		all = append(all, errors.New(w.String()))
	}
	return errors.Join(all...)
}

// Automate returns the rules with what Colony does by itself. What does not fit the lifecycle is left out.
func (r Rules) Automate(intake Intake, dispatch []Dispatch, follow Follow, closes bool) Rules {
	life, _ := r.Lifecycle.Following(follow).Dispatching(rowsOf(dispatch))
	automated := New(life, r.listed, r.From)
	if !closes {
		automated.Lifecycle = life.LeavingOpen()
	}
	automated.dispatch, automated.intake, automated.follow, automated.closes = dispatch, intake, follow, closes
	automated.Intake = intake
	if len(intake.problems(life)) > 0 {
		automated.Intake = Intake{When: None}
	}
	automated.version = statemachine.Fingerprint([]any{automated.Fingerprint, intake, dispatch, follow, closes})
	return automated
}
