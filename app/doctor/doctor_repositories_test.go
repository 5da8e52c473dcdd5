package doctor_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/doctor"
	"github.com/colony-app/colony/app/permissions"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/bench/acme/byhand"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/playground"
	"github.com/colony-app/colony/policy"
)

// says checks that the doctor says something, and how bad the worst is of all that it says.
func (w *world) says(worst doctor.Severity, finding string) {
	w.t.Helper()
	if lines, is := w.doctor(doctor.Options{}); !slices.Contains(lines, finding) || is != worst {
		w.t.Errorf("the doctor does not say\n%s\nbut, %s:\n%s", finding, is, strings.Join(lines, "\n"))
	}
}

func TestTheDoctorFindsLabelsOfAnotherLifecycle(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Commit("widgets", policy.SettingsFile, "lifecycle: prp\n")
	byhand.New(t, w.GitHub)
	w.says(doctor.Warning, `warning  repository acme/widgets: 15 labels are left over from another lifecycle: prp is in force and does not use colony:analyzing, `+
		`colony:changes-requested, colony:dependency-blocked, colony:done, colony:failure-blocked and 10 more -> `+
		`colony labels prune --repo acme/widgets deletes those that no open issue carries`)
}

func TestTheDoctorFindsLabelsUnderEarlierNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.HadIssues(0)
	for _, state := range []string{"in-review", "done"} {
		w.MakeLabel(acme.NameOf(state), "Made by hand.")
	}
	w.Commit("widgets", policy.LifecycleFile, w.AdoptingLifecycle())
	w.says(doctor.Warning, "warning  repository acme/widgets: 15 labels are under names of before: status: new (now New), status: planning (now Planning), "+
		"status: analyzing (now Analyzing), status: needs clarification (now Needs clarification), status: ready for dev (now Ready for dev) and 10 more -> "+
		"colony labels apply --repo acme/widgets takes them over; with --dry-run it prints the plan")
}

// A repository that opted in needs its labels now, and another one none but that with the stamp.
func TestTheDoctorFindsLabelsThatAreMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.AddRepository("acme", "gears")
	named := doctor.Options{Repositories: []string{"acme/widgets", "acme/gears"}}
	lacking := func() (says []string) {
		lines, _ := w.doctor(named)
		for _, line := range lines {
			if m := regexp.MustCompile(`repository (\S+: it .*labels?)\b`).FindStringSubmatch(line); m != nil {
				says = append(says, m[1])
			}
		}
		return says
	}
	if got := lacking(); !slices.Equal(got, []string{"acme/widgets: it has all labels", "acme/gears: it lacks 17 labels"}) {
		t.Errorf("the doctor says %q", got)
	}
	w.says(doctor.Warning, "warning  installation N on acme: of 2 repositories, these lack labels: acme/gears (17) -> a running Colony makes them at the next event or sweep")
	_, err := w.As("olivia").Issues.DeleteLabel(t.Context(), "acme", "widgets", "colony:new")
	w.Must(err)
	if got := lacking(); got[0] != "acme/widgets: it has all labels" {
		t.Errorf("of a repository that did not opt in the doctor says %q", got)
	}
	w.Commit("widgets", policy.SettingsFile, "close: true\n")
	if got := lacking(); got[0] != "acme/widgets: it lacks 1 label" {
		t.Errorf("of a repository that opted in the doctor says %q", got)
	}
}

func TestTheDoctorNamesARepositoryThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for path, want := range map[string]string{
		"/repos/acme/widgets$":        "problem  repository acme/widgets: cannot be read: ",
		"/repos/acme/widgets/labels$": "problem  repository acme/widgets: cannot be read: ",
		"/installation$":              "problem  repository acme/widgets: find the App's installation on acme/widgets: GET http://HOST/api/v3/repos/acme/widgets/installation: 502",
	} {
		cancel := w.Fault(playground.Fault{Kind: playground.FaultStatus, Status: http.StatusBadGateway, Path: regexp.MustCompile(path)})
		lines, worst := w.doctor(doctor.Options{Repositories: []string{acme.Widgets}})
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) }) || worst != doctor.Problem {
			t.Errorf("%s: the doctor does not say %q but\n%s", path, want, strings.Join(lines, "\n"))
		}
		cancel()
	}
}

// The doctor names the teams that guards ask about and that cannot be read.
func TestDoctorOfTeams(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Must(w.SetInstallationPermissions(w.Installation, permissions.All(permissions.Teams)))
	w.Must(w.AddTeam("acme", "leads", "mona"))
	text, err := lifecycle.ShippedFile("colony")
	w.Must(err)
	before, rest, _ := strings.Cut(string(text), "\nguards:\n")
	_, after, _ := strings.Cut(rest, "\n\n")
	w.Commit("widgets", policy.LifecycleFile, before+`
guards:
  - name: leads-approve
    why: A lead has to approve.
    from: in-review
    to: human-review-ready
    requires:
      - team: acme/leads

`+after)
	tells := func(want string) {
		t.Helper()
		lines, _ := w.doctor(doctor.Options{})
		var told string
		for _, line := range lines {
			if strings.Contains(line, "who is in a team") {
				told += line
			}
		}
		if told != want {
			t.Errorf("the doctor says %q, want %q:\n%s", told, want, strings.Join(lines, "\n"))
		}
	}
	const asks = "problem  repository acme/widgets: a guard of the lifecycle colony asks who is in a team: cannot read team @acme/leads: "
	tells("")
	w.Must(w.RenameTeam("acme", "leads", "heads"))
	tells(asks + "there is no such team: it was deleted or renamed, or Colony cannot see it -> write the team's name into the lifecycle as its address has it")
	w.Must(w.SetInstallationPermissions(w.Installation, permissions.All()))
	tells(asks + `the App has no permission "Members: read" -> give the App Members: read-only: ` + permissions.AtTheApp)
}
