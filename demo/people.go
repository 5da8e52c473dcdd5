package demo

import (
	"fmt"
	"strings"

	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// Where the demo takes place.
const (
	Owner      = "acme"
	Repository = "widgets"
	Maintainer = "olivia" // installs Colony, and may force
	onlooker   = "rita"   // reads what is to be seen
	checker    = "ci"     // the App that reports checks on pull requests
)

// Person is somebody who acts on the playground: a person with a role in the repository, or the bot of an App.
type Person struct {
	Login string
	Role  string // a repository role of GitHub's; the lifecycle's role for a bot, or several
	Bot   bool
	Does  string
}

// Account is the login as GitHub shows it.
func (p Person) Account() string {
	if p.Bot {
		return p.Login + "[bot]"
	}
	return p.Login
}

// everywhere are the people that every demo has.
var everywhere = []Person{
	{Login: Maintainer, Role: "maintain", Does: "maintains the repository: may move issues, and force them"},
	{Login: "tara", Role: "triage", Does: "triages: may move issues"},
	{Login: onlooker, Role: "read", Does: "reads: may comment and ask, and move nothing"},
	{Login: "ada", Role: "read", Does: "writes the issues and answers questions"},
}

// addPeople makes the organization, its repository, which opts in, and everybody in it.
func addPeople(p *playground.Playground, people []Person) error {
	p.AddOrganization(Owner)
	p.AddRepository(Owner, Repository)
	if err := p.SetFile(Owner, Repository, policy.SettingsFile, "mode: enforce\n"); err != nil {
		return fmt.Errorf("commit %s to %s/%s: %w", policy.SettingsFile, Owner, Repository, err)
	}
	p.AddBot(checker)
	for _, person := range people {
		if person.Bot {
			p.AddBot(person.Login)
			continue
		}
		p.AddUser(person.Login)
		p.SetPermission(Owner, Repository, person.Login, person.Role)
	}
	return nil
}

// bindings gives every bot its role, as executors.logins in config.yml does.
func bindings(people []Person) map[string][]string {
	logins := map[string][]string{}
	for _, person := range people {
		if person.Bot {
			logins[strings.ToLower(person.Account())] = strings.Split(person.Role, ", ")
		}
	}
	return logins
}
