package statemachine

import (
	"cmp"
	"slices"
	"time"
)

// Thresholds holds the times and counts that a decision depends on.
type Thresholds struct {
	// Settle is how long an issue must have been quiet before anything is refused: the label picker sends the two
	// halves of a swap as two events, in either order.
	Settle time.Duration
	// Lag is how recently an issue must have changed for a difference between its labels and its log to be taken for
	// an event that is not visible yet.
	Lag time.Duration
	// More than BreakerRejections rejections within BreakerWindow stop Colony from reverting on that issue until a
	// person makes a legal move: two bots must not be able to fight for ever.
	BreakerRejections int
	BreakerWindow     time.Duration
}

// Input is everything a decision is made from.
type Input struct {
	Standing Standing
	// Labels are the labels on the issue now, Updated is when GitHub last changed it.
	Labels  []string
	Updated time.Time
	Now     time.Time
	// MayWait says that a log that lags behind may still be waited for. Once it is false, the log counts as it is.
	MayWait bool
	// Answered says whether a rejection's event has Colony's comment; nil as long as nobody looked.
	Answered func(eventID int64) bool
	// ForcePending says that a forced move is waiting to be run, so the mark Forced must stay.
	ForcePending bool
	// Commanded says whether a move of Colony's was made for a command; it is read together with Answered.
	Commanded func(eventID int64) bool
	// RefusedCommand reports whether Colony refused a command since a time, or has one yet to run; it is read together with Answered.
	RefusedCommand func(since time.Time) bool
	// Asked says whether a person was asked about something already; see Asked.ID. It is read together with Answered.
	Asked func(id int64) bool
	// LastAsked is the latest that was asked, by its ID; 0 if nothing was.
	LastAsked int64
	// Facts is what was read about the issue beside its labels; nothing as long as nobody looked.
	Facts Facts
	// ConditionsRead says that what the guards of the standing's pending moves need was asked for, and Unreadable what could not be
	// read of it, for people.
	ConditionsRead bool
	Unreadable     string
	// TakenIn says that the repository wants the issue in its lifecycle, if nothing ever happened to it. Requests are the labels
	// with which people ask for that, and which Colony takes off again.
	TakenIn  bool
	Requests []string
	// Closed says that the issue is closed. Reopened is when it was last opened again; zero if never.
	Closed   bool
	Reopened time.Time
}

// Decision is what is to be done about an issue's labels. The order in which it is applied is: add, remove, explain.
// Explanations carry a marker and the other two are repeatable, so a crash between any two leaves nothing that the next reconciliation
// does not finish.
type Decision struct {
	// Explain lists the rejections that have no comment yet.
	Explain []Rejection
	// Halted is the rejection that tripped the breaker, if it is tripped; HaltUnsaid says that nobody was told.
	Halted     *Rejection
	HaltUnsaid bool
	Add        []string
	Remove     []string
	// Announce lists the moves that Colony made on its own and has to announce.
	Announce []Announcement
	// Automatic is a move that Colony makes on its own; Add and Remove make it. Repeat is the label that goes off and on again
	// instead, for one more round in the same state: only that leaves an event.
	Automatic *Automatic
	Repeat    string
	// TakenIn says that the automatic move takes the issue into the lifecycle.
	TakenIn bool
	// Ask lists what a person is asked about although the issue stays where it is.
	Ask []Asked
	// Close says how the issue is to be closed; empty if it is left as it is.
	Close CloseReason

	// Withheld is a move that Colony would make on its own, and does not where what is illegal stands.
	Withheld *Automatic

	// Held says that Colony decides only after these writes whether to move the issue on its own: it reconciles again right after them.
	Held bool
	// NeedFacts lists what has to be read beside the labels before it is clear whether Colony moves the issue on its own.
	NeedFacts []Reading
	// Waits says that the issue is not moved although there is capacity: a fact keeps it where it is.
	Waits bool
	// NeedConditions asks for what the guards of the standing's pending moves need; nothing may be applied before.
	NeedConditions bool
	// Unread says that some of that could not be read, and is worth another try. Undecided says that it is worth none for now.
	Unread, Undecided bool
	// NeedAnswers asks for Colony's own comments to be read; nothing may be applied before.
	NeedAnswers bool
	// NeedOrders asks who ordered Colony's moves since Standing.Unordered; nothing may be applied before.
	NeedOrders bool
	// Lagging says that the log does not explain the labels yet; nothing may be applied before Colony has read it again.
	Lagging bool
	// RequeueAt asks to reconcile the issue again at that time, because something may only be refused once the issue is quiet.
	RequeueAt time.Time
	// TidyAt is when the labels of an issue on which Colony has stopped are put in order, unless something happens there before; zero
	// if they are.
	TidyAt time.Time
	// State is the state that the labels are brought to.
	State string
}

