package app_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/simulate"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
	"github.com/colony-app/colony/reconcile/replay"
	"github.com/colony-app/colony/statemachine"
)

// deed is what somebody did on an issue.
type deed struct {
	after time.Duration // since the history began
	issue int           // its number
	by    string
	put   string // a label that was put there,
	take  string // or taken off,
	says  string // or a comment
	// event or comment is the id of what GitHub kept of it, 0 if that is nothing.
	event, comment int64
}

// begins is how long after a world began its history does.
const begins = time.Hour

// do lets a deed be done, and notes what GitHub keeps of it.
func (w *world) do(d deed) deed {
	w.t.Helper()
	before := w.lastEvent(d.issue)
	switch {
	case d.put != "":
		_, _, err := w.As(d.by).Issues.AddLabelsToIssue(ctx, "acme", "widgets", d.issue, []string{d.put})
		w.Must(err)
	case d.take != "": // GitHub answers 404 if it is not there
		response, err := w.As(d.by).Issues.RemoveLabelForIssue(ctx, "acme", "widgets", d.issue, url.PathEscape(d.take))
		if response == nil || response.StatusCode != 404 {
			w.Must(err)
		}
	default:
		c, _, err := w.As(d.by).Issues.CreateComment(ctx, "acme", "widgets", d.issue, &github.IssueComment{Body: &d.says})
		w.Must(err)
		d.comment = c.GetID()
		return d
	}
	d.event = 0
	for _, e := range w.events(d.issue) {
		if e.GetID() > before && e.GetActor().GetLogin() == d.by && e.GetLabel().GetName() == cmp.Or(d.put, d.take) {
			d.event = e.GetID()
		}
	}
	return d
}

func (w *world) events(number int) []*github.IssueEvent {
	w.t.Helper()
	var all []*github.IssueEvent
	for page := 1; page != 0; {
		list, response, err := w.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", number, &github.ListOptions{PerPage: 100, Page: page})
		w.Must(err)
		all, page = append(all, list...), response.NextPage
	}
	return all
}

func (w *world) lastEvent(number int) (id int64) {
	w.t.Helper()
	for _, e := range w.events(number) {
		id = max(id, e.GetID())
	}
	return id
}

// labelsOf are the labels of an issue.
func (w *world) labelsOf(number int) (names []string) {
	w.t.Helper()
	is, _, err := w.As("mona").Issues.Get(ctx, "acme", "widgets", number)
	w.Must(err)
	for _, l := range is.Labels {
		names = append(names, l.GetName())
	}
	slices.Sort(names)
	return names
}

// labelled are the labels of the states of a lifecycle.
func labelled(life *statemachine.Table) (labels []string) {
	for _, s := range life.States {
		if s.Label != "" {
			labels = append(labels, s.Label)
		}
	}
	return labels
}

// openAll opens the issues of a history: one without a state, and some in the states of the lifecycle.
func (w *world) openAll(life *statemachine.Table) {
	w.t.Helper()
	w.open("olivia", "Paint it.")
	for i, label := range labelled(life) {
		if i%2 == 0 {
			w.open("olivia", "Paint it.", label)
		}
	}
}

