package app_test

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

const leadsApprove = `
  - name: leads-approve
    why: A lead has to approve.
    from: in-review
    to: human-review-ready
    requires:
      - team: acme/leads
`

// worldWithLeads has a team of which mona is a member, and a guard that asks for it.
func worldWithLeads(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.must(w.github.SetInstallationPermissions(w.installation, permissions.All(permissions.Teams)))
	w.must(w.github.AddTeam("acme", "leads", "mona"))
	w.guard(leadsApprove)
	return w
}

// Who leaves a team or joins it is heeded at once, and what was granted stays granted.
func TestAGuardHeedsWhoIsInTheTeamNow(t *testing.T) {
	t.Parallel()
	w := worldWithLeads(t)
	first, second := w.stateful("colony:in-review"), w.stateful("colony:in-review")
	first.ask("mona", false)
	w.settle()
	first.has("colony:human-review-ready")
	w.must(w.github.RemoveTeamMember("acme", "leads", "mona"))
	w.must(w.github.AddTeamMember("acme", "leads", "tara", true))

	second.ask("mona", false)
	w.settle()
	second.has("colony:in-review")
	second.colonySays("leads-approve")
	second.ask("tara", false) // invited, and not a member yet
	w.settle()
	second.has("colony:in-review")
	second.colonySays("leads-approve")
	w.must(w.github.AddTeamMember("acme", "leads", "tara", false))
	second.ask("tara", false)
	w.settle()
	second.has("colony:human-review-ready")
	w.sweep()
	first.has("colony:human-review-ready")
}

// Without an answer about the team nothing is granted and nothing refused; a person reads why, and what was asked for counts once there
// is an answer.
func TestATeamThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		lose, mend func(w *world) error
		says       string
	}{
		"no permission": {
			func(w *world) error { return w.github.SetInstallationPermissions(w.installation, permissions.All()) },
			func(w *world) error {
				return w.github.SetInstallationPermissions(w.installation, permissions.All(permissions.Teams))
			},
			`cannot read team ` + "`@acme/leads`" + `: the App has no permission "Members: read"`,
		},
		"deleted": {
			func(w *world) error { return w.github.DeleteTeam("acme", "leads") },
			func(w *world) error { return w.github.AddTeam("acme", "leads", "mona") },
			"there is no such team: it was deleted",
		},
		"renamed": {
			func(w *world) error { return w.github.RenameTeam("acme", "leads", "heads") },
			func(w *world) error { return w.github.RenameTeam("acme", "heads", "leads") },
			"there is no such team: it was renamed",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := worldWithLeads(t)
			known, i, j := w.stateful("colony:in-review"), w.stateful("colony:in-review"), w.stateful("colony:in-review")
			known.ask("mona", false) // so that Colony knows the team
			w.settle()
			known.has("colony:human-review-ready")
			w.must(row.lose(w))
			i.ask("mona", false)
			written := j.ask("mona", true)
			w.settle()
			i.has("colony:in-review", "colony:human-review-ready")
			i.colonySays("neither made nor undid the move", row.says)
			j.has("colony:in-review")
			j.colonyReacts(written, "eyes")
			j.colonyReacts(written, "confused")
			j.colonySays("leads-approve", row.says)
			w.sweep()
			i.has("colony:in-review", "colony:human-review-ready")
			w.must(row.mend(w))
			w.sweep()
			i.has("colony:human-review-ready")
			known.has("colony:human-review-ready")

			// What waited and is refused once there is an answer.
			w.must(row.lose(w))
			j.ask("tara", false)
			w.settle()
			j.colonySays("neither made nor undid the move", row.says)
			w.sweep()
			w.must(row.mend(w))
			w.sweep()
			j.has("colony:in-review")
			j.colonySays("Colony undid this move", "leads-approve")
		})
	}
}

// A read of a team that has to wait for GitHub's limit makes the request wait, and says nothing.
func TestATeamReadThatIsLimited(t *testing.T) {
	t.Parallel()
	for kind, lasts := range map[playground.FaultKind]time.Duration{playground.FaultSecondaryLimit: time.Minute, playground.FaultPrimaryLimit: time.Hour} {
		for who, granted := range map[string]bool{"mona": true, "tara": false} {
			for _, byCommand := range []bool{false, true} {
				t.Run(fmt.Sprint(kind, who, byCommand), func(t *testing.T) {
					t.Parallel()
					w := worldWithLeads(t)
					i := w.stateful("colony:in-review")
					end := w.github.Fault(playground.Fault{Kind: kind, Path: teamReads, Status: 429, RetryAfter: time.Minute, Times: 1})
					written := i.ask(who, byCommand)
					w.quiet()
					if byCommand {
						i.has("colony:in-review")
					} else {
						i.has("colony:in-review", "colony:human-review-ready")
					}
					w.pass(4, lasts/3)
					w.settle()
					if granted {
						i.has("colony:human-review-ready")
						if byCommand && lasts == time.Hour {
							i.colonySays("Colony answers late")
						}
					} else {
						i.has("colony:in-review")
						i.colonySays("leads-approve", "A lead has to approve")
					}
					if byCommand {
						i.colonyReacts(written, map[bool]string{true: "+1", false: "confused"}[granted])
					}
					end()
				})
			}
		}
	}
}

// What a guard reads of a team costs one call for a member and two for anybody else, each time; those are free whose answer did not change.
func TestCostsOfGuards(t *testing.T) {
	t.Parallel()
	w := worldWithLeads(t)
	for _, row := range []struct {
		who   string
		calls int
	}{{"mona", 1}, {"tara", 3}} { // Colony reads twice before it refuses; that the team is there has not changed
		i := w.stateful("colony:in-review")
		w.github.ResetCalls()
		i.ask(row.who, false)
		w.settle()
		asked := 0
		for _, c := range w.github.Calls() {
			if c.Actor == "colony[bot]" && teamReads.MatchString(c.Path) && c.Status != 304 {
				asked++
			}
		}
		if asked != row.calls {
			t.Errorf("%s: the team is read with %d calls, want %d", row.who, asked, row.calls)
		}
		if row.who == "tara" {
			i.colonySays("leads-approve")
		}
	}
}

// teamReads are the calls that read teams.
var teamReads = regexp.MustCompile("^/orgs/acme/teams")