// Nothing reports whether there is nothing to write.
func (d Decision) Nothing() bool {
	return len(d.Explain) == 0 && len(d.Announce) == 0 && !d.HaltUnsaid && len(d.Add) == 0 && len(d.Remove) == 0 &&
		d.Repeat == "" && d.Close == "" && len(d.Ask) == 0
}

// Thresholds returns the patience with which issues of the lifecycle are judged: the numbers of the breaker may be its own.
func (l *Lifecycle) Thresholds(p Thresholds) Thresholds {
	if b := l.Breaker; b != nil {
		p.BreakerRejections, p.BreakerWindow = b.Refusals, b.Within
	}
	return p
}

// Decide says what to do so that the labels of an issue become what its log says, and what is to be explained.
func (l *Lifecycle) Decide(p Thresholds, in Input) Decision {
	p = l.Thresholds(p)
	if in.MayWait && l.lagging(p, in) {
		return Decision{Lagging: true, State: in.Standing.State}
	}
	if !in.Standing.Unordered.IsZero() {
		return Decision{NeedOrders: true, State: in.Standing.State}
	}
	if len(in.Standing.Pending) > 0 && (!in.Standing.Stands || !in.ConditionsRead) {
		return l.undecided(in)
	}
	d := Decision{State: in.Standing.State}
	tripped, silenced := l.breaker(p, in)
	_, wanted := l.takesIn(in)
	open := slices.DeleteFunc(slices.Clone(in.Standing.Rejections), func(r Rejection) bool {
		return r.Withdrawn || wanted && r.By.Kind == Author // it is granted as far as the repository grants it
	})
	quiet := in.Standing.LastChange.Add(p.Settle)
	tell := l.announcements(in.Standing)
	if (len(open) > 0 || len(tell) > 0 || tripped != nil) && in.Answered == nil {
		if (len(open) > 0 || tripped != nil) && in.Now.Before(quiet) {
			return Decision{State: d.State, RequeueAt: quiet, Remove: l.leftBehind(in, open)}
		}
		return Decision{NeedAnswers: true, State: d.State}
	}
	d.Halted = tripped
	open = slices.DeleteFunc(open, func(r Rejection) bool { return slices.Contains(silenced, r.last()) })
	for _, r := range open {
		if !in.explained(r) {
			d.Explain = append(d.Explain, r)
		}
	}
	tell = slices.DeleteFunc(tell, func(t Announcement) bool { return in.commanded(t.EventID) })
	d.Announce = slices.DeleteFunc(slices.Clone(tell), func(t Announcement) bool { return in.Answered(t.EventID) })
	d.HaltUnsaid = d.Halted != nil && !in.Standing.Stands && !in.answered(*d.Halted)
	if (len(d.Explain) > 0 || d.HaltUnsaid) && in.Now.Before(quiet) {
		return Decision{State: d.State, RequeueAt: quiet, Remove: l.leftBehind(in, d.Explain)}
	}
	l.labels(p, in, &d)
	l.recordGrant(in, &d)
	if in.mayHide(p) && l.putsState(d.Add) {
		return Decision{Lagging: true, State: d.State}
	}
	l.needsHuman(in, &d, open, tell)
	if d.NeedAnswers {
		return Decision{NeedAnswers: true, State: d.State}
	}
	l.planAutomatic(in, &d)
	l.answerFailure(in, &d)
	if d.Repeat != "" && in.mayHide(p) { // a round cancels out: the log may hide the one that was made for this already
		return Decision{Lagging: true, State: in.Standing.State}
	}
	l.close(in, &d)
	return d
}

// Announcement is a move that Colony tells of once: one that it made on its own, or one whose request stands for a reason.
type Announcement struct {
	Automatic
	By      Actor
	EventID int64
	// Changed is what somebody changed of what was approved, if that is why Colony moved the issue.
	Changed []Difference
}

// MayAnnounce returns the ids of the moves that Colony tells of, unless a command made them.
func (l *Lifecycle) MayAnnounce(s Standing) []int64 {
	var ids []int64
	for _, t := range l.announcements(s) {
		ids = append(ids, t.EventID)
	}
	return ids
}

