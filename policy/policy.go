// Package policy knows what the issues of each repository are reconciled by: a lifecycle with its roles, who the bots are, and what Colony does
// without being asked. A repository can bring a lifecycle of its own or choose one. Else its organisation's `.github` repository says it, else the
// server's configuration.
//
// What is in force is a function of what GitHub shows: the files in the default branch, and their history where a file is
// broken. So every replica, and every process after it, comes to the same policy.
package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Executors says who executors are: the same in a repository and in the configuration of the server.
type Executors struct {
	Logins map[string][]string `yaml:"logins" means:"By login: its roles. An empty list means the role of the issue's state."`
	Widen  []Widen             `yaml:"widen" means:"Moves of the table that a role can make beyond its own."`
}

// Widen lets a role ask for one more move of the table.
type Widen struct {
	Role string `yaml:"role" is:"name,needed" means:"A role of the lifecycle."`
	From string `yaml:"from" is:"name,needed" means:"The state that the move leaves."`
	To   string `yaml:"to" is:"name,needed" means:"The state that it leads to."`
}

// Widened returns a lifecycle with the further moves of its roles, and lists what does not fit it.
func (e Executors) Widened(life *statemachine.Table) (*statemachine.Table, []Problem) {
	var wrong []Problem
	for i, w := range e.Widen {
		widened, err := life.Widen(w.Role, w.From, w.To)
		if err != nil {
			wrong = append(wrong, Problem{[]any{"executors", "widen", i}, err.Error()})
			continue
		}
		life = widened
	}
	spelled, misspelled := map[string]string{}, wrongLogin("is not a login")
	for _, login := range slices.Sorted(maps.Keys(e.Logins)) {
		at, lower := []any{"executors", "logins", login}, strings.ToLower(login)
		if why := misspelled(login); why != "" {
			wrong = append(wrong, Problem{at, fmt.Sprintf("%q %s", login, why)})
		} else if other, twice := spelled[lower]; twice {
			wrong = append(wrong, Problem{at, fmt.Sprintf("%s is listed as %s already: logins have no case", login, other)})
		}
		spelled[lower] = login
		for i, role := range e.Logins[login] {
			if _, known := life.Roles.Named(role); !known {
				message := fmt.Sprintf("%s has the role %q, which lifecycle %s does not know", login, role, life.Name)
				wrong = append(wrong, Problem{[]any{"executors", "logins", login, i}, message})
			}
		}
	}
	return life, wrong
}

// Policy is what issues are reconciled by. It is immutable.
type Policy struct {
	Lifecycle *statemachine.Table // roles are widened
	// Executors has the roles that the lifecycle knows.
	Executors map[string][]string
	// listed has all roles: a lifecycle above can know roles that this one does not.
	listed map[string][]string
	// Intake says which new issues are taken in.
	Intake Intake
	// Adopt says that what was there when Colony was installed is moved like anything else.
	Adopt bool
	// Mode says how far Colony goes there. ModeBy says who decided that, for people.
	Mode   lifecycle.Mode
	ModeBy string
	// Asked says that a file of the repository, or of its owner, is in force: someone asked for Colony there. OptedIn says that it is the repository's
	// own.
	Asked, OptedIn bool
	// Commands says which permission commands need; what is empty is set nowhere.
	Commands Commands
	// House is the last paragraph of Colony's comments, or empty.
	House string
	// Mentions says that a comment mentions the person whose change it undoes.
	Mentions bool
	// Notify says whom Colony tells.
	Notify []Notify
	// Dashboard says that Colony keeps an issue with the figures: of the repository, or of all repositories of the owner if it speaks for
	// them. OfOwner says that the one that speaks for this one has such an issue.
	Dashboard, OfOwner bool
	// settings are the settings of all layers: a lifecycle above can take more of them.
	settings Settings
	// From says where the lifecycle comes from, for people: a file of a repository, or the server's configuration.
	From string
	// Fingerprint tells this policy from others that decide differently.
	Fingerprint string
	// version tells this policy from any others.
	version string
}

