package statemachine

import (
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"pgregory.net/rapid"
)

// drawnLog is a log and what else a fold reads, of an issue that can be much older than the horizon.
type drawnLog struct {
	*rapid.T
	life    *Table
	history History
	now     time.Time
	orders  map[int64]lifecycle.Actor
}

func drawLog(t *rapid.T, life *Table) *drawnLog {
	d := &drawnLog{T: t, life: life, now: morning, orders: map[int64]lifecycle.Actor{}}
	d.history.Opening = Opening{By: rapid.SampledFrom([]string{"", "olga", "omar"}).Draw(t, "author"), At: morning, OnlyAsks: rapid.IntRange(0, 4).Draw(t, "only asks") == 0}
	there := labelSet{}
	var untold []string // labels that are there although no event says so
	if rapid.IntRange(0, 3).Draw(t, "before the log") == 0 {
		untold = append(untold, rapid.SampledFrom(d.stateLabels()).Draw(t, "untold"))
		there.add(untold[0])
	}
	pauses := []time.Duration{0, 0, time.Second, time.Minute, 20 * time.Minute, 30 * time.Hour}
	for range rapid.IntRange(0, 40).Draw(t, "edits") {
		d.now = d.now.Add(rapid.SampledFrom(pauses).Draw(t, "later"))
		standing := life.Fold(d.history)
		var label string
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
		case what < 7: // most moves are legal, or else no trail is long
			label = rapid.SampledFrom(d.stateLabels()).Draw(t, "any")
			if next := life.NextAt(standing, cast["olga"]); len(next) > 0 {
				label = life.Label(rapid.SampledFrom(next).Draw(t, "legal").To)
			}
		case what < 8:
			label = rapid.SampledFrom(d.stateLabels()).Draw(t, "any")
		default:
			label = rapid.SampledFrom([]string{lifecycle.NeedsHuman, lifecycle.Forced, "bug", "colony:in-reveiw"}).Draw(t, "other")
		}
		by := cast[rapid.SampledFrom([]string{"olga", "omar", "bot", "dev", "rev", "colony", "colony", "for-olga", "for-bot"}).Draw(t, "by")]
		if label != "" {
			d.edit(there, label, !there.has(label), by)
		}
		if before := life.Label(standing.State); before != "" && there.has(before) && !lifecycle.SameLabel(before, label) && rapid.IntRange(0, 4).Draw(t, "tidy") > 0 {
			d.edit(there, before, false, by)
		}
		d.history.Labels = nil
		for _, l := range there {
			d.history.Labels = append(d.history.Labels, l)
		}
		slices.Sort(d.history.Labels)
	}
	known := rapid.IntRange(0, 2).Draw(t, "known orders")
	d.history.Ordered = func(id int64) (lifecycle.Actor, bool) {
		by, is := d.orders[id]
		return by, is && (known == 2 || known == 1 && id%3 > 0)
	}
	d.history.Stands = rapid.IntRange(0, 2).Draw(t, "stands") == 0
	last := d.now
	d.now = d.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, time.Hour, 80 * time.Hour}).Draw(t, "read"))
	back := time.Duration(rapid.Int64Range(-1, int64(last.Sub(morning)/time.Second)+1).Draw(t, "judged")) * time.Second
	d.history.JudgedSince = last.Add(-back)
	d.history.Begun = rapid.SampledFrom([]time.Time{{}, d.history.JudgedSince, morning, morning.Add(d.history.JudgedSince.Sub(morning) / 2)}).Draw(t, "begun")
	d.history.Installed = rapid.SampledFrom([]time.Time{{}, morning.Add(last.Sub(morning) / 2), d.history.JudgedSince}).Draw(t, "installed")
	return d
}

func (d *drawnLog) stateLabels() []string {
	var labels []string
	for _, s := range d.life.States {
		if s.Label != "" {
			labels = append(append(labels, s.Label), s.Previously...)
		}
	}
	return labels
}

func (d *drawnLog) edit(there labelSet, label string, add bool, by lifecycle.Actor) {
	if add {
		there.add(label)
	} else {
		there.remove(label)
	}
	c := Change{Moment: Moment{At: d.now, ID: int64(len(d.history.Changes) + 1)}, Added: add, Label: label, By: by}
	switch by.Login {
	case "colony[bot] for olga":
		d.orders[c.ID] = cast["olga"]
	case "colony[bot] for bot":
		d.orders[c.ID] = cast["bot"]
	default:
		d.orders[c.ID] = lifecycle.Actor{}
	}
	d.history.Changes = append(d.history.Changes, c)
}