// announcements lists the judged moves that have to be told of, if no command made them.
func (l *Lifecycle) announcements(s Standing) []Announcement {
	var announced []Announcement
	for i, m := range s.Trail { // what is earlier is not judged
		if m.At.Before(s.JudgedSince) {
			continue
		}
		if a, ok := l.announcement(s, i); ok {
			announced = append(announced, Announcement{Automatic: a, By: m.By, EventID: m.EventID})
		}
	}
	return announced
}

func (in Input) commanded(eventID int64) bool { return in.Commanded != nil && in.Commanded(eventID) }

// planAutomatic makes the move that Colony makes on its own, once its labels are right and nothing waits for an explanation.
func (l *Lifecycle) planAutomatic(in Input, d *Decision) {
	if d.Halted != nil {
		return
	}
	if d.Held { // the record of a grant goes first
		return
	}
	if len(d.Explain) > 0 || l.putsState(d.Add) {
		_, overdue := l.overdue(in)
		d.Held = len(l.readingsAt(in.Standing, in.Closed)) > 0 || overdue
		return
	}
	for _, need := range l.readingsAt(in.Standing, in.Closed) {
		if !slices.Contains(in.Facts.Read, need) {
			d.NeedFacts = append(d.NeedFacts, need)
		}
	}
	if len(d.NeedFacts) > 0 {
		return
	}
	d.Waits = l.waits(in)
	asked := l.asks(in)
	if len(asked) > 0 && in.Asked == nil {
		d.NeedAnswers = true
		return
	}
	a, ok := l.automatic(in)
	taken := false
	if !ok {
		a, ok = l.takesIn(in)
		taken = ok
	}
	if !ok || l.JudgeAt(in.Standing, Actor{Kind: Colony}, a.To, true) != Legal {
		ask(d, in, asked)
		return
	}
	if in.Standing.ForcedByColony && HasLabel(in.Labels, Forced) { // what Colony does within its own bracket is recorded as forced
		d.Held = true
		return
	}
	if HasLabel(d.Remove, l.Label(a.To)) || taken && l.hasState(d.Remove) {
		// The label is there already and means nothing; only an event makes the move, so it has to go first. So has what the author
		// asked for in the opening: only as long as no other state was put there does the log tell that it was refused.
		d.Held = true
		return
	}
	if l.withholds(in, a) {
		d.Withheld = &a
		return
	}
	d.Automatic, d.TakenIn, d.State = &a, taken, a.To
	if a.From == a.To {
		d.Repeat = l.Label(a.To)
		return
	}
	d.Add = append(d.Add, l.Label(a.To))
	if from := l.Label(a.From); from != "" {
		d.Remove = append(d.Remove, from)
	}
	d.Remove = append(d.Remove, l.answeredRequests(in, a.To)...)
}

// close closes an issue that has come to where its lifecycle ends it, unless somebody opened it again since.
func (l *Lifecycle) close(in Input, d *Decision) {
	entered, known := in.Standing.Since()
	how := l.Closes(d.State)
	if how == "" || in.Closed || d.Automatic != nil || d.Halted != nil || !known || entered.Kind == Settled || entered.Kind == Stood {
		return
	}
	if !in.Reopened.After(entered.At) && !entered.At.Before(in.Standing.JudgedSince) {
		d.Close = how
	}
}

// mayHide reports whether the log may still hide changes that cancel each other out, so that the labels do not tell of them:
// the issue changed a moment ago, and later than the last change of the log. It need not have been a label; a comment looks
// the same. GitHub's times are whole seconds, so that changes within the second of the log's last one are not told apart.
func (in Input) mayHide(p Thresholds) bool {
	return in.MayWait && in.Now.Sub(in.Updated) < p.Lag && in.Updated.Sub(in.Standing.LastChange) >= time.Second
}

// putsState reports whether the label of a state is among those that are to be added. From a log that hides something that could
// pass for a move; a label that is taken off cannot.
func (l *Lifecycle) putsState(add []string) bool { return l.hasState(add) }

// hasState reports whether the label of a state is among some labels.
func (l *Lifecycle) hasState(labels []string) bool {
	return slices.ContainsFunc(labels, func(label string) bool { _, isState := l.StateOf(label); return isState })
}

