package lifecycle

import "slices"

// seals warns of sealed states that issues come to without a person: nobody approved what is sealed there.
func (l *linter) seals() {
	for i, s := range l.life.States {
		if !s.Sealed {
			continue
		}
		byPerson := slices.ContainsFunc(l.life.Pairs, func(p Pair) bool {
			return p.To == s.Name && !p.OnlyPrevious && !slices.ContainsFunc(l.moves, func(m unattended) bool { return m.from == p.From && m.to == p.To })
		})
		if !byPerson {
			l.warn(at("states", i, "sealed"), "bots or Colony make every move to state %q, so no person approves what is sealed there", s.Name)
		}
	}
}
