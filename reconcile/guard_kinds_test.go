package reconcile_test

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/playground"
)

// kindOfGuard is a kind of condition, on the way from in-review to human-review-ready.
type kindOfGuard struct {
	condition string
	// names is what is in the place of %s in the condition, if that depends on who asks and how; then the condition holds if it says so.
	names func(a asking) string
	// starts makes the issue; nil: olivia puts it into in-review.
	starts func(w *world, a asking) *issue
	// make makes the condition hold or not, for who asks.
	make func(w *world, i *issue, who string, holds bool)
	// path is what GitHub has to be asked for; empty: it comes with the issue.
	path string
	// unread is what Colony says if GitHub answers with an error.
	unread string
	// bots are what holds for Apps whatever is done; nil: the same as for people. people are the same for people.
	bots, people *bool
}

// asking is who asks for the move and how, and whether the condition is to hold.
type asking struct {
	who              string
	byCommand, holds bool
}

// pick is one of two words.
func (a asking) pick(holds, fails string) string {
	if a.holds {
		return holds
	}
	return fails
}

// sentBy makes an issue that somebody moved to in-review.
func sentBy(mover func(a asking) string) func(w *world, a asking) *issue {
	return func(w *world, a asking) *issue {
		i := w.stateful("colony:in-development")
		i.Label(mover(a), "colony:in-review")
		w.Settle()
		return i
	}
}

var (
	never         = false
	nothingToMake = func(*world, *issue, string, bool) {}
	kindsOfGuards = map[string]kindOfGuard{
		"author": {condition: "is: author", starts: func(w *world, a asking) *issue {
			i := w.open(a.pick(a.who, "ada"), "")
			i.Label("olivia", "colony:in-review")
			w.Settle()
			return i
		}, make: nothingToMake},
		"previous mover": {condition: "is: previous-mover", starts: sentBy(func(a asking) string { return a.pick(a.who, "tara") }), make: nothingToMake},
		"login":          {condition: "login: [mona, %s]", names: func(a asking) string { return a.pick(a.who, "tara") }, make: nothingToMake},
		"role":           {condition: "role: %s", names: func(a asking) string { return a.pick("reviewer", "merger") }, make: nothingToMake, people: &never},
		"by": {condition: "by: %s", names: func(a asking) string {
			return map[bool]string{true: "command", false: "label"}[a.byCommand == a.holds]
		}, make: nothingToMake},
		"moved by people": {condition: "moved-by: people", starts: sentBy(func(a asking) string { return a.pick("tara", "dev[bot]") }), make: nothingToMake},
		"moved by a bot":  {condition: "moved-by: executors", starts: sentBy(func(a asking) string { return a.pick("dev[bot]", "tara") }), make: nothingToMake},
		"in-state-for": {condition: "in-state-for: 1h", make: func(w *world, _ *issue, _ string, holds bool) {
			w.clock.Advance(map[bool]time.Duration{true: time.Hour, false: 50 * time.Minute}[holds])
		}},
		"permission": {condition: "permission: maintain", make: func(w *world, _ *issue, who string, holds bool) {
			if !strings.HasSuffix(who, "[bot]") {
				w.github.SetPermission("acme", "widgets", who, map[bool]string{true: "maintain", false: "write"}[holds])
			}
		}, path: "^/repos/acme/widgets/collaborators/olivia/permission$", unread: "cannot read which permission olivia has: GitHub answered 502", bots: &never},
		"team": {condition: "team: acme/leads", make: func(w *world, _ *issue, who string, holds bool) {
			w.Must(w.github.AddTeam("acme", "leads", "mona"))
			if holds && !strings.HasSuffix(who, "[bot]") {
				w.Must(w.github.AddTeamMember("acme", "leads", who, false))
			}
		}, path: "^/orgs/acme/teams/leads", unread: "cannot read team `@acme/leads`: GitHub answered 502", bots: &never},
		"teams": {condition: "team: [acme/others, acme/leads]", make: func(w *world, _ *issue, who string, holds bool) {
			w.Must(w.github.AddTeam("acme", "others"))
			w.Must(w.github.AddTeam("acme", "leads"))
			if holds && !strings.HasSuffix(who, "[bot]") {
				w.Must(w.github.AddTeamMember("acme", "leads", who, false))
			}
		}, path: "^/orgs/acme/teams/", unread: "cannot read team `@acme/others`: GitHub answered 502", bots: &never},
		"fact": {condition: "fact: dependency-open", make: func(w *world, i *issue, _ string, holds bool) {
			on := w.open("ada", "")
			if holds {
				i.Change("ada", i.Number, &github.IssueRequest{Body: new(fmt.Sprintf("Depends on #%d", on.Number))})
			}
		}, path: "^/repos/acme/widgets/issues/2$", unread: "cannot read the facts of the issue: GitHub answered 502"},
		"label": {condition: "label: trivial", make: func(_ *world, i *issue, _ string, holds bool) {
			if holds {
				i.Label("olivia", "trivial")
			}
		}},
		"milestone": {condition: "milestone: v1", make: func(w *world, i *issue, _ string, holds bool) {
			w.Must(w.github.SetMilestone("acme", "widgets", i.Number, map[bool]string{true: "v1", false: "v2"}[holds], ""))
		}},
		"any milestone": {condition: "milestone: any", make: func(w *world, i *issue, _ string, holds bool) {
			w.Must(w.github.SetMilestone("acme", "widgets", i.Number, map[bool]string{true: "v1", false: ""}[holds], ""))
		}},
		"assignee": {condition: "assignee: mona", make: func(_ *world, i *issue, _ string, holds bool) {
			i.Assign("olivia", map[bool]string{true: "mona", false: "tara"}[holds])
		}},
		"author assigned": {condition: "assignee: author", make: func(_ *world, i *issue, _ string, holds bool) {
			i.Assign("olivia", map[bool]string{true: "ada", false: "tara"}[holds])
		}},
		"any assignee": {condition: "assignee: any", make: func(_ *world, i *issue, _ string, holds bool) {
			if holds {
				i.Assign("olivia", "tara")
			}
		}},
		"type": {condition: "type: bug", make: func(w *world, i *issue, _ string, holds bool) {
			w.Must(w.github.SetIssueType("acme", "widgets", i.Number, map[bool]string{true: "Bug", false: "Task"}[holds], ""))
		}},
		"title": {condition: `title: "^fix: "`, make: func(_ *world, i *issue, _ string, holds bool) {
			i.Change("ada", i.Number, &github.IssueRequest{Title: new(map[bool]string{true: "fix: it", false: "it, fix: it"}[holds])})
		}},
		"body": {condition: `body: ["^no", "(?i)acceptance"]`, make: func(_ *world, i *issue, _ string, holds bool) {
			i.Change("ada", i.Number, &github.IssueRequest{Body: new(map[bool]string{true: "## Acceptance", false: "else"}[holds])})
		}},
		"section": {condition: "section: Steps", make: func(_ *world, i *issue, _ string, holds bool) {
			i.Change("ada", i.Number, &github.IssueRequest{Body: new("### Steps\n\n" + map[bool]string{true: "start it", false: "_No response_"}[holds] + "\n\n### Version\n\n1")})
		}},
		"at-most": {condition: "at-most: 1", make: func(w *world, _ *issue, _ string, holds bool) {
			if !holds {
				w.stateful("colony:human-review-ready")
			}
		}, path: "^/repos/acme/widgets/issues$", unread: "cannot count the issues in human-review-ready: GitHub answered 502"},
	}
)

