package statemachine

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"time"
)

// The decision is compared with what it was before it became a list of steps: in every pass of evidence, from nothing read to all of it.

// agreed counts the decisions that were compared, met those with a need.
var agreed [1]atomic.Int64

// agree compares the decisions about an issue, with several ways to read what belongs to it.
func (w *world) agree(in input) {
	draw := rand.New(rand.NewPCG(uint64(agreed[0].Load()), uint64(len(w.log))))
	for n := range 6 {
		try, life, p := in, w.life, w.patience
		if n > 0 {
			life = w.twisted(draw)
			try.MayWait = draw.IntN(2) == 0
			try.TakenIn, try.Requests = draw.IntN(2) == 0, []string{"bug"}
			try.Now = try.Now.Add([]time.Duration{0, 0, time.Second, 3 * time.Second, time.Hour, 40 * 24 * time.Hour}[draw.IntN(6)])
			try.ForcePending = draw.IntN(2) == 0
			if draw.IntN(3) == 0 {
				try.Updated = try.Now.Add(-time.Duration(draw.IntN(3)) * time.Second)
			}
			if draw.IntN(4) == 0 {
				p.BreakerRejections = 0
			}
			if draw.IntN(3) == 0 {
				try.Closed = !try.Closed
			}
			if draw.IntN(3) == 0 {
				try.Reopened = try.Now
			}
			refused, since := draw.IntN(2) == 0, draw.IntN(3)
			try.RefusedCommand = func(time.Time) bool { return refused }
			try.LastAsked = []int64{0, try.Now.Unix(), w.now.Add(-time.Hour).Unix()}[since]
			if trail := try.Standing.Trail; since == 2 && len(trail) > 0 {
				try.LastAsked = trail[draw.IntN(len(trail))].At.Unix()
			}
			try.Commanded = func(id int64) bool { return w.commanded[id].Kind != "" || id%5 == 0 }
			if draw.IntN(3) == 0 {
				try.Answered = func(id int64) bool { return id%3 == int64(since) }
			}
			asked := draw.IntN(2) == 0
			try.Asked = func(int64) bool { return asked }
			for _, fact := range FactSpecs() {
				if draw.IntN(6) == 0 {
					at := w.now.Add(-[]time.Duration{0, time.Second, time.Hour, 100 * time.Hour}[draw.IntN(4)])
					try.Facts.Observed = append(slices.Clone(try.Facts.Observed), Observation{Fact: fact.Fact, At: at, About: "#7"})
				}
			}
		}
		w.agreeInPasses(life, p, try, draw)
	}
}

func (w *world) agreeInPasses(life *Lifecycle, p Thresholds, all input, draw *rand.Rand) {
	in := all
	in.GuardsRead = draw.IntN(3) == 0
	if draw.IntN(2) == 0 {
		in.Facts = Facts{}
	}
	switch draw.IntN(3) {
	case 0:
		in.Said = Said{}
	case 1:
		in.Said = Said{Answered: all.Answered, Commanded: all.Commanded}
	}
	for pass := 0; ; pass++ {
		need := w.same(life, p, in)
		switch {
		case need.IsZero():
			return
		case pass > len(w.log)+10:
			w.t.Fatalf("need %s again and again", need)
		case !need.OrdersSince.IsZero():
			in.Standing = w.standing()
			h := w.history(w.read, w.saw)
			in.Standing = life.Fold(h)
		case len(need.Guards) > 0:
			in.GuardsRead = true
		case need.Said:
			in.Said = all.Said
		default:
			in.Facts.Read = append(slices.Clone(in.Facts.Read), need.Facts...)
			in.Facts.Observed = all.Facts.Observed
		}
	}
}

// same compares one decision.
func (w *world) same(life *Lifecycle, p Thresholds, in input) Needs {
	got, need := life.Decide(p, in.Case, in.Evidence)
	was := life.formerDecide(p, formerInput{
		Standing: in.Standing, Labels: in.Labels, Updated: in.Updated, Now: in.Now, MayWait: in.MayWait, Answered: in.Answered,
		ForcePending: in.ForcePending, Commanded: in.Commanded, RefusedCommand: in.RefusedCommand, Asked: in.Asked, LastAsked: in.LastAsked,
		Facts: in.Facts, ConditionsRead: in.GuardsRead, Unreadable: in.Unreadable, TakenIn: in.TakenIn, Requests: in.Requests,
		Closed: in.Closed, Reopened: in.Reopened,
	})
	wanted := Needs{OrdersSince: was.NeedAttribution, Said: was.NeedAnswers, Facts: was.NeedFacts}
	if was.NeedConditions {
		wanted.Guards = in.Standing.Pending
	}
	want := Decision{State: in.Standing.State}
	if wanted.IsZero() {
		want = Decision{
			State: was.State, LabelEdits: LabelEdits{was.Add, was.Remove, was.Repeat}, Explain: was.Explain, Halted: was.Halted, HaltUnsaid: was.HaltUnsaid,
			Announce: was.Announce, Automatic: was.Automatic, Withheld: was.Withheld, Ask: was.Ask, Close: was.Close, Kept: was.Waits,
		}
		switch {
		case was.Lagging:
			want.Wait.Why = Lag
		case was.Unread:
			want.Wait.Why = Unread
		case was.Undecided:
			want.Wait.Why = Undecided
		case was.Held:
			want.Wait = Wait{Held, was.TidyAt}
		case !was.RequeueAt.IsZero():
			want.Wait = Wait{Quiet, was.RequeueAt}
		case !was.TidyAt.IsZero():
			want.Wait = Wait{Tidy, was.TidyAt}
		}
		if was.Automatic != nil {
			move := *was.Automatic
			move.TakesIn = was.TakenIn
			want.Automatic = &move
		}
		if was.Withheld != nil && got.Withheld != nil {
			move := *was.Withheld
			move.TakesIn = got.Withheld.TakesIn
			want.Withheld = &move
		}
		if was.Settled() != got.Settled() || was.Nothing() != got.Nothing() {
			w.t.Fatalf("settled %t, nothing %t: %+v\n%+v", was.Settled(), was.Nothing(), got, was)
		}
	}
	if !reflect.DeepEqual(wanted, need) || !reflect.DeepEqual(want, got) {
		w.t.Fatalf("the decision is\n%+v %s\nand was\n%+v %s\nof %+v\n%s", got, need, want, wanted, in, w)
	}
	agreed[0].Add(1)
	w.tally(got, need)
	return need
}

