package statemachine

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
)

var histories = flag.Int("histories", 3000, "how many random histories TestModel plays")

// The model check plays random histories on a tiny GitHub: people and bots edit labels, and Colony reconciles at times
// of its own, reads labels and log that may be stale, and may be killed after each of its writes. Once
// everybody is quiet, one fresh reconciliation must bring the issue to what its log says, and a second must find nothing to do.
func TestModel(t *testing.T) {
	defer setFlag(t, "rapid.checks", strconv.Itoa(*histories))()
	for _, name := range append(lifecycle.ShippedNames(), "errands") {
		lives := []*Table{lifeOf(t, name)}
		if name != "errands" {
			lives = append(lives, adopting(t, name))
		}
		t.Run(name, func(t *testing.T) {
			long.Check(t, func(t *rapid.T) { playHistory(t, lives[max(0, rapid.IntRange(-2, len(lives)-1).Draw(t, "names"))]) })
		})
	}
}

func setFlag(t *testing.T, name, value string) (restore func()) {
	t.Helper()
	old := flag.Lookup(name).Value.String()
	if err := flag.Set(name, value); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := flag.Set(name, old); err != nil {
			t.Fatal(err)
		}
	}
}

var modelThresholds = Thresholds{Settle: 2 * time.Second, Lag: 5 * time.Second, BreakerRejections: 5, BreakerWindow: 30 * time.Minute}

const modelHorizon = 72 * time.Hour

var (
	modelPeople  = []lifecycle.Actor{{Login: "olga", Kind: lifecycle.Operator}, {Login: "omar", Kind: lifecycle.Operator}}
	modelColony  = lifecycle.Actor{Login: "colony[bot]", Kind: lifecycle.Colony}
	modelForeign = []string{"bug", "colony:urgency/2"}
)

// world is one issue on the tiny GitHub, with the Colony that reconciles it.
type world struct {
	t        *rapid.T
	life     *Table
	patience Thresholds
	now      time.Time

	labels labelSet
	log    []Change
	// seen[i] are the labels after i events: what a stale read may still return.
	seen [][]string
	// bots are one that may do whatever some role may, and one that is bound to a role.
	bots []lifecycle.Actor
	// installed is since when Colony is there; zero if it adopts what was there before.
	installed time.Time
	// facts hold beside the labels; closed says that Colony closed the issue.
	facts  []Observation
	closed bool
	// commented is when somebody last wrote a comment: that changes the issue too.
	commented time.Time

	comments []comment
	// writing is what Colony has decided and not yet written.
	writing []func()
	// forcing says that a forced move is on its way.
	forcing bool
	// repairs are the events that Colony made to restore what the log said, in contrast to the moves of commands, each with
	// whether it was made from what Colony could know to be true.
	repairs map[int64]bool
	// others counts the edits that were no repairs.
	others int
	// commanded are the events that Colony made for a command, with its author, and known are the ones that Colony remembers.
	commanded map[int64]lifecycle.Actor
	known     map[int64]bool
	// read and saw are after how many events the last reconciliation had the log and the labels.
	read, saw int
	guards    modelGuards
	// round is the round that Colony noted last, before it began it.
	round notedRound
	// warns says that Colony undoes nothing.
	warns bool
	// named are the states whose label another one was renamed to.
	named map[string]bool
	// reopened is when somebody last opened the issue again.
	reopened time.Time
}

// notedRound is a round that Colony was about to begin when the log showed so many events.
type notedRound struct {
	label string
	at    time.Time
	after int
}

// hiddenIn reports whether a log can hide the round.
func (r notedRound) hiddenIn(log []Change, now time.Time) bool {
	return r.label != "" && now.Sub(r.at) < modelThresholds.Lag && !slices.ContainsFunc(log, func(c Change) bool {
		return c.ID > int64(r.after) && c.Added && lifecycle.SameLabel(c.Label, r.label)
	})
}

// comment is one of Colony's, with its marker: the ids of the events it answers. refused is what it says was asked for. stale says that
// Colony stopped because of a log that hid events.
type comment struct {
	ids         []int64
	halt, stale bool
	refused     string
}

func (w *world) edit(by lifecycle.Actor, add bool, label string) {
	if w.labels.has(label) == add {
		return // GitHub makes no event of an edit that changes nothing
	}
	if add {
		w.labels.add(label)
	} else {
		w.labels.remove(label)
	}
	w.log = append(w.log, Change{Moment: Moment{At: w.now, ID: int64(len(w.log) + 1)}, Added: add, Label: label, By: by})
	w.seen = append(w.seen, slices.Sorted(maps.Values(w.labels)))
	w.others++
}

