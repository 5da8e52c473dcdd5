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
	w.Must(w.github.SetInstallationPermissions(w.Installation, permissions.All(permissions.Teams)))
	w.Must(w.github.AddTeam("acme", "leads", "mona"))
	w.Guard(leadsApprove)
	return w
}

// ask asks for human-review-ready, by label or by command, and returns the comment of the command.
func (i *issue) ask(who string, byCommand bool) int64 {
	i.t.Helper()
	if byCommand {
		return i.Comment(who, "/colony:move human-review-ready")
	}
	i.Label(who, "colony:human-review-ready")
	return 0
}

// Who leaves a team or joins it is heeded at once, and what was granted stays granted.
func TestAGuardHeedsWhoIsInTheTeamNow(t *testing.T) {
	t.Parallel()
	w := worldWithLeads(t)
	first, second := w.stateful("colony:in-review"), w.stateful("colony:in-review")
	first.ask("mona", false)
	w.Settle()
	first.Has("colony:human-review-ready")
	w.Must(w.github.RemoveTeamMember("acme", "leads", "mona"))
	w.Must(w.github.AddTeamMember("acme", "leads", "tara", true))

	second.ask("mona", false)
	w.Settle()
	second.Has("colony:in-review")
	second.ColonySays("leads-approve")
	second.ask("tara", false) // invited, and not a member yet
	w.Settle()
	second.Has("colony:in-review")
	second.ColonySays("leads-approve")
	w.Must(w.github.AddTeamMember("acme", "leads", "tara", false))
	second.ask("tara", false)
	w.Settle()
	second.Has("colony:human-review-ready")
	w.Sweep()
	first.Has("colony:human-review-ready")
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
			func(w *world) error { return w.github.SetInstallationPermissions(w.Installation, permissions.All()) },
			func(w *world) error {
				return w.github.SetInstallationPermissions(w.Installation, permissions.All(permissions.Teams))
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
			w.Settle()
			known.Has("colony:human-review-ready")
			w.Must(row.lose(w))
			i.ask("mona", false)
			written := j.ask("mona", true)
			w.Settle()
			i.Has("colony:in-review", "colony:human-review-ready")
			i.ColonySays("neither made nor undid the move", row.says)
			j.Has("colony:in-review")
			j.ColonyReacts(written, "eyes")
			j.ColonyReacts(written, "confused")
			j.ColonySays("leads-approve", row.says)
			w.Sweep()
			i.Has("colony:in-review", "colony:human-review-ready")
			w.Must(row.mend(w))
			w.Sweep()
			i.Has("colony:human-review-ready")
			known.Has("colony:human-review-ready")

			// What waited and is refused once there is an answer.
			w.Must(row.lose(w))
			j.ask("tara", false)
			w.Settle()
			j.ColonySays("neither made nor undid the move", row.says)
			w.Sweep()
			w.Must(row.mend(w))
			w.Sweep()
			j.Has("colony:in-review")
			j.ColonySays("Colony undid this move", "leads-approve")
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
					w.Quiet()
					if byCommand {
						i.Has("colony:in-review")
					} else {
						i.Has("colony:in-review", "colony:human-review-ready")
					}
					w.Pass(4, lasts/3)
					w.Settle()
					if granted {
						i.Has("colony:human-review-ready")
						if byCommand && lasts == time.Hour {
							i.ColonySays("Colony answers late")
						}
					} else {
						i.Has("colony:in-review")
						i.ColonySays("leads-approve", "A lead has to approve")
					}
					if byCommand {
						i.ColonyReacts(written, map[bool]string{true: "+1", false: "confused"}[granted])
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
		w.Settle()
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
			i.ColonySays("leads-approve")
		}
	}
}

// teamReads are the calls that read teams.
var teamReads = regexp.MustCompile("^/orgs/acme/teams")
