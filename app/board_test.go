package app_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/github/issues"
)

// named lets those in who name themselves in a header, and each see the repositories that are listed.
type named map[string][]string

func (n named) Viewer(w http.ResponseWriter, r *http.Request) (board.Viewer, bool) {
	login := r.Header.Get("Login")
	if _, known := n[login]; !known {
		http.Error(w, "Who are you?", http.StatusUnauthorized)
		return nil, false
	}
	return reader(n[login]), true
}

type reader []string

func (r reader) Name() string { return "" }

func (r reader) MayRead(_ context.Context, owner, name string) (bool, error) {
	return slices.Contains(r, owner+"/"+name), nil
}

func (r reader) Among(_ context.Context, repositories []issues.Repository) (readable []issues.Repository, _ error) {
	for _, repo := range repositories {
		if slices.Contains(r, repo.String()) {
			readable = append(readable, repo)
		}
	}
	return readable, nil
}

// page asks for a page of the board.
func (w *world) page(login, path string) (status int, header http.Header, root *html.Node) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.colony.address+path, http.NoBody)
	w.must(err)
	request.Header.Set("Login", login)
	response, err := http.DefaultClient.Do(request)
	w.must(err)
	defer func() { w.must(response.Body.Close()) }()
	root, err = html.Parse(response.Body)
	w.must(err)
	return response.StatusCode, response.Header, root
}

// texts are the texts of the elements that have a test id, with single spaces.
func texts(root *html.Node, id string) (found []string) {
	for n := range root.Descendants() {
		if slices.Contains(n.Attr, html.Attribute{Key: "data-testid", Val: id}) {
			found = append(found, textOf(n))
		}
	}
	return found
}

