package wording

import (
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// trailKept is how many moves a trail tells of, so that the comment stays short: the latest.
const trailKept = 40

// RenderTrail renders the trail of an issue, by its number: why Colony made the moves that no one asked for, oldest first.
func RenderTrail(number int, moves []RecordedMove) string {
	moves = moves[max(0, len(moves)-trailKept):]
	return render("trail", moves) + "\n\n" + Marker(Trail, int64(number)) + recorded(moves)
}

// TrailOf returns the moves that the trail of an issue tells of, oldest first; ok is false if a comment of Colony's is not such a trail.
func TrailOf(number int, comment string) (moves []RecordedMove, ok bool) {
	if ids := Markers(comment)[Trail]; len(ids) != 1 || ids[0] != int64(number) {
		return nil, false
	}
	r, _ := RecordOf(comment)
	return r.Verdicts, true
}

// RecordAutomatic is what programs read about a move that Colony is about to make on its own.
func RecordAutomatic(a statemachine.Automatic) RecordedMove {
	return RecordedMove{Outcome: AutomaticMove, From: a.From, To: a.To, Kind: lifecycle.Colony, Why: a.Why, About: clean(a.About), Link: a.Link, Causes: a.Causes}
}
