package issues

import (
	"context"
	"fmt"
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
	if strings.Contains(label, ",") {
		return count, fmt.Errorf("count who carries the label %s in %s: GitHub lists no issues by a label with a comma", label, repo)
	}
	client, f := s.client(repo), Filter{State: state, Label: label, Order: OldestFirst}
	for page := 1; page <= carriersPages; page++ {
		batch, more, err := f.page(ctx, client, repo, page)
		if err != nil {
			return count, fmt.Errorf("count who carries the label %s in %s: %w", label, repo, err)
		}
		count.N += len(batch)
		if count.More = more; !more {
			break
		}
	}
	return count, nil
}

// Carrier is an issue, or a pull request, that carries a label.
type Carrier struct {
	Number      int
	Labels      []string
	PullRequest bool
}

// CarriersOf lists the issues and pull requests, open and closed, that carry a label. It fails for a label by which GitHub cannot list.
func (s lists) CarriersOf(ctx context.Context, repo Repository, label string) (all []Carrier, err error) {
	if strings.Contains(label, ",") {
		return nil, fmt.Errorf("list who carries the label %s in %s: GitHub lists no issues by a label with a comma", label, repo)
	}
	client, f := s.client(repo), Filter{State: All, Label: label, Order: OldestFirst}
	for page, more := 1, true; more; page++ {
		var batch []related
		if batch, more, err = f.page(ctx, client, repo, page); err != nil {
			return nil, fmt.Errorf("list who carries the label %s in %s: %w", label, repo, err)
		}
		for i := range batch {
			all = append(all, Carrier{Number: batch[i].Number, Labels: labelNames(&batch[i]), PullRequest: batch[i].isPullRequest()})
		}
	}
	return all, nil
}
