package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/bench/apptest"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
)

// environment is a fixed environment, as os.Environ returns it.
func environment(variables map[string]string) []string {
	var lines []string
	for name, value := range variables {
		lines = append(lines, name+"="+value)
	}
	return lines
}

// file writes a file of the test and returns its path.
func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func appKeyPEM() string { return apptest.PEM(apptest.Key()) }

// runnable is a configuration that Colony can run with.
func runnable() config.Config { return apptest.Config(apptest.Key()) }

func TestNoFileAndNoEnvironmentAreTheDefaults(t *testing.T) {
	t.Parallel()
	c, err := config.Load("", environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(config.Default(), c); diff != "" {
		t.Error(diff)
	}
}

func TestEnvironmentOverridesFileOverridesDefault(t *testing.T) {
	t.Parallel()
	settings := map[string]struct {
		yaml string // sets the setting to "of the file"
		read func(config.Config) string
	}{
		"COLONY_GITHUB_WEB_URL":             {"github: {web_url: of the file}", func(c config.Config) string { return c.GitHub.WebURL }},
		"COLONY_GITHUB_V3_API_URL":          {"github: {v3_api_url: of the file}", func(c config.Config) string { return c.GitHub.V3APIURL }},
		"COLONY_GITHUB_APP_WEBHOOK_SECRET":  {"github: {app: {webhook_secret: of the file}}", func(c config.Config) string { return c.GitHub.App.WebhookSecret }},
		"COLONY_GITHUB_APP_PRIVATE_KEY":     {"github: {app: {private_key: of the file}}", func(c config.Config) string { return c.GitHub.App.PrivateKey }},
		"COLONY_GITHUB_OAUTH_CLIENT_ID":     {"github: {oauth: {client_id: of the file}}", func(c config.Config) string { return c.GitHub.OAuth.ClientID }},
		"COLONY_GITHUB_OAUTH_CLIENT_SECRET": {"github: {oauth: {client_secret: of the file}}", func(c config.Config) string { return c.GitHub.OAuth.ClientSecret }},
		"COLONY_BOARD_URL":                  {"board: {url: of the file}", func(c config.Config) string { return c.Board.URL }},
		"COLONY_SERVER_ADDRESS":             {"server: {address: of the file}", func(c config.Config) string { return c.Server.Address }},
		"COLONY_SERVER_ADMIN_TOKEN":         {"server: {admin_token: of the file}", func(c config.Config) string { return c.Server.AdminToken }},
		"COLONY_QUEUE_DIR":                  {"queue: {dir: of the file}", func(c config.Config) string { return c.Queue.Dir }},
		"COLONY_QUEUE_URL":                  {"queue: {url: of the file}", func(c config.Config) string { return c.Queue.URL }},
		"COLONY_MODE":                       {"mode: of the file", func(c config.Config) string { return string(c.Mode) }},
		"COLONY_MODE_CEILING":               {"mode_ceiling: of the file", func(c config.Config) string { return string(c.ModeCeiling) }},
		"COLONY_LOG_LEVEL":                  {"log: {level: of the file}", func(c config.Config) string { return c.Log.Level }},
	}
	// Numbers, what is true or false, and the paths of files have tests of their own.
	elsewhere := []string{"COLONY_GITHUB_BUDGET_POINTS", "COLONY_GITHUB_APP_INTEGRATION_ID", "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE", "COLONY_GITHUB_APP_PRIVATE_KEY_FILE", "COLONY_GITHUB_OAUTH_CLIENT_SECRET_FILE", "COLONY_SERVER_ADMIN_TOKEN_FILE", "COLONY_API_ENABLED", "COLONY_BOARD_ENABLED"}
	if got, want := len(config.EnvironmentVariables()), len(settings)+len(elsewhere); got != want {
		t.Errorf("%d variables are read, %d are tested", got, want)
	}
	for name, setting := range settings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := file(t, setting.yaml)
			c, err := config.Load(path, environment(nil))
			if err != nil || setting.read(c) != "of the file" {
				t.Errorf("from the file: %q, %v", setting.read(c), err)
			}
			c, err = config.Load(path, environment(map[string]string{name: "of the environment"}))
			if err != nil || setting.read(c) != "of the environment" {
				t.Errorf("from the environment: %q, %v", setting.read(c), err)
			}
			if c.Judging != config.Default().Judging {
				t.Error("what neither says is not the default")
			}
		})
	}
}

func TestNumbersOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, number := range map[string]struct {
		yaml string
		read func(config.Config) int64
	}{
		"COLONY_GITHUB_APP_INTEGRATION_ID": {"github: {app: {integration_id: 1}}", func(c config.Config) int64 { return c.GitHub.App.IntegrationID }},
		"COLONY_GITHUB_BUDGET_POINTS":      {"github: {budget: {points: 1}}", func(c config.Config) int64 { return int64(c.GitHub.Budget.Points) }},
	} {
		path := file(t, number.yaml)
		c, err := config.Load(path, environment(map[string]string{name: "300"}))
		if err != nil || number.read(c) != 300 {
			t.Errorf("%s: %d, %v", name, number.read(c), err)
		}
		_, err = config.Load(path, environment(map[string]string{name: "many"}))
		if err == nil || !strings.Contains(err.Error(), name+`: "many" is not a number`) {
			t.Errorf("for a word in %s it says %v", name, err)
		}
	}
}

// The comments that Colony writes are the same share of GitHub's budget as its points.
func TestTheShareOfAReplica(t *testing.T) {
	t.Parallel()
	for _, points := range []int{300, 0} {
		c, err := config.Load("", environment(map[string]string{"COLONY_GITHUB_BUDGET_POINTS": fmt.Sprint(points)}))
		if want := ratelimit.Share(points); err != nil || c.GitHub.Budget != want {
			t.Errorf("of %d points: %+v, want %+v, %v", points, c.GitHub.Budget, want, err)
		}
	}
}

func TestWhatIsEnabledByTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(config.Config) bool{
		"api": func(c config.Config) bool { return c.API.Enabled }, "board": func(c config.Config) bool { return c.Board.Enabled },
	} {
		variable := "COLONY_" + strings.ToUpper(name) + "_ENABLED"
		for value, want := range map[string]bool{"true": true, "false": false, "1": true, "0": false} {
			c, err := config.Load(file(t, fmt.Sprintf("%s: {enabled: %t}", name, !want)), environment(map[string]string{variable: value}))
			if err != nil || read(c) != want {
				t.Errorf("%s=%s: %t, %v", variable, value, read(c), err)
			}
		}
		if _, err := config.Load("", environment(map[string]string{variable: "yes"})); err == nil || !strings.Contains(err.Error(), variable+`: "yes" is neither true nor false`) {
			t.Errorf("yes: %v", err)
		}
	}
}

func TestWhatTheBoardNeeds(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		change func(*config.Config)
		says   []string // nothing: Colony can run
	}{
		{"nothing is given", func(c *config.Config) { c.Board.Enabled = true }, []string{"board.url", "github.oauth.client_id", "github.oauth.client_secret"}},
		{"it is off", func(c *config.Config) { c.Board.URL = "nonsense" }, nil},
		{"everything", func(c *config.Config) { boardAt(c, "https://colony.example.com") }, nil},
		{"with a slash", func(c *config.Config) { boardAt(c, "https://colony.example.com/") }, nil},
		{"on this machine", func(c *config.Config) { boardAt(c, "http://127.0.0.1:8080") }, nil},
		{"sessions in clear", func(c *config.Config) { boardAt(c, "http://colony.example.com") }, []string{"board.url", "https://"}},
		{"with a path", func(c *config.Config) { boardAt(c, "https://example.com/colony") }, []string{"board.url"}},
		{"no address", func(c *config.Config) { boardAt(c, "colony.example.com") }, []string{"board.url"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			c := runnable()
			row.change(&c)
			err := c.Validate()
			if (err == nil) != (len(row.says) == 0) {
				t.Fatalf("%v", err)
			}
			for _, word := range row.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q is not in: %v", word, err)
				}
			}
		})
	}
}

func boardAt(c *config.Config, address string) {
	c.Board.Enabled, c.Board.URL, c.GitHub.OAuth.ClientID, c.GitHub.OAuth.ClientSecret = true, address, "Iv1.1", "s"
}

