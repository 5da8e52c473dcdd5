package app_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
)

// lock locks the conversation, or unlocks it.
func (i *issue) lock(locked bool) {
	i.t.Helper()
	var err error
	if locked {
		_, err = i.as("mona").Issues.Lock(ctx, "acme", "widgets", i.number, nil)
	} else {
		_, err = i.as("mona").Issues.Unlock(ctx, "acme", "widgets", i.number)
	}
	i.must(err)
}

// restart stops Colony and starts another one, with the folder of the queue or without what was in it.
func (w *world) restart(forget bool) {
	w.t.Helper()
	w.stopColony()
	w.clock.Advance(time.Minute)
	if forget {
		w.config.Queue.Dir = w.t.TempDir()
	}
	w.start()
	w.sweep()
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
			i.lock(true)
			w.clock.Advance(time.Minute)
			retry := i.commentAndSettle("olivia", "/colony:retry")
			force := i.commentAndSettle("olivia", "/colony:force new because I want it")
			w.clock.Advance(time.Minute)
			i.label("mona", "colony:failure-blocked")
			w.settle()
			w.github.SetPermission("acme", "widgets", "olivia", "maintain")
			w.restart(forget)
			i.has("colony:failure-blocked")
			unsaid := i.commentAndSettle("mona", "/colony:status")
			i.has("colony:failure-blocked")

			// Once it may comment again, it answers what it could not, and says what it does not know.
			i.lock(false)
			w.settle()
			if forget {
				for _, id := range []int64{retry, force} {
					i.colonySays("did not run", "locked", "new comment")
					i.colonyReacts(id, "confused")
				}
			} else {
				i.colonyReacts(retry, "confused")
				i.colonyReacts(force, "-1")
			}
			i.colonySays("**`failure-blocked`**")
			i.colonyReacts(unsaid, "+1")
			w.clock.Advance(time.Minute)
			w.restart(false)
			status := i.commentAndSettle("mona", "/colony:status")
			i.colonySays("**`failure-blocked`**")
			i.colonyReacts(status, "+1")
			i.has("colony:failure-blocked")
		})
	}
}

// Colony runs what was written there while it was away, as long as its memory reaches that far.
func TestCommandInALockedConversationWhileColonyWasAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:in-review")
	i.lock(true)
	w.stopColony()
	w.clock.Advance(time.Minute)
	pause := i.comment("olivia", "/colony:pause")
	w.clock.Advance(time.Minute)
	w.start()
	w.sweep()
	i.has("colony:paused")
	// It has its receipt, in the queue, and shows it as soon as GitHub takes it: it is not run again.
	i.label("olivia", "colony:in-review")
	w.settle()
	i.lock(false)
	w.settle()
	i.colonyReacts(pause, "+1")
	w.restart(false)
	i.has("colony:in-review")
}

// A command that ran before the conversation was locked has its receipt.
func TestCommandFromBeforeTheConversationWasLocked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.colonyReacts(i.commentAndSettle("tara", "/colony:pause"), "+1")
	w.clock.Advance(time.Minute)
	i.label("tara", "colony:in-review")
	i.lock(true)
	w.settle()
	w.restart(true)
	i.has("colony:in-review")
	i.commentAndSettle("olivia", "/colony:pause") // written since this process began
	i.has("colony:paused")
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
		{"although its webhook is lost", nil, true, (*world).sweep},
		{"by one that started since", restart, false, nil},
		{"by one that started since, although its webhook is lost", restart, true, (*world).sweep},
		{"by one that was away", (*world).stopColony, false, func(w *world) { w.start(); w.sweep() }},
		{"by one that starts later", nil, true, restart},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, onDisk(t))
			i := w.stateful("colony:in-review")
			i.lock(true)
			w.clock.Advance(time.Minute)
			pause := i.commentAndSettle("olivia", "/colony:pause")
			refused := i.commentAndSettle("olivia", "/colony:retry")
			i.has("colony:paused")
			if c.between != nil {
				w.clock.Advance(time.Minute)
				c.between(w)
			}
			w.clock.Advance(time.Minute)
			w.github.ResetCalls()
			if c.lost {
				w.deaf()
			}
			i.lock(false)
			if w.colony != nil {
				w.settle()
			}
			if c.after != nil {
				c.after(w)
			}
			i.has("colony:paused")
			i.colonyReacts(pause, "+1")
			i.colonyReacts(refused, "confused")
			for range 2 { // nobody writes it again
				w.restart(false)
				w.clock.Advance(time.Minute)
				w.sweep()
			}
			if n := w.reactionsWritten(); n != 2 {
				t.Errorf("%d reactions were written, want 2", n)
			}
			i.has("colony:paused")
			ignore([]*issue{i}) // the teaching comment, which only the process that ran the command knows
		})
	}
}

// So it is if the process that is there then has never seen the command: it reads the comments because of the unlocking.
func TestReceiptOfALockedConversationIsWrittenByAnotherReplica(t *testing.T) {
	t.Parallel()
	w, all := newReplicasOf(t, 1, func(c *config.Config) { c.Sweep.Interval = 30 * 24 * time.Hour }) // no sweep but the one at the start
	i := w.stateful("colony:in-review")
	i.lock(true)
	pause := i.commentAndSettle("olivia", "/colony:pause")
	w.start()
	another := w.colony
	w.colony = all[0]
	w.stopColony()
	w.colony = another
	i.lock(false)
	w.settle()
	i.colonyReacts(pause, "+1")
	i.has("colony:paused")
}

// What ran in a locked conversation is not answered once more by a process that comes to know its text as edited.
func TestCommandInALockedConversationIsEditedAfterItRan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t))
	i := w.stateful("colony:in-review")
	i.lock(true)
	w.clock.Advance(time.Minute)
	pause := i.commentAndSettle("olivia", "/colony:pause")
	i.has("colony:paused")
	w.clock.Advance(time.Minute)
	w.stopColony()
	i.editComment("olivia", pause, "/colony:pause please")
	i.lock(false)
	w.start()
	w.sweep()
	i.colonyReacts(pause, "+1")
	i.has("colony:paused")
	if n := len(i.colonyComments()); n != 0 {
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