// lagging reports whether the labels and the log differ on an issue that changed a moment ago.
func (l *Lifecycle) lagging(p Thresholds, in Input) bool {
	isState := func(label string) bool { _, ok := l.StateOf(label); return ok }
	differ := len(in.Standing.Unexplained) > 0 ||
		slices.ContainsFunc(in.Standing.Missing, isState) ||
		slices.ContainsFunc(in.Labels, func(label string) bool {
			return isState(label) && !HasLabel(in.Standing.Present, l.PresentLabel(label))
		})
	return differ && in.Now.Sub(in.Updated) < p.Lag
}

// answered reports whether a rejection has Colony's comment: one of its events is enough.
func (in Input) answered(r Rejection) bool { return slices.ContainsFunc(r.IDs, in.Answered) }

// explained reports whether a refusal was explained. If Colony explained the removal of a state's label before it saw the label that
// followed, the label still needs its explanation.
func (in Input) explained(r Rejection) bool {
	if r.Asked != 0 {
		return in.Answered(r.Asked)
	}
	return in.answered(r)
}

func (r Rejection) last() int64 { return slices.Max(r.IDs) }

// byHand reports whether a person made a move that counts with the label.
func (l *Lifecycle) byHand(m Move) bool { return l.intervened(m) && m.By.Kind == Operator }

// leftBehind returns the labels that a legal move left behind, which may go at once although something else on the
// issue is about to be refused.
func (l *Lifecycle) leftBehind(in Input, refused []Rejection) []string {
	last, ok := in.Standing.Since()
	if !ok || last.Kind != Moved || last.From == last.To || len(l.OnIssue(in.Labels, last.To)) == 0 {
		return nil
	}
	if slices.ContainsFunc(refused, func(r Rejection) bool { return r.last() > last.EventID && (r.To == last.From || r.To == "") }) {
		return nil
	}
	if len(l.Guards) > 0 && l.passesForVerdict(in) {
		return nil
	}
	return l.OnIssue(in.Labels, last.From)
}

// labels makes the state's label the only state label, under its present name. Where Colony has stopped it does so once the issue has been quiet for the
// breaker's window: that gives nobody anything to fight with. What a legal move left behind goes at once.
func (l *Lifecycle) labels(p Thresholds, in Input, d *Decision) {
	if in.Standing.Stands {
		d.Remove = l.standingLabels(in, d.State)
		return
	}
	if d.Halted != nil {
		if quiet := in.Standing.LastChange.Add(p.BreakerWindow); in.Now.Before(quiet) {
			d.Remove = l.leftBehind(in, in.Standing.Rejections)
			if !l.inOrder(after(in.Labels, d.Remove), d.State) {
				d.TidyAt = quiet
			}
			return
		}
	}
	want := l.Label(d.State)
	if want != "" && !HasLabel(in.Labels, want) {
		d.Add = append(d.Add, want)
	}
	for _, label := range in.Labels {
		if _, isState := l.StateOf(label); isState && !SameLabel(label, want) {
			d.Remove = append(d.Remove, label)
		}
	}
	l.refusedFirst(in.Standing, d.Remove)
	d.Remove = append(d.Remove, l.refusedLabels(in)...)
	d.Remove = append(d.Remove, l.answeredRequests(in, d.State)...)
	if HasLabel(in.Labels, Forced) && !in.ForcePending {
		d.Remove = append(d.Remove, Forced)
	}
}

// passesForVerdict reports whether taking off what the last move left behind could pass for the verdict about another request: for the refusal
// of one that guards granted, or for the grant of one that they refused. See record.
func (l *Lifecycle) passesForVerdict(in Input) bool {
	granted := in.unrecorded()
	return len(granted) > 0 && !l.finishes(in, granted) ||
		slices.ContainsFunc(in.Labels, func(label string) bool { return l.refusedByGuard(in.Standing, label) })
}

// refusedFirst orders labels that go such that what a guard refused goes before the others, and other names of the state's label after them:
// see record.
func (l *Lifecycle) refusedFirst(s Standing, labels []string) {
	if len(l.Guards) == 0 {
		return
	}
	rank := func(label string) int {
		state, _ := l.StateOf(label)
		switch {
		case l.refusedByGuard(s, label):
			return 0
		case state.Name == s.State:
			return 2
		}
		return 1
	}
	slices.SortStableFunc(labels, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
}

// refusedByGuard reports whether a guard refused what a label asked for, and no later request for it was granted.
func (l *Lifecycle) refusedByGuard(s Standing, label string) bool {
	state, is := l.StateOf(label)
	return is && slices.ContainsFunc(s.Rejections, func(r Rejection) bool {
		return r.Verdict == Guarded && r.To == state.Name && !slices.ContainsFunc(s.Trail, func(m Move) bool { return m.To == r.To && m.EventID > r.last() })
	})
}

// inOrder reports whether the label of a state, under its present name, is the only one of a state.
func (l *Lifecycle) inOrder(labels []string, state string) bool {
	var states []string
	for _, label := range labels {
		if s, is := l.StateOf(label); is {
			states = append(states, s.Name)
		}
	}
	if l.Label(state) == "" {
		return len(states) == 0
	}
	return len(states) == 1 && HasLabel(labels, l.Label(state))
}

// after returns labels without some.
func after(labels, removed []string) []string {
	return slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return HasLabel(removed, label) })
}