// asksFor asks for human-review-ready, by label or by command, and returns the comment of the command.
func asksFor(i *issue, who string, byCommand bool) int64 {
	if byCommand {
		return i.Comment(who, "/colony:move human-review-ready")
	}
	i.Label(who, "colony:human-review-ready")
	return 0
}

// Each kind of condition: satisfied, not satisfied and unknown, by label and by command, for a person and for a bot.
func TestKindsOfGuards(t *testing.T) {
	t.Parallel()
	for n, name := range slices.Sorted(maps.Keys(kindsOfGuards)) {
		kind := kindsOfGuards[name]
		for _, who := range []string{"olivia", "reviewer[bot]"} {
			for _, byCommand := range []bool{false, true} {
				n++
				if !long.Whole() && n%4 != 0 {
					continue
				}
				how := map[bool]string{false: "label", true: "command"}[byCommand]
				t.Run(strings.Join([]string{name, who, how}, "/"), func(t *testing.T) {
					t.Parallel()
					kind.play(t, who, byCommand)
				})
			}
		}
	}
}

// No kind of condition is left out, and each that is read can be unknown unless the issue itself tells.
func TestEveryKindOfConditionIsPlayed(t *testing.T) {
	t.Parallel()
	told := []lifecycle.ConditionKind{
		lifecycle.OnIssueLabel, lifecycle.InMilestone, lifecycle.AssignedTo, lifecycle.IsType,
		lifecycle.TitleMatches, lifecycle.BodyMatches, lifecycle.SectionFilled,
	}
	for _, spec := range lifecycle.ConditionKinds() {
		played, unknown := false, false
		for _, kind := range kindsOfGuards {
			if strings.HasPrefix(kind.condition, string(spec.Kind)+": ") {
				played, unknown = true, unknown || kind.path != ""
			}
		}
		if !played || unknown != (spec.Read && !slices.Contains(told, spec.Kind)) {
			t.Errorf("%s: played %t, unknown %t", spec.Kind, played, unknown)
		}
	}
}

