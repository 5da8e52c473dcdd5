package policy

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// settingsFiles is a GitHub whose repositories have a file of settings or none, which both of its interfaces tell.
type settingsFiles struct {
	texts     map[string]string // by the name of the repository
	untold    []string          // the repositories of which a question does not tell all
	fails     error             // what a question is answered with
	during    func()            // is called by each question
	asked     [][]string        // the repositories of each question
	fromLists []string          // the repositories of which a list was read
}

func (s *settingsFiles) NewInstallationClient(int64) (*github.Client, error) {
	return github.NewClient(&http.Client{Transport: s}), nil
}

func (s *settingsFiles) RoundTrip(r *http.Request) (*http.Response, error) {
	name, at, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/repos/acme/"), "/contents/")
	status, body := http.StatusNotFound, "{}"
	text, there := s.texts[name]
	file := fmt.Sprintf(`{"type": "file", "name": "colony.yml", "path": %q, "sha": %q, "encoding": "base64", "content": %q}`, SettingsFile, text, base64.StdEncoding.EncodeToString([]byte(text)))
	if at == SettingsFolder {
		s.fromLists = append(s.fromLists, name)
		file = "[" + file + "]"
	}
	if there {
		status, body = http.StatusOK, file
	}
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// Files implements Files.
func (s *settingsFiles) Files(_ context.Context, of []issues.Repository, folder string, names ...string) (all []issues.Files, err error) {
	var asked []string
	for _, repo := range of {
		asked = append(asked, repo.Name)
		f := issues.Files{Whole: !slices.Contains(s.untold, repo.Name), ByName: map[string]issues.File{}}
		if text, there := s.texts[repo.Name]; there && f.Whole && folder == SettingsFolder && slices.Contains(names, "colony.yml") {
			f.ByName["colony.yml"] = issues.File{Blob: text, Text: []byte(text)}
		}
		all = append(all, f)
	}
	s.asked = append(s.asked, asked)
	if s.during != nil {
		s.during()
	}
	return all, s.fails
}

func learning(t *testing.T) (*settingsFiles, *Cache, *clockwork.FakeClock) {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	clock, gitHub := clockwork.NewFakeClock(), &settingsFiles{texts: map[string]string{}}
	return gitHub, NewCache(gitHub, New(life, nil, "a test").Automate(Settings{Intake: new(DefaultIntake())}), time.Hour, clock, zerolog.Nop()), clock
}

func named(name string) issues.Repository {
	return issues.Repository{Installation: 7, Owner: "acme", Name: name}
}

func labelled(label int) string {
	return fmt.Sprintf("intake: {when: labelled, labels: [go-%d]}\n", label)
}

// What was learned by questions is what reading says, and is not read.
func TestWhatIsLearnedIsWhatIsRead(t *testing.T) {
	t.Parallel()
	gitHub, c, clock := learning(t)
	reading := NewCache(gitHub, c.server, time.Hour, clock, zerolog.Nop())
	pushed := func(repo issues.Repository) {
		c.Invalidate(repo)
		reading.Invalidate(repo)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	var all []issues.Repository
	for n := range 6 {
		all = append(all, named(fmt.Sprint("part-", n)))
	}
	learnt := 0
	for range 400 {
		repo := all[rng.IntN(len(all))]
		gitHub.untold, gitHub.fails, gitHub.during = nil, nil, nil
		for _, one := range all {
			if rng.IntN(2) == 0 {
				pushed(one)
			}
		}
		switch rng.IntN(7) {
		case 0:
			gitHub.texts[repo.Name] = labelled(rng.IntN(3))
			pushed(repo)
		case 1:
			delete(gitHub.texts, repo.Name)
			pushed(repo)
		case 2:
			gitHub.texts[repo.Name] = "intake: nonsense\n"
			pushed(repo)
		case 3:
			clock.Advance(time.Duration(rng.Int64N(int64(time.Hour))))
		case 4:
			gitHub.untold = []string{repo.Name}
		case 5:
			gitHub.fails = errors.New("no")
		case 6: // a push while GitHub answers: the answer is of before
			gitHub.during = func() {
				gitHub.texts[repo.Name] = labelled(rng.IntN(3))
				pushed(repo)
			}
		}
		if err := c.Learn(t.Context(), gitHub, all); err != nil && !errors.Is(err, gitHub.fails) {
			t.Fatal(err)
		}
		for _, one := range all {
			got, err := c.Get(t.Context(), one)
			if err != nil {
				t.Fatal(err)
			}
			want, err := reading.Get(t.Context(), one)
			if err != nil || got.Version() != want.Version() || len(got.InvalidFiles) != len(want.InvalidFiles) {
				t.Fatalf("%s: learned %s, read %s, %v", one, got.Version(), want.Version(), err)
			}
		}
		if len(gitHub.asked) > 0 {
			learnt++
		}
		gitHub.asked = nil
	}
	if learnt < 100 {
		t.Errorf("%d questions: this shows nothing", learnt)
	}
}

// Fifty repositories are one question, and one whose files are known is not asked about. What is not told is read.
func TestHowManyQuestionsAreAsked(t *testing.T) {
	t.Parallel()
	gitHub, c, clock := learning(t)
	gitHub.texts["part-1"] = labelled(1)
	gitHub.texts["part-2"] = labelled(2) + strings.Repeat("#", lifecycle.MaxFile)
	gitHub.untold = []string{"part-3"}
	var all []issues.Repository
	for n := range 120 {
		all = append(all, named(fmt.Sprint("part-", n)))
	}
	if err := c.Learn(t.Context(), gitHub, all); err != nil || len(gitHub.asked) != 3 || len(gitHub.asked[0]) != 50 || len(gitHub.asked[2]) != 20 {
		t.Errorf("%d questions, %v", len(gitHub.asked), err)
	}
	for _, repo := range all {
		if _, err := c.Get(t.Context(), repo); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{".github", "part-2", "part-3"}; !slices.Equal(slices.Sorted(slices.Values(gitHub.fromLists)), want) {
		t.Errorf("read from lists: %v", gitHub.fromLists)
	}
	gitHub.asked, gitHub.fromLists = nil, nil
	if err := c.Learn(t.Context(), gitHub, all); err != nil || gitHub.asked != nil {
		t.Errorf("asked again: %v, %v", gitHub.asked, err)
	}
	clock.Advance(time.Hour)
	gitHub.fails = errors.New("no")
	if err := c.Learn(t.Context(), gitHub, all); !errors.Is(err, gitHub.fails) || len(gitHub.asked) != 1 {
		t.Errorf("after an error: %d questions, %v", len(gitHub.asked), err)
	}
}

// A cache that takes files for those of each repository goes on to.
func TestWhatIsInsteadOfFilesStaysThat(t *testing.T) {
	t.Parallel()
	gitHub, c, _ := learning(t)
	gitHub.texts["part-1"] = labelled(1)
	other := c.Instead(map[string][]byte{SettingsFile: []byte(labelled(2))})
	if err := other.Learn(t.Context(), gitHub, []issues.Repository{named("part-1")}); err != nil {
		t.Fatal(err)
	}
	got, err := other.Get(t.Context(), named("part-1"))
	if err != nil || !slices.Equal(got.Intake.Labels, []string{"go-2"}) {
		t.Errorf("%+v, %v", got.Intake, err)
	}
}
