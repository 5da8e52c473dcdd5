package issues

import (
	"context"
	"strings"
)

// Missing returns the labels of a table that a repository has not got yet. It changes nothing.
func (l *LabelProvisioner) Missing(ctx context.Context, repo Repository, table Table) ([]string, error) {
	client, err := l.store.client(repo)
	if err != nil {
		return nil, err
	}
	have, err := l.list(ctx, client, repo)
	if err != nil {
		return nil, err
	}
	var lacking []string
	for _, want := range table.Marks {
		if have[strings.ToLower(want.Label)] == nil {
			lacking = append(lacking, want.Label)
		}
	}
	return lacking, nil
}
