package statemachine

import (
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/lifecycle"
)

func TestIntake(t *testing.T) {
	life := colony(t)
	for _, row := range []struct {
		name   string
		log    []string
		labels string // beside those of the log
		change func(*Case)
		warns  bool
		want   string
		taken  bool
	}{
		{name: "a new issue", want: "add colony:new", taken: true},
		{name: "with other labels", labels: "bug", want: "add colony:new", taken: true},
		{name: "asked for with a label of Colony's", labels: "colony:enqueue", want: "add colony:new, remove colony:enqueue", taken: true},
		{name: "asked for in capitals", labels: "Colony:Enqueue", want: "add colony:new, remove Colony:Enqueue", taken: true},
		{name: "the repository does not want it", labels: "colony:enqueue", change: func(in *Case) { in.TakenIn = false }, want: ""},
		{name: "closed", change: func(in *Case) { in.Closed = true }, want: ""},
		{name: "in the lifecycle already", log: []string{"olga +analyzing"}, want: ""},
		{name: "asked for although it is in the lifecycle", log: []string{"olga +analyzing"}, labels: "colony:enqueue", want: "remove colony:enqueue"},
		{name: "the author asked for a state, whose label goes first", log: []string{"arthur +done"}, want: "remove colony:done"},
		{name: "somebody asked for something and took it back", log: []string{"arthur +done", "arthur -done"}, want: ""},
		{name: "the author asked for a state, whose label has gone", log: []string{"arthur +done", "colony -done"}, want: "add colony:new", taken: true},
		{name: "somebody else asked for one", log: []string{"bot +done", "colony -done"}, want: ""},
		{name: "somebody mistyped a word", log: []string{"bot +colony:nonsense", "colony -colony:nonsense"}, want: "add colony:new", taken: true},
		{name: "it was in the lifecycle long ago", log: []string{"olga +new @-9h", "olga -new @-8h"}, want: ""},
		{name: "where Colony only warns, a label with which somebody asked goes too", warns: true, log: []string{"colony +new"}, labels: "colony:enqueue", want: "remove colony:enqueue"},
		{name: "and stays where a person moved the issue", warns: true, log: []string{"olga +new"}, labels: "colony:enqueue", want: ""},
		{name: "or Colony did from elsewhere", warns: true, log: []string{"olga +ready-for-dev", "colony +dependency-blocked"}, labels: "colony:enqueue", want: "remove colony:ready-for-dev"},
		{name: "a crash came after the label", log: []string{"colony +new"}, labels: "colony:enqueue", want: "remove colony:enqueue"},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := changes(t, row.log...)
			labels := labelsAfter(log)
			if row.labels != "" {
				labels = append(labels, row.labels)
			}
			in := Case{
				Standing: life.Fold(History{Changes: log, Labels: labels, Terms: Terms{JudgedSince: morning.Add(-time.Hour), Stands: row.warns}, Ordered: traced(log).Ordered}), Labels: labels, Updated: morning, Now: morning.Add(time.Hour),
				TakenIn: true, Requests: []string{"colony:enqueue"},
			}
			if row.change != nil {
				row.change(&in)
			}
			d, _ := life.Decide(modelThresholds, in, Evidence{
				Said:  Said{Answered: func(int64) bool { return true }},
				Facts: Facts{Read: lifecycle.EveryReading()},
			})
			var wrote []string
			for _, label := range d.Add {
				wrote = append(wrote, "add "+label)
			}
			for _, label := range d.Remove {
				wrote = append(wrote, "remove "+label)
			}
			taken := d.Automatic != nil && d.Automatic.TakesIn
			if got := strings.Join(wrote, ", "); got != row.want || taken != row.taken {
				t.Errorf("got %q, taken in %v; want %q, %v", got, taken, row.want, row.taken)
			}
		})
	}
}

// Who opens an issue with a state's label asks to be taken in: that needs no answer where the repository takes the issue in, and is refused with
// a comment where it does not.
func TestAnAuthorsRequestIsAnsweredByTheIntake(t *testing.T) {
	life := colony(t)
	log := changes(t, "olga +done @0s")
	h := History{Changes: log, Labels: labelsAfter(log), Terms: Terms{JudgedSince: morning.Add(-time.Hour)}, Opening: Opening{By: "olga", At: morning, OnlyAsks: true}}
	for taken, want := range map[bool]string{true: "-done; then look again", false: "explain [1], -done"} {
		in := Case{Standing: life.Fold(h), Labels: h.Labels, Updated: morning, Now: morning.Add(time.Hour), TakenIn: taken}
		read := Evidence{Said: Said{Answered: func(int64) bool { return false }}, Facts: Facts{Read: lifecycle.EveryReading()}}
		if got := deeds(life.Decide(modelThresholds, in, read)); got != want {
			t.Errorf("taken in is %t: it writes %q, want %q", taken, got, want)
		}
	}
}
