package issues

import (
	"context"
	"fmt"
	"math"
	"strings"
)

// Count is how many issues and pull requests there are of a kind; More says that there are more than were counted.
type Count struct {
	N    int  `json:"count"`
	More bool `json:"more,omitempty"`
}

func (c Count) String() string {
	if c.More {
		return fmt.Sprintf("more than %d", c.N)
	}
	return fmt.Sprint(c.N)
}

// carriersPages bounds how many pages are read to count the issues that carry a label.
const carriersPages = 10

// Carriers counts the open or the closed issues that carry a label, and the pull requests: a label is on both. It fails for a label by
// which GitHub cannot list.
func (s lists) Carriers(ctx context.Context, repo Repository, label, state string) (count Count, err error) {
	err = s.carrying(ctx, repo, "count", label, state, carriersPages, func(batch []related, more bool) { count.N, count.More = count.N+len(batch), more })
	return count, err
}

// Carrier is an issue, or a pull request, that carries a label.
type Carrier struct {
	Number      int
	Labels      []string
	PullRequest bool
}

// CarriersOf lists the issues and pull requests, open and closed, that carry a label. It fails for a label by which GitHub cannot list.
func (s lists) CarriersOf(ctx context.Context, repo Repository, label string) (all []Carrier, err error) {
	err = s.carrying(ctx, repo, "list", label, All, math.MaxInt, func(batch []related, _ bool) {
		for i := range batch {
			all = append(all, Carrier{Number: batch[i].Number, Labels: labelNames(&batch[i]), PullRequest: batch[i].isPullRequest()})
		}
	})
	return all, err
}

// carrying walks the pages of what carries a label, the oldest first, at most so many. The verb says in errors what for.
func (s lists) carrying(ctx context.Context, repo Repository, verb, label, state string, most int, each func(batch []related, more bool)) (err error) {
	if strings.Contains(label, ",") {
		return fmt.Errorf("%s who carries the label %s in %s: GitHub lists no issues by a label with a comma", verb, label, repo)
	}
	client, f := s.client(repo), Filter{State: state, Label: label, Order: OldestFirst}
	for page, more := 1, true; more && page <= most; page++ {
		var batch []related
		if batch, more, err = f.page(ctx, client, repo, page); err != nil {
			return fmt.Errorf("%s who carries the label %s in %s: %w", verb, label, repo, err)
		}
		each(batch, more)
	}
	return nil
}