func TestEverySettingOfTheFileIsRead(t *testing.T) {
	t.Parallel()
	c, err := config.Load(file(t, `
server: {address: "127.0.0.1:1", admin_token: t}
api: {enabled: true}
board: {enabled: true, url: u}
github:
  web_url: https://ghes.test
  v3_api_url: https://ghes.test/api/v3/
  budget: {points: 450}
  app: {integration_id: 3, webhook_secret: s, private_key: k}
  oauth: {client_id: i, client_secret: c}
queue: {dir: d, url: "nats://n.test", concurrency: 4, max_bytes: 5}
log: {level: debug, format: console}
lifecycle: colony
executors:
  logins: {rev: [reviewer, merger]}
  widen: [{role: reviewer, from: in-review, to: merge-pending}]
intake: {when: assigned, labels: [go], assignees: [ralph], authors: [ada, MEMBER]}
dispatch: [{from: [ready-for-dev, changes-requested], to: in-development, at-most: 3}]
follow: [comments, checks]
close: false
mode: off
mode_ceiling: warn
repositories: {include: [acme/*], exclude: [acme/x]}
identities: {former: ["old[bot]"]}
commands: {move: write, force: admin}
judging: {settle: 3s, horizon: 7h}
breaker: {rejections: 8, window: 9m}
sweep: {interval: 11m, max_refusals: 12}
pull_requests: {branches: ["{number}/*"]}
`), environment(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Server:       config.ServerConfig{Address: "127.0.0.1:1", AdminToken: "t"},
		API:          config.APIConfig{Enabled: true},
		Board:        config.BoardConfig{Enabled: true, URL: "u"},
		Queue:        config.QueueConfig{Dir: "d", URL: "nats://n.test", Concurrency: 4, MaxBytes: 5},
		Log:          config.LogConfig{Level: "debug", Format: "console"},
		Lifecycle:    "colony",
		Identities:   config.IdentitiesConfig{Former: []string{"old[bot]"}},
		Commands:     policy.Commands{Move: "write", Force: "admin"},
		Judging:      config.Default().Judging, // and what is set below
		Breaker:      config.BreakerConfig{Rejections: 8, Window: 9 * time.Minute},
		Sweep:        config.SweepConfig{Interval: 11 * time.Minute, Watch: config.Default().Sweep.Watch, MaxRefusals: 12},
		PullRequests: config.PullRequestsConfig{Branches: []string{"{number}/*"}},
		Mode:         lifecycle.ModeOff,
		ModeCeiling:  lifecycle.ModeWarn,
		Repositories: policy.Selection{Include: []string{"acme/*"}, Exclude: []string{"acme/x"}},
		Executors: policy.Executors{
			Logins: map[string][]string{"rev": {"reviewer", "merger"}},
			Widen:  []policy.Widen{{Role: "reviewer", From: "in-review", To: "merge-pending"}},
		},
		Intake:   policy.Intake{When: "assigned", Labels: []string{"go"}, Assignees: []string{"ralph"}, Authors: []string{"ada", "MEMBER"}},
		Dispatch: []lifecycle.Dispatch{{From: []string{"ready-for-dev", "changes-requested"}, To: "in-development", AtMost: 3}},
		Follow:   policy.Follow{"comments", "checks"},
		Close:    false,
	}
	want.Judging.Settle, want.Judging.Horizon = 3*time.Second, 7*time.Hour
	want.GitHub.WebURL, want.GitHub.V3APIURL = "https://ghes.test", "https://ghes.test/api/v3/"
	want.GitHub.Budget = ratelimit.Settings{Points: 450, ContentMinute: 40, ContentHour: 250}
	want.GitHub.App.IntegrationID, want.GitHub.App.WebhookSecret, want.GitHub.App.PrivateKey = 3, "s", "k"
	want.GitHub.OAuth.ClientID, want.GitHub.OAuth.ClientSecret = "i", "c"
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	settings, err := c.Settings()
	if err != nil || settings.Commands.Move != issues.PermissionWrite || settings.Commands.Force != issues.PermissionAdmin || settings.Horizon != 7*time.Hour {
		t.Errorf("settings %+v, %v", settings, err)
	}
}

func TestDurationsOfTheFile(t *testing.T) {
	t.Parallel()
	defaults := config.Default().Sweep.Interval
	for written, want := range map[string]time.Duration{
		"0": 0, `"0"`: 0, "0s": 0, "-0": 0, "0 # only at the start": 0,
		"90s": 90 * time.Second, `"1h30m"`: 90 * time.Minute, "-1s": -time.Second,
		"": defaults, "~": defaults, // nothing is said, so the default holds
	} {
		c, err := config.Load(file(t, "sweep:\n  interval: "+written+"\n"), environment(nil))
		if err != nil || c.Sweep.Interval != want {
			t.Errorf("%q is %s, not %s: %v", written, c.Sweep.Interval, want, err)
		}
	}
	c, err := config.Load(file(t, "judging: {settle: 0, horizon: 0}\nbreaker: {window: 0}\n"), environment(nil))
	if err != nil || c.Judging.Settle != 0 || c.Judging.Horizon != 0 || c.Breaker.Window != 0 {
		t.Errorf("a bare 0 does not do everywhere: %+v, %v", c, err)
	}
}

func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	key := appKeyPEM()
	files := map[string]string{
		"COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE":  file(t, "the secret of webhooks\n"),
		"COLONY_GITHUB_APP_PRIVATE_KEY_FILE":     file(t, key),
		"COLONY_SERVER_ADMIN_TOKEN_FILE":         file(t, "the admin's token\n"),
		"COLONY_GITHUB_OAUTH_CLIENT_SECRET_FILE": file(t, "the client's secret\n"),
		"COLONY_GITHUB_APP_INTEGRATION_ID":       "7",
	}
	c, err := config.Load("", environment(files))
	if err != nil {
		t.Fatal(err)
	}
	if c.GitHub.App.WebhookSecret != "the secret of webhooks" {
		t.Errorf("the secret is %q", c.GitHub.App.WebhookSecret)
	}
	if c.Server.AdminToken != "the admin's token" {
		t.Errorf("the admin's token is %q", c.Server.AdminToken)
	}
	if c.GitHub.OAuth.ClientSecret != "the client's secret" {
		t.Errorf("the client's secret is %q", c.GitHub.OAuth.ClientSecret)
	}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}

	files["COLONY_GITHUB_APP_WEBHOOK_SECRET"] = "given directly"
	if c, err = config.Load("", environment(files)); err != nil || c.GitHub.App.WebhookSecret != "given directly" {
		t.Errorf("a secret given directly lost: %q, %v", c.GitHub.App.WebhookSecret, err)
	}

	for variable, setting := range map[string]string{
		"COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE":  "github.app.webhook_secret_file",
		"COLONY_GITHUB_APP_PRIVATE_KEY_FILE":     "github.app.private_key_file",
		"COLONY_SERVER_ADMIN_TOKEN_FILE":         "server.admin_token_file",
		"COLONY_GITHUB_OAUTH_CLIENT_SECRET_FILE": "github.oauth.client_secret_file",
	} {
		const do = " -> correct the path, or let Colony's user read the file"
		most := strings.Repeat("x", 64<<10)
		for path, why := range map[string]string{filepath.Join(t.TempDir(), "missing"): "no such file", file(t, most+"x"): "more than 65536 bytes"} {
			_, err := config.Load("", environment(map[string]string{variable: path}))
			if err == nil || !strings.HasPrefix(err.Error(), setting+": ") || !strings.Contains(err.Error(), why) || !strings.HasSuffix(err.Error(), do) {
				t.Errorf("%s: the error does not say %q of %s: %v", variable, why, setting, err)
			}
		}
		if _, err := config.Load("", environment(map[string]string{variable: file(t, most)})); err != nil {
			t.Errorf("%s: %v", variable, err)
		}
	}
}