var tallied = map[string]*atomic.Int64{}

func init() {
	for _, k := range []string{"orders", "guards", "said", "facts", "explain", "halted", "unsaid", "announce", "automatic", "withheld", "ask", "close", "kept", "add", "remove", "repeat", "takes in", "quiet", "lag", "unread", "undecided", "tidy", "held", "held and tidy", "nothing", "stands", "pending"} {
		tallied[k] = new(atomic.Int64)
	}
}

func (w *world) tally(d Decision, n Needs) {
	for k, is := range map[string]bool{
		"orders": !n.OrdersSince.IsZero(), "guards": len(n.Guards) > 0, "said": n.Said, "facts": len(n.Facts) > 0,
		"explain": len(d.Explain) > 0, "halted": d.Halted != nil, "unsaid": d.HaltUnsaid, "announce": len(d.Announce) > 0, "automatic": d.Automatic != nil,
		"withheld": d.Withheld != nil, "ask": len(d.Ask) > 0, "close": d.Close != "", "kept": d.Kept, "add": len(d.Add) > 0, "remove": len(d.Remove) > 0,
		"repeat": d.Repeat != "", "takes in": d.Automatic != nil && d.Automatic.TakesIn, string(d.Wait.Why): true,
		"held and tidy": d.Wait.Why == Held && !d.Wait.Until.IsZero(), "nothing": d.Nothing(), "stands": w.warns,
	} {
		if is && k != "" {
			tallied[k].Add(1)
		}
	}
}

func tallies() string {
	out := fmt.Sprintf("%d decisions", agreed[0].Load())
	for k, n := range tallied {
		out += fmt.Sprintf(", %s %d", k, n.Load())
	}
	return out
}

// twisted is the lifecycle with rows of all kinds.
func (w *world) twisted(draw *rand.Rand) *Lifecycle {
	life := *w.life
	var all, labelled []string
	for _, s := range life.States {
		all = append(all, s.Name)
		if s.Label != "" {
			labelled = append(labelled, s.Name)
		}
	}
	specs := FactSpecs()
	if draw.IntN(2) == 0 {
		life.Triggers = slices.Clone(life.Triggers)
		for range 2 {
			life.Triggers = append(life.Triggers,
				Trigger{On: specs[draw.IntN(len(specs))].Fact, In: all, Why: "Nobody knows.", AsksPerson: draw.IntN(2) == 0},
				Trigger{On: specs[draw.IntN(len(specs))].Fact, In: all, Why: "It is held.", Holds: true, Unless: []Fact{specs[draw.IntN(len(specs))].Fact}})
		}
	}
	if draw.IntN(2) == 0 {
		life.Triggers = slices.Clone(life.Triggers)
		for range 4 {
			pair := life.Pairs[draw.IntN(len(life.Pairs))]
			if draw.IntN(2) == 0 {
				if next := life.Next(modelColony, life.BadRequest); len(next) > 0 {
					pair = next[draw.IntN(len(next))]
				}
			}
			life.Triggers = append(life.Triggers, Trigger{On: specs[draw.IntN(len(specs))].Fact, In: []string{pair.From}, To: pair.To, Why: "It moves."})
			if again := labelled[draw.IntN(len(labelled))]; draw.IntN(2) == 0 {
				life.Triggers = append(life.Triggers, Trigger{On: specs[draw.IntN(len(specs))].Fact, In: []string{again}, To: again, Why: "Again."})
			}
		}
	}
	if draw.IntN(2) == 0 {
		life.Dispatch = []Dispatch{{From: labelled, To: labelled[draw.IntN(len(labelled))], AtMost: 1}}
	}
	if draw.IntN(2) == 0 && life.Initial != "" && len(life.Next(Actor{Kind: Operator}, life.Initial)) > 0 {
		next := life.Next(Actor{Kind: Operator}, life.Initial)
		life.Intake = next[draw.IntN(len(next))].To
	}
	return &life
}
