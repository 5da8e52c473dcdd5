package simulation

import (
	"slices"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// checkTrail asserts that an issue has one trail at most, and that it says why Colony made each move that nobody asked for and no other
// comment tells of.
func (s *simulation) checkTrail(i *simulatedIssue, standing statemachine.Standing, view issues.View) {
	var told []wording.RecordedMove
	trails := 0
	for _, c := range s.colonysComments(i) {
		if moves, is := wording.TrailOf(i.number, c.Body); is {
			told = moves
			trails++
		}
	}
	if trails > 1 {
		s.wrong("#%d has %d trails", i.number, trails)
	}
	announced, ordered := s.life.MayAnnounce(standing), s.attributionsOf(i, standing)
	for _, m := range standing.Trail {
		if m.By.Kind != lifecycle.Colony || m.Kind != statemachine.Moved || m.At.Before(standing.JudgedSince) || ordered[m.ID] != 0 || slices.Contains(announced, m.ID) {
			continue
		}
		// What Colony added from a stale read, or put back, is a move of no row.
		if !slices.ContainsFunc(s.life.Triggers, func(t lifecycle.Trigger) bool {
			return t.To == m.To && slices.Contains(t.In, m.From) && !t.AsksPerson
		}) {
			continue
		}
		begun := m.At
		for _, c := range view.Changes { // a round begins when its label goes; GitHub can take it back much later
			if named, _ := s.life.StateOf(c.Label); m.From == m.To && named.Name == m.To && !c.Added && c.ID < m.ID {
				begun = c.At
			}
		}
		tells := func(t wording.RecordedMove) bool { // from where, a stale read may have had wrong
			return t.To == m.To && t.Why != "" && t.At.Sub(begun).Abs() < 5*time.Minute
		}
		if !slices.ContainsFunc(told, tells) {
			s.wrong("nothing says why Colony moved #%d from %s to %s at %s: %v", i.number, m.From, m.To, m.At.Format(time.TimeOnly), told)
		}
	}
}
