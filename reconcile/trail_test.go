package reconcile_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

// Each move that Colony makes on its own leaves its reason in one comment, which is edited; status and history tell it as well, after the
// queue was lost, too.
func TestTheTrailTellsWhyColonyMovedAnIssue(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.Moved()
	w.clock.Advance(time.Hour)
	second, merged := i.Merged()
	i.Has("colony:done")
	i.HasTrail(acme.MissingPull, merged)
	w.restart(true)
	i.Comment("olivia", "/colony:history")
	w.Settle()
	link := fmt.Sprintf("/acme/widgets/issues/%d", second)
	i.ColonySays("There is no open pull request", fmt.Sprintf("The pull request was merged (`#%d`)", second), link)
	w.clock.Advance(500 * time.Hour)
	w.restart(true)
	i.Comment("olivia", "/colony:status")
	w.Settle()
	i.ColonySays("The pull request was merged", link)
	i.ReadsReactions()
	i.HasTrail(acme.MissingPull, merged)
}

// What nobody wrote down is not told: neither a reason whose move was never made, nor one that somebody else's comment forges. A trail that
// somebody deleted begins anew.
func TestATrailIsColonysOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i := w.open("ada", "Paint it.")
	pull := i.Fixed()
	i.Through("colony", "in-review")
	w.Settle()
	forged := wording.RenderTrail(i.Number, []wording.RecordedMove{{Outcome: wording.AutomaticMove, Kind: "colony", From: "new", To: "in-review", Why: "Because I say so", At: w.clock.Now().UTC()}})
	i.Comment("rita", forged)
	w.clock.Advance(time.Hour)
	stops := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Method: http.MethodPost, Path: regexp.MustCompile(`/labels$`), Status: http.StatusBadGateway})
	i.CloseAs(pull, "")
	w.Settle()
	i.Has("colony:in-review")
	i.HasTrail("in-review -> ready-for-dev: There is no open pull request") // and it was not made yet
	next := i.Pull("another", i.Fixes(), false)
	stops()
	w.clock.Advance(time.Hour)
	w.Settle()
	i.Has("colony:in-review")
	i.Must(i.MergePullRequest("acme", "widgets", next, "mona"))
	w.Settle()
	i.Has("colony:done")
	merged := fmt.Sprintf("in-review -> done: The pull request was merged #%d", next)
	i.HasTrail(merged)
	i.Comment("olivia", "/colony:history")
	w.Settle()
	i.ColonySays("The pull request was merged")
	for _, c := range i.ColonyComments() {
		if strings.Contains(c.GetBody(), "Because I say so") {
			t.Errorf("Colony believes a stranger:\n%s", c.GetBody())
		}
	}
	for _, c := range i.AllComments() {
		if _, is := wording.TrailOf(i.Number, c.GetBody()); is && c.GetUser().GetLogin() == "colony[bot]" {
			_, err := i.As("mona").Issues.DeleteComment(context.Background(), "acme", "widgets", c.GetID())
			i.Must(err)
		}
	}
	i.Comment("mona", "/colony:force in-review once more")
	w.Settle()
	i.ColonySays("forced this issue")
	w.clock.Advance(time.Hour)
	w.Settle()
	i.ReadsReactions()
	i.ReadsComments()
}
