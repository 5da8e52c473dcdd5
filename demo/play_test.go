package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/golden"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"
)

// monday is when stories begin in tests, so that the transcript always has the same times.
var monday = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// callsOf is what differs from run to run: requests for one issue that are joined are one.
var callsOf = regexp.MustCompile(`\d+ calls`)

func played(t *testing.T, story []scene) (transcript string, err error) {
	t.Helper()
	return playedBy(t, colonyProduction, story)
}

func playedBy(t *testing.T, production Production, story []scene) (transcript string, err error) {
	t.Helper()
	var text bytes.Buffer
	writer := NewTranscript(&text)
	production.story = story
	err = production.Play(t.Context(), monday, writer)
	if writer.Err() != nil {
		t.Error(writer.Err())
	}
	return text.String(), err
}

// facts shows of Colony's comments only the phrases that must be in them: commands/wording tests the sentences.
type facts struct{ *Transcript }

func (f facts) Scene(p Played) {
	if len(p.Wrong) == 0 && len(p.Must.Says) > 0 {
		p.Sees.Says = []string{strings.Join(p.Must.Says, "\n")}
	}
	if len(p.Wrong) == 0 && len(p.Must.OnPull) > 0 {
		p.Sees.OnPull = []string{strings.Join(p.Must.OnPull, "\n")}
	}
	f.Transcript.Scene(p)
}

func TestTheStoriesGoAsTheyMust(t *testing.T) {
	for _, production := range Productions() {
		t.Run(production.Lifecycle, func(t *testing.T) {
			t.Parallel()
			goesAsItMust(t, production)
		})
	}
}

func goesAsItMust(t *testing.T, production Production) {
	t.Helper()
	var text bytes.Buffer
	var journal lines
	s, err := production.raise(t.Context(), monday, &journal)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.world.Close(); err != nil {
			t.Error(err)
		}
	}()
	err = s.perform(t.Context(), facts{NewTranscript(&text)})
	got := text.String()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	for _, lack := range s.witness(t, []byte(strings.Join(journal.all(), "\n"))).lacks(s.life) {
		t.Errorf("the story does not show %s", lack)
	}
	got = callsOf.ReplaceAllString(got, "some calls")
	golden.Hold(t, filepath.Join("testdata", production.Lifecycle+".txt"), got)
}

// A story that does not go as it must ends at that scene, with what was expected and what was seen.
func TestAStoryThatGoesWrongSaysInWhat(t *testing.T) {
	for _, c := range []struct {
		name string
		sees Sight
		want string
	}{
		{
			"labels",
			Sight{Labels: on("done"), Says: []string{"Did you mean `/colony:pause`?"}, Reaction: refused},
			"WRONG: labels\n    expected  [colony:done]\n    got       [colony:analyzing]\n",
		},
		{
			"no comment",
			Sight{Labels: on("analyzing"), Reaction: refused},
			"WRONG: comments\n    expected  no comment\n    got       `paus` is not a command.",
		},
		{
			"another comment",
			Sight{Labels: on("analyzing"), Says: []string{"Certainly."}, Reaction: refused},
			"WRONG: comments\n    expected  Certainly.\n    got       `paus` is not a command.",
		},
		{
			"reaction",
			Sight{Labels: on("analyzing"), Says: []string{"Did you mean `/colony:pause`?"}, Reaction: accepted},
			"WRONG: reaction\n    expected  👍\n    got       😕\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			transcript, err := played(t, []scene{
				{issue: crash, acts: []act{writes("tara", "/colony:paus")}, sees: c.sees},
				{issue: crash, tells: "never played"},
			})
			if !errors.Is(err, ErrUnexpected) {
				t.Errorf("error %v", err)
			}
			if !strings.Contains(transcript, c.want) || strings.Contains(transcript, "never played") {
				t.Errorf("transcript:\n%s", transcript)
			}
		})
	}
}

