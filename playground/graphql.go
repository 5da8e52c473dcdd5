package playground

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	graphql "github.com/graph-gophers/graphql-go"
	graphqlerrors "github.com/graph-gophers/graphql-go/errors"
)

//go:embed github.graphql
var graphqlSource string

// GraphQLSchema is the part of GitHub's public schema that POST /graphql answers, in the schema definition language.
func GraphQLSchema() string { return graphqlSource }

// Bounds of queries (https://docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api).
const (
	maxGraphQLPage  = 100
	maxGraphQLDepth = 25
)

// graphqlRoute is GitHub's other API; it is not one of the REST API's operations.
var graphqlRoute = Route{
	Method: post, Pattern: "/graphql", Docs: "../graphql/guides/forming-calls-with-graphql", Audience: anyone,
}

func init() { graphqlRoute.handle = answerGraphQL }

// isGraphQL is whether a request is one to the GraphQL API, at either of GitHub's addresses: api.github.com/graphql, and
// /api/graphql of an Enterprise Server.
func isGraphQL(method, path, prefix string) bool {
	return method == post && (path == "/graphql" && prefix == "" || path == "/api/graphql")
}

// callKey is where a query finds the call that it answers.
type callKey struct{}

func callOf(ctx context.Context) *call { return ctx.Value(callKey{}).(*call) }

// graphqlSchema resolves one field after the other: the playground's lock is held while it does. It is parsed at its first query.
var graphqlSchema = sync.OnceValue(func() *graphql.Schema {
	return graphql.MustParseSchema(graphqlSource, &queryRoot{}, graphql.MaxDepth(maxGraphQLDepth), graphql.MaxParallelism(1))
})

