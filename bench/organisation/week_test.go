package organisation

import "testing"

// A week has what its parts have, and the same each time.
func TestAWeekIsTheSumOfItsEvents(t *testing.T) {
	t.Parallel()
	o := Organisation{Repositories: 10, Issues: 2}
	l := o.Week()
	if again := o.Week(); again != l {
		t.Errorf("the same week is %+v, and then %+v", l, again)
	}
	if l.Issues != 10*2*workingDays {
		t.Errorf("%d issues", l.Issues)
	}
	calls, writes, deliveries := 10.*triaged*3, 10.*triaged, 10.*triaged*2
	for _, e := range Life() {
		each := e.PerIssue * float64(l.Issues)
		calls += each * float64(e.Cost.Calls())
		writes += each * float64(e.Cost.Writes)
		deliveries += each * float64(1+e.Deliveries+e.Cost.Writes)
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{{"calls", float64(l.Calls), calls}, {"writes", float64(l.Writes), writes}, {"deliveries", float64(l.Deliveries), deliveries}} {
		if c.got < 0.95*c.want || c.got > 1.05*c.want { // parts of events come now and then
			t.Errorf("%v %s, want about %v", c.got, c.what, c.want)
		}
	}
	if l.HourCalls+l.HourQuestions > l.Calls {
		t.Errorf("an hour has more than the week: %+v", l)
	}
}

func TestWhatDoesNotFitWaits(t *testing.T) {
	t.Parallel()
	if got := wait([]int{100, 2100, 900, 300, 0}, 900); got != 1200./900 {
		t.Errorf("the longest wait is %v minutes", got)
	}
	if got := busiest([]int{1, 5, 4, 0, 7}, 2); got != 9 {
		t.Errorf("the busiest two minutes have %d", got)
	}
	for repositories, want := range map[int]int{1: 5000, 20: 5000, 100: 9000, 1000: 12500} {
		if got := CallsPerHour(repositories); got != want {
			t.Errorf("%d repositories: %d calls an hour, want %d", repositories, got, want)
		}
	}
}

// The largest organisation that fits does, and a larger one does not.
func TestTheLargestOrganisation(t *testing.T) {
	t.Parallel()
	for _, repositories := range []int{20, 200} {
		most := Largest(repositories, 1)
		for issues, fits := range map[int]bool{most: true, most + 1 + most/10: false} {
			l := Organisation{repositories, float64(issues) / float64(repositories)}.Week()
			if got := max(l.Wait, l.CommentsWait) <= 1 && l.HourCalls <= CallsPerHour(repositories); got != fits {
				t.Errorf("%d issues a day in %d repositories, where %d fit: %+v", issues, repositories, most, l)
			}
		}
	}
}
