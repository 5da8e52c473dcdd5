package statemachine

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// The fold as it was, for the time of its rewriting: TestTheNewFoldSaysTheSame compares the two.

func oldFold(l *Lifecycle, h History) Standing {
	f := newOldFolder(l)
	f.since, f.begun, f.installed, f.ordered, f.stands = h.JudgedSince, h.Begun, h.Installed, h.Ordered, h.Stands
	f.answers, f.author, f.opened, f.explained = h.Answers, h.Opening.By, h.Opening.At, h.Explained
	changes := sorted(l.attributed(h))
	f.begin(changes, h.Labels)
	f.fold(changes)
	f.end(h.Labels)
	return f.standing()
}

// oldFolder is the fold under way.
type oldFolder struct {
	life  *Lifecycle
	since time.Time
	begun time.Time
	// hasBegun says that what stood when judging began is settled.
	hasBegun bool
	ordered  func(eventID int64) (by Actor, known bool)
	stands   bool // what is illegal
	answers  Answers
	// explained is History.Explained.
	explained func(eventID int64) bool
	author    string // of the issue
	opened    time.Time
	// rest is what comes after the change that is looked at, and usedMarks are those of Colony's marks in it that recorded a verdict.
	rest      []Change
	usedMarks map[int64]bool
	// pending is what nobody knows yet whether it is granted, granted what was and has no record yet.
	pending []Asking
	frozen  bool // what comes after something that nobody asked about yet is not judged until somebody has
	granted []int64
	// doubt is the time of the earliest move of Colony's that something depended on, without anybody knowing who had ordered it.
	doubt time.Time
	// installed is since when Colony judges there, and placed are the states whose labels were put on since.
	installed time.Time
	placed    map[string]bool
	// reached says that what was settled had been put there since.
	reached bool

	state      string
	trail      []Move
	withdrawn  []Withdrawal
	rejections []Rejection
	present    labelSet            // the present names of the states' labels, and marks
	names      map[string]labelSet // by state that had other names: the names under which its label is there
	labelled   []string            // the states whose labels were put on, the latest last
	put        map[string]int64    // by state: the event that put its label on last

	// removal is the index+1 of the rejection that says "the state's label was taken off", as long as it is
	// open: a label that follows makes it the first half of a swap. A swap that was refused is open too, to be taken back.
	removal int
	// off is the removal of the state's label that nothing has answered yet, where what is illegal stands: the issue leaves the state by
	// it, unless the label comes back. Unlike a rejection it outlives the horizon.
	off *Rejection
	// owed are the states whose label Colony owes after a refused change, as long as nobody has put it there, and when the issue went on
	// from there; zero: it did not. Colony may be late: see isLate.
	owed map[string]time.Time
	// offBy is who took the state's label off last, since the issue is there; empty if nobody did.
	offBy ActorKind

	unexplained  []string
	needsHumanID int64
	ownMark      bool // that event is Colony's own
	forced       bool
	lastChange   time.Time
	missing      []string
}

func newOldFolder(l *Lifecycle) *oldFolder {
	return &oldFolder{life: l, present: labelSet{}, put: map[string]int64{}, placed: map[string]bool{}, owed: map[string]time.Time{}, usedMarks: map[int64]bool{}, state: l.Initial}
}

// fold goes through changes and settles what is older than the horizon.
func (f *oldFolder) fold(changes []Change) {
	judged := false
	for i, c := range changes {
		if !oldConcerns(f.life, c) {
			continue
		}
		f.rest = changes[i+1:]
		f.begins(c)
		if !judged && !c.At.Before(f.since) {
			f.settle(f.since)
			judged = true
		}
		f.change(c)
	}
	if !judged {
		f.settle(f.since)
	}
}

// begin finds the state labels that were on the issue before the log starts: those that the log first takes off, and
// those that are there although the log never speaks of them (labels that were renamed into states, imported issues). Of
// several, the last in the order of the lifecycle counts.
func (f *oldFolder) begin(changes []Change, labels []string) {
	seen := labelSet{}
	for _, c := range changes {
		s, isState := f.life.StateOf(c.Label)
		if !isState || seen.has(s.Label) {
			continue
		}
		seen.add(s.Label)
		if !c.Added {
			f.present.add(s.Label)
			f.named(&s, c.Label)
		}
	}
	for _, old := range f.life.untold(changes, labels) {
		s, _ := f.life.StateOf(old)
		f.present.add(s.Label)
		f.named(&s, old)
	}
	for i := range f.life.States {
		s := &f.life.States[i]
		if s.Label == "" || seen.has(s.Label) || !oldIsOn(s, labels) {
			continue
		}
		f.present.add(s.Label)
		f.unexplained = append(f.unexplained, s.Name)
		for _, label := range f.life.OnIssue(labels, s.Name) {
			f.named(s, label)
		}
	}
	for _, s := range f.life.States {
		if s.Label != "" && f.present.has(s.Label) {
			f.labelled = append(f.labelled, s.Name)
			f.state = s.Name
		}
	}
}

