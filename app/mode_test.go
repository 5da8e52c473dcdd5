package app_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/apptest"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
)

// inMode is a configuration that names a mode.
func inMode(mode lifecycle.Mode) func(*config.Config) {
	return func(c *config.Config) { c.Mode = mode }
}

// written lists Colony's calls that change a repository.
func (w *world) written() (calls []string) {
	for _, c := range w.github.Calls() {
		if c.Actor == apptest.Login && c.Method != http.MethodGet && strings.HasPrefix(c.Path, "/repos/") {
			calls = append(calls, c.Method+" "+c.Path)
		}
	}
	return calls
}

// unwritten asserts that Colony wrote nothing since the journal was last cleared.
func (w *world) unwritten() {
	w.t.Helper()
	if calls := w.written(); len(calls) > 0 {
		w.t.Errorf("%d writes: %v", len(calls), calls)
	}
}

func TestObservingWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(""))
	legal := w.open("ada", "")
	legal.label("olivia", "colony:new")
	w.settle()
	legal.label("olivia", "colony:analyzing")
	w.settle()
	legal.has("colony:new", "colony:analyzing")
	illegal := w.open("ada", "")
	illegal.label("olivia", "colony:done")
	illegal.label("dev[bot]", "colony:new")
	illegal.comment("olivia", "/colony:move paused")
	w.settle()
	illegal.has("colony:done", "colony:new")
	w.must(w.colony.server.Sweep(context.Background()))
	w.settle()
	w.unwritten()
}

func TestWarningFinishesAndLetsStand(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(lifecycle.ModeWarn))
	i := w.open("ada", "")
	i.label("olivia", "colony:new")
	w.settle()
	i.label("olivia", "colony:analyzing")
	w.settle()
	i.has("colony:analyzing")
	i.label("analyzer[bot]", "colony:done")
	w.settle()
	i.has("colony:analyzing", "colony:done")
	i.colonySays("would have undone this move and set the issue to `failure-blocked`", "This repository only warns")
	w.pass(3, time.Minute)
	w.must(w.colony.server.Sweep(context.Background()))
	w.settle()
	command := i.comment("olivia", "/colony:move new")
	w.settle()
	i.colonyReacts(command, "confused")
	i.colonySays("did not move the issue")
	i.has("colony:analyzing", "colony:done")
}

// asks lets the repository name a mode.
func (w *world) asks(mode lifecycle.Mode) {
	w.t.Helper()
	w.commitAndSettle("widgets", ".github/colony.yml", "mode: "+string(mode)+"\n")
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
				w := newWorld(t, inMode(""))
				w.asks(lifecycle.ModeEnforce) // so that there is a stamp
				w.asks(from)
				w.clock.Advance(time.Minute)
				i := w.open("ada", "")
				i.label("olivia", "colony:done")
				i.label("olivia", "colony:new")
				command := i.comment("olivia", "/colony:move analyzing")
				w.settle()
				switch from {
				case lifecycle.ModeEnforce:
					i.colonySays("Colony undid this move")
					i.colonySays("did not move")
					i.colonyReacts(command, "confused")
					i.has("colony:done", "colony:needs-human")
				case lifecycle.ModeWarn:
					i.colonySays("would have undone this move")
					i.colonyReacts(command, "+1")
					i.has("colony:analyzing")
				default:
					i.has("colony:done", "colony:new")
				}
				w.clock.Advance(time.Minute)
				before := i.labels()
				w.asks(to)
				w.pass(2, time.Minute)
				w.must(w.colony.server.Sweep(context.Background()))
				w.settle()
				if to == lifecycle.ModeWarn {
					i.has(before...)
				}
				w.clock.Advance(time.Minute)
				next := w.open("ada", "")
				next.label("olivia", "colony:done")
				next.label("olivia", "colony:new")
				w.settle()
				if to == lifecycle.ModeEnforce {
					next.colonySays("Colony undid this move")
					next.has("colony:done", "colony:needs-human")
				} else {
					next.colonySays("would have undone this move")
					next.has("colony:done", "colony:new")
				}
			})
		}
	}
}

// When Colony stops enforcing, it writes once: that nothing is judged any more. Where it never enforced, it writes nothing.
func TestTheLastWriteOfEnforcingEndsTheStamp(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*config.Config){
		"observe":  inMode(lifecycle.ModeObserve),
		"off":      inMode(lifecycle.ModeOff),
		"excluded": func(c *config.Config) { c.Repositories.Exclude = []string{"acme/*"} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			w.stopColony()
			w.github.ResetCalls()
			change(&w.config)
			w.start()
			w.settle()
			w.must(w.colony.server.Sweep(context.Background()))
			w.settle()
			if diff := cmp.Diff([]string{"PATCH /repos/acme/widgets/labels/colony:forced"}, w.written()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if text := w.repositoryLabel("colony:forced").GetDescription(); !strings.Contains(text, "rules none since") {
				t.Error(text)
			}
			w.stopColony()
			w.github.ResetCalls()
			w.start()
			w.settle()
			w.unwritten()
		})
	}
}

// An excluded repository costs no call, whatever happens there, but one read of its labels in a process.
func TestAnExcludedRepositoryIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Repositories.Exclude = []string{"ACME/wid*"} })
	w.settle()
	w.github.ResetCalls()
	i := w.open("ada", "")
	i.label("olivia", "colony:done")
	i.label("olivia", "colony:new")
	i.comment("olivia", "/colony:status")
	w.commitAndSettle("widgets", ".github/colony.yml", "mode: enforce\n")
	w.must(w.colony.server.Sweep(context.Background()))
	w.settle()
	if n := w.callsIn("widgets"); n != 0 {
		t.Errorf("%d calls", n)
	}
}

