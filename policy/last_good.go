package policy

import (
	"context"
	"fmt"
	"time"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
)

// versionsRead bounds how many versions of a broken file Colony reads to find the last good one.
const versionsRead = 10

// lastGood returns what is in force of a file: what it says, or if it is broken, what its last good version says. There is
// nothing in force if the file was not there before it was broken.
//
// A file that was broken more often in a row than versionsRead keeps what was in force before in this process.
func lastGood[T any](ctx context.Context, c *Cache, repo issues.Repository, at string, head file, before *T, check func([]byte) (T, error)) (*T, *InvalidFile, error) {
	good, err := checked(head, check)
	if err == nil {
		return &good, nil, nil
	}
	broken := &InvalidFile{Path: at, Blob: head.blob, Problems: problemsOf(at, err)}
	client, err := c.clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return nil, nil, err
	}
	commits, err := commitsOf(ctx, client, repo, at, versionsRead+1)
	if err != nil || len(commits) == 0 {
		return before, broken, err
	}
	broken.Commit = commits[0].GetSHA()
	for _, commit := range commits[1:] {
		f, there, err := c.version(ctx, client, repo, at, commit.GetSHA())
		if err != nil {
			return nil, nil, err
		}
		if !there {
			return nil, broken, nil
		}
		if good, err = checked(f, check); err == nil {
			broken.LastGoodCommit = commit.GetSHA()
			return &good, broken, nil
		}
	}
	if len(commits) <= versionsRead { // these are all
		return nil, broken, nil
	}
	return before, broken, nil
}

func checked[T any](f file, check func([]byte) (T, error)) (T, error) {
	if f.unusable != nil {
		var none T
		return none, f.unusable
	}
	return check(f.text)
}

// commitsOf lists the commits to the default branch that touched a file, newest first. The list is empty where GitHub has none
// or does not show them.
func commitsOf(ctx context.Context, client *github.Client, repo issues.Repository, at string, most int) ([]*github.RepositoryCommit, error) {
	list, _, err := client.Repositories.ListCommits(ctx, repo.Owner, repo.Name, &github.CommitsListOptions{
		Path: at, ListOptions: github.ListOptions{PerPage: most},
	})
	if notThere(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the commits to %s of %s: %w", at, repo, err)
	}
	return list, nil
}

// newest returns the newest commit that touched any of the files.
func (c *Cache) newest(ctx context.Context, repo issues.Repository, files map[string]file) (string, error) {
	client, err := c.clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return "", err
	}
	var sha string
	var at time.Time
	for _, name := range []string{LifecycleFile, SettingsFile} {
		if _, there := files[name]; !there {
			continue
		}
		commits, err := commitsOf(ctx, client, repo, name, 1)
		if err != nil {
			return "", err
		}
		if len(commits) == 0 {
			continue
		}
		if date := commits[0].GetCommit().GetCommitter().GetDate().Time; sha == "" || date.After(at) {
			sha, at = commits[0].GetSHA(), date
		}
	}
	return sha, nil
}
