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
	run      func(ctx context.Context, w *world, subject string, o Options) ([]Result, error)
}

var (
	everybody = []string{Floor, Append, Handler, Colony}
	workers   = []string{Handler, Colony}
	alone     = []string{Colony}
)

// killed is the scenario in which webhooks are refused, because nobody is there.
const killed = "kill"

// scenarios is what "colony bench" measures, in this order.
var scenarios = []scenario{
	{"start", "from the start of the process until it is ready, and what it costs when nothing happens", []string{Floor, Handler, Colony}, start},
	{"ignore-off", "a foreign label is taken off", everybody, trial{edit: foreignOff, events: 700}.run},
	{"ignore-on", "a foreign label is put on", everybody, trial{edit: foreignOn, events: 700}.run},
	{"ignore-comment", "a comment without a command, of somebody other than the author", everybody, trial{edit: chat, events: 700}.run},
	{"move", "a legal edit of labels, as fast as they are acknowledged", everybody, trial{edit: move, events: 400}.run},
	{"move-50", "the same, at 50 a second", everybody, trial{edit: move, events: 75, perSecond: 50}.run},
	{"refuse", "an edit of labels that is undone and explained", alone, trial{edit: refusal, events: 200, rounds: 1}.run},
	{"command", "a command in a comment", workers, trial{edit: command, events: 300}.run},
	{"burst", "legal edits of many issues at once, at 50 ms a call", workers, trial{edit: move, events: 500, rounds: 1, weather: weather{latency: 50 * time.Millisecond}}.run},
	{"limit", "legal edits, where GitHub refuses 5 % of the calls for a second", workers, trial{edit: move, events: 200, rounds: 1, weather: weather{limitEvery: 20}}.run},
	{"duplicate", "legal edits, of which GitHub sends each webhook twice", workers, trial{edit: move, events: 300, copies: 2}.run},
	{killed, "legal edits, and kill -9 in their middle, and a new start", workers, kill},
	{"age", "a legal edit, by how many events the issue's log has", workers, age},
	{"sweep", "a start, by how many settled issues there are", alone, sweep},
	{"budget", "what 200 repositories get out of GitHub's limits, at a simulated time of 50 ms a call", alone, limits},
}

const (
	// warmUp is how many events come before a measurement.
	warmUp = 20
	// atMost is how long everything may take to be done, unless calls take time.
	atMost = time.Minute
)

// with fills in what the options say and what is usual.
func (t trial) with(o Options) trial {
	if t.rounds == 0 {
		t.rounds = o.Rounds
	}
	if o.Events > 0 {
		t.events = o.Events
	}
	t.warm = min(warmUp, t.events)
	if o.Latency > 0 {
		t.weather.latency = o.Latency
	}
	if t.wait == 0 {
		t.wait = atMost + time.Duration(t.events)*10*t.weather.latency
	}
	if t.weather.limitEvery > 0 { // each limit may hold up everything
		t.wait += time.Duration(t.events) * 10 / time.Duration(t.weather.limitEvery) * time.Second
	}
	return t
}

// run measures a subject in a scenario that is one trial.
func (t trial) run(ctx context.Context, w *world, subject string, o Options) ([]Result, error) {
	return w.measure(ctx, subject, t.with(o))
}
