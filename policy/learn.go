package policy

import (
	"context"
	"maps"
	"path"
	"slices"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
)

// Files tells by one question what a folder of repositories of one installation has of some files: see issues.Store.
type Files interface {
	Files(ctx context.Context, of []issues.Repository, folder string, names ...string) ([]issues.Files, error)
}

// Bounds of a question.
const (
	// learnedAtOnce is how many repositories one question is about. GitHub ends a question after ten seconds.
	learnedAtOnce = 50
	// worthAsking is from how many repositories on it costs less than to read each, which is mostly answered with 304.
	worthAsking = 3
)

// Learn reads the files of repositories of one installation, fifty by one question, so that Get reads none of them. Get reads files that
// the answer leaves open, and those of a few repositories. What was learned before an error holds.
func (c *Cache) Learn(ctx context.Context, from Files, repos []issues.Repository) error {
	at := c.clock.Now()
	due := slices.DeleteFunc(slices.Clone(repos), func(repo issues.Repository) bool { return !c.entry(repo).due(at, c.keep) })
	for some := range slices.Chunk(due, learnedAtOnce) {
		if len(some) < worthAsking {
			break
		}
		if err := c.learn(ctx, from, some); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cache) learn(ctx context.Context, from Files, repos []issues.Repository) error {
	at, generations := c.clock.Now(), make([]int64, len(repos))
	for n, repo := range repos {
		generations[n] = c.entry(repo).generation.Load()
	}
	told, err := from.Files(ctx, repos, SettingsFolder, path.Base(LifecycleFile), path.Base(SettingsFile))
	if err != nil {
		return err
	}
	for n, repo := range repos {
		if files, whole := filesOf(told[n]); whole {
			c.entry(repo).learned(c.replaced(repo, files), at, generations[n], c.keep)
		}
	}
	return nil
}

// filesOf returns the files of a repository by their paths; whole is false if they have to be read.
func filesOf(told issues.Files) (files map[string]file, whole bool) {
	files = map[string]file{}
	for name, f := range told.ByName {
		if len(f.Text) > lifecycle.MaxFile {
			return nil, false
		}
		files[SettingsFolder+"/"+name] = file{blob: f.Blob, text: f.Text}
	}
	return files, told.Whole
}

// due reports whether the files have to be read before they are used.
func (e *cacheEntry) due(now time.Time, keep time.Duration) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stale(now, keep)
}

// stale is due for who holds the entry.
func (e *cacheEntry) stale(now time.Time, keep time.Duration) bool {
	return !e.loaded || e.loadedGeneration != e.generation.Load() || now.Sub(e.loadedAt) >= keep
}

// learned takes over what the files were at a time, unless they were read since, or are to be read again.
func (e *cacheEntry) learned(files map[string]file, at time.Time, generation int64, keep time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.stale(at, keep) && e.generation.Load() == generation {
		e.take(files, at, generation)
	}
}

// take takes over what the files are, for who holds the entry.
func (e *cacheEntry) take(files map[string]file, at time.Time, generation int64) {
	e.resolved = e.resolved && maps.EqualFunc(e.files, files, func(a, b file) bool { return a.blob == b.blob })
	e.files, e.loaded, e.loadedAt, e.loadedGeneration = files, true, at, generation
}
