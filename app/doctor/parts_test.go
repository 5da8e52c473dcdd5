package doctor

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app"
	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/github/client"
	"github.com/colony-app/colony/lifecycle"
)

// patient is a doctor that examines nothing, and what it tells.
func patient() (d *doctor, told func() string) {
	var lines []string
	d = &doctor{config: config.Default(), tell: func(f Finding) { lines = append(lines, f.String()) }}
	return d, func() string {
		defer func() { lines = nil }()
		return strings.Join(lines, "\n")
	}
}

func TestHowFarTheClockIsOff(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
	d, told := patient()
	d.options = app.Options{Clock: clockwork.NewFakeClockAt(now)}
	const by = " -> set this machine's clock, for example by NTP"
	for ahead, want := range map[time.Duration]string{
		0:                 "ok       clock: as GitHub's",
		9 * time.Second:   "ok       clock: as GitHub's",
		-9 * time.Second:  "ok       clock: as GitHub's",
		10 * time.Second:  "warning  clock: 10s off GitHub's" + by,
		-10 * time.Second: "warning  clock: -10s off GitHub's" + by,
		59 * time.Second:  "warning  clock: 59s off GitHub's" + by,
		time.Minute:       "problem  clock: 1m0s off GitHub's, which refuses tokens for that" + by,
		-time.Hour:        "problem  clock: -1h0m0s off GitHub's, which refuses tokens for that" + by,
	} {
		d.skew(now.Add(-ahead))
		if got := told(); got != want {
			t.Errorf("%s ahead: %s, want %s", ahead, got, want)
		}
	}
	d.skew(time.Time{})
	if got := told(); got != "warning  clock: GitHub does not tell its time" {
		t.Errorf("without a time: %s", got)
	}
}

func TestBudgetsThatMakeColonyWait(t *testing.T) {
	t.Parallel()
	d, told := patient()
	usual := d.config.GitHub.Budget.Points
	for _, enough := range []int{usual, 0, usual + 1} { // 0 is no bound
		d.config.GitHub.Budget.Points = enough
		d.budget()
		if told() != "" {
			t.Errorf("a budget of %d is too small", enough)
		}
	}
	d.config.GitHub.Budget.Points = usual - 1
	d.budget()
	if got, want := told(), "github.budget.points is 899: Colony waits after about "; !strings.Contains(got, want) {
		t.Errorf("it does not tell %q:\n%s", want, got)
	}
}

func TestWhatIsGranted(t *testing.T) {
	t.Parallel()
	all := func(changed map[string]string) map[string]string {
		grants := map[string]string{"issues": "write", "contents": "read", "pull_requests": "write", "checks": "read", "statuses": "read", "metadata": "read"}
		maps.Copy(grants, changed)
		return grants
	}
	without := func(event string) (events []string) {
		for _, e := range permissions.Subscriptions() {
			if e != event {
				events = append(events, e)
			}
		}
		return events
	}
	younger := permissions.Younger[0]
	for name, c := range map[string]struct {
		granted map[string]string
		events  []string
		server  string
		goesOn  bool
		want    string
	}{
		"what is needed": {all(nil), permissions.Subscriptions(), "", true, "ok       App: what is needed"},
		"more":           {all(map[string]string{"actions": "write"}), permissions.Subscriptions(), "", true, "ok       App: all that is needed, and more: actions: write"},
		"not granted":    {all(map[string]string{"issues": ""}), permissions.Subscriptions(), "", false, "problem  App: issues is not granted, and write is needed for "},
		"what is optional": {
			all(map[string]string{"pull_requests": "read"}), permissions.Subscriptions(), "", true,
			"ok       App: without pull_requests: write, which is optional, for closing an issue's pull requests when a command starts its work again; without it Colony names them\nok       App: what is needed",
		},
		"an event":      {all(nil), without("push"), "", true, "problem  App: not subscribed to push, so Colony gets none of these webhooks -> do it"},
		"on github.com": {all(nil), without(younger), "", true, "problem  App: not subscribed to " + younger + ", so Colony gets none of these webhooks -> do it"},
		"an older server": {
			all(nil), without(younger), "https://github.example.com", true,
			"ok       App: not subscribed to " + younger + ", which an older GitHub Enterprise Server does not have\nok       App: what is needed",
		},
		"an older server, and another event": {
			all(nil), []string{"issues"}, "https://github.example.com", true, "problem  App: not subscribed to ",
		},
	} {
		d, told := patient()
		if c.server != "" {
			d.config.GitHub.WebURL = c.server
		}
		goesOn := d.grants("App", c.granted, c.events, "do it")
		lines := strings.Split(told(), "\n")
		lines = lines[max(0, len(lines)-1-strings.Count(c.want, "\n")):]
		if got := strings.Join(lines, "\n"); !strings.HasPrefix(got, c.want) || goesOn != c.goesOn {
			t.Errorf("%s: goes on: %t\n%s", name, goesOn, got)
		}
	}
}

func TestWhatAStatusOfADeliveryMeans(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		0: "can GitHub reach the address?", 400: "webhook_secret", 401: "a proxy", 499: "a proxy", 500: "Colony's log", 501: "room", 599: "room", 1: "Recent deliveries", 399: "Recent deliveries", 600: "Recent deliveries",
	} {
		if got := hint(status); !strings.Contains(got, want) {
			t.Errorf("%d: %q", status, got)
		}
	}
	for want, d := range map[string]client.Delivery{
		"502 failed to connect": {Code: 502, Status: " failed to connect "},
		"Invalid 400 response":  {Code: 400, Status: "Invalid 400 response"},
		"timed out":             {Status: "timed out"},
	} {
		if got := statusOf(d); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTheFolderOfTheQueue(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, at := range []string{dir, filepath.Join(dir, "a", "b")} {
		if got, err := existing(at); got != dir || err != nil {
			t.Errorf("%s: %s, %v", at, got, err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{file, filepath.Join(file, "below")} {
		if got, err := existing(at); err == nil {
			t.Errorf("%s: %s", at, got)
		}
	}
	if err := writable(dir); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("it leaves %v, %v", left, err)
	}
	if err := writable(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("one can write to a folder that is not there")
	}
}

func TestCountsInWords(t *testing.T) {
	t.Parallel()
	got := []string{inModes(nil), inModes(map[lifecycle.Mode]int{lifecycle.ModeOff: 2, lifecycle.ModeEnforce: 1}), counted(1), counted(2)}
	if diff := cmp.Diff([]string{"", "off in 2 repositories, enforce in 1 repository", "1 installation waits", "2 installations wait"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestTheWorstOfFindings(t *testing.T) {
	t.Parallel()
	for want, found := range map[Severity][]Finding{Fine: {}, Warning: {{Severity: Warning}, {Severity: Fine}}, Problem: {{Severity: Fine}, {Severity: Problem}, {Severity: Warning}}} {
		if got := Worst(found); got != want {
			t.Errorf("%v: %s", found, got)
		}
	}
}