// POST /graphql
func answerGraphQL(c *call) (any, error) {
	if c.actor.account == nil {
		return nil, &refusal{status: http.StatusUnauthorized, message: "This endpoint requires you to be authenticated.", extra: object{
			"documentation_url": "https://docs.github.com/graphql/guides/forming-calls-with-graphql#authentication",
		}}
	}
	var in struct {
		Query         any            `json:"query"`
		Variables     map[string]any `json:"variables"`
		OperationName string         `json:"operationName"`
	}
	if json.Unmarshal(c.body, &in) != nil {
		return nil, refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	c.status = http.StatusOK
	query, ok := in.Query.(string)
	if !ok {
		return object{"errors": []object{{"message": "A query attribute must be specified and must be a string."}}}, nil
	}
	answered := graphqlSchema().Exec(context.WithValue(c.request.Context(), callKey{}, c), query, in.OperationName, in.Variables)
	answer := object{}
	if len(answered.Data) > 0 {
		answer["data"] = answered.Data
	}
	if found := append(c.graphqlErrors(answered.Errors), c.beside...); len(found) > 0 {
		answer["errors"] = found
	}
	return answer, nil
}

// graphqlErrors words errors as GitHub does: those of resolvers have a type next to the message. What the playground's part of the schema lacks is
// noted.
func (c *call) graphqlErrors(found []*graphqlerrors.QueryError) []object {
	payloads := []object{}
	for _, e := range found {
		payload := object{"message": e.Message}
		if len(e.Locations) > 0 {
			payload["locations"] = e.Locations
		}
		if len(e.Path) > 0 {
			payload["path"] = e.Path
		}
		if refused := (*graphqlRefusal)(nil); errors.As(e.ResolverError, &refused) {
			payload["type"] = refused.kind
		}
		if of := unknownField.FindStringSubmatch(e.Message); of != nil && e.Rule == "FieldsOnCorrectTypeRule" {
			payload["message"] = fmt.Sprintf("Field '%s' doesn't exist on type '%s'", of[1], of[2])
			payload["extensions"] = object{"code": "undefinedField", "typeName": of[2], "fieldName": of[1]}
		}
		if of := unknownArgument.FindStringSubmatch(e.Message); of != nil && e.Rule == "KnownArgumentNamesRule" {
			payload["message"] = fmt.Sprintf("Field '%s' doesn't accept argument '%s'", of[2], of[1])
			payload["extensions"] = object{"code": "argumentNotAccepted", "name": of[2], "typeName": "Field", "argumentName": of[1]}
		}
		if slices.Contains([]string{"FieldsOnCorrectTypeRule", "KnownArgumentNamesRule", "KnownTypeNamesRule"}, e.Rule) {
			c.p.unimplemented[fmt.Sprint("POST /graphql: ", payload["message"])]++
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

// What the library says of what is not in the schema.
var (
	unknownField    = regexp.MustCompile(`^Cannot query field "(\w+)" on type "(\w+)"`)
	unknownArgument = regexp.MustCompile(`^Unknown argument "(\w+)" on field "(?:\w+\.)?(\w+)"`)
)

// graphqlRefusal is an error of one field.
type graphqlRefusal struct{ kind, message string }

func (r *graphqlRefusal) Error() string { return r.message }

// queryRoot is where queries and mutations begin.
type queryRoot struct{}

// Repository is the field repository of Query.
func (*queryRoot) Repository(ctx context.Context, args struct {
	Owner, Name   string
	FollowRenames bool
},
) (*repositoryNode, error) {
	c := callOf(ctx)
	full := lower(args.Owner, args.Name)
	r := c.p.repositories[full]
	if r == nil && args.FollowRenames {
		r = c.p.formerNames[full]
	}
	if r == nil || !c.actor.sees(r) {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to a Repository with the name '" + args.Owner + "/" + args.Name + "'."}
	}
	return &repositoryNode{c, r}, nil
}

// mayRead is whether an App is allowed to read something of a repository. People are if they see it, and everybody can read what is public.
func (c *call) mayRead(r *repository, permission string) bool {
	if c.actor.forUser() && r.private {
		through := c.actor.through(r)
		return through != nil && grants(through.permissions, permission, "read")
	}
	if t := c.actor.personal(); t != nil && r.private {
		return t.grantsAny([]string{permission}, "read")
	}
	return !c.actor.asApp() || !r.private || c.actor.reaches(r) && grants(c.actor.token.permissions, permission, "read")
}

// uri and oid are GitHub's own scalars.
type (
	uri string
	oid string
)

func (uri) ImplementsGraphQLType(name string) bool { return name == "URI" }
func (oid) ImplementsGraphQLType(name string) bool { return name == "GitObjectID" }

var errScalarInput = errors.New("is not taken in a query")

func (uri) UnmarshalGraphQL(any) error { return errScalarInput }
func (oid) UnmarshalGraphQL(any) error { return errScalarInput }

type repositoryNode struct {
	c *call
	r *repository
}

func (n *repositoryNode) ID() graphql.ID        { return graphql.ID(nodeID("R", n.r.id)) }
func (n *repositoryNode) IsPrivate() bool       { return n.r.private }
func (n *repositoryNode) Name() string          { return n.r.name }
func (n *repositoryNode) NameWithOwner() string { return n.r.fullName() }
func (n *repositoryNode) PushedAt() *dateTime   { return editedAt(n.r.pushed) }
func (n *repositoryNode) URL() uri              { return uri(n.c.p.html("/%s", n.r.fullName())) }

// Issue is the field issue of Repository.
func (n *repositoryNode) Issue(args struct{ Number int32 }) (*issueNode, error) {
	if !n.c.mayRead(n.r, "issues") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	i := n.r.issue(int(args.Number))
	if i == nil || i.pull != nil || i.deleted || i.movedTo != nil {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to an Issue with the number of " + jsonText(args.Number) + "."}
	}
	return &issueNode{n.c, i}, nil
}

// PullRequest is the field pullRequest of Repository.
func (n *repositoryNode) PullRequest(args struct{ Number int32 }) (*pullNode, error) {
	if !n.c.mayRead(n.r, "pull_requests") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	i := n.r.issue(int(args.Number))
	if i == nil || i.pull == nil {
		return nil, &graphqlRefusal{"NOT_FOUND", "Could not resolve to a PullRequest with the number of " + jsonText(args.Number) + "."}
	}
	return &pullNode{n.c, i}, nil
}

func jsonText(value any) string {
	text, _ := json.Marshal(value) // a number
	return string(text)
}

type issueNode struct {
	c *call
	i *issue
}

func (n *issueNode) ID() graphql.ID              { return graphql.ID(nodeID("I", n.i.id)) }
func (n *issueNode) Number() int32               { return int32(n.i.number) }
func (n *issueNode) Title() string               { return n.i.title }
func (n *issueNode) State() string               { return strings.ToUpper(n.i.state) }
func (n *issueNode) Closed() bool                { return n.i.state == "closed" }
func (n *issueNode) Locked() bool                { return n.i.locked }
func (n *issueNode) UpdatedAt() dateTime         { return *editedAt(n.i.updated) }
func (n *issueNode) Repository() *repositoryNode { return &repositoryNode{n.c, n.i.repo} }
func (n *issueNode) URL() uri {
	return uri(n.c.p.html("/%s/issues/%d", n.i.repo.fullName(), n.i.number))
}

// ClosedByPullRequestsReferences is the field of that name of Issue: the pull requests whose merge closes it, or closed it. Only open ones unless the
// query asks for others.
func (n *issueNode) ClosedByPullRequestsReferences(args struct {
	After, Before    *string
	First, Last      *int32
	IncludeClosedPrs bool
	OrderByState     bool
	UserLinkedOnly   bool
},
) (*connection[*pullNode], error) {
	var linked []*issue
	for _, pull := range n.c.p.linkedPulls(n.i, args.UserLinkedOnly) {
		if (pull.state == "open" || args.IncludeClosedPrs) && n.c.actor.sees(pull.repo) && n.c.mayRead(pull.repo, "pull_requests") {
			linked = append(linked, pull)
		}
	}
	if args.OrderByState {
		slices.SortStableFunc(linked, func(a, b *issue) int { return strings.Compare(b.state, a.state) }) // open before closed
	}
	return connect(linked, "closedByPullRequestsReferences", bounds{args.First, args.Last, args.After, args.Before}, func(i *issue) *pullNode { return &pullNode{n.c, i} })
}

// bounds are what every connection can be cut by
// (https://docs.github.com/graphql/guides/using-pagination-in-the-graphql-api).
type bounds struct {
	first, last   *int32
	after, before *string
}

// cut is the part of a list, given by the cursors of what is in it, that a connection shows.
func (b bounds) cut(cursors []string, connection string) (start, end int, err error) {
	end = len(cursors)
	for name, size := range map[string]*int32{"first": b.first, "last": b.last} {
		switch {
		case size != nil && *size > maxGraphQLPage:
			return 0, 0, &graphqlRefusal{"EXCESSIVE_PAGINATION", "Requesting " + jsonText(*size) + " records on the `" + connection + "` connection exceeds the `" + name + "` limit of 100 records."}
		case size != nil && *size < 0:
			return 0, 0, &graphqlRefusal{"INVALID_ARGUMENT", "`" + name + "` on the `" + connection + "` connection cannot be less than zero."}
		}
	}
	if b.first == nil && b.last == nil {
		return 0, 0, &graphqlRefusal{"MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value to properly paginate the `" + connection + "` connection."}
	}
	for at, name := range cursors {
		if b.after != nil && name == *b.after {
			start = at + 1
		}
		if b.before != nil && name == *b.before {
			end = at
		}
	}
	start = min(start, end)
	if b.first != nil {
		end = min(end, start+int(*b.first))
	}
	if b.last != nil {
		start = max(start, end-int(*b.last))
	}
	return start, end, nil
}

func cursor(i *issue) string { return nodeID("Y3Vyc29y", i.id) }

// linkedPulls are the pull requests whose merge closes an issue, by id; all of them, or those linked by hand.
func (p *Playground) linkedPulls(i *issue, byHand bool) []*issue {
	var found []*issue
	for _, r := range p.repositories {
		for _, pull := range r.issues {
			if pull.pull == nil {
				continue
			}
			closes := present(pull.pull.linked)
			if !byHand {
				closes = p.closing(pull)
			}
			if slices.Contains(closes, i) {
				found = append(found, pull)
			}
		}
	}
	slices.SortFunc(found, func(a, b *issue) int { return cmp.Compare(a.id, b.id) })
	return found
}

// connection is a page of a list, of issues or of pull requests, as nodes.
type connection[N any] struct {
	issues *list[*issue]
	nodes  []N
}

func connect[N any](all []*issue, name string, by bounds, node func(*issue) N) (*connection[N], error) {
	page, err := listed(all, name, by, cursor)
	if err != nil {
		return nil, err
	}
	return &connection[N]{page, each(page.nodes, node)}, nil
}

func (n *connection[N]) TotalCount() int32   { return n.issues.TotalCount() }
func (n *connection[N]) Nodes() *[]N         { return &n.nodes }
func (n *connection[N]) PageInfo() *pageInfo { return n.issues.page }

// Edges are the nodes with their cursors.
func (n *connection[N]) Edges() *[]*edge[N] {
	edges := []*edge[N]{}
	for at, node := range n.nodes {
		edges = append(edges, &edge[N]{n.issues.page.cursors[at], node})
	}
	return &edges
}

type edge[N any] struct {
	at   string
	node N
}

func (e *edge[N]) Cursor() string { return e.at }
func (e *edge[N]) Node() N        { return e.node }

type pageInfo struct {
	cursors        []string
	begins, isLast bool
}

func (n *pageInfo) HasNextPage() bool     { return !n.isLast }
func (n *pageInfo) HasPreviousPage() bool { return !n.begins }

// StartCursor is of the first of the page; null if that is empty.
func (n *pageInfo) StartCursor() *string {
	if len(n.cursors) == 0 {
		return nil
	}
	return new(n.cursors[0])
}

// EndCursor is of the last of the page; null if that is empty.
func (n *pageInfo) EndCursor() *string {
	if len(n.cursors) == 0 {
		return nil
	}
	return new(n.cursors[len(n.cursors)-1])
}

type pullNode struct {
	c *call
	i *issue
}

func (n *pullNode) ID() graphql.ID              { return graphql.ID(nodeID("PR", n.i.id)) }
func (n *pullNode) Number() int32               { return int32(n.i.number) }
func (n *pullNode) Title() string               { return n.i.title }
func (n *pullNode) Closed() bool                { return n.i.state == "closed" }
func (n *pullNode) Merged() bool                { return n.i.pull.merged }
func (n *pullNode) IsDraft() bool               { return n.i.pull.draft }
func (n *pullNode) BaseRefName() string         { return n.i.pull.base }
func (n *pullNode) HeadRefName() string         { return n.i.pull.head }
func (n *pullNode) HeadRefOid() oid             { return oid(n.i.pull.tip.sha) }
func (n *pullNode) Repository() *repositoryNode { return &repositoryNode{n.c, n.i.repo} }
func (n *pullNode) URL() uri {
	return uri(n.c.p.html("/%s/pull/%d", n.i.repo.fullName(), n.i.number))
}

// State is OPEN, CLOSED or MERGED.
func (n *pullNode) State() string {
	if n.i.pull.merged {
		return "MERGED"
	}
	return strings.ToUpper(n.i.state)
}

// ClosingIssuesReferences is the field of that name of PullRequest: the issues that its merge closes, or closed.
func (n *pullNode) ClosingIssuesReferences(args struct {
	After, Before  *string
	First, Last    *int32
	OrderBy        *issueOrder
	UserLinkedOnly bool
},
) (*connection[*issueNode], error) {
	linked := n.c.p.closing(n.i)
	if args.UserLinkedOnly {
		linked = present(n.i.pull.linked)
	}
	linked = slices.DeleteFunc(linked, func(i *issue) bool { return !n.c.actor.sees(i.repo) || !n.c.mayRead(i.repo, "issues") })
	slices.SortFunc(linked, func(a, b *issue) int { return cmp.Compare(a.id, b.id) })
	args.OrderBy.sort(linked)
	return connect(linked, "closingIssuesReferences", bounds{args.First, args.Last, args.After, args.Before}, func(i *issue) *issueNode { return &issueNode{n.c, i} })
}
