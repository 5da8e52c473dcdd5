package statemachine

import (
	"fmt"
	"slices"
	"testing"
	"time"
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
			if !got.Doubt.IsZero() {
				t.Errorf("in doubt since %s, although all is known", got.Doubt)
			}
		})
	}
}

// Colony reads the comments to find a move's author only where something depends on it.
func TestMovesAreAttributedWhereItMatters(t *testing.T) {
	t.Parallel()
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	inReview := autoralphAt("in-review") // since 70s
	fight := fight(5, time.Minute)
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"a limit is not near", observation{life: "colony", untraced: true, log: then(cycles(3), "colony +changes-requested", "colony -in-review")}, ""},
		{"it may be reached by this move", observation{life: "colony", untraced: true, log: then(cycles(5), "colony +changes-requested", "colony -in-review")}, "read the commands since 5m10s"},
		{"or have begun anew with one before", observation{life: "colony", untraced: true, log: then(cycles(4), "colony +changes-requested", "dev +in-development", "dev +in-review", "rev +changes-requested")}, "read the commands since 4m10s"},
		{"not if a person came after that by label", observation{life: "colony", untraced: true, log: then(cycles(4), "colony +changes-requested", "olga +in-development", "dev +in-review", "rev +changes-requested")}, "-in-development, -in-review"},
		{"a limit ends what a row makes", observation{life: "autoralph", untraced: true, log: then(inReview, often(3, "colony +fixing-checks", "colony -in-review", "bot +in-review", "colony -fixing-checks")...), facts: []string{"checks-failed @1h"}}, "read the commands since 1m30s"},
		{"who paused it may have seen what came before, or a limit did", observation{life: "autoralph", untraced: true, log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @4m", "colony -paused @4m"), facts: []string{"checks-failed @2m"}}, "read the commands since 3m0s"},
		{"nobody has seen what came later", observation{life: "autoralph", untraced: true, log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "olga +in-review @4m", "colony -paused @4m"), answers: []int64{10}, facts: []string{"checks-failed @5m"}}, "move in-review>fixing-checks: Checks of the pull request failed; +fixing-checks, -in-review"},
		{"no matter who made the trigger's move, it answered the fact", observation{life: "autoralph", untraced: true, log: then(inReview, "colony +addressing-feedback @3m", "colony -in-review @3m", "bot +in-review @4m", "colony -addressing-feedback @4m"), facts: []string{"review-changes-requested @2m"}}, ""},
		{"who resumes in spite of a conflict may be a bot", observation{life: "autoralph", untraced: true, log: then(inReview, "colony +paused @3m", "colony -in-review @3m", "colony +in-review @4m", "colony -paused @4m"), answers: []int64{10}, commanded: []int64{10}, facts: []string{"pull-request-conflicting"}}, "read the commands since 4m0s"},
		{"the breaker does not depend on it", observation{life: "colony", untraced: true, log: fight, answers: answered(5), later: time.Minute}, "-done"},
		{"it may have begun anew", observation{life: "colony", untraced: true, log: slices.Concat(fight, []string{"colony +in-review @10m", "colony -paused @10m", "bot +done @11m"}), answers: answered(5), later: time.Minute}, "read the commands since 10m0s"},
	})
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
		review = "move in-review>addressing-feedback: A review requested changes; +addressing-feedback, -in-review"
		merged = "move in-review>completed: The pull request was merged; +completed, -in-review"
		again  = "move in-review>changes-requested: A reviewer requested changes; +changes-requested, -in-review"
		done   = "move in-review>done: The pull request was merged; +done, -in-review"
	)
	colonys := []string{"olga +in-review @0s"}
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
		{"a bot's late request for changes is not that", observation{life: "colony", log: then(colonys, "rev +changes-requested @6m", "colony -in-review @6m"), facts: []string{"pull-request-merged @5m"}}, "move changes-requested>done: The pull request was merged; +done, -changes-requested"},
		{"a review that came while the work was done again", observation{life: "colony", log: then(colonys, "colony +changes-requested @3m", "colony -in-review @3m", "dev +in-development @4m", "colony -changes-requested @4m", "dev +in-review @8m", "colony -in-development @8m"), facts: []string{"review-changes-requested @5m"}}, again},
		{"what a reviewing bot said and then decided is decided", observation{life: "colony", log: then(colonys, "rev +changes-requested @3m", "colony -in-review @3m", "dev +in-development @4m", "colony -changes-requested @4m", "dev +in-review @8m", "colony -in-development @8m"), facts: []string{"review-changes-requested @2m"}}, ""},
		{"resumed elsewhere, it is sent back", observation{life: "colony", log: then(colonys, "olga +paused @3m", "colony -in-review @3m", "olga +changes-requested @9m", "colony -paused @9m"), facts: []string{"pull-request-merged @5m"}}, ""},
	})
}