func TestKeyInOneLine(t *testing.T) {
	t.Parallel()
	line := strings.ReplaceAll(strings.TrimSpace(appKeyPEM()), "\n", `\n`)
	for name, variables := range map[string]map[string]string{
		"variable": {"COLONY_GITHUB_APP_PRIVATE_KEY": line},
		"file":     {"COLONY_GITHUB_APP_PRIVATE_KEY_FILE": file(t, line)},
	} {
		c, err := config.Load("", environment(variables))
		if err != nil || c.GitHub.App.PrivateKey != strings.TrimSpace(appKeyPEM()) {
			t.Errorf("by %s: %v", name, err)
		}
	}
}

func TestUnreadableConfigurationSaysWhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		yaml string
		want []string
	}{
		"unknown setting":         {"server:\n  address: x\n  adress: y\n", []string{":3:3:", `unknown setting "adress": did you mean "address"?`, "colony lint"}},
		"unknown section":         {"log: {level: info}\nsweeps: {interval: 1m}\n", []string{":2:1:", "sweeps"}},
		"twice":                   {"lifecycle: a\nlifecycle: b\n", []string{":2:1:", "lifecycle"}},
		"a word for a number":     {"queue:\n  concurrency: many\n", []string{":2:16:"}},
		"no duration":             {"judging:\n  horizon: long\n", []string{":2:12:", "judging.horizon: long is not a duration", "72h"}},
		"a duration without unit": {"sweep:\n  max_refusals: 2\n  interval: 20\n", []string{":3:13:", "sweep.interval: 20 is not a duration", "20s"}},
		"a list of durations":     {"sweep: {interval: [1m]}\n", []string{":1:19:", "a single value is expected here"}},
		"a number for a name":     {"lifecycle: a\n7: b\n", []string{":2:1:", `unknown setting "7"`}},
		"a list for a mapping":    {"github: [a]\n", []string{":1:9:"}},
		"not YAML":                {"server: {\n", []string{":1:"}},
		"an unknown widening key": {"executors:\n  widen:\n    - {role: a, form: b}\n", []string{":3:17:", "form"}},
	} {
		path := file(t, test.yaml)
		_, err := config.Load(path, environment(nil))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range append(test.want, path) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q lacks %q", name, err, want)
			}
		}
	}
	if _, err := config.Load(filepath.Join(t.TempDir(), "missing.yml"), environment(nil)); err == nil || !strings.Contains(err.Error(), "missing.yml") {
		t.Errorf("a missing file: %v", err)
	}
}