// New returns a policy with its fingerprint. A role that the lifecycle does not know binds no one.
func New(life *statemachine.Table, listed map[string][]string, from string) Policy {
	executors, judgedBy := map[string][]string{}, map[string][]string{}
	for login, roles := range listed {
		executors[login] = slices.DeleteFunc(slices.Clone(roles), func(role string) bool {
			_, known := life.Roles.Named(role)
			return !known
		})
		judgedBy[strings.ToLower(login)] = slices.Sorted(slices.Values(executors[login]))
	}
	fingerprint := lifecycle.Fingerprint([]any{life.Fingerprint(), judgedBy})
	return Policy{Mode: lifecycle.ModeEnforce, Lifecycle: life, Executors: executors, listed: listed, From: from, Fingerprint: fingerprint, version: fingerprint}
}

// Version tells this policy from any others, also from policies that decide in the same way.
func (r Policy) Version() string { return r.version }

// Table returns what a repository is provisioned for.
func (r Policy) Table() issues.Table {
	return issues.Table{
		Marks: append(r.Lifecycle.Labels(), r.Intake.marks()...), Adopts: r.Lifecycle.Adopts(), Fingerprint: r.Fingerprint,
		Lazy: !r.OptedIn, Asking: r.Intake.Requests(),
	}
}

// within returns the policy of a repository that wants a dashboard of its own, or does not, where another one holds below. A policy does not
// hand its dashboard on to those above.
func (r Policy) within(below Policy, dashboard bool) Policy {
	r.Dashboard, r.OfOwner = dashboard, below.Dashboard
	if dashboard {
		r.version = lifecycle.Fingerprint([]any{r.version, "dashboard"})
	}
	return r
}

// MayTakeIn reports whether an issue might have to be taken in because it was opened. If a label or an assignee is named, the cause is that the issue
// got that label or was assigned to that person. A label that the lifecycle uses counts too.
func (r Policy) MayTakeIn(label, assignee string) bool {
	return r.Mode.Reads() && (r.Lifecycle.Uses(label) || r.Intake.Wants(label, assignee))
}

// UsesAny reports whether the lifecycle uses one of some labels.
func (r Policy) UsesAny(labels []string) bool { return slices.ContainsFunc(labels, r.Lifecycle.Uses) }

// AwaitsReply reports whether a row of the lifecycle waits for a reply of the author, or of another person, on an issue with some labels. If these do
// not say one state, every row counts.
func (r Policy) AwaitsReply(byAuthor bool, labels []string) bool {
	var in []string // the states with a row that waits
	for _, t := range r.Lifecycle.Triggers {
		if by := t.On.By(); by == lifecycle.ByMover || byAuthor && by == lifecycle.ByAuthor {
			in = append(in, t.In...)
		}
	}
	if len(in) == 0 || !r.Mode.Reads() {
		return false
	}
	states := slices.DeleteFunc(slices.Clone(r.Lifecycle.States), func(s lifecycle.State) bool { return len(r.Lifecycle.OnIssue(labels, s.Name)) == 0 })
	return len(states) != 1 || slices.Contains(in, states[0].Name)
}

// Seals reports whether one of some labels is that of a sealed state.
func (r Policy) Seals(labels []string) bool {
	return r.Mode.Reads() && slices.ContainsFunc(labels, func(label string) bool { s, _ := r.Lifecycle.StateOf(label); return s.Sealed })
}

// InvalidFile is a file with content that is not used.
type InvalidFile struct {
	wording.InvalidFile
	Blob string // git's name of its content
	// Commit is the newest one that has to do with it; empty if GitHub does not tell.
	Commit string
}

// ID tells a broken version of a file from others. It is not negative.
func (b InvalidFile) ID() int64 {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s %s %t", b.Path, b.Blob, b.Applies))
	return int64(binary.BigEndian.Uint64(digest[:8]) >> 1)
}

func (b InvalidFile) String() string {
	first := b.Problems[0]
	line := fmt.Sprintf("%s:%d:%d: %s", first.File, first.Line, first.Column, first.Message)
	if more := len(b.Problems) - 1; more > 0 {
		line += fmt.Sprintf(" (and %d more)", more)
	}
	return line
}

// layered puts the bots of a repository over the bots that were listed before it.
func layered(below, above map[string][]string) map[string][]string {
	all := maps.Clone(below)
	if all == nil {
		all = map[string][]string{}
	}
	for login, roles := range above {
		maps.DeleteFunc(all, func(other string, _ []string) bool { return strings.EqualFold(other, login) })
		all[login] = roles
	}
	return all
}
