package app_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/playground"
)

// doctor examines the world and returns a line for each finding. What depends on the run is left out of them: the address of
// the webhook, and the id of the installation.
func (w *world) doctor(server string, repositories ...string) (lines []string, worst doctor.Severity) {
	w.t.Helper()
	found := w.findings(server, repositories...)
	for _, f := range found {
		if strings.ContainsAny(f.String(), "\n\x00") {
			w.t.Errorf("more than a line: %q", f)
		}
		line := regexp.MustCompile(`127\.0\.0\.1:\d+`).ReplaceAllString(f.String(), "HOST")
		if dir := w.config.Queue.Dir; dir != "" {
			line = strings.ReplaceAll(line, dir, "DIR")
		}
		lines = append(lines, regexp.MustCompile(`(installations?[ /])\d+`).ReplaceAllString(line, "${1}N"))
	}
	return lines, doctor.Worst(found)
}

func (w *world) findings(server string, repositories ...string) (found []doctor.Finding) {
	w.t.Helper()
	if w.config.Queue.Dir == "" { // the doctor tries whether one can write there
		defer func() { w.config.Queue.Dir = "" }()
		w.config.Queue.Dir = w.t.TempDir()
	}
	doctor.Run(ctx, w.config, app.Options{Clock: clockwork.NewRealClock()}, doctor.Options{Server: server, Repositories: repositories}, func(f doctor.Finding) { found = append(found, f) })
	return found
}

// address is where Colony listens, as GitHub knows it.
func (w *world) address() string {
	w.t.Helper()
	for _, f := range w.findings("") {
		if m := regexp.MustCompile(`it goes to (\S+),`).FindStringSubmatch(f.Says); m != nil {
			return "http://" + m[1]
		}
	}
	w.t.Fatal("nobody knows where Colony listens")
	return ""
}

// The doctor asks a server that runs. What it finds elsewhere is tested in package doctor.
func TestDoctorOfAServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, withAdmin)
	server := w.address()
	last := func(n int) []string {
		t.Helper()
		lines, _ := w.doctor(server)
		return lines[len(lines)-n:]
	}
	expect := func(want ...string) {
		t.Helper()
		if diff := cmp.Diff(want, last(len(want))); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
	w.clock.Advance(time.Minute) // the points that the installation used are there again, for background work too
	w.Settle()
	expect("ok       server: it is ready; mode enforce in 1 repository", "ok       dead letters: there are none")

	i := w.open("ada", "")
	w.github.Fault(playground.Fault{
		Kind: playground.FaultStatus, Status: http.StatusUnprocessableEntity, Actor: "colony[bot]", Path: regexp.MustCompile(`/events$`), Times: 1,
	})
	i.Label("olivia", "colony:new")
	w.Settle()
	w.github.Fault(playground.Fault{Kind: playground.FaultSecondaryLimit, Actor: "colony[bot]", Path: regexp.MustCompile(`/events$`), Times: 1})
	i.Label("olivia", "colony:analyzing")
	w.Quiet()
	lines := last(4)
	if lines[0] != "ok       server: it is ready; mode enforce in 1 repository" || !strings.HasPrefix(lines[1], "warning  server: GitHub limits 1 of its installations") ||
		!regexp.MustCompile(`^ok       server: in installation N, 1 task waits until about \d\d:\d\d:\d\d UTC: GitHub limits the installation; most in repository \d+: 1$`).MatchString(lines[2]) ||
		!strings.HasPrefix(lines[3], "warning  dead letters: Colony gave up 1 task, the last for acme/widgets#1: read the events of acme/widgets#1: ") {
		t.Errorf("the doctor says\n%s", strings.Join(lines, "\n"))
	}
	w.clock.Advance(2 * time.Minute)
	w.Quiet()

	w.config.Server.AdminToken = "another token that is long"
	expect("problem  dead letters: the server answers with 404 -> is server.admin_token the same there?")
	w.config.Server.AdminToken = ""
	expect("ok       server: it is ready; mode enforce in 1 repository", "warning  dead letters: Colony gave up 1 task -> set server.admin_token to see them")
	w.stopColony()
	if line := last(1)[0]; !strings.HasPrefix(line, "problem  server: http://HOST does not answer like a Colony: ") {
		t.Errorf("the doctor says %s", line)
	}
}