// What only Go sets is as unknown in a file as any other setting.
func TestWhatNoFileSetsIsUnknown(t *testing.T) {
	t.Parallel()
	for setting, text := range map[string]string{
		"drain": "server: {drain: 20s}", "timeout": "github: {timeout: 20s}", "pace": "github: {pace: {points: 900}}", "content_minute": "github: {budget: {content_minute: 80}}",
		"window": "board: {window: 672h}", "partitions": "queue: {partitions: 85}", "keep": "repositories: {keep: 5m}",
		"lag": "judging: {lag: 10s}", "lagwait": "judging: {lagwait: 10s}", "lag_looks": "judging: {lag_looks: 5}", "watch": "sweep: {watch: 50}",
	} {
		if _, err := config.Load(file(t, text+"\n"), environment(nil)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("unknown setting %q", setting)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Each setting that is a duration has its place in the error.
func TestUnreadableDurationSaysWhere(t *testing.T) {
	t.Parallel()
	found := 0
	for section := range reflect.TypeFor[config.Config]().Fields() {
		if section.Type.Kind() != reflect.Struct {
			continue
		}
		for setting := range section.Type.Fields() {
			if setting.Type != reflect.TypeFor[time.Duration]() || setting.Tag.Get("yaml") == "-" {
				continue
			}
			found++
			first, second := section.Tag.Get("yaml"), setting.Tag.Get("yaml")
			_, err := config.Load(file(t, first+":\n  "+second+": soon\n"), environment(nil))
			if want := fmt.Sprintf(":2:%d: %s.%s: soon is not a duration", len(second)+5, first, second); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v lacks %q", err, want)
			}
		}
	}
	if found < 4 {
		t.Errorf("found %d durations", found)
	}
}

func TestValidateNamesTheSetting(t *testing.T) {
	t.Parallel()
	if err := runnable().Validate(); err != nil {
		t.Fatalf("the configuration that the others spoil: %v", err)
	}
	spoil := map[string][]func(*config.Config){
		"github.app.integration_id": {func(c *config.Config) { c.GitHub.App.IntegrationID = 0 }, func(c *config.Config) { c.GitHub.App.IntegrationID = -1 }},
		"github.web_url":            {func(c *config.Config) { c.GitHub.WebURL = "" }},
		"github.v3_api_url": {
			func(c *config.Config) { c.GitHub.V3APIURL = "github.example.com/api/v3/" },
			func(c *config.Config) { c.GitHub.V3APIURL = "https:///api/v3/" },
			func(c *config.Config) { c.GitHub.V3APIURL = "ssh://github.example.com" },
			func(c *config.Config) { c.GitHub.V3APIURL = "https://[github" },
		},
		"github.app.webhook_secret": {
			func(c *config.Config) { c.GitHub.App.WebhookSecret = "" },
			func(c *config.Config) { c.GitHub.App.WebhookSecret = strings.Repeat(" \t", 10) },
			func(c *config.Config) { c.GitHub.App.WebhookSecret = "0123456789abcde" },
			func(c *config.Config) { c.GitHub.App.WebhookSecret = "short" + strings.Repeat(" ", 20) },
		},
		"github.app.private_key": {
			func(c *config.Config) { c.GitHub.App.PrivateKey = "" },
			func(c *config.Config) { c.GitHub.App.PrivateKey = c.GitHub.App.PrivateKey[:100] },
		},
		"server.admin_token": {
			func(c *config.Config) { c.Server.AdminToken = "0123456789abcde" },
			func(c *config.Config) { c.Server.AdminToken = strings.Repeat(" ", 20) },
			func(c *config.Config) { c.Server.AdminToken = " " },
		},
		"github.budget.points":    {func(c *config.Config) { c.GitHub.Budget.Points = 9 }, func(c *config.Config) { c.GitHub.Budget.Points = -1 }},
		"log.level":               {func(c *config.Config) { c.Log.Level = "loud" }, func(c *config.Config) { c.Log.Level = "" }},
		"log.format":              {func(c *config.Config) { c.Log.Format = "xml" }},
		"judging.settle":          {func(c *config.Config) { c.Judging.Settle = -1 }},
		"judging.horizon":         {func(c *config.Config) { c.Judging.Horizon = 0 }},
		"mode":                    {func(c *config.Config) { c.Mode = "enforced" }},
		"mode_ceiling":            {func(c *config.Config) { c.ModeCeiling = "high" }},
		"repositories.include[0]": {func(c *config.Config) { c.Repositories.Include = []string{"acme"} }},
		"repositories.exclude[0]": {func(c *config.Config) { c.Repositories.Exclude = []string{"acme/["} }},
		"sweep.interval":          {func(c *config.Config) { c.Sweep.Interval = time.Second }},
		"breaker.window":          {func(c *config.Config) { c.Breaker.Window = 0 }},
		"breaker.rejections":      {func(c *config.Config) { c.Breaker.Rejections = 0 }},
		"sweep.max_refusals":      {func(c *config.Config) { c.Sweep.MaxRefusals = -1 }},
		"lifecycle":               {func(c *config.Config) { c.Lifecycle = "colonny" }},
		"commands.move":           {func(c *config.Config) { c.Commands.Move = "everybody" }},
		"commands.force":          {func(c *config.Config) { c.Commands.Force = "" }},
		"executors.widen[1]": {func(c *config.Config) {
			c.Executors.Widen = []policy.Widen{{Role: "reviewer", From: "in-review", To: "done"}, {Role: "reviewer", From: "in-review", To: "new"}}
		}},
		"executors.widen[0]": {func(c *config.Config) {
			c.Executors.Widen = []policy.Widen{{Role: "reveiwer", From: "in-review", To: "done"}}
		}},
		"intake.when":         {func(c *config.Config) { c.Intake.When = "always" }},
		"intake.labels":       {func(c *config.Config) { c.Intake.When, c.Intake.Labels = "labelled", nil }},
		"intake.labels[1]":    {func(c *config.Config) { c.Intake.Labels = []string{"go", "colony:new"} }, func(c *config.Config) { c.Intake.Labels = []string{"go", ""} }},
		"intake.assignees":    {func(c *config.Config) { c.Intake.When = "assigned" }, func(c *config.Config) { c.Intake.Assignees = []string{"ralph"} }},
		"intake.assignees[1]": {func(c *config.Config) { c.Intake.When, c.Intake.Assignees = "assigned", []string{"ada", "@ralph"} }},
		"intake.authors[0]":   {func(c *config.Config) { c.Intake.Authors = []string{"@ada"} }},
		"dispatch[0].at-most": {func(c *config.Config) { c.Dispatch = []lifecycle.Dispatch{{From: []string{"new"}, To: "analyzing"}} }},
		"dispatch[1].to": {func(c *config.Config) {
			c.Dispatch = []lifecycle.Dispatch{{From: []string{"new"}, To: "analyzing", AtMost: 1}, {From: []string{"new"}, To: "analyzing", AtMost: 2}}
		}},
		"notify.webhooks[0].name":            {hook(func(h *notify.Webhook) { h.Name = "Ops" }), hook(func(h *notify.Webhook) { h.Name = "" })},
		"notify.webhooks[1].name":            {func(c *config.Config) { hook(func(*notify.Webhook) {})(c); hook(func(*notify.Webhook) {})(c) }},
		"notify.webhooks[0].url":             {hook(func(h *notify.Webhook) { h.URL = "" }), hook(func(h *notify.Webhook) { h.URL = "file:///etc/passwd" })},
		"notify.webhooks[0].secret":          {hook(func(h *notify.Webhook) { h.Secret = "" }), hook(func(h *notify.Webhook) { h.Secret = "short" })},
		"notify.webhooks[0].format":          {hook(func(h *notify.Webhook) { h.Format = "xml" })},
		"notify.webhooks[0].verdicts[1]":     {hook(func(h *notify.Webhook) { h.Verdicts = []reconcile.VerdictKind{"refused", "blocked"} })},
		"notify.webhooks[0].repositories[0]": {hook(func(h *notify.Webhook) { h.Repositories = []string{"acme"} })},
		"executors.logins.bot[0]":            {func(c *config.Config) { c.Executors.Logins = map[string][]string{"bot": {"reveiwer"}} }},
	}
	for setting, changes := range spoil {
		for _, change := range changes {
			c := runnable()
			change(&c)
			err := c.Validate()
			if err == nil || !strings.HasPrefix(err.Error(), setting+": ") || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), " -> ") {
				t.Errorf("want one complaint about %s that says what to do, got %v", setting, err)
			}
		}
	}
	all := runnable()
	for _, changes := range spoil {
		changes[0](&all)
	}
	err := all.Validate()
	for _, setting := range []string{"github.app.webhook_secret", "log.level", "judging.settle", "sweep.max_refusals", "github.budget.points", "lifecycle"} {
		if err == nil || !strings.Contains(err.Error(), setting+": ") {
			t.Errorf("with everything wrong, %s is not named: %v", setting, err)
		}
	}
}

