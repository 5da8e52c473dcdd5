package app

import (
	"context"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
)

// compareGrants logs what was not granted that Colony needs, so that nobody has to find out from what does not work.
func (s *Server) compareGrants(ctx context.Context) {
	app, _, err := s.parts.App.Apps.Get(ctx, "")
	if err != nil {
		s.log.Warn().Err(err).Msg("the App's permissions cannot be compared with what is needed")
		return
	}
	if s.logMissing(app.GetPermissions(), app.Events, s.log) {
		return // no installation can have more
	}
	all, err := client.Installations(ctx, s.parts.App)
	if err != nil {
		s.log.Warn().Err(err).Msg("the permissions of the installations cannot be compared with what is needed")
		return
	}
	for _, i := range all {
		log := s.log.With().Int64("installation", i.GetID()).Str("account", i.GetAccount().GetLogin()).Logger()
		s.logMissing(i.GetPermissions(), i.Events, log)
	}
}

func (s *Server) logMissing(granted *github.InstallationPermissions, events []string, log zerolog.Logger) (found bool) {
	grants, err := permissions.Granted(granted)
	if err != nil {
		log.Warn().Err(err).Msg("permissions cannot be compared with what is needed")
		return false
	}
	for _, n := range permissions.Missing(grants) {
		found = true
		log.Error().Str("permission", n.Permission).Str("needed", n.Level).Str("granted", grants[n.Permission]).Str("for", n.For).
			Msg("GitHub does not grant a permission that is needed: see colony doctor")
	}
	for _, event := range permissions.Unheard(events) {
		found = true
		log.Error().Str("event", event).Msg("the App is not subscribed to an event that is needed: see colony doctor")
	}
	return found
}
