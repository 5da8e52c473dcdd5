package statemachine

import (
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

func TestLimitsCanHaveOtherNumbers(t *testing.T) {
	t.Parallel()
	life := shippedWithGuards(t, "autoralph")
	five := life.With(Options{Limits: map[string]int{"fix attempts": 5, "naps": 2}})
	if got := five.Limits[0].AtMost; got != 5 || life.Limits[0].AtMost != 3 {
		t.Errorf("at most %d, and the lifecycle itself %d", got, life.Limits[0].AtMost)
	}
	if five.Fingerprint() == life.Fingerprint() {
		t.Error("another number judges in another way")
	}
	if again := five.With(Options{}); again.Fingerprint() != life.Fingerprint() {
		t.Error("without numbers those of the file hold again")
	}
	if zero := life.With(Options{Limits: map[string]int{"fix attempts": 0}}); zero.Limits[0].AtMost != 3 {
		t.Errorf("at most %d", zero.Limits[0].AtMost)
	}
}

func TestTimingSetsTheLengthOfOneState(t *testing.T) {
	t.Parallel()
	life, err := Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	file, _ := life.TimeOuts.In("in-review")
	timed := life.With(Options{TimeOuts: map[string]time.Duration{"in-review": time.Hour, "done": time.Hour, "planning": time.Second}})
	for state, want := range map[string]time.Duration{"in-review": time.Hour, "in-development": time.Duration(file.After), "merge-pending": time.Duration(file.After), "planning": 24 * time.Hour, "done": 0} {
		got, ok := timed.TimeOuts.In(state)
		if time.Duration(got.After) != want || ok != (want > 0) || ok && (got.To != file.To || got.Why == "") {
			t.Errorf("%s: %+v, want %s", state, got, want)
		}
	}
	if errands := lifeOf(t, "errands").With(Options{TimeOuts: map[string]time.Duration{"asked": time.Hour}}); len(errands.TimeOuts) != 2 {
		t.Errorf("a time-out of one state is one row with the new length: %+v", errands.TimeOuts)
	}
	if timed.Fingerprint() == life.Fingerprint() {
		t.Error("another length is no change of the table")
	}
	if again, _ := timed.With(Options{}).TimeOuts.In("in-review"); again.After != file.After {
		t.Errorf("without a length, in-review has %s, not that of the file", again.After)
	}
	if now, _ := life.TimeOuts.In("in-review"); now.After != file.After {
		t.Error("the lifecycle itself was changed")
	}
}

// What a repository does not follow moves no issue, and holds up no other row.
func TestWhatIsIgnoredHoldsNothingUp(t *testing.T) {
	t.Parallel()
	life := colony(t)
	names := func(life *Table) (on, unless string) {
		for _, row := range life.Triggers {
			if slices.Contains(row.In, "dependency-blocked") {
				on += string(row.On) + " "
				for _, f := range row.Unless {
					unless += string(f) + " "
				}
			}
		}
		return on, unless
	}
	on, unless := names(life.With(Options{Ignored: []lifecycle.Reading{lifecycle.ReadFiles}}))
	if want := "issue-merged issue-completed dependency-cycle dependency-dropped dependencies-closed dependencies-none "; on != want || unless != "" {
		t.Errorf("without files the rows are on %s, unless %s", on, unless)
	}
	on, unless = names(life)
	if want := "issue-merged issue-completed dependency-cycle dependency-dropped files-overlap dependencies-closed dependencies-none files-clear "; on != want || unless != "files-overlap files-overlap dependency-open dependency-dropped " {
		t.Errorf("the rows of the lifecycle itself are on %s, unless %s", on, unless)
	}
}

func TestUnforced(t *testing.T) {
	t.Parallel()
	life := colony(t)
	unforced := life.With(Options{Unforced: true})
	if !life.MayForce("new", "planning") || unforced.MayForce("new", "planning") {
		t.Error("the option does not decide whether a move can be forced")
	}
	if unforced.Fingerprint() == life.Fingerprint() {
		t.Error("without force it has the same fingerprint")
	}
}

// Where a fingerprint changes, Colony begins anew with every issue of the repositories that use the lifecycle. Who changes a lifecycle
// changes its row here.
func TestFingerprintsStayAsLongAsTheirLifecyclesDo(t *testing.T) {
	t.Parallel()
	bare := Options{Ignored: lifecycle.EveryReading(), Limits: map[string]int{"fix attempts": 5, "retries": 2}, Unforced: true}
	developing := Options{Dispatch: []lifecycle.Dispatch{{From: []string{"ready-for-dev"}, To: "in-development", AtMost: 3}}}
	for name, want := range map[string]string{
		"autoralph": "g66sb ax7aj g66sb", "colibri": "uosdj guete uosdj", "colony": "p4dpl qlzeb xevxp", "prp": "w35ud dyzqn w35ud",
	} {
		life := shippedWithGuards(t, name)
		if got := life.Fingerprint() + " " + life.With(bare).Fingerprint() + " " + life.With(developing).Fingerprint(); got != want {
			t.Errorf("%s has the fingerprints %s, and had %s", name, got, want)
		}
	}
}

func TestOptionsCanTakeTheForcedMoveAway(t *testing.T) {
	t.Parallel()
	life := colony(t)
	without := life.With(Options{Unforced: true})
	if IsUnforced(life) || !IsUnforced(without) || IsUnforced(without.With(Options{})) {
		t.Error("the options do not say that they take the forced move away, or that they leave it")
	}
}