// hook adds a webhook that is as it should be but for a change.
func hook(change func(*notify.Webhook)) func(*config.Config) {
	return func(c *config.Config) {
		h := notify.Webhook{Name: "ops-chat", URL: "https://chat.example/hook", Secret: "sixteen characters"}
		change(&h)
		c.Notify.Webhooks = append(c.Notify.Webhooks, h)
	}
}

// The secrets of a webhook come from the file, from files of their own or from variables, like all others. No error shows them.
func TestSecretsOfWebhooks(t *testing.T) {
	t.Parallel()
	secret := file(t, "of a file that is long\n")
	text := fmt.Sprintf("notify: {webhooks: [{name: audit, url: https://a.example, secret_file: %q}, {name: ops-chat, format: slack}]}", secret)
	path := file(t, text)
	c, err := config.Load(path, environment(map[string]string{"COLONY_NOTIFY_OPS_CHAT_URL": "https://chat.example/T0/secret"}))
	if err != nil {
		t.Fatal(err)
	}
	want := []notify.Webhook{
		{Name: "audit", URL: "https://a.example", Secret: "of a file that is long", SecretFile: secret},
		{Name: "ops-chat", URL: "https://chat.example/T0/secret", Format: notify.Slack},
	}
	if diff := cmp.Diff(want, c.Notify.Webhooks); diff != "" {
		t.Errorf("the webhooks (-want +got):\n%s", diff)
	}
	_, err = config.Load(path, environment(map[string]string{"COLONY_NOTIFY_OPS_CHAT_URL": "x", "COLONY_NOTIFY_OPSCHAT_SECRET": "very secret"}))
	if err == nil || !strings.Contains(err.Error(), "did you mean COLONY_NOTIFY_OPS_CHAT_SECRET?") || strings.Contains(err.Error(), "very secret") {
		t.Errorf("a variable that is misspelt: %v", err)
	}
	spoilt := runnable()
	hook(func(h *notify.Webhook) { h.URL = "ftp://chat.example/T0/secret" })(&spoilt)
	if err := spoilt.Validate(); err == nil || strings.Contains(err.Error(), "T0") {
		t.Errorf("an address that cannot be used: %v", err)
	}
}

