// Package organisation computes what the weeks of an organisation cost at GitHub's limits: a trace of events, each with the calls that
// Colony makes for it, minute by minute.
package organisation

// Cost is what one event costs in calls to GitHub.
type Cost struct {
	Reads, Writes int
	Unchanged     int // of the reads: GitHub answers 304 and does not count them against the limit of the hour
	Questions     int // by GraphQL, which has an hourly limit of its own
	Comments      int // of the writes: content that GitHub notifies people of
}

// Event is a kind of event in the life of an issue.
type Event struct {
	What string
	Cost Cost
	// PerIssue is how many of them an issue has, from its opening to its end.
	PerIssue float64
	// Deliveries is how many webhooks each brings that Colony receives and ignores, beside its own and those of Colony's writes.
	Deliveries int
	// Scenario is the one of "colony bench" that measures it; empty: none does.
	Scenario string
}

// Life is the life of an issue that people and bots take from its opening to a merged pull request: an assumption, and on the high side.
// The costs are those of docs/costs.md.
func Life() []Event {
	return []Event{
		{"opened, and taken in", Cost{Reads: 4, Writes: 1}, 1, 1, ""},
		{"a legal move by label", Cost{Reads: 2, Writes: 1}, 8, 0, "move"},
		{"a command", Cost{Reads: 4, Writes: 3}, 1, 0, "command"},
		{"an edit of labels that is refused", Cost{Reads: 5, Unchanged: 2, Writes: 4, Comments: 1}, 0.2, 0, "refuse"},
		{"a push to the pull request, or a review, in a state whose triggers need them", Cost{Reads: 2, Unchanged: 2, Questions: 1}, 6, 0, ""},
		{"a move that a trigger makes, and the reconciliation after it", Cost{Reads: 6, Questions: 2, Writes: 3, Comments: 1}, 1, 0, ""},
		{"another comment, one of the author too, another label, checks, an assignment", Cost{}, 33, 0, "ignore-off"},
	}
}

// The points of a call (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit).
const (
	readPoints  = 1
	writePoints = 5
)

// Points is what the event costs of GitHub's points.
func (c Cost) Points() int { return readPoints*(c.Reads+c.Questions) + writePoints*c.Writes }

// Calls is how many calls the event takes.
func (c Cost) Calls() int { return c.Reads + c.Questions + c.Writes }

// Counted is how many calls by REST GitHub counts against its limit of an hour
// (https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate).
func (c Cost) Counted() int { return c.Reads - c.Unchanged + c.Writes }

// GitHub's limits for one installation, and what Colony allows itself of them.
const (
	PointsPerMinute  = 900
	CommentsPerHour  = 500
	leastCallsHourly = 5000
	mostCallsHourly  = 12500
	// callsOfEach are those that each repository and each member beyond twenty add.
	callsOfEach  = 50
	withoutExtra = 20
)

// CallsPerHour is GitHub's limit of calls of the REST API for an installation, and as large is that of points of GraphQL
// (https://docs.github.com/apps/creating-github-apps/registering-a-github-app/rate-limits-for-github-apps). Members, who add as much as
// repositories do, are left out.
func CallsPerHour(repositories int) int {
	return min(mostCallsHourly, leastCallsHourly+callsOfEach*max(0, repositories-withoutExtra))
}
