package app_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/inspect"
	"github.com/colony-app/colony/playground"
)

// apiRequests are the counts of requests to the API that are not 0, by route and class.
func (w *world) apiRequests() map[string]float64 {
	w.t.Helper()
	got := w.metrics()
	w.boundedAndDocumented(got)
	counts := map[string]float64{}
	for _, m := range got["colony_api_requests_total"].GetMetric() {
		if n := m.GetCounter().GetValue(); n > 0 {
			counts[fmt.Sprintf("%s %s", m.GetLabel()[1].GetValue(), m.GetLabel()[0].GetValue())] = n
		}
	}
	return counts
}

func TestRequestsToTheAPIAreCounted(t *testing.T) {
	t.Parallel()
	w := newAPIWorld(t)
	i := w.open("ada", "")
	w.settle()
	if n := len(w.metrics()["colony_api_requests_total"].GetMetric()); n != 3*6 {
		t.Errorf("%d series before anybody asks, want one for each route and class: a first request must be a rise", n)
	}
	rita, path := w.github.Token("rita"), fmt.Sprintf("issues/acme/widgets/%d", i.number)
	for range 2 {
		reads[inspect.Issue](w, rita, path)
	}
	reads[inspect.Answer](w, rita, path+"/allowed?as=olivia")
	w.asksAPI(rita, http.MethodGet, "issues/acme/hidden/1", "")               // 404
	w.asksAPI("", http.MethodGet, path, "")                                   // 401
	w.asksAPI(rita, http.MethodGet, path+"/allowed", "")                      // 400
	w.asksAPI(rita, http.MethodDelete, path, "")                              // 405
	w.asksAPI("", http.MethodGet, "openapi.json", "")                         // for everybody
	w.asksAPI(rita, http.MethodPost, "simulate", "{")                         // 400
	w.asksAPI(rita, http.MethodGet, "issues/acme/widgets/colony-of-ants", "") // 404
	for _, strange := range []string{"", "nothing", "issues/acme", "issues/acme/widgets/1/2/3"} {
		w.asksAPI(rita, http.MethodGet, strange, "")
	}
	cancel := w.github.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Actor: "colony[bot]", Path: regexp.MustCompile("^/repos/acme/widgets/issues/")})
	w.asksAPI(rita, http.MethodGet, path, "") // 503
	cancel()
	const issue = "/api/v1/issues/{owner}/{repo}/{number}"
	want := map[string]float64{
		issue + " 2xx": 2, issue + " 4xx": 4, issue + " 5xx": 1,
		issue + "/allowed 2xx": 1, issue + "/allowed 4xx": 1,
		"/api/v1/openapi.json 2xx": 1, "/api/v1/simulate 4xx": 1, "other 4xx": 4,
	}
	if diff := cmp.Diff(want, w.apiRequests()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}

	gone, leave := context.WithCancel(ctx)
	leave()
	request := httptest.NewRequestWithContext(gone, http.MethodGet, "/api/v1/"+path, http.NoBody)
	request.Header.Set("Authorization", "Bearer "+w.github.Token("tara"))
	answer := httptest.NewRecorder()
	w.colony.server.Handler().ServeHTTP(answer, request)
	if answer.Code != http.StatusServiceUnavailable {
		t.Errorf("who has gone was answered %d", answer.Code)
	}
	if diff := cmp.Diff(want, w.apiRequests()); diff != "" {
		t.Errorf("who has gone before the answer is counted (-want +got):\n%s", diff)
	}
}

func TestWithoutTheSettingNoRequestIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.asksAPI("", http.MethodGet, "openapi.json", "")
	if got, there := w.metrics()["colony_api_requests_total"]; there {
		t.Errorf("there is no API, and its requests are counted: %v", got)
	}
}
