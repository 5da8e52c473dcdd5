package reconcile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
)

// pullIs asserts that a pull request is open or closed, and that Colony wrote on it once, with all these words, or never.
func pullIs(i *issue, number int, state string, words ...string) {
	p, _, err := i.As("mona").PullRequests.Get(ctx, "acme", "widgets", number)
	i.Must(err)
	comments, _, err := i.As("mona").Issues.ListComments(ctx, "acme", "widgets", number, nil)
	i.Must(err)
	said := ""
	for _, c := range comments {
		said += c.GetBody()
	}
	if p.GetState() != state || len(comments) != min(len(words), 1) || slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(said, word) }) {
		i.Must(fmt.Errorf("#%d is %s, and Colony says %q", number, p.GetState(), said))
	}
}

// toMerge is an issue whose pull request waits to be merged.
func (w *world) toMerge(after func()) (i *issue, pull int) {
	w.t.Helper()
	i = w.open("ada", "Paint it.")
	pull = i.Fixed()
	i.Label("olivia", "colony:merge-pending")
	after()
	w.clock.Advance(time.Minute)
	return i, pull
}

// Out of merge-pending a label back to the queue, or to the analysis, closes the pull request like the commands do.
func TestALabelStartsTheWorkAfresh(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"ready-for-dev", "analyzing"} {
		notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
			i, pull := w.toMerge(after)
			i.Swap("olivia", "colony:merge-pending", "colony:"+to)
			after()
			i.Has("colony:" + to)
			pullIs(i, pull, "closed", "`olivia` moved issue #1 from `merge-pending` to `"+to+"`")
			w.clock.Advance(time.Minute)
			another := i.Pull("another", i.Fixes(), false)
			i.Change("mona", pull, &github.IssueRequest{State: new("open")})
			w.restart(true)
			w.Sweep()
			pullIs(i, another, "open")
			pullIs(i, pull, "open", "`olivia` moved issue #1")
		})
	}
}

// So does the command that makes any move.
func TestACommandThatMovesStartsTheWorkAfresh(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"ready-for-dev", "analyzing"} {
		w := newWorld(t, acme.Follows)
		i, pull := w.fixedIn("colony:merge-pending")
		i.ColonyReacts(i.CommentAndSettle("olivia", "/colony:move "+to), "+1")
		i.Has("colony:" + to)
		pullIs(i, pull, "closed", "`olivia` wrote `/colony:move` on issue #1")
	}
}

// A pull request for several issues goes with the work of one: the people of the others read it on the pull request.
func TestAFreshStartNamesTheOtherIssuesOfThePullRequest(t *testing.T) {
	t.Parallel()
	notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
		i, other, third := w.open("ada", "Paint it."), w.open("ada", "Varnish it."), w.open("ada", "Hang it.")
		pull := i.Pull("all-of-it", i.Fixes()+"\n"+other.Fixes()+"\n"+third.Fixes(), false)
		i.Label("olivia", "colony:merge-pending")
		after()
		w.clock.Advance(time.Minute)
		command := i.Comment("olivia", "/colony:reimplement")
		after()
		i.ColonyReacts(command, "+1")
		pullIs(i, pull, "closed", "`olivia` wrote `/colony:reimplement` on issue #1", "It was also for `#2`, `#3`")
	})
}

// No other move closes a pull request.
func TestOtherMovesCloseNoPullRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	i, pull := w.fixedIn("colony:in-review")
	i.Label("olivia", "colony:analyzing")
	w.Settle()
	i.Has("colony:analyzing")
	pullIs(i, pull, "open")
}

// Without the permission that it can do without, Colony says on the issue what it leaves open, once.
func TestALabelStartsAfreshWithoutThePermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	granted := permissions.All()
	granted["pull_requests"] = "read"
	w.Must(w.github.SetInstallationPermissions(w.Installation, granted))
	w.Settle()
	i, pull := w.fixedIn("colony:merge-pending")
	i.Label("olivia", "colony:ready-for-dev")
	w.Settle()
	i.Has("colony:ready-for-dev")
	i.ColonySays("could not close `#", "pull_requests: write")
	pullIs(i, pull, "open")
	w.restart(true)
}

// A developer gives work back, as often as the limits let it.
func TestADeveloperGivesWorkBack(t *testing.T) {
	t.Parallel()
	for to, back := range map[string]string{"ready-for-dev": "", "analyzing": "colony:ready-for-dev"} {
		w := newWorld(t)
		i := w.open("ada", "Paint it.")
		i.Label("olivia", "colony:ready-for-dev")
		for range 4 {
			w.Settle()
			i.Label("dev[bot]", "colony:in-development")
			w.Settle()
			i.Has("colony:in-development")
			i.Label("dev[bot]", "colony:"+to)
			w.Settle()
			if back != "" && i.Labels()[0] == "colony:"+to {
				i.Label("dev[bot]", back)
			}
		}
		i.Has("colony:failure-blocked", "colony:needs-human")
		i.ColonySays("as often as it may")
	}
}

// So it does if a bot moved the issue on before Colony looked. A person who did that can have taken it back.
func TestALabelStartsTheWorkAfreshAlsoWhereTheIssueMovedOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ to, by, on, pull string }{
		{"ready-for-dev", "dev[bot]", "in-development", "closed"}, {"analyzing", "dev[bot]", "ready-for-dev", "closed"}, {"ready-for-dev", "olivia", "merge-pending", "open"},
	} {
		notifiedAndSwept(t, acme.Follows, func(w *world, after func()) {
			i, pull := w.toMerge(after)
			w.github.HoldDeliveries()
			i.Swap("olivia", "colony:merge-pending", "colony:"+c.to)
			w.clock.Advance(time.Minute)
			i.Swap(c.by, "colony:"+c.to, "colony:"+c.on)
			another := i.Pull("another", i.Fixes(), false)
			w.github.ReleaseDeliveries(nil)
			after()
			i.Has("colony:" + c.on)
			if c.pull == "closed" {
				pullIs(i, pull, "closed", "`olivia` moved issue #1 from `merge-pending` to `"+c.to+"`")
			} else {
				pullIs(i, pull, "open")
			}
			w.restart(true)
			pullIs(i, another, "open")
		})
	}
}
