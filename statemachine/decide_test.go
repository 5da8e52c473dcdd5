package statemachine

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
	"github.com/google/go-cmp/cmp"
)

// moment is one reconciliation of an issue, for TestDecide.
type moment struct {
	log     []string
	labels  string        // what is on the issue, if not what the log leaves
	touched time.Duration // how long after the last change GitHub last changed the issue, as for a comment
	later   time.Duration // how long after that
	answers []int64       // the events that have a comment
	stopped []int64       // those whose comment says that Colony stops; nil: all of them
	unread  bool          // the comments were not read
	mayWait bool
	pending bool          // a forced move is waiting to be run
	refused bool          // a command was refused a moment ago
	asked   time.Duration // how long after the morning that began which a person was last asked about; 0: nobody was
	horizon time.Duration // how long after the morning judging begins
}

func (m moment) decide(t *testing.T) (Decision, Needs) {
	t.Helper()
	log := changes(t, m.log...)
	labels := labelsAfter(log)
	if m.labels != "" {
		labels = labelList(m.labels)
	}
	life := colony(t)
	history := traced(log)
	history.Labels, history.JudgedSince = labels, morning.Add(m.horizon)
	in := Case{Standing: life.Fold(history), Labels: labels, MayWait: m.mayWait}
	read := Evidence{Said: Said{ForcePending: m.pending}, Facts: Facts{Read: lifecycle.EveryReading()}}
	if in.Updated = morning; len(log) > 0 {
		in.Updated = log[len(log)-1].At.Add(m.touched)
	}
	in.Now = in.Updated.Add(m.later)
	if !m.unread {
		read.Answered = func(id int64) bool { return slices.Contains(m.answers, id) }
		if read.Stopped = read.Answered; m.stopped != nil {
			read.Stopped = func(id int64) bool { return slices.Contains(m.stopped, id) }
		}
		read.RefusedCommand = func(time.Time) bool { return m.refused }
		if m.asked > 0 {
			read.LastAsked = questionID(morning.Add(m.asked))
		}
	}
	return life.Decide(modelThresholds, in, read)
}

// writes shows a decision as the writes it makes, in their order.
func writes(d Decision, n Needs) string {
	var out []string
	switch {
	case d.Wait.Why == Lag:
		out = append(out, "lagging")
	case n.Said:
		out = append(out, "read the comments")
	case d.Wait.Why == Quiet:
		out = append(out, "requeue at "+d.Wait.Until.Format("15:04:05"))
	}
	for _, r := range d.Explain {
		out = append(out, fmt.Sprint("explain ", r.IDs))
	}
	if d.Halted != nil {
		out = append(out, fmt.Sprint("halted by ", d.Halted.IDs))
	}
	if d.HaltUnsaid {
		out = append(out, "say so")
	}
	for _, l := range d.Add {
		out = append(out, "+"+l)
	}
	for _, l := range d.Remove {
		out = append(out, "-"+l)
	}
	if d.Wait.Why == Tidy {
		out = append(out, "tidy at "+d.Wait.Until.Format("15:04:05"))
	}
	return strings.ReplaceAll(strings.Join(out, ", "), "colony:", "")
}

