package reconcile_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
)

// If the command that blocked an issue is gone, Colony neither invents a reason nor asks a person to look.
func TestBlockOfADeletedCommandStaysQuiet(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(i *issue, comment int64){
		"deleted": func(i *issue, comment int64) {
			_, err := i.As("tara").Issues.DeleteComment(ctx, "acme", "widgets", comment)
			i.Must(err)
		},
		"edited": func(i *issue, comment int64) { i.EditComment("tara", comment, "Never mind.") },
	} {
		for _, forget := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, forgotten=%t", name, forget), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, acme.Follows)
				i := w.open("ada", "Paint it.")
				i.Through("colony", "ready-for-dev")
				w.Settle()
				w.clock.Advance(time.Minute)
				block := i.CommentAndSettle("tara", "/colony:block the customer called")
				i.ColonyReacts(block, "+1")
				i.Has("colony:failure-blocked")
				w.clock.Advance(time.Minute)
				goes(i, block)
				w.Settle()
				w.restart(forget)
				i.Has("colony:failure-blocked")
				status := i.CommentAndSettle("olivia", "/colony:status")
				i.ColonyReacts(status, "+1")
				i.ColonySays("**`failure-blocked`**")
				w.Sweep()
				i.Has("colony:failure-blocked")
				if said := i.ColonyComments(); len(said) != 1 || strings.Contains(said[0].GetBody(), "lead back") {
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
	i.Through("colony", "ready-for-dev")
	w.Settle()
	w.clock.Advance(time.Minute)
	works := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/comments$`), Status: http.StatusBadGateway})
	other := i.Other()
	i.BlockedBy(other, i.Number, true)
	i.BlockedBy(i.Number, other, true)
	w.Quiet()
	works()
	return i
}

// Colony says that it does not know the reason of its own move if it stopped before it said why, and the queue was lost.
func TestReasonThatWasLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.movedWithoutAWord()
	w.restart(true)
	i.ColonySays("Colony moved this issue from `ready-for-dev` to `failure-blocked`", "no longer knows why")
	i.Has("colony:failure-blocked", lifecycle.NeedsHuman)
}

// A reconciliation between the move and the one that was to explain it knows the reason too.
func TestReasonIsKnownToEveryReconciliation(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.movedWithoutAWord()
	status := i.Comment("olivia", "/colony:status")
	w.Quiet()
	i.ColonySays("Colony moved this issue from `ready-for-dev` to `failure-blocked`", "lead back to it")
	i.ColonySays("**`failure-blocked`**")
	i.ColonyReacts(status, "+1")
	i.Has("colony:failure-blocked", lifecycle.NeedsHuman)
	w.clock.Advance(time.Minute)
	w.Settle()
}
