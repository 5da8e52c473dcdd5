// Package schematest holds every playground of a test program against what GitHub publishes: each REST answer and each accepted request against the
// OpenAPI description, for github.com and for GitHub Enterprise Server, and each webhook against its schema. It needs no network: the descriptions
// are in testdata (refresh makes them again).
//
// A test program turns it on in one line, and all its tests are held to it:
//
//	func TestMain(m *testing.M) { os.Exit(schematest.Run(m)) }
//
// Where GitHub itself departs from its description, or says less than it does, a row of package deviations
// names the place and the reason.
package schematest

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

// Watch is a check under way.
type Watch struct {
	rest     []*restDescription
	webhooks *webhookDescription

	mu        sync.Mutex
	findings  map[string]*finding
	used      map[string]bool // rows of the tables, by their text
	exchanges int
	sent      map[string]int // webhooks, by "event" or "event.action"

	// What is said is counted by what it is, and the shapes that it had; see RunThinned.
	first, oneOf int
	said         map[string]int
	shapes       map[string]bool
}

// finding is one way in which a playground departed from a description.
type finding struct {
	example string
	count   int
}

// Start turns the check on for every playground of this process, until Stop. It panics if the descriptions cannot be
// read: they are part of this package.
func Start() *Watch {
	w := &Watch{
		rest:     []*restDescription{mustLoadREST("api.github.com"), mustLoadREST("ghes-3.19")},
		webhooks: mustLoadWebhooks("api.github.com"),
		findings: map[string]*finding{},
		used:     map[string]bool{},
		sent:     map[string]int{},
		said:     map[string]int{},
		shapes:   map[string]bool{},
	}
	wiretap.Set(&wiretap.Tap{Exchange: w.exchange, Webhook: w.webhook})
	return w
}

// Stop turns the check off.
func (w *Watch) Stop() { wiretap.Set(nil) }

// Run runs the tests of a program under the check. It fails, with a list on standard error, if they pass but a
// description was departed from.
func Run(m *testing.M) (code int) { return run(m, Start()) }

// RunThinned is Run for tests that say the same things very often, a simulation for one: of the answers of one route and
// status, and of the webhooks of one event and action, it checks one of so many, and of the first ones each of another shape as well.
func RunThinned(m *testing.M, first, oneOf int) (code int) {
	w := Start()
	w.first, w.oneOf = first, oneOf
	return run(m, w)
}

func run(m *testing.M, w *Watch) (code int) {
	defer w.Stop()
	code = m.Run()
	if !w.Report(os.Stderr) && code == 0 {
		code = 1
	}
	return code
}

// looksAt says whether what is said this time, in some texts, is checked.
func (w *Watch) looksAt(what string, texts ...[]byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.said[what]++
	n := w.said[what]
	switch {
	case w.oneOf == 0 || n%w.oneOf == 0:
		return true
	case n > w.first:
		return false
	}
	for _, text := range texts {
		what += "\n" + skeleton(text)
	}
	known := w.shapes[what]
	w.shapes[what] = true
	return !known
}

// Report writes what departed from the descriptions, one paragraph each, and returns whether nothing did.
func (w *Watch) Report(to io.Writer) (clean bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, problem := range slices.Sorted(maps.Keys(w.findings)) {
		f := w.findings[problem]
		fmt.Fprintf(to, "not as GitHub describes it (%d times): %s\n    %s\n", f.count, problem, f.example)
	}
	return len(w.findings) == 0
}

// Stale lists the rows of the tables of deviations that nothing needed. It says something only after tests that do
// everything the playground can.
func (w *Watch) Stale() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var stale []string
	for _, row := range rows() {
		if !w.used[row] {
			stale = append(stale, row)
		}
	}
	return stale
}

// Seen is how many REST calls were checked, and how many webhooks of each kind ("issues.labeled").
func (w *Watch) Seen() (exchanges int, webhooks map[string]int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.exchanges, maps.Clone(w.sent)
}

func (w *Watch) note(problem, example string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.findings[problem]
	if f == nil {
		const enough = 2000
		f = &finding{example: example[:min(len(example), enough)]}
		w.findings[problem] = f
	}
	f.count++
}

func (w *Watch) use(row string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used[row] = true
}
