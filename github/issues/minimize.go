package issues

import (
	"context"
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

// Minimize hides comments, as https://docs.github.com/graphql/reference/mutations#minimizecomment says. It can be repeated.
type Minimize struct {
	NodeIDs []string
	As      Classifier
}

// maxMinimized is how many comments one call hides; the comments that were written last, if there are more.
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
	refused, err := s.about(client, ref).mutate(ctx, fmt.Sprintf("($as: ReportedContentClassifiers!, %s) { %s }", strings.Join(declared, ", "), strings.Join(fields, " ")), variables, new(map[string]any))
	if refused != nil {
		zerolog.Ctx(ctx).Debug().Err(refused).Stringer("issue", ref).Msg("comments cannot be hidden")
	}
	return err
}
