package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
)

func TestObservingWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(""))
	legal := w.open("ada", "")
	legal.Label("olivia", "colony:new")
	w.Settle()
	legal.Label("olivia", "colony:analyzing")
	w.Settle()
	legal.Has("colony:new", "colony:analyzing")
	illegal := w.open("ada", "")
	illegal.Label("olivia", "colony:done")
	illegal.Label("dev[bot]", "colony:new")
	illegal.Comment("olivia", "/colony:move paused")
	w.Settle()
	illegal.Has("colony:done", "colony:new")
	w.Must(w.colony.server.Sweep(context.Background()))
	w.Settle()
	w.Unwritten()
}

func TestWarningFinishesAndLetsStand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
	i := w.open("ada", "")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:analyzing")
	i.Label("analyzer[bot]", "colony:done")
	w.Settle()
	i.Has("colony:analyzing", "colony:done")
	i.ColonySays("would have undone this move and set the issue to `failure-blocked`", "This repository only warns")
	w.Pass(3, time.Minute)
	w.Must(w.colony.server.Sweep(context.Background()))
	w.Settle()
	command := i.Comment("olivia", "/colony:move new")
	w.Settle()
	i.ColonyReacts(command, "confused")
	i.ColonySays("did not move the issue")
	i.Has("colony:analyzing", "colony:done")
}

// Where a mode gives way to another, what was done under the first is settled, and what follows is judged.
func TestATransitionBetweenModesSettlesWhatStood(t *testing.T) {
	t.Parallel()
	for _, from := range lifecycle.Modes {
		for _, to := range []lifecycle.Mode{lifecycle.ModeWarn, lifecycle.ModeEnforce} {
			if from == to {
				continue
			}
			t.Run(string(from)+" to "+string(to), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.InMode(""))
				w.Asks(lifecycle.ModeEnforce) // so that there is a stamp
				w.Asks(from)
				w.clock.Advance(time.Minute)
				i := w.open("ada", "")
				i.Label("olivia", "colony:done")
				i.Label("olivia", "colony:new")
				command := i.Comment("olivia", "/colony:move analyzing")
				w.Settle()
				switch from {
				case lifecycle.ModeEnforce:
					i.ColonySays("Colony undid this move")
					i.ColonySays("did not move")
					i.ColonyReacts(command, "confused")
					i.Has("colony:done", "colony:needs-human")
				case lifecycle.ModeWarn:
					i.ColonySays("would have undone this move")
					i.ColonyReacts(command, "+1")
					i.Has("colony:analyzing")
				default:
					i.Has("colony:done", "colony:new")
				}
				w.clock.Advance(time.Minute)
				before := i.Labels()
				w.Asks(to)
				w.Pass(2, time.Minute)
				w.Must(w.colony.server.Sweep(context.Background()))
				w.Settle()
				if to == lifecycle.ModeWarn {
					i.Has(before...)
				}
				w.clock.Advance(time.Minute)
				next := w.open("ada", "")
				next.Label("olivia", "colony:done")
				next.Label("olivia", "colony:new")
				w.Settle()
				if to == lifecycle.ModeEnforce {
					next.ColonySays("Colony undid this move")
					next.Has("colony:done", "colony:needs-human")
				} else {
					next.ColonySays("would have undone this move")
					next.Has("colony:done", "colony:new")
				}
			})
		}
	}
}

// When Colony stops enforcing, it writes once: that nothing is judged any more. Where it never enforced, it writes nothing.
func TestTheLastWriteOfEnforcingEndsTheStamp(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*config.Config){
		"observe":  acme.InMode(lifecycle.ModeObserve),
		"off":      acme.InMode(lifecycle.ModeOff),
		"excluded": func(c *config.Config) { c.Repositories.Exclude = []string{"acme/*"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			w.stopColony()
			w.github.ResetCalls()
			change(&w.config)
			w.start()
			w.Settle()
			w.Must(w.colony.server.Sweep(context.Background()))
			w.Settle()
			if diff := cmp.Diff([]string{"PATCH /repos/acme/widgets/labels/colony:forced"}, w.Written()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if text := w.RepositoryLabel("colony:forced").GetDescription(); !strings.Contains(text, "rules none since") {
				t.Error(text)
			}
			w.stopColony()
			w.github.ResetCalls()
			w.start()
			w.Settle()
			w.Unwritten()
		})
	}
}

// An excluded repository costs no call, whatever happens there, but one read of its labels in a process.
func TestAnExcludedRepositoryIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Repositories.Exclude = []string{"ACME/wid*"} })
	w.Settle()
	w.github.ResetCalls()
	i := w.open("ada", "")
	i.Label("olivia", "colony:done")
	i.Label("olivia", "colony:new")
	i.Comment("olivia", "/colony:status")
	w.CommitAndSettle("widgets", ".github/colony.yml", "mode: enforce\n")
	w.Must(w.colony.server.Sweep(context.Background()))
	w.Settle()
	if n := w.callsIn("widgets"); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// The server's ceiling holds, whatever a repository names.
func TestTheCeilingCaps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(""), func(c *config.Config) { c.ModeCeiling = lifecycle.ModeObserve })
	w.Asks(lifecycle.ModeEnforce)
	i := w.open("ada", "")
	i.Label("olivia", "colony:done")
	i.Label("olivia", "colony:new")
	w.Settle()
	i.Has("colony:done", "colony:new")
	w.Unwritten()
}

