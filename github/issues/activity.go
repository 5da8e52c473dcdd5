package issues

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Asked is a repository, and the labels of its open issues that matter.
type Asked struct {
	Repository

	Labels []string
}

// Activity is what GitHub tells of a repository in one question with others.
type Activity struct {
	// Changed is when the issue changed that changed last, open or closed; zero if the repository has none.
	Changed time.Time
	// Pushed is the time of the last push, to any branch; zero: never.
	Pushed time.Time
	// Has says of each label that was asked for whether open issues have it.
	Has []bool
}

// AnyHas reports whether an open issue has any of the labels.
func (a Activity) AnyHas() bool { return slices.Contains(a.Has, true) }

// Activities returns the activity of repositories of one installation, in their order, by one question. GitHub counts a point for a hundred
// lists in it, one for the repository and one for each label: see
// https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api. It does not document whether a list by several
// labels has the issues with all of them or with any, so each label is a list of its own.
func (s lists) Activities(ctx context.Context, of []Asked) ([]Activity, error) {
	if len(of) == 0 {
		return nil, nil
	}
	var data map[string]map[string]json.RawMessage
	if err := s.about(s.client(of[0].Repository), Ref{Repository: of[0].Repository}).queryWith(ctx, activityQuery(of), nil, &data); err != nil {
		return nil, fmt.Errorf("ask what happened in %d repositories: %w", len(of), err)
	}
	found := make([]Activity, len(of))
	for n, asked := range of {
		var err error
		if found[n], err = activityOf(data[fmt.Sprint("r", n)], len(asked.Labels)); err != nil {
			return nil, fmt.Errorf("read what happened in %s: %w", asked.Repository, err)
		}
	}
	return found, nil
}

// activityQuery is the question. Repositories with the same labels share a fragment.
func activityQuery(of []Asked) string {
	var query, fragments strings.Builder
	known := map[string]int{}
	query.WriteString("query {\n")
	for n, asked := range of {
		lists := []string{"pushedAt last: issues(first: 1, orderBy: {field: UPDATED_AT, direction: DESC}) { nodes { updatedAt } }"}
		for l, label := range asked.Labels {
			lists = append(lists, fmt.Sprintf("l%d: issues(first: 1, labels: [%s], states: [OPEN]) { totalCount }", l, quoted(label)))
		}
		fields := strings.Join(lists, "\n  ")
		fragment, ok := known[fields]
		if !ok {
			fragment = len(known)
			known[fields] = fragment
			fmt.Fprintf(&fragments, "fragment f%d on Repository {\n  %s\n}\n", fragment, fields)
		}
		fmt.Fprintf(&query, "  r%d: repository(owner: %s, name: %s) { ...f%d }\n", n, quoted(asked.Owner), quoted(asked.Name), fragment)
	}
	return query.String() + "}\n" + fragments.String()
}

// quoted is a text as GraphQL has it, which is as JSON has it.
func quoted(text string) string {
	is, _ := json.Marshal(text) // a string
	return string(is)
}

func activityOf(told map[string]json.RawMessage, labels int) (is Activity, err error) {
	type list struct {
		TotalCount int
		Nodes      []struct{ UpdatedAt time.Time }
	}
	var last list
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
	for l := range labels {
		var counted list
		read(fmt.Sprint("l", l), &counted)
		is.Has = append(is.Has, counted.TotalCount > 0)
	}
	if len(last.Nodes) > 0 {
		is.Changed = last.Nodes[0].UpdatedAt
	}
	return is, err
}
