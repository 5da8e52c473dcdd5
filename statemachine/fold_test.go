package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/colony-app/colony/long"
)

// The fold, sentence by sentence of its description (docs/design.md, sections 1 and 3).
func TestFold(t *testing.T) {
	// An issue that a person brought to in-development, tidied.
	inDevelopment := []string{"olga +in-development"}
	inReview := []string{"olga +in-review"}
	after := func(start []string, more ...string) []string { return append(slices.Clone(start), more...) }

	for _, c := range []struct {
		name     string
		log      []string
		state    string
		trail    string
		rejected string
	}{
		{"an issue without a label is where issues begin", nil, "unlabeled", "", ""},
		{"labels that are no state do not count", []string{"olga +bug", "olga +status/new", "olga +colony:needs-human"}, "unlabeled", "", ""},
		{"a label that looks like a state's and names none is refused", after(inReview, "olga +colony:in-reveiw"), "in-review", "unlabeled>in-review", "[2] olga in-review>colony:in-reveiw not-a-state"},
		{"also on an issue without a state", []string{"bot +colony:nonsense"}, "unlabeled", "", "[1] bot unlabeled>colony:nonsense not-a-state"},
		{"from a bot where bots work it is a failure", after(inDevelopment, "dev +colony:in-reveiw"), "failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked", "[2] dev in-development>colony:in-reveiw not-a-state led to failure-blocked"},
		{"from a bot that comes late it is none", after(inDevelopment, "olga +paused", "olga -in-development", "dev +colony:in-reveiw"), "paused", "unlabeled>in-development in-development>paused", "[4] dev paused>colony:in-reveiw not-a-state"},
		{"who takes it off again needs no answer", after(inReview, "olga +colony:in-reveiw", "omar -colony:in-reveiw"), "in-review", "unlabeled>in-review", "[2] olga in-review>colony:in-reveiw not-a-state withdrawn"},
		{"it stays refused once Colony has taken it off", after(inReview, "olga +colony:in-reveiw", "colony -colony:in-reveiw"), "in-review", "unlabeled>in-review", "[2] olga in-review>colony:in-reveiw not-a-state"},
		{"with the label of the state it is one swap", after(inReview, "olga -in-review", "olga +colony:in-reveiw"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>colony:in-reveiw not-a-state"},
		{"whichever half comes first", after(inReview, "olga +colony:in-reveiw", "olga -in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>colony:in-reveiw not-a-state"},
		{"Colony's own is none", after(inReview, "colony +colony:in-reveiw"), "in-review", "unlabeled>in-review", ""},

		{"a legal label is a transition", []string{"olga +new", "olga +analyzing"}, "analyzing", "unlabeled>new new>analyzing", ""},
		{"removing the old label is tidying", []string{"olga +new", "olga +analyzing", "omar -new"}, "analyzing", "unlabeled>new new>analyzing", ""},
		{"labels compare without regard to case", []string{"olga +COLONY:New", "olga +Colony:Analyzing", "colony -colony:NEW"}, "analyzing", "unlabeled>new new>analyzing", ""},

		{"an operator may not go where the table does not lead", after(inReview, "olga +new"), "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table"},
		{"a swap that led elsewhere is answered for the label, also once that is gone", after(inReview, "rev -in-review", "rev +new", "olga -new"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2 3] rev in-review>new not-in-table led to failure-blocked"},
		{"nothing leads out of done", []string{"olga +done", "olga +in-review"}, "done", "unlabeled>done", "[2] olga done>in-review not-in-table"},
		{"an author moves nothing", []string{"olga +needs-clarification", "arthur +analyzing"}, "needs-clarification", "unlabeled>needs-clarification", "[2] arthur needs-clarification>analyzing not-for-role"},
		{"each refused label is refused for itself", after(inReview, "olga +new", "olga +planning"), "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table; [3] olga in-review>planning not-in-table"},
		{"a refused label that is taken off again needs no answer", after(inReview, "olga +new", "omar -new"), "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table withdrawn"},
		{"taking it off takes back this time only", after(inReview, "olga +new", "colony -new", "olga +new", "olga -new"), "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table; [4] olga in-review>new not-in-table withdrawn"},
		{"tidying takes back nothing of old", []string{"olga +ready-for-dev", "olga +analyzing", "colony -analyzing", "olga +new", "olga +analyzing", "olga +needs-clarification", "olga -analyzing"}, "needs-clarification", "unlabeled>ready-for-dev ready-for-dev>new new>analyzing analyzing>needs-clarification", "[2] olga ready-for-dev>analyzing not-in-table"},
		{"a refused label that Colony takes off stays refused", after(inReview, "olga +new", "colony -new"), "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table"},

		{"an executor may request what its role may where it works", after(inDevelopment, "dev +in-review"), "in-review", "unlabeled>in-development in-development>in-review", ""},
		{"an executor may claim work", []string{"olga +ready-for-dev", "dev +in-development"}, "in-development", "unlabeled>ready-for-dev ready-for-dev>in-development", ""},
		{"without a binding the state decides the role", after(inReview, "bot +changes-requested", "bot +in-development", "bot +in-review"), "in-review", "unlabeled>in-review in-review>changes-requested changes-requested>in-development in-development>in-review", ""},
		{"a login may have several roles", after(inDevelopment, "both +in-review", "both +changes-requested"), "changes-requested", "unlabeled>in-development in-development>in-review in-review>changes-requested", ""},
		{"a bad request where executors work is a failure", after(inDevelopment, "dev +done"), "failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked", "[2] dev in-development>done not-for-role led to failure-blocked"},
		{"a request that nobody may make is one too", after(inReview, "bot +new"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2] bot in-review>new not-in-table led to failure-blocked"},
		{"and so is one for another role", after(inReview, "dev +changes-requested"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2] dev in-review>changes-requested not-for-role led to failure-blocked"},
		{"of two claims in one second the first in the log counts, and the other is a bad request of the role that works there", []string{"olga +new @0s", "bot +planning @1m", "bot +analyzing @1m"}, "failure-blocked", "unlabeled>new new>planning bad-request:planning>failure-blocked", "[3] bot planning>analyzing not-for-role led to failure-blocked"},
		{"unless the role may ask for it", []string{"olga +new @0s", "bot +analyzing @1m", "bot +planning @1m"}, "planning", "unlabeled>new new>analyzing analyzing>planning", ""},
		{"a bad request where executors claim is a failure", []string{"olga +ready-for-dev", "bot +done"}, "failure-blocked", "unlabeled>ready-for-dev bad-request:ready-for-dev>failure-blocked", "[2] bot ready-for-dev>done not-for-role led to failure-blocked"},
		{"on an issue without a state it is only refused", []string{"bot +in-review"}, "unlabeled", "", "[1] bot unlabeled>in-review not-for-role"},
		{"a bot that comes late does not break a pause", after(inDevelopment, "olga +paused", "olga -in-development", "dev +in-review"), "paused", "unlabeled>in-development in-development>paused", "[4] dev paused>in-review not-for-role"},
		{"a bot in a state of people is only refused", []string{"olga +human-review-ready", "bot +done"}, "human-review-ready", "unlabeled>human-review-ready", "[2] bot human-review-ready>done not-for-role"},
		{"a bot after the end is only refused", []string{"olga +done", "bot +in-review"}, "done", "unlabeled>done", "[2] bot done>in-review not-in-table"},
		{"a block is no place for a second bad request", after(inDevelopment, "dev +done", "dev +merge-pending"), "failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked", "[2] dev in-development>done not-for-role led to failure-blocked; [3] dev failure-blocked>merge-pending not-for-role"},
		{"an executor may say that its work failed", after(inDevelopment, "dev +failure-blocked"), "failure-blocked", "unlabeled>in-development in-development>failure-blocked", ""},
		{"one that works elsewhere may not", after(inReview, "dev +failure-blocked"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2] dev in-review>failure-blocked not-for-role led to failure-blocked"},
		{"who asks for failure-blocked and may not gets it as a failure", []string{"olga +ready-for-dev", "dev +failure-blocked"}, "failure-blocked", "unlabeled>ready-for-dev bad-request:ready-for-dev>failure-blocked", "[2] dev ready-for-dev>failure-blocked not-for-role led to failure-blocked"},

		{"removing the state's label moves nothing", after(inReview, "olga -in-review"), "in-review", "unlabeled>in-review", "[2] olga in-review> not-in-table"},
		{"also by a bot it is no failure", after(inReview, "bot -in-review"), "in-review", "unlabeled>in-review", "[2] bot in-review> not-in-table"},
		{"putting it back is all that is needed", after(inReview, "olga -in-review", "omar +in-review"), "in-review", "unlabeled>in-review", "[2] olga in-review> not-in-table withdrawn"},
		{"Colony puts it back and has to say why", after(inReview, "olga -in-review", "colony +in-review"), "in-review", "unlabeled>in-review", "[2] olga in-review> not-in-table"},
		{"what follows is no half of it", after(inReview, "olga -in-review", "colony +in-review", "olga +new"), "in-review", "unlabeled>in-review", "[2] olga in-review> not-in-table; [4] olga in-review>new not-in-table"},
		{"removing the new label while the old is there withdraws the move", after(inReview, "olga +merge-pending", "olga -merge-pending"), "in-review", "unlabeled>in-review", ""},
		{"withdrawing goes one move back at a time", []string{"olga +new", "olga +analyzing", "olga +ready-for-dev", "olga -ready-for-dev", "olga -analyzing"}, "new", "unlabeled>new", ""},
		{"once the old label is gone the move is committed", after(inReview, "olga +merge-pending", "colony -in-review", "olga -merge-pending"), "merge-pending", "unlabeled>in-review in-review>merge-pending", "[4] olga merge-pending> not-in-table"},
		{"asking for the state before and taking the label off is no withdrawal", []string{"olga +analyzing", "olga +ready-for-dev", "colony -analyzing", "omar +analyzing", "omar -ready-for-dev"}, "ready-for-dev", "unlabeled>analyzing analyzing>ready-for-dev", "[4 5] omar ready-for-dev>analyzing not-in-table"},
		{"a first label cannot be withdrawn to the state without one", []string{"olga +new", "olga -new"}, "new", "unlabeled>new", "[2] olga new> not-in-table"},
		{"a person may take back what a bot's bad request led to", after(inDevelopment, "dev +done", "colony +failure-blocked", "olga -failure-blocked"), "in-development", "unlabeled>in-development", "[2] dev in-development>done not-for-role led to failure-blocked"},

		{"a swap may add first", after(inReview, "olga +merge-pending", "olga -in-review"), "merge-pending", "unlabeled>in-review in-review>merge-pending", ""},
		{"a swap may remove first", after(inReview, "olga -in-review", "olga +merge-pending"), "merge-pending", "unlabeled>in-review in-review>merge-pending", "[2] olga in-review> not-in-table withdrawn"},
		{"an illegal swap that adds first is one refusal", after(inReview, "olga +new", "olga -in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table"},
		{"an illegal swap that removes first is one refusal", after(inReview, "olga -in-review", "olga +new"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table"},
		{"a bad swap of a bot that adds first is one failure", after(inReview, "bot +done", "bot -in-review"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2] bot in-review>done not-for-role led to failure-blocked"},
		{"a bad swap of a bot that removes first is one failure", after(inReview, "bot -in-review", "bot +done"), "failure-blocked", "unlabeled>in-review bad-request:in-review>failure-blocked", "[2 3] bot in-review>done not-for-role led to failure-blocked"},
		{"the halves of two people are two refusals", after(inReview, "olga -in-review", "omar +new"), "in-review", "unlabeled>in-review", "[2] olga in-review> not-in-table; [3] omar in-review>new not-in-table"},
		{"an illegal swap that a legal label follows stays refused", after(inReview, "olga -in-review", "olga +new", "olga +merge-pending"), "merge-pending", "unlabeled>in-review in-review>merge-pending", "[2 3] olga in-review>new not-in-table"},
		{"also if it added first", after(inReview, "olga +new", "olga -in-review", "olga +merge-pending"), "merge-pending", "unlabeled>in-review in-review>merge-pending", "[2 3] olga in-review>new not-in-table"},
		{"what an illegal swap is followed by is a request of its own", after(inReview, "olga -in-review", "olga +new", "olga +planning"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table; [4] olga in-review>planning not-in-table"},
		{"also after one that added first", after(inReview, "olga +new", "olga -in-review", "olga +planning"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table; [4] olga in-review>planning not-in-table"},
		{"putting the state's label back leaves the refused one of a swap", after(inReview, "olga +new", "olga -in-review", "olga +in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table"},
		{"a swap that is taken back whole needs no answer", after(inReview, "olga +new", "olga -in-review", "olga -new", "olga +in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review> not-in-table withdrawn"},
		{"also if it removed first", after(inReview, "olga -in-review", "olga +new", "olga -new", "olga +in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review> not-in-table withdrawn"},
		{"of a swap whose label is taken off again the removal is left", after(inReview, "olga +new", "olga -in-review", "omar -new"), "in-review", "unlabeled>in-review", "[2 3] olga in-review> not-in-table"},
		{"which is no half of another one", after(inReview, "olga +new", "olga -in-review", "olga -new", "olga +planning"), "in-review", "unlabeled>in-review", "[2 3] olga in-review> not-in-table; [5] olga in-review>planning not-in-table"},
		{"a swap whose label Colony takes off stays refused", after(inReview, "olga +new", "olga -in-review", "colony -new", "olga +in-review"), "in-review", "unlabeled>in-review", "[2 3] olga in-review>new not-in-table"},
		{"two labels at once are two moves where the table allows", after(inDevelopment, "olga +in-review", "olga +merge-pending"), "merge-pending", "unlabeled>in-development in-development>in-review in-review>merge-pending", ""},
		{"two labels at once: the second may be refused", after(inDevelopment, "olga +in-review", "olga +planning"), "in-review", "unlabeled>in-development in-development>in-review", "[3] olga in-review>planning not-in-table"},

		{"Colony's adds are judged by the whole table", after(inReview, "colony +done"), "done", "unlabeled>in-review in-review>done", ""},
		{"what it adds in vain is nobody's fault", after(inReview, "colony +new"), "in-review", "unlabeled>in-review", ""},
		{"what it removes in vain is nobody's fault", after(inReview, "colony -in-review"), "in-review", "unlabeled>in-review", ""},
		{"a late removal by Colony withdraws nothing", after(inReview, "olga +merge-pending", "colony -merge-pending"), "merge-pending", "unlabeled>in-review in-review>merge-pending", ""},
		{"a former identity is Colony too", after(inReview, "former +new", "former -in-review", "former +in-review"), "in-review", "unlabeled>in-review", ""},

		{"Colony leaves the table inside its bracket", []string{"olga +waiting-for-subtasks", "colony +colony:forced", "colony +in-development", "colony -waiting-for-subtasks", "colony -colony:forced"}, "in-development", "unlabeled>waiting-for-subtasks forced:waiting-for-subtasks>in-development", ""},
		{"also out of a terminal state", []string{"olga +done", "colony +colony:forced", "colony +in-review"}, "in-review", "unlabeled>done forced:done>in-review", ""},
		{"but not once the bracket is closed", []string{"olga +done", "colony +colony:forced", "colony -colony:forced", "colony +in-review"}, "done", "unlabeled>done", ""},
		{"nor in a bracket that somebody else opened", []string{"olga +done", "olga +colony:forced", "colony +in-review"}, "done", "unlabeled>done", ""},
		{"and nobody else may use the bracket", []string{"olga +done", "colony +colony:forced", "olga +in-review"}, "done", "unlabeled>done", "[3] olga done>in-review not-in-table"},
		{"who took the state's label off needs no answer then", []string{"olga +done", "olga -done", "colony +colony:forced", "colony +in-review"}, "in-review", "unlabeled>done forced:done>in-review", "[2] olga done> not-in-table withdrawn"},
		{"a move inside the bracket is forced, also where the table has it", []string{"olga +new", "colony +colony:forced", "colony +analyzing"}, "analyzing", "unlabeled>new forced:new>analyzing", ""},

		{"a label that the log first takes off was there before it began", []string{"olga -in-review", "olga +merge-pending"}, "merge-pending", "in-review>merge-pending", "[1] olga in-review> not-in-table withdrawn"},
		{"of several that were there the last state of the file counts", []string{"olga -new", "olga -in-review"}, "in-review", "", "[2] olga in-review> not-in-table"},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			got := colony(t).Fold(History{Changes: log, Labels: labelsAfter(log)})
			if got.State != c.state {
				t.Errorf("state %s, want %s", got.State, c.state)
			}
			if diff := cmp.Diff(c.trail, trail(got.Trail)); diff != "" {
				t.Errorf("trail (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.rejected, rejected(got.Rejections)); diff != "" {
				t.Errorf("rejections (-want +got)\n%s", diff)
			}
			if len(got.Missing)+len(got.Unexplained) > 0 {
				t.Errorf("missing %v, unexplained %v", got.Missing, got.Unexplained)
			}
		})
	}
}

// A move that was taken back is kept beside the trail, with what was before it.
func TestWithdrawnMoves(t *testing.T) {
	for _, c := range []struct {
		name string
		log  []string
		want []string // the event of each, the move, and the trail before it
	}{
		{"none", []string{"olga +in-review", "olga +merge-pending", "olga -in-review"}, nil},
		{"one", []string{"olga +in-review", "colony +merge-pending", "olga -merge-pending"}, []string{"2 in-review>merge-pending after unlabeled>in-review"}},
		{"one after the other, by their events", []string{"olga +new", "olga +analyzing", "olga +ready-for-dev", "olga -ready-for-dev", "olga -analyzing"}, []string{
			"2 new>analyzing after unlabeled>new", "3 analyzing>ready-for-dev after unlabeled>new new>analyzing",
		}},
		{"what comes later does not change what was before", []string{"olga +in-review", "olga +merge-pending", "olga -merge-pending", "olga +paused", "olga -in-review"}, []string{
			"2 in-review>merge-pending after unlabeled>in-review",
		}},
		{"a refused label is none", []string{"olga +in-review", "olga +new", "olga -new"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			var got []string
			for _, w := range colony(t).Fold(History{Changes: log, Labels: labelsAfter(log)}).Withdrawn {
				got = append(got, fmt.Sprintf("%d %s after %s", w.ID, trail([]Move{w.Move}), trail(w.Before)))
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Labels older than the horizon are settled: the labels as of then are the baseline, the latest of them counts.
func TestFoldBeyondTheHorizon(t *testing.T) {
	for _, c := range []struct {
		name     string
		log      []string
		horizon  time.Duration
		state    string
		trail    string
		rejected string
	}{
		{"an old refusal is not answered any more", []string{"olga +in-review @0h", "olga +new @1h", "olga -new @2h"}, 3 * time.Hour, "in-review", "unlabeled>in-review", ""},
		{"an old illegal label stands", []string{"olga +in-review @0h", "olga -in-review @1h", "olga +new @1h"}, 3 * time.Hour, "new", "unlabeled>in-review settled:in-review>new", ""},
		{"of several labels the one labelled last counts", []string{"olga +in-review @0h", "olga +new @1h"}, 3 * time.Hour, "new", "unlabeled>in-review settled:in-review>new", ""},
		{"not one that is gone", []string{"olga +in-review @0h", "olga +new @1h", "olga -new @1h"}, 3 * time.Hour, "in-review", "unlabeled>in-review", ""},
		{"no label left: the issue begins anew", []string{"olga +in-review @0h", "olga -in-review @1h"}, 3 * time.Hour, "unlabeled", "unlabeled>in-review settled:in-review>unlabeled", ""},
		{"a bad request of old is judged no more than its labels", []string{"olga +in-review @0h", "bot +done @1h"}, 3 * time.Hour, "done", "unlabeled>in-review bad-request:in-review>failure-blocked settled:failure-blocked>done", ""},
		{"what follows is judged from the baseline", []string{"olga +in-review @0h", "olga +new @1h", "olga +planning @4h", "bot +done @5h"}, 3 * time.Hour, "failure-blocked", "unlabeled>in-review settled:in-review>new new>planning bad-request:planning>failure-blocked", "[4] bot planning>done not-for-role led to failure-blocked"},
		{"a change at the horizon itself is judged", []string{"olga +in-review @0h", "olga +new @3h"}, 3 * time.Hour, "in-review", "unlabeled>in-review", "[2] olga in-review>new not-in-table"},
		{"a settled state is not withdrawn", []string{"olga +in-review @0h", "olga +new @1h", "olga -new @4h"}, 3 * time.Hour, "new", "unlabeled>in-review settled:in-review>new", "[3] olga new> not-in-table"},
		{"a removal of old is not half of a new swap", []string{"olga +in-review @0h", "olga -in-review @1h", "olga +new @4h"}, 3 * time.Hour, "new", "unlabeled>in-review settled:in-review>unlabeled unlabeled>new", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			got := colony(t).Fold(History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(c.horizon)}})
			if got.State != c.state {
				t.Errorf("state %s, want %s", got.State, c.state)
			}
			if diff := cmp.Diff(c.trail, trail(got.Trail)); diff != "" {
				t.Errorf("trail (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.rejected, rejected(got.Rejections)); diff != "" {
				t.Errorf("rejections (-want +got)\n%s", diff)
			}
		})
	}
}

// What stood when judging began is the baseline of what follows, wherever the horizon is by now: a change that was refused stays refused,
// and a pause leads back to where the issue was.
func TestFoldRemembersWhatStoodWhenJudgingBegan(t *testing.T) {
	life, err := Shipped("autoralph")
	if err != nil {
		t.Fatal(err)
	}
	log := changes(t, "olga +approved @0h", // without Colony: the table has no such beginning
		"olga +paused @4h", "colony -approved @4h", "olga +fixing-checks @9h", "colony -fixing-checks @9h")
	for _, horizon := range []time.Duration{3 * time.Hour, 5 * time.Hour, 8 * time.Hour} {
		got := life.Fold(History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(horizon), Begun: morning.Add(3 * time.Hour)}})
		if diff := cmp.Diff("settled:outside>approved approved>paused", trail(got.Trail)); diff != "" {
			t.Errorf("horizon %v: trail (-want +got)\n%s", horizon, diff)
		}
		if diff := cmp.Diff("[4] olga paused>fixing-checks not-previous", rejected(got.Rejections)); diff != "" {
			t.Errorf("horizon %v: rejections (-want +got)\n%s", horizon, diff)
		}
	}
}

// The log and the labels need not agree: the log lags behind, or labels came without an event.
func TestFoldComparesTheLogWithTheLabels(t *testing.T) {
	for _, c := range []struct {
		name                          string
		log                           []string
		labels                        string
		state                         string
		present, missing, unexplained string
	}{
		{"labels without any log are the baseline", nil, "in-review bug", "in-review", "in-review", "", "in-review"},
		{"of several without a log the last of the file counts", nil, "merge-pending new", "merge-pending", "merge-pending new", "", "new merge-pending"},
		{"without a log labels compare without case", nil, "COLONY:In-Review", "in-review", "in-review", "", "in-review"},
		{"a label that no event put there was there first", []string{"olga +in-review"}, "in-review merge-pending", "in-review", "in-review merge-pending", "", "merge-pending"},
		{"so was one that was renamed into a state", []string{"bot +analyzing"}, "new analyzing", "analyzing", "analyzing new", "", "new"},
		{"and it still counts once it is taken off", []string{"bot +analyzing", "colony -new"}, "analyzing", "analyzing", "analyzing", "", ""},
		{"a label that should be there", []string{"olga +in-review", "olga +merge-pending"}, "in-review", "merge-pending", "in-review merge-pending", "merge-pending", ""},
		{"labels that should be there", []string{"olga +new", "olga +analyzing", "olga +in-review"}, "bug", "in-review", "analyzing in-review new", "analyzing in-review new", ""},
		{"marks that should be there", []string{"olga +in-review", "colony +needs-human"}, "in-review", "in-review", "in-review needs-human", "needs-human", ""},
		{"foreign labels are nobody's business", []string{"olga +in-review", "olga +bug"}, "in-review help", "in-review", "in-review", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := colony(t).Fold(History{Changes: changes(t, c.log...), Labels: labelList(c.labels)})
			if got.State != c.state {
				t.Errorf("state %s, want %s", got.State, c.state)
			}
			plain := func(labels []string) string {
				return strings.ReplaceAll(strings.Join(labels, " "), "colony:", "")
			}
			want := []string{c.present, c.missing, c.unexplained}
			if diff := cmp.Diff(want, []string{plain(got.Present), plain(got.Missing), strings.Join(got.Unexplained, " ")}); diff != "" {
				t.Errorf("present, missing, unexplained (-want +got)\n%s", diff)
			}
		})
	}
}

// The label that Colony owes after a refused change is no move if somebody moved the issue on before it came.
func TestLateLabels(t *testing.T) {
	for _, c := range []struct {
		name  string
		log   []string
		state string
		trail string
	}{
		{
			"a failure that comes after a person's move",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "colony +failure-blocked"},
			"ready-for-dev", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev",
		},
		{
			"a state that is put back after a person's move",
			[]string{"olga +in-review", "olga -in-review", "olga +merge-pending", "colony +in-review"},
			"merge-pending", "unlabeled>in-review in-review>merge-pending",
		},
		{
			"a state that is put back for a refused swap",
			[]string{"olga +in-review", "olga +new", "olga -in-review", "omar +merge-pending", "colony +in-review"},
			"merge-pending", "unlabeled>in-review in-review>merge-pending",
		},
		{
			"a failure that comes after a move, and after a change that is refused there",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "omar +analyzing", "colony +failure-blocked"},
			"ready-for-dev", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev",
		},
		{
			"one that a command ordered is a move",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "for-olga +failure-blocked"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
		{
			"only the first of them is late",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "colony +failure-blocked", "colony -failure-blocked", "colony +failure-blocked"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
		{
			"none is, once it was there",
			[]string{"olga +in-development", "dev +done", "colony +failure-blocked", "olga +ready-for-dev", "colony +failure-blocked"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
		{
			"none is, once Colony wrote what it knew of the move",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "colony -done", "colony +failure-blocked"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
		{
			"nor is what comes much later",
			[]string{"olga +in-development @0s", "dev +done @1s", "olga +ready-for-dev @2s", "colony +failure-blocked @63s"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
		{
			"what comes a minute later is late",
			[]string{"olga +in-development @0s", "dev +done @1s", "olga +ready-for-dev @2s", "colony +failure-blocked @62s"},
			"ready-for-dev", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev",
		},
		{
			"somebody else's label is a request",
			[]string{"olga +in-development", "dev +done", "olga +ready-for-dev", "olga +failure-blocked"},
			"failure-blocked", "unlabeled>in-development bad-request:in-development>failure-blocked failure-blocked>ready-for-dev ready-for-dev>failure-blocked",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			history := traced(changes(t, c.log...))
			got := colony(t).Fold(history)
			if got.State != c.state {
				t.Errorf("state %s, want %s", got.State, c.state)
			}
			if diff := cmp.Diff(c.trail, trail(got.Trail)); diff != "" {
				t.Errorf("trail (-want +got)\n%s", diff)
			}
			history.Ordered = nil
			if untold := colony(t).Fold(history); untold.State != c.state && untold.Unordered.IsZero() {
				t.Errorf("whose command it was is not asked for: %+v", untold)
			}
		})
	}
}

func TestFoldKeepsWhoAndWhen(t *testing.T) {
	log := changes(t, "olga +in-development", "dev +done", "colony +colony:needs-human @5m", "colony +colony:forced @6m", "olga +bug @9m")
	got := colony(t).Fold(History{Changes: log, Labels: labelsAfter(log)})
	want := []Move{
		{From: "unlabeled", To: "in-development", Kind: Moved, By: cast["olga"], Moment: Moment{At: morning, ID: 1}},
		{From: "in-development", To: "failure-blocked", Kind: BadRequest, By: cast["dev"], Moment: Moment{At: morning.Add(10 * time.Second), ID: 2}},
	}
	if diff := cmp.Diff(want, got.Trail); diff != "" {
		t.Errorf("trail (-want +got)\n%s", diff)
	}
	if since, ok := got.Since(); !ok || since.ID != 2 {
		t.Errorf("since %+v", since)
	}
	if got.NeedsHumanID != 3 || !got.ForcedByColony || !got.LastChange.Equal(morning.Add(6*time.Minute)) {
		t.Errorf("needs-human %d, forced %v, last change %s", got.NeedsHumanID, got.ForcedByColony, got.LastChange)
	}
	if _, ok := colony(t).Fold(History{Labels: []string{"colony:new"}}).Since(); ok {
		t.Error("a state from before the log has no beginning")
	}
}

func TestPreviousIsTheStateBefore(t *testing.T) {
	for _, c := range []struct {
		name string
		log  []string
		skip []string
		want string // empty: the log does not say
	}{
		{"a pause", []string{"olga +in-review", "olga +paused"}, []string{"paused"}, "in-review"},
		{"a block by a bad request", []string{"olga +in-review", "bot +done"}, []string{"failure-blocked"}, "in-review"},
		{"a block by hand", []string{"olga +in-review", "olga +failure-blocked"}, []string{"failure-blocked"}, "in-review"},
		{"a block during a pause returns to before the pause", []string{"olga +in-review", "olga +paused", "olga +failure-blocked"}, []string{"failure-blocked", "paused"}, "in-review"},
		{"or to the pause, if that is not skipped", []string{"olga +in-review", "olga +paused", "olga +failure-blocked"}, []string{"failure-blocked"}, "paused"},
		{"paused twice", []string{"olga +in-review", "olga +paused", "olga -in-review", "olga +in-review", "olga -paused", "olga +paused"}, []string{"paused"}, "in-review"},
		{"the state without a label", []string{"olga +new"}, nil, "unlabeled"},
		{"nothing is known before the log", nil, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			log := changes(t, c.log...)
			got, ok := colony(t).Fold(History{Changes: log, Labels: labelsAfter(log)}).Previous(c.skip...)
			if got != c.want || ok != (c.want != "") {
				t.Errorf("previous %q %v, want %q", got, ok, c.want)
			}
		})
	}
	log := changes(t, "olga +in-review", "olga +new", "olga +paused @4h")
	got := colony(t).Fold(History{Changes: log[:2], Labels: labelsAfter(log[:2]), Terms: Terms{JudgedSince: morning.Add(3 * time.Hour)}})
	if p, ok := got.Previous(); ok {
		t.Errorf("beyond the horizon the state before is %q", p)
	}
}

func TestMoveIsSeenAsTheFoldWouldSeeIt(t *testing.T) {
	log := changes(t, "olga +in-review")
	before := colony(t).Fold(History{Changes: log, Labels: labelsAfter(log)})
	after := before.Move(Move{From: "in-review", To: "paused", Kind: Moved, By: cast["olga"], Moment: Moment{At: morning, ID: 2}})
	if p, ok := after.Previous("paused"); after.State != "paused" || !ok || p != "in-review" {
		t.Errorf("state %s, previous %q", after.State, p)
	}
	if before.State != "in-review" || len(before.Trail) != 1 {
		t.Errorf("the standing before was changed: %+v", before)
	}
}

// GitHub's ids give the order: several events share a second, and pages may arrive in any order.
func TestFoldDoesNotDependOnTheOrderOfTheList(t *testing.T) {
	life := colony(t)
	log := changes(t, "olga +new @0s", "olga +analyzing @0s", "bot +ready-for-dev @0s", "bot -analyzing @0s", "dev +in-development @1s", "dev +done @1s", "olga +in-review @1s")
	want := life.Fold(History{Changes: log, Labels: labelsAfter(log)})
	long.Check(t, func(t *rapid.T) {
		shuffled := rapid.Permutation(log).Draw(t, "list")
		before := slices.Clone(shuffled)
		if diff := cmp.Diff(want, life.Fold(History{Changes: shuffled, Labels: labelsAfter(log)})); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		if diff := cmp.Diff(before, shuffled); diff != "" {
			t.Errorf("the fold changed its input\n%s", diff)
		}
	})
}
