package issues

import (
	"context"
	"strings"
)

// Lacking returns the labels that a repository has not got yet. It changes nothing.
func (l *Labels) Lacking(ctx context.Context, repo Repository) ([]string, error) {
	client, err := l.store.client(repo)
	if err != nil {
		return nil, err
	}
	have, err := l.list(ctx, client, repo)
	if err != nil {
		return nil, err
	}
	var lacking []string
	for _, want := range l.want {
		if have[strings.ToLower(want.Label)] == nil {
			lacking = append(lacking, want.Label)
		}
	}
	return lacking, nil
}
