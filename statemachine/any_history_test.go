package statemachine

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"pgregory.net/rapid"
)

// anyLives are the lifecycles of histories in which anything can happen: with guards and without, with other names of labels, and with
// limits that are soon reached.
func anyLives(t testing.TB) (lives []*Table) {
	t.Helper()
	for _, name := range lifecycle.ShippedNames() {
		lives = append(lives, shippedWithGuards(t, name), adopting(t, name))
	}
	guarded := shippedWithGuards(t, "colony")
	guarded.Guards = []lifecycle.Guard{{Name: "all", To: guarded.StateNames(), Requires: modelConditions[:1]}}
	lives = append(lives, lifeOf(t, "errands"), guarded, guarded, guarded)
	for _, life := range slices.Clone(lives) {
		if len(life.Limits) > 0 {
			numbers := map[string]int{}
			for _, limit := range life.Limits {
				numbers[limit.Name] = 1
			}
			lives = append(lives, life.With(Options{Limits: numbers}))
		}
	}
	return lives
}

// anyHistory is a log in which anything can happen, and what a fold reads next to it.
type anyHistory struct {
	*rapid.T
	life   *Table
	now    time.Time
	there  labelSet
	log    []Change
	orders map[int64]lifecycle.Actor
}

// drawHistory draws the history of an issue, and the guards of its lifecycle if they are to be others than those of the file.
func drawHistory(t *rapid.T, lives []*Table) (*Table, History) {
	d := &anyHistory{T: t, life: lives[rapid.IntRange(0, len(lives)-1).Draw(t, "life")], now: morning, there: labelSet{}, orders: map[int64]lifecycle.Actor{}}
	if d.one(2, "other guards") {
		guards := drawGuards(t, d.life)
		d.life = guards.guarded(d.life)
	}
	h := History{Terms: Terms{Stands: d.one(3, "stands")}, Opening: Opening{At: morning, By: rapid.SampledFrom([]string{"", "olga", "omar", "bot"}).Draw(t, "author"), OnlyAsks: d.one(4, "only asks")}}
	h.Answers, h.Explained, h.Ordered = d.answers(), d.explained(), d.ordered()
	for range rapid.IntRange(0, 2).Draw(t, "before the log") {
		d.there.add(d.stateLabel())
	}
	if d.one(20, "form") {
		d.edit(cast["olga"], true, "colony:in-reveiw")
	}
	for range rapid.IntRange(0, 14).Draw(t, "steps") {
		d.step(h)
	}
	h.Changes = d.log
	for _, label := range slices.Sorted(maps.Values(d.there)) {
		if !d.one(20, "gone without an event") {
			h.Labels = append(h.Labels, label)
		}
	}
	if d.one(20, "came without an event") {
		h.Labels = append(h.Labels, d.stateLabel())
	}
	slices.Sort(h.Labels)
	h.JudgedSince, h.Begun, h.Installed = d.moment("judged since"), d.moment("begun"), d.moment("installed")
	return d.life, h
}

// one is true once in n times.
func (d *anyHistory) one(n int, what string) bool { return rapid.IntRange(1, n).Draw(d.T, what) == n }

// moment is the beginning of time or, as often, about that of a change.
func (d *anyHistory) moment(what string) time.Time {
	if len(d.log) == 0 || d.one(2, what+" always") {
		return time.Time{}
	}
	return rapid.SampledFrom(d.log).Draw(d.T, what).At.Add(time.Duration(rapid.IntRange(-1, 1).Draw(d.T, what+" by")) * time.Second)
}

// answers says about each condition what it says of it in all of this history.
func (d *anyHistory) answers() Answers {
	if d.one(4, "nothing was read") {
		return nil
	}
	if d.one(4, "nothing can be read") {
		return func(lifecycle.Asking, lifecycle.Condition) lifecycle.Answer { return lifecycle.Unknown }
	}
	says := rapid.SliceOfN(rapid.SampledFrom([]lifecycle.Answer{lifecycle.Yes, lifecycle.Yes, lifecycle.No, lifecycle.Unknown, lifecycle.Unasked}), 7, 7).Draw(d.T, "answers")
	return func(a lifecycle.Asking, c lifecycle.Condition) lifecycle.Answer {
		return says[(int(a.EventID)+len(c.String()))%len(says)]
	}
}

func (d *anyHistory) explained() func(int64) bool {
	if d.one(3, "nothing is explained") {
		return nil
	}
	are := rapid.SliceOfN(rapid.IntRange(0, 5), 5, 5).Draw(d.T, "explained")
	return func(id int64) bool { return are[id%5] == 0 }
}

func (d *anyHistory) ordered() func(int64) (lifecycle.Actor, bool) {
	if d.one(4, "no orders") {
		return nil
	}
	known := rapid.IntRange(1, 3).Draw(d.T, "known orders")
	return func(id int64) (lifecycle.Actor, bool) { return d.orders[id], int(id)%3 < known }
}

// stateLabel is a name of any state's label.
func (d *anyHistory) stateLabel() string {
	states := slices.DeleteFunc(slices.Clone(d.life.States), func(s lifecycle.State) bool { return s.Label == "" })
	return d.name(states[rapid.IntRange(0, len(states)-1).Draw(d.T, "state")])
}

func (d *anyHistory) name(s lifecycle.State) string {
	name := rapid.SampledFrom(append([]string{s.Label, s.Label}, s.Previously...)).Draw(d.T, "name")
	if d.one(20, "upper case") {
		name = strings.ToUpper(name)
	}
	return name
}

func (d *anyHistory) by(logins ...string) lifecycle.Actor {
	return cast[rapid.SampledFrom(logins).Draw(d.T, "by")]
}