// Validate lists the errors in one order, so a person who mends one after the other finds the rest where they were.
func TestValidateComplainsInOneOrder(t *testing.T) {
	t.Parallel()
	c := config.Config{Lifecycle: "colony", Executors: policy.Executors{Logins: map[string][]string{}}}
	c.Judging = config.JudgingConfig{Settle: -1}
	c.Sweep.MaxRefusals, c.GitHub.Budget.Points = -1, -1
	logins := []string{"ann", "ben", "cho", "dan", "eve", "fay", "gus"}
	for _, login := range logins {
		c.Executors.Logins[login] = []string{"reveiwer"}
	}
	want := []string{
		"github.web_url", "github.v3_api_url", "github.app.integration_id", "github.app.webhook_secret", "github.app.private_key", "log.level", "log.format",
		"judging.settle", "judging.horizon", "breaker.window", "sweep.max_refusals", "breaker.rejections", "github.budget.points",
	}
	for _, login := range logins {
		want = append(want, "executors.logins."+login+"[0]: "+login+" has the role")
	}
	for range 20 {
		lines := strings.Split(c.Validate().Error(), "\n")
		if len(lines) != len(want) {
			t.Fatalf("%d complaints, not %d: %q", len(lines), len(want), lines)
		}
		for i, line := range lines {
			if !strings.HasPrefix(line, want[i]) {
				t.Fatalf("complaint %d is not about %s: %q", i, want[i], lines)
			}
		}
	}
}

