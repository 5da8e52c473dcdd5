package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/policy"
)

func withLifecycle(name string) func(*config.Config) {
	return func(c *config.Config) { c.Lifecycle = name }
}

// Where a lifecycle has no force, Colony says what to write instead, and that works.
func TestForceIsOffWhereTheLifecycleSaysSo(t *testing.T) {
	t.Parallel()
	for life, c := range map[string]struct{ state, to, instead, ends string }{
		"colibri": {"init", "verify", "/colony:cancel <reason>", "cancelled"},
		"prp":     {"planned", "complete", "/colony:obsolete", "obsolete"},
	} {
		t.Run(life, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, withLifecycle(life))
			i := w.stateful("colony:" + c.state)
			refused := i.comment("mona", "/colony:force "+c.to+" there is no other way")
			w.settle()
			i.has("colony:" + c.state)
			i.colonyReacts(refused, "confused")
			i.colonySays("has no `/colony:force`, so nobody goes round its table", "write `"+c.instead+"`")

			stranger := i.comment("rita", "/colony:force "+c.to+" there is no other way")
			w.settle()
			i.has("colony:" + c.state)
			i.colonyReacts(stranger, "-1")

			help := i.comment("mona", "/colony:help")
			w.settle()
			i.colonyReacts(help, "+1")
			for _, said := range i.colonyComments() {
				if strings.Contains(said.GetBody(), "| `/colony:force") {
					t.Errorf("the help lists force: %s", said.GetBody())
				}
			}
			i.colonySays("commands")

			given := i.comment("mona", strings.Replace(c.instead, "<reason>", "nobody needs it", 1))
			w.settle()
			i.has("colony:" + c.ends)
			i.colonyReacts(given, "+1")
		})
	}
}

// A repository narrows what force may do, and cannot widen it.
func TestARepositoryNarrowsForce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		life, settings, by, reaction, says string
	}{
		"off":                             {"colony", "commands: {force: off}\n", "mona", "confused", "has no `/colony:force`"},
		"admin":                           {"colony", "commands: {force: admin}\n", "mona", "-1", ""},
		"not wider than the lifecycle":    {"colony", "commands: {force: triage}\n", "olivia", "-1", ""},
		"not where the lifecycle is off":  {"prp", "commands: {force: triage}\n", "mona", "confused", "has no `/colony:force`"},
		"maintain, as the lifecycle says": {"colony", "commands: {force: maintain}\n", "mona", "+1", "forced this issue"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, withLifecycle(c.life), func(conf *config.Config) { conf.Commands.Force = "triage" })
			from, to := "colony:done", "new"
			if c.life == "prp" {
				from, to = "colony:planned", "complete"
			}
			w.commitAndSettle("widgets", policy.SettingsFile, c.settings)
			i := w.stateful(from)
			id := i.comment(c.by, "/colony:force "+to+" it has to be")
			w.settle()
			i.colonyReacts(id, c.reaction)
			if c.says != "" {
				i.colonySays(c.says)
			}
			if c.reaction == "+1" {
				from = "colony:" + to
			}
			i.has(from)
		})
	}
}

// What somebody forced is recorded as forced, also where the table has the move: the next move in an ordinary way is not.
func TestAForcedMoveOfTheTableIsRecordedAsForced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	force := i.comment("mona", "/colony:force merge-pending the reviewer is away")
	w.settle()
	i.has("colony:merge-pending")
	i.colonyReacts(force, "+1")
	i.colonySays("forced this issue from `in-review` to `merge-pending`")
	moved := i.comment("mona", "/colony:move done")
	w.settle()
	i.has("colony:done")
	i.colonyReacts(moved, "+1")

	history := i.comment("rita", "/colony:history")
	w.settle()
	i.colonyReacts(history, "+1")
	i.colonySays("`in-review` → `merge-pending`, by `mona` with `/colony:force` (forced around the table)", "`merge-pending` → `done`, by `mona` with `/colony:move`")
	w.clock.Advance(time.Minute)
	lines := w.audit()
	if len(lines) != 1 || !strings.Contains(lines[0], `it was forced from in-review to merge-pending, because "the reviewer is away"`) || !strings.Contains(lines[0], "by mona") {
		t.Errorf("audit says %q", lines)
	}
}

// A mark that somebody else put there before opens no bracket, and keeps Colony from none.
func TestForceWorksBesideSomebodyElsesMark(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:done")
	w.clock.Advance(time.Minute)
	w.stopColony()
	i.label("dev[bot]", "colony:forced")
	force := i.comment("mona", "/colony:force planning it was not done")
	w.start()
	w.settle()
	i.has("colony:planning")
	i.colonyReacts(force, "+1")
	i.colonySays("forced this issue from `done` to `planning`")
}