// begins settles what stood when judging began, before the first change since. Without it a change would be judged otherwise once the
// horizon has passed that moment: from a state that the table would never have let the issue come to, or as if it had come from nowhere.
func (f *oldFolder) begins(c Change) {
	if !f.hasBegun && !c.At.Before(f.begun) {
		f.hasBegun = true
		f.settle(f.begun)
	}
}

// settle ends what is too old to be judged: the labels as they stood then are the baseline, the one labelled last
// counts, and nothing that was rejected is answered any more.
func (f *oldFolder) settle(horizon time.Time) {
	f.rejections, f.removal, f.offBy, f.pending, f.granted, f.frozen = nil, 0, "", nil, nil, false
	clear(f.owed)
	base := f.life.Initial
	for _, name := range f.labelled {
		if f.present.has(f.life.Label(name)) {
			base = name
		}
	}
	if f.off != nil && f.off.At.Before(f.begun) {
		f.off = nil
	}
	if f.off != nil { // whether the issue leaves by it depends on what comes after it, and not on when that is read
		base = f.state
	}
	f.reached = f.reached || f.placed[base]
	if base != f.state {
		f.trail = append(f.trail, Move{From: f.state, To: base, Kind: Settled, At: horizon})
		f.state = base
	}
	f.owesName()
}

func (f *oldFolder) change(c Change) {
	f.lastChange = c.At
	if IsMark(c.Label) {
		f.mark(c)
		return
	}
	x, isState := f.life.StateOf(c.Label)
	switch {
	case !isState:
		f.notAState(c)
	case f.onlyName(c, &x): // the label of the state is there as before
	case c.Added:
		f.present.add(x.Label)
		f.put[x.Name] = c.ID
		if !c.At.Before(f.installed) {
			f.placed[x.Name] = true
		}
		f.labelled = append(slices.DeleteFunc(f.labelled, func(n string) bool { return n == x.Name }), x.Name)
		if !f.frozen {
			f.labeled(c, x.Name)
		}
		delete(f.owed, x.Name)
		f.owesName()
	default:
		f.present.remove(x.Label)
		if !f.frozen {
			f.unlabeled(c, x.Name)
		}
	}
	if c.By.Kind == Colony { // whatever else it writes from now on, it knows of the moves before
		maps.DeleteFunc(f.owed, func(_ string, movedOn time.Time) bool { return !movedOn.IsZero() })
	}
}

func (f *oldFolder) mark(c Change) {
	label := NeedsHuman
	switch {
	case SameLabel(c.Label, Checked):
		label = Checked
	case SameLabel(c.Label, Forced):
		label = Forced
		f.forced = c.Added && c.By.Kind == Colony
	case c.Added || c.By.Kind != Colony: // who takes the mark off says that nobody is needed for what was before
		f.needsHumanID, f.ownMark = c.ID, c.By.Kind == Colony
	}
	if c.Added {
		f.present.add(label)
	} else {
		f.present.remove(label)
	}
}

