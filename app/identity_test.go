package app_test

import (
	"testing"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/playground"
)

const formerSelf = "old-colony[bot]"

// An App that replaces another one takes over what that one wrote: see identities.former. Each story runs without the setting too,
// where the former App is a bot like any other.
func TestWhatAFormerIdentityDidCountsAsColonysOwn(t *testing.T) {
	t.Parallel()
	for name, story := range map[string]struct {
		does          func(i *issue)
		with, without func(i *issue)
	}{
		"a label of it that leads nowhere is repaired without a word": {
			func(i *issue) { i.Label(formerSelf, "colony:new") },
			func(i *issue) { i.Has("colony:in-review") },
			func(i *issue) {
				i.Has("colony:failure-blocked", "colony:needs-human")
				i.ColonySays("`" + formerSelf + "`")
			},
		},
		"what it wrote is no command": {
			func(i *issue) { i.Comment(formerSelf, "/colony:pause") },
			func(i *issue) { i.Has("colony:in-review") },
			func(i *issue) {
				i.Has("colony:failure-blocked", "colony:needs-human")
				i.ColonyReacts(i.AllComments()[0].GetID(), "confused")
				i.ColonySays("`paused`")
			},
		},
		"a command with its receipt is not run again": {
			func(i *issue) {
				i.github.HoldDeliveries()
				pause := i.Comment("olivia", "/colony:pause")
				_, _, err := i.As(formerSelf).Reactions.CreateIssueCommentReaction(ctx, "acme", "widgets", pause, "+1")
				i.Must(err)
				i.github.ReleaseDeliveries(playground.InOrder)
			},
			func(i *issue) { i.Has("colony:in-review") },
			func(i *issue) {
				i.Has("colony:paused")
				i.ColonyReacts(i.AllComments()[0].GetID(), "+1")
			},
		},
		"what it explained is not explained again": {
			func(i *issue) {
				i.github.HoldDeliveries()
				i.Label("olivia", "colony:new")
				i.Unlabel(formerSelf, "colony:new")
				i.Comment(formerSelf, "That is not possible.\n\n"+wording.Marker(wording.Explains, i.lastLabeled("colony:new")))
				i.github.ReleaseDeliveries(playground.InOrder)
			},
			func(i *issue) { i.Has("colony:in-review", "colony:needs-human") },
			func(i *issue) { i.Has("colony:in-review") }, // who else took it off withdrew it
		},
	} {
		for suffix, listed := range map[string]bool{"": true, ", without the setting": false} {
			t.Run(name+suffix, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, func(c *config.Config) {
					if listed {
						c.Identities.Former = []string{"Old-Colony[bot]"}
					}
				})
				w.github.AddBot("old-colony")
				i := w.open("ada", "")
				i.Label("olivia", "colony:in-review")
				w.Settle()
				story.does(i)
				w.Settle()
				w.clock.Advance(time.Minute)
				w.Sweep()
				if listed {
					story.with(i)
				} else {
					story.without(i)
				}
			})
		}
	}
}

// lastLabeled returns the id of the last event that put a label on the issue.
func (i *issue) lastLabeled(label string) (id int64) {
	i.t.Helper()
	events, _, err := i.As("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.Number, &github.ListOptions{PerPage: 100})
	i.Must(err)
	for _, e := range events {
		if e.GetEvent() == "labeled" && e.GetLabel().GetName() == label {
			id = e.GetID()
		}
	}
	return id
}