func (k kindOfGuard) play(t *testing.T, who string, byCommand bool) {
	t.Helper()
	bot := strings.HasSuffix(who, "[bot]")
	holds := func(wanted bool) bool {
		switch {
		case bot && k.bots != nil:
			return *k.bots
		case !bot && k.people != nil:
			return *k.people
		}
		return wanted
	}
	for _, forbids := range []bool{false, true} {
		if forbids && (bot || byCommand) { // the other way round it is the same for all
			continue
		}
		for _, wanted := range []bool{true, false} {
			w, i := k.world(t, asking{who, byCommand, wanted}, forbids)
			written := asksFor(i, who, byCommand)
			w.Settle()
			isJudged(i, holds(wanted) != forbids, written)
		}
	}
	if k.path == "" || bot && k.bots != nil {
		return // it is known without a call
	}
	w, i := k.world(t, asking{who, byCommand, true}, false)
	end := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: "GET", Path: regexp.MustCompile(k.path), Status: 502})
	written := asksFor(i, who, byCommand)
	w.Settle()
	switch {
	case byCommand && strings.HasPrefix(k.condition, "permission"): // nor does Colony know whether she may write commands
		i.Has("colony:in-review")
		i.ColonyReacts(written, "eyes")
		end()
		w.Sweep()
	case byCommand:
		i.Has("colony:in-review")
		i.ColonyReacts(written, "eyes")
		i.ColonyReacts(written, "confused")
		i.ColonySays("guarded", "It takes this", k.unread, "Write the command again")
		end()
		written = asksFor(i, who, byCommand)
		w.Settle()
	default:
		i.Has("colony:in-review", "colony:human-review-ready")
		i.ColonySays("neither made nor undid the move", k.unread)
		end()
		w.Sweep()
	}
	isJudged(i, holds(true), written)
}

// world is one in which the condition holds, or does not, for an issue in review, and a guard that requires or forbids it.
func (k kindOfGuard) world(t *testing.T, a asking, forbids bool) (*world, *issue) {
	t.Helper()
	w := newWorld(t, func(c *config.Config) {
		c.Executors.Logins = map[string][]string{"reviewer[bot]": {"reviewer", "developer"}}
	})
	w.Must(w.github.SetInstallationPermissions(w.Installation, permissions.All(permissions.Teams)))
	condition := k.condition
	if k.names != nil {
		condition = fmt.Sprintf(condition, k.names(a))
	}
	clause := map[bool]string{true: "forbids", false: "requires"}[forbids]
	w.Guard("\n  - name: guarded\n    why: It takes this.\n    from: in-review\n    to: human-review-ready\n    " + clause + ":\n      - " + condition + "\n")
	starts := k.starts
	if starts == nil {
		starts = func(w *world, _ asking) *issue { return w.stateful("colony:in-review") }
	}
	i := starts(w, a)
	k.make(w, i, a.who, a.holds)
	w.Settle()
	return w, i
}

// isJudged asserts what became of what was asked for.
func isJudged(i *issue, granted bool, written int64) {
	keep := slices.DeleteFunc(i.Labels(), func(l string) bool { return strings.HasPrefix(l, "colony:") })
	if granted {
		i.Has(append(keep, "colony:human-review-ready")...)
		if written > 0 {
			i.ColonyReacts(written, "+1")
		}
		return
	}
	i.Has(append(keep, "colony:in-review")...)
	if written > 0 {
		i.ColonyReacts(written, "confused")
	}
	i.ColonySays("guarded", "It takes this")
}

// The lifecycle of docs/write-a-lifecycle.md on what an issue has to have, put into a repository as it is.
func TestTheGuardsOfChanges(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/examples/changes.yml")
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := lifecycle.Lint("changes.yml", text); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	w := newWorld(t, acme.Follows)
	w.Bring(string(text))
	i := w.open("ada", "Quotas, please.")
	from := "colony:requested"
	i.Label("tara", from)
	refused := func(who, to, guard string) {
		t.Helper()
		i.Swap(who, from, to)
		w.Settle()
		i.Has(from)
		i.ColonySays(guard)
		w.clock.Advance(time.Minute)
	}
	granted := func(who, to string) {
		t.Helper()
		i.Swap(who, from, to)
		w.Settle()
		i.Has(to)
		from = to
		w.clock.Advance(time.Minute)
	}
	w.Settle()
	for _, to := range []*github.IssueRequest{
		{Title: new("quotas"), Body: new("## Rollback\n\nSet them to 0.")}, {Title: new("feat: quotas"), Body: new("## Rollback\n")}, {Body: new("## Rollback\n\nSet them to 0.")},
	} {
		i.Change("ada", i.Number, to)
		refused("tara", "colony:approved", "described")
	}
	i.Assign("olivia", "tara")
	granted("tara", "colony:approved")

	refused("tara", "colony:canary", "planned")
	w.Must(w.github.SetMilestone("acme", "widgets", i.Number, "v1", ""))
	granted("tara", "colony:canary")

	refused("olivia", "colony:everywhere", "a-day-on-the-canary")
	w.clock.Advance(24 * time.Hour)
	refused("tara", "colony:everywhere", "release-manager")
	id := i.Comment("tara", "/colony:restart")
	w.Settle()
	i.ColonyReacts(id, "confused")
	i.ColonySays("Only maintainers close the pull requests of others")
	granted("olivia", "colony:everywhere")
}
