package labels_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/labels"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// Where Colony writes nothing, its labels are not made either, and a dry run says so first.
func TestTheModeHoldsForTheKeeperOfLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Config.Mode = lifecycle.ModeObserve
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Apply)
	if len(done) > 0 || writes > 0 || len(failed) != 1 || !strings.HasPrefix(failed[0], "acme/widgets: Colony writes nothing in acme/widgets: its mode is observe (mode in the server's configuration) -> for another mode, ") {
		t.Errorf("it writes %d times, fails with %q and does %q", writes, failed, done)
	}
	plan, failed, writes := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply)
	if len(plan) != 18 || writes > 0 || len(failed) > 0 || !strings.HasPrefix(plan[0], "note    acme/widgets: its mode is observe (mode in the server's configuration), so Colony writes none of what follows -> ") {
		t.Errorf("a dry run writes %d times, fails with %q and tells %q", writes, failed, plan)
	}
	w.Config.Mode = lifecycle.ModeWarn
	if done, failed, _ := w.keeps(labels.Options{}, (*labels.Keeper).Apply); len(done) != 17 || len(failed) > 0 {
		t.Errorf("in mode warn it fails with %q and does %q", failed, done)
	}
	w.Config.Mode = lifecycle.ModeObserve
	if done, failed, _ := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply); len(done)+len(failed) > 0 {
		t.Errorf("where nothing is missing, it fails with %q and tells %q", failed, done)
	}
}

// In mode off nothing is deleted.
func TestPruneInModeOff(t *testing.T) {
	t.Parallel()
	w, colony, _, _ := newChangedWorld(t)
	w.Commit("widgets", policy.SettingsFile, "lifecycle: prp\nmode: off\n")
	w.Advance(10 * time.Second)
	colony.ReadPolicy()
	before := w.RepositoryLabels()
	done, failed, writes := w.keeps(labels.Options{}, (*labels.Keeper).Prune)
	if len(done) > 0 || writes > 0 || len(failed) != 1 || !strings.Contains(failed[0], "its mode is off") || !slices.Equal(before, w.RepositoryLabels()) {
		t.Errorf("it writes %d times, fails with %q and does %q", writes, failed, done)
	}
	if plan, failed, _ := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Prune); len(plan) != 15 || len(failed) > 0 {
		t.Errorf("a dry run fails with %q and tells %q", failed, plan)
	}
}

// Without names, the keeper works in all repositories of all installations that are not suspended.
func TestTheKeeperWorksWhereTheAppIsInstalled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddRepository("acme", "gears")
	w.AddOrganization("umbrella")
	w.AddRepository("umbrella", "widgets")
	suspended := w.Install("umbrella")
	in := func() (repositories []string) {
		lines, failed, _ := w.keeps(labels.Options{DryRun: true}, (*labels.Keeper).Apply)
		if len(failed) > 0 {
			t.Errorf("it fails with %q", failed)
		}
		for _, line := range lines {
			repository, _, _ := strings.Cut(strings.Fields(line)[1], ":")
			repositories = append(repositories, repository)
		}
		return slices.Compact(repositories)
	}
	if got := in(); !slices.Equal(got, []string{"acme/widgets", "acme/gears", "umbrella/widgets"}) {
		t.Errorf("it works in %q", got)
	}
	w.Must(w.Suspend(suspended))
	if got := in(); !slices.Equal(got, []string{"acme/widgets", "acme/gears"}) {
		t.Errorf("it works in %q", got)
	}
}
