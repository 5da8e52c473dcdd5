package app

import (
	"context"
	"slices"

	"github.com/colony-app/colony/statemachine"
)

// readFacts reads what may move the issue beside its labels; only what the rows of its state ask for.
func (v *visit) readFacts(ctx context.Context, needs []statemachine.Reading) error {
	elsewhere := slices.DeleteFunc(slices.Clone(needs), func(r statemachine.Reading) bool { return r == statemachine.ReadComments })
	facts, err := v.Store.Facts(ctx, v.view, elsewhere)
	if err != nil {
		return err
	}
	if slices.Contains(needs, statemachine.ReadComments) {
		if err := v.readConversation(ctx); err != nil {
			return err
		}
		facts.Read = append(facts.Read, statemachine.ReadComments)
		facts.Observed = append(facts.Observed, v.conversation.facts...)
	}
	v.facts.Read = append(v.facts.Read, facts.Read...)
	v.facts.Observed = append(v.facts.Observed, facts.Observed...)
	return nil
}
