package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/statemachine"
)

// ErrUnexpected says that the story did not go as it must. The transcript says in what.
var ErrUnexpected = errors.New("the story did not go as it must")

const (
	pace     = 7 * time.Minute  // between two scenes
	breath   = 20 * time.Second // before each act
	patience = 5 * time.Minute  // how long, in the time of the story, tasks may wait
)

// sight is what is to be seen on an issue after a scene.
type sight struct {
	// Labels are Colony's labels on it, sorted, without "colony:".
	Labels []string
	// Says are the comments that Colony has written since the scene began; of the one that must be, a few of its phrases.
	Says []string
	// Pull are Colony's comments on the issue's pull request, in the same way.
	Pull []string
	// Reaction is Colony's on the command that was written in the scene; empty if there is none.
	Reaction string
	trail    []string // the moves that Colony wrote down in the issue's trail since the scene began
}

// stage is where the scenes of a story are played.
type stage struct {
	Production
	life     *statemachine.Table
	world    *World
	clock    *clockwork.FakeClock
	warnings lines // of Colony
	to       transcript

	pulls   map[int]int // the pull request of an issue
	pushed  int         // commits so far, so that no two are the same
	issue   int         // of the scene that is played
	command int64       // the comment with a command that was written in it last
}

// Play plays the story in a world of its own, in which it is start when it begins, and writes to w what happens. It stops at the
// first scene that does not go as it must and returns ErrUnexpected then; other errors say what could not be done at all.
func (d Production) Play(ctx context.Context, start time.Time, w io.Writer) (err error) {
	s, err := d.raise(ctx, start, w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.world.Close()) }()
	return errors.Join(s.perform(ctx), s.to.err)
}

// raise makes the world of the story.
func (d Production) raise(ctx context.Context, start time.Time, w io.Writer) (*stage, error) {
	life, err := d.Life()
	if err != nil {
		return nil, err
	}
	s := &stage{Production: d, pulls: map[int]int{}, life: life, clock: clockwork.NewFakeClockAt(start), to: transcript{to: w}}
	s.world, err = Open(ctx, Options{
		Production: d, Address: "127.0.0.1:0", Clock: s.clock, Log: zerolog.New(&s.warnings).Level(zerolog.WarnLevel), SweepOnce: true,
	})
	return s, err
}

func (s *stage) perform(ctx context.Context) error {
	s.clock.Advance(pace)
	s.world.Install()
	if err := s.rest(ctx); err != nil {
		return err
	}
	s.to.begin(s)
	for _, next := range s.Story {
		s.clock.Advance(pace)
		if err := s.play(ctx, next); err != nil {
			return err
		}
	}
	return s.end(ctx)
}

func (s *stage) play(ctx context.Context, next scene) error {
	s.issue, s.command = next.Issue, 0
	began := s.clock.Now()
	for _, does := range next.Acts {
		s.clock.Advance(breath)
		if err := s.act(ctx, does); err != nil {
			return err
		}
		if err := s.rest(ctx); err != nil {
			return fmt.Errorf("after %q: %w", does, err)
		}
	}
	sees, err := s.look(ctx, began)
	if err != nil {
		return err
	}
	s.to.scene(next, sees)
	wrong := sees.differs(next.Sees)
	for _, what := range wrong {
		s.to.line("  WRONG: %s", what)
	}
	if len(wrong) > 0 {
		return ErrUnexpected
	}
	return nil
}

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

// differs says in what a sight is not what it must be.
func (is sight) differs(must sight) (wrong []string) {
	slices.Sort(must.Labels)
	if !slices.Equal(is.Labels, must.Labels) {
		wrong = append(wrong, "the labels must be "+shown(must.Labels))
	}
	if is.Reaction != must.Reaction {
		wrong = append(wrong, fmt.Sprintf("the reaction must be %q", must.Reaction))
	}
	if !has(is.Says, must.Says) {
		wrong = append(wrong, fmt.Sprintf("the comment must have %q", must.Says))
	}
	if !has(is.Pull, must.Pull) {
		wrong = append(wrong, fmt.Sprintf("the comment on the pull request must have %q", must.Pull))
	}
	return wrong
}

// has reports whether there is one comment with all the phrases, or none if there are none.
func has(comments, phrases []string) bool {
	if len(comments) != min(len(phrases), 1) {
		return false
	}
	return !slices.ContainsFunc(phrases, func(phrase string) bool { return !strings.Contains(comments[0], phrase) })
}

// emoji are reactions as GitHub shows them, by its names.
var emoji = map[string]string{"+1": "👍", "confused": "😕", "-1": "👎"}

const colonyBot = "colony[bot]"

type user struct{ Login string }

// look looks at the issue of the scene, as somebody who may only read.
func (s *stage) look(ctx context.Context, since time.Time) (is sight, err error) {
	var issue struct{ Labels []struct{ Name string } }
	if err := s.call(ctx, onlooker, "GET", s.path(""), nil, &issue); err != nil {
		return is, err
	}
	for _, l := range issue.Labels {
		if name, isColonys := strings.CutPrefix(l.Name, label("")); isColonys {
			is.Labels = append(is.Labels, name)
		}
	}
	slices.Sort(is.Labels)
	written, err := s.written(ctx, s.issue, since)
	if err != nil {
		return is, err
	}
	for _, comment := range written {
		trail, isTrail := wording.TrailOf(s.issue, comment)
		if !isTrail {
			is.Says = append(is.Says, comment)
		}
		for _, m := range trail {
			if !m.At.Before(since) {
				is.trail = append(is.trail, inTrail(m))
			}
		}
	}
	if pull := s.pulls[s.issue]; pull != 0 {
		if is.Pull, err = s.written(ctx, pull, since); err != nil {
			return is, err
		}
	}
	if s.command == 0 {
		return is, nil
	}
	var reactions []struct {
		User    user
		Content string
	}
	err = s.call(ctx, onlooker, "GET", fmt.Sprintf("issues/comments/%d/reactions", s.command), nil, &reactions)
	for _, r := range reactions {
		if r.User.Login == colonyBot {
			is.Reaction += emoji[r.Content]
		}
	}
	return is, err
}

