package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

// Played is a scene after it was played.
type Played struct {
	Chapter string // set on the first scene of a chapter
	Tells   string
	Issue   int
	Acts    []string
	Sees    Sight
	Must    Sight
	Wrong   []string // in what the two differ: labels, comments, reaction
}

// Summary says how it went as a whole.
type Summary struct {
	Scenes     int
	Deliveries int      // attempts to deliver a webhook
	Lost       int      // of these
	Calls      int      // to the REST API, Colony's and everybody's
	Unexpected []string // what should not have happened anywhere
	// Trails are why Colony made its own moves, issue by issue.
	Trails []Trail
}

// Trail is the trail of an issue.
type Trail struct {
	Issue int
	Title string
	Moves []string // oldest first
}

// Prologue is where the story begins.
type Prologue struct {
	Repository string
	Issues     int
	Labels     int // of the lifecycle, which Colony made there or gave colour and description
	People     []Person
}

// Audience follows the story while it is played.
type Audience interface {
	Begin(Prologue)
	Scene(Played)
	End(Summary)
}

// ErrUnexpected says that the story did not go as it must. The audience was told in what.
var ErrUnexpected = errors.New("the story did not go as it must")

// pace is the time between two scenes, breath that before each act.
const (
	pace   = 7 * time.Minute
	breath = 20 * time.Second
)

// stage is where scenes are played.
type stage struct {
	Production
	life  *statemachine.Table
	world *World
	clock *clockwork.FakeClock
	hands hands

	warnings lines // of Colony

	pulls   map[int]int // the pull request of an issue
	pushed  int         // commits so far, so that no two are the same
	issue   int         // of the scene that is played
	command int64       // the comment that was written in it last
}

// Play plays the story to an audience, in a world of its own in which it is start when it begins. It stops at the first
// scene that does not go as it must and returns ErrUnexpected then; other errors say what could not be done at all.
func (d Production) Play(ctx context.Context, start time.Time, audience Audience) (err error) {
	s, err := d.raise(ctx, start, io.Discard)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.world.Close()) }()
	return s.perform(ctx, audience)
}

// raise makes the world of the story, in which Colony writes its log to a journal.
func (d Production) raise(ctx context.Context, start time.Time, journal io.Writer) (*stage, error) {
	life, err := d.Life()
	if err != nil {
		return nil, err
	}
	s := &stage{Production: d, pulls: map[int]int{}, life: life, clock: clockwork.NewFakeClockAt(start)}
	s.world, err = Open(ctx, Options{
		Production: d, Address: "127.0.0.1:0", Clock: s.clock, Log: s.log(journal), SweepOnce: true,
	})
	if err != nil {
		return nil, err
	}
	s.hands = newHands(s.world.Playground)
	return s, nil
}

// log writes to a journal, and keeps the warnings.
func (s *stage) log(journal io.Writer) zerolog.Logger {
	warnings := &zerolog.FilteredLevelWriter{Writer: zerolog.LevelWriterAdapter{Writer: &s.warnings}, Level: zerolog.WarnLevel}
	return zerolog.New(zerolog.MultiLevelWriter(warnings, journal)).Level(zerolog.InfoLevel)
}

// perform plays the story.
func (s *stage) perform(ctx context.Context, audience Audience) error {
	s.clock.Advance(pace)
	s.world.Install()
	if err := s.rest(ctx); err != nil {
		return err
	}
	labels, err := s.labels(ctx)
	if err != nil {
		return err
	}
	audience.Begin(Prologue{Repository: Owner + "/" + Repository, Issues: len(s.board), Labels: labels, People: s.People})
	for _, next := range s.story {
		s.clock.Advance(pace)
		played, err := s.play(ctx, next)
		if err != nil {
			return err
		}
		audience.Scene(played)
		if len(played.Wrong) > 0 {
			return ErrUnexpected
		}
	}
	summary, err := s.summary(ctx, s.warnings.all())
	summary.Scenes = len(s.story)
	if err != nil {
		return err
	}
	audience.End(summary)
	if len(summary.Unexpected) > 0 {
		return ErrUnexpected
	}
	return nil
}

