package bench

import (
	"context"
	"time"
)

// scenario is a row of the table of what is measured.
type scenario struct {
	name     string
	about    string
	subjects []string
	run      func(ctx context.Context, w *world, subject string, o Options) (Result, error)
}

var (
	everybody = []string{Floor, Append, Handler, Colony}
	workers   = []string{Handler, Colony}
	alone     = []string{Colony}
)

// events are so many events of a kind, in rounds.
func events(name string, e edit, count, perSecond int) func(context.Context, *world, string, Options) (Result, error) {
	return func(ctx context.Context, w *world, subject string, o Options) (Result, error) {
		if o.Events > 0 {
			count = o.Events
		}
		return w.measure(ctx, subject, trial{
			scenario: name, edit: e, events: count, rounds: o.Rounds, perSecond: perSecond, warm: 20, hub: o.hub(), wait: time.Minute,
		})
	}
}

// scenarios is what "colony bench" measures, in this order.
var scenarios = []scenario{
	{"ignore-off", "a foreign label is taken off", everybody, events("ignore-off", foreignOff, 1000, 0)},
	{"ignore-on", "a foreign label is put on", everybody, events("ignore-on", foreignOn, 1000, 0)},
	{"ignore-comment", "a comment without a command", everybody, events("ignore-comment", chat, 1000, 0)},
	{"move", "a legal edit of labels, as fast as they are acknowledged", everybody, events("move", move, 500, 0)},
	{"move-50", "the same, at 50 a second", everybody, events("move-50", move, 100, 50)},
	{"burst", "legal edits of many issues at once, at 50 ms a call", workers, burst},
}

const burstLatency = 50 * time.Millisecond

// burst sends many events at once to a GitHub that takes its time.
func burst(ctx context.Context, w *world, subject string, o Options) (Result, error) {
	count := 1000
	if o.Events > 0 {
		count = o.Events
	}
	behave := o.hub()
	if behave.Latency == 0 {
		behave.Latency = burstLatency
	}
	return w.measure(ctx, subject, trial{
		scenario: "burst", edit: move, events: count, rounds: 1, warm: 20, hub: behave, wait: 10 * time.Minute,
	})
}
