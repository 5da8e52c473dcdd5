package lifecycle

import "slices"

// Breaker says when Colony stops on an issue, in a lifecycle that does not leave that to the configuration; see Thresholds.
type Breaker struct {
	Refusals int      `yaml:"refusals" is:"needed" from:"1" to:"1000" means:"How many refusals, or moves by facts that stand, Colony allows within the time."`
	Within   Duration `yaml:"within" is:"needed" upto:"24h" means:"The time: 30m."`
}

// IsRestless reports whether Colony may make a move again and again, because what makes it lasts. A fact that comes once, such as a
// reply, moves an issue once and feeds no circle, however often one comes; but what was approved may be changed again and again.
func (l *Lifecycle) IsRestless(from, to string) bool {
	once := slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Moves(from, to) && !stands(t.On) && !t.Sealed() })
	lasting := slices.ContainsFunc(l.Triggers, func(t Trigger) bool { return t.Moves(from, to) && (stands(t.On) || t.Sealed()) })
	dispatched := slices.ContainsFunc(l.Dispatch, func(d Dispatch) bool { return d.To == to && slices.Contains(d.From, from) })
	return lasting || dispatched || !once || slices.ContainsFunc(l.TimeOuts, func(t TimeOut) bool { return t.Moves(from, to) })
}
