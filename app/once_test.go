package app_test

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// Whether somebody may begin a round is not known as long as GitHub does not say what the person may do: nothing moves, nothing is lost.
func TestReplyIsRetriedIfItsAuthorsPermissionCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusInternalServerError, http.StatusForbidden} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows, withAdmin, func(c *config.Config) { c.Lifecycle = "autoralph" })
			i := w.open("ada", "Paint it.")
			i.Label("olivia", "colony:queued")
			i.Label("dev[bot]", "colony:refining")
			w.Settle()
			w.clock.Advance(time.Minute)
			before := i.StateChanges()
			w.github.ResetCalls()
			heal := w.github.Fault(playground.Fault{
				Kind: playground.FaultStatus, Method: http.MethodGet, Path: regexp.MustCompile(`/permission$`), Status: status,
			})
			i.Comment("tara", "Paint it blue.")
			w.Settle()
			asked := func() bool {
				return slices.ContainsFunc(w.github.Calls(), func(c playground.Call) bool { return strings.HasSuffix(c.Path, "/tara/permission") })
			}
			if !asked() {
				t.Error("nobody asked what tara may do")
			}
			w.Sweep() // finds it as well, and knows no more
			if rounds := i.StateChanges() - before; rounds != 0 {
				t.Errorf("%d rounds although nobody knows what tara may do", rounds)
			}
			i.Has("colony:refining")
			i.NothingUnread()

			heal()
			if status == http.StatusForbidden { // GitHub's last word, so an operator or a sweep asks again
				if dead := w.deadLetters(); len(dead) == 0 {
					t.Error("what GitHub refuses to show is not in the list of what was given up")
				}
				w.Sweep()
			}
			w.clock.Advance(time.Minute)
			w.Settle()
			if rounds := i.StateChanges() - before; rounds != 1 {
				t.Errorf("%d rounds for one reply", rounds)
			}
			i.Has("colony:refining")
		})
	}
}
