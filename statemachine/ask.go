package statemachine

import (
	"slices"
	"strings"
)

// Asked is what a row says, or asks a person, that leads nowhere: the issue stays where it is.
type Asked struct {
	State, Why string
	// To is the state that somebody asks for, if nobody knows whether that is granted: Why says what could not be read.
	To string
	// AsksPerson says that it stays until somebody decides.
	AsksPerson bool
	// About names what it is about, for people: "#12".
	About string
	// ID tells one such question from the next on the same issue. It is the second in which what it is about came to be so.
	ID int64
}

// asks returns what the rows of the state that lead nowhere have to say. What came to be so before Colony judges is settled: nobody is
// told of that.
func (in *input) asks() []Asked {
	var asked []Asked
	s := in.Standing
	entered, _ := s.Since()
	for _, row := range in.life.Triggers {
		if row.To != "" || row.Holds || in.Closed || s.Untouched() || suspended(row, in.Facts) || !slices.Contains(row.In, s.State) {
			continue
		}
		var about []string
		var last Moment
		for _, o := range in.Facts.Observed {
			if o.Fact != row.On {
				continue
			}
			about = append(about, o.About)
			last.At = latest(last.At, o.At)
		}
		last.At = latest(last.At, entered.At)
		if len(about) > 0 && !last.before(s.JudgedSince) {
			asked = append(asked, Asked{State: s.State, Why: row.Why, AsksPerson: row.AsksPerson, About: listed(about), ID: last.At.Unix()})
		}
	}
	return asked
}

// listed names several things, each once.
func listed(names []string) string {
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