func TestErrorsShowNoSecret(t *testing.T) {
	t.Parallel()
	const secret = "hunter2hunter2"
	broken := "-----BEGIN RSA PRIVATE KEY-----\n" + secret + "\n-----END RSA PRIVATE KEY-----\n"
	c := config.Default()
	c.GitHub.App.WebhookSecret, c.GitHub.App.PrivateKey = secret, broken
	if err := c.Validate(); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("Validate: %v", err)
	}
	for name, yaml := range map[string]string{
		"beside an unknown key": "github:\n  app:\n    webhook_secret: " + secret + "\n    webhook_secrte: x\n",
		"misspelled":            "github:\n  app:\n    webhook_secrte: " + secret + "\n",
		"at the wrong place":    "github:\n  app: " + secret + "\n",
		"after bad YAML":        "github:\n  app:\n    webhook_secret: " + secret + "\n   private_key: [\n",
		"as a list":             "github:\n  app:\n    webhook_secret: [" + secret + "]\n",
		"a key for a number":    "github:\n  app:\n    integration_id: " + secret + "\n",
	} {
		_, err := config.Load(file(t, yaml), environment(nil))
		if err == nil || strings.Contains(err.Error(), secret) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestUnknownVariableOfColonysIsAnError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		want        string // in the error; empty: there is none
	}{
		{"COLONY_LOG_LEVLE", "debug", "COLONY_LOG_LEVLE: there is no such variable; did you mean COLONY_LOG_LEVEL? -> rename it, or unset it"},
		{"COLONY_WEBHOOK_SECRET", "s3cret", "did you mean COLONY_GITHUB_APP_WEBHOOK_SECRET?"},
		{"COLONY_INTEGRATION_ID", "7", "did you mean COLONY_GITHUB_APP_INTEGRATION_ID?"},
		{"colony_log_level", "debug", "did you mean COLONY_LOG_LEVEL?"},
		{"COLONY_LIFECYCLE", "prp", `COLONY_LIFECYCLE: there is no such variable -> unset it, or take one that "colony serve --help" lists`},
		{"COLONY_SERVER_PORT", "8080", "COLONY_SERVER_PORT: there is no such variable"},
		{"COLONY_", "", "COLONY_: there is no such variable"},
		// Kubernetes sets these for a service whose name is colony, or begins with it.
		{"COLONY_SERVICE_HOST", "10.0.0.11", ""},
		{"COLONY_SERVICE_PORT", "80", ""},
		{"COLONY_SERVICE_PORT_HTTP", "80", ""},
		{"COLONY_PORT", "tcp://10.0.0.11:80", ""},
		{"COLONY_PORT_80_TCP", "tcp://10.0.0.11:80", ""},
		{"COLONY_PORT_80_TCP_PROTO", "tcp", ""},
		{"COLONY_PORT_80_TCP_PORT", "80", ""},
		{"COLONY_PORT_80_TCP_ADDR", "10.0.0.11", ""},
		{"COLONY_NATS_SERVICE_HOST", "10.0.0.12", ""},
		{"COLONY_NATS_PORT", "tcp://10.0.0.12:4222", ""},
		{"COLONY_NATS_PORT_4222_UDP", "udp://10.0.0.12:4222", ""},
		// The tests of this repository read these.
		{"COLONY_TEST_LOG", "1", ""},
		{"COLONY_BLACKBOX_WEBHOOK_SECRET", "s3cret", ""},
		{"COLONY_BLACKBOXES", "1", "COLONY_BLACKBOXES: there is no such variable"},
		{"MY_COLONY_LOG_LEVEL", "debug", ""},
		{"COLONYPATH", "/", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := config.Load("", environment(map[string]string{c.name: c.value}))
			switch {
			case c.want == "" && err != nil:
				t.Error(err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("%v, want %s", err, c.want)
			case err != nil && c.value != "" && len(c.value) > 3 && strings.Contains(err.Error(), c.value):
				t.Errorf("the error shows the value, which may be a secret: %v", err)
			}
		})
	}
	_, err := config.Load("", environment(map[string]string{"COLONY_ONE": "1", "COLONY_TWO": "2"}))
	if err == nil || !strings.Contains(err.Error(), "COLONY_ONE") || !strings.Contains(err.Error(), "COLONY_TWO") {
		t.Errorf("the error does not name all unknown variables: %v", err)
	}
}

func TestDigestsThatAreWrong(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"8", "24:00", "08:00 Mars/Olympus", "08:00 Local", "8 o'clock"} {
		c := runnable()
		c.Notify.Webhooks = []notify.Webhook{{Name: "ops", URL: "https://example.com", Secret: strings.Repeat("s", 32), Digest: at}}
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), "digest") {
			t.Errorf("%s: %v", at, err)
		}
	}
	c, err := config.Load(file(t, "notify: {webhooks: [{name: a, digest: \"08:00 Europe/Berlin\", verdicts: []}, {name: b}]}"), environment(nil))
	if err != nil || c.Notify.Webhooks[0].Verdicts == nil || c.Notify.Webhooks[1].Verdicts != nil || len(c.Notify.Webhooks[0].Verdicts) > 0 {
		t.Errorf("%+v, %v", c.Notify.Webhooks, err)
	}
}

func TestLimitsHaveToFitTheLifecycle(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"naps": `no limit "naps"; there are: "review cycles"`, "review cycles": "0 is not from 1 to 1000"} {
		c := config.Default()
		c.Limits = policy.Limits{name: 0}
		if _, err := c.Settings(); err == nil || !strings.Contains(err.Error(), "limits."+name) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhichHostsAreThisMachine(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]bool{"localhost": true, "LocalHost": true, "::ffff:127.0.0.1": true, "127.0.0.1": true, "::1": true, "10.0.0.1": false, "colony.example.com": false, "": false} {
		if config.IsLoopback(host) != want {
			t.Errorf("%s: %t", host, !want)
		}
	}
}