// written returns what Colony has written since a time on an issue or pull request.
func (s *stage) written(ctx context.Context, number int, since time.Time) (said []string, err error) {
	var comments []struct {
		User user
		Body string
	}
	err = s.call(ctx, onlooker, "GET", fmt.Sprintf("issues/%d/comments?per_page=100&since=%s", number, url.QueryEscape(since.UTC().Format(time.RFC3339))), nil, &comments)
	for _, c := range comments {
		if c.User.Login == colonyBot {
			said = append(said, c.Body)
		}
	}
	return said, err
}

// inTrail is a move as the trail of an issue tells it, on one line.
func inTrail(m wording.RecordedMove) string {
	line := fmt.Sprintf("%s -> %s: %s", m.From, m.To, strings.TrimSuffix(m.Why, "."))
	if m.About != "" {
		line += " (" + m.About + ")"
	}
	return line
}

// busy is what the queue and its engine warn of where the machine has much else to do, each by a phrase.
var busy = []string{"took too long", "Readloop processing time", "queue: NATS is silent"}

// end tells how the story went as a whole, and looks for what should not have happened anywhere.
func (s *stage) end(ctx context.Context) error {
	p := s.world.Playground
	var unexpected []string
	for _, asked := range p.Unimplemented() {
		unexpected = append(unexpected, "the playground does not implement "+asked)
	}
	lost, all := 0, p.Deliveries()
	for _, d := range all {
		switch {
		case d.Dropped:
			lost++
		case d.StatusCode < http.StatusOK || d.StatusCode >= http.StatusMultipleChoices:
			unexpected = append(unexpected, fmt.Sprintf("Colony answered %s.%s with %d (%s)", d.Event, d.Action, d.StatusCode, d.Status))
		}
	}
	for _, line := range s.warnings.all() {
		if !slices.ContainsFunc(slices.Concat(busy, s.Warns), func(phrase string) bool { return strings.Contains(line, phrase) }) {
			unexpected = append(unexpected, "Colony logged "+line)
		}
	}
	_, dead, err := s.world.putOff(ctx)
	if err != nil {
		return err
	}
	if dead > 0 {
		unexpected = append(unexpected, fmt.Sprintf("Colony gave up %d tasks", dead))
	}
	s.to.title("In the end")
	s.to.line("%d scenes, %d webhooks (%d of them lost), %d calls to the REST API.", len(s.Story), len(all), lost, len(p.Calls()))
	if len(unexpected) == 0 {
		s.to.line("Every webhook was answered, and nothing unexpected happened.")
		return nil
	}
	for _, what := range unexpected {
		s.to.line("UNEXPECTED: %s", what)
	}
	return ErrUnexpected
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

// transcript writes the story down for people. It keeps the first error of the writer.
type transcript struct {
	to  io.Writer
	err error
}

func (t *transcript) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.to, format+"\n", args...)
	}
}

func (t *transcript) title(text string) { t.line("%s\n%s\n", text, strings.Repeat("=", len(text))) }

func (t *transcript) begin(s *stage) {
	t.line("Colony is installed on %s/%s, which has %d issues, and has put its %d labels in order there.\n", Owner, Repository, len(s.Board), len(s.life.Labels()))
	roles := len("maintain  ")
	for _, person := range s.People {
		roles = max(roles, len(person.Role))
	}
	for _, person := range s.People {
		t.line("  %-13s %-*s %s", person.Login, roles, person.Role, person.Does)
	}
	t.line("")
}

var hidden = regexp.MustCompile(`(?s)<!--.*?-->`)

func (t *transcript) scene(of scene, is sight) {
	if of.Chapter != "" {
		t.title(of.Chapter)
	}
	t.block(fmt.Sprintf("#%d  ", of.Issue), of.Tells)
	for _, act := range of.Acts {
		t.block("  > ", act)
	}
	t.line("    %s", shown(is.Labels))
	if is.Reaction != "" {
		t.line("    %s", is.Reaction)
	}
	for _, said := range []struct {
		head  string
		texts []string
	}{{"Colony writes:", is.Says}, {"Colony writes on the pull request:", is.Pull}, {"The trail says why Colony moved it:", is.trail}} {
		for _, text := range said.texts {
			t.line("    %s", said.head)
			t.block("    | ", strings.TrimSpace(hidden.ReplaceAllString(text, "")))
		}
	}
	t.line("")
}

func shown(labels []string) string {
	if len(labels) == 0 {
		return "[no label of Colony's]"
	}
	return "[" + label(strings.Join(labels, "] [colony:")) + "]"
}

// width is where lines are broken.
const width = 110

// block writes a text behind a beginning. Further lines begin the same, or, unless that is a bar, with as much space.
func (t *transcript) block(begin, text string) {
	further := begin
	if !strings.HasSuffix(begin, "| ") {
		further = strings.Repeat(" ", len(begin))
	}
	for line := range strings.SplitSeq(text, "\n") {
		written := begin
		for word := range strings.SplitSeq(line, " ") {
			if len(written)+len(word) > width && len(written) > len(begin) {
				t.line("%s", strings.TrimRight(written, " "))
				written = further
			}
			written += word + " "
		}
		t.line("%s", strings.TrimRight(written, " "))
		begin = further
	}
}
