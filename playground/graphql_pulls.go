package playground

import (
	"slices"
	"strings"

	graphql "github.com/graph-gophers/graphql-go"
)

// list is a page of a list, whose nodes have cursors of their own.
type list[N any] struct {
	nodes []N
	total int
	page  *pageInfo
}

func listed[N any](all []N, name string, by bounds, cursor func(N) string) (*list[N], error) {
	cursors := make([]string, len(all))
	for at, n := range all {
		cursors[at] = cursor(n)
	}
	start, end, err := by.cut(cursors, name)
	if err != nil {
		return nil, err
	}
	return &list[N]{all[start:end], len(all), &pageInfo{cursors: cursors[start:end], begins: start == 0, isLast: end == len(all)}}, nil
}

func (l *list[N]) Nodes() *[]N         { return &l.nodes }
func (l *list[N]) TotalCount() int32   { return int32(l.total) }
func (l *list[N]) PageInfo() *pageInfo { return l.page }

type refNode struct{ name string }

func (n *refNode) Name() string { return n.name }

// DefaultBranchRef is the default branch; null while nothing was pushed to it.
func (n *repositoryNode) DefaultBranchRef() (*refNode, error) {
	switch {
	case !n.c.mayRead(n.r, "contents"):
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	case n.r.branches[n.r.defaultBranch] == nil:
		return nil, nil
	}
	return &refNode{n.r.defaultBranch}, nil
}

// PullRequests is the field pullRequests of Repository, sorted by number unless OrderBy is given. It refuses labels.
func (n *repositoryNode) PullRequests(args struct {
	After, Before            *string
	BaseRefName, HeadRefName *string
	First, Last              *int32
	Labels                   *[]string
	OrderBy                  *issueOrder
	States                   *[]string
},
) (*connection[*pullNode], error) {
	if args.Labels != nil {
		return nil, n.c.notImplemented("the argument labels of Repository.pullRequests")
	}
	if !n.c.mayRead(n.r, "pull_requests") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	pulls := slices.DeleteFunc(slices.Clone(n.r.issues), func(i *issue) bool {
		return i.pull == nil || args.States != nil && !slices.Contains(*args.States, (&pullNode{n.c, i}).State()) ||
			args.BaseRefName != nil && i.pull.base != *args.BaseRefName || args.HeadRefName != nil && i.pull.head != *args.HeadRefName
	})
	args.OrderBy.sort(pulls)
	return connect(pulls, "pullRequests", bounds{args.First, args.Last, args.After, args.Before}, func(i *issue) *pullNode { return &pullNode{n.c, i} })
}

// notImplemented notes what of the schema the playground lacks, and says so.
func (c *call) notImplemented(what string) error {
	c.p.unimplemented["POST /graphql: "+what]++
	return &graphqlRefusal{"NOT_IMPLEMENTED", "The playground does not implement " + what}
}

// subject is an issue or a pull request.
type subject struct {
	c *call
	i *issue
}

func (s *subject) ToIssue() (*issueNode, bool) { return &issueNode{s.c, s.i}, s.i.pull == nil }

func (s *subject) ToPullRequest() (*pullNode, bool) { return &pullNode{s.c, s.i}, s.i.pull != nil }

func (n *pullNode) Author() *actorNode              { return editorNode(n.i.user) }
func (n *pullNode) ClosedAt() *dateTime             { return editedAt(n.i.closed) }
func (n *pullNode) CreatedAt() dateTime             { return *editedAt(n.i.created) }
func (n *pullNode) HeadRepository() *repositoryNode { return &repositoryNode{n.c, n.i.repo} }
func (n *pullNode) IsCrossRepository() bool         { return false } // there are no forks
func (n *pullNode) MergedAt() *dateTime             { return editedAt(n.i.pull.mergedAt) }
func (n *pullNode) MergedBy() *actorNode            { return editorNode(n.i.pull.mergedBy) }
func (n *pullNode) UpdatedAt() dateTime             { return *editedAt(n.i.updated) }

func (n *pullNode) Body() string {
	if n.i.body == nil {
		return ""
	}
	return *n.i.body
}

// Mergeable is MERGEABLE, CONFLICTING, or UNKNOWN while GitHub finds it out, which it begins when it is asked.
func (n *pullNode) Mergeable() string {
	switch mergeable, _ := n.c.p.mergeability(n.i, true); mergeable {
	case true:
		return "MERGEABLE"
	case false:
		return "CONFLICTING"
	default:
		return "UNKNOWN"
	}
}

