package policy

import (
	"context"
	"time"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/github/client"
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
	broken := &InvalidFile{InvalidFile: wording.InvalidFile{Path: at, Problems: problemsOf(at, err)}, Blob: head.blob}
	commits, err := client.CommitsTo(ctx, c.clients, repo, at, versionsRead+1)
	if err != nil || len(commits) == 0 {
		return before, broken, err
	}
	broken.Commit = commits[0].SHA
	for _, commit := range commits[1:] {
		f, there, err := c.version(ctx, repo, at, commit.SHA)
		if err != nil {
			return nil, nil, err
		}
		if !there {
			return nil, broken, nil
		}
		if good, err = checked(f, check); err == nil {
			broken.LastGoodCommit = commit.SHA
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

// newest returns the newest commit that touched any of the files.
func (c *Cache) newest(ctx context.Context, repo issues.Repository, files map[string]file) (string, error) {
	var sha string
	var at time.Time
	for _, name := range []string{LifecycleFile, SettingsFile} {
		if _, there := files[name]; !there {
			continue
		}
		commits, err := client.CommitsTo(ctx, c.clients, repo, name, 1)
		if err != nil {
			return "", err
		}
		if len(commits) == 0 {
			continue
		}
		if c := commits[0]; sha == "" || c.At.After(at) {
			sha, at = c.SHA, c.At
		}
	}
	return sha, nil
}
