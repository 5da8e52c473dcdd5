package replay

import (
	"slices"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// ended returns how the simulated issue came to an end whose reflection no one was asked for yet.
func (r *run) ended(standing statemachine.Standing) (end reconcile.Ending, wanted bool) {
	end, wanted = reconcile.EndingOf(r.life, standing, r.view.Created)
	return end, wanted && !r.reflectedOn[end.ID]
}

// remind asks for the reflection on an end once it is due and missing, as the next sweep would.
func (r *run) remind(standing statemachine.Standing) {
	end, wanted := r.ended(standing)
	if !wanted || r.now.Before(end.Due) {
		return
	}
	r.reflectedOn[end.ID] = true
	r.reads()
	by, reason := end.By, end.Reason
	if by.Kind == lifecycle.Colony {
		by, reason = r.attributions[end.ID].By, r.attributions[end.ID].Reason
	}
	reflects := func(c Comment) bool {
		return !c.At.Before(end.Begun) && (by.Login == "" || strings.EqualFold(c.Requester.Actor.Login, by.Login))
	}
	if wording.Inline(reason) != "" || slices.ContainsFunc(r.reflections, reflects) {
		return
	}
	r.out.Cost.Writes++
	r.out.find(Finding{Kind: Reminds, At: r.now, By: by, From: standing.State, Reason: LacksReflection, EventID: r.real[end.ID], EventIDs: r.realOf([]int64{end.ID})})
}
