package simulation

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/reconcile"
)

// What one more reconciliation of an issue costs, by the age of its log: with 50 events, which is the floor, and with so many more. The
// last 50 events are on a page of their own, so that GitHub's answers are of the same size, and GitHub's own work is left out.
func BenchmarkReconcileByAge(b *testing.B) {
	for name, recent := range map[string]int{"all settled": 0, "20 recent": 20} {
		b.Run(name, func(b *testing.B) {
			for _, events := range []int{50, 550, 5050} {
				b.Run(fmt.Sprintf("%d events", events), func(b *testing.B) {
					w := newSlowGitHub(b)
					request := w.aged(events, recent)
					for b.Loop() {
						if _, err := w.parts.Reconciler.Reconcile(b.Context(), request, reconcile.Carry{}); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		})
	}
}

// aged opens an issue whose log has so many events, all of them parts of legal moves, and reconciles it. So many are within the horizon.
func (w *slowGitHub) aged(events, recent int) reconcile.Request {
	w.Helper()
	w.answers = nil
	var opened struct{ Number int }
	w.call("olivia", http.MethodPost, "/repos/acme/widgets/issues", map[string]any{"title": "A widget that works", "labels": []string{"colony:planning"}}, &opened)
	states := []string{"colony:planning", "colony:paused"}
	labels := fmt.Sprintf("/repos/acme/widgets/issues/%d/labels", opened.Number)
	for n := 1; n+1 < events; n += 2 {
		if events-n == recent+1 {
			w.clock.Advance(100 * time.Hour)
		}
		var into any
		w.call("olivia", http.MethodPost, labels, map[string]any{"labels": []string{states[(n/2+1)%2]}}, &into)
		w.call("olivia", http.MethodDelete, labels+"/"+states[n/2%2], nil, &into)
		w.clock.Advance(time.Second)
	}
	if recent == 0 {
		w.clock.Advance(100 * time.Hour)
	}
	w.clock.Advance(time.Hour)
	request := reconcile.Request{
		Ref: issues.Ref{Repository: issues.Repository{Installation: w.repo.Installation, Owner: w.repo.Owner, Name: w.repo.Name, ID: w.repo.ID}, Number: opened.Number}, Cause: "label",
	}
	w.task = &taskContext{Context: w.Context(), clock: w.clock, until: w.clock.Now().Add(taskTime)}
	for range 3 {
		_, err := w.parts.Reconciler.Reconcile(w.Context(), request, reconcile.Carry{})
		w.must(err)
	}
	w.answers = map[string]answered{}
	return request
}

// answered is an answer of GitHub's that is given again.
type answered struct {
	http.Response
	body []byte
}

// again gives an answer again, and reports whether there is one.
func (w *slowGitHub) again(request *http.Request) (*http.Response, bool) {
	a, there := w.answers[answerOf(request)]
	if !there {
		return nil, false
	}
	response := a.Response
	response.Request, response.Body, response.Header = request, io.NopCloser(bytes.NewReader(a.body)), a.Header.Clone()
	return &response, true
}

// keep keeps an answer to give it again.
func (w *slowGitHub) keep(request *http.Request, response *http.Response) {
	body, err := io.ReadAll(response.Body)
	w.must(err)
	w.answers[answerOf(request)] = answered{*response, body}
	response.Body = io.NopCloser(bytes.NewReader(body))
}

func answerOf(request *http.Request) string {
	return request.Method + " " + request.URL.String() + " " + request.Header.Get("If-None-Match")
}
