package issues

import (
	"unique"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// changesOf returns the changes of labels on pages.
func changesOf(cast *Actors, pages []logPage) []statemachine.Change {
	events := 0
	for _, p := range pages {
		events += len(p.events)
	}
	changes := make([]statemachine.Change, 0, events)
	type who struct {
		login unique.Handle[string]
		bot   bool
		via   int64
	}
	known := map[who]lifecycle.Actor{} // few people make many events
	for _, p := range pages {
		for _, e := range p.events {
			by, there := known[who{e.login, e.bot, e.via}]
			if !there {
				by = cast.actor(e.login.Value(), e.bot, e.via)
				known[who{e.login, e.bot, e.via}] = by
			}
			changes = append(changes, statemachine.Change{
				Moment: statemachine.Moment{At: e.time(), ID: e.id}, Added: e.kind == labeled, Label: e.label.Value(), By: by,
			})
		}
	}
	return changes
}
