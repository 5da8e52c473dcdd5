package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
)

// restart stops Colony and starts another one, with the folder of the queue or without what was in it.
func (w *world) restart(forget bool) {
	w.t.Helper()
	w.stopColony()
	w.clock.Advance(time.Minute)
	if forget {
		w.config.Queue.Dir = w.t.TempDir()
	}
	w.start()
	w.Sweep()
}

// In a locked conversation GitHub takes no receipts. A command is judged as of when it was written all the same: what was refused then is
// not run by a later process, whatever has become possible or permitted since, and whether or not it remembers.
func TestRefusedInALockedConversationStaysRefused(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]bool{"with the queue's folder": false, "without": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			i := w.stateful("colony:in-review")
			i.Lock(true)
			w.clock.Advance(time.Minute)
			retry := i.CommentAndSettle("olivia", "/colony:retry")
			force := i.CommentAndSettle("olivia", "/colony:force new because I want it")
			w.clock.Advance(time.Minute)
			i.Label("mona", "colony:failure-blocked")
			w.Settle()
			w.github.SetPermission("acme", "widgets", "olivia", "maintain")
			w.restart(forget)
			i.Has("colony:failure-blocked")
			unsaid := i.CommentAndSettle("mona", "/colony:status")
			i.Has("colony:failure-blocked")

			// Once it may comment again, it answers what it could not, and says what it does not know.
			i.Lock(false)
			w.Settle()
			if forget {
				for _, id := range []int64{retry, force} {
					i.ColonySays("did not run", "locked", "new comment")
					i.ColonyReacts(id, "confused")
				}
			} else {
				i.ColonyReacts(retry, "confused")
				i.ColonyReacts(force, "-1")
			}
			i.ColonySays("**`failure-blocked`**")
			i.ColonyReacts(unsaid, "+1")
			w.clock.Advance(time.Minute)
			w.restart(false)
			status := i.CommentAndSettle("mona", "/colony:status")
			i.ColonySays("**`failure-blocked`**")
			i.ColonyReacts(status, "+1")
			i.Has("colony:failure-blocked")
		})
	}
}

// Colony runs what was written there while it was away, as long as its memory reaches that far.
func TestCommandInALockedConversationWhileColonyWasAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:in-review")
	i.Lock(true)
	w.stopColony()
	w.clock.Advance(time.Minute)
	pause := i.Comment("olivia", "/colony:pause")
	w.clock.Advance(time.Minute)
	w.start()
	w.Sweep()
	i.Has("colony:paused")
	// It has its receipt, in the queue, and shows it as soon as GitHub takes it: it is not run again.
	i.Label("olivia", "colony:in-review")
	w.Settle()
	i.Lock(false)
	w.Settle()
	i.ColonyReacts(pause, "+1")
	w.restart(false)
	i.Has("colony:in-review")
}

// A command that ran before the conversation was locked has its receipt.
func TestCommandFromBeforeTheConversationWasLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.ColonyReacts(i.CommentAndSettle("tara", "/colony:pause"), "+1")
	w.clock.Advance(time.Minute)
	i.Label("tara", "colony:in-review")
	i.Lock(true)
	w.Settle()
	w.restart(true)
	i.Has("colony:in-review")
	i.CommentAndSettle("olivia", "/colony:pause") // written since this process began
	i.Has("colony:paused")
}

// Colony owes a receipt that GitHub does not take while the conversation is locked: it is there once the conversation is unlocked,
// written once, no matter which process writes it and how that learns of it.
func TestReceiptOfALockedConversationIsWrittenOnceItIsUnlocked(t *testing.T) {
	t.Parallel()
	restart := func(w *world) { w.restart(false) }
	for _, c := range []struct {
		name    string
		between func(*world) // after the command ran, before the conversation is unlocked
		lost    bool         // the webhook that reports it
		after   func(*world)
	}{
		{"by the process that ran the command", nil, false, nil},
		{"although its webhook is lost", nil, true, func(w *world) { w.Sweep() }},
		{"by one that started since", restart, false, nil},
		{"by one that started since, although its webhook is lost", restart, true, func(w *world) { w.Sweep() }},
		{"by one that was away", (*world).stopColony, false, func(w *world) { w.start(); w.Sweep() }},
		{"by one that starts later", nil, true, restart},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			i := w.stateful("colony:in-review")
			i.Lock(true)
			w.clock.Advance(time.Minute)
			pause := i.CommentAndSettle("olivia", "/colony:pause")
			refused := i.CommentAndSettle("olivia", "/colony:retry")
			i.Has("colony:paused")
			if c.between != nil {
				w.clock.Advance(time.Minute)
				c.between(w)
			}
			w.clock.Advance(time.Minute)
			w.github.ResetCalls()
			if c.lost {
				w.Deaf()
			}
			i.Lock(false)
			if w.colony != nil {
				w.Settle()
			}
			if c.after != nil {
				c.after(w)
			}
			i.Has("colony:paused")
			i.ColonyReacts(pause, "+1")
			i.ColonyReacts(refused, "confused")
			for range 2 { // nobody writes it again
				w.restart(false)
				w.clock.Advance(time.Minute)
				w.Sweep()
			}
			if n := w.reactionsWritten(); n != 2 {
				t.Errorf("%d reactions were written, want 2", n)
			}
			i.Has("colony:paused")
			i.Reads() // the teaching comment, which only the process that ran the command knows
		})
	}
}

// So it is if the process that is there then has never seen the command: it reads the comments because of the unlocking.
func TestReceiptOfALockedConversationIsWrittenByAnotherReplica(t *testing.T) {
	t.Parallel()
	w, all := newReplicasOf(t, 1, func(c *config.Config) { c.Sweep.Interval = 30 * 24 * time.Hour }) // no sweep but the one at the start
	i := w.stateful("colony:in-review")
	i.Lock(true)
	pause := i.CommentAndSettle("olivia", "/colony:pause")
	w.start()
	another := w.colony
	w.colony = all[0]
	w.stopColony()
	w.colony = another
	i.Lock(false)
	w.Settle()
	i.ColonyReacts(pause, "+1")
	i.Has("colony:paused")
}

// What ran in a locked conversation is not answered once more by a process that comes to know its text as edited.
func TestCommandInALockedConversationIsEditedAfterItRan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:in-review")
	i.Lock(true)
	w.clock.Advance(time.Minute)
	pause := i.CommentAndSettle("olivia", "/colony:pause")
	i.Has("colony:paused")
	w.clock.Advance(time.Minute)
	w.stopColony()
	i.EditComment("olivia", pause, "/colony:pause please")
	i.Lock(false)
	w.start()
	w.Sweep()
	i.ColonyReacts(pause, "+1")
	i.Has("colony:paused")
	if n := len(i.ColonyComments()); n != 0 {
		t.Errorf("Colony wrote %d comments", n)
	}
}

// reactionsWritten counts the reactions that GitHub took of Colony.
func (w *world) reactionsWritten() (n int) {
	for _, c := range w.github.Calls() {
		if c.Actor == "colony[bot]" && c.Method == http.MethodPost && strings.HasSuffix(c.Path, "/reactions") && c.Status < http.StatusMultipleChoices {
			n++
		}
	}
	return n
}