// The server's ceiling holds, whatever a repository names.
func TestTheCeilingCaps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(""), func(c *config.Config) { c.ModeCeiling = lifecycle.ModeObserve })
	w.asks(lifecycle.ModeEnforce)
	i := w.open("ada", "")
	i.label("olivia", "colony:done")
	i.label("olivia", "colony:new")
	w.settle()
	i.has("colony:done", "colony:new")
	w.unwritten()
}

// Who breaks the first file of a repository is told, though nothing else is written there yet. Where the server wants nothing written,
// nobody is.
func TestWhoAsksWithABrokenFileIsTold(t *testing.T) {
	t.Parallel()
	for mode, want := range map[lifecycle.Mode]int{"": 1, lifecycle.ModeObserve: 0} {
		w := newWorld(t, inMode(mode))
		w.commitAndSettle("widgets", ".github/colony.yml", "lifecycle: kanban\n")
		w.settle()
		if got := w.written(); len(got) != want || want == 1 && !strings.HasSuffix(got[0], "/comments") {
			t.Errorf("mode %q: %v", mode, got)
		}
	}
}

// A crash between any two calls of Colony's where it only warns changes nothing about the end.
func TestACrashWhereColonyWarnsChangesNothing(t *testing.T) {
	t.Parallel()
	for name, scenario := range map[string]func(*world){
		"a legal move":    func(w *world) { w.issues[0].label("olivia", "colony:in-review") },
		"an illegal move": func(w *world) { w.issues[0].label("olivia", "colony:new") },
		"a command":       func(w *world) { w.issues[0].comment("olivia", "/colony:move in-review") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want, calls := endOf(t, scenario, 0, inMode(lifecycle.ModeWarn))
			for k := range crashPoints(calls) {
				if got, _ := endOf(t, scenario, k, inMode(lifecycle.ModeWarn)); got != want {
					t.Errorf("stopped after call %d of %d:\ngot  %s\nwant %s", k, calls, got, want)
				}
			}
		})
	}
}

// What is observed is said once: again and again it would hide what is new.
func TestAVerdictIsCountedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(""))
	i := w.open("ada", "")
	i.label("olivia", "colony:done")
	i.label("olivia", "colony:new")
	w.settle()
	for range 3 {
		w.must(w.colony.server.Sweep(context.Background()))
		w.settle()
	}
	i.comment("ada", "Is anybody there?")
	w.settle()
	got := w.metrics()
	if n := value(got, "colony_verdicts_total", "from=done", "mode=observe", "role=operator", "to=new", "verdict=refused"); n != 1 {
		t.Errorf("%v refused: %v", n, got["colony_verdicts_total"].GetMetric())
	}
	w.unwritten()
}

// Repositories are installed where nothing is written, and a few of them opt in.
func TestOnlyThoseThatOptInAreWrittenTo(t *testing.T) {
	t.Parallel()
	w := newWorldWithoutColony(t, inMode(""))
	names := w.withRepositories(200)
	w.start()
	w.install()
	w.pass(6, time.Minute)
	w.unwritten()
	for _, name := range names[:20] {
		w.must(w.github.SetFile("acme", name, ".github/colony.yml", "follow: []\n"))
	}
	w.pass(60, 10*time.Second) // a step ends one wait for the pace: steps of a minute would make Colony slower than it is
	for _, call := range w.written() {
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
	w := newWorldWithoutColony(t, inMode(""))
	names := w.withRepositories(onboarded())
	opting, others := names[:20], names[20:]
	var moves []*partIssue
	for _, name := range opting {
		moves = append(moves, w.openAt(name, "colony:new"))
	}
	w.start()
	w.install()
	w.pass(6, time.Minute)
	illegal := []*partIssue{w.openAt(others[0], "colony:done"), w.openAt(others[len(others)-1], "colony:done")}
	for _, i := range illegal {
		i.label("colony:new")
	}
	w.pass(2, time.Minute)
	w.unwritten()
	for _, name := range opting {
		w.must(w.github.SetFile("acme", name, ".github/colony.yml", "mode: enforce\n"))
	}
	w.quiet()
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
		w.quiet()
		w.github.ResetCalls()
		i.label("colony:analyzing")
		w.quiet()
		i.ended("colony:analyzing")
		const most = 9 // the policy, the labels and the stamp of a repository that was not begun; the issue, its log and the old label of each
		if n := w.callsIn(i.repo); n > most {
			t.Errorf("in %s a move took %d calls, more than %d", i.repo, n, most)
		}
	}
	w.pass(10, time.Minute)
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
	w := newWorld(t, inMode(""))
	w.asks(lifecycle.ModeOff)
	w.github.DropNext(1)
	w.commit("widgets", ".github/colony.yml", "mode: enforce\n")
	w.clock.Advance(10 * time.Minute)
	_, _, err := w.as("mona").Issues.EditLabel(ctx, "acme", "widgets", "colony:new", &github.Label{Color: new("ededed")})
	w.must(err)
	w.settle()
	if got := w.repositoryLabel("colony:new").GetColor(); got == "ededed" {
		t.Errorf("the label still has the colour %s", got)
	}
}
