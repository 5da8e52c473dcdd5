package doctor_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/playground"
)

// well is what the doctor says of a world in which everything is as it should be.
var well = []string{
	"ok       configuration: complete; lifecycle colony has 16 states",
	"ok       clock: as GitHub's",
	"ok       App 4242: GitHub knows it as colony and accepts its key",
	"ok       permissions: what is needed",
	"ok       webhook: it goes to HOST, where a Colony listens, and has a secret",
	"ok       deliveries: of the last 2, all arrived",
	"ok       installation N on acme: what is needed",
	"ok       installation N on acme: more than a tenth of the 5000 calls of the hour are left",
	"ok       installation N on acme: 1 repository can be read, with all labels",
	"ok       installation N on acme: mode enforce in 1 repository -> colony doctor --repo OWNER/NAME says why a repository is in its mode",
	"ok       queue: DIR can be written to",
	"ok       address: HOST is free for Colony to listen at",
}

// changed is what is well but for some lines, by the line that they stand for.
func changed(but map[string][]string) []string {
	var lines []string
	for _, line := range well {
		if others, ok := but[line]; ok {
			lines = append(lines, others...)
			continue
		}
		lines = append(lines, line)
	}
	return lines
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	const hook, arrived = 4, 5
	for name, c := range map[string]struct {
		ail   func(w *world)
		worst doctor.Severity
		want  []string
	}{
		"all is well": {func(*world) {}, doctor.Fine, well},
		"the wrong key": {func(w *world) { w.Config.GitHub.App.PrivateKey = apptest.PEM(apptest.NewKey(1024)) }, doctor.Problem, []string{
			well[0], well[1],
			"problem  App 4242: GitHub does not accept the private key -> set github.app.private_key to a key of this App, made in its settings",
			well[10], well[11],
		}},
		"the wrong App": {func(w *world) { w.Config.GitHub.App.IntegrationID = 4 }, doctor.Problem, []string{
			well[0], well[1],
			"problem  App 4: GitHub knows no such App -> compare github.app.integration_id with the App's settings, and github.v3_api_url with the server",
			well[10], well[11],
		}},
		"nothing configured": {func(w *world) {
			dir := w.Config.Queue.Dir
			w.Config = config.Default()
			w.Config.Queue.Dir, w.Config.Server.Address = dir, "127.0.0.1:0"
		}, doctor.Problem, []string{
			"problem  configuration: github.app.integration_id: the App's id is missing -> copy the number after App ID from the App's settings, General",
			"problem  configuration: github.app.webhook_secret: is empty: everybody could send webhooks -> set it to the secret of the App's settings, General, Webhook",
			"problem  configuration: github.app.private_key: is empty: Colony could not sign in as the App -> make a key in the App's settings, General, Private keys, and set github.app.private_key_file to its file",
			well[10], well[11],
		}},
		"a suspended installation": {func(w *world) { w.Must(w.Suspend(w.Installation)); w.quiet() }, doctor.Warning, changed(map[string][]string{
			well[arrived]: {"ok       deliveries: of the last 3, all arrived"},
			well[6]:       nil, well[7]: nil,
			well[9]: nil,
			well[8]: {"warning  installation N on acme: suspended since DATE, so Colony leaves its issues alone -> an owner can lift that: URL"},
		})},
		"an installation that may only read": {func(w *world) {
			w.Must(w.SetInstallationPermissions(w.Installation, map[string]string{"issues": "read", "contents": "read", "pull_requests": "write", "checks": "read", "statuses": "read"}))
			w.quiet()
		}, doctor.Problem, changed(map[string][]string{
			well[arrived]: {"ok       deliveries: of the last 3, all arrived"},
			well[6]:       {"problem  installation N on acme: issues is read, and write is needed for reading issues and their log, and writing labels, comments and reactions -> an owner has to accept the App's permissions: URL"},
			well[7]:       nil, well[8]: nil, well[9]: nil,
		})},
		"deliveries that fail": {func(w *world) {
			w.server.Close()
			w.Open("olivia", "colony:new")
			w.quiet()
		}, doctor.Problem, changed(map[string][]string{
			well[hook]:    {"warning  webhook: HOST cannot be reached from here -> does Colony run, and can GitHub reach it?"},
			well[arrived]: {"problem  deliveries: of the last 4, 2 did not arrive, the newest among them: 502 failed to connect to host -> can GitHub reach Colony, and does its queue have room? A running Colony requests them again with its next sweep"},
		})},
		"a delivery that was lost": {func(w *world) {
			w.DropNext(1)
			i := w.Open("olivia")
			w.quiet()
			w.Label(i, "olivia", "bug")
			w.quiet()
		}, doctor.Warning, changed(map[string][]string{
			well[arrived]: {"warning  deliveries: of the last 4, 1 did not arrive, such as issues: 502 failed to connect to host -> the next sweep requests them again"},
		})},
		"no webhook": {func(w *world) { w.SetWebhookURL(acme.AppID, "") }, doctor.Problem, changed(map[string][]string{
			well[hook]: {"problem  webhook: GitHub sends webhooks nowhere -> set it in the App's settings, General, Webhook"},
		})},
		"a webhook to another path": {func(w *world) { w.SetWebhookURL(acme.AppID, w.server.URL+"/hook") }, doctor.Warning, changed(map[string][]string{
			well[hook]: {"warning  webhook: it goes to /hook, and Colony listens at /api/github/hook; is there a proxy that changes that? -> set it in the App's settings, General, Webhook"},
		})},
		"few calls left": {func(w *world) {
			w.Fault(playground.Fault{
				Kind: playground.FaultStatus, Status: http.StatusOK, Path: regexp.MustCompile(`^/rate_limit$`), After: true,
				Body: `{"resources": {"core": {"limit": 5000, "remaining": 499, "reset": 1700000000}}}`,
			})
		}, doctor.Warning, changed(map[string][]string{
			well[7]: {"warning  installation N on acme: 499 of 5000 calls are left until 22:13 UTC -> Colony's sweeps wait for that; who else acts as this App?"},
		})},
		"nobody installed it": {func(w *world) { w.Must(w.Uninstall(w.Installation)); w.quiet() }, doctor.Warning, changed(map[string][]string{
			well[arrived]: {"ok       deliveries: of the last 3, all arrived"},
			well[6]:       {"warning  installations: the App is not installed anywhere, so Colony has nothing to do -> install it on an organisation or account: http://HOST/apps/colony/installations/new"},
			well[7]:       nil, well[8]: nil, well[9]: nil,
		})},
		"a folder that is a file": {func(w *world) {
			w.Config.Queue.Dir = filepath.Join(w.Config.Queue.Dir, "file")
			w.Must(os.WriteFile(w.Config.Queue.Dir, nil, 0o600))
		}, doctor.Problem, changed(map[string][]string{
			well[10]: {"problem  queue: Colony cannot write to DIR: DIR is no folder -> make queue.dir a folder that Colony's user can write to"},
		})},
		"a clock that is wrong": {func(w *world) {
			w.Fault(playground.Fault{
				Kind: playground.FaultStatus, Status: http.StatusOK, Path: regexp.MustCompile(`^/app$`), Times: 1, After: true,
				Header: map[string]string{"Date": time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)}, Body: `{"slug": "colony", "permissions": {"issues": "write", "contents": "read", "pull_requests": "write", "checks": "read", "statuses": "read", "metadata": "read"}, "events": ["check_run", "check_suite", "issue_comment", "issue_dependencies", "issues", "label", "pull_request", "pull_request_review", "push", "repository", "status", "sub_issues"]}`,
			})
		}, doctor.Problem, changed(map[string][]string{
			well[1]: {"problem  clock: 1h0m0s off GitHub's, which refuses tokens for that -> set this machine's clock, for example by NTP"},
		})},
		"another process at the address": {func(w *world) { w.Config.Server.Address = w.another() }, doctor.Problem, changed(map[string][]string{
			well[11]: {"problem  address: another process listens at HOST, and it does not answer like a Colony -> stop that process, or set server.address to another port"},
		})},
		"this Colony at the address": {func(w *world) { w.Config.Server.Address = strings.TrimPrefix(w.server.URL, "http://") }, doctor.Fine, changed(map[string][]string{
			well[11]: {"ok       address: a Colony answers at HOST"},
		})},
		"no address to listen at": {func(w *world) { w.Config.Server.Address = "127.0.0.1:99991" }, doctor.Problem, changed(map[string][]string{
			well[11]: {"problem  address: Colony cannot listen at HOST: listen tcp: address 99991: invalid port -> set server.address like :8080, with a port that Colony's user may use"},
		})},
		"a budget that makes Colony wait": {func(w *world) { w.Config.GitHub.Budget.Points = 36 }, doctor.Warning, append(slices.Clone(well),
			"warning  budget: github.budget.points is 36: Colony waits after about 2 refusals a minute in an installation -> raise it to 900, which is GitHub's own bound, unless something else acts as this App",
		)},
		"a GitHub that fails": {func(w *world) {
			w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway})
		}, doctor.Problem, []string{
			well[0], well[1],
			"problem  GitHub: cannot be asked: GET http://HOST/api/v3/app: 502 Bad Gateway [] -> is github.v3_api_url right, and does the network let Colony through?",
			well[10], well[11],
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.ail(w)
			got, worst := w.doctor(doctor.Options{})
			for i, line := range got {
				line = regexp.MustCompile(`since \d{4}-\d\d-\d\d`).ReplaceAllString(line, "since DATE")
				got[i] = regexp.MustCompile(`: http://HOST/organizations\S*$`).ReplaceAllString(line, ": URL")
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if worst != c.worst {
				t.Errorf("the worst is %s, want %s: %s", worst, c.worst, strings.Join(got, "\n"))
			}
			w.SetWebhookURL(acme.AppID, "")
		})
	}
}

// another is the address of a server that is no Colony.
func (w *world) another() string {
	server := httptest.NewServer(http.NotFoundHandler())
	w.t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}
