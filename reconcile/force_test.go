package reconcile_test

import (
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// Where a lifecycle has no force, Colony says what to write instead, and that works.
func TestForceIsOffWhereTheLifecycleSaysSo(t *testing.T) {
	t.Parallel()
	for life, c := range map[string]struct{ state, to, instead, ends string }{
		"colibri": {"init", "verify", "/colony:cancel <reason>", "cancelled"},
		"prp":     {"planned", "complete", "/colony:obsolete", "obsolete"},
	} {
		t.Run(life, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.WithLifecycle(life))
			i := w.stateful("colony:" + c.state)
			refused := i.Comment("mona", "/colony:force "+c.to+" there is no other way")
			w.Settle()
			i.Has("colony:" + c.state)
			i.ColonyReacts(refused, "confused")
			i.ColonySays("has no `/colony:force`, so nobody goes round its table", "write `"+c.instead+"`")

			stranger := i.Comment("rita", "/colony:force "+c.to+" there is no other way")
			w.Settle()
			i.Has("colony:" + c.state)
			i.ColonyReacts(stranger, "-1")

			help := i.Comment("mona", "/colony:help")
			w.Settle()
			i.ColonyReacts(help, "+1")
			for _, said := range i.ColonyComments() {
				if strings.Contains(said.GetBody(), "| `/colony:force") {
					t.Errorf("the help lists force: %s", said.GetBody())
				}
			}
			i.ColonySays("commands")

			given := i.Comment("mona", strings.Replace(c.instead, "<reason>", "nobody needs it", 1))
			w.Settle()
			i.Has("colony:" + c.ends)
			i.ColonyReacts(given, "+1")
		})
	}
}

// A repository narrows what force may do, and cannot widen it.
func TestARepositoryNarrowsForce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		life, settings, by, reaction, says string
	}{
		"off":                             {"colony", "commands: {force: off}\n", "mona", "confused", "settings of this repository or its owner switch `/colony:force` off (`commands.force`)"},
		"admin":                           {"colony", "commands: {force: admin}\n", "mona", "-1", ""},
		"not wider than the lifecycle":    {"colony", "commands: {force: triage}\n", "olivia", "-1", ""},
		"not where the lifecycle is off":  {"prp", "commands: {force: triage}\n", "mona", "confused", "has no `/colony:force`"},
		"maintain, as the lifecycle says": {"colony", "commands: {force: maintain}\n", "mona", "+1", "forced this issue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.WithLifecycle(c.life), func(conf *config.Config) { conf.Commands.Force = "triage" })
			from, to := "colony:done", "new"
			if c.life == "prp" {
				from, to = "colony:planned", "complete"
			}
			w.CommitAndSettle("widgets", policy.SettingsFile, c.settings)
			i := w.stateful(from)
			id := i.Comment(c.by, "/colony:force "+to+" it has to be")
			w.Settle()
			i.ColonyReacts(id, c.reaction)
			if c.says != "" {
				i.ColonySays(c.says)
			}
			if c.reaction == "+1" {
				from = "colony:" + to
			}
			i.Has(from)
		})
	}
}

// What a repository asks for is what Colony says: who follows the advice is not turned away.
func TestWordsNameThePermissionOfTheRepository(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.CommitAndSettle("widgets", policy.SettingsFile, "mode: enforce\ncommands: {move: write, force: admin}\n")
	i := w.stateful("colony:done")
	if said := i.Says("rita", "/colony:help"); !strings.Contains(said, "| people with write access |") || !strings.Contains(said, "| people with admin access |") {
		t.Errorf("help says %s", said)
	}
	if said := i.Says("olivia", "/colony:why new"); !strings.Contains(said, "Someone with admin access can go around the table:") {
		t.Errorf("why says %s", said)
	}
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:done", "colony:needs-human")
	i.ColonySays("someone with admin access can correct it with this comment:")
	w.CommitAndSettle("widgets", policy.SettingsFile, "mode: enforce\ncommands: {move: admin}\n")
	if said := i.Says("rita", "/colony:help"); strings.Contains(said, "maintainers") || strings.Contains(said, "who may edit labels") {
		t.Errorf("where all takes admin access, help says %s", said)
	}
}

// A mark that somebody else put there before opens no bracket, and keeps Colony from none.
func TestForceWorksBesideSomebodyElsesMark(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:done")
	w.clock.Advance(time.Minute)
	w.stopColony()
	i.Label("dev[bot]", "colony:forced")
	force := i.Comment("mona", "/colony:force planning it was not done")
	w.start()
	w.Settle()
	i.Has("colony:planning")
	i.ColonyReacts(force, "+1")
	i.ColonySays("forced this issue from `done` to `planning`")
}

// Where work was cut off within a forced move, and an earlier command of that comment can be run meanwhile, the mark goes first: a fresh start
// is not forced.
func TestAFreshStartClosesAnOpenBracket(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:new")
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusBadGateway, Method: http.MethodPost, Path: regexp.MustCompile(`/issues/\d+/labels`), Actor: "colony[bot]", After: true,
	})
	force := i.Comment("mona", "/colony:reimplement\n/colony:force done it is done")
	w.Settle()
	i.Has("colony:new", "colony:forced")
	i.ColonySays("forced this issue from `new` to `done`")
	w.stopColony()
	cancel()
	w.clock.Advance(time.Minute)
	i.Swap("olivia", "colony:new", "colony:merge-pending")
	w.github.ResetCalls()
	w.start()
	w.Settle()
	i.Has("colony:done")
	i.ColonyReacts(force, "+1")
	var wrote []string
	for _, c := range w.github.Calls() {
		if c.Method != http.MethodGet && strings.Contains(c.Path, "/labels") {
			wrote = append(wrote, c.Method+" "+path.Base(c.Path))
		}
	}
	again := []string{"DELETE colony:forced", "POST labels", "DELETE colony:merge-pending"}
	forced := []string{"POST labels", "POST labels", "DELETE colony:ready-for-dev", "DELETE colony:forced"}
	if want := slices.Concat(again, forced); !slices.Equal(wrote, want) {
		t.Errorf("the labels were written as %q, want %q", wrote, want)
	}
}

// Where work was cut off within a forced move, and its person has lost the right since, the mark goes: no later move is forced.
func TestARefusedForceClosesItsBracket(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:done")
	cancel := w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusBadGateway, Method: http.MethodPost, Path: regexp.MustCompile(`/issues/\d+/labels`), Actor: "colony[bot]", After: true,
	})
	force := i.Comment("mona", "/colony:force planning it was not done")
	w.Settle()
	i.Has("colony:done", "colony:forced")
	i.ColonySays("forced this issue from `done` to `planning`")
	w.stopColony()
	cancel()
	w.github.SetPermission("acme", "widgets", "mona", "read")
	w.start()
	w.Settle()
	i.Has("colony:done")
	i.ColonyReacts(force, "-1")
}
