package issues

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Asked is a repository, and the labels of its open issues that matter.
type Asked struct {
	Repository

	Labels []string
	// Pulls asks for the pull requests as well.
	Pulls bool
	// Checked says of each label whether checks can move the issues that have it.
	Checked []bool
}

// Activity is what GitHub tells of a repository in one question with others.
type Activity struct {
	// Changed is when the issue changed that changed last, open or closed; zero if the repository has none.
	Changed time.Time
	// Pushed is the time of the last push, to any branch; zero: never.
	Pushed time.Time
	// Pulled is when the pull request changed that changed last; zero without one, or if that was not asked for.
	Pulled time.Time
	// Has says of each label that was asked for whether open issues have it.
	Has []bool
	// Checks and Checked are what SumChecks finds out.
	Checks  string
	Checked time.Time
}

// Activities returns the activity of repositories of one installation, in their order, by one question. GitHub counts a point for a hundred
// lists in it, one for the repository, one for pull requests and one for each label: see
// https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api. It does not document whether a list by several
// labels has the issues with all of them or with any, so each label is a list of its own.
func (s lists) Activities(ctx context.Context, of []Asked) ([]Activity, error) {
	found, repos := make([]Activity, len(of)), make([]Repository, len(of))
	for n, asked := range of {
		repos[n] = asked.Repository
	}
	_, err := s.ofEach(ctx, repos, "ask what happened", func(n int) string { return of[n].fields() }, func(n int, told json.RawMessage) (err error) {
		found[n], err = activityOf(told, of[n])
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (a Asked) fields() string {
	lists := []string{"pushedAt last: issues(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }"}
	if a.Pulls {
		lists = append(lists, "pulled: pullRequests(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }")
	}
	for l, label := range a.Labels {
		lists = append(lists, fmt.Sprintf("l%d: issues(first: 1, labels: [%s], states: [OPEN]) { totalCount }", l, quoted(label)))
	}
	return strings.Join(lists, "\n  ")
}

// firstOf is a list whose first entry is of use.
type firstOf struct {
	TotalCount int
	Nodes      []struct{ UpdatedAt time.Time }
}

func (f firstOf) newest() (at time.Time) {
	if len(f.Nodes) > 0 {
		at = f.Nodes[0].UpdatedAt
	}
	return at
}

func activityOf(answer json.RawMessage, asked Asked) (is Activity, err error) {
	var told map[string]json.RawMessage
	if err := json.Unmarshal(answer, &told); err != nil {
		return is, fmt.Errorf("read the answer: %w", err)
	}
	var last, pulled firstOf
	read := func(name string, into any) {
		if err != nil {
			return
		}
		if err = json.Unmarshal(told[name], into); err != nil {
			err = fmt.Errorf("read %s: %w", name, err)
		}
	}
	read("pushedAt", &is.Pushed)
	read("last", &last)
	if asked.Pulls {
		read("pulled", &pulled)
	}
	for l := range asked.Labels {
		var has firstOf
		read(fmt.Sprint("l", l), &has)
		is.Has = append(is.Has, has.TotalCount > 0)
	}
	is.Changed, is.Pulled = last.newest(), pulled.newest()
	return is, err
}
