package lifecycle

import "testing"

// The highest level counts of those whose labels an issue has, and only levels that the scale has.
func TestLevelOfAScale(t *testing.T) {
	s := Scale{Name: "urgency", Levels: 4, prefix: "colony:"}
	for _, c := range []struct {
		labels []string
		want   int
	}{
		{nil, 0},
		{[]string{"bug"}, 0},
		{[]string{"colony:urgency/0"}, 0},
		{[]string{"colony:urgency/1"}, 1},
		{[]string{"Colony:Urgency/2"}, 2},
		{[]string{"colony:urgency/3"}, 3},
		{[]string{"colony:urgency/4"}, 0},
		{[]string{"colony:urgency/1", "colony:urgency/3", "colony:urgency/2"}, 3},
	} {
		if got := s.Level(c.labels); got != c.want {
			t.Errorf("%v has the level %d, want %d", c.labels, got, c.want)
		}
	}
}
