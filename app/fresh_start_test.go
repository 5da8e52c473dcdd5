package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
)

// pullState is a pull request as people see it, with what Colony wrote on it.
func (i *issue) pullState(number int) (state string, said []string) {
	i.t.Helper()
	p, _, err := i.As("mona").PullRequests.Get(ctx, "acme", "widgets", number)
	i.Must(err)
	comments, _, err := i.As("mona").Issues.ListComments(ctx, "acme", "widgets", number, nil)
	i.Must(err)
	for _, c := range comments {
		if c.GetUser().GetLogin() == "colony[bot]" {
			said = append(said, c.GetBody())
		}
	}
	return p.GetState(), said
}

// A fresh start closes the pull requests of the issue, of no other one, and says there why.
func TestFreshStartClosesThePullRequests(t *testing.T) {
	t.Parallel()
	for command, to := range map[string]string{"reimplement": "colony:ready-for-dev", "reanalyze": "colony:analyzing"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, acme.Follows)
			other := w.stateful("colony:in-development")
			others := other.Fixed()
			i := w.stateful("colony:in-development")
			first, second := i.Fixed(), i.Pull("another-way", i.Fixes(), true)
			i.Label("dev[bot]", "colony:in-review")
			w.Settle()
			asked := i.Comment("olivia", "/colony:"+command+" the plan was wrong")
			w.Settle()
			i.Has(to)
			i.ColonyReacts(asked, "+1")
			for _, pull := range []int{first, second} {
				state, said := i.pullState(pull)
				if state != "closed" || len(said) != 1 || !strings.Contains(said[0], "`olivia` wrote `/colony:"+command+"` on issue #") {
					t.Errorf("#%d is %s, and Colony says %q", pull, state, said)
				}
			}
			if state, said := i.pullState(others); state != "open" || len(said) > 0 {
				t.Errorf("the pull request of another issue is %s, and Colony says %q", state, said)
			}
			if command == "reanalyze" {
				return
			}
			i.Label("dev[bot]", "colony:in-development")
			w.Settle()
			i.Label("dev[bot]", "colony:in-review") // what was closed is no pull request to review
			w.Settle()
			w.clock.Advance(time.Minute)
			w.Settle()
			i.Has("colony:ready-for-dev")
		})
	}
}

// Without the permission that it can do without, Colony says what it leaves open.
func TestFreshStartWithoutThePermission(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.Follows)
	granted := permissions.All()
	granted["pull_requests"] = "read"
	w.Must(w.github.SetInstallationPermissions(w.Installation, granted))
	w.Settle()
	i := w.stateful("colony:in-development")
	pull := i.Fixed()
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	asked := i.Comment("olivia", "/colony:reimplement")
	w.Settle()
	i.Has("colony:ready-for-dev")
	i.ColonyReacts(asked, "+1")
	i.ColonySays("could not close `#", "pull_requests: write")
	if state, said := i.pullState(pull); state != "open" || len(said) > 0 {
		t.Errorf("#%d is %s, and Colony says %q", pull, state, said)
	}
}

// Colony is killed at each call, and yet writes one move, one comment on a pull request that is closed, one receipt.
func TestFreshStartSurvivesACrash(t *testing.T) {
	t.Parallel()
	calls := freshStart(t, 0)
	for k := range crashPoints(calls) {
		freshStart(t, k)
	}
}

// freshStart plays it with a Colony that is killed after its k-th call (0: never), and returns how many calls it made.
func freshStart(t *testing.T, k int) int {
	t.Helper()
	w := newWorldWithoutColony(t, acme.Follows, onDisk(t))
	crash := &crashingTransport{}
	w.transport = crash
	w.start()
	w.install()
	i := w.stateful("colony:in-development")
	pull := i.Fixed()
	i.Label("dev[bot]", "colony:in-review")
	w.Settle()
	crash.after(k)
	asked := i.Comment("olivia", "/colony:reimplement")
	w.Settle()
	calls := crash.calls()
	w.stopColony()
	w.transport = nil
	w.start()
	for range 6 {
		w.clock.Advance(time.Minute)
		w.Settle()
	}
	if state, said := i.pullState(pull); state != "closed" || len(said) != 1 {
		t.Errorf("killed after call %d: #%d is %s, and Colony says %q", k, pull, state, said)
	}
	i.Has("colony:ready-for-dev")
	i.ColonyReacts(asked, "+1")
	w.Silence()
	return calls
}