func (f *oldFolder) labeled(c Change, x string) {
	f.leaveBefore(c, x)
	verdict := f.life.allows(f.now(), c.By, x, false)
	forced := c.By.Kind == Colony && f.forced && x != f.state && !f.life.ForGood(f.state)
	if verdict == Legal && !forced && f.exceeds(c, x) {
		verdict = LimitReached
	}
	var guards Guarding
	if verdict == Legal && !forced {
		var counts bool
		if guards, counts = f.guard(c, x); !counts {
			return
		}
		if guards.Answer == No {
			verdict = Guarded
		}
	}
	// Colony begins a round by taking the label off itself. Putting it back after somebody else did is none.
	restored := x == f.state && c.By.Kind == Colony && f.offBy != Colony
	switch {
	case restored:
		f.removal, f.off = 0, nil
	case verdict == Same || x == f.state && verdict != Legal && verdict != LimitReached && verdict != Guarded: // who may not begin a round put it back
		if c.By.Kind != Colony {
			f.takenBack() // the label is back without our doing
		}
		f.removal, f.off = 0, nil
	case forced: // also where the table has the move: who forced it did not ask the table
		f.takenBack()
		f.move(c, x, ForcedMove)
	case (verdict == Legal || verdict == LimitReached) && f.isLate(c, x): // it is repaired without a word, like what is written from a stale read
	case verdict == Legal && guards.Answer == Unknown && !f.stands:
		f.wait(c, f.state, x, guards)
	case verdict == Legal:
		f.takenBack() // a removal was the first half of this swap
		from := f.state
		f.move(c, x, Moved)
		if guards.Answer == Unknown {
			f.wait(c, from, x, guards)
		}
	case verdict == LimitReached && f.stands:
		f.reject(c, x, verdict)
	case verdict == LimitReached:
		f.takenBack()
		f.exhaust(c, x)
	case c.By.Kind == Colony: // written from a stale read; what it added in vain is repaired without a word
	default:
		f.reject(c, x, verdict)
		if verdict == Guarded {
			f.refusedBy(guards)
		}
	}
}

func (f *oldFolder) unlabeled(c Change, x string) {
	if x == f.state {
		f.offBy = c.By.Kind
	}
	switch {
	case x == f.state && len(f.pending) > 0 && !f.stands: // the other half of what waits
	case x != f.state:
		f.withdraw(c, x)
	case c.By.Kind == Colony: // written from a stale read; repaired without a word
	case f.beforeIsPresent():
		f.takeBack()
	default:
		f.reject(c, "", NotInTable)
	}
}

// oldLateFor is how long after somebody moved an issue on a write of Colony's may come that did not know it: longer than GitHub's answers take.
const oldLateFor = time.Minute

// isLate reports whether a label is the one that Colony owed after a change it refused, and somebody has moved the issue on since: then
// it is no move. It is one if a command ordered it, or if nobody knows yet.
func (f *oldFolder) isLate(c Change, x string) bool {
	movedOn := f.owed[x]
	if c.By.Kind != Colony || movedOn.IsZero() || c.At.Sub(movedOn) > oldLateFor || f.forced {
		return false
	}
	m := f.made(c, x, Moved)
	if !m.Traced {
		f.doubts(c.At)
	}
	return m.Traced && m.Ordered.Kind == ""
}

// now is where the issue stands at this point of the log.
func (f *oldFolder) now() Standing {
	return Standing{State: f.state, Trail: f.trail, Installed: f.installed}
}

func (f *oldFolder) move(c Change, to string, kind MoveKind) {
	m := f.made(c, to, kind)
	m.Reason = f.life.givenReason(c.By, f.state, to, kind)
	f.trail = append(f.trail, m)
	if !f.stands { // otherwise the issue went on from there, and guards are still to be asked
		f.pending = nil
	}
	if movedOn, owed := f.owed[f.state]; owed && movedOn.IsZero() {
		f.owed[f.state] = c.At
	}
	f.state = to
	f.removal, f.off, f.offBy = 0, nil, ""
	for i := range f.rejections { // what the author asked for in the opening is of no interest any more
		f.rejections[i].Withdrawn = f.rejections[i].Withdrawn || f.rejections[i].By.Kind == Author
	}
}

// made is the move that a change makes.
func (f *oldFolder) made(c Change, to string, kind MoveKind) Move {
	m := Move{From: f.state, To: to, Kind: kind, By: c.By, At: c.At, EventID: c.ID}
	if c.By.Kind == Colony && f.ordered != nil {
		m.Ordered, m.Traced = f.ordered(c.ID)
	}
	return m
}

// exceeds reports whether a limit ends the move that a change asks for. As long as nobody knows who ordered a move of Colony's it
// is taken for a person's, so that the command that ordered it is found.
func (f *oldFolder) exceeds(c Change, to string) bool {
	m := f.made(c, to, Moved)
	if m.Ordered.Kind == Executor && f.life.Judge(m.Ordered, f.state, to) != Legal {
		return false // a command that was not granted led there, as a label would have
	}
	makers := f.life.makers(m)
	for _, maker := range makers {
		_, over, doubt := f.life.exhausted(f.now(), maker, to)
		f.doubts(doubt)
		switch {
		case len(makers) == 1:
			return over
		case over:
			f.doubts(c.At)
		}
	}
	return false
}

