package issues

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/go-github/v62/github"
	"github.com/rs/zerolog"
)

// Classifier is why a comment is hidden, in GitHub's words (https://docs.github.com/graphql/reference/enums#reportedcontentclassifiers).
type Classifier string

// The classifiers that Colony uses.
const (
	Resolved Classifier = "RESOLVED"
	Outdated Classifier = "OUTDATED"
)

// Minimize hides comments, as https://docs.github.com/graphql/reference/mutations#minimizecomment says. It may be repeated.
type Minimize struct {
	NodeIDs []string
	As      Classifier
}

// maxMinimized is how many comments one call hides; those that were written last, if there are more.
const maxMinimized = 50

// minimize hides comments. A server that cannot, or does not let Colony, and a comment that is gone, hold nothing up: hiding makes a
// conversation tidier, and nothing depends on it.
func (s writes) minimize(ctx context.Context, client *github.Client, ref Ref, m Minimize) error {
	ids := m.NodeIDs[max(0, len(m.NodeIDs)-maxMinimized):]
	var declared, fields []string
	variables := map[string]any{"as": m.As}
	for i, id := range ids {
		declared = append(declared, fmt.Sprintf("$c%d: ID!", i))
		fields = append(fields, fmt.Sprintf("c%d: minimizeComment(input: {subjectId: $c%d, classifier: $as}) { clientMutationId }", i, i))
		variables[fmt.Sprintf("c%d", i)] = id
	}
	mutation := fmt.Sprintf("mutation($as: ReportedContentClassifiers!, %s) { %s }", strings.Join(declared, ", "), strings.Join(fields, " "))
	var done map[string]any
	err := s.about(client, ref).queryWith(WithRepository(ctx, ref.Repository), mutation, variables, &done)
	if refused := graphqlErrors(nil); errors.Is(err, errNoGraphQL) || errors.Is(err, ErrForbidden) || errors.As(err, &refused) {
		zerolog.Ctx(ctx).Debug().Err(err).Stringer("issue", ref).Msg("comments cannot be hidden")
		return nil
	}
	return err
}

type repositoryKey struct{}

// WithRepository says which repository a call changes whose address does not tell.
func WithRepository(ctx context.Context, repo Repository) context.Context {
	return context.WithValue(ctx, repositoryKey{}, repo)
}

// RepositoryOf returns the repository that a call changes whose address does not tell; ok is false if it changes none.
func RepositoryOf(ctx context.Context) (repo Repository, ok bool) {
	repo, ok = ctx.Value(repositoryKey{}).(Repository)
	return repo, ok
}