// Who breaks the first file of a repository is told, though nothing else is written there yet. Where the server wants nothing written,
// nobody is.
func TestWhoAsksWithABrokenFileIsTold(t *testing.T) {
	t.Parallel()
	for mode, want := range map[lifecycle.Mode]int{"": 1, lifecycle.ModeObserve: 0} {
		w := newWorld(t, acme.InMode(mode))
		w.CommitAndSettle("widgets", ".github/colony.yml", "lifecycle: kanban\n")
		w.Settle()
		if got := w.Written(); len(got) != want || want == 1 && !strings.HasSuffix(got[0], "/comments") {
			t.Errorf("mode %q: %v", mode, got)
		}
	}
}

// A crash between any two calls of Colony's where it only warns changes nothing about the end.
func TestACrashWhereColonyWarnsChangesNothing(t *testing.T) {
	t.Parallel()
	for name, scenario := range map[string]func(*world){
		"a legal move":    func(w *world) { w.Issues[0].Label("olivia", "colony:in-review") },
		"an illegal move": func(w *world) { w.Issues[0].Label("olivia", "colony:new") },
		"a command":       func(w *world) { w.Issues[0].Comment("olivia", "/colony:move in-review") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, calls := endOf(t, scenario, 0, acme.InMode(lifecycle.ModeWarn))
			for k := range crashPoints(calls) {
				if got, _ := endOf(t, scenario, k, acme.InMode(lifecycle.ModeWarn)); got != want {
					t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
				}
			}
		})
	}
}

// What is observed is said once: again and again it would hide what is new.
func TestAVerdictIsCountedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(""))
	i := w.open("ada", "")
	i.Label("olivia", "colony:done")
	i.Label("olivia", "colony:new")
	w.Settle()
	for range 3 {
		w.Must(w.colony.server.Sweep(context.Background()))
		w.Settle()
	}
	i.Comment("ada", "Is anybody there?")
	w.Settle()
	got := w.metrics()
	if n := acme.Value(got, "colony_verdicts_total", "from=done", "mode=observe", "role=operator", "to=new", "verdict=refused"); n != 1 {
		t.Errorf("%v refused: %v", n, got["colony_verdicts_total"].GetMetric())
	}
	w.Unwritten()
}

// Repositories are installed where nothing is written, and a few of them opt in.
func TestOnlyThoseThatOptInAreWrittenTo(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.InMode(""))
	names := w.withRepositories(200)
	w.start()
	w.install()
	w.Pass(6, time.Minute)
	w.Unwritten()
	for _, name := range names[:20] {
		w.Must(w.github.SetFile("acme", name, ".github/colony.yml", "follow: []\n"))
	}
	w.Pass(60, 10*time.Second) // a step ends one wait for the pace: steps of a minute would make Colony slower than it is
	for _, call := range w.Written() {
		opted := false
		for _, name := range names[:20] {
			opted = opted || strings.Contains(call, "/repos/acme/"+name+"/")
		}
		if !opted {
			t.Errorf("%s", call)
		}
	}
	for _, name := range names[:20] {
		if w.provisioned(name) == 0 {
			t.Errorf("%s has no label", name)
		}
	}
}

// Of two hundred repositories that are observed, twenty opt in. While their labels are made, people's legal moves there are finished at
// once, and illegal moves elsewhere stand. No time passes between a move and its end.
func TestTwentyOfTwoHundredOptIn(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, acme.InMode(""))
	names := w.withRepositories(onboarded())
	opting, others := names[:20], names[20:]
	var moves []*partIssue
	for _, name := range opting {
		moves = append(moves, w.openAt(name, "colony:new"))
	}
	w.start()
	w.install()
	w.Pass(6, time.Minute)
	illegal := []*partIssue{w.openAt(others[0], "colony:done"), w.openAt(others[len(others)-1], "colony:done")}
	for _, i := range illegal {
		i.label("colony:new")
	}
	w.Pass(2, time.Minute)
	w.Unwritten()
	for _, name := range opting {
		w.Must(w.github.SetFile("acme", name, ".github/colony.yml", "mode: enforce\n"))
	}
	w.Quiet()
	waiting := 0
	for _, name := range opting {
		if w.provisioned(name) < 17 {
			waiting++
		}
	}
	if waiting < 3 {
		t.Fatalf("only %d repositories wait for their labels: this test shows nothing", waiting)
	}
	for _, i := range moves {
		w.clock.Advance(3 * time.Second) // so often people move something
		w.Quiet()
		w.github.ResetCalls()
		i.label("colony:analyzing")
		w.Quiet()
		i.ended("colony:analyzing")
		const most = 9 // the policy, the labels and the stamp of a repository that was not begun; the issue, its log and the old label of each
		if n := w.callsIn(i.repo); n > most {
			t.Errorf("in %s a move took %d calls, more than %d", i.repo, n, most)
		}
	}
	w.Pass(10, time.Minute)
	for _, i := range illegal {
		if got := i.labels(); !slices.Equal(got, []string{"colony:done", "colony:new"}) {
			t.Errorf("%s has %v", i.repo, got)
		}
		if n := w.provisioned(i.repo); n > 0 {
			t.Errorf("%s has %d labels", i.repo, n)
		}
	}
}

// A process that knows a repository as one to which nothing is written may hear first of its labels that this has changed.
func TestALabelThatIsRepairedFirstInANewMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(""))
	w.Asks(lifecycle.ModeOff)
	w.github.DropNext(1)
	w.Commit("widgets", ".github/colony.yml", "mode: enforce\n")
	w.clock.Advance(10 * time.Minute)
	_, _, err := w.As("mona").Issues.EditLabel(ctx, "acme", "widgets", "colony:new", &github.Label{Color: new("ededed")})
	w.Must(err)
	w.Settle()
	if got := w.RepositoryLabel("colony:new").GetColor(); got == "ededed" {
		t.Errorf("the label still has the colour %s", got)
	}
}