// doubts remembers since when it has to be known who ordered Colony's moves.
func (f *oldFolder) doubts(since time.Time) { f.doubt = earlier(f.doubt, since) }

// exhaust sends an issue where a limit leads instead of where it was asked for.
func (f *oldFolder) exhaust(c Change, to string) {
	o := f.outcome(c, to, LimitReached)
	f.rejections = append(f.rejections, Rejection{
		IDs: []int64{c.ID}, Asked: c.ID, By: c.By, At: c.At, From: f.state, To: to, Verdict: LimitReached, LedTo: o.LedTo, AsksPerson: o.AsksPerson,
	})
	f.move(c, o.LedTo, o.Kind)
	f.owes()
}

// outcome is what becomes of a change that is not granted.
func (f *oldFolder) outcome(c Change, to string, verdict Verdict) Outcome {
	return f.life.outcome(f.now(), f.life.makers(f.made(c, to, Moved))[0], to, verdict)
}

// owes remembers that Colony owes the label of the present state, unless that is there.
func (f *oldFolder) owes() {
	if !f.present.has(f.life.Label(f.state)) {
		f.owed[f.state] = time.Time{}
	}
}

// takeBack returns to the state before the last move.
func (f *oldFolder) takeBack() {
	before, last := f.trail[:len(f.trail)-1], f.trail[len(f.trail)-1]
	f.withdrawn = append(f.withdrawn, Withdrawal{Move: last, Before: slices.Clone(before)})
	f.state, f.trail, f.offBy, f.off = last.From, before, "", nil
	if last.Kind == Stood {
		f.takeBackStood(last)
	}
}

// beforeIsPresent reports whether the label of the state before is still there: then the move was withdrawn.
func (f *oldFolder) beforeIsPresent() bool {
	last, known := f.now().Since()
	if !known {
		return false
	}
	label := f.life.Label(last.From)
	// A label that came after the move, which it committed, is another request and not what was left of the state before.
	return last.Kind != Settled && label != "" && f.present.has(label) && f.put[last.From] < last.EventID
}

// reject keeps a change that is not granted. An executor's bad request where executors act is a failure of the work.
func (f *oldFolder) reject(c Change, to string, verdict Verdict) {
	o := f.outcome(c, to, verdict)
	r := Rejection{IDs: []int64{c.ID}, By: c.By, At: c.At, From: f.state, To: to, Verdict: verdict, Before: o.Before}
	if to != "" {
		r.Asked = c.ID
	}
	open, asked := to == "", false
	if i := f.otherHalf(c, to); i >= 0 {
		open = true
		half := f.rejections[i]
		f.rejections = slices.Delete(f.rejections, i, i+1)
		r.IDs = append(slices.Clone(half.IDs), c.ID)
		r.LedTo, asked = half.LedTo, half.AsksPerson
		if to == "" {
			r.To, r.Asked, r.Verdict, r.Before, r.Guards = half.To, half.Asked, half.Verdict, half.Before, half.Guards
		}
	}
	if f.stands {
		r.Undone = o.LedTo
		f.stand(c, r)
		return
	}
	r.AsksPerson = o.AsksPerson
	if len(r.Guards) > 0 || to == "" && r.Verdict == NotAState { // what was asked for decides, whichever half came first
		r.AsksPerson = asked
	}
	if o.LedTo != "" {
		r.LedTo = o.LedTo
		f.move(c, o.LedTo, o.Kind)
	}
	f.owes()
	f.rejections = append(f.rejections, r)
	f.removal = 0
	if open && r.LedTo == "" {
		f.removal = len(f.rejections)
	}
}

// otherHalf returns the index of the rejection that is the other half of an illegal swap by the same actor: the
// removal of the state's label before or after the label that was asked for. It is -1 if there is none. A removal is half of one swap
// only: what is asked for after both halves would be answered by what was said of them. What stood has moved the issue, so whatever is taken
// off later is no half of it.
func (f *oldFolder) otherHalf(c Change, to string) int {
	i := len(f.rejections) - 1
	if i < 0 {
		return -1
	}
	last := f.rejections[i]
	same := last.By.Login == c.By.Login && last.By.Kind == c.By.Kind && last.From == f.state && !last.Withdrawn
	switch {
	case !same:
	case to != "" && len(last.IDs) == 1 && f.removal == i+1:
		return i
	case to == "" && last.To != "" && !last.Stood && last.LedTo == "" && f.present.has(f.life.labelOf(last.To)):
		return i
	}
	return -1
}