// history is what the log shows, with all that the comments add to it.
func (w *world) history(logged, labelled int) History {
	return History{
		Changes: w.log[:logged], Labels: w.seen[labelled], Terms: Terms{JudgedSince: w.now.Add(-modelHorizon), Installed: w.installed, Stands: w.warns},
		Ordered: func(id int64) (lifecycle.Actor, bool) { return w.commanded[id], true },
		Answers: w.guards.answer, Explained: w.answered,
	}
}

// standing is what the log comes to for who knows all of it, and all that guards ask for.
func (w *world) standing() Standing { return w.life.Fold(w.history(len(w.log), len(w.log))) }

// remembered is what Colony makes of the log before it reads any comment.
func (w *world) remembered() Standing {
	h := w.history(w.read, w.saw)
	h.Ordered = func(id int64) (lifecycle.Actor, bool) { return w.commanded[id], w.known[id] }
	if !w.guards.read {
		h.Answers = nil
	}
	return w.life.Fold(h)
}

func (w *world) view(logged, labelled int, mayWait bool) input {
	w.read, w.saw, w.guards.read = logged, labelled, false
	in := input{
		Case: Case{Standing: w.remembered(), Labels: w.seen[labelled], Now: w.now, MayWait: mayWait, Closed: w.closed},
		Evidence: Evidence{
			Said:  Said{ForcePending: w.forcing, Answered: w.answered, Stopped: w.answered, Asked: w.answered, RefusedCommand: func(time.Time) bool { return false }},
			Facts: Facts{Observed: w.facts, Late: mayWait && w.round.hiddenIn(w.log[:logged], w.now)},
		},
	}
	for _, spec := range lifecycle.FactSpecs() {
		in.Facts.Read = append(in.Facts.Read, spec.Needs)
	}
	in.Updated, in.Standing.Reopened.At = w.commented, w.reopened
	if labelled > 0 && w.log[labelled-1].At.After(in.Updated) {
		in.Updated = w.log[labelled-1].At
	}
	return in
}

func (w *world) answered(id int64) bool {
	return slices.ContainsFunc(w.comments, func(c comment) bool { return slices.Contains(c.ids, id) })
}

// decide replaces what Colony was about to write by what a reconciliation decides: add, remove, explain. It is sure if Colony could notice
// whatever the log did not show.
func (w *world) decide(in input, sure bool) (d Decision) {
	err := Meet(func() (n Needs) {
		d, n = w.life.Decide(w.patience, in.Case, in.Evidence)
		return n
	}, func(n Needs) error {
		if len(n.Guards) > 0 {
			in.GuardsRead = true
			w.guards.reads(w.read)
		}
		for _, m := range in.Standing.Made() {
			w.known[m.ID] = w.known[m.ID] || m.By.Kind == lifecycle.Colony && !m.At.Before(n.OrdersSince)
		}
		in.Standing = w.remembered()
		return nil
	})
	if err != nil {
		w.t.Fatalf("%v\n%s", err, w)
	}
	w.writing = nil
	if d.Wait.Why == Lag || d.Wait.Why == Unread {
		return d
	}
	others, decided := w.others, w.now
	current := func() bool { return sure && w.others == others && w.now.Sub(decided) < time.Minute }
	if d.Repeat != "" {
		w.round = notedRound{d.Repeat, w.now, w.read}
		w.write(func() { w.automatic(false, d.Repeat, current()) })
		w.write(func() { w.automatic(true, d.Repeat, current()) })
	}
	for _, label := range d.Add {
		if d.Automatic != nil && lifecycle.SameLabel(label, w.life.Label(d.State)) {
			w.write(func() { w.automatic(true, label, current()) })
			continue
		}
		w.write(func() { w.repair(true, label, current()) })
	}
	for _, label := range d.Remove {
		w.write(func() { w.repair(false, label, current()) })
	}
	for _, told := range d.Announce {
		w.write(func() { w.comments = append(w.comments, comment{ids: []int64{told.ID}}) })
	}
	if d.Close != "" {
		w.write(func() { w.closed = true })
	}
	for _, a := range d.Ask {
		w.write(func() { w.comments = append(w.comments, comment{ids: a.IDs}) })
	}
	for _, r := range d.Explain {
		w.write(func() {
			w.comments = append(w.comments, comment{ids: r.IDs, refused: r.To})
			w.guards.doubt(r.ID, current())
		})
	}
	if d.HaltUnsaid {
		w.write(func() { w.comments = append(w.comments, comment{ids: d.Halted.IDs, halt: true, stale: !sure}) })
	}
	return d
}

func (w *world) write(what func()) { w.writing = append(w.writing, what) }

// automatic writes what makes a move of Colony's own.
func (w *world) automatic(add bool, label string, sure bool) {
	w.edit(modelColony, add, label)
	w.guards.doubt(int64(len(w.log)), sure)
}

