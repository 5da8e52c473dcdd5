package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// Scale is a set of labels in addition to the state, one for each level, such as colony:urgency/0 to colony:urgency/3. An issue without one of them
// is at level 0; of several the highest counts.
type Scale struct {
	Name    string `yaml:"name" json:"name" is:"slug" twice:"scale %q is listed twice" longest:"41" means:"The part of the labels between the label-prefix and the level, in kebab-case."`
	Levels  int    `yaml:"levels" json:"levels" is:"needed" from:"2" to:"10" means:"How many levels there are; they count from 0."`
	High    int    `yaml:"high" json:"high" is:"needed" from:"1" to:"9" means:"From this level on an issue counts as high in the priority."`
	Color   string `yaml:"color" json:"color" is:"color,needed" means:"The labels' colour: six hexadecimal digits."`
	Meaning string `yaml:"meaning" json:"meaning" is:"plain,needed" longest:"80" means:"What the scale is, for people; the labels' descriptions begin with it."`

	prefix string // of the lifecycle's labels
}

// Label returns the label of a level.
func (s Scale) Label(level int) string { return fmt.Sprintf("%s%s/%d", s.prefix, s.Name, level) }

func (s Scale) description(level int) string {
	return fmt.Sprintf("%s: %d of 0 to %d.", s.Meaning, level, s.Levels-1)
}

// Level returns the level that the labels of an issue give it.
func (s Scale) Level(labels []string) int {
	for level := s.Levels - 1; level > 0; level-- {
		if HasLabel(labels, s.Label(level)) {
			return level
		}
	}
	return 0
}

// Candidate is an issue that waits to be taken.
type Candidate struct {
	Number  int
	Title   string
	State   string
	Labels  []string
	Created time.Time
	// Blocked is on how many open issues it depends, where GitHub tells.
	Blocked int
}

// Rank returns how urgent the labels of an issue make it: the first row of Priority whose scales are all high, counted from 0.
// What fits no row comes last.
func (l *Lifecycle) Rank(labels []string) int {
	for i, row := range l.Priority {
		if !slices.ContainsFunc(row, func(name string) bool { return !l.high(name, labels) }) {
			return i
		}
	}
	return len(l.Priority)
}

func (l *Lifecycle) high(scale string, labels []string) bool {
	s, there := first(l.Scales, func(s Scale) bool { return s.Name == scale })
	return there && s.Level(labels) >= s.High
}

// Order sorts candidates in the order in which they are to be taken: by priority, then the oldest, then the lowest number.
func (l *Lifecycle) Order(candidates []Candidate) {
	slices.SortStableFunc(candidates, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(l.Rank(a.Labels), l.Rank(b.Labels)), a.Created.Compare(b.Created), cmp.Compare(a.Number, b.Number))
	})
}
