package statemachine

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// cycles are rounds between review and development, as the first lifecycle has them, at 10 seconds an event.
func cycles(times int) []string {
	return append([]string{"olga +in-review"}, often(times, "rev +changes-requested", "colony -in-review", "dev +in-development", "colony -changes-requested", "dev +in-review", "colony -in-development")...)
}

// The author of a command made its move, also where a trigger of the lifecycle makes the same move.
func TestACommandsMoveIsItsWriters(t *testing.T) {
	t.Parallel()
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	five := cycles(5) // 31 events
	for _, c := range []struct {
		name     string
		log      []string
		last     string
		rejected string
	}{
		{"a person's is not limited", then(five, "for-olga +changes-requested"), "in-review>changes-requested", ""},
		{"Colony's own is", then(five, "colony +changes-requested"), "exhausted:in-review>failure-blocked", "[32] colony[bot] in-review>changes-requested limit-reached led to failure-blocked"},
		{"a bot's is", then(five, "for-bot +changes-requested"), "exhausted:in-review>failure-blocked", "[32] colony[bot] for bot in-review>changes-requested limit-reached led to failure-blocked"},
		{"after a person's the count begins anew", then(five, "for-olga +changes-requested", "dev +in-development", "dev +in-review", "rev +changes-requested"), "in-review>changes-requested", ""},
		{"after a bot's it does not", then(cycles(4), "for-bot +changes-requested", "for-bot +in-development", "for-bot +in-review", "rev +changes-requested"), "exhausted:in-review>failure-blocked", "[29] rev in-review>changes-requested limit-reached led to failure-blocked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := colony(t).Fold(traced(changes(t, c.log...)))
			m, _ := got.Since()
			if is := trail([]Move{m}); is != c.last || rejected(got.Rejections) != c.rejected {
				t.Errorf("%s; %s", is, rejected(got.Rejections))
			}
			if !got.Unordered.IsZero() {
				t.Errorf("asks for orders since %s, although all are known", got.Unordered)
			}
		})
	}
}

// Until it is known who ordered a move of Colony's, no limit ends it: else the command that ordered it would not be found.
func TestALimitWaitsForWhoOrderedTheMove(t *testing.T) {
	t.Parallel()
	h := traced(changes(t, append(cycles(5), "colony +changes-requested")...))
	h.Ordered = func(id int64) (lifecycle.Actor, bool) { return lifecycle.Actor{}, id < 32 }
	got := colony(t).Fold(h)
	if m, _ := got.Since(); m.ID != 32 || m.To != "changes-requested" || !got.Unordered.Equal(m.At) {
		t.Errorf("the last move is %+v, and orders are unknown since %s", m, got.Unordered)
	}
}

