package policy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path"

	"github.com/google/go-github/v62/github"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// file is one of the files as it is in the default branch.
type file struct {
	blob string // git's name of the content
	text []byte
	// unusable says why it was not read; nil if it was.
	unusable error
}

// read reads the files that are there, by their path, with those that stand in for a repository's own.
func (c *Cache) read(ctx context.Context, repo issues.Repository, before map[string]file) (map[string]file, error) {
	files, err := c.readFiles(ctx, repo, before)
	if err == nil && !SpeaksForOthers(repo.Name) {
		for at, text := range c.instead {
			files[at] = file{blob: "instead", text: text}
		}
	}
	return files, err
}

// readFiles reads the files of a repository. What was read before and has not changed is not read again.
func (c *Cache) readFiles(ctx context.Context, repo issues.Repository, before map[string]file) (map[string]file, error) {
	client, err := c.clients.NewInstallationClient(repo.Installation)
	if err != nil {
		return nil, err
	}
	_, listed, _, err := client.Repositories.GetContents(ctx, repo.Owner, repo.Name, SettingsFolder, nil)
	if notThere(err) {
		return map[string]file{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s of %s: %w", SettingsFolder, repo, err)
	}
	files := map[string]file{}
	for _, entry := range listed {
		at := SettingsFolder + "/" + entry.GetName()
		if at != LifecycleFile && at != SettingsFile {
			continue
		}
		f, there, err := c.open(ctx, client, repo, entry, before[at])
		if err != nil {
			return nil, err
		}
		if there {
			files[at] = f
		}
	}
	return files, nil
}

func (c *Cache) open(ctx context.Context, client *github.Client, repo issues.Repository, entry *github.RepositoryContent, before file) (f file, there bool, err error) {
	at := SettingsFolder + "/" + entry.GetName()
	f = file{blob: entry.GetSHA()}
	switch {
	case entry.GetType() != "file":
		f.unusable = unusable(at, fmt.Sprintf("this is a %s, and not a file", entry.GetType()))
		return f, true, nil
	case entry.GetSize() > lifecycle.MaxFile:
		f.unusable = unusable(at, tooLarge(entry.GetSize()))
		return f, true, nil
	case f.blob == before.blob && f.blob != "":
		return before, true, nil
	}
	return c.version(ctx, client, repo, at, "")
}

// version reads a file as it is in a commit, or in the default branch.
func (c *Cache) version(ctx context.Context, client *github.Client, repo issues.Repository, at, ref string) (f file, there bool, err error) {
	content, _, _, err := client.Repositories.GetContents(ctx, repo.Owner, repo.Name, at, &github.RepositoryContentGetOptions{Ref: ref})
	if notThere(err) {
		return file{}, false, nil
	}
	if err != nil {
		return file{}, false, fmt.Errorf("read %s of %s: %w", path.Join(ref, at), repo, err)
	}
	if content == nil {
		return file{unusable: unusable(at, "this is a folder, and not a file")}, true, nil
	}
	f = file{blob: content.GetSHA()}
	if size := content.GetSize(); size > lifecycle.MaxFile {
		f.unusable = unusable(at, tooLarge(size))
		return f, true, nil
	}
	text, err := content.GetContent()
	if err != nil {
		f.unusable = unusable(at, "GitHub does not show its text: "+err.Error())
	}
	f.text = []byte(text)
	return f, true, nil
}

func tooLarge(size int) string {
	return fmt.Sprintf("the file has %d bytes, more than %d", size, lifecycle.MaxFile)
}

func unusable(at, why string) error {
	return &lifecycle.FileError{Problems: []lifecycle.Problem{{File: at, Line: 1, Column: 1, Message: why}}}
}

// notThere reports whether GitHub answered that there is nothing (404, or 409 where a repository is empty), or nothing that Colony
// may see (403). A rate limit is neither: the clients make it another error.
func notThere(err error) bool {
	var answer *github.ErrorResponse
	if issues.IsGone(err) || !errors.As(err, &answer) || answer.Response == nil {
		return false
	}
	code := answer.Response.StatusCode
	return code == http.StatusNotFound || code == http.StatusForbidden || code == http.StatusConflict
}