func textOf(root *html.Node) string {
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func newBoard(t *testing.T, gate board.Gate) *world {
	t.Helper()
	w := newWorldWithoutColony(t)
	w.board = gate
	w.makeLabels()
	w.start()
	w.install()
	return w
}

func TestTheBoardShowsWhereIssuesStandAndWhatWasRefused(t *testing.T) {
	w := newBoard(t, board.Open{})
	i := w.open("ada", "")
	i.label("tara", "colony:new")
	i.swap("tara", "colony:new", "colony:waiting-for-subtasks")
	w.settle()
	if _, _, root := w.page("", "/board"); len(texts(root, "waiting-issue")) != 0 {
		t.Errorf("something waits for a person: %s", textOf(root))
	}
	i.swap("tara", "colony:waiting-for-subtasks", "colony:new")
	w.settle()
	i.has("colony:waiting-for-subtasks", "colony:needs-human")

	_, _, root := w.page("", "/") // leads to the board
	waiting := texts(root, "waiting-issue")
	if len(waiting) != 1 {
		t.Fatalf("%d issues wait for a person: %s", len(waiting), textOf(root))
	}
	for _, want := range []string{"A widget that works", "acme/widgets#1", "needs-human", "tara", "/colony:"} {
		if !strings.Contains(waiting[0], want) {
			t.Errorf("%q is missing in %s", want, waiting[0])
		}
	}
	_, _, root = w.page("", "/board/acme/widgets")
	if cards := texts(root, "card"); len(cards) != 1 || !strings.Contains(cards[0], "A widget that works #1") {
		t.Errorf("the columns have %v", cards)
	}
	_, _, root = w.page("", "/board/acme/widgets/1")
	happened := texts(root, "event")
	if len(happened) != 3 || !strings.HasPrefix(happened[0], "tara asked for new , in waiting-for-subtasks Refused: the lifecycle has no such move.") {
		t.Errorf("the time line is %q", happened)
	}
	if next := texts(root, "next"); !strings.Contains(next[0], "/colony:move done") {
		t.Errorf("it may go %s", next)
	}
	_, _, root = w.page("", "/board/acme/widgets/flow")
	if text := textOf(root); !strings.Contains(text, "the lifecycle has no such move 1") {
		t.Errorf("the refusal is not counted: %s", text)
	}
	w.issues = nil // what Colony wrote about the refusal is other tests' subject
}

// Nobody learns anything of a repository that they may not read: neither what is in it, nor how much, nor that Colony knows it.
func TestNobodySeesARepositoryThatTheyMayNotRead(t *testing.T) {
	readers := named{"ada": {"acme/widgets"}, "bea": {"acme/gadgets"}, "cem": {"acme/widgets", "acme/gadgets"}, "dan": nil}
	w := newWorldWithoutColony(t)
	w.board = readers
	w.github.AddRepository("acme", "gadgets")
	w.makeLabels()
	w.start()
	w.install()
	i := w.open("ada", "")
	i.label("tara", "colony:new")
	w.settle()
	i.swap("tara", "colony:new", "colony:needs-clarification")
	w.settle()
	observed := map[string]string{"acme/widgets": "A widget that works", "acme/gadgets": "acme/gadgets"}
	there := map[string]bool{"acme/widgets": true, "acme/widgets/1": true, "acme/widgets/flow": true, "acme/gadgets": true, "acme/gadgets/flow": true}

	for login, may := range readers {
		for _, repo := range []string{"acme/widgets", "acme/gadgets", "acme/nothing"} {
			for _, page := range []string{"", "/1", "/flow"} {
				_, known := there[repo+page]
				want := http.StatusNotFound
				if known && slices.Contains(may, repo) {
					want = http.StatusOK
				}
				status, _, root := w.page(login, "/board/"+repo+page)
				if status != want {
					t.Errorf("%s gets %d for %s%s, want %d", login, status, repo, page, want)
				}
				_, _, nothing := w.page(login, "/board/acme/nothing"+page)
				if want == http.StatusNotFound && textOf(root) != textOf(nothing) {
					t.Errorf("%s can tell %s from a repository that is not there", login, repo)
				}
			}
		}
		_, _, root := w.page(login, "/board")
		text := textOf(root)
		for repo, title := range observed {
			if listed := strings.Contains(text, repo) && strings.Contains(text, title); listed != slices.Contains(may, repo) {
				t.Errorf("%s reads of %s: %t in %s", login, repo, listed, text)
			}
		}
		if login == "dan" && (!strings.Contains(text, "Nothing waits") || strings.Contains(text, "acme")) {
			t.Errorf("dan, who may read nothing, reads %s", text)
		}
		for _, in := range []string{"acme/gadgets", "acme/widgets", "acme/nothing"} {
			want := http.StatusNotFound
			if slices.Contains(may, in) {
				continue // a stream that does not end
			}
			if status, _, _ := w.page(login, "/board/-/changes?in="+in); status != want {
				t.Errorf("%s gets %d for the stream of %s, want %d", login, status, in, want)
			}
		}
	}
	for _, path := range []string{"/board", "/board/acme/widgets", "/board/acme/widgets/1", "/board/acme/widgets/flow", "/board/-/changes"} {
		if status, _, _ := w.page("nobody", path); status != http.StatusUnauthorized {
			t.Errorf("nobody gets %d for %s", status, path)
		}
	}
}

// stream opens a stream of changes, and returns a function that waits for the next of them.
func (w *world) stream(login, query string) (next, end func()) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.colony.address+"/board/-/changes"+query, http.NoBody)
	w.must(err)
	request.Header.Set("Login", login)
	response, err := http.DefaultClient.Do(request)
	w.must(err)
	lines := bufio.NewScanner(response.Body)
	next = func() {
		w.t.Helper()
		for lines.Scan() {
			if lines.Text() == "event: change" {
				return
			}
		}
		w.t.Fatalf("the stream ended: %v", lines.Err())
	}
	return next, func() { cancel(); _ = response.Body.Close() }
}

func TestAPageIsToldOfChanges(t *testing.T) {
	w := newBoard(t, board.Open{})
	i := w.open("ada", "")
	first, endFirst := w.stream("", "") // nothing is known yet
	defer endFirst()
	first()
	i.label("tara", "colony:new")
	first()
	w.settle()
	whole, endWhole := w.stream("", "")
	one, endOne := w.stream("", fmt.Sprintf("?in=acme/widgets&issue=%d", i.number))
	defer endWhole()
	defer endOne()
	whole()
	one()
	i.swap("tara", "colony:new", "colony:analyzing")
	whole()
	one()
	w.settle()
}

func TestTheBoardIsKeptToItself(t *testing.T) {
	w := newBoard(t, board.Open{})
	_, header, _ := w.page("", "/board")
	for name, want := range map[string]string{
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		if got := header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if policy := header.Get("Content-Security-Policy"); strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows too much: %s", policy)
	}
	response, err := http.Post(w.colony.address+"/board", "text/plain", nil)
	w.must(err)
	w.must(response.Body.Close())
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %d", response.StatusCode)
	}
}

func TestThereIsNoBoardUnlessSomebodyMayLook(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/board", "/"} {
		if status, _, _ := w.page("", path); status != http.StatusNotFound {
			t.Errorf("%s is answered with %d", path, status)
		}
	}
}
