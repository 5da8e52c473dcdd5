package demo

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/golden"
)

// monday is when stories begin in tests, so that the transcript always has the same times.
var monday = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

func demoOf(t *testing.T, lifecycle string) Production {
	t.Helper()
	production, err := Of(lifecycle)
	if err != nil {
		t.Fatal(err)
	}
	return production
}

// played plays other scenes than those of the story.
func played(t *testing.T, lifecycle string, story ...scene) (transcript string, err error) {
	t.Helper()
	production := demoOf(t, lifecycle)
	production.Story = story
	var text bytes.Buffer
	err = production.Play(t.Context(), monday, &text)
	return text.String(), err
}

// at is a scene of an issue with one act.
func at(issue int, act, labels, reaction string, says ...string) scene {
	return scene{Issue: issue, Acts: []string{act}, Sees: sight{Labels: strings.Fields(labels), Reaction: reaction, Says: says}}
}

// callsOf is what differs from run to run: requests for one issue that are joined are one.
var callsOf = regexp.MustCompile(`\d+ calls`)

func TestTheStoriesGoAsTheyMust(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text bytes.Buffer
			if err := demoOf(t, name).Play(t.Context(), monday, &text); err != nil {
				t.Fatalf("%v\n%s", err, text.String())
			}
			if name == "prp" {
				golden.Hold(t, filepath.Join("testdata", name+".txt"), callsOf.ReplaceAllString(text.String(), "some calls"))
			}
		})
	}
}

// A story that does not go as it must ends at that scene, with what was expected.
func TestAStoryThatGoesWrongSaysInWhat(t *testing.T) {
	const slip, meant = "tara writes: /colony:paus", "Did you mean `/colony:pause`?"
	for want, wrong := range map[string]scene{
		"WRONG: the labels must be [colony:done]":           at(3, slip, "done", "😕", meant),
		"WRONG: the comment must have []":                   at(3, slip, "analyzing", "😕"),
		`WRONG: the comment must have ["Certainly."]`:       at(3, slip, "analyzing", "😕", "Certainly."),
		`WRONG: the reaction must be "👍"`:                   at(3, slip, "analyzing", "👍", meant),
		"WRONG: the comment on the pull request must have ": {Issue: 3, Acts: []string{slip}, Sees: sight{Labels: []string{"analyzing"}, Reaction: "😕", Says: []string{meant}, Pull: []string{"Hello."}}},
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			transcript, err := played(t, "colony", wrong, scene{Issue: 3, Tells: "never played"})
			if !errors.Is(err, ErrUnexpected) || strings.Count(transcript, "WRONG") != 1 || !strings.Contains(transcript, want) || strings.Contains(transcript, "never played") {
				t.Errorf("%v\n%s", err, transcript)
			}
		})
	}
	if _, err := played(t, "colony", at(3, "tara dances", "", "")); err == nil || !strings.Contains(err.Error(), `nobody knows how to do "tara dances"`) {
		t.Errorf("an act that there is not: %v", err)
	}
}

// The end reports what goes wrong outside of the scenes; what a busy machine makes the queue warn of is no part of that.
func TestTheEndReportsWhatShouldNotHaveHappened(t *testing.T) {
	var text bytes.Buffer
	s, err := demoOf(t, "prp").raise(t.Context(), monday, &text)
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
	if err := s.call(t.Context(), "tara", "GET", "milestones", nil, nil); err == nil || !strings.Contains(err.Error(), "501") {
		t.Errorf("milestones: %v", err)
	}
	s.world.Playground.SetWebhookURL(AppID, s.world.ColonyURL+"/nowhere")
	if err := putLabel(t.Context(), s.world.Playground, "tara", 1, "bug"); err != nil {
		t.Fatal(err)
	}
	if err := s.world.Playground.Quiet(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, warning := range []string{
		`Internal subscription on \"$JS.API.CONSUMER.INFO\" took too long: 2.6s`, `pipe - cid:5 - \"v1:go:colony\" - Readloop processing time: 2.6s`,
		`queue: NATS is silent`, `the disk is full`,
	} {
		fmt.Fprintf(&s.warnings, "{\"level\":\"warn\",\"message\":\"%s\"}\n", warning)
	}
	if err := s.end(t.Context()); !errors.Is(err, ErrUnexpected) || strings.Count(text.String(), "UNEXPECTED") != 3 {
		t.Errorf("%v\n%s", err, text.String())
	}
	for _, want := range []string{
		"UNEXPECTED: the playground does not implement GET /repos/", "UNEXPECTED: Colony answered issues.labeled with 404", "the disk is full",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("it does not report %q:\n%s", want, text.String())
		}
	}
}

