// Package config is the configuration of "colony serve": the file, the environment, the defaults, and what must hold of them.
package config

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/palantir/go-githubapp/githubapp"

	"github.com/colony-app/colony/app/notify"
	"github.com/colony-app/colony/app/queue"
	"github.com/colony-app/colony/bounded"
	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/github/ratelimit"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
	"github.com/colony-app/colony/reconcile"
	"github.com/colony-app/colony/statemachine"
)

// Config is the configuration of `colony serve`: the file config.yml, which explains every setting, overridden by the environment.
type Config struct {
	Server       ServerConfig         `yaml:"server"`
	GitHub       GitHubConfig         `yaml:"github"`
	API          APIConfig            `yaml:"api"`
	Board        BoardConfig          `yaml:"board"`
	Queue        QueueConfig          `yaml:"queue"`
	Log          LogConfig            `yaml:"log"`
	Lifecycle    string               `yaml:"lifecycle"`
	Executors    policy.Executors     `yaml:"executors"`
	Intake       policy.Intake        `yaml:"intake"`
	Dispatch     []lifecycle.Dispatch `yaml:"dispatch"`
	Follow       policy.Follow        `yaml:"follow"`
	Limits       policy.Limits        `yaml:"limits"`
	Close        bool                 `yaml:"close"`
	Adopt        bool                 `yaml:"adopt"`
	Mode         lifecycle.Mode       `yaml:"mode"`
	ModeCeiling  lifecycle.Mode       `yaml:"mode_ceiling"`
	Repositories policy.Selection     `yaml:"repositories"`
	Identities   IdentitiesConfig     `yaml:"identities"`
	Commands     policy.Commands      `yaml:"commands"`
	Judging      JudgingConfig        `yaml:"judging"`
	Breaker      BreakerConfig        `yaml:"breaker"`
	Sweep        SweepConfig          `yaml:"sweep"`
	PullRequests PullRequestsConfig   `yaml:"pull_requests"`
	Notify       NotifyConfig         `yaml:"notify"`
}

// ServerConfig says where webhooks are received.
type ServerConfig struct {
	Address        string   `yaml:"address"`
	AdminToken     string   `yaml:"admin_token"`
	AdminTokenFile string   `yaml:"admin_token_file"`
	TrustedProxies []string `yaml:"trusted_proxies"`
}

// Proxies returns the networks of the trusted proxies. It leaves out what Validate refuses.
func (c ServerConfig) Proxies() (networks []netip.Prefix) {
	for _, text := range c.TrustedProxies {
		if network, err := netip.ParsePrefix(text); err == nil {
			networks = append(networks, network)
		}
	}
	return networks
}

// APIConfig is about the JSON API.
type APIConfig struct {
	Enabled bool `yaml:"enabled"`
}

// BoardConfig is about the pages of the board.
type BoardConfig struct {
	Enabled bool   `yaml:"enabled"`
	URL     string `yaml:"url"`
}

// GitHubConfig says which GitHub, and which App on it. The names are go-githubapp's.
type GitHubConfig struct {
	WebURL   string `yaml:"web_url"`
	V3APIURL string `yaml:"v3_api_url"`
	App      struct {
		IntegrationID     int64  `yaml:"integration_id"`
		WebhookSecret     string `yaml:"webhook_secret"`
		WebhookSecretFile string `yaml:"webhook_secret_file"`
		PrivateKey        string `yaml:"private_key"`
		PrivateKeyFile    string `yaml:"private_key_file"`
	} `yaml:"app"`
	// OAuth is with what people sign in to the board: the App's client.
	OAuth struct {
		ClientID         string `yaml:"client_id"`
		ClientSecret     string `yaml:"client_secret"`
		ClientSecretFile string `yaml:"client_secret_file"`
	} `yaml:"oauth"`
	Budget ratelimit.Settings `yaml:"budget"`
}

// QueueConfig says where tasks are kept until they are done.
type QueueConfig struct {
	Dir         string `yaml:"dir"`
	URL         string `yaml:"url"`
	Concurrency int    `yaml:"concurrency"`
	MaxBytes    int64  `yaml:"max_bytes"`
}

// LogConfig says what is logged and how.
type LogConfig struct {
	Level  string `yaml:"level"`
	Format string `yaml:"format"`
}

// IdentitiesConfig lists the logins under which Colony wrote before it had its present one.
type IdentitiesConfig struct {
	Former []string `yaml:"former"`
}

// JudgingConfig holds the times that judging depends on. No file sets what depends on GitHub alone.
type JudgingConfig struct {
	Settle  time.Duration `yaml:"settle"`
	Horizon time.Duration `yaml:"horizon"`

	Lag         time.Duration `yaml:"-"`
	LagWait     time.Duration `yaml:"-"`
	LagAttempts int           `yaml:"-"`
}

// BreakerConfig says when Colony stops reverting on an issue.
type BreakerConfig struct {
	Rejections int           `yaml:"rejections"`
	Window     time.Duration `yaml:"window"`
}

// PullRequestsConfig says how pull requests are found in addition to what GitHub links.
type PullRequestsConfig struct {
	Branches []string `yaml:"branches"`
}

// NotifyConfig says whom Colony notifies of its verdicts, in addition to the people on the issues.
type NotifyConfig struct {
	Webhooks []notify.Webhook `yaml:"webhooks"`
}

// SweepConfig says how Colony looks for what no webhook reported.
type SweepConfig struct {
	// Interval is jittered by a tenth and shared by replicas.
	Interval    time.Duration `yaml:"interval"`
	MaxRefusals int           `yaml:"max_refusals"`
	// Watch is how many issues that no one changed one sweep of a repository checks, because something else can move them; 0 means none.
	Watch int `yaml:"-"`
}

