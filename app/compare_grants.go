package app

import (
	"context"
	"slices"

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
	grants, err := permissions.Granted(app.GetPermissions())
	if err != nil {
		s.log.Warn().Err(err).Msg("permissions cannot be compared with what is needed")
		return
	}
	needs, silent := permissions.Missing(grants), permissions.Unheard(app.Events)
	leftOut := slices.DeleteFunc(slices.Clone(silent), func(event string) bool { return !slices.Contains(permissions.Younger, event) })
	silent = slices.DeleteFunc(silent, func(event string) bool { return slices.Contains(leftOut, event) })
	for _, event := range leftOut {
		s.log.Info().Str("event", event).Str("without", permissions.WithoutYounger[event]).
			Msg("the App was made without an event that an older GitHub Enterprise Server does not have")
	}
	s.parts.Grants.LeaveOut(leftOut)
	permissions.LogMissing(s.log, grants, needs, silent, permissions.AtTheApp)
	all, err := client.Installations(ctx, s.parts.App)
	if err != nil {
		s.log.Warn().Err(err).Msg("the permissions of the installations cannot be compared with what is needed")
		return
	}
	s.parts.Grants.Compare(all, permissions.Describe(needs, silent)...)
}
