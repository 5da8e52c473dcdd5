package statemachine

import (
	"slices"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// A guarded row moves an issue only if its guards would grant a bot the move. What they refuse is a person's to decide.
func TestGuardedRows(t *testing.T) {
	reviewed := []string{"olga +in-review", "rev +human-review-ready", "colony -in-review"}
	then := func(log []string, more ...string) []string { return append(slices.Clone(log), more...) }
	const first = "ask a person about #7: The pull request was merged. A person has to approve first, "
	seeAll(t, []struct {
		name string
		observation
		want string
	}{
		{"a merge that no person approved", observation{life: "colony with its guards", log: reviewed, facts: []string{"pull-request-merged @1m #7"}}, first + "with an approving review; +needs-human"},
		{"once", observation{life: "colony with its guards", log: reviewed, facts: []string{"pull-request-merged @1m #7"}, asked: []time.Duration{time.Minute}}, ""},
		{"which does not become new where what is settled gives the state", observation{life: "colony with its guards", log: []string{"olga +new @0s", "dev +human-review-ready @10s", "olga -new @10s"}, facts: []string{"pull-request-merged @1m #7"}, since: 2 * time.Minute, later: time.Hour, asked: []time.Duration{time.Minute}}, ""},
		{"also of a closed issue", observation{life: "colony with its guards", log: reviewed, closed: true, facts: []string{"pull-request-merged @1m #7"}}, first + "with an approving review; +needs-human"},
		{"one that a review approved", observation{life: "colony with its guards", log: reviewed, facts: []string{"pull-request-merged @1m #7", "person-approved @50s"}}, "move human-review-ready>done: The pull request was merged for #7; +done, -human-review-ready"},
		{"also by a review before the issue came there", observation{life: "colony with its guards", log: reviewed, facts: []string{"pull-request-merged @1m #7", "person-approved @1s"}}, "move human-review-ready>done: The pull request was merged for #7; +done, -human-review-ready"},
		{"not by one from before a person sent the work back", observation{life: "colony with its guards", log: then(reviewed, "olga +ready-for-dev @1m", "colony -human-review-ready @1m", "dev +in-development @2m", "colony -ready-for-dev @2m", "dev +in-review @3m", "colony -in-development @3m"), facts: []string{"pull-request-merged @9m #7", "person-approved @30s"}}, first + "with an approving review; +needs-human"},
		{"one that a person sent to its merger", observation{life: "colony with its guards", log: then(reviewed, "olga +merge-pending", "colony -human-review-ready"), facts: []string{"pull-request-merged @2m #7"}}, "move merge-pending>done: The pull request was merged for #7; +done, -merge-pending"},
		{"one that Colony sent there because of a conflict", observation{life: "colony with its guards", log: then(reviewed, "colony +merge-pending", "colony -human-review-ready"), facts: []string{"pull-request-merged @2m #7"}}, first + "with an approving review; +needs-human"},
		{"what nobody read is read", observation{life: "colony with its guards", log: reviewed, facts: []string{"pull-request-merged @1m #7"}, unread: true}, "read [pull-requests approvals]"},
	})
}

// The guards of a row are read only once the row would move the issue.
func TestGuardsOfRowsAreReadLast(t *testing.T) {
	life := shippedWithGuards(t, "colony")
	log := changes(t, "olga +in-review", "rev +human-review-ready", "colony -in-review")
	h := traced(log)
	h.Labels = labelsAfter(log)
	for fact, want := range map[lifecycle.Fact][]lifecycle.Reading{"pull-request-merged": {lifecycle.ReadApprovals}, "pull-request-opened": nil} {
		facts := Facts{
			Read:     slices.DeleteFunc(lifecycle.EveryReading(), func(r lifecycle.Reading) bool { return r == lifecycle.ReadApprovals }),
			Observed: []Observation{{Fact: fact, At: morning.Add(time.Hour), About: "#7"}},
		}
		without := life.With(Options{Ignored: []lifecycle.Reading{lifecycle.ReadApprovals}})
		_, n := without.Decide(modelThresholds, Case{Standing: without.Fold(h), Labels: h.Labels, Now: morning.Add(2 * time.Hour)}, Evidence{Facts: facts})
		if !slices.Equal(n.Facts, want) {
			t.Errorf("%s: it needs %s, want %v", fact, n, want)
		}
	}
}

// Guards of a row date Colony's own entry by its cause, as guards of requests do: what answers it can be older than the entry.
func TestGuardsOfRowsReadWhatColonyCameFor(t *testing.T) {
	life := *shippedWithGuards(t, "autoralph")
	life.Triggers = append(slices.Clone(life.Triggers), lifecycle.Trigger{On: "checks-passed", In: []string{"addressing-feedback"}, To: "in-review", Guarded: true, Why: "The checks passed"})
	log := changes(t, "olga +queued", "olga +refining", "olga -queued", "olga +approved", "olga -refining", "bot +building", "colony -approved",
		"bot +in-review", "colony -building", "colony +addressing-feedback @1h", "colony -in-review @1h")
	h := traced(log)
	h.Labels = labelsAfter(log)
	at := func(minute int) time.Time { return morning.Add(time.Duration(minute) * time.Minute) }
	facts := Facts{
		Read:     []lifecycle.Reading{lifecycle.ReadPullRequests, lifecycle.ReadPushes, lifecycle.ReadChecks},
		Observed: []Observation{{Fact: "pull-request-pushed", At: at(40)}, {Fact: "checks-passed", At: at(50)}},
	}
	decide := func() (Decision, Needs) {
		c := Case{Standing: life.Fold(h), Labels: h.Labels, Now: at(120)}
		return life.Decide(modelThresholds, c, Evidence{Facts: facts, Said: Said{Answered: func(int64) bool { return true }, Asked: func(int64) bool { return false }}})
	}
	if _, n := decide(); !slices.Equal(n.Facts, []lifecycle.Reading{lifecycle.ReadReviews}) {
		t.Errorf("it needs %s, want the reviews", n)
	}
	facts.Read = append(facts.Read, lifecycle.ReadReviews)
	for reviewed, moves := range map[int]bool{30: true, 45: false} {
		facts.Observed = append(facts.Observed[:2:2], Observation{Fact: "review-changes-requested", At: at(reviewed)})
		if d, n := decide(); !n.IsZero() || (d.Automatic != nil) != moves || (len(d.Ask) == 0) != moves {
			t.Errorf("reviewed at %d: %+v %s", reviewed, d, n)
		}
	}
}

// A guard that counts while its facts are followed refuses nothing where they are not.
func TestGuardsWhileFollowed(t *testing.T) {
	for name, ignored := range map[string][]lifecycle.Reading{"merged": nil, "": {lifecycle.ReadPullRequests}} {
		life := shippedWithGuards(t, "colony").With(Options{Ignored: ignored})
		s := life.Fold(traced(changes(t, "olga +merge-pending")))
		ruling := life.Rule(s, Ask{By: lifecycle.Actor{Kind: lifecycle.Executor, Login: "bot"}, To: "done"}, says("none"))
		got := ""
		for _, g := range ruling.Guards.Refusing {
			got += g.Name
		}
		if got != name {
			t.Errorf("without %v it is refused by %q, want %q", ignored, got, name)
		}
	}
}
