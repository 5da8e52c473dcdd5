package app_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/colony-app/colony/app/board"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// page asks for a page of the board.
func (w *world) page(path string) (status int, header http.Header, root *html.Node) {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, w.colony.address+path, http.NoBody)
	w.Must(err)
	response, err := http.DefaultClient.Do(request)
	w.Must(err)
	defer func() { w.Must(response.Body.Close()) }()
	root, err = html.Parse(response.Body)
	w.Must(err)
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

func newBoard(t *testing.T, gate board.Gate, change ...func(*config.Config)) *world {
	t.Helper()
	w := newWorldWithoutColony(t, change...)
	w.board = gate
	w.makeLabels()
	w.start()
	w.install()
	return w
}

func TestTheBoardShowsWhereIssuesStandAndWhatWasRefused(t *testing.T) {
	w := newBoard(t, board.Open{})
	i := w.open("ada", "")
	i.Label("tara", "colony:new")
	i.Swap("tara", "colony:new", "colony:waiting-for-subtasks")
	w.Settle()
	if _, _, root := w.page("/board"); len(texts(root, "waiting-issue")) != 0 {
		t.Errorf("something waits for a person: %s", textOf(root))
	}
	i.Swap("tara", "colony:waiting-for-subtasks", "colony:new")
	w.Settle()
	i.Has("colony:waiting-for-subtasks", "colony:needs-human")

	_, _, root := w.page("/") // leads to the board
	waiting := texts(root, "waiting-issue")
	if len(waiting) != 1 {
		t.Fatalf("%d issues wait for a person: %s", len(waiting), textOf(root))
	}
	for _, want := range []string{"A widget that works", "acme/widgets#1", "needs-human", "tara"} {
		if !strings.Contains(waiting[0], want) {
			t.Errorf("%q is missing in %s", want, waiting[0])
		}
	}
	_, _, root = w.page("/board/acme/widgets")
	if cards := texts(root, "card"); len(cards) != 1 || !strings.Contains(cards[0], "A widget that works #1") {
		t.Errorf("the columns have %v", cards)
	}
	_, _, root = w.page("/board/acme/widgets/1")
	happened := texts(root, "event")
	if len(happened) != 3 || !strings.HasPrefix(happened[0], "tara asked for new , in waiting-for-subtasks Refused: The table of lifecycle colony has no such move, for anyone.") {
		t.Errorf("the time line is %q", happened)
	}
	if next := texts(root, "next"); !strings.Contains(next[0], "/colony:move done") {
		t.Errorf("it may go %s", next)
	}
	_, _, root = w.page("/board/acme/widgets/flow")
	if text := textOf(root); !strings.Contains(text, "the lifecycle has no such move 1") {
		t.Errorf("the refusal is not counted: %s", text)
	}
	w.Issues = nil // what Colony wrote about the refusal is other tests' subject
}

// A next step has its conditions, which the board does not check.
func TestTheBoardSaysWhatANextStepTakes(t *testing.T) {
	w := newBoard(t, board.Open{}, acme.Follows, acme.WithLifecycle("autoralph"))
	i := w.open("ada", "")
	i.Through("autoralph", "building")
	w.Settle()
	_, _, root := w.page("/board/acme/widgets/1")
	if next := textOf(root); !strings.Contains(next, "The pull request has to be open") {
		t.Errorf("it can go %s", next)
	}
}

// What is closed in the middle of its lifecycle has a column of its own.
func TestTheBoardShowsWhatWasClosedInTheMiddle(t *testing.T) {
	w := newBoard(t, board.Open{})
	works, early := w.open("olivia", "", "colony:ready-for-dev"), w.open("olivia", "", "colony:ready-for-dev")
	w.Settle()
	column := func(name string) string {
		_, _, root := w.page("/board/acme/widgets")
		_, rest, _ := strings.Cut(texts(root, "columns")[0], name+" ")
		return rest
	}
	if got := column("closed-early"); got != "" {
		t.Errorf("nothing is closed, and the board has %s", got)
	}
	early.CloseAs(early.Number, "not_planned")
	w.Settle()
	early.Has("colony:ready-for-dev")
	if got := column("closed-early"); !strings.Contains(got, fmt.Sprintf("#%d", early.Number)) || strings.Contains(got, fmt.Sprintf("#%d", works.Number)) {
		t.Errorf("closed early are %s", got)
	}
}

// stream opens a stream of changes, and returns a function that waits for the next of them.
func (w *world) stream(query string) (next, end func()) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, w.colony.address+"/board/-/changes"+query, http.NoBody)
	w.Must(err)
	response, err := http.DefaultClient.Do(request)
	w.Must(err)
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
	first, endFirst := w.stream("") // nothing is known yet
	defer endFirst()
	first()
	i.Label("tara", "colony:new")
	first()
	w.Settle()
	whole, endWhole := w.stream("")
	one, endOne := w.stream(fmt.Sprintf("?in=acme/widgets&issue=%d", i.Number))
	defer endWhole()
	defer endOne()
	whole()
	one()
	i.Swap("tara", "colony:new", "colony:analyzing")
	whole()
	one()
	w.Settle()
}

func TestTheBoardIsKeptToItself(t *testing.T) {
	w := newBoard(t, board.Open{})
	_, header, _ := w.page("/board")
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
	w.Must(err)
	w.Must(response.Body.Close())
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered with %d", response.StatusCode)
	}
}

func TestThereIsNoBoardUnlessSomebodyMayLook(t *testing.T) {
	w := newWorld(t)
	for _, path := range []string{"/board", "/"} {
		if status, _, _ := w.page(path); status != http.StatusNotFound {
			t.Errorf("%s is answered with %d", path, status)
		}
	}
}

// A repository's page says how much waits there, for what and until when.
func TestTheBoardShowsWhatWaits(t *testing.T) {
	t.Parallel()
	w := newBoard(t, board.Open{})
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.Fault(playground.Fault{
		Kind: playground.FaultSecondaryLimit, Status: http.StatusForbidden, RetryAfter: time.Minute, Installation: w.Installation, Times: 1,
	})
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	const says = "1 task waits until about "
	if _, _, root := w.page("/board/acme/widgets"); !strings.Contains(textOf(root), says) || !strings.Contains(textOf(root), "UTC: GitHub limits the installation.") {
		t.Errorf("the board does not say what waits: %s", textOf(root))
	}
	w.clock.Advance(2 * time.Minute)
	w.Settle()
	if _, _, root := w.page("/board/acme/widgets"); strings.Contains(textOf(root), says) {
		t.Error("the board says that something waits, and nothing does")
	}
}
