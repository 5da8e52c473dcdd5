package statemachine

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/long"
)

// chain is a lifecycle in which the second state takes a fact, and leads to the third.
const chain = `name: chain
summary: One after the other.
initial: untouched
states:
  - {name: untouched, type: active, meaning: Nobody has looked.}
  - {name: first, type: active, label: "colony:first", color: c5def5, description: It waits., meaning: It waits.}
  - {name: second, type: active, label: "colony:second", color: c5def5, description: It waits., meaning: It waits.}
  - {name: third, type: terminal, label: "colony:third", color: c5def5, description: It waits., meaning: It waits.}
transitions:
  - kind: forward
    source: this test
    pairs:
      - {from: untouched, to: first, why: It begins.}
      - {from: first, to: second, why: It moves.}
      - {from: second, to: third, why: It moves.}
guards:
  - name: leads
    why: It takes a lead.
    to: second
    requires:
      - team: acme/leads
`

// takingBack is an issue in the first state on which a person asks for the second, which a guard has to grant by a fact that changes, and for
// the third, which only the second leads to.
type takingBack struct {
	*testing.T
	life      *Table
	log       []Change
	granted   bool
	explained map[int64]bool
	// taken says that the request for the second state was taken back while the label of the first was there, before Colony wrote anything.
	taken bool
	story []string
}

// Whatever is refused before, between and after, however far Colony came with its writes, and whatever the fact is later: a request that
// someone took back does not move the issue.
func TestNoRequestThatWasTakenBackComesAlive(t *testing.T) {
	t.Parallel()
	life, err := Parse("chain.yml", []byte(chain))
	if err != nil {
		t.Fatal(err)
	}
	b := &takingBack{T: t, life: life, log: changes(t, "olga +first"), explained: map[int64]bool{}}
	length := 5
	if long.Whole() {
		length = 6
	}
	b.play(length)
}

// play plays every story of a length.
func (b *takingBack) play(length int) {
	for _, what := range []string{"+second", "-second", "+third", "-third", "-first", "+first", "the fact changes", "Colony", "Colony is killed"} {
		then := *b
		then.log, then.explained, then.story = slices.Clip(b.log), maps.Clone(b.explained), append(slices.Clip(b.story), what)
		then.do(what)
		then.check()
		if b.Failed() {
			return
		}
		if length > 1 {
			then.play(length - 1)
		}
	}
}

func (b *takingBack) do(what string) {
	switch what {
	case "the fact changes":
		b.granted = !b.granted
	case "Colony":
		for range 4 {
			if !b.reconcile(true) {
				return
			}
		}
	case "Colony is killed":
		b.reconcile(false)
	default:
		added, label := what[0] == '+', labelled(what[1:])
		if lifecycle.HasLabel(labelsAfter(b.log), label) == added {
			return
		}
		if label == labelled("second") {
			b.taken = !added && lifecycle.HasLabel(labelsAfter(b.log), labelled("first")) && !b.wroteSince(label)
		}
		b.log = append(b.log, Change{Moment: Moment{At: b.now(), ID: int64(len(b.log) + 1)}, Added: added, Label: label, By: cast["olga"]})
	}
}

// wroteSince reports whether Colony wrote something since a label was put on.
func (b *takingBack) wroteSince(label string) bool {
	for _, c := range slices.Backward(b.log) {
		switch {
		case c.By.Kind == lifecycle.Colony:
			return true
		case c.Added && c.Label == label:
			return false
		}
	}
	return false
}

func (b *takingBack) now() time.Time { return b.log[len(b.log)-1].At.Add(10 * time.Second) }

func (b *takingBack) history(granted bool) History {
	h := traced(b.log)
	h.Answers, h.Explained = says(map[bool]string{true: "acme/leads", false: "none"}[granted]), func(id int64) bool { return b.explained[id] }
	return h
}

// reconcile writes what Colony decides, or the first of it, and reports whether that was anything.
func (b *takingBack) reconcile(whole bool) bool {
	h, now := b.history(b.granted), b.now()
	always := func(int64) bool { return true }
	d, _ := b.life.Decide(Thresholds{Settle: time.Second, BreakerRejections: 100}, Case{Standing: b.life.Fold(h), Labels: h.Labels, Now: now}, Evidence{
		GuardsRead: true, Facts: Facts{Read: lifecycle.EveryReading()},
		Said: Said{Answered: h.Explained, Asked: always, RefusedCommand: func(time.Time) bool { return false }},
	})
	switch {
	case whole:
		for _, r := range d.Explain {
			for _, id := range r.IDs {
				b.explained[id] = true
			}
		}
	case len(d.Add) > 0:
		d.Add, d.Remove = d.Add[:1], nil
	case len(d.Remove) > 0:
		d.Remove = d.Remove[:1]
	}
	b.log = written(b.log, now, d)
	return !d.Nothing()
}

func (b *takingBack) check() {
	for _, granted := range []bool{false, true} {
		if s := b.life.Fold(b.history(granted)); b.taken && s.State != "first" {
			b.Errorf("with the fact %t the issue is in %s after %s", granted, s.State, strings.Join(b.story, ", "))
		}
	}
}