// repair writes what restores a label. It must not pass for a move, unless Colony could not know better.
func (w *world) repair(add bool, label string, sure bool) {
	before := len(w.log)
	w.edit(modelColony, add, label)
	if len(w.log) == before {
		return
	}
	if _, isState := w.life.StateOf(label); w.warns && add && (isState || lifecycle.SameLabel(label, lifecycle.NeedsHuman)) {
		w.t.Fatalf("Colony adds %s where it only warns\n%s", label, w)
	}
	id := w.log[before].ID
	w.repairs[id] = sure
	w.others--
	for _, m := range w.standing().Trail {
		if sure && m.ID == id && !w.completesRound(m) {
			w.t.Fatalf("the repair of event %d passes for a move: %+v\n%s", id, m, w)
		}
	}
}

// completesRound reports whether Colony took the label of a round off itself, and was killed before it put it on again.
func (w *world) completesRound(m Move) bool {
	for _, c := range slices.Backward(w.log) {
		if !c.Added && lifecycle.SameLabel(c.Label, w.life.Label(m.To)) {
			return m.From == m.To && c.By.Kind == lifecycle.Colony
		}
	}
	return false
}

func (w *world) step() {
	if len(w.writing) > 0 {
		next := w.writing[0]
		w.writing = w.writing[1:]
		next()
	}
}

func playHistory(t *rapid.T, life *Table) {
	w := &world{t: t, life: life, guards: drawGuards(t, life), patience: modelThresholds, now: time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC), labels: labelSet{}, repairs: map[int64]bool{}, commanded: map[int64]lifecycle.Actor{}, known: map[int64]bool{}, named: map[string]bool{}}
	w.patience.BreakerRejections = rapid.SampledFrom([]int{5, 2, 1}).Draw(t, "breaker")
	w.life = w.guards.guarded(life)
	w.warns = rapid.IntRange(0, 3).Draw(t, "warns") == 0
	w.seen = [][]string{nil}
	w.bots = []lifecycle.Actor{{Login: "any[bot]", Kind: lifecycle.Executor}, {Login: "one[bot]", Kind: lifecycle.Executor, Roles: []string{life.Roles[len(life.Roles)/2].Name}}}
	for _, label := range rapid.SampledFrom(w.beginnings()).Draw(t, "created with") {
		w.edit(modelPeople[0], true, label)
	}
	w.now = w.now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Hour, modelHorizon + time.Hour}).Draw(t, "created before"))
	if rapid.Bool().Draw(t, "settles what is there") {
		w.installed = w.now
	}
	actions := rapid.SliceOfN(rapid.SampledFrom(modelActions), 1, 30).Draw(t, "actions")
	for _, a := range actions {
		w.now = w.now.Add(rapid.SampledFrom(modelPauses).Draw(t, "later"))
		a.do(w)
	}
	w.writing, w.forcing, w.facts, w.guards.silent = nil, false, nil, false
	w.check()
}

// beginnings are the labels that issues are created with. With the last of the times before, they are settled when Colony first reconciles.
func (w *world) beginnings() [][]string {
	states := w.labelled()
	first, middle, last := states[0].Label, states[len(states)/2].Label, states[len(states)-1].Label
	return [][]string{nil, {"bug"}, {middle, "bug"}, {middle, first}, {last, middle}}
}

// labelled are the states that have a label.
func (w *world) labelled() []lifecycle.State {
	return slices.DeleteFunc(slices.Clone(w.life.States), func(s lifecycle.State) bool { return s.Label == "" })
}

var modelPauses = []time.Duration{0, 0, time.Second, time.Second, 3 * time.Second, 10 * time.Second, 10 * time.Second, 10 * time.Minute, 25 * time.Hour}

type modelAction struct {
	name string
	do   func(*world)
}

// The actions, as often as they shall be played.
var modelActions = slices.Concat(
	slices.Repeat([]modelAction{{"person adds", (*world).personAdds}}, 3),
	slices.Repeat([]modelAction{{"person removes", (*world).personRemoves}}, 2),
	slices.Repeat([]modelAction{{"person swaps", (*world).personSwaps}}, 2),
	slices.Repeat([]modelAction{{"bot adds", (*world).botAdds}}, 3),
	slices.Repeat([]modelAction{{"bot swaps", (*world).botSwaps}}, 2),
	slices.Repeat([]modelAction{{"bot removes", (*world).botRemoves}}, 1),
	slices.Repeat([]modelAction{{"mark or foreign label", (*world).otherLabel}}, 1),
	slices.Repeat([]modelAction{{"label that comes and goes unseen", (*world).comesAndGoesUnseen}}, 1),
	slices.Repeat([]modelAction{{"comment", (*world).comment}}, 1),
	slices.Repeat([]modelAction{{"something happens elsewhere", (*world).elsewhere}}, 2),
	slices.Repeat([]modelAction{{"colony reconciles", (*world).reads}}, 6),
	slices.Repeat([]modelAction{{"colony writes", (*world).step}}, 6),
	slices.Repeat([]modelAction{{"colony is killed", (*world).killed}}, 1),
	slices.Repeat([]modelAction{{"command", (*world).command}}, 1),
	slices.Repeat([]modelAction{{"force", (*world).force}}, 1),
	slices.Repeat([]modelAction{{"work goes round", (*world).rounds}}, 2),
	slices.Repeat([]modelAction{{"what a guard reads changes", (*world).conditionChanges}}, 2),
	slices.Repeat([]modelAction{{"somebody closes or opens", (*world).closes}}, 1),
	slices.Repeat([]modelAction{{"a label is renamed", (*world).renames}}, 1),
	slices.Repeat([]modelAction{{"a label gets the name of a state's", (*world).renamesForeign}}, 1),
)