// needsHuman puts the mark there for what a person has to look at, once, and takes it off after the next legal
// move that a person makes, if that is judged: of an older one nobody knows what was asked since. A person who takes it off earlier is right.
func (l *Lifecycle) needsHuman(in Input, d *Decision, open []Rejection, tell []Announcement) {
	if in.Standing.Stands {
		return
	}
	var asked int64 // the latest event that asks for a person
	for _, r := range open {
		if r.AsksPerson {
			asked = max(asked, r.last())
		}
	}
	for _, t := range tell {
		if t.AsksPerson {
			asked = max(asked, t.EventID)
		}
	}
	if d.Halted != nil {
		asked = max(asked, d.Halted.last())
	}
	there := HasLabel(in.Labels, NeedsHuman)
	if there {
		asked = max(asked, l.reportedFailure(in.Standing))
	}
	if asked == 0 && !there {
		return
	}
	acted, commanded := l.acted(in.Standing, asked)
	switch {
	case asked > max(acted.EventID, commanded) && asked > in.Standing.NeedsHumanID && !there:
		d.Add = append(d.Add, NeedsHuman)
	case acted.At.Before(in.Standing.JudgedSince): // what was asked after it may not be judged any more
	case there && acted.EventID > asked && acted.EventID > in.Standing.NeedsHumanID:
		d.Remove = append(d.Remove, NeedsHuman)
	case there && in.Standing.MarkedByColony && l.overtaken(in.Standing, acted, asked):
		// The mark is there for a command that was refused since, or for what was asked since, or it was on its way while the person
		// acted.
		if d.NeedAnswers = in.RefusedCommand == nil; !d.NeedAnswers && !in.RefusedCommand(acted.At) && in.LastAsked < acted.At.Unix() {
			d.Remove = append(d.Remove, NeedsHuman)
		}
	}
}

// answerFailure puts the mark NeedsHuman there for work that failed, unless Colony moves the issue on from there.
func (l *Lifecycle) answerFailure(in Input, d *Decision) {
	failed := l.reportedFailure(in.Standing)
	if failed <= in.Standing.NeedsHumanID || in.Standing.Stands || d.Automatic != nil || HasLabel(in.Labels, NeedsHuman) || HasLabel(d.Add, NeedsHuman) {
		return
	}
	d.Add = append(d.Add, NeedsHuman)
}

// reportedFailure returns the event of the move by which an executor said that its work failed, if that is where the issue stands: who
// left a comment on what failed is answered by a person. It is 0 if there is none.
func (l *Lifecycle) reportedFailure(s Standing) (eventID int64) {
	m, known := s.Since()
	if !known || l.BadRequest == "" || s.State != l.BadRequest || m.Kind != Moved || m.At.Before(s.JudgedSince) || l.maker(m) != Executor {
		return 0
	}
	return m.EventID
}

// acted returns the latest legal move that a person made by label, and the event of the latest that a person made otherwise, as far as
// they are later than what was asked. What is so old that it can take no mark off is left out.
func (l *Lifecycle) acted(s Standing, asked int64) (byHand Move, otherwise int64) {
	for _, m := range slices.Backward(s.Trail) {
		if m.Kind == Settled {
			continue // it has no event
		}
		if m.EventID <= asked {
			break
		}
		if l.byHand(m) {
			return m, otherwise
		}
		if l.intervened(m) {
			otherwise = max(otherwise, m.EventID)
		}
	}
	return Move{}, otherwise
}

// overtaken reports whether the log has nothing that Colony's mark can be for since a person acted: what the mark was for counts, and
// not when it landed.
func (l *Lifecycle) overtaken(s Standing, acted Move, asked int64) bool {
	for _, r := range s.Rejections { // one that was taken back, silenced, or tripped the breaker may have put it there all the same
		asked = max(asked, r.last())
	}
	return acted.EventID > asked
}
