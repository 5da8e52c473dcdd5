package issues

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// File is a file in the default branch of a repository.
type File struct {
	Blob string // git's name of the content
	Text []byte
}

// Files are what a folder has of some files, by their names. Whole is false if the answer leaves a file open: a link, a folder where a file is
// expected, or what is no text.
type Files struct {
	Whole  bool
	ByName map[string]File
}

// Files returns what a folder of repositories of one installation has of some files, in the order of the repositories, by one question, which costs a
// point. A repository without the folder has none of them.
func (s lists) Files(ctx context.Context, of []Repository, folder string, names ...string) ([]Files, error) {
	lists := []string{fmt.Sprintf("folder: object(expression: %s) { ... on Tree { entries { name mode type } } }", quoted("HEAD:"+folder))}
	for n, name := range names {
		lists = append(lists, fmt.Sprintf("f%d: object(expression: %s) { ... on Blob { oid byteSize isTruncated text } }", n, quoted("HEAD:"+folder+"/"+name)))
	}
	found := make([]Files, len(of))
	_, err := s.ofEach(ctx, of, "read "+folder, func(int) string { return strings.Join(lists, "\n  ") }, func(n int, told json.RawMessage) (err error) {
		found[n], err = filesIn(told, names)
		return err
	})
	return found, err
}

func filesIn(told json.RawMessage, names []string) (Files, error) {
	is := Files{Whole: true, ByName: map[string]File{}}
	var of map[string]json.RawMessage
	if err := json.Unmarshal(told, &of); err != nil {
		return Files{}, fmt.Errorf("read the files: %w", err)
	}
	var folder struct{ Entries []folderEntry }
	if err := json.Unmarshal(of["folder"], &folder); err != nil {
		return Files{}, fmt.Errorf("read the folder: %w", err)
	}
	for _, entry := range folder.Entries {
		n := slices.Index(names, entry.Name)
		if n < 0 {
			continue
		}
		var blob blobSaid
		if err := json.Unmarshal(of[fmt.Sprint("f", n)], &blob); err != nil {
			return Files{}, fmt.Errorf("read the file %s: %w", entry.Name, err)
		}
		if !entry.isFile() || !blob.isWhole() {
			is.Whole = false
			continue
		}
		is.ByName[entry.Name] = File{Blob: blob.Oid, Text: []byte(*blob.Text)}
	}
	return is, nil
}

// folderEntry is what a folder has: https://docs.github.com/graphql/reference/objects#treeentry.
type folderEntry struct {
	Name string
	Mode int
	Type string
}

// isFile reports whether it is a file or a program, by git's mode, and no link.
func (e folderEntry) isFile() bool {
	return e.Type == "blob" && (e.Mode == 0o100644 || e.Mode == 0o100755)
}

// blobSaid is the content of a file: https://docs.github.com/graphql/reference/objects#blob.
type blobSaid struct {
	Oid         string
	ByteSize    int
	IsTruncated bool
	Text        *string // nil: it is no text
}

func (b blobSaid) isWhole() bool {
	return !b.IsTruncated && b.Text != nil && len(*b.Text) == b.ByteSize
}
