package client

import (
	"strings"
	"testing"

	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/github/issues"
)

// The error for a missing client names the installation once.
func TestInstallationWithoutAClient(t *testing.T) {
	t.Parallel()
	clients := newInstallationClients("", func(int64) githubapp.ClientCreator {
		return githubapp.NewClientCreator("https://github.test/api/v3/", "", 7, []byte("no key"))
	})
	repo := issues.Repository{Installation: 12, Owner: "acme", Name: "widgets"}
	for name, ask := range map[string]func() error{
		"an issue": func() error {
			_, err := issues.NewStore(clients, &issues.Actors{}).Load(t.Context(), issues.Ref{Repository: repo, Number: 1})
			return err
		},
		"the repositories of an installation": func() error {
			return EachRepository(t.Context(), clients, 12, Once, func(issues.Repository) error { return nil })
		},
	} {
		err := ask()
		if err == nil || strings.Count(err.Error(), "make a client for installation 12") != 1 || strings.Count(err.Error(), "installation 12") != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
