package issues

import (
	"slices"
	"strings"
	"time"
)

// checkNodes are what GitHub's rollup has of a commit: check runs and commit statuses.
type checkNodes struct {
	PageInfo pageInfo
	Nodes    []*checkNode
}

// checkNode is a check run, or a commit status with a Context. A run that has not begun has no time.
type checkNode struct {
	Name, Status, Conclusion string
	StartedAt, CompletedAt   time.Time
	CheckSuite               struct {
		ID  string
		App struct{ ID string }
	}
	Context, State string
	CreatedAt      time.Time
}

// said returns the checks that count; nil if it is open which do. GitHub does not say whether it leaves out runs in whose place a later one of the
// same suite came. It tells of contexts that a branch's rules expect and that no one has reported, too.
func (all checkNodes) said() *checksSaid {
	if slices.Contains(all.Nodes, nil) { // GitHub withholds it
		return nil
	}
	said := &checksSaid{}
	for _, n := range all.Nodes {
		switch state := strings.ToLower(n.State); {
		case n.Context != "" && state != "expected":
			said.statuses = append(said.statuses, commitStatus{n.Context, state, n.CreatedAt})
		case n.Context == "":
			again, unclear := all.startedAgain(n)
			if unclear {
				return nil
			}
			if !again {
				said.runs = append(said.runs, checkRun{
					name: n.Name, app: n.CheckSuite.App.ID, status: strings.ToLower(n.Status), conclusion: strings.ToLower(n.Conclusion), completed: n.CompletedAt,
				})
			}
		}
	}
	return said
}

// startedAgain reports whether a later run of the same suite came in the place of a run. Only the times of their beginning tell which is the later
// one: it is unclear without them, if they are the same, and whether a cancelled run was replaced. A run that has not begun is the latest.
func (all checkNodes) startedAgain(run *checkNode) (again, unclear bool) {
	for _, o := range all.Nodes {
		switch {
		case !run.isNamesake(o):
		case run.Conclusion == "CANCELLED":
			return false, true
		case o.CheckSuite.ID != run.CheckSuite.ID:
		case o.StartedAt.Equal(run.StartedAt) || o.endedUnbegun() || run.endedUnbegun():
			return false, true
		default:
			again = again || o.StartedAt.IsZero() || o.StartedAt.After(run.StartedAt) && !run.StartedAt.IsZero()
		}
	}
	return again, false
}

// isNamesake reports whether another run has the same name and App.
func (n *checkNode) isNamesake(o *checkNode) bool {
	return o != n && o.Context == "" && o.Name == n.Name && o.CheckSuite.App == n.CheckSuite.App
}

// endedUnbegun reports whether a run is complete and never began, as one that was skipped.
func (n *checkNode) endedUnbegun() bool { return n.Status == "COMPLETED" && n.StartedAt.IsZero() }