func (a modelAction) String() string { return a.name }

func (w *world) label(legalFor lifecycle.Actor) string {
	state := w.standing().State
	if next := w.life.Next(legalFor, state); len(next) > 0 && rapid.Bool().Draw(w.t, "legal") {
		return w.nameOf(rapid.SampledFrom(next).Draw(w.t, "to").To)
	}
	label := w.nameOf(rapid.SampledFrom(w.labelled()).Draw(w.t, "any").Name)
	if rapid.IntRange(0, 9).Draw(w.t, "case") == 9 {
		label = strings.ToUpper(label)
	}
	return label
}

func (w *world) stateLabel() (string, bool) {
	var there []string
	for _, l := range slices.Sorted(maps.Values(w.labels)) {
		if _, ok := w.life.StateOf(l); ok {
			there = append(there, l)
		}
	}
	if len(there) == 0 {
		return "", false
	}
	return rapid.SampledFrom(there).Draw(w.t, "label"), true
}

func (w *world) adds(by lifecycle.Actor) { w.edit(by, true, w.label(by)) }

func (w *world) removes(by lifecycle.Actor) {
	if l, ok := w.stateLabel(); ok {
		w.edit(by, false, l)
	}
}

func (w *world) swaps(by lifecycle.Actor) {
	to := w.label(by)
	from, ok := w.stateLabel()
	if !ok || lifecycle.SameLabel(from, to) {
		return
	}
	addFirst := rapid.Bool().Draw(w.t, "add first")
	w.edit(by, addFirst, map[bool]string{true: to, false: from}[addFirst])
	w.edit(by, !addFirst, map[bool]string{true: from, false: to}[addFirst])
}

func (w *world) person() lifecycle.Actor { return rapid.SampledFrom(modelPeople).Draw(w.t, "person") }
func (w *world) bot() lifecycle.Actor    { return rapid.SampledFrom(w.bots).Draw(w.t, "bot") }
func (w *world) personAdds()             { w.adds(w.person()) }
func (w *world) personRemoves()          { w.removes(w.person()) }
func (w *world) personSwaps()            { w.swaps(w.person()) }
func (w *world) botAdds()                { w.adds(w.bot()) }
func (w *world) botRemoves()             { w.removes(w.bot()) }
func (w *world) botSwaps()               { w.swaps(w.bot()) }

func (w *world) otherLabel() {
	label := rapid.SampledFrom(append([]string{lifecycle.NeedsHuman, lifecycle.Forced}, modelForeign...)).Draw(w.t, "other")
	by := rapid.SampledFrom(slices.Concat(modelPeople, w.bots)).Draw(w.t, "by")
	w.edit(by, !w.labels.has(label), label)
}

// comesAndGoesUnseen leaves the labels as they were, and the log does not show it yet when Colony reconciles: only the time of
// the issue shows it.
func (w *world) comesAndGoesUnseen() {
	shown := len(w.log)
	by := rapid.SampledFrom(slices.Concat(modelPeople, w.bots)).Draw(w.t, "by")
	label := w.label(by)
	there := w.labels.has(label)
	w.edit(by, !there, label)
	w.edit(by, there, label)
	w.now = w.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, 3 * time.Second}).Draw(w.t, "reconciles after"))
	w.sees(shown, len(w.log))
	w.begins()
}

func (w *world) comment() { w.commented = w.now }

// elsewhere something happens that a trigger of the lifecycle may wait for, or is over.
func (w *world) elsewhere() {
	fact := rapid.SampledFrom(lifecycle.FactSpecs()).Draw(w.t, "fact").Fact
	if len(w.life.Triggers) > 0 && rapid.IntRange(0, 3).Draw(w.t, "row") > 0 {
		fact = rapid.SampledFrom(w.life.Triggers).Draw(w.t, "trigger").On
	}
	before := len(w.facts)
	w.facts = slices.DeleteFunc(slices.Clone(w.facts), func(o Observation) bool { return o.Fact == fact })
	if len(w.facts) == before || rapid.Bool().Draw(w.t, "again") {
		w.facts = append(w.facts, Observation{Fact: fact, At: w.now})
	}
}

