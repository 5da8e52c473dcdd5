package app_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/playground"
)

// kindOfGuard is a kind of condition that Colony reads, on the way from in-review to human-review-ready.
type kindOfGuard struct {
	condition string
	// make makes the condition hold or not, for who asks.
	make func(w *world, i *issue, who string, holds bool)
	// path is what GitHub has to be asked for; empty: it comes with the issue.
	path string
	// unread is what Colony says if GitHub answers with an error.
	unread string
	// bots are what holds for Apps whatever is done; nil: the same as for people.
	bots *bool
}

var (
	never         = false
	kindsOfGuards = map[string]kindOfGuard{
		"permission": {"permission: maintain", func(w *world, _ *issue, who string, holds bool) {
			if !strings.HasSuffix(who, "[bot]") {
				w.github.SetPermission("acme", "widgets", who, map[bool]string{true: "maintain", false: "write"}[holds])
			}
		}, "^/repos/acme/widgets/collaborators/olivia/permission$", "cannot read which permission olivia has: GitHub answered 502", &never},
		"team": {"team: acme/leads", func(w *world, _ *issue, who string, holds bool) {
			w.must(w.github.AddTeam("acme", "leads", "mona"))
			if holds && !strings.HasSuffix(who, "[bot]") {
				w.must(w.github.AddTeamMember("acme", "leads", who, false))
			}
		}, "^/orgs/acme/teams/leads", "cannot read team `@acme/leads`: GitHub answered 502", &never},
		"teams": {"team: [acme/others, acme/leads]", func(w *world, _ *issue, who string, holds bool) {
			w.must(w.github.AddTeam("acme", "others"))
			w.must(w.github.AddTeam("acme", "leads"))
			if holds && !strings.HasSuffix(who, "[bot]") {
				w.must(w.github.AddTeamMember("acme", "leads", who, false))
			}
		}, "^/orgs/acme/teams/", "cannot read team `@acme/others`: GitHub answered 502", &never},
		"fact": {"fact: dependency-open", func(w *world, i *issue, _ string, holds bool) {
			on := w.open("ada", "")
			if holds {
				i.change("ada", i.number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", on.number))})
			}
		}, "^/repos/acme/widgets/issues/2$", "cannot read the facts of the issue: GitHub answered 502", nil},
		"label": {"label: trivial", func(_ *world, i *issue, _ string, holds bool) {
			if holds {
				i.label("olivia", "trivial")
			}
		}, "", "", nil},
		"milestone": {"milestone: v1", func(w *world, i *issue, _ string, holds bool) {
			w.must(w.github.SetMilestone("acme", "widgets", i.number, map[bool]string{true: "v1", false: "v2"}[holds], ""))
		}, "", "", nil},
		"any milestone": {"milestone: any", func(w *world, i *issue, _ string, holds bool) {
			w.must(w.github.SetMilestone("acme", "widgets", i.number, map[bool]string{true: "v1", false: ""}[holds], ""))
		}, "", "", nil},
		"assignee": {"assignee: mona", func(_ *world, i *issue, _ string, holds bool) {
			i.assign("olivia", map[bool]string{true: "mona", false: "tara"}[holds])
		}, "", "", nil},
		"author assigned": {"assignee: author", func(_ *world, i *issue, _ string, holds bool) {
			i.assign("olivia", map[bool]string{true: "ada", false: "tara"}[holds])
		}, "", "", nil},
		"any assignee": {"assignee: any", func(_ *world, i *issue, _ string, holds bool) {
			if holds {
				i.assign("olivia", "tara")
			}
		}, "", "", nil},
		"type": {"type: bug", func(w *world, i *issue, _ string, holds bool) {
			w.must(w.github.SetIssueType("acme", "widgets", i.number, map[bool]string{true: "Bug", false: "Task"}[holds], ""))
		}, "", "", nil},
		"title": {`title: "^fix: "`, func(_ *world, i *issue, _ string, holds bool) {
			i.change("ada", i.number, &github.IssueRequest{Title: new(map[bool]string{true: "fix: it", false: "it, fix: it"}[holds])})
		}, "", "", nil},
		"body": {`body: ["^no", "(?i)acceptance"]`, func(_ *world, i *issue, _ string, holds bool) {
			i.change("ada", i.number, &github.IssueRequest{Body: new(map[bool]string{true: "## Acceptance", false: "else"}[holds])})
		}, "", "", nil},
		"section": {"section: Steps", func(_ *world, i *issue, _ string, holds bool) {
			i.change("ada", i.number, &github.IssueRequest{Body: new("### Steps\n\n" + map[bool]string{true: "start it", false: "_No response_"}[holds] + "\n\n### Version\n\n1")})
		}, "", "", nil},
		"at-most": {"at-most: 1", func(w *world, _ *issue, _ string, holds bool) {
			if !holds {
				w.stateful("colony:human-review-ready")
			}
		}, "^/repos/acme/widgets/issues$", "cannot count the issues in human-review-ready: GitHub answered 502", nil},
	}
)

// ask asks for human-review-ready, by label or by command, and returns the comment of the command.
func (i *issue) ask(who string, byCommand bool) int64 {
	i.t.Helper()
	if byCommand {
		return i.comment(who, "/colony:move human-review-ready")
	}
	i.label(who, "colony:human-review-ready")
	return 0
}

// Each kind of condition that is read: satisfied, not satisfied and unknown, by label and by command, for a person and for a bot.
func TestKindsOfGuards(t *testing.T) {
	t.Parallel()
	for name, kind := range kindsOfGuards {
		for _, who := range []string{"olivia", "reviewer[bot]"} {
			for _, byCommand := range []bool{false, true} {
				how := map[bool]string{false: "label", true: "command"}[byCommand]
				t.Run(strings.Join([]string{name, who, how}, "/"), func(t *testing.T) {
					t.Parallel()
					kind.play(t, who, byCommand)
				})
			}
		}
	}
}

func (k kindOfGuard) play(t *testing.T, who string, byCommand bool) {
	t.Helper()
	bot := strings.HasSuffix(who, "[bot]")
	holds := func(wanted bool) bool {
		if bot && k.bots != nil {
			return *k.bots
		}
		return wanted
	}
	for _, wanted := range []bool{true, false} {
		w, i := k.world(t, who, wanted)
		written := i.ask(who, byCommand)
		w.settle()
		i.judged(holds(wanted), written)
	}
	if k.path == "" || bot && k.bots != nil {
		return // it is known without a call
	}
	w, i := k.world(t, who, true)
	end := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: "GET", Path: regexp.MustCompile(k.path), Status: 502})
	written := i.ask(who, byCommand)
	w.settle()
	switch {
	case byCommand && strings.HasPrefix(k.condition, "permission"): // nor does Colony know whether she may write commands
		i.has("colony:in-review")
		i.colonyReacts(written, "eyes")
		end()
		w.sweep()
	case byCommand:
		i.has("colony:in-review")
		i.colonyReacts(written, "eyes")
		i.colonyReacts(written, "confused")
		i.colonySays("guarded", "It takes this", k.unread, "Write the command again")
		end()
		written = i.ask(who, byCommand)
		w.settle()
	default:
		i.has("colony:in-review", "colony:human-review-ready")
		i.colonySays("neither made nor undid the move", k.unread)
		end()
		w.sweep()
	}
	i.judged(holds(true), written)
}

// world is one in which the condition holds, or does not, for an issue in review.
func (k kindOfGuard) world(t *testing.T, who string, holds bool) (*world, *issue) {
	t.Helper()
	w := newWorld(t)
	w.must(w.github.SetInstallationPermissions(w.installation, permissions.All(permissions.Teams)))
	w.guard("\n  - name: guarded\n    why: It takes this.\n    from: in-review\n    to: human-review-ready\n    requires:\n      - " + k.condition + "\n")
	i := w.stateful("colony:in-review")
	k.make(w, i, who, holds)
	w.settle()
	return w, i
}

// judged is what became of what was asked for.
func (i *issue) judged(granted bool, written int64) {
	i.t.Helper()
	keep := slices.DeleteFunc(i.labels(), func(l string) bool { return strings.HasPrefix(l, "colony:") })
	if granted {
		i.has(append(keep, "colony:human-review-ready")...)
		if written > 0 {
			i.colonyReacts(written, "+1")
		}
		return
	}
	i.has(append(keep, "colony:in-review")...)
	if written > 0 {
		i.colonyReacts(written, "confused")
	}
	i.colonySays("guarded", "It takes this")
}