// labels counts the labels of the lifecycle in the repository, and fails for one that is not as the lifecycle wants it.
func (s *stage) labels(ctx context.Context) (int, error) {
	client, err := s.hands.of(onlooker)
	if err != nil {
		return 0, err
	}
	for _, want := range s.life.Labels() {
		is, _, err := client.Issues.GetLabel(ctx, Owner, Repository, url.PathEscape(want.Label))
		if err != nil {
			return 0, fmt.Errorf("look for the label %s: %w", want.Label, err)
		}
		if is.GetColor() != want.Color || !strings.HasPrefix(is.GetDescription(), want.Description) {
			return 0, fmt.Errorf("the label %s is %s %q: %w", want.Label, is.GetColor(), is.GetDescription(), ErrUnexpected)
		}
	}
	return len(s.life.Labels()), nil
}

func (s *stage) play(ctx context.Context, next scene) (Played, error) {
	s.issue, s.command = next.issue, 0
	played := Played{Chapter: next.chapter, Tells: next.tells, Issue: next.issue, Must: next.sees}
	began := s.clock.Now()
	for _, a := range next.acts {
		s.clock.Advance(breath)
		played.Acts = append(played.Acts, a.tells)
		if err := a.does(ctx, s); err != nil {
			return played, err
		}
		if err := s.rest(ctx); err != nil {
			return played, fmt.Errorf("after %q: %w", a.tells, err)
		}
	}
	var err error
	played.Sees, err = s.look(ctx, began)
	played.Wrong = played.Sees.differs(next.sees)
	return played, err
}

// patience is how long, in the time of the story, tasks may wait.
const patience = 5 * time.Minute

// rest lets Colony finish: it lets time pass as long as tasks wait.
func (s *stage) rest(ctx context.Context) error {
	began := s.clock.Now()
	for {
		if err := s.world.Rest(ctx); err != nil {
			return err
		}
		delayed, _, err := s.world.putOff(ctx)
		if err != nil || delayed == 0 {
			return err
		}
		if s.clock.Since(began) > patience {
			return fmt.Errorf("%d tasks still wait after %s", delayed, patience)
		}
		s.clock.Advance(time.Second)
	}
}

// onlooker reads what is to be seen.
const onlooker = "rita"

func (s *stage) look(ctx context.Context, since time.Time) (Sight, error) {
	client, err := s.hands.of(onlooker)
	if err != nil {
		return Sight{}, err
	}
	var sight Sight
	labels, _, err := client.Issues.ListLabelsByIssue(ctx, Owner, Repository, s.issue, &github.ListOptions{PerPage: 100})
	if err != nil {
		return sight, fmt.Errorf("look at the labels of #%d: %w", s.issue, err)
	}
	for _, l := range labels {
		if name, isColonys := strings.CutPrefix(l.GetName(), label("")); isColonys {
			sight.Labels = append(sight.Labels, name)
		}
	}
	slices.Sort(sight.Labels)
	said, err := colonySaid(ctx, client, s.issue, since)
	if err != nil {
		return sight, err
	}
	for _, comment := range said {
		trail, is := wording.TrailOf(s.issue, comment)
		if !is {
			sight.Says = append(sight.Says, comment)
		}
		for _, m := range trail {
			if !m.At.Before(since) {
				sight.Trail = append(sight.Trail, inTrail(m))
			}
		}
	}
	if pull := s.pulls[s.issue]; pull != 0 {
		if sight.OnPull, err = colonySaid(ctx, client, pull, since); err != nil {
			return sight, err
		}
	}
	if s.command == 0 {
		return sight, nil
	}
	reactions, _, err := client.Reactions.ListIssueCommentReactions(ctx, Owner, Repository, s.command, nil)
	if err != nil {
		return sight, fmt.Errorf("look at the reactions on #%d: %w", s.issue, err)
	}
	for _, r := range reactions {
		if r.GetUser().GetLogin() == colonyBot {
			sight.Reaction += r.GetContent()
		}
	}
	return sight, nil
}

// inTrail is a move as the trail of an issue tells it, on one line.
func inTrail(m wording.RecordedMove) string {
	line := fmt.Sprintf("%s -> %s: %s", m.From, m.To, strings.TrimSuffix(m.Why, "."))
	if m.About != "" {
		line += " (" + m.About + ")"
	}
	return line
}