// reads reads a log and labels that may each lack the last events.
func (w *world) reads() {
	stale := func(what string) int {
		return max(0, len(w.log)-rapid.SampledFrom([]int{0, 0, 0, 1, 2, 4}).Draw(w.t, what))
	}
	w.sees(stale("log lags by"), stale("labels lag by"))
}

// sees decides from so many events and the labels after so many.
func (w *world) sees(logged, labelled int) {
	w.forcing = false
	mayWait := rapid.Bool().Draw(w.t, "may wait")
	in := w.view(logged, labelled, mayWait)
	w.decide(in, labelled == len(w.log) && (logged == len(w.log) || mayWait && w.betrayed(in.Standing.LastChange)))
}

// betrayed reports whether the time of the issue shows events that the log does not show: the last of them is of a later second
// than what is shown, and not older than a log may be behind.
func (w *world) betrayed(shown time.Time) bool {
	if len(w.guards.rows) > 0 {
		return false // a label that goes may pass for a verdict, which is not waited for
	}
	last := w.log[len(w.log)-1].At
	return last.After(shown) && w.now.Sub(last) < w.patience.Lag
}

func (w *world) killed() { w.writing, w.forcing, w.known = nil, false, map[int64]bool{} }

// command is a move that Colony makes for a person or a bot, from what it has just read.
func (w *world) command() {
	s := w.standing()
	by := w.person()
	if rapid.IntRange(0, 2).Draw(w.t, "whose command") == 0 {
		by = w.bot()
	}
	next := slices.DeleteFunc(w.life.NextAt(s, by), func(p lifecycle.Pair) bool { return p.Reason == lifecycle.Required && by.Kind == lifecycle.Executor })
	if len(next) == 0 || !w.recorded() {
		return
	}
	to := rapid.SampledFrom(next).Draw(w.t, "command to").To
	w.writing, w.forcing = nil, false
	own, others := 0, w.others // the events of the command, and those before it
	write := func(what func()) {
		w.guards.doubt(int64(len(w.log)), w.others == others+own)
		before := w.others
		what()
		own += w.others - before
	}
	put := func() { write(func() { w.labelForCommand(by, w.life.Label(to)) }) }
	remove := func(state string) { write(func() { w.edit(modelColony, false, w.life.Label(state)) }) }
	if to == s.State { // one more round
		w.write(func() { remove(to) })
		w.write(put)
	} else {
		w.write(put)
		w.write(func() { remove(s.State) })
	}
	w.begins()
}

// rounds leads the issue to where a limit counts, again and again: by labels and commands of bots, commands of people, and triggers.
func (w *world) rounds() {
	limits := slices.DeleteFunc(slices.Clone(w.life.Limits), func(limit lifecycle.Limit) bool { return limit.AtMost == 0 })
	if len(limits) == 0 {
		return
	}
	limit := rapid.SampledFrom(limits).Draw(w.t, "limit")
	for range rapid.IntRange(1, 12).Draw(w.t, "rounds") {
		s := w.standing()
		w.now = w.now.Add(10 * time.Second)
		by, order := w.bots[0], false
		leads := func(to string) bool {
			return limit.CountsFrom(to) && to != limit.To && w.life.Judge(by, to, limit.To) != lifecycle.NotInTable
		}
		to := limit.To
		if !leads(s.State) {
			ways := slices.DeleteFunc(w.life.Next(by, s.State), func(p lifecycle.Pair) bool { return !leads(p.To) })
			if len(ways) == 0 {
				by = w.person()
				ways = slices.DeleteFunc(w.life.NextAt(s, by), func(p lifecycle.Pair) bool { return !leads(p.To) || p.Reason == lifecycle.Required })
			}
			if len(ways) == 0 {
				return
			}
			to = rapid.SampledFrom(ways).Draw(w.t, "way").To
		} else {
			switch rapid.SampledFrom([]string{"bot", "bot", "bot", "row", "row", "bot's command", "person's command"}).Draw(w.t, "who") {
			case "bot's command":
				order = true
			case "person's command":
				by, order = w.person(), true
			case "row":
				if w.life.MakesItself(s.State, to) {
					by = modelColony
				}
			}
			if (order || by.Kind == lifecycle.Colony) && !w.recorded() || by.Kind != lifecycle.Executor && w.life.Rule(s, Ask{By: by, To: to, Reason: true}, nil).Verdict != lifecycle.Legal || order && w.life.Rule(s, Ask{By: by, To: to, Reason: true}, nil).Verdict != lifecycle.Legal {
				continue
			}
		}
		if order {
			w.labelForCommand(by, w.life.Label(to))
			by = modelColony
		} else {
			w.edit(by, true, w.life.Label(to))
		}
		w.edit(by, false, w.life.Label(s.State))
	}
}

