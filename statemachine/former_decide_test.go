package statemachine

import (
	"slices"
	"time"
)

// The decision as it was made before it became a list of steps. The test of the model holds that both say the same.

type formerInput struct {
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

type formerDecision struct {
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
	// NeedAttribution asks for the commands since that time, so that it is known who ordered Colony's moves since then (see
	// History.Ordered); nothing may be applied before. Zero: they are not needed.
	NeedAttribution time.Time
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

func (d formerDecision) Nothing() bool {
	return len(d.Explain) == 0 && len(d.Announce) == 0 && !d.HaltUnsaid && len(d.Add) == 0 && len(d.Remove) == 0 &&
		d.Repeat == "" && d.Close == "" && len(d.Ask) == 0
}

func (l *Lifecycle) formerDecide(p Thresholds, in formerInput) formerDecision {
	p = l.Thresholds(p)
	if in.MayWait && l.formerLagging(p, in) {
		return formerDecision{Lagging: true, State: in.Standing.State}
	}
	if !in.Standing.Doubt.IsZero() {
		return formerDecision{State: in.Standing.State, NeedAttribution: in.Standing.Doubt}
	}
	if len(in.Standing.Pending) > 0 && (!in.Standing.Stands || !in.ConditionsRead) {
		return l.formerUndecided(in)
	}
	d := formerDecision{State: in.Standing.State}
	tripped, silenced, doubt := l.formerBreaker(p, in)
	if !doubt.IsZero() {
		return formerDecision{State: d.State, NeedAttribution: doubt}
	}
	_, wanted := l.formerTakesIn(in)
	open := slices.DeleteFunc(slices.Clone(in.Standing.Rejections), func(r Rejection) bool {
		return r.Withdrawn || wanted && r.By.Kind == Author // it is granted as far as the repository grants it
	})
	quiet := in.Standing.LastChange.Add(p.Settle)
	tell := l.announcements(in.Standing)
	if (len(open) > 0 || len(tell) > 0 || tripped != nil) && in.Answered == nil {
		if (len(open) > 0 || tripped != nil) && in.Now.Before(quiet) {
			return formerDecision{State: d.State, RequeueAt: quiet, Remove: l.formerLeftBehind(in, open)}
		}
		return formerDecision{NeedAnswers: true, State: d.State}
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
		return formerDecision{State: d.State, RequeueAt: quiet, Remove: l.formerLeftBehind(in, d.Explain)}
	}
	l.formerLabels(p, in, &d)
	l.formerRecordGrant(in, &d)
	if in.mayHide(p) && l.hasState(d.Add) {
		return formerDecision{Lagging: true, State: d.State}
	}
	l.formerNeedsHuman(in, &d, open, tell)
	if d.NeedAnswers {
		return formerDecision{NeedAnswers: true, State: d.State}
	}
	if !d.NeedAttribution.IsZero() {
		return formerDecision{NeedAttribution: d.NeedAttribution, State: d.State}
	}
	l.formerPlanAutomatic(in, &d)
	l.formerAnswerFailure(in, &d)
	if d.Repeat != "" && in.mayHide(p) { // a round cancels out: the log may hide the one that was made for this already
		return formerDecision{Lagging: true, State: in.Standing.State}
	}
	l.formerClose(in, &d)
	return d
}

func (in formerInput) commanded(eventID int64) bool {
	return in.Commanded != nil && in.Commanded(eventID)
}

func (l *Lifecycle) formerPlanAutomatic(in formerInput, d *formerDecision) {
	if d.Halted != nil {
		return
	}
	if d.Held { // the record of a grant goes first
		return
	}
	if len(d.Explain) > 0 || l.hasState(d.Add) {
		_, overdue := l.formerOverdue(in)
		d.Held = len(l.readingsAt(in.Standing, in.Closed)) > 0 || overdue
		return
	}
	if d.NeedAttribution = l.formerDoubtsApproval(in); !d.NeedAttribution.IsZero() {
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
	d.Waits = l.formerWaits(in)
	asked := l.formerAsks(in)
	if len(asked) > 0 && in.Asked == nil {
		d.NeedAnswers = true
		return
	}
	a, ok, doubt := l.formerAutomatic(in)
	if d.NeedAttribution = doubt; !doubt.IsZero() {
		return
	}
	taken := false
	if !ok {
		a, ok = l.formerTakesIn(in)
		taken = ok
	}
	if !ok || l.JudgeAt(in.Standing, Actor{Kind: Colony}, a.To, true) != Legal {
		formerAsk(d, in, asked)
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
	if l.formerWithholds(in, a) {
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
	d.Remove = append(d.Remove, l.formerAnsweredRequests(in, a.To)...)
}

func (l *Lifecycle) formerClose(in formerInput, d *formerDecision) {
	entered, known := in.Standing.Since()
	how := l.Closes(d.State)
	if how == "" || in.Closed || d.Automatic != nil || d.Halted != nil || !known || entered.Kind == Settled || entered.Kind == Stood {
		return
	}
	if !in.Reopened.After(entered.At) && !entered.At.Before(in.Standing.JudgedSince) {
		d.Close = how
	}
}

func (in formerInput) mayHide(p Thresholds) bool {
	return in.MayWait && in.Now.Sub(in.Updated) < p.Lag && in.Updated.Sub(in.Standing.LastChange) >= time.Second
}

func (l *Lifecycle) formerLagging(p Thresholds, in formerInput) bool {
	isState := func(label string) bool { _, ok := l.StateOf(label); return ok }
	differ := len(in.Standing.Unexplained) > 0 ||
		slices.ContainsFunc(in.Standing.Missing, isState) ||
		slices.ContainsFunc(in.Labels, func(label string) bool {
			return isState(label) && !HasLabel(in.Standing.Present, l.PresentLabel(label))
		})
	return differ && in.Now.Sub(in.Updated) < p.Lag
}

func (in formerInput) answered(r Rejection) bool { return slices.ContainsFunc(r.IDs, in.Answered) }

func (in formerInput) explained(r Rejection) bool {
	if r.Asked != 0 {
		return in.Answered(r.Asked)
	}
	return in.answered(r)
}

func (l *Lifecycle) formerLeftBehind(in formerInput, refused []Rejection) []string {
	last, ok := in.Standing.Since()
	if !ok || last.Kind != Moved || last.From == last.To || len(l.OnIssue(in.Labels, last.To)) == 0 {
		return nil
	}
	if slices.ContainsFunc(refused, func(r Rejection) bool { return r.last() > last.EventID && (r.To == last.From || r.To == "") }) {
		return nil
	}
	if len(l.Guards) > 0 && l.formerPassesForVerdict(in) {
		return nil
	}
	return l.OnIssue(in.Labels, last.From)
}

func (l *Lifecycle) formerLabels(p Thresholds, in formerInput, d *formerDecision) {
	if in.Standing.Stands {
		d.Remove = l.formerStandingLabels(in, d.State)
		return
	}
	if d.Halted != nil {
		if quiet := in.Standing.LastChange.Add(p.BreakerWindow); in.Now.Before(quiet) {
			d.Remove = l.formerLeftBehind(in, in.Standing.Rejections)
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
	d.Remove = append(d.Remove, l.formerRefusedLabels(in)...)
	d.Remove = append(d.Remove, l.formerAnsweredRequests(in, d.State)...)
	if HasLabel(in.Labels, Forced) && !in.ForcePending {
		d.Remove = append(d.Remove, Forced)
	}
}

func (l *Lifecycle) formerPassesForVerdict(in formerInput) bool {
	granted := in.unrecorded()
	return len(granted) > 0 && !l.formerFinishes(in, granted) ||
		slices.ContainsFunc(in.Labels, func(label string) bool { return l.refusedByGuard(in.Standing, label) })
}

func (l *Lifecycle) formerNeedsHuman(in formerInput, d *formerDecision, open []Rejection, tell []Announcement) {
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
	failed, doubt := l.reportedFailure(in.Standing)
	if there && !doubt.IsZero() {
		d.NeedAttribution = doubt
		return
	}
	if there {
		asked = max(asked, failed)
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

func (l *Lifecycle) formerAnswerFailure(in formerInput, d *formerDecision) {
	failed, _ := l.reportedFailure(in.Standing)
	if failed <= in.Standing.NeedsHumanID || in.Standing.Stands || d.Automatic != nil || HasLabel(in.Labels, NeedsHuman) || HasLabel(d.Add, NeedsHuman) {
		return
	}
	d.Add = append(d.Add, NeedsHuman)
}

func (l *Lifecycle) formerUndecided(in formerInput) formerDecision {
	d := formerDecision{State: in.Standing.State}
	switch {
	case !in.ConditionsRead:
		d.NeedConditions = true
		return d
	case in.MayWait:
		d.Unread = true
		return d
	case in.Asked == nil:
		d.NeedAnswers = true
		return d
	}
	d.Undecided = true
	var asked []Asked
	for _, a := range in.Standing.Pending {
		asked = append(asked, Asked{
			State: a.From, To: a.To, Why: in.Unreadable, AsksPerson: a.AsksPerson,
			ID: a.At.Unix() - 1, // the move itself, once it is granted, comes after what was asked
		})
	}
	formerAsk(&d, in, asked)
	return d
}

func (l *Lifecycle) formerRecordGrant(in formerInput, d *formerDecision) {
	marked := HasLabel(in.Labels, Checked)
	if marked {
		d.Remove = append(d.Remove, Checked)
	}
	granted := in.unrecorded()
	if len(granted) == 0 || l.formerFinishes(in, granted) && d.Halted == nil {
		return
	}
	d.Held = true
	refused := slices.DeleteFunc(slices.Clone(d.Remove), func(label string) bool { return !l.refusedByGuard(in.Standing, label) })
	untold := slices.DeleteFunc(slices.Clone(d.Explain), func(r Rejection) bool { return r.Verdict != Guarded })
	switch {
	case len(refused)+len(untold) > 0: // a mark would pass for a grant of these
		d.Add, d.Remove, d.Explain = nil, refused, untold
	case marked: // only an event records anything
		d.Add, d.Remove, d.Explain = nil, []string{Checked}, nil
	case len(granted) > 1:
		d.Add, d.Remove, d.Explain = []string{Checked}, []string{Checked}, nil
	default:
		d.Add, d.Remove = slices.Insert(d.Add, 0, Checked), append(d.Remove, Checked)
	}
}

func (in formerInput) unrecorded() []int64 {
	return slices.DeleteFunc(slices.Clone(in.Standing.Granted), func(id int64) bool { // what was taken back needs no record
		return !slices.ContainsFunc(in.Standing.Trail, func(m Move) bool { return m.EventID == id })
	})
}

func (l *Lifecycle) formerFinishes(in formerInput, granted []int64) bool {
	last, _ := in.Standing.Since()
	return len(granted) == 1 && last.EventID == granted[0] && last.From != last.To && len(l.OnIssue(in.Labels, last.From)) > 0
}

func (l *Lifecycle) formerBreaker(p Thresholds, in formerInput) (tripped *Rejection, silenced []int64, doubt time.Time) {
	may := func(m Move) bool { may, _ := l.mayIntervene(m); return may }
	must := func(m Move) bool { _, must := l.mayIntervene(m); return must }
	least, few := l.formerTrips(p, in, may)
	most, many := l.formerTrips(p, in, must)
	if (least == nil) == (most == nil) && slices.Equal(few, many) {
		return least, few, time.Time{}
	}
	for _, m := range in.Standing.Trail {
		if may(m) && !must(m) {
			return nil, nil, m.At
		}
	}
	return least, few, time.Time{}
}

func (l *Lifecycle) formerTrips(p Thresholds, in formerInput, intervened func(Move) bool) (tripped *Rejection, silenced []int64) {
	var window []time.Time     // of those that count
	moves := in.Standing.Trail // what is earlier is older than every rejection
	for _, r := range in.Standing.Rejections {
		for len(moves) > 0 && moves[0].EventID < r.last() {
			if intervened(moves[0]) {
				window, tripped = nil, nil
			}
			moves = moves[1:]
		}
		if r.Withdrawn && in.Answered != nil && !in.answered(r) {
			continue
		}
		window = append(slices.DeleteFunc(window, func(old time.Time) bool { return r.At.Sub(old) > p.BreakerWindow }), r.At)
		if tripped == nil && len(window) > p.BreakerRejections {
			first := r
			tripped = &first
		}
		if tripped != nil {
			silenced = append(silenced, r.last())
		}
	}
	if slices.ContainsFunc(moves, intervened) {
		tripped = nil
	}
	if m, looping := l.loops(p, in.Standing, intervened); looping && tripped == nil {
		tripped = &Rejection{IDs: []int64{m.EventID}, By: m.By, At: m.At, From: m.From, To: m.To, Verdict: Legal, AsksPerson: true}
	}
	return tripped, silenced
}

func (l *Lifecycle) formerAutomatic(in formerInput) (a Automatic, ok bool, doubt time.Time) {
	s := in.Standing
	if t, ok := l.formerOverdue(in); ok {
		return Automatic{From: s.State, To: t.To, Why: t.Why, AsksPerson: true}, true, time.Time{}
	}
	if s.Untouched() {
		return Automatic{}, false, time.Time{}
	}
	for _, t := range l.Triggers {
		spec, _ := SpecOf(t.On)
		if !slices.Contains(t.In, s.State) || in.Closed && !spec.OnClosed || suspended(t, in.Facts) {
			continue
		}
		for _, o := range in.Facts.Observed {
			if t.To == "" || o.Fact != t.On {
				continue
			}
			counts, doubt := l.counts(s, t, o)
			if !doubt.IsZero() {
				return Automatic{}, false, doubt
			}
			if !counts {
				continue
			}
			limit, over, doubt := l.exhausted(s, Colony, t.To)
			if over {
				return Automatic{From: s.State, To: limit.Instead, Why: limit.Why, About: o.About, Link: o.Link, AsksPerson: true}, true, doubt
			}
			return Automatic{From: s.State, To: t.To, Why: t.Why, About: o.About, Link: o.Link, AsksPerson: t.AsksPerson}, true, doubt
		}
	}
	return Automatic{}, false, time.Time{}
}

func (l *Lifecycle) formerOverdue(in formerInput) (TimeOut, bool) {
	at, ok := l.TimesOut(in.Standing)
	if !ok || in.Now.Before(at) || in.Closed {
		return TimeOut{}, false
	}
	return l.TimeOutOf(in.Standing.State)
}

func (l *Lifecycle) formerTakesIn(in formerInput) (Automatic, bool) {
	s := in.Standing
	// Who asks for a state in the opening asks to be taken in, unless somebody took that back. A word that somebody mistyped is no touch.
	notByAuthor := func(r Rejection) bool { return (r.By.Kind != Author || r.Withdrawn) && r.Verdict != NotAState }
	untouched := s.State == l.Initial && len(s.Trail)+len(s.Withdrawn) == 0 && !slices.ContainsFunc(s.Rejections, notByAuthor)
	if !in.TakenIn || in.Closed || !untouched || l.Intake == "" {
		return Automatic{}, false
	}
	return Automatic{From: s.State, To: l.Intake, Why: whyTakenIn}, true
}

func (l *Lifecycle) formerAnsweredRequests(in formerInput, state string) []string {
	if state == l.Initial {
		return nil
	}
	var answered []string
	for _, label := range in.Labels {
		if HasLabel(in.Requests, label) {
			answered = append(answered, label)
		}
	}
	return answered
}

func (l *Lifecycle) formerRefusedLabels(in formerInput) []string {
	return slices.DeleteFunc(slices.Clone(in.Labels), func(label string) bool {
		return !slices.ContainsFunc(in.Standing.Rejections, func(r Rejection) bool { return r.Verdict == NotAState && SameLabel(r.To, label) })
	})
}

func (l *Lifecycle) formerStandingLabels(in formerInput, state string) []string {
	var gone []string
	s := in.Standing
	for _, label := range in.Labels {
		left, isState := l.StateOf(label)
		if isState && left.Name != state && HasLabel(s.Present, left.Label) && l.leftLegally(s, left.Name) {
			gone = append(gone, label)
		}
	}
	if slices.ContainsFunc(s.Trail, func(m Move) bool { return m.Kind == Moved && m.By.Kind == Colony && m.From == l.Initial }) {
		gone = append(gone, l.formerAnsweredRequests(in, state)...)
	}
	if HasLabel(in.Labels, Forced) && s.ForcedByColony && !in.ForcePending {
		gone = append(gone, Forced)
	}
	return gone
}

func (l *Lifecycle) formerWithholds(in formerInput, a Automatic) bool {
	return in.Standing.Stands && (l.Withholds(a.To) || a.From != a.To && HasLabel(in.Labels, l.Label(a.To)))
}

func (l *Lifecycle) formerWaits(in formerInput) bool {
	return slices.ContainsFunc(l.Triggers, func(t Trigger) bool {
		return t.Holds && slices.Contains(t.In, in.Standing.State) && !suspended(t, in.Facts) &&
			slices.ContainsFunc(in.Facts.Observed, func(o Observation) bool { return o.Fact == t.On })
	})
}

func (d formerDecision) Settled() bool {
	return d.Nothing() && d.NeedAttribution.IsZero() && d.Halted == nil && !d.Lagging && !d.Undecided && !d.NeedAnswers && len(d.NeedFacts) == 0 && d.RequeueAt.IsZero()
}

func (l *Lifecycle) formerAsks(in formerInput) []Asked {
	var asked []Asked
	s := in.Standing
	entered, known := s.Since()
	for _, t := range l.Triggers {
		if t.To != "" || t.Holds || in.Closed || s.Untouched() || suspended(t, in.Facts) || !slices.Contains(t.In, s.State) {
			continue
		}
		var about []string
		var at time.Time
		for _, o := range in.Facts.Observed {
			if o.Fact != t.On {
				continue
			}
			about = append(about, o.About)
			if o.At.After(at) {
				at = o.At
			}
		}
		if known && entered.At.After(at) {
			at = entered.At
		}
		if len(about) > 0 && !at.Before(s.JudgedSince) {
			asked = append(asked, Asked{State: s.State, Why: t.Why, AsksPerson: t.AsksPerson, About: listed(about), ID: at.Unix()})
		}
	}
	return asked
}

func formerAsk(d *formerDecision, in formerInput, asked []Asked) {
	person := false
	for _, a := range asked {
		if !in.Asked(a.ID) {
			d.Ask = append(d.Ask, a)
			person = person || a.AsksPerson
		}
	}
	if person && !in.Standing.Stands && !HasLabel(in.Labels, NeedsHuman) && !HasLabel(d.Add, NeedsHuman) {
		d.Add = append(d.Add, NeedsHuman)
	}
}

func (l *Lifecycle) formerDoubtsApproval(in formerInput) time.Time {
	if in.Closed || in.Standing.Untouched() || len(l.Seals(in.Standing.State)) == 0 {
		return time.Time{}
	}
	_, _, doubt := l.Approval(in.Standing)
	return doubt
}
