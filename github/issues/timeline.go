package issues

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v62/github"
	"github.com/maypok86/otter/v2"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/commands"
)

// The timeline of an issue tells which pull requests name it, with what they say now. Its pages are remembered as those of the log are;
// one on which a pull request of the repository is named is asked for each time, since its text may be edited.

// timelinesBytes bounds what is remembered of all timelines together. What was forgotten is read again, from the first page.
const timelinesBytes = 2 << 20

// knownTimeline is what is remembered of the timeline of an issue.
type knownTimeline struct {
	issue string // GraphQL's name of the issue
	since time.Time
	pages []timelinePage
}

// timelinePage is what is remembered of one page of a timeline.
type timelinePage struct {
	listPage
	closing []int // the pull requests of the repository that name the issue with a closing keyword
}

func (p timelinePage) list() listPage { return p.listPage }

// timelineLine is what is of use of one line of a timeline. Not every line has an id or a time of its own.
type timelineLine struct {
	ID          int64     `json:"id"`
	NodeID      string    `json:"node_id"`
	Event       string    `json:"event"`
	CreatedAt   time.Time `json:"created_at"`
	SubmittedAt time.Time `json:"submitted_at"`
	Source      *struct {
		Issue *github.Issue `json:"issue"`
	} `json:"source"`
}

// name is what a line is known by.
func (l timelineLine) name() string {
	source := int64(0)
	if l.Source != nil {
		source = l.Source.Issue.GetID()
	}
	return fmt.Sprintf("%s %d %s %d %d", l.Event, l.ID, l.NodeID, l.CreatedAt.UnixMilli(), source)
}

func newTimelines() *otter.Cache[string, knownTimeline] {
	return otter.Must(&otter.Options[string, knownTimeline]{ // only options that do not go together fail
		MaximumWeight: timelinesBytes,
		Weigher: func(key string, t knownTimeline) uint32 {
			weight := len(key) + pageBytes
			for _, p := range t.pages {
				weight += pageBytes + 8*len(p.closing)
			}
			return uint32(weight)
		},
		Executor: func(do func()) { do() }, // the bound holds as soon as something is remembered
	})
}

// crossReferences lists the pull requests that name the issue with a closing keyword, from its timeline
// (https://docs.github.com/rest/using-the-rest-api/issue-event-types#cross-referenced).
func (r *factReader) crossReferences(ctx context.Context) ([]int, error) {
	s, ref := r.store, r.view.Ref
	key := strings.ToLower(fmt.Sprintf("%d/%d/%s", ref.Installation, ref.ID, ref))
	now := s.Clock.Now()
	known, there := s.timelines.GetIfPresent(key)
	if !there || known.issue != r.view.NodeID || now.Sub(known.since) >= logKnownFor {
		known = knownTimeline{issue: r.view.NodeID, since: now}
	}
	read := func(before []timelinePage) ([]timelinePage, error) {
		settled := s.settledPages(listPages(before, timelinePage.list))
		return readPages(before, settled, timelinePage.list, func(number int, before timelinePage) (timelinePage, error) {
			return r.timelinePage(ctx, number, before)
		})
	}
	pages, err := read(known.pages)
	if errors.Is(err, errListMoved) {
		zerolog.Ctx(ctx).Debug().Stringer("issue", ref).Msg("lines are gone from the timeline; it is read from the beginning")
		known.since = now
		pages, err = read(nil)
	}
	if err != nil {
		return nil, fmt.Errorf("read the timeline: %w", err)
	}
	known.pages = pages
	s.timelines.Set(key, known)
	var numbers []int
	for _, p := range pages {
		numbers = append(numbers, p.closing...)
	}
	return numbers, nil
}

// timelinePage reads a page of the issue's timeline.
func (r *factReader) timelinePage(ctx context.Context, number int, before timelinePage) (timelinePage, error) {
	ref := r.view.Ref
	path := fmt.Sprintf("repos/%s/%s/issues/%d/timeline?per_page=%d&page=%d", ref.Owner, ref.Name, ref.Number, perPage, number)
	request, err := r.client.NewRequest(http.MethodGet, path, nil)
	if err != nil {
		return before, fmt.Errorf("ask for %s: %w", path, err)
	}
	lines, list, unmodified, err := readPage[timelineLine](ctx, r.client, request, before.listPage)
	if err != nil || unmodified {
		return before, err
	}
	page := timelinePage{listPage: list}
	for i, line := range lines {
		if i == 0 {
			page.first = line.name()
		}
		for _, at := range []time.Time{line.CreatedAt, line.SubmittedAt} {
			page.newest = Latest(page.newest, at)
		}
		if line.Event != "cross-referenced" || line.Source == nil || line.Source.Issue == nil {
			continue
		}
		source := line.Source.Issue
		if !source.IsPullRequest() || !sameRepository(source, ref.Repository) {
			continue
		}
		page.changes = true
		if slices.Contains(commands.ClosesIn(ref.Owner, ref.Name, source.GetTitle(), source.GetBody()), ref.Number) {
			page.closing = append(page.closing, source.GetNumber())
		}
	}
	return page, nil
}
