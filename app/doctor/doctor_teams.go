package doctor

import (
	"context"
	"errors"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/teams"
	"github.com/colony-app/colony/policy"
)

// teams tells which teams that guards name cannot be read. Moves that depend on one wait, and no one made a mistake that a refusal could name.
func (d *doctor) teams(ctx context.Context, repo issues.Repository, found policy.Effective) {
	for _, name := range found.Lifecycle.Guards.Teams() {
		team, err := teams.Parse(name)
		if err == nil {
			err = d.parts.Reconciler.Teams.Check(ctx, repo, team)
		}
		does := "write the team's name into the lifecycle as its address has it"
		if errors.Is(err, teams.ErrPermission) {
			does = "give the App Members: read-only: " + permissions.AtTheApp
		}
		if err != nil {
			d.wrong("repository "+repo.String(), does, "a guard of the lifecycle %s asks who is in a team: %v", found.Lifecycle.Name, app.OneLine(err))
		}
	}
}
