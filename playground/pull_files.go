package playground

import (
	"bytes"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// fileChange is one file that differs between two commits.
type fileChange struct {
	name                 string
	status               string // added, removed or modified
	blob                 []byte // the file's content, before it was removed if it was
	patch                string // unified, without its header
	additions, deletions int    // lines
}

// changedFiles lists what differs between two commits, by name. A file that was renamed is one removed and one added.
func changedFiles(from, to *commit) []fileChange {
	names := slices.Collect(maps.Keys(to.files))
	for name := range from.files {
		if _, kept := to.files[name]; !kept {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var changes []fileChange
	for _, name := range names {
		before, had := from.files[name]
		after, has := to.files[name]
		f := fileChange{name: name, status: "modified", blob: after}
		switch {
		case !had:
			f.status = "added"
		case !has:
			f.status, f.blob = "removed", before
		case bytes.Equal(before, after):
			continue
		}
		f.compare(before, after)
		changes = append(changes, f)
	}
	return changes
}

var hunk = regexp.MustCompile(`(?m)^@@ .* @@`)

// compare fills in the patch and its counts.
func (f *fileChange) compare(before, after []byte) {
	text := string(diff.Diff("a", before, "b", after))
	at := strings.Index(text, "\n@@ ")
	if at < 0 {
		return // an empty file came or went
	}
	// git does not say that a hunk has one line.
	f.patch = hunk.ReplaceAllStringFunc(strings.TrimSuffix(text[at+1:], "\n"), func(head string) string { return strings.ReplaceAll(head, ",1 ", " ") })
	for line := range strings.Lines(f.patch) {
		switch line[0] {
		case '+':
			f.additions++
		case '-':
			f.deletions++
		}
	}
}

// GET /repos/{owner}/{repo}/pulls/{pull_number}/files: against the commit from which the branches went apart, as on
// GitHub.
func listPullFiles(c *call) (any, error) {
	payloads := []object{}
	for _, f := range page(c, c.issue.pull.changes()) {
		payloads = append(payloads, c.p.fileChangePayload(c.repo, c.issue.pull.tip.sha, f))
	}
	return payloads, nil
}

func (p *Playground) fileChangePayload(r *repository, ref string, f fileChange) object {
	escaped := (&url.URL{Path: f.name}).EscapedPath()
	payload := object{
		"sha": objectName("blob", f.blob), "filename": f.name, "status": f.status,
		"additions": f.additions, "deletions": f.deletions, "changes": f.additions + f.deletions,
		"blob_url": p.html("/%s/blob/%s/%s", r.fullName(), ref, escaped), "raw_url": p.html("/%s/raw/%s/%s", r.fullName(), ref, escaped),
		"contents_url": p.api("/repos/%s/contents/%s?ref=%s", r.fullName(), escaped, ref),
	}
	if f.patch != "" {
		payload["patch"] = f.patch
	}
	return payload
}
