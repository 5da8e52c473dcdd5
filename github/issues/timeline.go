package issues

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/commands"
)

// timelineEntry is what is of use of one line of a timeline.
type timelineEntry struct {
	Event  string `json:"event"`
	Source *struct {
		Issue *related `json:"issue"`
	} `json:"source"`
}

// mentions calls for every issue and pull request that mentions an issue, with what it says now, from the timeline of the issue
// (https://docs.github.com/rest/using-the-rest-api/issue-event-types#cross-referenced).
func mentions(ctx context.Context, client *github.Client, ref Ref, found func(*related)) error {
	err := each(ctx, client, fmt.Sprintf("repos/%s/%s/issues/%d/timeline", ref.Owner, ref.Name, ref.Number), func(line *timelineEntry) {
		if line.Event == "cross-referenced" && line.Source != nil && line.Source.Issue != nil {
			found(line.Source.Issue)
		}
	})
	if err != nil {
		return fmt.Errorf("read the timeline: %w", asNotFound(err))
	}
	return nil
}

// crossReferences lists the pull requests of the repository that name the issue with a closing keyword.
func (p *issuePulls) crossReferences(ctx context.Context) (numbers []int, err error) {
	ref := p.of
	err = mentions(ctx, p.client, ref, func(source *related) {
		if source.isPullRequest() && sameRepository(source, ref.Repository) && slices.Contains(commands.ClosesIn(ref.Owner, ref.Name, source.Title, source.Body), ref.Number) {
			numbers = append(numbers, source.Number)
		}
	})
	return numbers, err
}
