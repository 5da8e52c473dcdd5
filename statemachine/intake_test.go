package statemachine

import (
	"strings"
	"testing"
	"time"
)

func TestIntake(t *testing.T) {
	life := colony(t)
	for _, row := range []struct {
		name   string
		log    []string
		labels string // beside those of the log
		change func(*Case)
		want   string
		taken  bool
	}{
		{name: "a new issue", want: "add colony:new", taken: true},
		{name: "with other labels", labels: "bug", want: "add colony:new", taken: true},
		{name: "asked for with a label of Colony's", labels: "colony:enqueue", want: "add colony:new, remove colony:enqueue", taken: true},
		{name: "asked for in capitals", labels: "Colony:Enqueue", want: "add colony:new, remove Colony:Enqueue", taken: true},
		{name: "the repository does not want it", labels: "colony:enqueue", change: func(c *Case) { c.TakenIn = false }, want: ""},
		{name: "closed", change: func(c *Case) { c.Closed = true }, want: ""},
		{name: "in the lifecycle already", log: []string{"olga +analyzing"}, want: ""},
		{name: "asked for although it is in the lifecycle", log: []string{"olga +analyzing"}, labels: "colony:enqueue", want: "remove colony:enqueue"},
		{name: "somebody asked for something and took it back", log: []string{"arthur +done", "arthur -done"}, want: ""},
		{name: "a crash came after the label", log: []string{"colony +new"}, labels: "colony:enqueue", want: "remove colony:enqueue"},
	} {
		t.Run(row.name, func(t *testing.T) {
			log := changes(t, row.log...)
			labels := labelsAfter(log)
			if row.labels != "" {
				labels = append(labels, row.labels)
			}
			c := Case{
				Standing: life.Fold(History{Changes: log, Labels: labels}), Labels: labels, Updated: morning, Now: morning.Add(time.Hour),
				Answered: func(int64) bool { return true }, TakenIn: true, Requests: []string{"colony:enqueue"},
			}
			if row.change != nil {
				row.change(&c)
			}
			d := life.Decide(modelPatience, c)
			var wrote []string
			for _, label := range d.Add {
				wrote = append(wrote, "add "+label)
			}
			for _, label := range d.Remove {
				wrote = append(wrote, "remove "+label)
			}
			if got := strings.Join(wrote, ", "); got != row.want || d.TakenIn != row.taken {
				t.Errorf("got %q, taken in %v; want %q, %v", got, d.TakenIn, row.want, row.taken)
			}
		})
	}
}

func TestWhereIssuesAreTakenIn(t *testing.T) {
	for name, want := range map[string]string{"colony": "new", "prp": "planned", "colibri": "init", "autoralph": "queued"} {
		life, err := Shipped(name)
		if err != nil {
			t.Fatal(err)
		}
		if life.Intake != want {
			t.Errorf("%s takes issues into %q, not into %q", name, life.Intake, want)
		}
		if _, legal := life.Pair(life.Initial, life.Intake); !legal {
			t.Errorf("%s does not let issues in where it takes them", name)
		}
	}
}