// Default returns the settings that hold where neither file nor environment say anything.
func Default() Config {
	var c Config
	c.Server = ServerConfig{Address: ":8080"}
	c.GitHub.WebURL = "https://github.com"
	c.GitHub.V3APIURL = "https://api.github.com/"
	c.GitHub.Budget = ratelimit.Share(ratelimit.GitHubPoints)
	c.Queue = QueueConfig{Dir: "data/queue", Concurrency: queue.DefaultConcurrency, MaxBytes: 1 << 30}
	c.Log = LogConfig{Level: "info", Format: "json"}
	c.Lifecycle = "colony"
	c.Intake = policy.DefaultIntake()
	c.Follow, c.Close = policy.DefaultFollow(), true
	c.ModeCeiling = lifecycle.ModeEnforce
	c.Commands = policy.Commands{Move: issues.PermissionTriage, Force: issues.PermissionMaintain}
	c.Judging = JudgingConfig{
		Settle: 2 * time.Second, Lag: 10 * time.Second,
		LagWait: 500 * time.Millisecond, LagAttempts: 11, Horizon: 72 * time.Hour,
	}
	c.Breaker = BreakerConfig{Rejections: 5, Window: 30 * time.Minute}
	c.PullRequests = PullRequestsConfig{Branches: slices.Clone(issues.DefaultBranches)}
	c.Sweep = SweepConfig{Interval: 10 * time.Minute, MaxRefusals: 5, Watch: 50}
	return c
}

// Load reads the defaults, then the file, then the environment as os.Environ returns it; each overrides what was before
// it. An empty path means no file. Unknown settings are errors that name their line, and so are unknown variables with Colony's
// prefix.
func Load(path string, environment []string) (Config, error) {
	c := Default()
	if path != "" {
		text, err := bounded.File(path, lifecycle.MaxFile)
		if err != nil {
			return c, fmt.Errorf("read the configuration: %w -> correct the path that --config names, shorten the file, or let Colony's user read it", err)
		}
		if problems, _ := readFile(path, text, &c); len(problems) > 0 {
			return c, fmt.Errorf("read the configuration:\n%w\n-> correct the file; \"colony lint --kind server %s\" checks it without starting Colony", &lifecycle.FileError{Problems: problems}, path)
		}
	}
	if err := readEnvironment(&c, environment); err != nil {
		return c, err
	}
	c.GitHub.Budget = ratelimit.Share(c.GitHub.Budget.Points)
	err := readSecretFiles(&c)
	return c, err
}

// Settings turns the settings about judging into those of a reconciliation.
func (c Config) Settings() (reconcile.Settings, error) {
	life, err := c.lifecycle()
	if err != nil {
		return reconcile.Settings{}, err
	}
	move, err := issues.ParsePermission(string(c.Commands.Move))
	if err != nil {
		return reconcile.Settings{}, wrong("commands.move", doChoose, "%v", err)
	}
	force, err := issues.ParsePermission(string(c.Commands.Force))
	if err != nil {
		return reconcile.Settings{}, wrong("commands.force", doChoose, "%v", err)
	}
	return reconcile.Settings{
		Policy: policy.Policy{Lifecycle: life, Commands: policy.Commands{Move: move, Force: force}},
		Thresholds: statemachine.Thresholds{
			Settle: c.Judging.Settle, Lag: c.Judging.Lag,
			BreakerRejections: c.Breaker.Rejections, BreakerWindow: c.Breaker.Window,
		},
		Horizon:  c.Judging.Horizon,
		Patience: reconcile.Patience{LagAttempts: c.Judging.LagAttempts, LagWait: c.Judging.LagWait},
	}, nil
}

// ServerConfiguration is where rules come from that no repository chose.
const ServerConfiguration = "the server's configuration"

// ServerPolicy are in force where neither a repository nor its owner says otherwise.
func (c Config) ServerPolicy(life *statemachine.Table) policy.Policy {
	settings := c.everywhere()
	settings.Mode, settings.ModeBy, settings.ModeCeiling = c.Mode, "mode in "+ServerConfiguration, c.ModeCeiling
	settings.Commands = c.Commands.Lower()
	return policy.New(life, c.Executors.Logins, ServerConfiguration).Automate(settings)
}

// everywhere is what the server says of repositories and a lifecycle has to fit.
func (c Config) everywhere() policy.Settings {
	return policy.Settings{Intake: &c.Intake, Dispatch: c.Dispatch, Follow: c.Follow, Limits: c.Limits, Close: &c.Close, Adopt: &c.Adopt}
}

func (c Config) lifecycle() (*statemachine.Table, error) {
	life, err := statemachine.Shipped(c.Lifecycle)
	if err != nil {
		return nil, wrong("lifecycle", doChoose, "%v", err)
	}
	life, wrong := c.Executors.Widened(life)
	var misfits []error
	for _, p := range append(wrong, c.everywhere().Problems(life)...) {
		misfits = append(misfits, SettingError{Path: p.Path, Says: p.Message, Do: seeLifecycle(life)})
	}
	return life, errors.Join(misfits...)
}

// seeLifecycle says where to find what fits a lifecycle.
func seeLifecycle(life *statemachine.Table) string {
	return fmt.Sprintf(`correct it; "colony lifecycle %s" prints its states, roles and limits`, life.Name)
}

// GitHubApp renders the settings for go-githubapp.
func (c Config) GitHubApp() githubapp.Config {
	var g githubapp.Config
	g.WebURL, g.V3APIURL = c.GitHub.WebURL, c.GitHub.V3APIURL
	g.App.IntegrationID = c.GitHub.App.IntegrationID
	g.App.WebhookSecret = c.GitHub.App.WebhookSecret
	g.App.PrivateKey = c.GitHub.App.PrivateKey
	return g
}