// month draws ten days, or with -long a month, of what people and bots do in a repository without Colony, does it, and returns it.
func (w *world) month(seed uint64, life *statemachine.Table) []deed {
	w.t.Helper()
	random := rand.New(rand.NewPCG(seed, 12))
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	states := labelled(life)
	verbs := []string{"status", "force"}
	for _, c := range life.Commands {
		verbs = append(verbs, c.Verb)
	}
	length := 30 * 24 * time.Hour
	if !long.Whole() {
		length /= 3
	}
	start := w.clock.Now()
	var deeds []deed
	for after := time.Duration(0); after < length; {
		gap := time.Duration(random.IntN(8*3600)) * time.Second
		if random.IntN(4) == 0 {
			gap = time.Duration(5+random.IntN(60)) * time.Second // somebody insists
		}
		if after += 20*time.Second + gap; after > length {
			break
		}
		w.clock.Advance(start.Add(after).Sub(w.clock.Now()))
		d := deed{after: after, issue: w.Issues[random.IntN(len(w.Issues))].Number}
		if n := len(deeds); n > 0 && gap < 2*time.Minute {
			d.issue = deeds[n-1].issue
		}
		d.by = pick("olivia", "olivia", "tara", "dev[bot]", "reviewer[bot]", "analyzer[bot]")
		to := pick(states...)
		var here []string
		for _, label := range w.labelsOf(d.issue) {
			if slices.Contains(states, label) {
				here = append(here, label)
			}
		}
		put, take := d, d
		put.put = to
		switch random.IntN(10) {
		case 0: // only taken off
			if len(here) == 0 {
				continue
			}
			take.take = pick(here...)
			deeds = append(deeds, w.do(take))
		case 1: // only put there
			deeds = append(deeds, w.do(put))
		case 2, 3:
			d.by = pick("olivia", "tara", "mona", "rita", "dev[bot]")
			d.says = "/colony:" + pick(pick(verbs...), pick(verbs...)+" because it burns", "move "+to, "move "+to, "force "+to+" because", pick(verbs...)+" "+to)
			deeds = append(deeds, w.do(d))
		case 4: // an answer
			d.by, d.says = pick("olivia", "tara", "rita", "dev[bot]"), "It is so."
			deeds = append(deeds, w.do(d))
		default: // the one for the other, in either order
			if len(here) == 0 {
				deeds = append(deeds, w.do(put))
				continue
			}
			take.take = pick(here...)
			if take.take == put.put {
				continue
			}
			if random.IntN(3) == 0 {
				deeds = append(deeds, w.do(take), w.do(put))
			} else {
				deeds = append(deeds, w.do(put), w.do(take))
			}
		}
	}
	w.clock.Advance(start.Add(30*24*time.Hour + begins).Sub(w.clock.Now()))
	return slices.DeleteFunc(deeds, func(d deed) bool { return d.event == 0 && d.comment == 0 }) // what changed nothing is in no log
}

// simulate simulates what happened since a history began, with a token that sees the repository.
func (w *world) simulate(o simulate.Options) (*simulate.Report, []replay.Outcome) {
	w.t.Helper()
	var all []replay.Outcome
	o.Repository = "acme/widgets"
	o.Each = func(outcome replay.Outcome) { all = append(all, outcome) }
	w.github.ResetCalls()
	report, err := simulate.Run(ctx, w.config, app.Options{Clock: w.clock, Token: w.github.Token("mona")}, o)
	w.Must(err)
	for _, c := range w.github.Calls() {
		if c.Method != "GET" {
			w.t.Errorf("the simulation changes something: %s %s", c.Method, c.Path)
		}
	}
	slices.SortFunc(all, func(a, b replay.Outcome) int { return a.Ref.Number - b.Ref.Number })
	return report, all
}