// What depends on a move of Colony's depends on who ordered it.
func TestWhoOrderedAMoveDecides(t *testing.T) {
	t.Parallel()
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	inReview := autoralphAt("in-review") // since 70s
	fixed := func(by string) []string {
		return then(inReview, often(3, by+" +fixing-checks", "colony -in-review", "bot +in-review", "colony -fixing-checks")...)
	}
	paused := func(by string) []string {
		return then(inReview, by+" +paused @3m", "colony -in-review @3m", "olga +in-review @4m", "colony -paused @4m")
	}
	resumed := func(by string) []string {
		return then(inReview, "colony +paused @3m", "colony -in-review @3m", by+" +in-review @4m", "colony -paused @4m")
	}
	resumedFight := func(by string) []string {
		return slices.Concat(fight(5, time.Minute), []string{by + " +in-review @10m", "colony -paused @10m", "bot +done @11m"})
	}
	failed := []string{"checks-failed @2m"}
	const (
		limit = "move in-review>paused: The fix attempts are used up and the checks still fail: a person has to help, a person is asked; +paused, -in-review"
		fix   = "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"
	)
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"a limit counts Colony's own moves", observation{life: "autoralph", log: fixed("colony"), facts: []string{"checks-failed @1h"}}, limit},
		{"and those of bots", observation{life: "autoralph", log: fixed("for-bot"), facts: []string{"checks-failed @1h"}}, limit},
		{"a person's command begins the count anew", observation{life: "autoralph", log: fixed("for-olga"), facts: []string{"checks-failed @1h"}}, fix},
		{"a limit that paused it has answered the fact", observation{life: "autoralph", log: paused("colony"), answers: []int64{10}, facts: failed}, ""},
		{"a person who paused it has not", observation{life: "autoralph", log: paused("for-olga"), facts: failed}, fix},
		{"a person resumes in spite of a conflict", observation{life: "autoralph", log: resumed("for-olga"), answers: []int64{10}, facts: []string{"pull-request-conflicting"}}, ""},
		{"a bot does not", observation{life: "autoralph", log: resumed("for-bot"), answers: []int64{10}, facts: []string{"pull-request-conflicting"}}, "move in-review>paused: The pull request conflicts with its base: somebody has to resolve that, and then to resume the issue, a person is asked; +needs-human, +paused, -in-review"},
		{"a person's command starts the breaker again", observation{life: "colony", log: resumedFight("for-olga"), answers: answered(5), later: time.Minute}, "explain [15], +failure-blocked, +needs-human, -done, -in-review"},
		{"a bot's does not", observation{life: "colony", log: resumedFight("for-bot"), answers: answered(5), later: time.Minute}, "halted by [15], say so, +needs-human, tidy at 09:41:00"},
	})
}

// Before anything is judged, Colony finds out who ordered its moves: those that it made since it was installed, and no others.
func TestColonyAsksWhoOrderedItsMoves(t *testing.T) {
	t.Parallel()
	life := colony(t)
	for name, c := range map[string]struct {
		log       []string
		installed time.Duration
		known     []int64
		want      time.Duration // -1: it asks for none
	}{
		"nobody but people moved it":  {[]string{"olga +new", "dev +analyzing", "colony -new"}, 0, nil, -1},
		"it moved it":                 {[]string{"olga +new", "colony +analyzing", "colony -new"}, 0, nil, 10 * time.Second},
		"since the first unknown one": {[]string{"colony +new", "colony +analyzing", "colony -new", "colony +ready-for-dev"}, 0, []int64{1}, 10 * time.Second},
		"all are known":               {[]string{"colony +new", "colony +analyzing", "colony -new"}, 0, []int64{1, 2}, -1},
		"it was installed since":      {[]string{"colony +new", "colony +analyzing", "colony -new", "olga +ready-for-dev @1m"}, time.Minute, nil, -1},
		"what it put back is no move": {[]string{"olga +new", "dev -new", "colony +new"}, 0, nil, -1},
		"somebody took it back":       {[]string{"olga +new", "colony +analyzing", "dev -analyzing"}, 0, nil, 10 * time.Second},
		"long before the horizon":     {[]string{"colony +new @-1000h", "olga +analyzing"}, 0, nil, -1000 * time.Hour},
	} {
		log := changes(t, c.log...)
		h := History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(-time.Hour)}}
		if c.installed > 0 {
			h.Installed = morning.Add(c.installed)
		}
		h.Ordered = func(id int64) (lifecycle.Actor, bool) { return lifecycle.Actor{}, slices.Contains(c.known, id) }
		in := Case{Standing: life.Fold(h), Labels: h.Labels, Updated: log[len(log)-1].At, Now: log[len(log)-1].At, MayWait: true}
		got := time.Duration(-1)
		if since := in.Standing.Unordered; !since.IsZero() {
			got = since.Sub(morning)
		}
		_, n := life.Decide(modelThresholds, in, Evidence{})
		if got != c.want || !n.OrdersSince.Equal(in.Standing.Unordered) {
			t.Errorf("%s: it asks since %s: %+v", name, got, n)
		}
		in.Labels = []string{"colony:paused"} // the log does not show it yet
		if d, n := life.Decide(modelThresholds, in, Evidence{}); d.Wait.Why != Lag || !n.IsZero() {
			t.Errorf("%s: of a log that lags behind: %+v, %+v", name, d, n)
		}
	}
}

