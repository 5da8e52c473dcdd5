package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// If the command that blocked an issue is gone, Colony neither invents a reason nor asks a person to look.
func TestBlockOfADeletedCommandStaysQuiet(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(i *issue, comment int64){
		"deleted": func(i *issue, comment int64) {
			_, err := i.as("tara").Issues.DeleteComment(ctx, "acme", "widgets", comment)
			i.must(err)
		},
		"edited": func(i *issue, comment int64) { i.editComment("tara", comment, "Never mind.") },
	} {
		for _, forget := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, forgotten=%t", name, forget), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, onDisk(t), follows)
				i := w.open("ada", "Paint it.")
				i.through("colony", "ready-for-dev")
				w.settle()
				w.clock.Advance(time.Minute)
				block := i.commentAndSettle("tara", "/colony:block the customer called")
				i.colonyReacts(block, "+1")
				i.has("colony:failure-blocked")
				w.clock.Advance(time.Minute)
				goes(i, block)
				w.settle()
				w.restart(forget)
				i.has("colony:failure-blocked")
				status := i.commentAndSettle("olivia", "/colony:status")
				i.colonyReacts(status, "+1")
				i.colonySays("**`failure-blocked`**")
				w.sweep()
				i.has("colony:failure-blocked")
				if said := i.colonyComments(); len(said) != 1 || strings.Contains(said[0].GetBody(), "lead back") {
					t.Errorf("Colony says more than the status: %v", said)
				}
			})
		}
	}
}

// movedWithoutAWord is an issue that Colony moved. The comment that explains it fails and waits.
func (w *world) movedWithoutAWord() *issue {
	w.t.Helper()
	i := w.open("ada", "Paint it.")
	i.through("colony", "ready-for-dev")
	w.settle()
	w.clock.Advance(time.Minute)
	works := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/comments$`), Status: http.StatusBadGateway})
	other := i.other()
	i.blockedBy(other, i.number, true)
	i.blockedBy(i.number, other, true)
	w.quiet()
	works()
	return i
}

// Colony says that it does not know the reason of its own move if it stopped before it said why, and the queue was lost.
func TestReasonThatWasLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t), follows)
	i := w.movedWithoutAWord()
	w.restart(true)
	i.colonySays("Colony moved this issue from `ready-for-dev` to `failure-blocked`", "no longer knows why")
	i.has("colony:failure-blocked", lifecycle.NeedsHuman)
}

// A reconciliation between the move and the one that was to explain it knows the reason too.
func TestReasonIsKnownToEveryReconciliation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, follows)
	i := w.movedWithoutAWord()
	status := i.comment("olivia", "/colony:status")
	w.quiet()
	i.colonySays("Colony moved this issue from `ready-for-dev` to `failure-blocked`", "lead back to it")
	i.colonySays("**`failure-blocked`**")
	i.colonyReacts(status, "+1")
	i.has("colony:failure-blocked", lifecycle.NeedsHuman)
	w.clock.Advance(time.Minute)
	w.settle()
}
