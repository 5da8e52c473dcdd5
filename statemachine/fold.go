package statemachine

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// History is what GitHub knows about the labels of one issue.
type History struct {
	// Changes are the label events of the issue, in any order. Labels that are neither state nor mark are ignored.
	Changes []Change
	// Labels are the labels that are on the issue now.
	Labels []string
	// JudgedSince is the horizon: what changed before it is settled and is not judged.
	JudgedSince time.Time
	// Begun is since when issues are judged by this table: what stood then is the baseline of all that follows, also once it is long
	// before the horizon, and nothing has been in a state for too long before.
	Begun time.Time
	// Installed is since when Colony judges issues there by any table. What stood then is settled as long as nobody moves the issue.
	// Zero: nothing is settled by that, because the issue is younger, or is to be adopted.
	Installed time.Time
	// Stands says that what is illegal is not undone, but stands: it counts as a move, besides being a rejection. See Mode.
	Stands bool
	// Opening is how the issue was opened.
	Opening Opening
	// Ordered tells who wrote the command that Colony made a move for, by the move's event. The actor has no kind if Colony made it without
	// a command. Where it does not know, the standing is Unordered. Nil: it knows of no event.
	Ordered func(eventID int64) (by Actor, known bool)
	// Explained reports whether Colony has explained why it refused a change, as far as that is known: that is the record of a verdict as
	// well, where there was no label to write.
	Explained func(eventID int64) bool
	// Answers tells what the log does not, of the moves whose guards depend on it. Nil: nothing was read yet.
	Answers Answers
}

// Fold computes where an issue stands. It is the one idea of Colony: the state is not stored, it is a pure
// function of the log that GitHub keeps. See docs/design.md.
func (l *Lifecycle) Fold(h History) Standing {
	f := l.newFolder()
	f.since, f.begun, f.installed, f.ordered, f.stands = h.JudgedSince, h.Begun, h.Installed, h.Ordered, h.Stands
	f.answers, f.author, f.opened, f.explained = h.Answers, h.Opening.By, h.Opening.At, h.Explained
	changes := sorted(l.attributed(h))
	f.begin(changes, h.Labels)
	f.fold(changes)
	f.end(h.Labels)
	return f.standing()
}

