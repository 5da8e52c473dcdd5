package issues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

// Ask says what is to be read of an issue in addition to its labels.
type Ask struct {
	Needs []lifecycle.Reading
	// Links are what commands made of the issue's dependencies.
	Links commands.Links
	// PullRequest is one that GitHub reported, so that it is found before GitHub's search and timelines show it; else 0. PullRequestUpdated is when
	// GitHub had changed it last, by what its webhook says.
	PullRequest        int
	PullRequestUpdated time.Time
	// Planned lists the files that the issue is going to change, which count until it has an open pull request; a name with a slash at its end is a
	// folder. It is asked only if they matter; nil: no files are planned.
	Planned func(context.Context) ([]string, error)
	// Approval says who approved the issue, and when; nil if it was not approved, or if that does not matter in its state.
	Approval *Approval
	// Outcome returns what the labels of an issue of the same repository tell of its work; nil: they tell nothing.
	Outcome func(labels []string) lifecycle.Outcome
	// Heads says that the pull requests were approved as well.
	Heads bool
}

// Found is what holds for an issue in addition to its labels.
type Found struct {
	statemachine.Facts
	// Behind says that GitHub does not show yet what it reported: no decision must depend on it.
	Behind bool
	// Unread says what could not be read because GitHub refuses it for good, for want of a permission perhaps: nothing is observed
	// of it, so that it moves nothing. Refused lists the readings.
	Unread  error
	Refused []lifecycle.Reading
	// Unsettled says that GitHub is still finding out whether a pull request conflicts, so that Colony has to ask again soon.
	Unsettled bool
	// Elsewhere says that an issue of another repository counts, or a pull request that this one depends on: no issue here changes with it.
	Elsewhere bool
}

// Facts reads what holds for an issue in addition to its labels. Only the readings that are asked for are made, and the readings that they need. An
// error means that something could not be read now, never that it is not so.
func (s *Store) Facts(ctx context.Context, v View, ask Ask) (Found, error) {
	if len(ask.Needs) == 0 {
		return Found{}, nil
	}
	r := s.reading(v, ask)
	for _, need := range ask.Needs {
		read, known := readings[need]
		if !known {
			return Found{}, fmt.Errorf("read the facts of %s: there is no reading %q", v.Ref, need)
		}
		observed := len(r.found.Observed)
		if err := read(ctx, r); err != nil {
			err = fmt.Errorf("read the %s of %s: %w", strings.ReplaceAll(string(need), "-", " "), v.Ref, err)
			if !IsPermanent(err) {
				return Found{}, err
			}
			r.found.Unread, r.found.Refused = errors.Join(r.found.Unread, err), append(r.found.Refused, need)
			r.found.Observed = r.found.Observed[:observed]
		}
		r.found.Read = append(r.found.Read, need)
	}
	r.found.Behind = r.pulls.behind
	r.found.Elsewhere = r.depends.others
	return r.found, nil
}

// readings are the ways to read facts. Comments are not among them: they are read together with the commands.
var readings = map[lifecycle.Reading]func(context.Context, *reading) error{
	lifecycle.ReadEdits:        edits,
	lifecycle.ReadPullRequests: pullRequestFacts,
	lifecycle.ReadReviews:      reviews,
	lifecycle.ReadApprovals:    approvals,
	lifecycle.ReadChecks:       checks,
	lifecycle.ReadFiles:        overlaps,
	lifecycle.ReadDependencies: dependencyFacts,
	lifecycle.ReadCycles:       cycles,
	lifecycle.ReadEarly:        early,
	lifecycle.ReadSubIssues:    subIssues,
	lifecycle.ReadClosing:      closing,
	lifecycle.ReadPushes:       pushes,
}

// reading is one reading of facts under way. What several of them need is read once.
type reading struct {
	client *github.Client
	people people
	// comments reads what is said.
	comments comments
	view     View
	ask      Ask
	pulls    *issuePulls
	depends  *dependencies
	found    Found
	// changed is what became of what was approved.
	changed Changed
}

func (s *Store) reading(v View, ask Ask) *reading {
	client := s.client(v.Ref.Repository)
	return &reading{
		client: client, people: s.people, comments: s.comments, view: v, ask: ask, pulls: s.pullsOf(client, v, ask),
		depends: &dependencies{onlookers: s.onlookers(v.Ref), client: client, view: v, links: ask.Links, outcome: ask.Outcome},
	}
}

func (r *reading) observe(fact lifecycle.Fact, at time.Time, about string) {
	r.observeAt(fact, at, about, "")
}

// observeAt observes what can be seen at an address.
func (r *reading) observeAt(fact lifecycle.Fact, at time.Time, about, link string) {
	r.add(statemachine.Observation{Fact: fact, At: at, About: about, Link: link})
}

func (r *reading) add(o statemachine.Observation) {
	if !slices.Contains(r.found.Observed, o) {
		r.found.Observed = append(r.found.Observed, o)
	}
}
