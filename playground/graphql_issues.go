package playground

import (
	"cmp"
	"slices"
	"strings"
)

// Issues is the field issues of Repository, sorted by number unless OrderBy is given. It refuses filters other than States and one label:
// GitHub does not document what several labels mean.
func (n *repositoryNode) Issues(args struct {
	After, Before *string
	FilterBy      *issueFilters
	First, Last   *int32
	Labels        *[]string
	OrderBy       *issueOrder
	States        *[]string
},
) (*connection[*issueNode], error) {
	for name, given := range map[string]bool{"filterBy": args.FilterBy != nil, "several labels": args.Labels != nil && len(*args.Labels) != 1} {
		if given {
			return nil, n.c.notImplemented("the argument " + name + " of Repository.issues")
		}
	}
	if !n.c.mayRead(n.r, "issues") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	list := slices.DeleteFunc(slices.Clone(n.r.issues), func(i *issue) bool {
		return i.pull != nil || i.deleted || i.movedTo != nil || args.States != nil && !slices.Contains(*args.States, strings.ToUpper(i.state)) ||
			args.Labels != nil && !slices.ContainsFunc(i.labels, func(l *label) bool { return strings.EqualFold(l.name, (*args.Labels)[0]) })
	})
	args.OrderBy.sort(list)
	return connect(list, "issues", bounds{args.First, args.Last, args.After, args.Before}, func(i *issue) *issueNode { return &issueNode{n.c, i} })
}

// issueFilters is GitHub's IssueFilters.
type issueFilters struct {
	Assignee, CreatedBy, Mentioned, Milestone, MilestoneNumber *string
	Labels, States                                             *[]string
	Since                                                      *dateTime
	ViewerSubscribed                                           bool
}

// issueOrder is GitHub's IssueOrder.
type issueOrder struct{ Direction, Field string }

// sort leaves a list as it is if the query asked for no order.
func (o *issueOrder) sort(list []*issue) {
	if o == nil {
		return
	}
	slices.SortStableFunc(list, func(a, b *issue) int {
		compared := map[string]int{
			"COMMENTS": cmp.Compare(len(a.comments), len(b.comments)), "CREATED_AT": a.created.Compare(b.created), "UPDATED_AT": a.updated.Compare(b.updated),
		}[o.Field]
		if o.Direction == "DESC" {
			return -compared
		}
		return compared
	})
}

func (n *issueNode) Author() *actorNode  { return editorNode(n.i.user) }
func (n *issueNode) CreatedAt() dateTime { return *editedAt(n.i.created) }

// Labels is the field labels of Issue, in the order in which they were made. It refuses another order.
func (n *issueNode) Labels(args struct {
	After, Before *string
	First, Last   *int32
	OrderBy       issueOrder
},
) (*list[*labelNode], error) {
	if args.OrderBy != (issueOrder{"ASC", "CREATED_AT"}) {
		return nil, n.c.notImplemented("another order of Issue.labels")
	}
	all := slices.Clone(n.c.p.visibleLabels(n.i))
	slices.SortFunc(all, func(a, b *label) int { return cmp.Compare(a.id, b.id) })
	return listed(each(all, func(l *label) *labelNode { return &labelNode{l} }), "labels", bounds{args.First, args.Last, args.After, args.Before}, func(n *labelNode) string { return string(n.ID()) })
}
