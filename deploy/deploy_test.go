// Package deploy_test holds the deployments against the program: names, paths, ports and times are the program's own.
package deploy_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/colony-app/colony/app/config"
)

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// find returns the first group of the first match in a file.
func find(t *testing.T, path, expression string) string {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(read(t, path))
	if found == nil {
		t.Fatalf("%s has no %s", path, expression)
	}
	return found[1]
}

func userOfImage(t *testing.T) string {
	t.Helper()
	return find(t, "../Dockerfile", `(?m)^USER (\d+:\d+)$`)
}

var pinned = regexp.MustCompile(`^[a-z0-9][a-z0-9./-]*:\d+\.\d+\.\d+(-[a-z]+)?$`)

func isPinned(t *testing.T, image string) {
	t.Helper()
	if !pinned.MatchString(image) {
		t.Errorf("the image %q is not pinned to a version", image)
	}
}

// isRoute: Colony answers this path.
func isRoute(t *testing.T, path string) {
	t.Helper()
	if !strings.Contains(read(t, "../app/routes.go"), `"GET `+path+`"`) {
		t.Errorf("app/routes.go has no GET %s", path)
	}
}

func areVariables(t *testing.T, names []string) {
	t.Helper()
	for _, name := range names {
		if strings.HasPrefix(name, "GO") { // of Go's runtime: https://pkg.go.dev/runtime
			continue
		}
		if !slices.Contains(config.EnvironmentVariables(), name) {
			t.Errorf("Colony does not read %s", name)
		}
	}
}

// readNodeConfig reads a node's configuration as the node does.
func readNodeConfig(t *testing.T, text string) *server.Options {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	node, err := server.ProcessConfigFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return node
}

// isDurable: what the node acknowledges is on its disk, and the disk holds what Colony keeps.
func isDurable(t *testing.T, node *server.Options, image string) {
	t.Helper()
	if !node.JetStream || !node.SyncAlways {
		t.Errorf("JetStream %t, synced always %t", node.JetStream, node.SyncAlways)
	}
	// The tasks, and a quarter of it each for delayed ones and dead letters.
	if most := config.Default().Queue.MaxBytes * 3 / 2; node.JetStreamMaxStore < most {
		t.Errorf("the node keeps at most %d bytes, Colony needs %d", node.JetStreamMaxStore, most)
	}
	if want := "nats:" + find(t, "../go.mod", `nats-server/v2 v(\S+)`) + "-scratch"; image != want {
		t.Errorf("the image is %s; Colony is tested with %s", image, want)
	}
}

func haveRoutes(t *testing.T, node *server.Options, want []string) {
	t.Helper()
	var routes []string
	for _, r := range node.Routes {
		routes = append(routes, r.String())
	}
	if diff := cmp.Diff(want, routes); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
	if len(routes) < 3 {
		t.Error("three copies of each stream need three nodes")
	}
}
