package doctor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

func inMode(mode lifecycle.Mode) func(*config.Config) {
	return func(c *config.Config) { c.Mode = mode }
}

// The doctor says in which mode a repository is, who decided that, and what to do to change it.
func TestTheDoctorSaysWhereAModeComesFrom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		server      func(*config.Config)
		own, owners string // the settings files
		want        string
	}{
		"nobody": {
			inMode(""), "", "",
			`mode observe: nobody names a mode, and neither the repository nor its owner has a file for Colony -> for another mode, commit .github/colony.yml with "mode: warn" or "mode: enforce"`,
		},
		"a file that names none": {
			inMode(""), "follow: []\n", "",
			"mode enforce: nobody names a mode, and the repository or its owner has a file for Colony -> for another mode, name a mode in .github/colony.yml of the repository",
		},
		"the repository": {
			inMode(lifecycle.ModeEnforce), "mode: warn\n", "mode: observe\n",
			"mode warn: acme/widgets/.github/colony.yml -> for another mode, change mode in acme/widgets/.github/colony.yml",
		},
		"the owner": {
			inMode(lifecycle.ModeEnforce), "", "mode: warn\n",
			"mode warn: acme/.github/.github/colony.yml -> for another mode, name another in .github/colony.yml of the repository, or change acme/.github/.github/colony.yml",
		},
		"the server": {
			inMode(lifecycle.ModeWarn), "", "",
			"mode warn: mode in the server's configuration -> for another mode, name another in .github/colony.yml of the repository, or change mode in the server's configuration",
		},
		"the ceiling": {
			func(c *config.Config) { c.Mode, c.ModeCeiling = "", lifecycle.ModeWarn }, "mode: enforce\n", "",
			"mode warn: mode_ceiling in the server's configuration, instead of enforce (acme/widgets/.github/colony.yml) -> for another mode, raise mode_ceiling in the server's configuration",
		},
		"exclude": {
			func(c *config.Config) { c.Repositories.Exclude = []string{"acme/*"} }, "mode: enforce\n", "",
			"mode off: repositories.exclude in the server's configuration has it -> for another mode, take it out of repositories.exclude",
		},
		"include": {
			func(c *config.Config) { c.Repositories.Include = []string{"acme/gadgets"} }, "mode: enforce\n", "",
			"mode off: repositories.include in the server's configuration does not have it -> for another mode, add it to repositories.include",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.server)
			if c.owners != "" {
				w.AddRepository("acme", ".github")
				w.Commit(".github", policy.SettingsFile, c.owners)
			}
			if c.own != "" {
				w.Commit("widgets", policy.SettingsFile, c.own)
			}
			w.ResetCalls()
			lines, worst := w.doctor(doctor.Options{Repositories: []string{acme.Widgets}})
			if worst > doctor.Warning {
				t.Errorf("%s: %s", worst, strings.Join(lines, "\n"))
			}
			if want := "ok       repository acme/widgets: " + c.want; !slices.Contains(lines, want) {
				t.Errorf("the doctor does not say\n%s\nbut\n%s", want, strings.Join(lines, "\n"))
			}
			if writes := w.Writes(); len(writes) > 0 {
				t.Errorf("the doctor changes something: %q", writes)
			}
		})
	}
}

// The doctor counts the modes of all repositories of an installation, also of those whose labels it does not examine.
func TestTheDoctorCountsModes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inMode(""), func(c *config.Config) { c.Repositories.Exclude = []string{"acme/part-00[01]"} })
	for n := range 40 {
		name := fmt.Sprintf("part-%03d", n)
		w.AddRepository("acme", name)
		if mode := map[int]string{37: "enforce", 38: "enforce", 39: "warn"}[n]; mode != "" {
			w.Commit(name, policy.SettingsFile, "mode: "+mode+"\n")
		}
	}
	lines, _ := w.doctor(doctor.Options{})
	var got []string
	for _, line := range lines {
		if strings.Contains(line, "repositor") && strings.Contains(line, "installation") {
			got = append(got, line)
		}
	}
	if diff := cmp.Diff([]string{
		"ok       installation N on acme: the first 20 of 41 repositories can be read; Colony writes to none of them",
		"ok       installation N on acme: mode off in 2 repositories, observe in 36 repositories, warn in 1 repository, enforce in 2 repositories -> colony doctor --repo OWNER/NAME says why a repository is in its mode",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, strings.Join(lines, "\n"))
	}
	lines, worst := w.doctor(doctor.Options{Repositories: []string{"acme/gadgets"}})
	if worst != doctor.Problem || !strings.Contains(strings.Join(lines, "\n"), "problem  repository acme/gadgets: the App is not installed on it -> install it there, if there is such a repository: http") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
}
