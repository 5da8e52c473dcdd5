package issues

import (
	"context"
	"fmt"
)

// conflictsQuery is about the open pull requests of a repository. It costs a point.
const conflictsQuery = `query conflicts($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    open: pullRequests(first: 100, states: [OPEN], orderBy: {field: CREATED_AT, direction: DESC}) {
      pageInfo { hasNextPage }
      nodes {
        number title body mergeable baseRefName headRefName repository { nameWithOwner } headRepository { nameWithOwner }
        closingIssuesReferences(first: 50) { nodes { number repository { nameWithOwner } } }
      }
    }
  }
}`

// Conflicts are the issues of a repository with an open pull request that conflicts. Of the ones in Open, GitHub is still finding that out.
type Conflicts struct{ Known, Open []int }

// Conflicts asks by one question which issues of a repository have open pull requests that conflict. whole is false where one answer, which has a
// hundred pull requests, does not tell that.
func (s pulls) Conflicts(ctx context.Context, repo Repository) (found Conflicts, whole bool, err error) {
	var answer struct {
		Repository struct {
			DefaultBranchRef struct{ Name string }
			Open             struct {
				PageInfo pageInfo
				Nodes    []struct {
					pullNode

					ClosingIssuesReferences linkedNodes
				}
			}
		}
	}
	withheld, err := s.about(s.client(repo), Ref{Repository: repo}).queryPartly(ctx, conflictsQuery, map[string]any{"owner": repo.Owner, "name": repo.Name}, &answer)
	in := answer.Repository
	switch {
	case listsTell(err), err == nil && (len(withheld) > 0 || in.DefaultBranchRef.Name == "" || in.Open.PageInfo.HasNextPage):
		return Conflicts{}, false, nil
	case err != nil:
		return Conflicts{}, false, fmt.Errorf("ask which pull requests of %s conflict: %w", repo, err)
	}
	for _, n := range in.Open.Nodes {
		for _, of := range append(s.Branches.issuesOf(repo, n.pullRequest(in.DefaultBranchRef.Name)), n.ClosingIssuesReferences.in(repo)...) {
			switch n.Mergeable {
			case "CONFLICTING":
				found.Known = append(found.Known, of)
			case "UNKNOWN":
				found.Open = append(found.Open, of)
			}
		}
	}
	return found, true, nil
}