// folder is the fold under way.
type folder struct {
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
	// unordered is Standing.Unordered.
	unordered time.Time
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

func (l *Lifecycle) newFolder() *folder {
	return &folder{life: l, present: labelSet{}, put: map[string]int64{}, placed: map[string]bool{}, owed: map[string]time.Time{}, usedMarks: map[int64]bool{}, state: l.Initial}
}

// concerns reports whether a change is about the label of a state, or one that asks for a state that there is not, or a mark.
func (l *Lifecycle) concerns(c Change) bool {
	_, isState := l.StateOf(c.Label)
	return isState || IsMark(c.Label) || l.NamesNoState(c.Label)
}

// fold goes through changes and settles what is older than the horizon.
func (f *folder) fold(changes []Change) {
	judged := false
	for i, c := range changes {
		if !f.life.concerns(c) {
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
func (f *folder) begin(changes []Change, labels []string) {
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
		if s.Label == "" || seen.has(s.Label) || !s.IsOn(labels) {
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
func (f *folder) begins(c Change) {
	if !f.hasBegun && !c.At.Before(f.begun) {
		f.hasBegun = true
		f.settle(f.begun)
	}
}

// settle ends what is too old to be judged: the labels as they stood then are the baseline, the one labelled last
// counts, and nothing that was rejected is answered any more.
func (f *folder) settle(horizon time.Time) {
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

func (f *folder) change(c Change) {
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

func (f *folder) mark(c Change) {
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

func (f *folder) labeled(c Change, x string) {
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

func (f *folder) unlabeled(c Change, x string) {
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

// lateFor is how long after somebody moved an issue on a write of Colony's may come that did not know it: longer than GitHub's answers take.
const lateFor = time.Minute

// isLate reports whether a label is the one that Colony owed after a change it refused, and somebody has moved the issue on since: then
// it is no move. It is one if a command ordered it, or if that is not known yet.
func (f *folder) isLate(c Change, x string) bool {
	movedOn := f.owed[x]
	if c.By.Kind != Colony || movedOn.IsZero() || c.At.Sub(movedOn) > lateFor || f.forced {
		return false
	}
	by, known := f.orderer(c)
	return known && by.Kind == ""
}

// now is where the issue stands at this point of the log.
func (f *folder) now() Standing {
	return Standing{State: f.state, Trail: f.trail, Installed: f.installed}
}

func (f *folder) move(c Change, to string, kind MoveKind) {
	f.needsOrderer(c)
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
func (f *folder) made(c Change, to string, kind MoveKind) Move {
	by, _ := f.orderer(c)
	return Move{From: f.state, To: to, Kind: kind, By: c.By, At: c.At, EventID: c.ID, Ordered: by}
}

// orderer returns who wrote the command that Colony made a change for.
func (f *folder) orderer(c Change) (by Actor, known bool) {
	if c.By.Kind != Colony || f.ordered == nil {
		return Actor{}, c.By.Kind != Colony
	}
	return f.ordered(c.ID)
}

// needsOrderer remembers a move of which it is not known who ordered it. Before it was installed, Colony ran no command.
func (f *folder) needsOrderer(c Change) {
	if _, known := f.orderer(c); known || c.At.Before(f.installed) {
		return
	}
	if f.unordered.IsZero() || c.At.Before(f.unordered) {
		f.unordered = c.At
	}
}

// exceeds reports whether a limit ends the move that a change asks for. A move of Colony's counts until it is known who ordered it: else
// the command that ordered it would not be found.
func (f *folder) exceeds(c Change, to string) bool {
	by, known := f.orderer(c)
	if !known || by.Kind == Executor && f.life.Judge(by, f.state, to) != Legal {
		return false // a command that was not granted led there, as a label would have
	}
	_, over := f.life.exhausted(f.now(), f.life.maker(f.made(c, to, Moved)), to)
	return over
}

// exhaust sends an issue where a limit leads instead of where it was asked for.
func (f *folder) exhaust(c Change, to string) {
	o := f.outcome(c, to, LimitReached)
	f.rejections = append(f.rejections, Rejection{
		IDs: []int64{c.ID}, Asked: c.ID, By: c.By, At: c.At, From: f.state, To: to, Verdict: LimitReached, LedTo: o.LedTo, AsksPerson: o.AsksPerson,
	})
	f.move(c, o.LedTo, o.Kind)
	f.owes()
}

// outcome is what becomes of a change that is not granted.
func (f *folder) outcome(c Change, to string, verdict Verdict) Outcome {
	return f.life.outcome(f.now(), f.life.maker(f.made(c, to, Moved)), to, verdict)
}

// owes remembers that Colony owes the label of the present state, unless that is there.
func (f *folder) owes() {
	if !f.present.has(f.life.Label(f.state)) {
		f.owed[f.state] = time.Time{}
	}
}

// takeBack returns to the state before the last move.
func (f *folder) takeBack() {
	before, last := f.trail[:len(f.trail)-1], f.trail[len(f.trail)-1]
	f.withdrawn = append(f.withdrawn, Withdrawal{Move: last, Before: slices.Clone(before)})
	f.state, f.trail, f.offBy, f.off = last.From, before, "", nil
	if last.Kind == Stood {
		f.takeBackStood(last)
	}
}

// beforeIsPresent reports whether the label of the state before is still there: then the move was withdrawn.
func (f *folder) beforeIsPresent() bool {
	last, known := f.now().Since()
	if !known {
		return false
	}
	label := f.life.Label(last.From)
	// A label that came after the move, which it committed, is another request and not what was left of the state before.
	return last.Kind != Settled && label != "" && f.present.has(label) && f.put[last.From] < last.EventID
}

// reject keeps a change that is not granted. An executor's bad request where executors act is a failure of the work.
func (f *folder) reject(c Change, to string, verdict Verdict) {
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
func (f *folder) otherHalf(c Change, to string) int {
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

// takenBack ends an open removal of the state's label: it needs no answer, unless a refused label is there in its place.
func (f *folder) takenBack() {
	if f.removal > 0 {
		r := &f.rejections[f.removal-1]
		r.Withdrawn = r.Withdrawn || r.To == ""
		f.removal = 0
	}
}

// withdraw marks a rejected label as taken off again by somebody else than Colony. Of a swap, the removal of the state's label is left.
func (f *folder) withdraw(c Change, x string) {
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
func (f *folder) end(labels []string) {
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

// byEvent returns withdrawals in the order in which the moves were made.
func byEvent(withdrawn []Withdrawal) []Withdrawal {
	return slices.SortedFunc(slices.Values(withdrawn), func(a, b Withdrawal) int { return cmp.Compare(a.EventID, b.EventID) })
}

func (f *folder) standing() Standing {
	s := Standing{
		State: f.state, Stands: f.stands, Trail: f.trail, Rejections: f.rejections,
		Missing: f.missing, Unexplained: f.unexplained, JudgedSince: f.since, Begun: f.begun, Installed: f.installed, Reached: f.reached, Unordered: f.unordered,
		Pending: f.pending, Granted: f.granted,
		NeedsHumanID: f.needsHumanID, MarkedByColony: f.ownMark, ForcedByColony: f.forced, LastChange: f.lastChange,
	}
	for _, l := range f.present {
		s.Present = append(s.Present, l)
	}
	slices.Sort(s.Present)
	s.Withdrawn = byEvent(f.withdrawn)
	return s
}
