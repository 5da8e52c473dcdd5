package organisation

import (
	"math/rand/v2"
)

// Organisation says how large one is, and how busy.
type Organisation struct {
	Repositories int
	// Issues is how many are opened in each repository on a working day.
	Issues float64
}

const (
	minutesOfDay = 24 * 60
	workingDays  = 5
	// triaged is how many issues somebody labels one after the other, once a week in each repository.
	triaged = 15
)

// hours is how much of a day's work happens in each hour from eight o'clock on, in parts of the whole.
var hours = []float64{4, 10, 14, 13, 8, 10, 14, 13, 9, 5}

const firstHour = 8

// Load is what a week comes to.
type Load struct {
	Issues, Deliveries, Calls, Writes, Comments int
	// The busiest of the hours.
	HourCalls, HourQuestions int
	// Wait is for how many minutes at most Colony has to wait for points, and CommentsWait for comments: it writes no more than it may.
	Wait, CommentsWait float64
}

// BusiestHour is how many calls the busiest hour has of the API, REST or GraphQL, that has more of them: their limits are the same.
func (l Load) BusiestHour() int { return max(l.HourCalls, l.HourQuestions) }

// week is what happens in each minute.
type week struct {
	random                             *rand.Rand
	points, calls, questions, comments []int
	total                              Load
}

// Week plays a week of an organisation, the same one each time.
func (o Organisation) Week() Load {
	w := &week{random: rand.New(rand.NewPCG(1, 2))} //nolint:gosec // the same week each time
	length := 7 * minutesOfDay
	for _, each := range []*[]int{&w.points, &w.calls, &w.questions, &w.comments} {
		*each = make([]int, length)
	}
	life := Life()
	for range o.Repositories {
		w.triage(life)
		for day := range workingDays {
			for range w.many(o.Issues) {
				w.issue(life, day)
			}
		}
	}
	l := w.total
	l.HourCalls, l.HourQuestions = busiest(w.calls, 60), busiest(w.questions, 60)
	l.Wait, l.CommentsWait = wait(w.points, PointsPerMinute), wait(w.comments, CommentsPerHour/60.)
	return l
}

// many is a whole number whose mean is given.
func (w *week) many(mean float64) int {
	whole := int(mean)
	if w.random.Float64() < mean-float64(whole) {
		whole++
	}
	return whole
}

// issue plays the life of an issue: each event on the day of its opening or on one of the two working days after it.
func (w *week) issue(life []Event, day int) {
	w.total.Issues++
	for n, e := range life {
		for range w.many(e.PerIssue) {
			at := day
			if n > 0 {
				at = (day + w.random.IntN(3)) % workingDays
			}
			w.happens(e, at*minutesOfDay+w.minute())
		}
	}
}

// triage plays the few minutes of a morning, once a week, in which somebody labels many issues of a repository one after the other, four a minute.
func (w *week) triage(life []Event) {
	begin := w.random.IntN(workingDays)*minutesOfDay + (9+w.random.IntN(3))*60 + w.random.IntN(60)
	for n := range triaged {
		w.happens(life[1], begin+n/4)
	}
}

// minute is one of a working day.
func (w *week) minute() int {
	var whole float64
	for _, part := range hours {
		whole += part
	}
	left := w.random.Float64() * whole
	for n, part := range hours {
		if left -= part; left < 0 {
			return (firstHour+n)*60 + w.random.IntN(60)
		}
	}
	return (firstHour+len(hours))*60 - 1
}

// happens counts an event.
func (w *week) happens(e Event, minute int) {
	w.points[minute] += e.Cost.Points()
	w.calls[minute] += e.Cost.Counted()
	w.questions[minute] += e.Cost.Questions
	w.comments[minute] += e.Cost.Comments
	w.total.Deliveries += 1 + e.Deliveries + e.Cost.Writes // GitHub tells Colony of its own writes, too
	w.total.Calls += e.Cost.Calls()
	w.total.Writes += e.Cost.Writes
	w.total.Comments += e.Cost.Comments
}

// busiest is the most that happens in so many minutes in a row.
func busiest(of []int, minutes int) (most int) {
	sum := 0
	for n, each := range of {
		sum += each
		if n >= minutes {
			sum -= of[n-minutes]
		}
		most = max(most, sum)
	}
	return most
}

// wait is how many minutes the last of what waits has to wait at most, if so much is done in each minute.
func wait(of []int, perMinute float64) (longest float64) {
	waiting := 0.
	for _, each := range of {
		waiting = max(0, waiting+float64(each)-perMinute)
		longest = max(longest, waiting/perMinute)
	}
	return longest
}

// Largest is how many issues a day an organisation may open, over all its repositories, before anything waits for longer than so many minutes.
func Largest(repositories int, minutes float64) int {
	fits := func(issues int) bool {
		l := Organisation{repositories, float64(issues) / float64(repositories)}.Week()
		return max(l.Wait, l.CommentsWait) <= minutes && l.BusiestHour() <= CallsPerHour(repositories)
	}
	most := 0
	for step := 4096; step > 0; step /= 2 {
		if fits(most + step) {
			most += step
		}
	}
	return most
}
