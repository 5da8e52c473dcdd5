package playground_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-github/v62/github"
)

func TestFilesOfAPullRequest(t *testing.T) {
	w := newWorld(t)
	ctx := context.Background()
	w.check(w.SetFile("acme", "shop", "doc/gone.md", "one\ntwo\n"))
	w.check(w.SetFile("acme", "shop", "main.go", "a\nb\nc\n"))
	main := w.must("alice", "GET", "/repos/acme/shop/git/ref/heads/main", "")["object"].(map[string]any)["sha"]
	w.must("alice", "POST", "/repos/acme/shop/git/refs", fmt.Sprintf(`{"ref":"refs/heads/fix","sha":%q}`, main))
	w.check(w.SetFile("acme", "shop", "later.md", "what came to main since is not of the pull request\n"))
	sha := func(path string) any {
		return w.must("alice", "GET", "/repos/acme/shop/contents/"+path+"?ref=fix", "")["sha"]
	}
	w.must("alice", "PUT", "/repos/acme/shop/contents/new.txt", `{"message":"m","content":"eA==","branch":"fix"}`)
	w.must("alice", "PUT", "/repos/acme/shop/contents/main.go", fmt.Sprintf(`{"message":"m","content":"YQpCCmMKZAo=","branch":"fix","sha":%q}`, sha("main.go")))
	w.must("alice", "DELETE", "/repos/acme/shop/contents/doc/gone.md", fmt.Sprintf(`{"message":"m","branch":"fix","sha":%q}`, sha("doc/gone.md")))
	n := int(w.must("alice", "POST", "/repos/acme/shop/pulls", `{"title":"Fix","head":"fix","base":"main"}`)["number"].(float64))
	w.take()

	var got []string
	for page := 1; page != 0; {
		list, r, err := w.as("bob").PullRequests.ListFiles(ctx, "acme", "shop", n, &github.ListOptions{PerPage: 2, Page: page})
		w.check(err)
		for _, f := range list {
			got = append(got, fmt.Sprintf("%s %s +%d -%d %s", f.GetStatus(), f.GetFilename(), f.GetAdditions(), f.GetDeletions(), strings.SplitN(f.GetPatch(), "\n", 2)[0]))
		}
		page = r.NextPage
	}
	want := []string{
		"removed doc/gone.md +0 -2 @@ -1,2 +0,0 @@",
		"modified main.go +2 -1 @@ -1,3 +1,4 @@",
		"added new.txt +1 -0 @@ -0,0 +1 @@",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
