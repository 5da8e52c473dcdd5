package playground

import (
	"crypto/sha1" //nolint:gosec // git's object names
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"
)

// commit is a commit with all files of its tree.
type commit struct {
	sha     string
	parent  *commit
	message string
	author  *account
	date    time.Time
	files   map[string][]byte
}

// newCommit makes a commit on a parent (nil: the first). Its name depends on everything in it, as in git.
func newCommit(parent *commit, message string, author *account, date time.Time, files map[string][]byte) *commit {
	c := &commit{parent: parent, message: message, author: author, date: date, files: files}
	content := fmt.Sprintf("%s\n%s\n%d\n", message, author.login, date.UnixNano())
	if parent != nil {
		content += parent.sha + "\n"
	}
	content += c.treeSHA()
	c.sha = objectName("commit", []byte(content))
	return c
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
