package issues

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/colony-app/colony/commands"
)

// The timeline of an issue tells which pull requests name it, with what they say now. Its pages are remembered as those of the log are; one on which
// a pull request of the repository is named is asked for each time, since its text can be edited.

// timelinesBytes bounds what is remembered of all timelines together. What was forgotten is read again, from the first page.
const timelinesBytes = 2 << 20

type timelinePage struct {
	listPage
	closing []int // the pull requests of the repository that name the issue with a closing keyword
}

func (p timelinePage) weight() int { return 8 * len(p.closing) }

// timelineEntry is what is of use of one line of a timeline. Not every line has an id or a time of its own.
type timelineEntry struct {
	ID          int64     `json:"id"`
	NodeID      string    `json:"node_id"`
	Event       string    `json:"event"`
	CreatedAt   time.Time `json:"created_at"`
	SubmittedAt time.Time `json:"submitted_at"`
	Source      *struct {
		Issue *related `json:"issue"`
	} `json:"source"`
}

// name is what a line is known by.
func (l timelineEntry) name() string {
	source := int64(0)
	if l.Source != nil && l.Source.Issue != nil {
		source = l.Source.Issue.ID
	}
	return fmt.Sprintf("%s %d %s %d %d", l.Event, l.ID, l.NodeID, l.CreatedAt.UnixMilli(), source)
}

// crossReferences lists the pull requests that name the issue with a closing keyword, from its timeline
// (https://docs.github.com/rest/using-the-rest-api/issue-event-types#cross-referenced).
func (p *issuePulls) crossReferences(ctx context.Context) ([]int, error) {
	pages, err := p.timelines.read(ctx, p.Settings, p.of, p.view.NodeID, func(number int, before timelinePage) (timelinePage, error) {
		return p.timelinePage(ctx, number, before)
	})
	if err != nil {
		return nil, fmt.Errorf("read the timeline: %w", err)
	}
	var numbers []int
	for _, page := range pages {
		numbers = append(numbers, page.closing...)
	}
	return numbers, nil
}

func timelinePath(ref Ref) string {
	return fmt.Sprintf("repos/%s/%s/issues/%d/timeline", ref.Owner, ref.Name, ref.Number)
}

func (p *issuePulls) timelinePage(ctx context.Context, number int, before timelinePage) (timelinePage, error) {
	ref := p.of
	lines, list, unmodified, err := readPage[timelineEntry](ctx, p.client, fmt.Sprintf("%s?per_page=%d&page=%d", timelinePath(ref), perPage, number), before.listPage)
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
		if !source.isPullRequest() || !sameRepository(source, ref.Repository) {
			continue
		}
		page.changes = true
		if slices.Contains(commands.ClosesIn(ref.Owner, ref.Name, source.Title, source.Body), ref.Number) {
			page.closing = append(page.closing, source.Number)
		}
	}
	return page, nil
}