// oldTakenBack ends an open removal of the state's label: it needs no answer, unless a refused label is there in its place.
func (f *oldFolder) takenBack() {
	if f.removal > 0 {
		r := &f.rejections[f.removal-1]
		r.Withdrawn = r.Withdrawn || r.To == ""
		f.removal = 0
	}
}

// withdraw marks a rejected label as taken off again by somebody else than Colony. Of a swap, the removal of the state's label is left.
func (f *oldFolder) withdraw(c Change, x string) {
	if f.removal > 0 && f.rejections[f.removal-1].To == x && f.rejections[f.removal-1].Verdict != Guarded {
		if r := &f.rejections[f.removal-1]; c.By.Kind != Colony {
			r.To, r.Asked, r.Verdict, r.Before = "", 0, NotInTable, ""
		} else {
			f.removal = 0 // it was refused, so nobody can take it back any more
		}
		return
	}
	if c.By.Kind == Colony {
		return
	}
	for i := range f.rejections {
		r := &f.rejections[i]
		if r.To == x && r.LedTo == "" && len(r.IDs) == 1 && r.IDs[0] == f.put[x] && r.Verdict != Guarded {
			r.Withdrawn = true
		}
	}
}

// end compares the log with the labels that are there.
func (f *oldFolder) end(labels []string) {
	there := labelSet{}
	for _, label := range labels {
		there.add(f.life.PresentLabel(label))
	}
	for _, l := range f.present {
		if !there.has(l) {
			f.missing = append(f.missing, l)
		}
	}
	slices.Sort(f.missing)
	f.forgetRenamed(there)
	f.leaveAtEnd(there)
}

func (f *oldFolder) standing() Standing {
	s := Standing{
		State: f.state, Stands: f.stands, Trail: f.trail, Rejections: f.rejections,
		Missing: f.missing, Unexplained: f.unexplained, JudgedSince: f.since, Begun: f.begun, Installed: f.installed, Reached: f.reached, Doubt: f.doubt,
		Pending: f.pending, Granted: f.granted,
		NeedsHumanID: f.needsHumanID, MarkedByColony: f.ownMark, ForcedByColony: f.forced, LastChange: f.lastChange,
	}
	for _, l := range f.present {
		s.Present = append(s.Present, l)
	}
	slices.Sort(s.Present)
	s.Withdrawn = slices.SortedFunc(slices.Values(f.withdrawn), func(a, b Withdrawal) int { return cmp.Compare(a.EventID, b.EventID) })
	return s
}

// stand lets a rejected change count. A state's label that was taken off may be the first half of a swap: it counts once it is sure that
// it is not.
func (f *oldFolder) stand(c Change, r Rejection) {
	r.Stood, r.AsksPerson = true, false
	if _, isState := f.life.State(r.To); isState && f.state != r.To {
		f.move(c, r.To, Stood)
	}
	f.rejections = append(f.rejections, r)
	f.removal = 0
	if r.To == "" {
		f.removal, f.off = len(f.rejections), &r
	}
}

// leaveBefore lets the issue leave its state, whose label was taken off, before another label is put on that is no other half of that.
func (f *oldFolder) leaveBefore(c Change, x string) {
	if f.off != nil && x != f.state && c.At.Sub(f.off.At) > oldHalvesWithin {
		f.leave(*f.off, func(state string) bool { return state != x && f.present.has(f.life.Label(state)) })
	}
}

// leaveAtEnd lets the issue leave its state if the log ends with its label taken off.
func (f *oldFolder) leaveAtEnd(there labelSet) {
	if f.off != nil && !there.has(f.life.Label(f.state)) {
		f.leave(*f.off, func(state string) bool { return there.has(f.life.Label(state)) })
	}
}

// leave moves the issue to the state whose label was put on last of those that are there, or out of the lifecycle.
func (f *oldFolder) leave(r Rejection, there func(state string) bool) {
	to := f.life.Initial
	for _, name := range f.labelled {
		if there(name) {
			to = name
		}
	}
	f.trail = append(f.trail, Move{From: f.state, To: to, Kind: Stood, By: r.By, At: r.At, EventID: r.last()})
	f.state, f.removal, f.off, f.offBy = to, 0, nil, ""
}