// trails are the trails of all issues, as they are in the end.
func (s *stage) trails(ctx context.Context) (trails []Trail, err error) {
	client, err := s.hands.of(onlooker)
	if err != nil {
		return nil, err
	}
	all, _, err := client.Issues.ListByRepo(ctx, Owner, Repository, &github.IssueListByRepoOptions{State: "all", Sort: "created", Direction: "asc", ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		return nil, fmt.Errorf("list the issues: %w", err)
	}
	for _, i := range all {
		if i.IsPullRequest() {
			continue
		}
		said, err := colonySaid(ctx, client, i.GetNumber(), time.Time{})
		if err != nil {
			return nil, err
		}
		for _, comment := range said {
			moves, is := wording.TrailOf(i.GetNumber(), comment)
			if !is {
				continue
			}
			trail := Trail{Issue: i.GetNumber(), Title: i.GetTitle()}
			for _, m := range moves {
				trail.Moves = append(trail.Moves, inTrail(m))
			}
			trails = append(trails, trail)
		}
	}
	return trails, nil
}

// colonySaid returns what Colony has written since a time on an issue or pull request.
func colonySaid(ctx context.Context, client *github.Client, number int, since time.Time) ([]string, error) {
	comments, _, err := client.Issues.ListComments(ctx, Owner, Repository, number, &github.IssueListCommentsOptions{
		Since: &since, ListOptions: github.ListOptions{PerPage: 100},
	})
	if err != nil {
		return nil, fmt.Errorf("look at the comments of #%d: %w", number, err)
	}
	var said []string
	for _, c := range comments {
		if c.GetUser().GetLogin() == colonyBot {
			said = append(said, c.GetBody())
		}
	}
	return said, nil
}

const colonyBot = "colony[bot]"

// busy is what the queue and its engine warn of where the machine has much else to do, each by a phrase.
var busy = []string{"took too long", "Readloop processing time", "queue: NATS is silent"}

// summary looks for what should not have happened anywhere.
func (s *stage) summary(ctx context.Context, warnings []string) (Summary, error) {
	p := s.world.Playground
	sum := Summary{Calls: len(p.Calls())}
	var err error
	if sum.Trails, err = s.trails(ctx); err != nil {
		return sum, err
	}
	for _, asked := range p.Unimplemented() {
		sum.Unexpected = append(sum.Unexpected, "the playground does not implement "+asked)
	}
	for _, d := range p.Deliveries() {
		sum.Deliveries++
		switch {
		case d.Dropped:
			sum.Lost++
		case d.StatusCode < http.StatusOK || d.StatusCode >= http.StatusMultipleChoices:
			sum.Unexpected = append(sum.Unexpected, fmt.Sprintf("Colony answered %s.%s with %d (%s)", d.Event, d.Action, d.StatusCode, d.Status))
		}
	}
	for _, line := range warnings {
		if slices.ContainsFunc(slices.Concat(busy, s.warns), func(phrase string) bool { return strings.Contains(line, phrase) }) {
			continue
		}
		sum.Unexpected = append(sum.Unexpected, "Colony logged "+line)
	}
	_, dead, err := s.world.putOff(ctx)
	if err != nil {
		return sum, err
	}
	if dead > 0 {
		sum.Unexpected = append(sum.Unexpected, fmt.Sprintf("Colony gave up %d tasks", dead))
	}
	crowded, err := s.crowded(ctx)
	sum.Unexpected = append(sum.Unexpected, crowded...)
	return sum, err
}

// crowded finds the issues that do not have exactly one state.
func (s *stage) crowded(ctx context.Context) ([]string, error) {
	client, err := s.hands.of(onlooker)
	if err != nil {
		return nil, err
	}
	all, _, err := client.Issues.ListByRepo(ctx, Owner, Repository, &github.IssueListByRepoOptions{State: "all", ListOptions: github.ListOptions{PerPage: 100}})
	if err != nil {
		return nil, fmt.Errorf("look at all issues: %w", err)
	}
	var found []string
	for _, issue := range all {
		if issue.IsPullRequest() {
			continue
		}
		var states []string
		for _, l := range issue.Labels {
			if _, isState := s.life.StateOf(l.GetName()); isState {
				states = append(states, l.GetName())
			}
		}
		untouched := len(states) == 0 && slices.Contains(s.untouched, issue.GetNumber())
		if len(states) != 1 && !untouched {
			found = append(found, fmt.Sprintf("#%d has the states %v", issue.GetNumber(), states))
		}
	}
	return found, nil
}

// lines keeps what is written to it, one entry a line. It is safe for concurrent use.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p) //nolint:wrapcheck // a buffer does not fail
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.FieldsFunc(l.text.String(), func(r rune) bool { return r == '\n' })
}
