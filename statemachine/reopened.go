package statemachine

import (
	"slices"

	"github.com/colony-app/colony/lifecycle"
)

// Colony can come late: a merge closed the issue, a person opened it again, and Colony learns of both together. The log then has Colony's move to
// the end after the reopening, so what made the move has to tell which of the two came first.

// issueReopened is the fact that an issue was opened again.
const issueReopened lifecycle.Fact = "issue-reopened"

// belated lists the rows that can have made Colony's own move to where the issue is, if the issue was opened again before that move. It is nil
// where anything else makes such a move.
func (in *input) belated() []lifecycle.Trigger {
	entered, known := in.Standing.Since()
	if reopened := in.Standing.Reopened.At; in.Closed || reopened.IsZero() || !known || entered.before(reopened) || !in.life.IsEnd(entered.To) || !in.life.own(entered) {
		return nil
	}
	bare := *in.life
	bare.Triggers = nil
	if bare.MakesItself(entered.From, entered.To) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(in.life.Triggers), func(row lifecycle.Trigger) bool { return !row.Moves(entered.From, entered.To) })
}

// belatedReadings returns what has to be read to know whether the issue was opened again after what led it here.
func (in *input) belatedReadings() []lifecycle.Reading {
	var named []string
	for _, row := range in.belated() {
		if spec, _ := lifecycle.SpecOf(row.On); spec.On != lifecycle.OnClosed {
			named = append(named, string(row.On))
		}
	}
	return lifecycle.ReadingsOf(named)
}

// reopened reports whether the issue was opened again after it came where it is, or after what led it here. What moves closed issues alone
// was there before the reopening.
func (in *input) reopened() bool {
	if entered, known := in.Standing.Since(); known && entered.before(in.Standing.Reopened.At) {
		return true
	}
	after := false
	for _, row := range in.belated() {
		spec, _ := lifecycle.SpecOf(row.On)
		if spec.On == lifecycle.OnClosed {
			after = true
			continue
		}
		for _, o := range in.Facts.Observed {
			if o.Fact != row.On {
				continue
			}
			if !spec.Once() || o.since(in.Standing.Reopened.At) {
				return false
			}
			after = true
		}
	}
	return after
}

// counts reports whether an observation is new enough for a row. A reopening also counts after what led the issue where it is.
func (in *input) counts(row lifecycle.Trigger, o Observation) bool {
	return rowAt{row, in.life, in.Standing}.counts(o) || o.Fact == issueReopened && in.reopened()
}
