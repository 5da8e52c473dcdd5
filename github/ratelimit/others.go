package ratelimit

import "time"

// others is the class of what other processes use: programs next to the server, its replicas, or the server next to a program.
const others Class = -1

// pointsOfServersCall is about how many points a call of the server uses, as a program has to expect it: a move takes a write and two reads.
const pointsOfServersCall = 3

// usedByOthers takes calls of other processes out of a minute's points. GitHub tells how many calls it has counted, not how many points. A
// program takes them for those of the server. The server takes them for a program's, which only reads; a program uses at most half of the points,
// so that more of them have another reason, and the server does not stop for it. One that has less than GitHub's points leaves the rest to
// others anyway. Replicas that share the budgets do not ask: GitHub counts the calls of all of them.
func (b *budget) usedByOthers(now time.Time, calls int, patient bool) {
	of, points := flow{class: others}, calls*pointsOfServersCall
	switch {
	case patient:
	case b.points.budget < GitHubPoints:
		return
	default:
		points = min(calls*pointsOfRead, b.points.budget/2-b.points.used(of))
	}
	if points > 0 {
		b.points.take(now, of, points)
		b.points.end(now, of, points)
	}
}