// GitHub can show that an issue is open again before its log does. Its time in the state would be over until then.
func TestTheLogCanHideAReopening(t *testing.T) {
	t.Parallel()
	life := colony(t)
	log := changes(t, "olga +new", "dev +analyzing", "olga -new")
	now := morning.Add(1000 * time.Hour)
	closedAt := Closure{Moment: Moment{At: morning.Add(time.Hour), ID: 100}, Closed: true}
	opened := Closure{Moment: Moment{At: now, ID: 101}}
	for _, c := range []struct {
		name     string
		closures []Closure
		mayWait  bool
		want     WaitReason
	}{
		{"the log shows it", []Closure{closedAt, opened}, true, ""},
		{"the log hides it", []Closure{closedAt}, true, Lag},
		{"the log hid it for as long as a request waits", []Closure{closedAt}, false, ""},
	} {
		h := History{Changes: log, Labels: labelsAfter(log), Closures: c.closures, Terms: Terms{JudgedSince: morning.Add(-time.Hour)}}
		in := Case{Standing: life.Fold(h), Labels: h.Labels, Updated: now, Now: now, MayWait: c.mayWait}
		if d, _ := life.Decide(modelThresholds, in, Evidence{}); (d.Wait.Why == Lag) != (c.want == Lag) {
			t.Errorf("%s: %+v", c.name, d.Wait)
		}
	}
}

// Only lasting facts make a loop. Six answers within minutes are six answers.
func TestOneTimeFactFeedsNoLoop(t *testing.T) {
	t.Parallel()
	refining := autoralphAt("refining")
	for i := range 9 {
		at := time.Duration(i+1) * time.Minute
		refining = append(refining, fmt.Sprintf("colony -refining @%s", at), fmt.Sprintf("colony +refining @%s", at))
	}
	asked := []string{"olga +new @0s"}
	for i := range 9 {
		at := time.Duration(i+1) * time.Minute
		asked = append(asked, fmt.Sprintf("bot +analyzing @%s", at), fmt.Sprintf("bot +needs-clarification @%s", at), fmt.Sprintf("colony -analyzing @%s", at))
		if i == 0 {
			asked = append(asked, "colony -new @1m")
		}
		asked = append(asked, fmt.Sprintf("colony +analyzing @%s", at+30*time.Second), fmt.Sprintf("colony -needs-clarification @%s", at+30*time.Second))
	}
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"rounds with the author", observation{life: "autoralph", log: refining, facts: []string{"person-replied @10m ada"}}, "move refining>refining: A person replied for ada; again refining"},
		{"clarifications", observation{life: "colony", log: asked, facts: []string{"author-replied @10m ada"}}, ""},
	})
}