func TestDecide(t *testing.T) {
	const quiet = time.Minute
	legal := []string{"olga +in-development", "dev +in-review"}
	illegal := []string{"olga +in-review", "olga +new"}
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"nothing was done, nothing is written", moment{}, ""},
		{"a right issue is left alone", moment{log: []string{"olga +in-review", "olga +bug"}, mayWait: true}, ""},
		{"a right label in another case is right", moment{log: []string{"olga +COLONY:In-Review"}, mayWait: true}, ""},
		{"a legal move is finished at once", moment{log: legal, mayWait: true}, "-in-development"},
		{"and needs no comments", moment{log: legal, unread: true, mayWait: true}, "-in-development"},
		{"two legal moves at once", moment{log: append(slices.Clone(legal), "rev +human-review-ready")}, "-in-development, -in-review"},

		// Settle before refusing.
		{"a refusal waits until the issue is quiet", moment{log: illegal, later: time.Second}, "requeue at 09:00:12"},
		{"half of a swap is not refused yet", moment{log: []string{"olga +in-review", "olga -in-review"}, later: time.Second}, "requeue at 09:00:12"},
		{"what is legal is done meanwhile", moment{log: append(slices.Clone(legal), "olga +new"), later: time.Second}, "requeue at 09:00:22, -in-development"},
		{"but not what may be part of the refused", moment{log: append(slices.Clone(legal), "dev -in-development", "omar +in-development"), later: time.Second}, "requeue at 09:00:32"},
		{"nor what a bad request left behind", moment{log: []string{"olga +in-development", "dev +done", "colony +failure-blocked", "dev +merge-pending"}, answers: []int64{2}, later: time.Second}, "requeue at 09:00:32"},
		{"then it is explained, undone, and a person asked", moment{log: illegal, later: 2 * time.Second}, "explain [2], +needs-human, -new"},
		{"an illegal swap is undone by adding first", moment{log: append(slices.Clone(illegal), "olga -in-review"), later: quiet}, "explain [2 3], +in-review, +needs-human, -new"},
		{"a removed label is put back", moment{log: []string{"olga +in-review", "olga -in-review"}, later: quiet}, "explain [2], +in-review, +needs-human"},
		{"a bad request leads to the block", moment{log: []string{"olga +in-development", "dev +done"}, later: quiet}, "explain [2], +failure-blocked, +needs-human, -done, -in-development"},
		{"a late bot gets an explanation, and no person is asked", moment{log: []string{"olga +in-review", "olga +paused", "olga -in-review", "bot +done"}, later: quiet}, "explain [4], -done"},
		{"a bot on an issue without a state gets an explanation", moment{log: []string{"bot +in-review"}, later: quiet}, "explain [1], -in-review"},

		// Explain once.
		{"before a refusal the comments are read", moment{log: illegal, unread: true, later: quiet}, "read the comments"},
		{"what was explained is only repaired", moment{log: illegal, answers: []int64{2}}, "+needs-human, -new"},
		{"one half of a swap that was explained is enough", moment{log: append(slices.Clone(illegal), "olga -in-review"), answers: []int64{2}}, "+in-review, +needs-human, -new"},
		{"a removal that was explained does not explain the label that follows", moment{log: []string{"olga +in-review", "olga -in-review", "olga +new"}, answers: []int64{2}, later: quiet}, "explain [2 3], +in-review, +needs-human, -new"},
		{"nor where Colony put the label back since", moment{log: []string{"olga +in-review", "olga -in-review", "olga +new", "colony +in-review"}, answers: []int64{2}, later: quiet}, "explain [2 3], +needs-human, -new"},
		{"once it is explained, that is enough", moment{log: []string{"olga +in-review", "olga -in-review", "olga +new"}, answers: []int64{2, 3}, later: quiet}, "+in-review, +needs-human, -new"},
		{"what follows an illegal swap that was explained is explained too", moment{log: append(slices.Clone(illegal), "olga -in-review", "olga +planning"), answers: []int64{2, 3}, later: quiet}, "explain [4], +in-review, +needs-human, -new, -planning"},
		{"what a legal label leaves of a refused swap is explained", moment{log: append(slices.Clone(illegal), "olga -in-review", "olga +merge-pending"), later: quiet}, "explain [2 3], -new"},
		{"nor is a label that names no state, once it is deleted in the repository", moment{log: []string{"olga +in-review", "olga +colony:in-reveiw"}, labels: "in-review", later: quiet, unread: true}, ""},
		{"but what it led to stays", moment{log: []string{"olga +in-development", "dev +colony:in-reveiw"}, labels: "in-development", later: quiet}, "explain [2], +failure-blocked, +needs-human, -in-development"},
		{"a swap with such a label asks for nobody either", moment{log: []string{"olga +in-review", "olga +colony:in-reveiw", "olga -in-review"}, later: quiet}, "explain [2 3], +in-review, -in-reveiw"},
		{"while it is there it is refused", moment{log: []string{"olga +in-review", "olga +colony:in-reveiw"}, later: quiet}, "explain [2], -in-reveiw"},
		{"what was taken back is not explained", moment{log: append(slices.Clone(illegal), "olga -new"), later: quiet, unread: true}, ""},
		{"killed after the comment: the rest is done", moment{log: illegal, answers: []int64{2}, later: quiet}, "+needs-human, -new"},
		{"killed after the mark: the rest is done", moment{log: append(slices.Clone(illegal), "colony +needs-human"), answers: []int64{2}, later: quiet}, "-new"},

		// Work that failed.
		{"a bot that says its work failed needs a person, and no word", moment{log: []string{"olga +in-review", "bot +failure-blocked"}, unread: true}, "+needs-human, -in-review"},
		{"once", moment{log: []string{"olga +in-review", "bot +failure-blocked", "colony -in-review", "colony +needs-human"}}, ""},
		{"a person takes the mark off", moment{log: []string{"olga +in-review", "bot +failure-blocked", "colony -in-review", "colony +needs-human", "omar -needs-human"}}, ""},
		{"or moves the issue", moment{log: []string{"olga +in-review", "bot +failure-blocked", "colony -in-review", "colony +needs-human", "omar +in-review"}}, "-failure-blocked, -needs-human"},
		{"a bot's command says so too, and its mark stays", moment{log: []string{"olga +in-review", "for-bot +failure-blocked", "colony +needs-human", "colony -in-review"}}, ""},
		{"a person's own block needs nobody", moment{log: []string{"olga +in-review", "omar +failure-blocked"}}, "-in-review"},

		// The mark.
		{"a mark that a person took off stays off", moment{log: append(slices.Clone(illegal), "colony +needs-human", "colony -new", "olga -needs-human"), answers: []int64{2}}, ""},
		{"a new refusal puts it there again", moment{log: append(slices.Clone(illegal), "colony +needs-human", "colony -new", "olga -needs-human", "olga +new"), answers: []int64{2}, later: quiet}, "explain [6], +needs-human, -new"},
		{"also for what was refused while it was there", moment{log: append(slices.Clone(illegal), "colony +needs-human", "colony -new", "olga +planning", "omar -needs-human", "colony -planning"), answers: []int64{2, 5}}, ""},
		{"no other mark stands for it", moment{log: append(slices.Clone(illegal), "colony +forced", "colony -forced", "colony -new"), answers: []int64{2}}, "+needs-human"},
		{"a person's legal move takes it off", moment{log: append(slices.Clone(illegal), "colony +needs-human", "colony -new", "omar +merge-pending"), answers: []int64{2}}, "-in-review, -needs-human"},
		{"a bot's does not", moment{log: append(slices.Clone(illegal), "colony +needs-human", "colony -new", "bot +changes-requested"), answers: []int64{2}}, "-in-review"},
		{"nor does a person's move before it", moment{log: []string{"olga +in-review", "olga +colony:needs-human"}}, ""},
		{"no matter who put it there", moment{log: []string{"olga +in-review", "olga +colony:needs-human", "olga +merge-pending"}}, "-in-review, -needs-human"},
		{"what a person did before the horizon takes none off: what was refused since is not judged any more", moment{log: append(slices.Clone(illegal), "colony +needs-human", "omar +merge-pending", "olga +new", "colony -in-review", "colony -new"), horizon: time.Hour, later: 2 * time.Hour}, ""},
		{"but within it", moment{log: append(slices.Clone(illegal), "colony +needs-human", "omar +merge-pending", "colony -in-review"), horizon: 25 * time.Second, later: 2 * time.Hour}, "-new, -needs-human"},
		{"after a person's legal move an old refusal asks for nobody", moment{log: append(slices.Clone(illegal), "omar +merge-pending"), answers: []int64{2}}, "-in-review, -new"},

		// A log that lags behind.
		{"a label without an event is waited for", moment{log: []string{"olga +in-review"}, labels: "in-review merge-pending", later: time.Second, mayWait: true}, "lagging"},
		{"so are labels without any event", moment{labels: "in-review", later: time.Second, mayWait: true}, "lagging"},
		{"a label that should be there is waited for", moment{log: []string{"olga +in-review"}, labels: "bug", later: time.Second, mayWait: true}, "lagging"},
		{"a label that was there before and is back without an event too", moment{log: []string{"olga +in-review", "bot +changes-requested", "bot -in-review"}, labels: "changes-requested in-review", later: time.Second, mayWait: true}, "lagging"},
		{"only for a while", moment{log: []string{"olga +in-review"}, labels: "in-review merge-pending", later: time.Second}, "-merge-pending"},
		{"and only on an issue that changed a moment ago", moment{log: []string{"olga +in-review"}, labels: "in-review merge-pending", later: 5 * time.Second, mayWait: true}, "-merge-pending"},
		{"a label without an event was there first", moment{log: []string{"olga +in-review"}, labels: "in-review new", later: quiet}, "-new"},
		{"a label that is gone without an event is put back", moment{log: []string{"olga +in-review"}, labels: "bug", later: quiet}, "+in-review"},
		{"before a state's label is put back, what the log may hide is waited for", moment{log: []string{"olga +in-review", "olga -in-review"}, answers: []int64{2}, touched: time.Minute, later: time.Second, mayWait: true}, "lagging"},
		{"also where it changed a second later", moment{log: []string{"olga +in-review", "olga -in-review"}, answers: []int64{2}, touched: time.Second, later: 2 * time.Second, mayWait: true}, "lagging"},
		{"but not what came in the same second", moment{log: []string{"olga +in-review", "olga -in-review"}, answers: []int64{2}, later: 2 * time.Second, mayWait: true}, "+in-review, +needs-human"},
		{"nor for long", moment{log: []string{"olga +in-review", "olga -in-review"}, answers: []int64{2}, touched: time.Minute, later: 5 * time.Second, mayWait: true}, "+in-review, +needs-human"},
		{"a label that goes cannot pass for a move", moment{log: illegal, answers: []int64{2}, touched: time.Minute, later: 2 * time.Second, mayWait: true}, "+needs-human, -new"},
		{"a missing mark is nothing to wait for", moment{log: []string{"olga +in-review", "colony +needs-human"}, labels: "in-review", mayWait: true}, ""},

		// The bracket.
		{"a bracket that was left open is closed", moment{log: []string{"olga +done", "colony +colony:forced", "colony +in-review"}}, "-done, -forced"},
		{"not while the forced move is waiting", moment{log: []string{"olga +done", "colony +colony:forced"}, pending: true}, ""},
		{"one that somebody else opened is taken off", moment{log: []string{"olga +done", "olga +colony:forced"}}, "-forced"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// fight is a bot that asks for the same bad thing every so often, undone by Colony each time, on a paused issue.
func fight(times int, every time.Duration) []string {
	log := []string{"olga +in-review @0s", "olga +paused @1s", "olga -in-review @1s"}
	for i := range times {
		at := time.Minute + time.Duration(i)*every
		log = append(log, fmt.Sprintf("bot +done @%s", at), fmt.Sprintf("colony -done @%s", at+10*time.Second))
	}
	return log[:len(log)-1] // the last one is still there
}

// answered are the events of the first n bad requests of a fight.
func answered(n int) []int64 {
	var ids []int64
	for i := range n {
		ids = append(ids, int64(4+2*i))
	}
	return ids
}

func TestBreaker(t *testing.T) {
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"five refusals in the window are answered", moment{log: fight(5, time.Minute), answers: answered(4), later: time.Minute}, "explain [12], -done"},
		{"the sixth is the last word: one comment, a person, no more reverting", moment{log: fight(6, time.Minute), answers: answered(5), later: time.Minute}, "halted by [14], say so, +needs-human, tidy at 09:36:00"},
		{"not before the issue is quiet", moment{log: fight(6, time.Minute), answers: answered(5), later: time.Second}, "requeue at 09:06:02"},
		{"an explanation of the same refusal says nothing of it", moment{log: fight(6, time.Minute), answers: answered(6), stopped: []int64{}, later: time.Minute}, "halted by [14], say so, +needs-human, tidy at 09:36:00"},
		{"said once", moment{log: fight(6, time.Minute), answers: answered(6), later: time.Minute}, "halted by [14], +needs-human, tidy at 09:36:00"},
		{"the comments are read for it", moment{log: fight(6, time.Minute), unread: true, later: time.Minute}, "read the comments"},
		{"six in more than the window are answered", moment{log: fight(6, 7*time.Minute), answers: answered(5), later: time.Minute}, "explain [14], -done"},
		{"six in the window's full length are too many", moment{log: fight(6, 6*time.Minute), answers: answered(6), later: time.Minute}, "halted by [14], +needs-human, tidy at 10:01:00"},
		{"it stays tripped when the window is over, and what still stands there goes", moment{log: fight(6, time.Minute), answers: answered(6), later: 30 * time.Minute}, "halted by [14], +needs-human, -done"},
		{"what is refused while it is tripped is not answered", moment{log: append(fight(6, time.Minute), "bot +planning @1h", "bot -paused @2h"), answers: answered(6), later: time.Minute}, "halted by [14], +needs-human, tidy at 11:30:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// takenOff is a bot that takes the label of the state off every minute, put back by Colony each time, and takings are the events of that.
func takenOff(times int) []string {
	log := []string{"olga +in-development @0s"}
	for i := range times {
		log = append(log, fmt.Sprintf("dev -in-development @%dm", i+1), fmt.Sprintf("colony +in-development @%dm10s", i+1))
	}
	return log
}

func takings(n int) []int64 {
	var ids []int64
	for i := range n {
		ids = append(ids, int64(2+2*i))
	}
	return ids
}

// Where Colony has stopped it still takes off what an allowed move left behind, and puts the labels in order once the issue was quiet for the
// window: docs/design.md, Breaker.
func TestAStoppedColonyTidies(t *testing.T) {
	tripped := append(fight(6, time.Minute), "colony +needs-human @10m", "bot -done @11m") // the issue is paused
	more := func(lines ...string) []string { return append(slices.Clone(tripped), lines...) }
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"one label, that of the state, is in order", moment{log: tripped, answers: answered(6), later: time.Minute}, "halted by [14]"},
		{"two are not", moment{log: more("bot +planning @12m"), answers: answered(6), later: time.Minute}, "halted by [14], tidy at 09:42:00"},
		{"nor is another one alone", moment{log: more("bot -paused @12m", "bot +planning @12m"), answers: answered(6), later: time.Minute}, "halted by [14], tidy at 09:42:00"},
		{"nor none", moment{log: more("bot -paused @12m"), answers: answered(6), later: time.Minute}, "halted by [14], tidy at 09:42:00"},
		{"one that names no state is none of a state", moment{log: more("bot +colony:nonsense @12m"), answers: answered(6), later: time.Minute}, "halted by [14]"},
		{"then they are put in order", moment{log: more("bot -paused @12m", "bot +planning @12m"), answers: answered(6), later: 30 * time.Minute}, "halted by [14], +paused, -planning"},
		{"what a bot's allowed move left behind goes immediately", moment{log: append(takenOff(6), "dev +in-review @8m"), answers: takings(6), later: time.Minute}, "halted by [12], +needs-human, -in-development"},
		{"but not what a refused change may need", moment{log: append(takenOff(6), "dev +in-review @8m", "dev -in-review @8m", "dev +in-development @9m"), answers: takings(6), later: time.Minute}, "halted by [12], +needs-human"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestBreakerStartsAgain(t *testing.T) {
	tripped := append(fight(6, time.Minute), "colony +needs-human @10m") // events 14 and 15
	more := func(lines ...string) []string { return append(slices.Clone(tripped), lines...) }
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"a bot's further requests change nothing", moment{log: more("bot -done @11m", "bot +done @12m"), answers: answered(6), later: time.Minute}, "halted by [14], tidy at 09:42:00"},
		{"a bot that takes its label off does not reset it", moment{log: more("bot -done @11m"), answers: answered(6), later: time.Minute}, "halted by [14]"},
		{"what was taken back before anything was said does not count", moment{log: more("bot -done @11m"), answers: answered(5), later: time.Minute}, ""},
		{"to know that, the comments are read", moment{log: more("bot -done @11m"), unread: true, later: time.Minute}, "read the comments"},
		{"a person's illegal edit does not", moment{log: more("bot -done @11m", "olga -paused @12m"), answers: answered(6), later: time.Minute}, "halted by [14], tidy at 09:42:00"},
		{"a person's legal move does, and what was refused meanwhile is not brought up", moment{log: more("rev +human-review-ready @11m", "dev +in-development @12m", "olga +in-review @13m"), answers: answered(6), later: time.Minute}, "-done, -human-review-ready, -in-development, -paused, -needs-human"},
		{"then too the comments are read", moment{log: more("rev +human-review-ready @11m", "olga +in-review @13m"), unread: true, later: time.Minute}, "read the comments"},
		{"and so does a command that Colony ran for one", moment{log: more("dev +in-development @12m", "for-olga +in-review @13m"), answers: answered(6), later: time.Minute}, "-done, -in-development, -paused"},
		{"afterwards refusals are answered again", moment{log: more("olga +in-review @13m", "colony -done @13m", "colony -paused @13m", "colony -needs-human @13m", "dev +done @14m"), answers: answered(6), later: time.Minute}, "explain [20], +failure-blocked, +needs-human, -done, -in-review"},
		{"the second half of the swap that tripped it is not said again", moment{log: more("bot -paused @11m"), answers: answered(6), later: time.Minute}, "halted by [14 16], tidy at 09:41:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Colony's mark goes with a person's legal move, also if it landed after it; unless something after the move asked for it.
func TestMarkThatLandsAfterThePersonMoved(t *testing.T) {
	overtaken := []string{"olga +in-review", "olga +new", "olga +merge-pending", "colony -new", "colony -in-review", "colony +needs-human"}
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"the comments tell whether it is for a command", moment{log: overtaken, unread: true, later: time.Hour}, "read the comments"},
		{"it was for what the move has settled", moment{log: overtaken, answers: []int64{2}, later: time.Minute}, "-needs-human"},
		{"it is for a command that was refused after the move", moment{log: overtaken, answers: []int64{2}, later: time.Minute, refused: true}, ""},
		{"it is for what a person was asked after the move", moment{log: overtaken, answers: []int64{2}, later: time.Minute, asked: 21 * time.Second}, ""},
		{"or in its second", moment{log: overtaken, answers: []int64{2}, later: time.Minute, asked: 20 * time.Second}, ""},
		{"not for what was asked before it", moment{log: overtaken, answers: []int64{2}, later: time.Minute, asked: 19 * time.Second}, "-needs-human"},
		{"a person who puts it there means it", moment{log: append(slices.Clone(overtaken[:5]), "olga +needs-human"), answers: []int64{2}, later: time.Minute}, ""},
		{"something was refused after the move", moment{log: append(slices.Clone(overtaken[:5]), "olga +new", "colony -new", "colony +needs-human"), answers: []int64{2, 6}, later: time.Minute}, ""},
		{"nobody knows what was asked before the horizon", moment{log: append(slices.Clone(overtaken[:5]), "colony +needs-human @1h"), later: time.Minute, horizon: 30 * time.Minute}, ""},
		{"what was refused after the move was taken back meanwhile", moment{log: append(slices.Clone(overtaken[:5]), "olga +new", "colony +needs-human", "olga -new"), answers: []int64{2, 6}, later: time.Minute}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Where Colony's own move ends the issue, its mark has had its answer, and no person can make a move that takes it off.
func TestTheMarkGoesWhereColonyEndsTheIssue(t *testing.T) {
	ended := []string{"olga +waiting-for-subtasks", "colony +needs-human", "colony +done", "colony -waiting-for-subtasks"}
	for _, c := range []struct {
		name string
		moment
		want string
	}{
		{"as after a person's move", moment{log: ended, later: time.Minute, asked: 10 * time.Second}, "-needs-human"},
		{"the comments tell whether the mark that came later is for a command", moment{log: append(slices.Clone(ended), "colony +needs-human"), unread: true, later: time.Minute, asked: 10 * time.Second}, "read the comments"},
		{"it is for what was refused at the end", moment{log: append(slices.Clone(ended), "olga +new", "colony -new", "colony +needs-human"), answers: []int64{5}, later: time.Minute, asked: 10 * time.Second}, ""},
		{"a person who put it there means it", moment{log: []string{"olga +waiting-for-subtasks", "omar +needs-human", "colony +done", "colony -waiting-for-subtasks"}, later: time.Minute, asked: 10 * time.Second}, ""},
		{"a move of Colony's that ends nothing leaves it", moment{log: []string{"olga +needs-clarification", "colony +needs-human", "colony +analyzing", "colony -needs-clarification"}, later: time.Minute, asked: 10 * time.Second}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, writes(c.decide(t))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func BenchmarkFoldAndDecide(b *testing.B) {
	life := colony(b)
	var script []string
	for len(script) < 99 { // a year of rework: review and development alternately, tidied
		script = append(script, "rev +changes-requested", "colony -in-review", "dev +in-development", "colony -changes-requested", "dev +in-review", "colony -in-development")
	}
	log := changes(b, append([]string{"olga +in-review"}, script[:99]...)...)
	slices.Reverse(log)
	history := History{Changes: log, Labels: labelsAfter(log)}
	now := morning.Add(time.Hour)

	b.Run("fold and decide 100 events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := life.Fold(history)
			life.Decide(modelThresholds, Case{Standing: s, Labels: history.Labels, Updated: s.LastChange, Now: now, MayWait: true}, Evidence{})
		}
	})
	b.Run("floor: only sort them", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sorted(log)
		}
	})
}
