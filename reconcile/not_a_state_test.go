package reconcile_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

// A person who mistypes the label of a state is told so, and nobody is called for it.
func TestAPersonMistypesALabel(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.Label("olivia", "colony:merge-pendng")
	w.Settle()
	i.ColonySays("Colony removed `colony:merge-pendng`", "Did you mean `colony:merge-pending`?", "stays in `in-review`")
	i.Has("colony:in-review")

	// As one swap in the picker, it is one comment.
	w.clock.Advance(time.Minute)
	i.Replace("olivia", "colony:merge-pendng")
	w.Settle()
	i.ColonySays("Colony removed `colony:merge-pendng`")
	i.Has("colony:in-review")

	w.clock.Advance(time.Minute)
	i.Swap("olivia", "colony:in-review", "colony:merge-pendng")
	w.Settle()
	i.ColonySays("Colony removed `colony:merge-pendng`")
	i.Has("colony:in-review")

	// Taken off again before Colony comes to it, it needs no word.
	w.clock.Advance(time.Minute)
	w.github.HoldDeliveries()
	i.Label("olivia", "colony:nonsense")
	i.Unlabel("olivia", "colony:nonsense")
	w.github.ReleaseDeliveries(nil)
	w.Settle()
	i.Has("colony:in-review")
	i.NothingUnread()
}

// A bot that names an invalid state where it works has failed; where it does not, it is told.
func TestABotNamesAnInvalidState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	i.Label("reviewer[bot]", "colony:aproved")
	w.Settle()
	i.ColonySays("Colony removed `colony:aproved` and set the issue to `failure-blocked`", "failed work")
	i.Has("colony:failure-blocked", "colony:needs-human")

	late := w.stateful("colony:in-review")
	late.Swap("olivia", "colony:in-review", "colony:paused")
	w.Settle()
	late.Label("reviewer[bot]", "colony:aproved")
	w.Settle()
	late.ColonySays("Colony removed `colony:aproved`.", "stays in `paused`")
	late.Has("colony:paused")
}

// Whether its webhook comes makes no difference.
func TestASweepFindsALabelThatNamesNoState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.stateful("colony:in-review")
	w.Deaf()
	w.clock.Advance(time.Minute)
	i.Label("reviewer[bot]", "colony:aproved")
	w.Sweep()
	i.ColonySays("Colony removed `colony:aproved`", "failure-blocked")
	i.Has("colony:failure-blocked", "colony:needs-human")
	w.Sweep()
	i.NothingUnread()
}

// Where Colony only warns, the label stays.
func TestALabelThatNamesNoStateStaysWhereColonyWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, acme.InMode(lifecycle.ModeWarn))
	i := w.stateful("colony:in-review")
	i.Label("reviewer[bot]", "colony:aproved")
	w.Settle()
	i.ColonySays("Colony would have removed `colony:aproved` and set the issue to `failure-blocked`", "only warns", "stays in `in-review`")
	i.Has("colony:in-review", "colony:aproved")
	w.Sweep()
	i.NothingUnread()
}

// What a form brings, and what asks for an issue to be taken in, asks for no state.
func TestLabelsThatAskForNoState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Intake.When, c.Intake.Labels = policy.Labelled, []string{"colony:please"} })
	_, _, err := w.As("mona").Issues.CreateLabel(ctx, "acme", "widgets", &github.Label{Name: new("colony:from-a-form")})
	w.Must(err)
	i := w.Form("ada", "colony:from-a-form")
	i.Label("olivia", "colony:please")
	w.Settle()
	i.Has("colony:from-a-form", "colony:new")
	mistyped := w.open("ada", "")
	mistyped.Label("olivia", "colony:plaese")
	w.Settle()
	mistyped.ColonySays("Colony removed `colony:plaese`")
	mistyped.Label("olivia", "colony:please")
	w.Settle()
	mistyped.Has("colony:new")
	i.Label("olivia", "colony:urgency/2") // a scale of another lifecycle
	w.Settle()
	i.Has("colony:from-a-form", "colony:new", "colony:urgency/2")
	i.NothingUnread()
}
