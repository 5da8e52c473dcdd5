package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/reconcile"
)

// untilDigests waits until so many digests, or texts of them, came to a receiver.
func (r *receiver) untilDigests(n int) {
	r.t.Helper()
	deadline := time.After(patience)
	for {
		r.mu.Lock()
		got, heard := len(r.digests)+len(r.texts), r.heard
		r.mu.Unlock()
		if got >= n {
			return
		}
		select {
		case <-heard:
		case <-deadline:
			r.t.Fatalf("%d digests came, want %d", got, n)
		}
	}
}

// untilHour lets the time pass to an hour of the day, in UTC.
func (w *world) untilHour(hour int) {
	w.t.Helper()
	now := w.clock.Now().UTC()
	next := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, time.UTC)
	if !next.After(now) {
		next = next.AddDate(0, 0, 1)
	}
	w.Must(w.clock.BlockUntilContext(ctx, 1))
	w.clock.Advance(next.Sub(now))
}

// Once a day a webhook is told what needs a person, the longest first; and nothing where nothing does.
func TestADigestEachDay(t *testing.T) {
	t.Parallel()
	programs, chat, elsewhere := receive(t), receive(t), receive(t)
	all, few, other := programs.to("all"), chat.to("chat"), elsewhere.to("other")
	for _, hook := range []*notify.Webhook{&all, &few, &other} {
		hook.Digest, hook.Verdicts = "06:00", []reconcile.VerdictKind{}
	}
	few.Format, few.Digest, other.Repositories = notify.Slack, "06:00 UTC", []string{"acme/gadgets"}
	w := newWorld(t, onDisk(t), tells(all, few, other))
	w.untilHour(6) // nothing waits
	w.Settle()

	first, second := w.open("ada", ""), w.open("ada", "")
	first.Label("olivia", "colony:analyzing")
	w.Settle()
	first.Swap("olivia", "colony:analyzing", "colony:needs-clarification")
	w.Settle()
	second.Label("olivia", "colony:in-review")
	w.Settle()
	second.Swap("olivia", "colony:in-review", "colony:paused")
	w.Settle()
	w.untilHour(6)
	programs.untilDigests(1)
	chat.untilDigests(1)
	w.Settle()

	d := programs.digests[0]
	if d.Waiting != 2 || len(d.Issues) != 2 || d.Needs["awaiting-human"] != 1 || d.Needs["paused"] != 1 || d.Schema != notify.Schema {
		t.Fatalf("the digest is %+v", d)
	}
	is := d.Issues[0]
	if is.Repo != "acme/widgets" || is.Issue != first.Number || is.State != "needs-clarification" || is.Title != "A widget that works" || !strings.HasPrefix(is.Command, "/colony:") || len(is.Who) == 0 {
		t.Errorf("the first issue is %+v", is)
	}
	if text := chat.texts[0]; !strings.HasPrefix(text, "2 issues wait for a person") || strings.Count(text, "\n") != 2 || !strings.Contains(text, "|acme/widgets#2> A widget that works: paused in paused since ") {
		t.Errorf("the chat reads %q", text)
	}

	w.restart(false)
	w.untilHour(6)
	programs.untilDigests(2)
	w.Settle()
	if a, b := programs.digests[0].ID, programs.digests[1].ID; a == b {
		t.Errorf("both days have %s", a)
	}
	if n := len(programs.digests); n != 2 {
		t.Errorf("%d digests came in two days", n)
	}
	if len(elsewhere.digests)+len(programs.events)+len(chat.texts) != 2 {
		t.Errorf("too much came: %v, %v, %v", elsewhere.digests, programs.events, chat.texts)
	}
	first.ReadsComments()
	second.ReadsComments()
}
