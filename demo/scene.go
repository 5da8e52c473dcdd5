package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/colony-app/colony/playground"
)

// scene is one step of the story: what everybody does, and what must be seen on the issue once Colony is through.
type scene struct {
	chapter string // begins a chapter, if it is named
	tells   string // why this is of interest
	issue   int
	acts    []act
	sees    Sight
}

// act is something that somebody does.
type act struct {
	tells string
	does  func(ctx context.Context, s *stage) error
}

const (
	accepted     = "+1"
	refused      = "confused"
	notPermitted = "-1"
)

// Sight is what is to be seen on an issue.
type Sight struct {
	// Labels are Colony's labels on it, sorted, without "colony:".
	Labels []string
	// Says are the comments that Colony has written since the scene began; of one that must be, a few of its phrases.
	Says []string
	// Reaction is Colony's on the command that was written in the scene, as GitHub calls it; empty if there is none.
	Reaction string
	// OnPull are the comments that Colony has written on the issue's pull request since the scene began; of one that must be, a
	// few of its phrases.
	OnPull []string
	// Trail are the moves that Colony wrote down in the issue's trail since the scene began, with their reasons.
	Trail []string
}

// differs says in what a sight is not what it must be; nothing if it is.
func (s Sight) differs(want Sight) []string {
	var wrong []string
	if !slices.Equal(s.Labels, want.Labels) {
		wrong = append(wrong, "labels")
	}
	if !said(s.Says, want.Says) {
		wrong = append(wrong, "comments")
	}
	if !said(s.OnPull, want.OnPull) {
		wrong = append(wrong, "comments on the pull request")
	}
	if s.Reaction != want.Reaction {
		wrong = append(wrong, "reaction")
	}
	return wrong
}

// said reports whether there is one comment with all the phrases, or none if there are none.
func said(comments, phrases []string) bool {
	if len(comments) != min(len(phrases), 1) {
		return false
	}
	return !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(comments[0], phrase) })
}

// on is the labels that an issue must have.
func on(labels ...string) []string {
	slices.Sort(labels)
	return labels
}

func opens(title, body string) act {
	return act{fmt.Sprintf("%s opens an issue: %s", author, title), func(ctx context.Context, s *stage) error {
		_, err := s.hands.open(ctx, author, title, body)
		return err
	}}
}

func puts(who, state string) act {
	return act{fmt.Sprintf("%s puts %s on it", who, label(state)), func(ctx context.Context, s *stage) error {
		return s.hands.put(ctx, who, s.issue, label(state))
	}}
}

// picks is what the label picker does: two changes, one after the other. Their webhooks are sent after both, or Colony
// might take the old label off first.
func picks(from, to string) act {
	swap := swaps(triager, from, to)
	return act{swap.tells, func(ctx context.Context, s *stage) error {
		s.world.Playground.HoldDeliveries()
		defer s.world.Playground.ReleaseDeliveries(playground.InOrder)
		return swap.does(ctx, s)
	}}
}

// hops are moves of which Colony hears once the last is made. Each takes the label before off, as the label picker does.
func hops(from string, moves ...moved) act {
	var tells []string
	for i, m := range moves {
		if i > 0 && m.by == moves[i-1].by {
			tells[len(tells)-1] += ", " + m.to
			continue
		}
		tells = append(tells, m.by+" picks "+m.to)
	}
	return act{strings.Join(tells, "; "), func(ctx context.Context, s *stage) error {
		s.world.Playground.HoldDeliveries()
		defer s.world.Playground.ReleaseDeliveries(playground.InOrder)
		before := from
		for _, m := range moves {
			if err := s.hands.put(ctx, m.by, s.issue, label(m.to)); err != nil {
				return err
			}
			if before != "" {
				if err := s.hands.take(ctx, m.by, s.issue, label(before)); err != nil {
					return err
				}
			}
			before = m.to
		}
		return nil
	}}
}

// at makes somebody act on another issue than the scene's.
func at(issue int, a act) act {
	return act{fmt.Sprintf("on #%d: %s", issue, a.tells), func(ctx context.Context, s *stage) error {
		here := s.issue
		defer func() { s.issue = here }()
		s.issue = issue
		return a.does(ctx, s)
	}}
}

