package api_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/playground"
)

// counted are the counts of requests that are not 0, by route and class, and how many there are with those that are 0.
func (w *world) counted() (counts map[string]float64, series int) {
	w.t.Helper()
	families, err := w.registry.Gather()
	w.Must(err)
	counts = map[string]float64{}
	for _, f := range families {
		series += len(f.GetMetric())
		for _, m := range f.GetMetric() {
			if n := m.GetCounter().GetValue(); n > 0 {
				counts[m.GetLabel()[1].GetValue()+" "+m.GetLabel()[0].GetValue()] = n
			}
		}
	}
	return counts, series
}

func TestRequestsToTheAPIAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.Open("ada")
	if _, n := w.counted(); n != 3*6 {
		t.Errorf("%d series before anybody asks, want one for each route and class: a first request must be a rise", n)
	}
	rita, path := w.Token("rita"), fmt.Sprintf("issues/acme/widgets/%d", i)
	for range 2 {
		reads[inspect.Issue](w, rita, path)
	}
	reads[inspect.Answer](w, rita, path+"/allowed?as=olivia")
	w.asks(rita, http.MethodGet, "issues/acme/hidden/1", "")               // 404
	w.asks("", http.MethodGet, path, "")                                   // 401
	w.asks(rita, http.MethodGet, path+"/allowed", "")                      // 400
	w.asks(rita, http.MethodDelete, path, "")                              // 405
	w.asks("", http.MethodGet, "openapi.json", "")                         // for everybody
	w.asks(rita, http.MethodPost, "simulate", "{")                         // 400
	w.asks(rita, http.MethodGet, "issues/acme/widgets/colony-of-ants", "") // 404
	for _, strange := range []string{"", "nothing", "issues/acme", "issues/acme/widgets/1/2/3"} {
		w.asks(rita, http.MethodGet, strange, "")
	}
	cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: "colony[bot]", Path: regexp.MustCompile("^/repos/acme/widgets/issues/")})
	w.asks(rita, http.MethodGet, path, "") // 503
	cancel()
	const issue = "/api/v1/issues/{owner}/{repo}/{number}"
	want := map[string]float64{
		issue + " 2xx": 2, issue + " 4xx": 4, issue + " 5xx": 1,
		issue + "/allowed 2xx": 1, issue + "/allowed 4xx": 1,
		"/api/v1/openapi.json 2xx": 1, "/api/v1/simulate 4xx": 1, "other 4xx": 4,
	}
	if got, _ := w.counted(); !maps.Equal(want, got) {
		t.Errorf("requests : %v, want %v", got, want)
	}

	gone, leave := context.WithCancel(t.Context())
	leave()
	request := httptest.NewRequestWithContext(gone, http.MethodGet, "/api/v1/"+path, http.NoBody)
	request.Header.Set("Authorization", "Bearer "+w.Token("tara"))
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, request)
	if answer.Code != http.StatusServiceUnavailable {
		t.Errorf("who has gone was answered %d", answer.Code)
	}
	if got, _ := w.counted(); !maps.Equal(want, got) {
		t.Errorf("who has gone before the answer is counted : %v, want %v", got, want)
	}
}