func TestColonyHasNothingToSayAboutTheBoard(t *testing.T) {
	for name, clock := range map[string]clockwork.Clock{"the real clock": clockwork.NewRealClock(), "a clock that stands": clockwork.NewFakeClockAt(monday)} {
		t.Run(name, func(t *testing.T) {
			var log lines
			production := demoOf(t, "colony")
			world, err := Open(t.Context(), Options{Production: production, Address: "127.0.0.1:0", Clock: clock, Log: zerolog.New(&log).Level(zerolog.WarnLevel)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := world.Close(); err != nil {
					t.Error(err)
				}
				isBusy := func(line string) bool {
					return slices.ContainsFunc(busy, func(phrase string) bool { return strings.Contains(line, phrase) })
				}
				if warnings := slices.DeleteFunc(log.all(), isBusy); len(warnings) > 0 {
					t.Errorf("logged: %q", warnings)
				}
			})
			world.Install()
			if err := world.Rest(t.Context()); err != nil {
				t.Fatal(err)
			}
			for number := range production.Board { // whatever is written on an issue makes Colony reconcile it
				if err := call(t.Context(), world.Playground, onlooker, "POST", fmt.Sprintf("issues/%d/comments", number+1), object{"body": "Any news?"}, nil); err != nil {
					t.Fatal(err)
				}
			}
			if err := world.Rest(t.Context()); err != nil {
				t.Fatal(err)
			}
			for number, issue := range production.Board {
				var is struct {
					Labels   []struct{ Name string }
					Comments int
				}
				if err := call(t.Context(), world.Playground, onlooker, "GET", fmt.Sprintf("issues/%d", number+1), nil, &is); err != nil {
					t.Fatal(err)
				}
				var labels, want []string
				for _, l := range is.Labels {
					labels = append(labels, l.Name)
				}
				if len(issue.Moves) > 0 {
					_, last, _ := strings.Cut(issue.Moves[len(issue.Moves)-1], " ")
					want = []string{label(last)}
				}
				if diff := cmp.Diff(want, labels); diff != "" || is.Comments != 1 {
					t.Errorf("%s has %d comments and the labels %s", issue.Title, is.Comments, diff)
				}
			}
		})
	}
}

// Each promise of what is to be tried comes true, one after the other in the same world.
func TestWhatIsToBeTriedGoesAsPromised(t *testing.T) {
	for name, tries := range map[string][]scene{
		"colony": {
			at(6, "tara puts colony:in-review on it", "in-review", ""),
			at(8, "tara puts colony:new on it", "needs-human waiting-for-subtasks", "", "@tara"),
			at(3, "analyzer-bot puts colony:done on it", "failure-blocked needs-human", "", "/colony:retry"),
			at(3, "tara writes: /colony:retry", "analyzing", "👍"),
			at(7, "olivia writes: /colony:pause", "paused", "👍"),
			at(7, "olivia writes: /colony:resume", "in-review", "👍"),
			at(1, "rita writes: /colony:status", "", "👍", "`unlabeled`"),
			at(7, "rita writes: /colony:why done", "in-review", "👍", "`in-review` to `done`"),
			at(1, "rita writes: /colony:help", "", "👍", "`/colony:pause [reason]`"),
		},
		"four-eyes": {
			at(1, "tara writes: /colony:approve", "proposed", "😕", "`leads`"),
			at(1, "lena writes: /colony:approve", "proposed", "😕", "`not-the-author`"),
			at(1, "olivia writes: /colony:approve", "approved", "👍"),
			at(1, "lena edits the issue: With two codes.", "needs-human proposed", "", "+With two codes."),
			at(1, "1m pass", "needs-human proposed", ""),
			at(1, "olivia writes: /colony:approve", "approved", "👍"),
			at(1, "dev-bot puts colony:in-development on it", "approved", "", "`two-at-once`"),
			at(2, "tara puts colony:in-review on it", "in-review", ""),
			at(2, "tara puts colony:merging on it", "in-review", "", "`four-eyes`"),
			at(2, "lena puts colony:merging on it", "merging", ""),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if transcript, err := played(t, name, tries...); err != nil {
				t.Errorf("%v\n%s", err, transcript)
			}
		})
	}
}

func TestAWorldCannotBeWhereAnotherIs(t *testing.T) {
	first, err := Open(t.Context(), Options{Production: demoOf(t, "colony"), Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	if second, err := Open(t.Context(), Options{Production: demoOf(t, "colony"), Address: strings.TrimPrefix(first.GitHubURL, "http://")}); err == nil || second != nil {
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