// labelForCommand puts a label on for a command.
func (w *world) labelForCommand(by lifecycle.Actor, label string) {
	before := len(w.log)
	w.edit(modelColony, true, label)
	if len(w.log) > before {
		w.commanded[w.log[before].ID] = by
	}
}

// begins writes some of it at once; the rest may be mixed with what others do, or lost.
func (w *world) begins() {
	for range rapid.IntRange(0, 4).Draw(w.t, "writes") {
		w.step()
	}
}

// force brackets a move, whether the table has it or not, with the mark Forced.
func (w *world) force() {
	s := w.standing()
	to := rapid.SampledFrom(w.labelled()).Draw(w.t, "force to").Name
	if to == s.State || w.labels.has(w.life.Label(to)) || !w.recorded() {
		return
	}
	w.writing, w.forcing = nil, true
	w.write(func() { w.edit(modelColony, true, lifecycle.Forced) })
	w.write(func() { w.edit(modelColony, true, w.life.Label(to)) })
	w.write(func() { w.edit(modelColony, false, w.life.Label(s.State)) })
	w.write(func() { w.edit(modelColony, false, lifecycle.Forced); w.forcing = false })
	w.begins()
}

// check has Colony reconcile once, freshly, and compares the issue with what everybody did.
func (w *world) check() {
	t := w.t
	t.Helper()
	fail := func(format string, args ...any) { t.Helper(); t.Fatalf("%s\n%s", fmt.Sprintf(format, args...), w) }

	foreign := w.foreign()
	var before Standing
	var d Decision
	var logged int64
	// A time-out takes reconciliations of its own, and so does closing where it leads, and the explanation of a label that came by its name.
	for rounds := 0; ; rounds++ {
		w.now = w.now.Add(time.Minute)
		before, logged = w.standing(), int64(len(w.log))
		d = w.decide(w.view(len(w.log), len(w.log), false), true)
		if d.Wait.Why == Lag || d.Wait.Why == Quiet {
			fail("a fresh reconciliation of a quiet issue is requeued: %+v", d)
		}
		for len(w.writing) > 0 {
			w.step()
		}
		if d.Nothing() || len(w.life.TimeOuts)+len(w.named) == 0 && d.Wait.Why != Held {
			break
		}
		if rounds == 6 {
			fail("after six reconciliations Colony goes on: %+v", d)
		}
	}
	after := w.standing()
	if again := w.decide(w.view(len(w.log), len(w.log), false), true); !again.Nothing() {
		fail("a second reconciliation finds something to do: %+v", again)
	}
	if after.State != d.State {
		fail("the reconciliation found state %s, its own writes made it %s", d.State, after.State)
	}
	if diff := cmp.Diff(foreign, w.foreign()); diff != "" {
		fail("foreign labels changed:\n%s", diff)
	}
	if d.Halted == nil && !w.warns {
		w.checkLabels(d.State, fail)
	}
	want, kept := w.oracle(w.log, w.verdicts(after))
	if w.warns {
		want, kept = w.oracleOfWarning(w.log), nil
	}
	if want != after.State && !w.renaming() {
		fail("the fold says %s, the oracle %s", after.State, want)
	}
	if w.renaming() { // nobody can tell from a log when a label was renamed
		kept = nil
	}
	w.checkMoves(before, slices.DeleteFunc(kept, func(id int64) bool { return id > logged }), fail)
	if w.warns && len(w.guards.rows) > 0 { // a refusal that somebody takes back in a chain of moves has no record there
		return
	}
	w.checkComments(after, fail)
	w.checkGuards(after, fail)
}

func (w *world) checkLabels(state string, fail func(string, ...any)) {
	var states []string
	for folded, label := range w.labels {
		if s, ok := w.life.StateOf(label); ok {
			states = append(states, s.Name)
		}
		if folded == lifecycle.Forced {
			fail("the mark %s is left behind", lifecycle.Forced)
		}
	}
	if state == w.life.Initial && len(states) == 0 {
		return
	}
	if len(states) != 1 || states[0] != state {
		fail("state %s has the labels %v", state, states)
	}
}

// checkMoves holds that no legal move of a person or bot is lost.
func (w *world) checkMoves(s Standing, kept []int64, fail func(string, ...any)) {
	var trail []int64
	for _, m := range s.Trail {
		if m.Kind != Settled {
			trail = append(trail, m.ID)
		}
	}
	for _, id := range kept {
		if !slices.Contains(trail, id) {
			fail("the legal move of event %d is lost", id)
		}
	}
}

