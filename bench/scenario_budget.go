package bench

import (
	"context"

	"github.com/colony-app/colony/bench/budget"
)

// limits measures, at a simulated time and in this process, what an organisation gets out of GitHub's limits.
func limits(ctx context.Context, w *world, subject string, _ Options) ([]Result, error) {
	figures, err := budget.Run(ctx, budget.Organisation, func(budget.Figure) {})
	return []Result{{Scenario: w.scenario, Subject: subject, Events: len(figures), Done: len(figures), Figures: figures}}, err
}
