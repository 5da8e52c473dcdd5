package doctor_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/app/worker"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
)

// The doctor says each thing that a server tells of itself. A real server is asked in TestDoctorOfAServer of package app.
func TestWhatTheDoctorSaysOfAServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(c *config.Config) { c.Server.AdminToken = adminToken })
	at := time.Date(2026, time.March, 1, 12, 30, 15, 0, time.UTC)
	waits := map[int64]time.Time{8: at}
	for name, c := range map[string]struct {
		status int
		ready  app.Readiness
		dead   []app.DeadLetter
		token  string
		want   []string
	}{
		"all is well": {http.StatusOK, app.Readiness{}, nil, adminToken, []string{
			"ok       server: it is ready", "ok       dead letters: there are none",
		}},
		"modes": {http.StatusOK, app.Readiness{Modes: map[lifecycle.Mode]int{lifecycle.ModeWarn: 1, lifecycle.ModeEnforce: 2, lifecycle.ModeOff: 0}}, nil, adminToken, []string{
			"ok       server: it is ready; mode warn in 1 repository, enforce in 2 repositories", "ok       dead letters: there are none",
		}},
		"it does not know itself": {http.StatusServiceUnavailable, app.Readiness{}, nil, adminToken, []string{
			"problem  server: it is not ready: GitHub has not said yet which App it is -> look at its log", "ok       dead letters: there are none",
		}},
		"no queue": {http.StatusServiceUnavailable, app.Readiness{GitHub: true, Error: "the queue cannot be reached"}, nil, adminToken, []string{
			"problem  server: it is not ready: the queue cannot be reached -> look at its log", "ok       dead letters: there are none",
		}},
		"it waits": {http.StatusOK, app.Readiness{
			Limited: waits, Paced: ratelimit.Waiting{Requests: waits, Comments: waits, GraphQL: waits},
			Hours:   map[int64]ratelimit.Used{8: {Limit: 5000, People: 1630, Background: 800, Questions: 10, Board: 1, Others: 60, Until: at}, 9: {Limit: 5000, People: 2500, Until: at}},
			Waiting: []worker.Waiting{{Installation: 8, Why: worker.Whys[0].Name, Tasks: 2, Until: at, Repositories: []worker.WaitingIn{{ID: 3, Tasks: 1}}}, {Installation: 8, Why: "no reason", Tasks: 2, Until: at}},
		}, nil, adminToken, []string{
			"warning  server: GitHub limits 1 of its installations -> nothing to do but wait; if it stays, lower github.budget.points",
			"warning  server: 1 installation waits until 12:30:15 UTC for Colony's own budget github.budget.points -> if it stays, is github.budget.points lower than it need be?",
			"warning  server: 1 installation waits with comments for Colony's own budget of comments -> it goes on within the hour; if it stays, is github.budget.points lower than it need be?",
			"warning  server: 1 installation waits for GitHub's hourly budget of GraphQL -> it goes on when GitHub's hour ends; follow less, if it stays",
			"ok       server: in installation N, of the 5000 calls until 12:30 UTC it used 1630 for people, 800 in the background, 10 for questions and 1 for the board; others, such as simulate, labels or a replica, used 60",
			"ok       server: in installation N, 2 tasks wait until about 12:30:15 UTC: " + worker.Whys[0].Because + "; most in repository 3: 1",
			"ok       dead letters: there are none",
		}},
		"it onboards": {http.StatusOK, app.Readiness{Onboarding: []worker.OnboardingState{{Installation: 8, Of: 1}, {Installation: 9, Done: 3, Of: 20, EndsAbout: at}}}, nil, adminToken, []string{
			"ok       server: installation N is being onboarded: 0 of 1 repository have their labels; people's moves do not wait for it",
			"ok       server: installation N is being onboarded: 3 of 20 repositories have their labels, and ends about 12:30 UTC; people's moves do not wait for it",
			"ok       dead letters: there are none",
		}},
		"it was refused": {http.StatusOK, app.Readiness{Ungranted: map[int64][]string{8: {"issues"}}, HeldBack: 1, RefusedWrites: 1}, nil, adminToken, []string{
			"warning  server: 1 installation does not grant all that Colony needs -> the lines about installations above say what, and where an owner accepts it",
			"warning  server: sweeps left 1 issues alone, because they would have refused something on too many at once -> was a table changed? See sweep.max_refusals",
			"warning  server: GitHub refused 1 of its comments, reactions and links for good -> see docs/operations.md for the list; Colony writes them again once the conversation is unlocked or the App has the permission",
			"ok       dead letters: there are none",
		}},
		"dead letters": {http.StatusOK, app.Readiness{}, []app.DeadLetter{{Repository: "acme/gears", Issue: 1}, {Repository: "acme/widgets", Issue: 2, Error: "read\nit"}}, adminToken, []string{
			"warning  dead letters: Colony gave up 2 tasks, the last for acme/widgets#2: read it -> docs/operations.md says how to list them and try them again",
		}},
		"another token": {http.StatusOK, app.Readiness{}, nil, "another token that is long", []string{
			"problem  dead letters: the server answers with 404 -> is server.admin_token the same there?",
		}},
		"no token, and nothing given up": {http.StatusOK, app.Readiness{}, nil, "", []string{"ok       server: it is ready"}},
		"no token": {http.StatusOK, app.Readiness{Queue: queue.Counts{Dead: 1}}, nil, "", []string{
			"warning  dead letters: Colony gave up 1 task -> set server.admin_token to see them",
		}},
	} {
		w.status, w.ready, w.dead.DeadLetters = c.status, c.ready, c.dead
		w.ready.GitHub = w.ready.GitHub || c.status == http.StatusOK
		w.Config.Server.AdminToken = c.token
		lines, _ := w.doctor(doctor.Options{Server: w.server.URL + "/"})
		if diff := cmp.Diff(c.want, lines[max(0, len(lines)-len(c.want)):]); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	w.server.Close()
	if lines, _ := w.doctor(doctor.Options{Server: w.server.URL}); !strings.HasPrefix(lines[len(lines)-1], "problem  server: http://HOST does not answer like a Colony: ") {
		t.Errorf("the doctor says %q", lines)
	}
}

// What the webhook's address answers says what is between GitHub and Colony.
func TestTheDoctorAsksTheWebhooksAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	status := http.StatusOK
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(status) })
	for answer, want := range map[int]string{
		http.StatusMethodNotAllowed:    "ok       webhook: it goes to HOST, where a Colony listens, and has a secret",
		http.StatusBadRequest:          "warning  webhook: HOST answers with 400; Colony would not -> does a proxy send it elsewhere?",
		http.StatusInternalServerError: "warning  webhook: HOST answers with 500; Colony would not -> does a proxy send it elsewhere?",
		http.StatusBadGateway:          "warning  webhook: HOST answers with 502: it does not reach a Colony -> start Colony (colony serve), or let the proxy there send it to where Colony listens: server.address",
	} {
		status = answer
		if lines, _ := w.doctor(doctor.Options{}); !slices.Contains(lines, want) {
			t.Errorf("%d: the doctor does not say %q but %q", answer, want, lines)
		}
	}
	w.SetWebhookURL(4242, "http://colony.example.com/api/github/hook")
	if lines, _ := w.doctor(doctor.Options{}); !slices.Contains(lines, "warning  webhook: it goes to colony.example.com without TLS -> put a proxy that speaks TLS before Colony") {
		t.Errorf("the doctor says %q", lines)
	}
}
