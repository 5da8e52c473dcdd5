package wording

import (
	"github.com/colony-app/colony/advice"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// NoForce says that no one is allowed to override the workflow, or not into the state that was asked for, and what people can do instead.
func NoForce(l *statemachine.Table, standing statemachine.Standing, to string) string {
	data := struct {
		Refusal
		Lifecycle, GiveUp string
		Allowed           []string
		BySettings        bool
	}{Refusal: Refusal{Advice: advise(l, standing, advice.Request{Reason: advice.Refused, Who: person, Wanted: to}), To: to}, Lifecycle: l.Name, Allowed: l.Force.Into, BySettings: statemachine.IsUnforced(l)}
	if c, ok := advice.GiveUp(l, standing.State); ok {
		data.GiveUp = "/colony:" + c.Verb
		if c.Reason == lifecycle.Required {
			data.GiveUp += " <reason>"
		}
	}
	return render("no_force", data)
}