// refusals are what simulations name: the events that Colony would have explained, each comment's together, and the comments of which it
// would not have run a command.
func refusals(all []replay.Outcome) (lines []string) {
	for _, o := range all {
		for _, f := range o.Findings {
			switch {
			case f.Kind == replay.Stops:
				lines = append(lines, fmt.Sprintf("#%d stops at %d", o.Ref.Number, f.EventID))
			case f.Kind != replay.Refuses && f.Kind != replay.Blocks && f.Kind != replay.Warns:
			case f.CommentID != 0:
				lines = append(lines, fmt.Sprintf("#%d command %d %s", o.Ref.Number, f.CommentID, f.Reason))
			default:
				for _, id := range f.EventIDs {
					lines = append(lines, fmt.Sprintf("#%d event %d", o.Ref.Number, id))
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// refused are the same of what Colony in fact wrote, with the ids that these have in a recorded history.
func (w *world) refused(recorded, done []deed) (lines []string) {
	w.t.Helper()
	events, comments := map[int64]int64{}, map[int64]int64{}
	for i := range done {
		events[done[i].event], comments[done[i].comment] = recorded[i].event, recorded[i].comment
	}
	for _, i := range w.Issues {
		for _, c := range i.AllComments() {
			if c.GetUser().GetLogin() == "colony[bot]" {
				markers := wording.Markers(c.GetBody())
				for _, id := range markers[wording.Explains] {
					if told := strings.Contains(c.GetBody(), "moved this issue from"); events[id] != 0 && !told { // a legal move may be told of too
						lines = append(lines, fmt.Sprintf("#%d event %d", i.Number, events[id]))
					}
				}
				last := int64(0)
				for _, id := range markers[wording.Halts] {
					last = max(last, events[id])
				}
				if last != 0 {
					lines = append(lines, fmt.Sprintf("#%d stops at %d", i.Number, last))
				}
				continue
			}
			for _, r := range i.ColonyReactions(c.GetID()) {
				if why := map[string]string{"confused": replay.BadCommand, "-1": replay.NotPermitted}[r.GetContent()]; why != "" {
					lines = append(lines, fmt.Sprintf("#%d command %d %s", i.Number, comments[c.GetID()], why))
				}
			}
		}
	}
	slices.Sort(lines)
	return lines
}

// A month of what people and bots did without Colony: the simulation names exactly the refusals that Colony makes when the same is done
// where it enforces, leaves each issue in the same state with the same labels, and counts its writes. Of the log with Colony's own
// events it says the same again.
func TestSimulationNamesTheRefusalsOfEnforcing(t *testing.T) {
	t.Parallel()
	simulateMonths(t, 100, lifecycle.ModeEnforce)
}

// The same where Colony only warns: the simulation names what it says, and nothing is undone.
func TestSimulationNamesWhatWarningSays(t *testing.T) {
	t.Parallel()
	simulateMonths(t, 200, lifecycle.ModeWarn)
}

// simulateMonths plays a month of each shipped lifecycle, or so many as COLONY_TEST_MONTHS says; what is more than 99 is the seed of one.
func simulateMonths(t *testing.T, first uint64, mode lifecycle.Mode) {
	t.Helper()
	names := []string{"colony", "autoralph", "prp", "colibri"}
	months := uint64(len(names))
	if !long.Whole() {
		months = 1
	}
	if word := os.Getenv("COLONY_TEST_MONTHS"); word != "" {
		n, err := strconv.ParseUint(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if months = n; n > 99 {
			first, months = n, 1
		}
	}
	for seed := first; seed < first+months; seed++ {
		name := names[seed%4]
		t.Run(name+"-"+strconv.FormatUint(seed, 10), func(t *testing.T) { t.Parallel(); simulatedAndDone(t, seed, name, mode) })
	}
}

func simulatedAndDone(t *testing.T, seed uint64, name string, mode lifecycle.Mode) {
	t.Helper()
	judged := func(c *config.Config) {
		c.Lifecycle, c.Mode, c.Follow = name, mode, []lifecycle.Reading{lifecycle.ReadComments}
	}
	without := newWorldWithoutColony(t, judged)
	life, err := statemachine.Shipped(name)
	without.Must(err)
	for _, m := range life.Labels() {
		_, _, err := without.As("mona").Issues.CreateLabel(ctx, "acme", "widgets", &github.Label{Name: new(m.Label), Color: new("ededed")})
		without.Must(err)
	}
	without.openAll(life)
	without.clock.Advance(begins)
	start := without.clock.Now()
	recorded := without.month(seed, life)
	span := without.clock.Since(start)
	report, all := without.simulate(simulate.Options{Since: span, Mode: mode})
	without.Issues = nil // nobody speaks there
	named := refusals(all)
	if len(named) < 10 || report.Issues == 0 {
		t.Fatalf("seed %d: %d refusals of %d issues are too few to compare", seed, len(named), report.Issues)
	}

	with := newWorldWithoutColony(t, judged)
	with.makeLabels()
	with.openAll(life)
	opened := with.clock.Now()
	with.clock.Advance(begins / 2)
	with.start()
	with.install()
	with.clock.Advance(opened.Add(begins).Sub(with.clock.Now()))
	with.Quiet()
	with.github.ResetCalls()
	writes := 0
	begun := with.clock.Now()
	until := func(after time.Duration) {
		if wait := begun.Add(after).Sub(with.clock.Now()); wait > 0 {
			with.clock.Advance(wait)
			with.Quiet()
		}
	}
	// A sweep finds time-outs and what lacks a reflection: one comes each day, and one when the simulation says that there is something.
	var sweeps []time.Duration
	for _, o := range all {
		for _, f := range o.Findings {
			if f.Kind == replay.Moves || f.Kind == replay.Reminds {
				sweeps = append(sweeps, f.At.Sub(start)+time.Second)
			}
		}
	}
	for day := 24 * time.Hour; day <= span; day += 24 * time.Hour {
		sweeps = append(sweeps, day)
	}
	slices.Sort(sweeps)
	sweepBefore := func(after time.Duration) {
		for len(sweeps) > 0 && sweeps[0] < after {
			until(sweeps[0])
			sweeps = sweeps[1:]
			with.Must(with.colony.server.Sweep(ctx))
			with.Settle()
		}
	}
	done := make([]deed, 0, len(recorded))
	for n := 0; n < len(recorded); {
		sweepBefore(recorded[n].after)
		until(recorded[n].after)
		with.github.HoldDeliveries() // what was done in the same second was done before Colony heard of it
		second := recorded[n].after
		for ; n < len(recorded) && recorded[n].after == second; n++ {
			done = append(done, with.do(recorded[n]))
		}
		with.github.ReleaseDeliveries(nil)
		with.Settle()
	}
	sweepBefore(span)
	until(span)
	with.Settle()
	for _, c := range with.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method != "GET" && !strings.HasSuffix(c.Path, "/graphql") {
			writes++
		}
	}

	if diff := gocmp.Diff(with.refused(recorded, done), named); diff != "" {
		t.Errorf("seed %d: -enforced +simulated:\n%s", seed, diff)
	}
	for _, o := range all {
		slices.Sort(o.Labels)
		if diff := gocmp.Diff(with.labelsOf(o.Ref.Number), o.Labels, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("seed %d: labels of #%d: -enforced +simulated:\n%s", seed, o.Ref.Number, diff)
		}
	}
	t.Logf("seed %d: %d deeds, %d refusals, %d writes, simulated %d writes and %d reads", seed, len(recorded), len(named), writes, report.Cost.Writes, report.Cost.Reads)
	for _, call := range with.Written() { // a simulation records no verdict of what it counts as granted
		if strings.HasPrefix(call, "DELETE ") && strings.Contains(call, "checked") {
			writes -= 2 // on and off
		}
	}
	if writes != report.Cost.Writes {
		t.Errorf("seed %d: Colony made %d writes, and the simulation says %d", seed, writes, report.Cost.Writes)
	}
	_, again := with.simulate(simulate.Options{Since: with.clock.Since(begun), Mode: mode})
	if diff := gocmp.Diff(named, refusals(renamed(again, recorded, done))); diff != "" {
		t.Errorf("seed %d: -simulated without Colony +simulated of what Colony did:\n%s", seed, diff)
	}
	with.Issues = nil // what Colony says is compared above
}

// renamed gives the events and comments of what simulations found the ids that they have in a recorded history.
func renamed(all []replay.Outcome, recorded, done []deed) []replay.Outcome {
	events, comments := map[int64]int64{}, map[int64]int64{}
	for i := range done {
		events[done[i].event], comments[done[i].comment] = recorded[i].event, recorded[i].comment
	}
	for _, o := range all {
		for i := range o.Findings {
			f := &o.Findings[i]
			f.EventID, f.CommentID = events[f.EventID], comments[f.CommentID]
			for n, id := range f.EventIDs {
				f.EventIDs[n] = events[id]
			}
		}
	}
	return all
}