// takeBackStood marks the rejection of a move that stood, and that somebody took back.
func (f *oldFolder) takeBackStood(m Move) {
	for i := range f.rejections {
		if r := &f.rejections[i]; slices.Contains(r.IDs, m.EventID) && r.Verdict != Guarded { // its explanation is the record of the verdict
			r.Withdrawn = true
		}
	}
}

// guard says what the guards say about a change that the table allows. counts is false if it does not count, since somebody took it back
// before Colony had looked.
func (f *oldFolder) guard(c Change, x string) (g Guarding, counts bool) {
	if len(f.life.Guards) == 0 || c.By.Kind == Colony {
		return Guarding{Answer: Yes}, true
	}
	a := Asking{EventID: c.ID, By: c.By, From: f.state, To: x, At: c.At}
	r := oldRecord{oldFolder: f, change: c, to: x}
	g, doubt := f.life.Guarded(f.now(), f.author, a, r.answer)
	f.doubts(doubt)
	if !g.Read {
		return g, true
	}
	switch verdict := r.verdict(); {
	case verdict == oldTakenBack && !f.stands:
		return g, false
	case verdict == oldTakenBack:
		g.Answer = Yes
	case verdict != "":
		g.Answer, g.Refusing = verdict, f.life.ReadingGuards(a)
		g.NeedsHuman = r.called && slices.ContainsFunc(g.Refusing, func(g Guard) bool { return g.NeedsHuman })
	case f.isSettled(c):
		g.Answer = Yes
	case g.Answer == Yes:
		f.granted = append(f.granted, c.ID)
	}
	return g, true
}

// record is what the log tells of Colony's verdict about a change that asks for another state. It is looked for once it is needed.
type oldRecord struct {
	*oldFolder
	change   Change
	to       string
	searched bool
	found    Answer
	// called says that the mark NeedsHuman was there before the verdict was recorded: a refusal that asks for a person puts it there first.
	called bool
}

// verdict returns Yes, No or oldTakenBack; empty if the log tells none.
func (r *oldRecord) verdict() Answer {
	if !r.searched {
		r.searched = true
		r.found = r.recorded()
		if r.isExplained() {
			r.found = No
		}
	}
	return r.found
}

// isExplained reports whether Colony has said that it refused the change. What it says of a move that stands for a reason is no refusal.
func (r *oldRecord) isExplained() bool {
	pair, _ := r.life.Pair(r.state, r.to)
	return r.explained != nil && pair.Reason != Required && r.explained(r.change.ID)
}

// answer is Answers as far as no verdict is recorded. Where one is, or where the change is too old, the answer is of no interest.
func (r *oldRecord) answer(a Asking, c Condition) Answer {
	switch {
	case r.verdict() != "" || r.isSettled(r.change):
		return Yes
	case r.answers == nil:
		return Unasked
	}
	return r.answers(a, c)
}

// isSettled reports whether a change is too old to be judged.
func (f *oldFolder) isSettled(c Change) bool { return c.At.Before(f.since) || c.At.Before(f.begun) }

// recorded returns what became of the change before the rest, which asks for a state. The first thing that Colony did about it tells its
// verdict: of what it takes off for a refusal, the label of the state that was asked for goes first. It is empty if there is none.
func (r *oldRecord) recorded() Answer {
	f, x, settled := r.oldFolder, r.to, r.isSettled(r.change)
	before := f.life.Label(f.state)
	_, owed := f.owed[f.state]
	mayBeBack := before == "" || owed || f.present.has(before)
	r.called = f.present.has(NeedsHuman)
	for _, later := range f.rest {
		if settled && !f.isSettled(later) && later.At.Sub(r.change.At) > oldRecordedWithin {
			break
		}
		r.called = r.called || later.Added && SameLabel(later.Label, NeedsHuman)
		state, isState := f.life.StateOf(later.Label)
		switch {
		case later.By.Kind == Colony:
		case isState && !later.Added && state.Name == x && mayBeBack && f.state != x:
			return oldTakenBack
		case isState && state.Name == f.state:
			mayBeBack = later.Added
			continue
		default:
			continue
		}
		switch {
		case later.Added && SameLabel(later.Label, Checked) && !f.usedMarks[later.ID] && !r.isExplained():
			f.usedMarks[later.ID] = true
			return Yes
		case !isState || f.state == x:
		case !later.Added && state.Name == f.state:
			return Yes
		case later.Added && state.Name == f.state, !later.Added && state.Name == x:
			return No
		}
	}
	return ""
}