// Reviews is the field reviews of PullRequest, oldest first.
func (n *pullNode) Reviews(args struct {
	After, Author, Before *string
	First, Last           *int32
	States                *[]string
},
) (*list[*reviewNode], error) {
	var found []*reviewNode
	for _, r := range n.i.pull.reviews {
		if (args.States == nil || slices.Contains(*args.States, r.state)) && (args.Author == nil || r.user != nil && strings.EqualFold(r.user.login, *args.Author)) {
			found = append(found, &reviewNode{n.c.p, r})
		}
	}
	return listed(found, "reviews", bounds{args.First, args.Last, args.After, args.Before}, (*reviewNode).id)
}

type reviewNode struct {
	p *Playground
	r *review
}

func (n *reviewNode) id() string                { return nodeID("PRR", n.r.id) }
func (n *reviewNode) Author() *actorNode        { return editorNode(n.r.user) }
func (n *reviewNode) AuthorAssociation() string { return n.r.pull.repo.association(n.r.user) }
func (n *reviewNode) State() string             { return n.r.state }
func (n *reviewNode) SubmittedAt() *dateTime    { return editedAt(n.r.submitted) }
func (n *reviewNode) URL() uri {
	return uri(n.p.html("/%s/pull/%d#pullrequestreview-%d", n.r.pull.repo.fullName(), n.r.pull.number, n.r.id))
}

// StatusCheckRollup is the field of that name of PullRequest: what is said of its newest commit; null if nothing is.
func (n *pullNode) StatusCheckRollup() (*rollup, error) {
	r, tip := n.i.repo, n.i.pull.tip
	if !n.c.mayRead(r, "checks") || !n.c.mayRead(r, "statuses") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	var said []*rollupContext
	for _, s := range r.suitesOf(tip) {
		for _, run := range s.latest() {
			said = append(said, &rollupContext{run: run})
		}
	}
	statuses, _ := r.latestStatuses(tip)
	for _, s := range statuses {
		said = append(said, &rollupContext{status: s})
	}
	if len(said) == 0 {
		return nil, nil
	}
	return &rollup{said}, nil
}

type rollup struct{ said []*rollupContext }

// Contexts is the field of that name of StatusCheckRollup.
func (n *rollup) Contexts(args struct {
	After, Before *string
	First, Last   *int32
},
) (*list[*rollupContext], error) {
	return listed(n.said, "contexts", bounds{args.First, args.Last, args.After, args.Before}, (*rollupContext).id)
}

// rollupContext is a check run or a commit status.
type rollupContext struct {
	run    *checkRun
	status *commitStatus
}

func (n *rollupContext) id() string {
	if n.run != nil {
		return nodeID("CR", n.run.id)
	}
	return nodeID("SC", n.status.id)
}

// ToCheckRun and ToStatusContext say which of the two it is.
func (n *rollupContext) ToCheckRun() (*runNode, bool) { return &runNode{n.run}, n.run != nil }

func (n *rollupContext) ToStatusContext() (*statusNode, bool) {
	return &statusNode{n.status}, n.status != nil
}

type runNode struct{ run *checkRun }

func (n *runNode) CheckSuite() *suiteNode { return &suiteNode{n.run.suite} }
func (n *runNode) CompletedAt() *dateTime { return editedAt(n.run.completed) }
func (n *runNode) Name() string           { return n.run.name }
func (n *runNode) StartedAt() *dateTime   { return editedAt(n.run.started) }
func (n *runNode) Status() string         { return strings.ToUpper(n.run.status) }
func (n *runNode) Conclusion() *string {
	if n.run.conclusion == "" {
		return nil
	}
	return new(strings.ToUpper(n.run.conclusion))
}

type suiteNode struct{ s *checkSuite }

func (n *suiteNode) ID() graphql.ID    { return graphql.ID(nodeID("CS", n.s.id)) }
func (n *suiteNode) App() *checkingApp { return &checkingApp{n.s.app} }

type checkingApp struct{ a *app }

func (n *checkingApp) ID() graphql.ID { return graphql.ID(nodeID("A", n.a.ID)) }

type statusNode struct{ s *commitStatus }

func (n *statusNode) Context() string     { return n.s.context }
func (n *statusNode) CreatedAt() dateTime { return *editedAt(n.s.created) }
func (n *statusNode) State() string       { return strings.ToUpper(n.s.state) }
