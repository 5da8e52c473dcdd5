package issues

import (
	"strings"
	"sync/atomic"

	"github.com/colony-app/colony/lifecycle"
)

// Actors knows who is who: Colony itself, its former selves, the bots, and everybody else.
type Actors struct {
	self atomic.Pointer[string]
	// AppID is Colony's own App.
	AppID int64
	// Former lists the logins under which Colony wrote before.
	Former []string
	// Executors binds logins to roles. A login listed without roles is a bot whose role follows from the state.
	Executors map[string][]string
}

// SetSelf says what Colony's own bot user is called, "<slug>[bot]". It is known once GitHub was asked; until then no one is Colony but its former
// selves.
func (c *Actors) SetSelf(login string) { c.self.Store(&login) }

// Self returns the login of Colony's own bot user, empty while it is not known.
func (c *Actors) Self() string {
	if self := c.self.Load(); self != nil {
		return *self
	}
	return ""
}

// IsSelf reports whether a login is Colony's, now or formerly.
func (c *Actors) IsSelf(login string) bool {
	if self := c.Self(); self != "" && strings.EqualFold(login, self) {
		return true
	}
	for _, former := range c.Former {
		if strings.EqualFold(login, former) {
			return true
		}
	}
	return false
}

// actorOf says in which capacity a user acted, who is not said to have acted through an App.
func (c *Actors) actorOf(u user) lifecycle.Actor { return c.actor(u.Login, u.Type == botType, 0) }

// botType is what GitHub calls the user of an App.
const botType = "Bot"

// actor says in which capacity a user acted. Only people with triage access can change labels, so a person in the log of labels is an Operator. A
// user that was deleted is one too, for the same reason.
//
// Colony is recognised by its login, or by performed_via_github_app on a bot: see
// https://docs.github.com/rest/issues/events. A person who acts through an App's user token stays a person.
func (c *Actors) actor(login string, isBot bool, via int64) lifecycle.Actor {
	roles, listed := c.roles(login)
	switch {
	case c.IsSelf(login), isBot && c.AppID != 0 && via == c.AppID:
		return lifecycle.Actor{Login: login, Kind: lifecycle.Colony}
	case isBot, listed:
		return lifecycle.Actor{Login: login, Kind: lifecycle.Executor, Roles: roles, App: isBot && !lifecycle.IsAppLogin(login)}
	default:
		return lifecycle.Actor{Login: login, Kind: lifecycle.Operator}
	}
}

// roles returns the roles of a listed bot; ok is false if the login is not listed.
func (c *Actors) roles(login string) (roles []string, ok bool) {
	for listed, roles := range c.Executors {
		if strings.EqualFold(listed, login) {
			return roles, true
		}
	}
	return nil, false
}
