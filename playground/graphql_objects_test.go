package playground_test

import (
	"crypto/sha1"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFilesOverGraphQL(t *testing.T) {
	w := newWorld(t)
	w.check(w.SetFile("acme", "shop", ".github/colony.yml", "close: true\n"))
	w.check(w.SetFile("acme", "shop", ".github/a/deeper", "\xff\xfe"))
	w.check(w.SetFile("acme", "shop", "README", ""))
	named := fmt.Sprintf("%x", sha1.Sum([]byte("blob 12\x00close: true\n")))
	for fields, want := range map[string]string{
		`object(expression:"HEAD:.github/colony.yml"){__typename ...on Blob{oid byteSize isBinary isTruncated text}}`: `{"__typename":"Blob","byteSize":12,"isBinary":false,"isTruncated":false,"oid":"` + named + `","text":"close: true\n"}`,
		`object(expression:"HEAD:.github"){__typename ...on Tree{entries{name mode type}}}`:                           `{"__typename":"Tree","entries":[{"mode":16384,"name":"a","type":"tree"},{"mode":33188,"name":"colony.yml","type":"blob"}]}`,
		`object(expression:"main:"){...on Tree{entries{name}}}`:                                                       `{"entries":[{"name":".github"},{"name":"README"},{"name":"README.md"}]}`,
		`object(expression:"HEAD:.github/a/deeper"){...on Blob{text isBinary}}`:                                       `{"isBinary":true,"text":null}`,
		`object(expression:"HEAD:.github/none"){oid}`:                                                                 `null`,
		`object(expression:"none:README"){oid}`:                                                                       `null`,
	} {
		if diff := cmp.Diff(`{"object":`+want+`}`, w.tells("bob", fields)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fields, diff)
		}
	}
	for _, fields := range []string{`object(expression:"HEAD"){oid}`, `object{oid}`} {
		if got := w.tells("bob", fields); !strings.Contains(got, "NOT_IMPLEMENTED") {
			t.Errorf("%s: %s", fields, got)
		}
	}
}

func TestLabelsOfIssuesOverGraphQL(t *testing.T) {
	w := newWorld(t)
	n := w.open("alice", "One").GetNumber()
	w.open("bob", "Two")
	w.check(w.label(n, "second"))
	w.check(w.label(n, "first"))
	const fields = `issues(first:2){nodes{number createdAt author{login} labels(first:1){totalCount pageInfo{hasNextPage} nodes{name}}}}`
	const want = `{"issues":{"nodes":[{"author":{"login":"alice"},"createdAt":"0s","labels":{"nodes":[{"name":"second"}],"pageInfo":{"hasNextPage":true},"totalCount":2},"number":1},` +
		`{"author":{"login":"bob"},"createdAt":"0s","labels":{"nodes":[],"pageInfo":{"hasNextPage":false},"totalCount":0},"number":2}]}}`
	if diff := cmp.Diff(want, w.tells("alice", fields)); diff != "" {
		t.Error(diff)
	}
	w.LagLabels(time.Minute)
	w.check(w.label(n, "third"))
	if got := w.tells("alice", `issue(number:1){labels(first:9){totalCount}}`); got != `{"issue":{"labels":{"totalCount":2}}}` {
		t.Error(got)
	}
}