// checkComments holds that every rejection is answered exactly once, with what was asked for, and nothing twice. What was taken back in time, or
// went on while the breaker was tripped, may be without an answer. That Colony stops answers what it counts, also from a log that lags behind.
func (w *world) checkComments(s Standing, fail func(string, ...any)) {
	_, silenced := (&input{life: w.life, p: w.patience, Case: Case{Standing: s}, Evidence: Evidence{Said: Said{Answered: w.answered}}}).breaker()
	for _, r := range s.Rejections {
		var answers []comment
		for _, c := range w.comments {
			if slices.ContainsFunc(c.ids, func(id int64) bool { return slices.Contains(r.IDs, id) }) {
				answers = append(answers, c)
			}
		}
		if r.To != "" && len(answers) == 2 { // the removal of a swap was explained before anything was asked for
			answers = slices.DeleteFunc(answers, func(c comment) bool { return c.refused == "" && !slices.Contains(c.ids, r.Asked) })
		}
		quiet := r.Withdrawn || slices.Contains(silenced, r.ID)
		if len(answers) > 1 || len(answers) == 0 && !quiet {
			fail("rejection %+v has %d answers", r, len(answers))
		}
		if r.To != "" && len(answers) == 1 && answers[0].refused != r.To && !quiet && !answers[0].stale && !w.renaming() {
			fail("rejection %+v has the answer of another one: %+v", r, answers[0])
		}
	}
}

func (w *world) foreign() []string {
	var out []string
	for _, label := range w.labels {
		if slices.Contains(modelForeign, label) {
			out = append(out, label)
		}
	}
	slices.Sort(out)
	return out
}

// oracle is the fold once more, naively and straight from its description, without anything but the state and the
// events whose moves count.
func (w *world) oracle(log []Change, guarded map[int64]lifecycle.Answer) (state string, kept []int64) {
	present, order := labelSet{}, w.before(log)
	for _, name := range order {
		present.add(w.life.Label(name))
	}
	baseline := func() string {
		for _, name := range slices.Backward(order) {
			if present.has(w.life.Label(name)) {
				return name
			}
		}
		return w.life.Initial
	}
	state = baseline()
	var steps []modelStep
	var offBy lifecycle.ActorKind   // who took the state's label off
	owed := map[string]*time.Time{} // the states whose label Colony owes after a refused change, and when the issue went on from there
	written := func(c Change) {     // what Colony writes, it writes knowing the moves before
		if c.By.Kind == lifecycle.Colony {
			maps.DeleteFunc(owed, func(_ string, gone *time.Time) bool { return gone != nil })
		}
	}
	owe := func() {
		if !present.has(w.life.Label(state)) {
			owed[state] = nil
		}
	}
	forced, judging := false, false
	for _, c := range log {
		if !judging && !c.At.Before(w.now.Add(-modelHorizon)) {
			judging, offBy, owed = true, "", map[string]*time.Time{}
			if b := baseline(); b != state {
				state, steps = b, nil
			}
		}
		if lifecycle.SameLabel(c.Label, lifecycle.Forced) {
			forced = c.Added && c.By.Kind == lifecycle.Colony
		}
		x, ok := w.life.StateOf(c.Label)
		if !ok {
			continue
		}
		if c.Added {
			present.add(x.Label)
			order = append(order, x.Name)
			s := modelStep{from: state, id: c.ID, by: c.By.Kind, at: c.At}
			order, ordered := w.commanded[c.ID]
			if ordered {
				s.by = order.Kind
			}
			wentOn, dropped := owed[x.Name], false // dropped: somebody took it back before anybody had looked
			late := c.By.Kind == lifecycle.Colony && wentOn != nil && c.At.Sub(*wentOn) <= time.Minute && !forced && !ordered
			switch executorsWork := c.By.Kind == lifecycle.Executor && w.life.Label(state) != "" && len(w.life.Roles.In(state)) > 0; {
			case x.Name == state && c.By.Kind == lifecycle.Colony && offBy != lifecycle.Colony: // put back
			case late:
			case forced && c.By.Kind == lifecycle.Colony && x.Name != state && (!w.life.Final || len(w.life.Next(modelColony, state)) > 0):
				s.to, s.forced = x.Name, true
			case w.grants(c.By, steps, state, x.Name):
				s.to = w.instead(s.by, steps, state, x.Name)
				s.led = s.to != x.Name
				if _, concerned := w.guards.may(look{}, c.By, state, x.Name); !s.led && concerned && guarded[c.ID] != lifecycle.Yes {
					s.to, dropped = "", guarded[c.ID] == ""
				}
			case x.Name == state:
			case executorsWork:
				if _, canBlock := w.life.Pair(state, w.life.BadRequest); canBlock {
					s.to, s.led = w.life.BadRequest, true
				}
			}
			if s.to != "" {
				s.committed = !present.has(w.life.Label(state))
				if gone, owes := owed[state]; owes && gone == nil {
					owed[state] = &s.at
				}
				steps = append(steps, s)
				state, offBy = s.to, ""
				if s.led {
					owe()
				}
			} else if c.By.Kind != lifecycle.Colony && x.Name != state && !dropped {
				owe()
			}
			delete(owed, x.Name)
			written(c)
			continue
		}
		written(c)
		present.remove(x.Label)
		for i := range steps {
			steps[i].committed = steps[i].committed || steps[i].from == x.Name
		}
		if x.Name == state {
			offBy = c.By.Kind
		}
		if x.Name == state && c.By.Kind != lifecycle.Colony && len(steps) > 0 {
			if last := steps[len(steps)-1]; !last.committed && present.has(w.life.Label(last.from)) {
				state, steps, offBy = last.from, steps[:len(steps)-1], ""
				continue
			}
		}
		if x.Name == state && c.By.Kind != lifecycle.Colony {
			owe()
		}
	}
	if !judging {
		if b := baseline(); b != state {
			state, steps = b, nil
		}
	}
	for _, s := range steps {
		kept = append(kept, s.id)
	}
	return state, kept
}

