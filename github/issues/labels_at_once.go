package issues

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"
)

const (
	// fewLabels are made one by one: the mutation for more needs the repository's id first.
	fewLabels = 2
	// labelsAtOnce is how many labels one mutation makes. GitHub gives a call ten seconds.
	labelsAtOnce = 25
)

const repositoryIDQuery = `query repositoryID($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { id } }`

// makeAtOnce makes those of some labels that are missing, many with one call (https://docs.github.com/graphql/reference/mutations#createlabel), and returns
// what GitHub confirms. A field of a mutation that fails stops none behind it. What is not confirmed is to be made one by one: there a limit,
// a missing permission, or a label that someone made in between shows itself. So nothing that goes wrong here is an error.
func (l *LabelProvisioner) makeAtOnce(ctx context.Context, client *github.Client, repo Repository, amiss []flaw) (made []flaw) {
	missing := slices.DeleteFunc(slices.Clone(amiss), func(f flaw) bool { return !f.missing || f.was != "" })
	if len(missing) <= fewLabels {
		return nil
	}
	q := l.store.about(client, Ref{Repository: repo})
	var found struct{ Repository struct{ ID string } }
	err := q.queryWith(ctx, repositoryIDQuery, map[string]any{"owner": repo.Owner, "name": repo.Name}, &found)
	for some := range slices.Chunk(missing, labelsAtOnce) {
		if err != nil {
			break
		}
		var confirmed []flaw
		confirmed, err = q.makeLabels(ctx, found.Repository.ID, some)
		made = append(made, confirmed...)
	}
	if err != nil {
		zerolog.Ctx(ctx).Debug().Err(err).Stringer("repo", repo).Msg("labels are made one by one")
	}
	return made
}

// makeLabels makes labels of a repository with one mutation, and returns what is confirmed.
func (q questions) makeLabels(ctx context.Context, repository string, labels []flaw) (made []flaw, err error) {
	declared, fields := []string{"$r: ID!"}, []string{}
	variables := map[string]any{"r": repository}
	for i, f := range labels {
		declared = append(declared, fmt.Sprintf("$n%d: String!, $c%d: String!, $d%d: String", i, i, i))
		fields = append(fields, fmt.Sprintf("l%d: createLabel(input: {repositoryId: $r, name: $n%d, color: $c%d, description: $d%d}) { clientMutationId }", i, i, i, i))
		for name, value := range map[string]string{"n": f.Label, "c": f.Color, "d": f.Description} {
			variables[fmt.Sprint(name, i)] = value
		}
	}
	var done map[string]any
	refused, err := q.mutate(ctx, fmt.Sprintf("(%s) { %s }", strings.Join(declared, ", "), strings.Join(fields, " ")), variables, &done)
	for i, f := range labels {
		if done[fmt.Sprintf("l%d", i)] != nil {
			made = append(made, f)
		}
	}
	return made, errors.Join(refused, err)
}
