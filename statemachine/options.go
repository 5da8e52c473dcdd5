package statemachine

import (
	"cmp"
	"slices"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

// Options is what a server or a repository says about a lifecycle besides its file. What does not fit the file is left out.
type Options struct {
	// Ignored lists readings: triggers whose facts need one of them move no issue, and nothing is read for them. Seals stay as they are.
	// Guards stay too, unless they count only while their facts are followed.
	Ignored []lifecycle.Reading
	// Limits has other numbers for the limits of the file, by what they count. What a limit counts, and where it leads, stays the file's.
	Limits map[string]int
	// TimeOuts has other lengths for what ends long waits in the file, by the state that an issue is in.
	TimeOuts map[string]time.Duration
	// Dispatch lists the moves that Colony makes when there is capacity.
	Dispatch []lifecycle.Dispatch
	// Unforced says that a forced move is never allowed.
	Unforced bool
	// Access is what the commands of people take.
	Access Access
	// LeaveOpen says that Colony closes no issue.
	LeaveOpen bool
	// Requests are labels that ask for an issue to be taken in, so they never name a state.
	Requests []string
}

// Access is the least permission in the repository that commands take which move an issue, and which force it; see AccessOf.
type Access struct{ ToMove, ToForce string }

// AccessOf returns what the commands of people take where a table is in force; without settings it is what the file or Colony asks for.
func AccessOf(t *Table) Access {
	a := t.options.Access
	return Access{cmp.Or(a.ToMove, "triage"), cmp.Or(a.ToForce, t.Force.By, "maintain")}
}

// Extra is the permission that a command takes to move an issue, if one that suffices to edit labels does not; else empty.
func (a Access) Extra() string {
	if slices.Contains([]string{"none", "read", "triage"}, a.ToMove) {
		return ""
	}
	return a.ToMove
}

// Table is a lifecycle file under the options of a repository: what the issues there follow. It is immutable and safe for concurrent use.
type Table struct {
	lifecycle.Lifecycle
	file    *lifecycle.Lifecycle
	options Options
}

// New returns the table of a lifecycle under some options.
func New(file *lifecycle.Lifecycle, o Options) *Table {
	l := &Table{Lifecycle: *file, file: file, options: o}
	l.Triggers = triggersWithout(file.Triggers, o.Ignored)
	l.Guards = append(slices.Clip(l.written()), sealGuards(file)...)
	l.Limits = limitsOf(file, o.Limits)
	l.TimeOuts = timeOutsOf(file, o.TimeOuts)
	l.Dispatch, _ = file.FitDispatch(o.Dispatch)
	if o.Unforced {
		l.Force = lifecycle.Force{Off: true}
	}
	return l
}

// IsUnforced reports whether options, and not the file, take away the one way to override the table.
func IsUnforced(t *Table) bool { return t.options.Unforced && !t.file.Force.Off }

// written are the guards of the file that count under the options.
func (t *Table) written() lifecycle.Guards { return guardsWithout(t.file.Guards, t.options.Ignored) }

// Fingerprint is the file's under the options. What follows from the file does not change it.
func (t *Table) Fingerprint() string {
	l := t.Lifecycle
	l.Guards = t.written()
	return l.Fingerprint()
}

// With returns the table of the same file under other options.
func (t *Table) With(o Options) *Table { return New(t.file, o) }

// Widen returns a table in which a role can ask for one more move of the file. It fails if the file has no such role or move.
func (t *Table) Widen(role, from, to string) (*Table, error) {
	widened, err := t.file.Widen(role, from, to)
	if err != nil {
		return nil, err
	}
	return New(widened, t.options), nil
}

// IsEnd reports whether work ends in a state; it does not in one that the lifecycle does not have.
func (t *Table) IsEnd(state string) bool {
	s, _ := t.State(state)
	return s.Type == lifecycle.Terminal
}

// Closes returns how GitHub closes an issue that comes to a state; empty if the issue stays open.
func (t *Table) Closes(state string) lifecycle.CloseReason {
	if t.options.LeaveOpen {
		return ""
	}
	s, _ := t.State(state)
	return s.Closes
}

func triggersWithout(triggers []lifecycle.Trigger, ignored []lifecycle.Reading) []lifecycle.Trigger {
	if len(ignored) == 0 {
		return triggers
	}
	leftOut := func(f lifecycle.Fact) bool {
		spec, _ := lifecycle.SpecOf(f)
		return !spec.Sealed && slices.Contains(ignored, spec.Needs)
	}
	left := slices.DeleteFunc(slices.Clone(triggers), func(t lifecycle.Trigger) bool { return leftOut(t.On) })
	for i, t := range left {
		left[i].Unless = slices.DeleteFunc(slices.Clone(t.Unless), leftOut)
	}
	return left
}

func guardsWithout(guards []lifecycle.Guard, ignored []lifecycle.Reading) []lifecycle.Guard {
	return slices.DeleteFunc(slices.Clone(guards), func(g lifecycle.Guard) bool {
		return g.Followed && slices.ContainsFunc(lifecycle.ReadingsOf(g.Facts()), func(r lifecycle.Reading) bool { return slices.Contains(ignored, r) })
	})
}

func limitsOf(file *lifecycle.Lifecycle, numbers map[string]int) []lifecycle.Limit {
	limits := slices.Clone(file.Limits)
	for i, limit := range limits {
		if number, set := numbers[limit.Name]; set && file.LimitMisfit(limit.Name, number) == "" && limit.AtMost > 0 {
			limits[i].AtMost = number
		}
	}
	return limits
}

// timeOutsOf gives a row of its own to each state whose length is not the file's.
func timeOutsOf(file *lifecycle.Lifecycle, lengths map[string]time.Duration) []lifecycle.TimeOut {
	var timeOuts []lifecycle.TimeOut
	for _, t := range file.TimeOuts {
		rest := t
		rest.In = nil
		for _, state := range t.In {
			length, set := lengths[state]
			if !set || file.TimeOutMisfit(state, length) != "" {
				rest.In = append(rest.In, state)
				continue
			}
			own := t
			own.In, own.After = []string{state}, lifecycle.Duration(length)
			timeOuts = append(timeOuts, own)
		}
		if len(rest.In) > 0 {
			timeOuts = append(timeOuts, rest)
		}
	}
	return timeOuts
}
