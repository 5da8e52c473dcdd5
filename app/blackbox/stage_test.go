package blackbox_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

var ctx = context.Background()

// TestMain lets more targets run at once than there are processors: the tests wait most of their time.
func TestMain(m *testing.M) {
	flag.Parse()
	if err := flag.Set("test.parallel", "5"); err != nil {
		panic(err) // the testing package has this flag
	}
	os.Exit(m.Run())
}

// scenario is one conversation.
type scenario struct {
	name string
	// needs are the capabilities without which there is nothing to see.
	needs []capability
	play  func(w *world)
}

// stage is a target with a Colony on it, on which scenarios are played one after the other.
type stage struct {
	*target
	colony *colony
	// atInstallation lists which labels the repository had once the App was installed, before any issue.
	atInstallation []string
	// unseen collects which scenarios could not be seen, or only in part, without which capability.
	unseen map[string][]string
}

// playAll plays every scenario on a target, and then reports what could not be seen there. That list is held against the one
// in testdata, if the target has one: nothing is skipped silently.
func playAll(t *testing.T, tg *target) {
	t.Helper()
	s := &stage{target: tg}
	s.setUp(t)
	for _, sc := range allScenarios() {
		t.Run(sc.name, func(t *testing.T) {
			for _, need := range sc.needs {
				if !s.can(need) {
					s.miss(sc.name, need, "Skipped")
				}
			}
			if lacking := slices.DeleteFunc(slices.Clone(sc.needs), s.can); len(lacking) > 0 {
				t.Skipf("%s lacks %s", s.name, join(lacking))
			}
			w := &world{t: t, stage: s, scenario: sc.name}
			sc.play(w)
			w.close()
		})
	}
	t.Run("nothing was skipped silently", s.reportUnseen)
}

func join(lacking []capability) string {
	var names []string
	for _, c := range lacking {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}

func (s *stage) miss(scenario string, c capability, how string) {
	under := how + " without " + string(c)
	if s.unseen == nil {
		s.unseen = map[string][]string{}
	}
	if !slices.Contains(s.unseen[under], scenario) {
		s.unseen[under] = append(s.unseen[under], scenario)
	}
}

// unseenText lists scenario × capability.
func (s *stage) unseenText() string {
	if len(s.unseen) == 0 {
		return "Everything was seen.\n"
	}
	var b strings.Builder
	for _, under := range slices.Sorted(maps.Keys(s.unseen)) {
		fmt.Fprintf(&b, "%s:\n", under)
		for _, scenario := range s.unseen[under] {
			fmt.Fprintf(&b, "- %s\n", scenario)
		}
	}
	return b.String()
}

func (s *stage) reportUnseen(t *testing.T) {
	text := s.unseenText()
	t.Logf("What was not seen on %s:\n%s", s.name, text)
	golden := filepath.Join("testdata", "unseen-"+s.name+".txt")
	want, err := os.ReadFile(golden)
	if errors.Is(err, os.ErrNotExist) && *onGitHub {
		return // people and rights differ from organization to organization
	}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" && !onlySome() {
		t.Errorf("what is not seen on %s is not what %s says (-want +got):\n%s", s.name, golden, diff)
	}
}

// onlySome reports whether -run chose among the scenarios; then the list is not whole.
func onlySome() bool {
	return strings.Contains(flag.Lookup("test.run").Value.String(), "/")
}

// setUp starts Colony and waits until the repository has its labels: what was labelled before is never judged.
func (s *stage) setUp(t *testing.T) {
	t.Helper()
	if s.colonyURL != "" {
		s.colony = &colony{url: s.colonyURL}
	} else {
		s.colony = startColony(t, s.target)
	}
	s.mail.to(s.colony.url)
	if s.connect != nil {
		s.connect(s.colony.url)
	}
	eventually(t, s.tick, s.deadline, func() (bool, string) {
		r, err := s.colony.ready(ctx)
		return err == nil && r.Ready, fmt.Sprint("a Colony that is ready: ", err)
	})
	if s.install != nil {
		s.install()
		s.waitForLabels(t)
		s.atInstallation = s.labels(t)
		return
	}
	w := &world{t: t, stage: s, scenario: "the sweep at the start"}
	i := w.open(operator, "The black-box tests begin.")
	i.label(operator, "colony:new")
	s.waitForLabels(t)
	w.quiet()
	if !s.can(colonysLog) {
		return
	}
	sweeps := w.sees(repositoryList)
	for _, line := range s.colony.log.errors() {
		if sweeps || !strings.Contains(line, "/installation/repositories") {
			t.Errorf("Colony logged: %s", line)
		}
	}
}

// waitForLabels waits for the label that every repository gets, and all of them where the repository opts in.
func (s *stage) waitForLabels(t *testing.T) {
	t.Helper()
	eventually(t, s.tick, s.deadline, func() (bool, string) {
		if err := s.mail.collect(ctx); err != nil {
			t.Fatal(err)
		}
		if rest, missing := s.colony.atRest(ctx); !rest {
			return false, missing
		}
		names := s.labels(t)
		return slices.Contains(names, "colony:forced") && (s.install == nil || slices.Contains(names, "colony:needs-human")), fmt.Sprintf("Colony's labels; there are %v", names)
	})
}

func (s *stage) labels(t *testing.T) []string {
	t.Helper()
	var names []string
	page := &github.ListOptions{PerPage: 100}
	for {
		labels, response, err := s.as(operator).Issues.ListLabels(ctx, s.owner, s.repo, page)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range labels {
			names = append(names, l.GetName())
		}
		if response.NextPage == 0 {
			return names
		}
		page.Page = response.NextPage
	}
}

// colonyLogin is what Colony's bot is called.
func (s *stage) colonyLogin() string { return s.app.slug + "[bot]" }

// isStatus reports whether GitHub answered with one of these.
func isStatus(err error, codes ...int) bool {
	var answer *github.ErrorResponse
	return errors.As(err, &answer) && slices.Contains(codes, answer.Response.StatusCode)
}

var refusals = []int{http.StatusForbidden, http.StatusNotFound}
