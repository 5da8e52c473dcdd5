package doctor_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
)

// world is a GitHub that the doctor examines, and a server that answers the doctor as a Colony does.
type world struct {
	*acme.GitHub
	t      *testing.T
	server *httptest.Server
	// Of the server: its readiness with the status, and its list of dead letters.
	status int
	ready  app.Readiness
	dead   app.DeadLetters
}

const adminToken = "only for operators"

// patience bounds a wait for something that is sure to come; it is no assertion on time.
const patience = time.Minute

// newWorld is a world in which all is well.
func newWorld(t *testing.T, change ...func(*config.Config)) *world {
	t.Helper()
	clock := clockwork.NewFakeClockAt(time.Now().Truncate(time.Second))
	w := &world{GitHub: acme.At(t, clock), t: t, status: http.StatusOK}
	w.Config.Queue.Dir, w.ready.Ready, w.ready.GitHub = t.TempDir(), true, true
	for _, f := range change {
		f(&w.Config)
	}
	w.MakeLabels()
	w.server = httptest.NewServer(http.HandlerFunc(w.answer))
	t.Cleanup(w.server.Close)
	w.SetWebhookURL(acme.AppID, w.server.URL+"/api/github/hook")
	w.Install("acme")
	byhand.New(t, w.GitHub)
	w.quiet()
	return w
}

// answer answers for the server.
func (w *world) answer(rw http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path == "/api/github/hook" && r.Method != http.MethodPost:
		rw.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.Path == "/api/github/hook":
	case r.URL.Path == "/readyz":
		rw.WriteHeader(w.status)
		_ = json.NewEncoder(rw).Encode(w.ready) // whoever asked has gone
	case r.URL.Path == app.DeadLettersPath && r.Header.Get("Authorization") == "Bearer "+adminToken:
		_ = json.NewEncoder(rw).Encode(w.dead)
	default:
		rw.WriteHeader(http.StatusNotFound)
	}
}

// quiet waits until every webhook was answered.
func (w *world) quiet() {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	w.Must(w.Quiet(ctx))
}

// doctor examines the world and returns a line for each finding. What depends on the run is left out of them: the address of
// the webhook, and the id of the installation.
func (w *world) doctor(o doctor.Options) (lines []string, worst doctor.Severity) {
	w.t.Helper()
	var found []doctor.Finding
	doctor.Run(context.Background(), w.Config, app.Options{Clock: clockwork.NewRealClock()}, o, func(f doctor.Finding) { found = append(found, f) })
	for _, f := range found {
		if strings.ContainsAny(f.String(), "\n\x00") {
			w.t.Errorf("more than a line: %q", f)
		}
		line := regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(f.String(), "HOST")
		line = strings.ReplaceAll(line, w.Config.Queue.Dir, "DIR")
		lines = append(lines, regexp.MustCompile(`(installations?[ /])\d+`).ReplaceAllString(line, "${1}N"))
	}
	return lines, doctor.Worst(found)
}
