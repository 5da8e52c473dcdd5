package app_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// A person who mistypes the label of a state is told so, and nobody is called for it.
func TestAPersonMistypesALabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.label("olivia", "colony:merge-pendng")
	w.settle()
	i.colonySays("Colony removed `colony:merge-pendng`", "Did you mean `colony:merge-pending`?", "stays in `in-review`")
	i.has("colony:in-review")

	// As one swap in the picker, it is one comment.
	w.clock.Advance(time.Minute)
	i.replace("olivia", "colony:merge-pendng")
	w.settle()
	i.colonySays("Colony removed `colony:merge-pendng`")
	i.has("colony:in-review")

	w.clock.Advance(time.Minute)
	i.swap("olivia", "colony:in-review", "colony:merge-pendng")
	w.settle()
	i.colonySays("Colony removed `colony:merge-pendng`")
	i.has("colony:in-review")

	// Taken off again before Colony comes to it, it needs no word.
	w.clock.Advance(time.Minute)
	w.github.HoldDeliveries()
	i.label("olivia", "colony:nonsense")
	i.unlabel("olivia", "colony:nonsense")
	w.github.ReleaseDeliveries(nil)
	w.settle()
	i.has("colony:in-review")
	i.nothingUnread()
}

// A bot that names an invalid state where it works has failed; where it does not, it is told.
func TestABotNamesAnInvalidState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.label("reviewer[bot]", "colony:aproved")
	w.settle()
	i.colonySays("Colony removed `colony:aproved` and set the issue to `failure-blocked`", "failed work")
	i.has("colony:failure-blocked", "colony:needs-human")

	late := w.stateful("colony:in-review")
	late.swap("olivia", "colony:in-review", "colony:paused")
	w.settle()
	late.label("reviewer[bot]", "colony:aproved")
	w.settle()
	late.colonySays("Colony removed `colony:aproved`.", "stays in `paused`")
	late.has("colony:paused")
}

// Whether its webhook comes makes no difference.
func TestASweepFindsALabelThatNamesNoState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.deaf()
	w.clock.Advance(time.Minute)
	i.label("reviewer[bot]", "colony:aproved")
	w.sweep()
	i.colonySays("Colony removed `colony:aproved`", "failure-blocked")
	i.has("colony:failure-blocked", "colony:needs-human")
	w.sweep()
	i.nothingUnread()
}

// Where Colony only warns, the label stays.
func TestALabelThatNamesNoStateStaysWhereColonyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(lifecycle.ModeWarn))
	i := w.stateful("colony:in-review")
	i.label("reviewer[bot]", "colony:aproved")
	w.settle()
	i.colonySays("Colony would have removed `colony:aproved` and set the issue to `failure-blocked`", "only warns", "stays in `in-review`")
	i.has("colony:in-review", "colony:aproved")
	w.sweep()
	i.nothingUnread()
}

// What a form brings, and what asks for an issue to be taken in, asks for no state.
func TestLabelsThatAskForNoState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Intake.When, c.Intake.Labels = policy.Labelled, []string{"colony:please"} })
	_, _, err := w.as("mona").Issues.CreateLabel(ctx, "acme", "widgets", &github.Label{Name: new("colony:from-a-form")})
	w.must(err)
	i := w.form("ada", "colony:from-a-form")
	i.label("olivia", "colony:please")
	w.settle()
	i.has("colony:from-a-form", "colony:new")
	mistyped := w.open("ada", "")
	mistyped.label("olivia", "colony:plaese")
	w.settle()
	mistyped.colonySays("Colony removed `colony:plaese`")
	mistyped.label("olivia", "colony:please")
	w.settle()
	mistyped.has("colony:new")
	i.label("olivia", "colony:urgency/2") // a scale of another lifecycle
	w.settle()
	i.has("colony:from-a-form", "colony:new", "colony:urgency/2")
	i.nothingUnread()
}
