package app

import (
	"context"
	"slices"

	"github.com/colony-app/colony/app/permissions"
)

// compareGrants logs what was not granted that Colony needs, so that no one has to find out from what does not work.
func (s *Server) compareGrants(ctx context.Context) {
	self, err := s.parts.App.Self(ctx)
	if err != nil {
		s.log.Warn().Err(err).Msg("the App's permissions cannot be compared with what is needed")
		return
	}
	needs, silent := permissions.Missing(self.Grants), permissions.Unheard(self.Events)
	leftOut := slices.DeleteFunc(slices.Clone(silent), func(event string) bool { return !slices.Contains(permissions.Younger, event) })
	silent = slices.DeleteFunc(silent, func(event string) bool { return slices.Contains(leftOut, event) })
	for _, event := range leftOut {
		s.log.Info().Str("event", event).Str("without", permissions.WithoutYounger[event]).
			Msg("the App was made without an event that an older GitHub Enterprise Server does not have")
	}
	s.parts.Grants.LeaveOut(leftOut)
	permissions.LogMissing(s.log, self.Grants, needs, silent, permissions.AtTheApp)
	all, err := s.parts.App.Installations(ctx)
	if err != nil {
		s.log.Warn().Err(err).Msg("the permissions of the installations cannot be compared with what is needed")
		return
	}
	s.parts.Grants.Compare(all, permissions.Describe(needs, silent)...)
}
