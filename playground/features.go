package playground

import (
	"fmt"
	"slices"
	"strings"
)

// Feature is something of GitHub that an older GitHub Enterprise Server does not have.
type Feature string

// What a playground can be without.
const (
	IssueDependencies Feature = "issue-dependencies" // since GitHub Enterprise Server 3.19
	SubIssues         Feature = "sub-issues"         // not in the REST API of GitHub Enterprise Server 3.19
	GraphQL           Feature = "graphql"            // for a proxy that lets the REST API through only
)

// featureRoutes says which routes a feature is, by what their patterns have.
var featureRoutes = map[Feature][]string{
	IssueDependencies: {"/issues/{issue_number}/dependencies/"},
	SubIssues:         {"/issues/{issue_number}/sub_issue", "/issues/{issue_number}/parent"},
	GraphQL:           {"/graphql"},
}

// Lack makes the playground a GitHub without exactly these features: their addresses are not there (404), what they are called in payloads neither,
// and no webhook tells of them. It is an error if one of them is not among the constants.
func (p *Playground) Lack(features ...Feature) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	lacking := map[Feature]bool{}
	for _, feature := range features {
		if featureRoutes[feature] == nil {
			return fmt.Errorf("there is no feature %q", feature)
		}
		lacking[feature] = true
	}
	p.lacking = lacking
	return nil
}

// lacks is whether a route is of a feature that this GitHub does not have.
func (p *Playground) lacks(route *Route) bool {
	for feature := range p.lacking {
		if slices.ContainsFunc(featureRoutes[feature], func(part string) bool { return strings.Contains(route.Pattern, part) }) {
			return true
		}
	}
	return false
}