// The end reports what goes wrong beside the scenes.
func TestTheEndReportsWhatShouldNotHaveHappened(t *testing.T) {
	asks := act{"somebody asks for what is not there", func(ctx context.Context, s *stage) error {
		client, err := s.hands.of("tara")
		if err != nil {
			return err
		}
		_, _, err = client.Issues.ListMilestones(ctx, Owner, Repository, nil)
		var answer *github.ErrorResponse
		if !errors.As(err, &answer) || answer.Response.StatusCode != 501 {
			t.Errorf("milestones: %v", err)
		}
		return nil
	}}
	forges := act{"GitHub does not sign", func(_ context.Context, s *stage) error {
		s.world.Playground.SetWebhookURL(AppID, s.world.ColonyURL+"/nowhere")
		return s.hands.put(t.Context(), "tara", s.issue, label("planning"))
	}}
	transcript, err := played(t, []scene{{issue: taken, acts: []act{asks, forges}, sees: Sight{Labels: on("new", "planning")}}})
	if !errors.Is(err, ErrUnexpected) {
		t.Errorf("error %v", err)
	}
	for _, want := range []string{
		"UNEXPECTED: the playground does not implement GET /repos/", "UNEXPECTED: Colony answered issues.labeled with 404",
		"UNEXPECTED: #2 has the states [colony:new colony:planning]",
	} {
		if !strings.Contains(transcript, want) {
			t.Errorf("it does not report %q:\n%s", want, transcript)
		}
	}
}

func TestColonyHasNothingToSayAboutTheBoard(t *testing.T) {
	for name, clock := range map[string]clockwork.Clock{"the real clock": clockwork.NewRealClock(), "a clock that stands": clockwork.NewFakeClockAt(monday)} {
		t.Run(name, func(t *testing.T) {
			var log lines
			world, err := Open(t.Context(), Options{Production: colonyProduction, Address: "127.0.0.1:0", Clock: clock, Log: zerolog.New(&log).Level(zerolog.WarnLevel)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := world.Close(); err != nil {
					t.Error(err)
				}
				if warnings := log.all(); len(warnings) > 0 {
					t.Errorf("logged: %q", warnings)
				}
			})
			world.Install()
			if err := world.Rest(t.Context()); err != nil {
				t.Fatal(err)
			}
			client, err := newHands(world.Playground).of(onlooker)
			if err != nil {
				t.Fatal(err)
			}
			for number := range colonyBoard {
				// Whatever is written on an issue makes Colony reconcile it.
				if _, err := newHands(world.Playground).write(t.Context(), onlooker, number+1, "Any news?"); err != nil {
					t.Fatal(err)
				}
			}
			if err := world.Rest(t.Context()); err != nil {
				t.Fatal(err)
			}
			for number, issue := range colonyBoard {
				is, _, err := client.Issues.Get(t.Context(), Owner, Repository, number+1)
				if err != nil {
					t.Fatal(err)
				}
				var labels, want []string
				for _, l := range is.Labels {
					labels = append(labels, l.GetName())
				}
				if len(issue.moves) > 0 {
					want = []string{label(issue.moves[len(issue.moves)-1].to)}
				}
				if diff := cmp.Diff(want, labels); diff != "" || is.GetComments() != 1 {
					t.Errorf("%s has %d comments and the labels %s", issue.title, is.GetComments(), diff)
				}
			}
		})
	}
}

// Warnings of the queue and its engine on a busy machine are not part of the story; everything else is.
func TestABusyMachineIsNotUnexpected(t *testing.T) {
	s, err := prpProduction.raise(t.Context(), monday, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.world.Close(); err != nil {
			t.Error(err)
		}
	}()
	s.world.Install()
	if err := s.rest(t.Context()); err != nil {
		t.Fatal(err)
	}
	sum, err := s.summary(t.Context(), []string{
		`{"level":"warn","component":"nats","message":"Internal subscription on \"$JS.API.CONSUMER.INFO\" took too long: 2.6s"}`,
		`{"level":"warn","component":"nats","message":"pipe - cid:5 - \"v1:go:colony\" - Readloop processing time: 2.6s"}`,
		`{"level":"warn","error":"nats: no heartbeat received","message":"queue: NATS is silent"}`,
		`{"level":"warn","component":"nats","message":"the disk is full"}`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(sum.Unexpected) != 1 || !strings.Contains(sum.Unexpected[0], "the disk is full") {
		t.Errorf("unexpected is %q", sum.Unexpected)
	}
}

func TestAWorldCannotBeWhereAnotherIs(t *testing.T) {
	first, err := Open(t.Context(), Options{Production: colonyProduction, Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Open(t.Context(), Options{Production: colonyProduction, Address: strings.TrimPrefix(first.GitHubURL, "http://")}); err == nil || second != nil {
		t.Errorf("%v, %v", second, err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := first.Rest(t.Context()); !errors.Is(err, errColonyEnded) {
		t.Errorf("who waits for a world that has ended gets %v", err)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
}
