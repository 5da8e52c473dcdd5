package replay_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/reconcile/replay"
	"github.com/colony-app/colony/statemachine"
)

var (
	since  = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	olivia = lifecycle.Actor{Login: "olivia", Kind: lifecycle.Operator}
	dev    = lifecycle.Actor{Login: "dev[bot]", Kind: lifecycle.Executor}
)

func shipped(t testing.TB, name string) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped(name)
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func rules(life *statemachine.Table) replay.Rules {
	return replay.Rules{
		Settings: reconcile.Settings{
			Policy: policy.Policy{
				Lifecycle: life, Commands: policy.Commands{Move: issues.PermissionTriage, Force: issues.PermissionMaintain}, Intake: policy.Intake{When: policy.None},
			},
			Horizon:    72 * time.Hour,
			Thresholds: statemachine.Thresholds{Settle: 2 * time.Second, Lag: 10 * time.Second, BreakerRejections: 5, BreakerWindow: 30 * time.Minute},
		},
		Since: since, Until: since.Add(30 * 24 * time.Hour),
	}
}

// history is the log of an issue under way.
type history struct {
	life   *statemachine.Table
	at     time.Time
	labels []string
	log    []issues.Recorded
	said   []replay.Comment
}

func (h *history) label(by lifecycle.Actor, added bool, state string) {
	label := h.life.Label(state)
	if label == "" || lifecycle.HasLabel(h.labels, label) == added {
		return
	}
	kind := issues.RecordedUnlabeled
	if added {
		kind, h.labels = issues.RecordedLabeled, append(h.labels, label)
	} else {
		h.labels = slices.DeleteFunc(h.labels, func(l string) bool { return l == label })
	}
	h.log = append(h.log, issues.Recorded{ID: int64(1000 + 7*len(h.log)), Kind: kind, At: h.at, By: by, Name: label})
}

func (h *history) swap(by lifecycle.Actor, from, to string) {
	h.label(by, true, to)
	h.label(by, false, from)
}

func (h *history) command(by lifecycle.Actor, right commands.Right, text string) {
	h.said = append(h.said, replay.Comment{
		ID: int64(90_000 + len(h.said)), At: h.at, Requester: commands.Requester{Actor: by, Right: right}, Invocations: commands.Parse(text),
	})
}

func (h *history) issue() replay.Issue {
	v := issues.View{Ref: issues.Ref{Repository: issues.Repository{Owner: "acme", Name: "widgets"}, Number: 1}, Author: olivia, Created: since.Add(-time.Hour), Labels: h.labels}
	return replay.Issue{View: v, Log: h.log, Comments: h.said}
}

func told(o replay.Outcome, kinds ...replay.Kind) (lines []string) {
	for _, f := range o.Findings {
		if slices.Contains(kinds, f.Kind) {
			lines = append(lines, fmt.Sprintf("%s %s: %s -> %s by %s, %s %v%d", f.At.Sub(since), f.Kind, f.From, f.To, f.By.Login, f.Reason, f.EventIDs, f.CommentID))
		}
	}
	return lines
}

var undone = []replay.Kind{replay.Refuses, replay.Blocks, replay.Stops}

