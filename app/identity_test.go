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
			func(i *issue) { i.label(formerSelf, "colony:new") },
			func(i *issue) { i.has("colony:in-review") },
			func(i *issue) {
				i.has("colony:failure-blocked", "colony:needs-human")
				i.colonySays("`" + formerSelf + "`")
			},
		},
		"what it wrote is no command": {
			func(i *issue) { i.comment(formerSelf, "/colony:pause") },
			func(i *issue) { i.has("colony:in-review") },
			func(i *issue) {
				i.has("colony:failure-blocked", "colony:needs-human")
				i.colonyReacts(i.allComments()[0].GetID(), "confused")
				i.colonySays("`paused`")
			},
		},
		"a command with its receipt is not run again": {
			func(i *issue) {
				i.github.HoldDeliveries()
				pause := i.comment("olivia", "/colony:pause")
				_, _, err := i.as(formerSelf).Reactions.CreateIssueCommentReaction(ctx, "acme", "widgets", pause, "+1")
				i.must(err)
				i.github.ReleaseDeliveries(playground.InOrder)
			},
			func(i *issue) { i.has("colony:in-review") },
			func(i *issue) {
				i.has("colony:paused")
				i.colonyReacts(i.allComments()[0].GetID(), "+1")
			},
		},
		"what it explained is not explained again": {
			func(i *issue) {
				i.github.HoldDeliveries()
				i.label("olivia", "colony:new")
				i.unlabel(formerSelf, "colony:new")
				i.comment(formerSelf, "That is not possible.\n\n"+wording.Marker(wording.Explains, i.lastLabeled("colony:new")))
				i.github.ReleaseDeliveries(playground.InOrder)
			},
			func(i *issue) { i.has("colony:in-review", "colony:needs-human") },
			func(i *issue) { i.has("colony:in-review") }, // who else took it off withdrew it
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
				i.label("olivia", "colony:in-review")
				w.settle()
				story.does(i)
				w.settle()
				w.clock.Advance(time.Minute)
				w.sweep()
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
	events, _, err := i.as("mona").Issues.ListIssueEvents(ctx, "acme", "widgets", i.number, &github.ListOptions{PerPage: 100})
	i.must(err)
	for _, e := range events {
		if e.GetEvent() == "labeled" && e.GetLabel().GetName() == label {
			id = e.GetID()
		}
	}
	return id
}
