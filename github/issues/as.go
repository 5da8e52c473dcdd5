package issues

import (
	"strings"

	"github.com/colony-app/colony/lifecycle"
)

// As says in which capacity somebody acted for this store, who was read by a store that knows other executors. Colony stays Colony, and
// an author who may not edit labels stays that.
func (s *Store) As(by lifecycle.Actor) lifecycle.Actor {
	if by.Kind == lifecycle.Colony || by.Kind == lifecycle.Author {
		return by
	}
	return s.actors.actor(by.Login, strings.HasSuffix(by.Login, "[bot]"), 0)
}

// WithFormer returns the store with more logins under which Colony wrote. What was remembered is shared.
func (s *Store) WithFormer(logins ...string) *Store {
	as := s.WithExecutors(s.actors.Executors)
	as.actors.Former = append(append([]string(nil), as.actors.Former...), logins...)
	return as
}
