package deploy_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/queue"
)

// The fields of a compose file that compose.yml has (https://docs.docker.com/reference/compose-file/). Any other is an error
// here, so that a misspelt one is found; one that is needed is to be added.
type (
	composition struct {
		Name     string                   `yaml:"name"`
		XNats    service                  `yaml:"x-nats"`
		XColony  service                  `yaml:"x-colony"`
		Services map[string]service       `yaml:"services"`
		Configs  map[string]composeConfig `yaml:"configs"`
		Secrets  map[string]composeSecret `yaml:"secrets"`
		Networks map[string]struct {
			Internal bool `yaml:"internal"`
		} `yaml:"networks"`
		Volumes map[string]struct{} `yaml:"volumes"`
	}
	composeConfig struct {
		Content string `yaml:"content"`
	}
	composeSecret struct {
		File string `yaml:"file"`
	}
	service struct {
		Image       string            `yaml:"image"`
		Command     []string          `yaml:"command"`
		Environment map[string]string `yaml:"environment"`
		Configs     []struct {
			Source string `yaml:"source"`
			Target string `yaml:"target"`
			Mode   int    `yaml:"mode"`
		} `yaml:"configs"`
		Secrets         []string      `yaml:"secrets"`
		User            string        `yaml:"user"`
		ReadOnly        bool          `yaml:"read_only"`
		CapDrop         []string      `yaml:"cap_drop"`
		CapAdd          []string      `yaml:"cap_add"`
		SecurityOpt     []string      `yaml:"security_opt"`
		Networks        []string      `yaml:"networks"`
		NetworkMode     string        `yaml:"network_mode"`
		Ports           []string      `yaml:"ports"`
		Volumes         []string      `yaml:"volumes"`
		Restart         string        `yaml:"restart"`
		StopGracePeriod time.Duration `yaml:"stop_grace_period"`
		Healthcheck     struct {
			Test        []string      `yaml:"test"`
			Interval    time.Duration `yaml:"interval"`
			Timeout     time.Duration `yaml:"timeout"`
			Retries     int           `yaml:"retries"`
			StartPeriod time.Duration `yaml:"start_period"`
		} `yaml:"healthcheck"`
		DependsOn any `yaml:"depends_on"`
	}
)

func readComposition(t *testing.T) composition {
	t.Helper()
	var c composition
	decoder := yaml.NewDecoder(strings.NewReader(read(t, "compose.yml")))
	decoder.KnownFields(true)
	if err := decoder.Decode(&c); err != nil {
		t.Fatalf("compose.yml: %v", err)
	}
	return c
}

// called returns the services whose names begin with a word, by name.
func (c composition) called(word string) map[string]service {
	found := maps.Clone(c.Services)
	maps.DeleteFunc(found, func(name string, _ service) bool { return !strings.HasPrefix(name, word+"-") })
	return found
}

func TestComposeServicesMayDoLittle(t *testing.T) {
	t.Parallel()
	c := readComposition(t)
	for name, s := range c.Services {
		isPinned(t, s.Image)
		if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s: read-only %t, without %v, %v", name, s.ReadOnly, s.CapDrop, s.SecurityOpt)
		}
		if name == "folders" { // gives the folders away, without a network
			if s.NetworkMode != "none" || !slices.Equal(s.CapAdd, []string{"CHOWN"}) || s.Command[1] != userOfImage(t) {
				t.Errorf("%s: %+v", name, s)
			}
			continue
		}
		if s.User != userOfImage(t) || len(s.CapAdd) > 0 {
			t.Errorf("%s is the user %q with %v", name, s.User, s.CapAdd)
		}
		if s.Restart == "" {
			t.Errorf("%s stays away once it was killed", name)
		}
		for _, network := range s.Networks {
			if _, ok := c.Networks[network]; !ok {
				t.Errorf("%s: there is no network %s", name, network)
			}
		}
		for _, port := range s.Ports {
			if !strings.HasPrefix(port, "127.0.0.1:") {
				t.Errorf("%s: %s is open to the net without TLS", name, port)
			}
		}
	}
	if !c.Networks["queue"].Internal {
		t.Error("the nodes ask for no password, and reach out")
	}
}

func TestComposeColoniesShareTheQueue(t *testing.T) {
	t.Parallel()
	c := readComposition(t)
	colonies := c.called("colony")
	if len(colonies) != 3 {
		t.Errorf("%d Colonies", len(colonies))
	}
	var addresses []string
	for _, name := range slices.Sorted(maps.Keys(c.called("nats"))) {
		addresses = append(addresses, "nats://"+name+":4222")
	}
	for name, s := range colonies {
		areVariables(t, slices.Collect(maps.Keys(s.Environment)))
		if diff := cmp.Diff(strings.Join(addresses, ","), s.Environment["COLONY_QUEUE_URL"]); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for variable, secret := range map[string]string{
			"COLONY_GITHUB_APP_PRIVATE_KEY_FILE": "private-key", "COLONY_GITHUB_APP_WEBHOOK_SECRET_FILE": "webhook-secret",
		} {
			if s.Environment[variable] != "/run/secrets/"+secret || !slices.Contains(s.Secrets, secret) || c.Secrets[secret].File == "" {
				t.Errorf("%s: %s is %s", name, variable, s.Environment[variable])
			}
		}
		if s.StopGracePeriod <= queue.Drain {
			t.Errorf("%s is killed after %s, but may drain for %s", name, s.StopGracePeriod, queue.Drain)
		}
	}
}

func TestComposeFrontAsksEveryColony(t *testing.T) {
	t.Parallel()
	c := readComposition(t)
	isRoute(t, "/readyz")
	isRoute(t, "/healthz")
	_, port, _ := strings.Cut(config.Default().Server.Address, ":")
	front := c.Configs["front"].Content
	for name := range c.called("colony") {
		if !strings.Contains(front, fmt.Sprintf("server %s %s:%s\n", name, name, port)) {
			t.Errorf("webhooks do not come to %s", name)
		}
	}
	if !strings.Contains(front, "option httpchk GET /readyz\n") {
		t.Error("nobody asks whether a Colony is ready")
	}
	if test := strings.Join(c.Services["front"].Healthcheck.Test, " "); !strings.HasSuffix(test, "/healthz") {
		t.Errorf("the front is asked by %q", test)
	}
}

func TestComposeNodesKeepWhatTheyAcknowledge(t *testing.T) {
	c := readComposition(t)
	found := c.called("nats")
	text := strings.ReplaceAll(c.Configs["nats"].Content, "$$", "$")
	var routes []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		routes = append(routes, "nats://"+name+":6222")
		s := found[name]
		t.Setenv("NODE", s.Environment["NODE"])
		node := readNodeConfig(t, text)
		isDurable(t, node, s.Image)
		if node.ServerName != name || node.Port != 4222 || node.Cluster.Port != 6222 {
			t.Errorf("%s calls itself %s and listens on %d and %d", name, node.ServerName, node.Port, node.Cluster.Port)
		}
		if want := []string{name + ":" + node.StoreDir}; !slices.Equal(s.Volumes, want) {
			t.Errorf("%s keeps its files in %v, not %v", name, s.Volumes, want)
		}
		if _, ok := c.Volumes[name]; !ok {
			t.Errorf("there is no volume %s", name)
		}
		if !slices.ContainsFunc(c.Services["folders"].Volumes, func(v string) bool { return strings.HasPrefix(v, name+":") }) {
			t.Errorf("the volume %s belongs to root", name)
		}
	}
	haveRoutes(t, readNodeConfig(t, text), routes)
}
