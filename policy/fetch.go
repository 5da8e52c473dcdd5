package policy

import (
	"context"
	"fmt"

	"github.com/colony-app/colony/github/client"
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

// replaced puts the files of Instead in the place of a repository's own.
func (c *Cache) replaced(repo issues.Repository, files map[string]file) map[string]file {
	if !SpeaksForOthers(repo.Name) {
		for at, text := range c.instead {
			files[at] = file{blob: "instead", text: text}
		}
	}
	return files
}

// read reads the files that are there, by their path, with the files that replace a repository's own. What was read before and has not changed is
// not read again.
func (c *Cache) read(ctx context.Context, repo issues.Repository, before map[string]file) (map[string]file, error) {
	listed, err := client.Folder(ctx, c.clients, repo, SettingsFolder)
	if err != nil {
		return nil, err
	}
	files := map[string]file{}
	for _, entry := range listed {
		at := SettingsFolder + "/" + entry.Name
		if at != LifecycleFile && at != SettingsFile {
			continue
		}
		f, there, err := c.open(ctx, repo, entry, before[at])
		if err != nil {
			return nil, err
		}
		if there {
			files[at] = f
		}
	}
	return c.replaced(repo, files), nil
}

func (c *Cache) open(ctx context.Context, repo issues.Repository, entry client.Content, before file) (f file, there bool, err error) {
	at := SettingsFolder + "/" + entry.Name
	f = file{blob: entry.Blob}
	switch {
	case entry.Kind != "file":
		f.unusable = unusable(at, fmt.Sprintf("this is a %s, and not a file", entry.Kind))
		return f, true, nil
	case entry.Size > lifecycle.MaxFile:
		f.unusable = unusable(at, tooLarge(entry.Size))
		return f, true, nil
	case f.blob == before.blob && f.blob != "":
		return before, true, nil
	}
	return c.version(ctx, repo, at, "")
}

// version reads a file as it is in a commit, or in the default branch.
func (c *Cache) version(ctx context.Context, repo issues.Repository, at, ref string) (f file, there bool, err error) {
	content, there, err := client.File(ctx, c.clients, repo, at, ref)
	f = file{blob: content.Blob, text: content.Text}
	switch {
	case err != nil || !there:
		return file{}, false, err
	case content.Kind == "dir":
		f.unusable = unusable(at, "this is a folder, and not a file")
	case content.Size > lifecycle.MaxFile:
		f.text, f.unusable = nil, unusable(at, tooLarge(content.Size))
	case content.Unreadable != nil:
		f.unusable = unusable(at, "GitHub does not show its text: "+content.Unreadable.Error())
	}
	return f, true, nil
}

func tooLarge(size int) string {
	return fmt.Sprintf("the file has %d bytes, more than %d", size, lifecycle.MaxFile)
}

func unusable(at, why string) error {
	return &lifecycle.FileError{Problems: []lifecycle.Problem{{File: at, Line: 1, Column: 1, Message: why}}}
}
