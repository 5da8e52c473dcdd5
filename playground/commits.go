package playground

import (
	"cmp"
	"crypto/sha1" //nolint:gosec // git's object names
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"
)

// commit is a commit with all files of its tree.
type commit struct {
	sha     string
	parents []*commit // none: the first; two: a merge, the branch that it was made on first
	depth   int       // of the longest way to a first commit
	message string
	author  *account
	date    time.Time
	files   map[string][]byte
}

// newCommit makes a commit on its parents. Its name depends on everything in it, as in git.
func newCommit(message string, author *account, date time.Time, files map[string][]byte, parents ...*commit) *commit {
	c := &commit{parents: parents, message: message, author: author, date: date, files: files}
	content := fmt.Appendf(nil, "%s\n%s\n%d\n", message, author.login, date.UnixNano())
	for _, parent := range parents {
		content = append(content, parent.sha+"\n"...)
		c.depth = max(c.depth, parent.depth+1)
	}
	content = append(content, c.treeSHA()...)
	c.sha = objectName("commit", content)
	return c
}

// history is a commit and everything before it, each once.
func (c *commit) history() iter.Seq[*commit] {
	return func(yield func(*commit) bool) {
		seen, next := map[*commit]bool{c: true}, []*commit{c}
		for len(next) > 0 {
			at := next[0]
			next = next[1:]
			if !yield(at) {
				return
			}
			for _, parent := range at.parents {
				if !seen[parent] {
					seen[parent] = true
					next = append(next, parent)
				}
			}
		}
	}
}

// since lists what of a commit's history another's has not, oldest first.
func (c *commit) since(other *commit) []*commit {
	had := map[*commit]bool{}
	for old := range other.history() {
		had[old] = true
	}
	var since []*commit
	for own := range c.history() {
		if !had[own] {
			since = append(since, own)
		}
	}
	slices.SortStableFunc(since, func(a, b *commit) int { return cmp.Compare(a.depth, b.depth) })
	return since
}

func (c *commit) treeSHA() string {
	var listing []byte
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		listing = fmt.Appendf(listing, "100644 %s\x00%s", path, objectName("blob", c.files[path]))
	}
	return objectName("tree", listing)
}

// objectName is git's name of an object; that of a blob is the real one.
func objectName(kind string, content []byte) string {
	h := sha1.New() //nolint:gosec // git's object names
	fmt.Fprintf(h, "%s %d\x00", kind, len(content))
	h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// SetFile writes a file on the default branch, on behalf of the repository's owner.
func (p *Playground) SetFile(owner, name, path, content string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	r, err := p.mustRepository(owner, name)
	if err != nil {
		return fmt.Errorf("set a file: %w", err)
	}
	p.commitFile(actor{account: r.owner}, r, r.defaultBranch, "Update "+path, path, []byte(content))
	return nil
}

// commitFile puts one file (nil: removes it) onto a branch and tells of the push.
func (p *Playground) commitFile(by actor, r *repository, branch, message, path string, content []byte) *commit {
	parent := r.branches[branch]
	files := maps.Clone(parent.files)
	if content == nil {
		delete(files, path)
	} else {
		files[path] = content
	}
	c := newCommit(message, by.account, p.now(), files, parent)
	p.advance(by, r, branch, "push", c)
	return c
}

// advance moves a branch to a child of its tip, by a kind of activity, and takes its open pull requests along.
func (p *Playground) advance(by actor, r *repository, branch, kind string, tip *commit) {
	before := r.branches[branch]
	r.branches[branch], r.pushed = tip, p.now()
	p.moved(by, r, branch, kind, before, tip)
	p.emitPush(by, r, branch, before, tip)
	p.requestSuites(by, r, tip)
	p.noteCommits(by, r, branch, tip.since(before))
	for _, i := range r.issues {
		if i.pull != nil && i.state == "open" && i.pull.head == branch {
			i.pull.tip, i.updated = tip, p.now()
			p.emitIssue("synchronize", by, i, object{"before": before.sha, "after": tip.sha})
		}
	}
}
