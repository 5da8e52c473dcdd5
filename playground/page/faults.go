package page

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
)

// faultList remembers the faults that were added on the page: the playground doesn't list its own.
type faultList struct {
	mu    sync.Mutex
	added []addedFault
}

type addedFault struct {
	ID    int64
	Words string
}

// faultKinds are those the page offers, each with its words and what the control API wants to know.
var faultKinds = []struct {
	Kind, Words string
	fields      map[string]any
}{
	{"status", "answer 502 Bad Gateway", map[string]any{"status": http.StatusBadGateway}},
	{"status-after", "do what was asked, then answer 502 Bad Gateway", map[string]any{"kind": "status", "status": http.StatusBadGateway, "after": true}},
	{"cut", "close the connection without an answer", nil},
	{"cut-after", "do what was asked, then close the connection", map[string]any{"kind": "cut", "after": true}},
	{"delay", "wait five seconds, then answer", map[string]any{"delay": "5s"}},
	{"primary-rate-limit", "say that the hourly limit is used up, for a minute", map[string]any{"reset": "1m"}},
	{"secondary-rate-limit", "say that calls come too fast; retry after 10 seconds", map[string]any{"retry_after": "10s"}},
}

// faultsView is the page on which calls are made to go wrong.
type faultsView struct {
	frame
	Bots   []person
	Kinds  []struct{ Kind, Words string }
	Added  []addedFault
	Done   string
	Unmade []string // Playground.Unimplemented
}

func showFaults(v *visit) error {
	content := faultsView{frame: v.frame("Faults", nil), Added: v.faults.list(), Unmade: v.playground.Unimplemented()}
	content.Tab = "faults"
	// Registered Apps first, as they are what one tries to trip: no one can act as them.
	var played []person
	for _, u := range v.playground.Users() {
		p := named(u.Login)
		switch {
		case !p.Bot:
		case slices.ContainsFunc(content.Actors, func(a actor) bool { return a.Login == p.Login }):
			played = append(played, p)
		default:
			content.Bots = append(content.Bots, p)
		}
	}
	content.Bots = append(content.Bots, played...)
	for _, k := range faultKinds {
		content.Kinds = append(content.Kinds, struct{ Kind, Words string }{k.Kind, k.Words})
	}
	if v.r.URL.Query().Has("lag") {
		content.Done = "Label events become visible in the API " + v.r.URL.Query().Get("lag") + " after they happened."
	}
	return v.show("faults", content)
}

// addFault makes the next calls of a bot go wrong. It is always the calls of a given actor: the page's own would suffer too.
func addFault(v *visit) error {
	by, times := v.r.PostFormValue("actor"), v.r.PostFormValue("times")
	n, err := strconv.Atoi(times)
	if err != nil || n < 1 || by == "" {
		v.alert, v.status = &alert{Refused: true, Text: "Say whose calls, and how many."}, http.StatusBadRequest
		return showFaults(v)
	}
	for _, kind := range faultKinds {
		if kind.Kind != v.r.PostFormValue("kind") {
			continue
		}
		body := map[string]any{"kind": kind.Kind, "actor": by, "times": n}
		maps.Copy(body, kind.fields)
		var answer struct{ ID int64 }
		if err := v.control(v.ctx(), v.r.Host, http.MethodPost, "/faults", body, &answer); err != nil {
			v.alert, v.status = &alert{Refused: true, Text: err.Error()}, http.StatusBadRequest
			return showFaults(v)
		}
		v.faults.add(addedFault{answer.ID, fmt.Sprintf("The next %d calls of %s: %s", n, by, kind.Words)})
		return v.to("/-/faults")
	}
	return errNoPage
}

// cancelFault takes a fault back. One that is used up is gone already, which is as good.
func cancelFault(v *visit) error {
	id, err := strconv.ParseInt(v.r.PathValue("id"), 10, 64)
	if err != nil || !v.faults.remove(id) {
		return errNoPage
	}
	_ = v.control(v.ctx(), v.r.Host, http.MethodDelete, fmt.Sprintf("/faults/%d", id), nil, nil)
	return v.to("/-/faults")
}

// lagEvents has label events become visible later than their webhooks.
func lagEvents(v *visit) error {
	lag := v.r.PostFormValue("for")
	if err := v.control(v.ctx(), v.r.Host, http.MethodPut, "/lag", map[string]string{"for": lag}, nil); err != nil {
		v.alert, v.status = &alert{Refused: true, Text: err.Error()}, http.StatusBadRequest
		return showFaults(v)
	}
	return v.to("/-/faults?lag=" + url.QueryEscape(lag))
}

func (l *faultList) list() []addedFault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.added)
}

func (l *faultList) add(f addedFault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.added = append(l.added, f)
}

func (l *faultList) remove(id int64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	before := len(l.added)
	l.added = slices.DeleteFunc(l.added, func(f addedFault) bool { return f.ID == id })
	return len(l.added) < before
}