// refusedBy keeps which guards refuse what a rejection asked for.
func (f *oldFolder) refusedBy(g Guarding) {
	r := &f.rejections[len(f.rejections)-1]
	r.AsksPerson = g.NeedsHuman && !r.Stood
	r.Guards = nil
	for _, guard := range g.Refusing {
		r.Guards = append(r.Guards, guard.Name)
	}
}

// wait keeps a change of which nobody knows yet whether it is granted: the issue stays where it is, and nothing of it is undone. A state's
// label that went before it was the first half of its swap.
func (f *oldFolder) wait(c Change, from, x string, g Guarding) {
	f.takenBack()
	f.frozen = f.frozen || g.Unasked && !f.stands
	f.pending = append(f.pending, Asking{EventID: c.ID, By: c.By, From: from, To: x, At: c.At, AsksPerson: g.NeedsHuman})
}

// notAState judges a change of a label that asks for a state that there is not. What came with the opening was brought by a form, which
// nobody can mend on the issue, and Colony's own is none.
func (f *oldFolder) notAState(c Change) {
	if !c.Added {
		f.present.remove(c.Label)
		if !f.frozen {
			f.withdraw(c, c.Label)
		}
		return
	}
	f.present.add(c.Label)
	f.put[c.Label] = c.ID
	opening := c.By.Kind == Operator && strings.EqualFold(c.By.Login, f.author) && c.At.Sub(f.opened) <= openingTakes
	if f.frozen || opening || c.By.Kind == Colony {
		return
	}
	f.reject(c, c.Label, NotAState)
}

// forgetRenamed withdraws what asked for a state that there is not with a label that has gone without an event: it was renamed or deleted
// in the repository.
func (f *oldFolder) forgetRenamed(there labelSet) {
	for i := range f.rejections {
		r := &f.rejections[i]
		if r.Verdict == NotAState && r.LedTo == "" && f.present.has(r.To) && !there.has(r.To) {
			r.Withdrawn = true
		}
	}
}

// onlyName reports whether a change is about another name of the label of the state in which the issue is, which is there as before: that
// moves nothing, whoever did it. It keeps under which names the label is there.
func (f *oldFolder) onlyName(c Change, x *State) bool {
	if len(x.Previously) == 0 {
		return false
	}
	there := f.names[x.Name]
	here := x.Name == f.state && f.present.has(x.Label)
	if c.Added {
		again := there.has(c.Label) && !SameLabel(c.Label, x.Label)
		other := len(there) > 0 && !there.has(c.Label)
		f.named(x, c.Label)
		if again { // it was renamed since it was put on, and somebody made the old one anew
			f.named(x, x.Label)
		}
		return here && (again || other)
	}
	switch {
	case !here:
		clear(there) // with what is left, nobody need reckon
		return false
	case there.has(c.Label):
		there.remove(c.Label)
	case len(there) > 0: // it was renamed since it was put on
		there.remove(oldest(x, there))
	}
	return len(there) > 0
}

// named keeps that the label of a state is there under a name.
func (f *oldFolder) named(x *State, label string) {
	if len(x.Previously) == 0 {
		return
	}
	if f.names == nil {
		f.names = map[string]labelSet{}
	}
	if f.names[x.Name] == nil {
		f.names[x.Name] = labelSet{}
	}
	f.names[x.Name].add(label)
}

// owesName remembers that Colony owes the present label of the state, if the log knows it under other names only. Colony may be late: see
// isLate.
func (f *oldFolder) owesName() {
	x, _ := f.life.State(f.state)
	if len(x.Previously) == 0 || !f.present.has(x.Label) || f.names[x.Name].has(x.Label) {
		return
	}
	if _, owes := f.owed[x.Name]; !owes {
		f.owed[x.Name] = time.Time{}
	}
}

const (
	oldHalvesWithin          = time.Minute
	oldRecordedWithin        = time.Hour
	oldTakenBack      Answer = "taken-back"
)

func oldConcerns(l *Lifecycle, c Change) bool {
	_, isState := l.StateOf(c.Label)
	return isState || IsMark(c.Label) || l.NamesNoState(c.Label)
}

func oldIsOn(s *State, labels []string) bool {
	return slices.ContainsFunc(append([]string{s.Label}, s.Previously...), func(name string) bool { return HasLabel(labels, name) })
}
