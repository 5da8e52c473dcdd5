package statemachine

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Asked is what a row says, or asks a person, that leads nowhere: the issue stays where it is.
type Asked struct {
	State, Why string
	// To is the state that someone asks for, if it is not known whether that is granted: Why says what could not be read.
	To string
	// AsksPerson says that it stays until someone decides.
	AsksPerson bool
	// About names what it is about, for people: "#12".
	About string
	// IDs tell it from others on the same issue: one for each thing that it is about. See questionID.
	IDs []int64
}

// questionID tells a question from others of the same issue: by what it is about, and by the second in which that came to be so, which
// askedAt returns. It fits into a number of JSON.
func questionID(since time.Time, about ...string) int64 {
	what := fnv.New32a()
	for _, word := range about {
		what.Write([]byte(word + "\x00")) // a hash takes all
	}
	return since.Unix()<<questionBits | int64(what.Sum32()>>(32-questionBits))
}

// questionBits is how much of a question's id tells those of one second apart.
const questionBits = 20

// askedAt is the second in which what a question is about came to be so.
func askedAt(id int64) time.Time { return time.Unix(id>>questionBits, 0) }

// asks returns what the rows of the state that lead nowhere have to say. What came to be so before the horizon is final: no one is notified of it.
// next is when the first row that still waits is due; zero if none waits.
func (in *input) asks() (asked []Asked, next time.Time) {
	s := in.Standing
	for _, row := range in.life.Triggers {
		if !in.speaks(row) {
			continue
		}
		spec, _ := lifecycle.SpecOf(row.On)
		var about []string
		var ids []int64
		for _, o := range in.Facts.Observed {
			if o.Fact != row.On || spec.Once() && !in.counts(row, o) {
				continue
			}
			since, settled := s.concernedSince(row, o.At)
			if due := since.Add(time.Duration(row.After)); row.After != 0 && in.readBefore(due) {
				next = Earliest(next, due)
				continue
			}
			about = append(about, o.About)
			if !settled {
				ids = append(ids, questionID(since, string(row.On), row.Why, o.About))
			}
		}
		if len(ids) > 0 {
			asked = append(asked, Asked{State: s.State, Why: row.Why, AsksPerson: row.AsksPerson, About: listed(about), IDs: ids})
		}
	}
	return append(asked, in.asksForGuards()...), next
}

// speaks reports whether a row that leads nowhere can have something to say now.
func (in *input) speaks(row lifecycle.Trigger) bool {
	spec, _ := lifecycle.SpecOf(row.On)
	leadsNowhere := row.To == "" && !row.Holds && slices.Contains(row.In, in.Standing.State)
	return leadsNowhere && spec.On.Has(in.Closed) && !in.Standing.Untouched() && !suspended(row, in.Facts)
}

// asksForGuards returns what the guards of guarded rows refuse.
func (in *input) asksForGuards() []Asked {
	var asked []Asked
	for _, h := range in.holding() {
		since, settled := in.Standing.concernedSince(h.row, h.by.At)
		if settled || !h.row.Guarded {
			continue
		}
		for _, g := range in.guarding(h.row).Refusing {
			id := questionID(since, string(h.row.On), g.Name, h.by.About)
			asked = append(asked, Asked{
				State: in.Standing.State, Why: h.row.Why + ". " + strings.TrimSuffix(g.Why, "."), AsksPerson: true, About: h.by.About, IDs: []int64{id},
			})
		}
	}
	return asked
}

// concernedSince is the time from which something holds where the issue is, and whether it is before the horizon. What Colony said in one
// state of a row it does not say again in another, unless it asks a person, whose answer the move can have been. A state from before the horizon
// has no time of its own: its move is dated by the horizon, which goes on.
func (s Standing) concernedSince(row lifecycle.Trigger, holds time.Time) (since time.Time, settled bool) {
	since = holds
	for _, m := range slices.Backward(s.Trail) {
		if m.Kind == Settled {
			break
		}
		since = latest(holds, m.At)
		if row.AsksPerson || row.Guarded || !slices.Contains(row.In, m.From) {
			break
		}
	}
	return since, (Moment{At: since}).before(s.JudgedSince)
}

// listed names several things, each once.
func listed(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