// From when on a fact counts: a detour into a blocked state and back hides nothing, and nothing moves an issue twice.
func TestSinceWhenFactsCount(t *testing.T) {
	t.Parallel()
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	inReview := autoralphAt("in-review") // entered at 70s
	fixing := then(inReview, "colony +fixing-checks @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -fixing-checks @9m")
	failed := []string{"olga +queued", "bot +refining", "colony -queued", "olga +approved", "colony -refining", "bot +building", "colony -approved", "bot +failed", "colony -building"}
	const (
		review    = "move in-review>addressing-feedback: A review requested changes; +addressing-feedback, -in-review"
		merged    = "move in-review>completed: The pull request was merged; +completed, -in-review"
		unblocked = "move dependency-blocked>ready-for-dev: Nothing is left that the issue waited for; +ready-for-dev, -dependency-blocked"
		again     = "move in-review>changes-requested: A reviewer requested changes; +changes-requested, -in-review"
		done      = "move in-review>done: The pull request was merged; +done, -in-review"

		mergedLate = "move merge-pending>done: The pull request was merged; +done, -merge-pending"
		conflict   = "move in-review>paused: The pull request conflicts with its base: somebody has to resolve that, and then to resume the issue, a person is asked; +paused, -in-review"
		blocked    = "move ready-for-dev>dependency-blocked: The issue depends on one that is open; +dependency-blocked, -ready-for-dev"
	)
	paused := []string{"olga +paused @13m", "colony -in-review @13m", "olga +in-review @14m", "colony -paused @14m"}
	undone := then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m")
	overridden := []string{"olga +ready-for-dev @0s", "colony +dependency-blocked @1m", "colony -ready-for-dev @1m", "olga +ready-for-dev @2m", "colony -dependency-blocked @2m"}
	colonys := []string{"olga +in-review @0s"}
	askedFor := then(colonys, "olga +changes-requested @6m", "colony -in-review @6m", "dev +in-development @7m", "colony -changes-requested @7m", "dev +in-review @8m", "colony -in-development @8m", "rev +human-review-ready @9m", "colony -in-review @9m")
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"a review while checks are fixed", observation{life: "autoralph", log: fixing, facts: []string{"review-changes-requested @5m"}}, review},
		{"a review while the issue is paused", observation{life: "autoralph", log: then(inReview, "olga +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m"), facts: []string{"review-changes-requested @5m"}}, review},
		{"and before it is", observation{life: "autoralph", log: then(inReview, "olga +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m"), facts: []string{"review-changes-requested @2m"}}, review},
		{"by commands too", observation{life: "autoralph", log: then(inReview, "for-olga +paused @3m", "colony -in-review @3m", "for-olga +in-review @9m", "colony -paused @9m"), facts: []string{"review-changes-requested @2m"}}, review},
		{"a review that was answered is not answered again", observation{life: "autoralph", log: then(inReview, "colony +addressing-feedback @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -addressing-feedback @9m"), facts: []string{"review-changes-requested @2m"}}, ""},
		{"one that came meanwhile is", observation{life: "autoralph", log: then(inReview, "colony +addressing-feedback @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -addressing-feedback @9m"), facts: []string{"review-changes-requested @5m"}}, review},
		{"nor is one that a person answered by hand", observation{life: "autoralph", log: then(inReview, "olga +addressing-feedback @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -addressing-feedback @9m"), facts: []string{"review-changes-requested @2m"}}, ""},
		{"a failure that a limit ended is not brought up by who resumes", observation{life: "autoralph", log: then(inReview, append(often(3, "colony +fixing-checks @3m", "colony -in-review @3m", "bot +in-review @9m", "colony -fixing-checks @9m"), "colony +paused @10m", "colony -in-review @10m", "olga +in-review @11m", "colony -paused @11m")...), facts: []string{"checks-failed @10m"}, answers: []int64{22}}, ""},

		{"a merge while the issue is paused completes it", observation{life: "autoralph", log: then(inReview, "olga +paused @3m", "colony -in-review @3m"), facts: []string{"pull-request-merged @4m"}}, "move paused>completed: The pull request was merged; +completed, -paused"},
		{"and where it failed", observation{life: "autoralph", log: failed, facts: []string{"pull-request-merged @4m"}}, "move failed>completed: The pull request was merged; +completed, -failed"},
		{"a merge before a person handed it on", observation{life: "autoralph", log: []string{"olga +queued", "bot +refining", "colony -queued", "olga +approved", "colony -refining", "bot +building", "colony -approved", "olga +in-review @5m", "colony -building @5m"}, facts: []string{"pull-request-merged @4m"}}, merged},

		{"a merge while the issue was blocked, and a retry", observation{life: "colony", log: then(colonys, "olga +failure-blocked @3m", "colony -in-review @3m", "for-olga +in-review @9m", "colony -failure-blocked @9m"), facts: []string{"pull-request-merged @5m"}}, done},
		{"a merge while it was paused, and a resume", observation{life: "colony", log: then(colonys, "olga +paused @3m", "colony -in-review @3m", "olga +in-review @9m", "colony -paused @9m"), facts: []string{"pull-request-merged @5m"}}, done},
		{"a merge, and the work was sent back since", observation{life: "colony", log: then(colonys, "olga +ready-for-dev @6m", "colony -in-review @6m", "dev +in-development @7m", "colony -ready-for-dev @7m", "dev +in-review @8m", "colony -in-development @8m"), facts: []string{"pull-request-merged @5m"}}, ""},
		{"a merge before a bot handed the work on", observation{life: "colony", log: []string{"olga +ready-for-dev @0s", "dev +in-development @1m", "colony -ready-for-dev @1m", "dev +in-review @6m", "colony -in-development @6m"}, facts: []string{"pull-request-merged @5m"}}, done},
		{"a merge before a person sent back what was not handed on", observation{life: "colony", log: []string{"olga +ready-for-dev @0s", "dev +in-development @1m", "colony -ready-for-dev @1m", "olga +ready-for-dev @6m", "colony -in-development @6m", "dev +in-development @7m", "colony -ready-for-dev @7m", "dev +in-review @8m", "colony -in-development @8m"}, facts: []string{"pull-request-merged @5m"}}, done},
		{"a merge in the second of its approval", observation{life: "colony", log: then(colonys, "rev +human-review-ready @1m", "colony -in-review @1m", "olga +merge-pending @3m", "colony -human-review-ready @3m"), facts: []string{"pull-request-merged @3m"}}, mergedLate},
		{"and a moment before it", observation{life: "colony", log: then(colonys, "rev +human-review-ready @1m", "colony -in-review @1m", "olga +merge-pending @3m", "colony -human-review-ready @3m"), facts: []string{"pull-request-merged @2m57s"}}, mergedLate},
		{"a merge before a person asked for changes", observation{life: "colony", log: then(colonys, "olga +changes-requested @6m", "colony -in-review @6m"), facts: []string{"pull-request-merged @5m"}}, "move changes-requested>done: The pull request was merged; +done, -changes-requested"},
		{"a bot's late request for changes is not that", observation{life: "colony", log: then(colonys, "rev +changes-requested @6m", "colony -in-review @6m"), facts: []string{"pull-request-merged @5m"}}, "move changes-requested>done: The pull request was merged; +done, -changes-requested"},
		{"a review that came while the work was done again", observation{life: "colony", log: then(colonys, "colony +changes-requested @3m", "colony -in-review @3m", "dev +in-development @4m", "colony -changes-requested @4m", "dev +in-review @8m", "colony -in-development @8m"), facts: []string{"review-changes-requested @5m"}}, again},
		{"what a reviewing bot said and then decided is decided", observation{life: "colony", log: then(colonys, "rev +changes-requested @3m", "colony -in-review @3m", "dev +in-development @4m", "colony -changes-requested @4m", "dev +in-review @8m", "colony -in-development @8m"), facts: []string{"review-changes-requested @2m"}}, ""},
		{"what a bot decided out of the row's states is decided", observation{life: "colony", log: []string{"olga +merge-pending @0s", "bot +in-review @3m", "colony -merge-pending @3m", "bot +human-review-ready @5m", "colony -in-review @5m"}, facts: []string{"pull-request-closed @2m"}}, ""},
		{"what it did elsewhere is no decision about it", observation{life: "colony", log: []string{"olga +merge-pending @0s", "bot +in-review @3m", "colony -merge-pending @3m", "bot +human-review-ready @5m", "colony -in-review @5m"}, facts: []string{"pull-request-closed @4m"}}, "move human-review-ready>ready-for-dev: The pull request was closed without a merge; +ready-for-dev, -human-review-ready"},

		{"an approval before a person asked for changes", observation{life: "colony", log: askedFor, facts: []string{"person-approved @5m"}}, ""},
		{"one after it, while the work is done again", observation{life: "colony", log: askedFor, facts: []string{"person-approved @7m30s"}}, "move human-review-ready>merge-pending: A person approved the pull request; +merge-pending, -human-review-ready"},

		// What is settled was nobody's entry or decision that is known.
		{"a reply from before the state was settled", observation{life: "autoralph", log: []string{"olga +refining @0s"}, since: time.Hour, later: 2 * time.Hour, facts: []string{"person-replied @30m"}}, ""},
		{"one since", observation{life: "autoralph", log: []string{"olga +refining @0s"}, since: time.Hour, later: 2 * time.Hour, facts: []string{"person-replied @90m"}}, "move refining>refining: A person replied; again refining"},
		{"checks from before it", observation{life: "autoralph", log: []string{"olga +in-review @0s"}, since: time.Hour, later: 2 * time.Hour, facts: []string{"checks-failed @30m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},

		// What stands moves an issue once more only if nobody took back that very move.
		{"a pause of a person and the return from it", observation{life: "autoralph", log: then(inReview, paused...), facts: []string{"pull-request-conflicting"}}, conflict},
		{"a person took Colony's move back", observation{life: "autoralph", log: undone, facts: []string{"pull-request-conflicting"}, answers: []int64{10}}, ""},
		{"and paused the issue since", observation{life: "autoralph", log: then(undone, paused...), facts: []string{"pull-request-conflicting"}, answers: []int64{10}}, ""},
		{"a dependency that a person overrode", observation{life: "colony", log: overridden, facts: []string{"dependency-open @30s"}}, ""},
		{"and nobody knows since when", observation{life: "colony", log: overridden, facts: []string{"dependency-open"}}, ""},
		{"one that came since", observation{life: "colony", log: overridden, facts: []string{"dependency-open @3m"}}, blocked},

		// What stands, and counts only where Colony blocked the issue itself, or if it began since.
		{"Colony blocked it itself", observation{life: "colony", log: []string{"olga +ready-for-dev @0s", "colony +dependency-blocked @1m", "colony -ready-for-dev @1m"}, facts: []string{"dependencies-none @30s"}}, unblocked},
		{"a person did", observation{life: "colony", log: []string{"olga +dependency-blocked @1m"}, facts: []string{"dependencies-none @30s"}}, ""},
		{"by a command", observation{life: "colony", log: []string{"olga +ready-for-dev @0s", "for-olga +dependency-blocked @1m", "colony -ready-for-dev @1m"}, facts: []string{"dependencies-none @30s"}}, ""},
		{"but it began after that", observation{life: "colony", log: []string{"olga +dependency-blocked @1m"}, facts: []string{"dependencies-none @2m"}}, unblocked},
		{"nobody knows since when it is there, and it began before Colony judges", observation{life: "colony", labels: "dependency-blocked", since: time.Minute, later: time.Hour, facts: []string{"dependencies-none @30s"}}, ""},
		{"or after that", observation{life: "colony", labels: "dependency-blocked", since: time.Minute, later: time.Hour, facts: []string{"dependencies-none @2m"}}, unblocked},
		{"it was settled there", observation{life: "colony", log: []string{"olga +done @0s", "olga +dependency-blocked @1m"}, since: time.Hour, later: 2 * time.Hour, facts: []string{"dependencies-none @30m"}}, "-done"},
		{"and it began since", observation{life: "colony", log: []string{"olga +done @0s", "olga +dependency-blocked @1m", "olga -done @1m"}, since: time.Hour, later: 2 * time.Hour, facts: []string{"dependencies-none @90m"}}, unblocked},
		{"resumed elsewhere, it is sent back", observation{life: "colony", log: then(colonys, "olga +paused @3m", "colony -in-review @3m", "olga +changes-requested @9m", "colony -paused @9m"), facts: []string{"pull-request-merged @5m"}}, ""},
	})
}
