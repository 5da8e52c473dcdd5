//go:build emulate

package blackbox_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/colony-app/colony/bench/apptest"
)

// emulated is what emulate/server.mjs prints when it is ready.
type emulated struct {
	BaseURL    string `json:"baseUrl"`
	Org        string `json:"org"`
	Repository string `json:"repository"`
	App        struct {
		ID   int64  `json:"id"`
		Slug string `json:"slug"`
	} `json:"app"`
	Tokens map[string]string `json:"tokens"`
}

// startEmulate starts emulate, with webhooks of Colony's App sent to a URL. It ends with the test.
func startEmulate(t *testing.T, webhookURL string) emulated {
	t.Helper()
	key := filepath.Join(t.TempDir(), "colony.private-key.pem")
	if err := os.WriteFile(key, []byte(apptest.PEM(apptest.Key())), 0o600); err != nil {
		t.Fatal(err)
	}
	node := exec.Command("node", "server.mjs", "--private-key", key, "--webhook-url", webhookURL, "--webhook-secret", secret)
	node.Dir, node.Stderr = "emulate", os.Stderr
	stdin, err := node.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := node.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := node.Start(); err != nil {
		t.Fatalf("start emulate (is Node there, and was npm ci run in app/blackbox/emulate?): %v", err)
	}
	t.Cleanup(func() {
		_ = stdin.Close() // it ends when its input does
		if err := node.Wait(); err != nil {
			t.Errorf("emulate ended: %v", err)
		}
	})
	var e emulated
	if err := json.NewDecoder(stdout).Decode(&e); err != nil {
		t.Fatalf("emulate is not ready: %v", err)
	}
	return e
}

func TestEmulate(t *testing.T) {
	t.Parallel()
	way := newProxy(t, secret)
	e := startEmulate(t, way.url+webhookPath)
	who := func(login string) person { return person{login, e.Tokens[login]} }
	playAll(t, &target{
		name: "emulate", apiURL: e.BaseURL + "/", webURL: e.BaseURL, owner: e.Org, repo: filepath.Base(e.Repository),
		app: appOnTarget{id: e.App.ID, slug: e.App.Slug, key: apptest.PEM(apptest.Key()), secret: secret},
		people: map[part]person{
			author: who("rita"), operator: who("olivia"), maintainer: who("ada"), reader: who("rita"), bot: who("dev-bot[bot]"),
		},
		lacks: map[capability]bool{ // emulate/README.md
			enforcedRoles: true, reactions: true, caselessLabels: true, creationEvents: true, viaApp: true, installing: true,
			repositoryList: true, deliveryLog: true, editTimes: true,
		},
		settle: shortSettle, tick: shortTick, deadline: patience,
		mail: way,
	})
}

// A repository is made for the scenarios, the people are let in, and it is gone afterwards. The playground cannot make one.
func TestRepositoryIsMadeAndDeleted(t *testing.T) {
	t.Parallel()
	e := startEmulate(t, "http://127.0.0.1:1")
	tg := &target{
		apiURL: e.BaseURL + "/", owner: e.Org,
		people: map[part]person{
			operator: {"olivia", e.Tokens["olivia"]}, maintainer: {"ada", e.Tokens["ada"]},
			reader: {"rita", e.Tokens["rita"]}, bot: {"dev-bot[bot]", e.Tokens["dev-bot[bot]"]},
		},
	}
	t.Run("made", func(t *testing.T) {
		tg.makeRepository(t)
		made, _, err := tg.as(maintainer).Repositories.Get(ctx, tg.owner, tg.repo)
		if err != nil || !made.GetPrivate() || !strings.HasPrefix(tg.repo, "colony-blackbox-") {
			t.Errorf("%s (private: %v): %v", tg.repo, made.GetPrivate(), err)
		}
		for p, permission := range map[part]string{operator: "push", reader: "pull"} {
			level, _, err := tg.as(maintainer).Repositories.GetPermissionLevel(ctx, tg.owner, tg.repo, tg.people[p].login)
			if err != nil || level.GetPermission() != permission {
				t.Errorf("the %s may %s: %v", p, level.GetPermission(), err)
			}
		}
	})
	if _, _, err := tg.as(maintainer).Repositories.Get(ctx, tg.owner, tg.repo); !isStatus(err, 404) {
		t.Errorf("the repository is still there: %v", err)
	}
}
