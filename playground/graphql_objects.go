package playground

import (
	"path"
	"strings"
	"unicode/utf8"

	graphql "github.com/graph-gophers/graphql-go"
)

// Object is the field object of Repository: the file or folder that an expression names, "HEAD:folder/file" or with a branch or commit instead of
// HEAD; null without one. It refuses objects by their id, and commits.
func (n *repositoryNode) Object(args struct {
	Expression *string
	Oid        *oid
},
) (*gitObject, error) {
	if !n.c.mayRead(n.r, "contents") {
		return nil, &graphqlRefusal{"FORBIDDEN", "Resource not accessible by integration"}
	}
	if args.Expression == nil || args.Oid != nil {
		return nil, n.c.notImplemented("Repository.object but with expression alone")
	}
	ref, at, isPath := strings.Cut(*args.Expression, ":")
	if !isPath {
		return nil, n.c.notImplemented("Repository.object of a commit")
	}
	if ref == "HEAD" {
		ref = ""
	}
	tip := n.r.commitAt(ref)
	if tip == nil {
		return nil, nil
	}
	if content, is := tip.files[at]; is {
		return &gitObject{blob: &blobNode{content}}, nil
	}
	if tree := treeOf(tip, at); len(tree.entries) > 0 {
		return &gitObject{tree: tree}, nil
	}
	return nil, nil
}

// gitObject is a file or a folder.
type gitObject struct {
	blob *blobNode
	tree *treeNode
}

func (o *gitObject) ToBlob() (*blobNode, bool) { return o.blob, o.blob != nil }
func (o *gitObject) ToTree() (*treeNode, bool) { return o.tree, o.tree != nil }

func (o *gitObject) ID() graphql.ID {
	if o.blob != nil {
		return o.blob.ID()
	}
	return o.tree.ID()
}

func (o *gitObject) Oid() oid {
	if o.blob != nil {
		return o.blob.Oid()
	}
	return o.tree.Oid()
}

type blobNode struct{ content []byte }

func (n *blobNode) ID() graphql.ID    { return graphql.ID("B_" + n.Oid()) }
func (n *blobNode) Oid() oid          { return oid(objectName("blob", n.content)) }
func (n *blobNode) ByteSize() int32   { return int32(len(n.content)) }
func (n *blobNode) IsTruncated() bool { return false }

// IsBinary says what is no text: GitHub guesses by the first bytes.
func (n *blobNode) IsBinary() *bool { return new(!utf8.Valid(n.content)) }

// Text is null for what is no text.
func (n *blobNode) Text() *string {
	if *n.IsBinary() {
		return nil
	}
	return new(string(n.content))
}

type treeNode struct{ entries []*treeEntry }

// treeOf lists a folder by name.
func treeOf(at *commit, folder string) *treeNode {
	n := &treeNode{}
	for _, e := range at.folder(folder) {
		of := &gitObject{blob: &blobNode{e.content}}
		if e.isFolder {
			of = &gitObject{tree: treeOf(at, path.Join(folder, e.name))}
		}
		n.entries = append(n.entries, &treeEntry{e.name, of})
	}
	return n
}

func (n *treeNode) ID() graphql.ID         { return graphql.ID("T_" + n.Oid()) }
func (n *treeNode) Entries() *[]*treeEntry { return &n.entries }

// Oid is git's name of what the folder has.
func (n *treeNode) Oid() oid {
	var listing []byte
	for _, e := range n.entries {
		listing = append(listing, e.Type()+" "+string(e.Oid())+" "+e.name+"\n"...)
	}
	return oid(objectName("tree", listing))
}

// treeEntry is a file or folder in a folder. There are no links and no submodules.
type treeEntry struct {
	name string
	of   *gitObject
}

func (e *treeEntry) Name() string       { return e.name }
func (e *treeEntry) Oid() oid           { return e.of.Oid() }
func (e *treeEntry) Object() *gitObject { return e.of }

// Mode is git's, as a number.
func (e *treeEntry) Mode() int32 {
	if e.of.blob != nil {
		return 0o100644
	}
	return 0o40000
}

func (e *treeEntry) Type() string {
	if e.of.blob != nil {
		return "blob"
	}
	return "tree"
}