// walks are the hops of one person.
func walks(who, from string, states ...string) act {
	moves := make([]moved, len(states))
	for i, to := range states {
		moves[i] = moved{who, to}
	}
	return hops(from, moves...)
}

func swaps(who, from, to string) act {
	return act{fmt.Sprintf("%s picks %s instead of %s", who, label(to), label(from)), func(ctx context.Context, s *stage) error {
		if err := s.hands.put(ctx, who, s.issue, label(to)); err != nil {
			return err
		}
		return s.hands.take(ctx, who, s.issue, label(from))
	}}
}

func writes(who, text string) act {
	return act{fmt.Sprintf("%s writes: %s", who, text), func(ctx context.Context, s *stage) error {
		id, err := s.hands.write(ctx, who, s.issue, text)
		s.command = id
		return err
	}}
}

// says writes a comment in which there is no command.
func says(who, text string) act {
	return act{fmt.Sprintf("%s writes: %s", who, text), func(ctx context.Context, s *stage) error {
		_, err := s.hands.write(ctx, who, s.issue, text)
		return err
	}}
}

// closes is what GitHub's button "Close as completed" does.
func closes(number int) act {
	return act{fmt.Sprintf("%s closes #%d as completed", Maintainer, number), func(ctx context.Context, s *stage) error {
		return s.hands.end(ctx, Maintainer, number, "completed")
	}}
}

// drops is what GitHub's button "Close as not planned" does.
func drops(number int) act {
	return act{fmt.Sprintf("%s closes #%d as not planned", Maintainer, number), func(ctx context.Context, s *stage) error {
		return s.hands.end(ctx, Maintainer, number, "not_planned")
	}}
}

// edits writes another text for the issue.
func edits(who, body string) act {
	return act{fmt.Sprintf("%s edits the issue: %s", who, body), func(ctx context.Context, s *stage) error {
		return s.hands.edit(ctx, who, s.issue, body)
	}}
}

// adopts makes an issue a sub-issue of the scene's.
func adopts(who string, child int) act {
	return act{fmt.Sprintf("%s makes #%d a sub-issue", who, child), func(_ context.Context, s *stage) error {
		return s.world.Playground.SetSubIssue(Owner, Repository, s.issue, Repository, child, true, who)
	}}
}

// settles writes the repository's settings.
func settles(who, settings string) act {
	const file = ".github/colony.yml"
	return act{fmt.Sprintf("%s pushes %s to the default branch:\n\n%s", who, file, settings), func(_ context.Context, s *stage) error {
		_, err := s.world.Playground.Push(Owner, Repository, "main", file, settings, who)
		return err
	}}
}

// waits lets time pass.
func waits(d time.Duration) act {
	return act{fmt.Sprintf("%s pass", d), func(_ context.Context, s *stage) error {
		s.clock.Advance(d)
		return nil
	}}
}

func losesNext() act {
	return act{"GitHub loses the webhook of what comes next", func(_ context.Context, s *stage) error {
		s.world.Playground.DropNext(1)
		return nil
	}}
}

func redelivers() act {
	return act{"The App asks GitHub to deliver again what failed", func(ctx context.Context, s *stage) error {
		app, err := s.world.asApp()
		if err != nil {
			return err
		}
		return redeliverLost(ctx, app)
	}}
}

// confuses sends the webhooks of swaps twice each, and the last one first.
func confuses(swaps ...act) act {
	tells := make([]string, len(swaps))
	for i, a := range swaps {
		tells[i] = a.tells
	}
	return act{strings.Join(tells, "; ") + ". GitHub sends the webhooks of it twice each, the last one first", func(ctx context.Context, s *stage) error {
		s.world.Playground.HoldDeliveries()
		s.world.Playground.DoubleNext(2 * len(swaps)) // a swap is two changes
		for _, a := range swaps {
			if err := a.does(ctx, s); err != nil {
				return err
			}
		}
		s.world.Playground.DoubleNext(0)
		s.world.Playground.ReleaseDeliveries(playground.Reversed)
		return nil
	}}
}
