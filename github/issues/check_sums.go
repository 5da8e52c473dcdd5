package issues

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

const (
	// repositoriesSummed is about how many repositories one question is that sums their checks: GitHub gives it ten seconds.
	repositoriesSummed = 10
	// pullsSummed is of how many open pull requests a repository's checks are summed.
	pullsSummed = 20
)

// checksToSum is what is asked of a repository's checks. GitHub counts a point for a hundred lists: one for the repository, one for each pull request.
var checksToSum = fmt.Sprintf(`open: pullRequests(first: %d, states: [OPEN], orderBy: {field: CREATED_AT, direction: DESC}) {
    pageInfo { hasNextPage }
    nodes {
      number headRefOid
      statusCheckRollup {
        contexts(first: 100) {
          pageInfo { hasNextPage }
          nodes { ... on CheckRun { status conclusion startedAt completedAt } ... on StatusContext { state createdAt } }
        }
      }
    }
  }`, pullsSummed)

// SumChecks adds to the activities of repositories of one installation what is said of their open pull requests, where issues have a label that this
// matters for. Checks is a sum of it: while that stays the same, no check came, began or ended. Checked is when the last one did. Checks is empty
// where one answer does not tell everything.
func (s lists) SumChecks(ctx context.Context, of []Asked, told []Activity) error {
	var at []int
	for n, asked := range of {
		if asked.movedByChecks(told[n]) {
			at = append(at, n)
		}
	}
	for some := range slices.Chunk(at, repositoriesSummed) {
		repos := make([]Repository, len(some))
		for i, n := range some {
			repos[i] = of[n].Repository
		}
		withholds, err := s.ofEach(ctx, repos, "sum the checks", func(int) string { return checksToSum }, func(i int, answer json.RawMessage) error {
			return told[some[i]].sumChecks(answer)
		})
		if err != nil {
			return err
		}
		for _, n := range some {
			if withholds { // what is not there looks as if there were no checks
				told[n].Checks = ""
			}
		}
	}
	return nil
}

func (a Asked) movedByChecks(told Activity) bool {
	for l, moves := range a.Checked {
		if moves && told.Has[l] {
			return true
		}
	}
	return false
}

func (a *Activity) sumChecks(answer json.RawMessage) error {
	var told struct {
		Open *struct {
			PageInfo pageInfo
			Nodes    []struct{ StatusCheckRollup struct{ Contexts checkNodes } }
		}
	}
	if err := json.Unmarshal(answer, &told); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	if told.Open == nil {
		return nil
	}
	whole := !told.Open.PageInfo.HasNextPage
	for _, pull := range told.Open.Nodes {
		said := pull.StatusCheckRollup.Contexts
		whole = whole && !said.PageInfo.HasNextPage && !slices.Contains(said.Nodes, nil)
		for _, check := range said.Nodes {
			if check != nil {
				a.Checked = slices.MaxFunc([]time.Time{a.Checked, check.StartedAt, check.CompletedAt, check.CreatedAt}, time.Time.Compare)
			}
		}
	}
	if whole {
		sum := sha256.Sum256(answer)
		a.Checks = hex.EncodeToString(sum[:])
	}
	return nil
}