// After a refusal the issue is where it was: what follows is judged from there, and a label that Colony put back gives no event.
func TestAfterARefusalTheIssueIsRestored(t *testing.T) {
	t.Parallel()
	h := &history{life: shipped(t, "colony"), at: since.Add(-time.Hour)}
	h.label(olivia, true, "in-review")
	h.at = since.Add(time.Hour)
	h.swap(olivia, "in-review", "new") // not in the table
	h.at = since.Add(2 * time.Hour)
	h.swap(olivia, "new", "merge-pending") // from in-review it is
	h.at = since.Add(3 * time.Hour)
	h.swap(olivia, "merge-pending", "in-review")
	by := rules(h.life)
	by.Until = h.at.Add(time.Hour) // before any time-out
	o := replay.Run(by, h.issue())
	want := []string{"1h0m0s refused: in-review -> new by olivia, not-in-table [1007 1014]0"}
	if diff := cmp.Diff(want, told(o, undone...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if o.State != "in-review" || o.Legal != 2 {
		t.Errorf("it ends in %s after %d legal moves", o.State, o.Legal)
	}
	// The refusal adds two labels in one call, takes one off and writes a comment; the next legal move leaves in-review behind, and takes colony:needs-human off.
	if want := 3 + 2; o.Cost.Writes != want {
		t.Errorf("it costs %+v, want %d writes", o.Cost, want)
	}
}

// A bot's bad request leads to where the lifecycle sends it; commands are judged like labels.
func TestBotsAndCommands(t *testing.T) {
	t.Parallel()
	h := &history{life: shipped(t, "colony"), at: since.Add(-time.Hour)}
	h.label(olivia, true, "in-development")
	h.at = since.Add(time.Hour)
	h.swap(dev, "in-development", "done")
	h.at = since.Add(2 * time.Hour)
	h.command(olivia, commands.MayMove, "/colony:retry")
	h.at = since.Add(3 * time.Hour)
	h.command(olivia, commands.MayMove, "/colony:move unlabeled")
	h.at = since.Add(4 * time.Hour)
	h.command(lifecycle.Actor{Login: "rita", Kind: lifecycle.Author}, commands.MayRead, "/colony:pause")
	by := rules(h.life)
	by.Until = h.at.Add(time.Hour)
	o := replay.Run(by, h.issue())
	want := []string{
		"1h0m0s blocked: in-development -> done by dev[bot], not-for-role [1007]0",
		"3h0m0s refused: ready-for-dev ->  by olivia, command-refused []90001",
		"4h0m0s refused: ready-for-dev ->  by rita, not-permitted []90002",
	}
	if diff := cmp.Diff(want, told(o, undone...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if o.State != "ready-for-dev" {
		t.Errorf("it ends in %s", o.State)
	}
}

// Each move of a comment counts, and what it asks for in vain too.
func TestEachMoveOfACommentCounts(t *testing.T) {
	t.Parallel()
	h := &history{life: shipped(t, "colony"), at: since.Add(-time.Hour)}
	h.label(olivia, true, "new")
	h.at = since.Add(time.Hour)
	h.command(olivia, commands.MayMove, "/colony:move analyzing\n/colony:move ready-for-dev")
	h.at = since.Add(2 * time.Hour)
	h.command(olivia, commands.MayMove, "/colony:move in-development\n/colony:move unlabeled")
	h.at = since.Add(3 * time.Hour)
	h.command(olivia, commands.MayMove, "/colony:move unlabeled\n/colony:move in-review")
	by := rules(h.life)
	by.Until = h.at.Add(time.Hour)
	want := []string{
		"1h0m0s finished: new -> analyzing by olivia, command []90000",
		"1h0m0s finished: analyzing -> ready-for-dev by olivia, command []90000",
		"2h0m0s finished: ready-for-dev -> in-development by olivia, command []90001",
		"2h0m0s refused: in-development ->  by olivia, command-refused []90001",
		"3h0m0s finished: in-development -> in-review by olivia, command []90002",
		"3h0m0s refused: in-development ->  by olivia, command-refused []90002",
	}
	if diff := cmp.Diff(want, told(replay.Run(by, h.issue()), append(undone, replay.Finishes)...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Who approves in a comment that says more begins no other round, and a command that is refused keeps no reply from counting.
func TestAReplyWaitsForTheCommandsOfItsComment(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"/colony:approve": `refining -> approved: "command"`,
		"/colony:resume":  `refining -> refining: "A person replied"`,
	} {
		h := &history{life: shipped(t, "autoralph"), at: since.Add(-time.Hour)}
		h.label(olivia, true, "queued")
		h.at = since.Add(time.Hour)
		h.swap(olivia, "queued", "refining")
		h.at = since.Add(2 * time.Hour)
		h.command(olivia, commands.MayMove, command)
		h.said[0].Says = true
		by := rules(h.life)
		by.Until = h.at.Add(time.Hour)
		o := replay.Run(by, h.issue())
		var moves []string
		for _, f := range o.Findings {
			if f.Kind == replay.Moves || f.Kind == replay.Finishes {
				moves = append(moves, fmt.Sprintf("%s -> %s: %q", f.From, f.To, f.Reason))
			}
		}
		if diff := cmp.Diff([]string{want}, moves); diff != "" {
			t.Errorf("%s: -want +got:\n%s", command, diff)
		}
		if o.LeftOut[replay.LeftRestless] > 0 {
			t.Errorf("%s: it does not come to rest", command)
		}
	}
}

// drawHistory draws what people and bots do to an issue, before and after the replay begins.
func drawHistory(t *rapid.T, life *statemachine.Table, legal bool) *history {
	h := &history{life: life, at: since.Add(-time.Duration(rapid.IntRange(0, 200_000).Draw(t, "before")) * time.Second)}
	states := life.StateNames()
	state := life.Initial
	for range rapid.IntRange(0, 25).Draw(t, "steps") {
		h.at = h.at.Add(time.Duration(rapid.SampledFrom([]int{1, 5, 60, 3_000, 90_000}).Draw(t, "pause")) * time.Second)
		by := rapid.SampledFrom([]lifecycle.Actor{olivia, dev}).Draw(t, "by")
		if legal {
			next := life.Next(olivia, state)
			if len(next) == 0 {
				break
			}
			to := rapid.SampledFrom(next).Draw(t, "to").To
			h.swap(olivia, state, to)
			state = to
			continue
		}
		to := rapid.SampledFrom(states).Draw(t, "to")
		switch rapid.IntRange(0, 4).Draw(t, "what") {
		case 0:
			h.label(by, true, to)
		case 1:
			h.label(by, false, to)
		case 2:
			h.command(by, rapid.SampledFrom([]commands.Right{commands.MayRead, commands.MayMove, commands.MayForce}).Draw(t, "right"), "/colony:"+
				rapid.SampledFrom([]string{"pause", "resume", "retry", "status", "move " + to, "force " + to + " because"}).Draw(t, "command"))
		default:
			for _, from := range states {
				if lifecycle.HasLabel(h.labels, life.Label(from)) && from != to {
					h.swap(by, from, to)
					break
				}
			}
		}
	}
	return h
}

// What is legal is not refused, and the simulated issue ends where the real one does.
func TestLegalHistoriesAreLeftAlone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"colony", "prp"} {
		life := shipped(t, name)
		long.Check(t, func(t *rapid.T) {
			h := drawHistory(t, life, true)
			by := rules(life)
			by.Until = h.at.Add(time.Minute)
			o := replay.Run(by, h.issue())
			if lines := told(o, replay.Refuses, replay.Blocks, replay.Stops); len(lines) > 0 && !exhausts(o) {
				t.Fatalf("%s: %q", name, lines)
			}
		})
	}
}

func exhausts(o replay.Outcome) bool {
	return slices.ContainsFunc(o.Findings, func(f replay.Finding) bool {
		return f.Reason == replay.LimitReached || f.Reason == string(lifecycle.NeedsReason) || f.Reason == string(lifecycle.NotPrevious) || f.Kind == replay.Moves
	})
}

// Whatever happened: a replay changes nothing of what it is given and always comes to the same, what it names happened since it begins and is
// named once, the simulated issue ends with the label of its state alone unless Colony has stopped there, and what an enforcing Colony
// would leave in the log gives the same refusals again.
func TestReplays(t *testing.T) {
	t.Parallel()
	for _, name := range lifecycle.ShippedNames() {
		life := shipped(t, name)
		long.Check(t, func(t *rapid.T) {
			h := drawHistory(t, life, false)
			given := h.issue()
			kept := h.issue()
			kept.Log, kept.Comments, kept.View.Labels = slices.Clone(kept.Log), slices.Clone(kept.Comments), slices.Clone(kept.View.Labels)
			by := rules(life)
			o := replay.Run(by, given)
			if !reflect.DeepEqual(kept, given) {
				t.Fatal("it changed what it was given")
			}
			if !reflect.DeepEqual(o, replay.Run(by, given)) {
				t.Fatal("it comes to something else the second time")
			}
			if o.LeftOut[replay.LeftRestless] > 0 {
				t.Fatal("it does not come to rest")
			}
			named := map[int64]bool{}
			stopped := false
			for _, f := range o.Findings {
				stopped = stopped || f.Kind == replay.Stops
				if !slices.Contains(undone, f.Kind) || f.CommentID != 0 {
					continue
				}
				for _, id := range f.EventIDs {
					at := slices.IndexFunc(h.log, func(e issues.Recorded) bool { return e.ID == id })
					if at < 0 || h.log[at].At.Before(since) || named[id] {
						t.Fatalf("it names %+v", f)
					}
					named[id] = true
				}
			}
			var states []string
			for _, label := range o.Labels {
				if s, is := life.StateOf(label); is {
					states = append(states, s.Name)
				}
			}
			happened := slices.ContainsFunc(h.log, func(e issues.Recorded) bool { return !e.At.Before(since) })
			if want := life.Label(o.State); happened && !stopped && (len(states) > 1 || want != "" && len(states) != 1) {
				t.Fatalf("it is in %s, and has the labels of %v", o.State, states)
			}
		})
	}
}