func (d *anyHistory) anyone() lifecycle.Actor {
	return d.by("olga", "olga", "omar", "bot", "dev", "rev", "both", "colony", "for-olga", "for-bot", "former")
}

// edit makes an event, mostly only if it changes something.
func (d *anyHistory) edit(by lifecycle.Actor, add bool, label string) {
	if label == "" || d.there.has(label) == add && !d.one(10, "although nothing changes") {
		return
	}
	if add {
		d.there.add(label)
	} else {
		d.there.remove(label)
	}
	d.now = d.now.Add(rapid.SampledFrom([]time.Duration{0, 0, time.Second, 20 * time.Second, 50 * time.Second, 2 * time.Minute, 20 * time.Minute, 30 * time.Hour, -time.Second}).Draw(d.T, "later"))
	c := Change{Moment: Moment{At: d.now, ID: int64(len(d.log) + 1)}, Added: add, Label: label, By: by}
	switch _, order, _ := strings.Cut(by.Login, " for "); order {
	case "olga", "bot":
		d.orders[c.ID] = cast[order]
	}
	d.log = append(d.log, c)
}

// step adds to the log what people, bots or Colony do, knowing where the issue is.
func (d *anyHistory) step(h History) {
	h.Changes, h.Labels = d.log, nil
	s := d.life.Fold(h)
	by, here := d.anyone(), d.life.Label(s.State)
	if len(s.Pending) > 0 && d.one(2, "other half") {
		d.edit(by, false, here)
		return
	}
	label := d.stateLabel()
	next := d.life.NextAt(s, by)
	if guarded := slices.DeleteFunc(slices.Clone(next), func(p lifecycle.Pair) bool { return len(d.life.Guards.Of(by, s.State, p.To)) == 0 }); len(guarded) > 0 {
		next = guarded
	}
	if len(next) > 0 && !d.one(3, "any") {
		to, _ := d.life.State(rapid.SampledFrom(next).Draw(d.T, "next").To)
		label = d.name(to)
	}
	other := rapid.SampledFrom([]string{lifecycle.NeedsHuman, lifecycle.Forced, lifecycle.Checked, "bug", "colony:in-reveiw", "Colony:plannin"}).Draw(d.T, "other")
	switch rapid.IntRange(0, 14).Draw(d.T, "what") {
	case 0:
		d.edit(by, true, label)
	case 1: // Colony restores the label of a state that the issue has left
		d.edit(by, false, here)
		d.edit(d.anyone(), true, label)
		d.edit(cast["colony"], true, here)
	case 2, 13: // a swap, or two people's changes
		d.edit(by, true, label)
		d.edit(d.anyoneOr(by), false, here)
	case 3:
		d.edit(by, false, here)
		d.edit(d.anyoneOr(by), true, label)
	case 4: // Colony finishes it, or refuses it
		d.edit(by, true, label)
		d.edit(cast["colony"], false, rapid.SampledFrom([]string{here, label}).Draw(d.T, "colony removes"))
	case 5: // a round
		d.edit(by, false, here)
		d.edit(by, true, here)
	case 6:
		d.edit(by, false, d.onIssue())
	case 7:
		d.edit(by, !d.there.has(other), other)
	case 8: // Colony repairs
		d.edit(cast["colony"], true, here)
		d.edit(cast["colony"], false, d.onIssue())
	case 9:
		d.edit(by, true, label)
		d.edit(cast["colony"], true, lifecycle.Checked)
		d.edit(cast["colony"], false, lifecycle.Checked)
	case 10:
		d.edit(cast["colony"], true, lifecycle.Forced)
		d.edit(d.by("colony", "for-olga", "bot"), true, label)
		d.edit(cast["colony"], false, here)
		d.edit(cast["colony"], false, lifecycle.Forced)
	case 11:
		d.rounds()
	default: // a misclick
		d.edit(by, true, label)
		d.edit(d.anyoneOr(by), false, label)
	}
}

// rounds lead to where a limit counts, by bots and commands of bots, and by Colony.
func (d *anyHistory) rounds() {
	limits := slices.DeleteFunc(slices.Clone(d.life.Limits), func(limit lifecycle.Limit) bool { return limit.AtMost == 0 })
	if len(limits) == 0 {
		return
	}
	limit := rapid.SampledFrom(limits).Draw(d.T, "limit")
	ways := slices.DeleteFunc(d.life.StateNames(), func(from string) bool {
		_, leads := d.life.Pair(from, limit.To)
		return !leads || !limit.CountsFrom(from) || from == limit.To || d.life.Label(from) == ""
	})
	if len(ways) == 0 {
		return
	}
	from := d.life.Label(rapid.SampledFrom(ways).Draw(d.T, "from"))
	for range rapid.IntRange(1, 3).Draw(d.T, "rounds") {
		by := d.by("bot", "bot", "for-bot", "colony")
		d.edit(by, true, from)
		d.edit(by, false, d.life.Label(limit.To))
		d.edit(by, true, d.life.Label(limit.To))
		d.edit(by, false, from)
	}
}

// anyoneOr is mostly the same account.
func (d *anyHistory) anyoneOr(by lifecycle.Actor) lifecycle.Actor {
	if d.one(3, "someone else") {
		return d.anyone()
	}
	return by
}

// onIssue is a label that is there, or any state's if there is none.
func (d *anyHistory) onIssue() string {
	there := slices.Sorted(maps.Values(d.there))
	if len(there) == 0 {
		return d.stateLabel()
	}
	return rapid.SampledFrom(there).Draw(d.T, "label")
}