// modelStep is a move that counts.
type modelStep struct {
	from, to  string
	id        int64
	by        lifecycle.ActorKind
	at        time.Time
	forced    bool
	led       bool // a bad request or a limit led there
	committed bool // the label of from is gone, or came back only later
}

// grants says whether somebody's label moves an issue, or would if no limit were in the way.
func (w *world) grants(who lifecycle.Actor, steps []modelStep, from, to string) bool {
	if w.life.Judge(who, from, to) != lifecycle.Legal {
		return false
	}
	pair, _ := w.life.Pair(from, to)
	if pair.OnlyPrevious {
		for _, s := range slices.Backward(steps) {
			returns := slices.ContainsFunc(w.life.Pairs, func(p lifecycle.Pair) bool { return p.From == s.from && p.OnlyPrevious }) ||
				slices.ContainsFunc(w.life.Commands, func(c lifecycle.Command) bool { return c.To == lifecycle.Previous && slices.Contains(c.From, s.from) })
			if !returns {
				if s.from != to {
					return false
				}
				break
			}
		}
	}
	if pair.Reason != lifecycle.Required || who.Kind == lifecycle.Colony {
		return true
	}
	return who.Kind == lifecycle.Executor && slices.ContainsFunc(w.life.Roles, func(r lifecycle.Role) bool {
		return r.Reasons[to] != "" && slices.Contains(r.WorksIn, from) && (len(who.Roles) == 0 || slices.Contains(who.Roles, r.Name))
	})
}

// instead is where a granted move leads: there, or where a limit that is reached leads.
func (w *world) instead(who lifecycle.ActorKind, steps []modelStep, from, to string) string {
	person := func(by lifecycle.ActorKind, from, to string) bool {
		return by == lifecycle.Operator || by == lifecycle.Colony && !w.life.MakesItself(from, to)
	}
	if person(who, from, to) {
		return to
	}
	for _, limit := range w.life.Limits {
		if limit.To != to || limit.AtMost == 0 || len(limit.From) > 0 && !slices.Contains(limit.From, from) {
			continue
		}
		n := 0
		for _, s := range slices.Backward(steps) {
			if !limit.ForLife && (s.forced || !s.led && person(s.by, s.from, s.to)) || s.at.Before(w.installed) {
				break
			}
			if s.to == to && (len(limit.From) == 0 || slices.Contains(limit.From, s.from)) {
				n++
			}
		}
		if n >= limit.AtMost {
			return limit.Instead
		}
	}
	return to
}

// String is the log for a person who has to understand a counterexample.
func (w *world) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "created with %v\n", w.seen[0])
	for _, c := range w.log {
		verb := "-"
		if c.Added {
			verb = "+"
		}
		note := ""
		if sure, repair := w.repairs[c.ID]; repair {
			note = fmt.Sprintf(" (repair, sure: %t)", sure)
		}
		fmt.Fprintf(&b, "%3d %s %-12s %s%s%s\n", c.ID, c.At.Format("02 15:04:05"), c.By.Login, verb, c.Label, note)
	}
	fmt.Fprintf(&b, "warns: %t\n", w.warns)
	for _, row := range w.guards.rows {
		fmt.Fprintf(&b, "guard %s of %q %v>%v requires %v, forbids %v, unless %v\n", row.Name, row.Of, row.From, row.To, row.Requires, row.Forbids, row.Unless)
	}
	fmt.Fprintf(&b, "read for guards %v\nlabels %v, comments %+v", w.guards.looks, w.seen[len(w.log)], w.comments)
	return b.String()
}
