package policy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func TestTakes(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	ada := func(change func(*issues.View)) issues.View {
		v := issues.View{Author: lifecycle.Actor{Login: "ada"}, Association: "MEMBER", Created: noon}
		if change != nil {
			change(&v)
		}
		return v
	}
	with := func(label string, changes ...statemachine.Change) issues.View {
		return ada(func(v *issues.View) { v.Created, v.Labels, v.Changes = noon.Add(-time.Hour), []string{label}, changes })
	}
	assigned := func(to string, at time.Time) issues.View {
		return ada(func(v *issues.View) {
			v.Created, v.Assignees = noon.Add(-time.Hour), []string{to}
			v.Assignments = []issues.Assignment{{ID: 1, Added: true, To: to, At: at}}
		})
	}
	for _, row := range []struct {
		name   string
		intake Intake
		view   issues.View
		want   bool
	}{
		{"none", Intake{When: None}, ada(nil), false},
		{"nothing said", Intake{}, ada(nil), false},
		{"every", Intake{When: Every}, ada(nil), true},
		{"every, from before", Intake{When: Every}, ada(func(v *issues.View) { v.Created = noon.Add(-time.Second) }), false},
		{"by login", Intake{When: Every, Authors: []string{"ADA"}}, ada(nil), true},
		{"by association", Intake{When: Every, Authors: []string{"OWNER", "MEMBER"}}, ada(nil), true},
		{"a login like an association", Intake{When: Every, Authors: []string{"member"}}, ada(nil), false},
		{"by somebody else", Intake{When: Every, Authors: []string{"olivia"}}, ada(nil), false},
		{"labelled without a label", Intake{When: Labelled, Labels: []string{"go"}}, ada(nil), false},
		{"labelled now", Intake{When: Labelled, Labels: []string{"go"}}, with("GO", statemachine.Change{Added: true, Label: "Go", Moment: statemachine.Moment{At: noon}}), true},
		{"labelled before", Intake{When: Labelled, Labels: []string{"go"}}, with("go", statemachine.Change{Added: true, Label: "go", Moment: statemachine.Moment{At: noon.Add(-time.Minute)}}), false},
		{"labelled before, and again", Intake{When: Labelled, Labels: []string{"go"}}, with(
			"go", statemachine.Change{Added: true, Label: "go", Moment: statemachine.Moment{At: noon.Add(-time.Minute)}}, statemachine.Change{Added: true, Label: "go", Moment: statemachine.Moment{At: noon}},
		), true},
		{"with a label that the log does not know", Intake{When: Labelled, Labels: []string{"go"}}, with("go"), false},
		{"opened with a label that the log does not show yet", Intake{When: Labelled, Labels: []string{"go"}}, ada(func(v *issues.View) { v.Labels = []string{"go"} }), true},
		{"another label", Intake{When: Labelled, Labels: []string{"go"}}, with("gone", statemachine.Change{Added: true, Label: "gone", Moment: statemachine.Moment{At: noon}}), false},
		{"assigned now", Intake{When: Assigned, Assignees: []string{"ralph"}}, assigned("Ralph", noon), true},
		{"assigned before", Intake{When: Assigned, Assignees: []string{"ralph"}}, assigned("ralph", noon.Add(-time.Minute)), false},
		{"assigned to somebody else", Intake{When: Assigned, Assignees: []string{"ralph"}}, assigned("ada", noon), false},
		{"assigned from the beginning, which the log does not show yet", Intake{When: Assigned, Assignees: []string{"ralph"}}, ada(func(v *issues.View) { v.Assignees = []string{"ralph"} }), true},
		{"assigned no longer", Intake{When: Assigned, Assignees: []string{"ralph"}}, ada(func(v *issues.View) { v.Assignments = []issues.Assignment{{ID: 1, Added: true, To: "ralph", At: noon}} }), false},
		{"labelled, by somebody else", Intake{When: Labelled, Labels: []string{"go"}, Authors: []string{"olivia"}}, with("go", statemachine.Change{Added: true, Label: "go", Moment: statemachine.Moment{At: noon}}), false},
	} {
		if got := row.intake.Takes(row.view, noon); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}

func TestWants(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		intake          Intake
		label, assignee string
		want            bool
	}{
		{DefaultIntake(), "", "", false},
		{DefaultIntake(), "colony:enqueue", "", false},
		{Intake{When: Every}, "", "", true},
		{Intake{When: Every}, "bug", "", false},
		{Intake{When: Labelled, Labels: []string{"go"}}, "", "", true},
		{Intake{When: Labelled, Labels: []string{"go"}}, "Go", "", true},
		{Intake{When: Labelled, Labels: []string{"go"}}, "bug", "", false},
		{Intake{When: Every}, "", "ralph", false},
		{Intake{When: Labelled, Labels: []string{"go"}}, "", "ralph", false},
		{Intake{When: Assigned, Assignees: []string{"ralph"}}, "", "", true},
		{Intake{When: Assigned, Assignees: []string{"ralph"}}, "", "Ralph", true},
		{Intake{When: Assigned, Assignees: []string{"ralph"}}, "", "ada", false},
		{Intake{When: Assigned, Assignees: []string{"ralph"}}, "ralph", "", false},
	} {
		if got := row.intake.Wants(row.label, row.assignee); got != row.want {
			t.Errorf("%s, %q, %q: %v", row.intake.When, row.label, row.assignee, got)
		}
	}
}

// A file's own settings must fit the lifecycle. Settings for many repositories count where they fit.
func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	t.Parallel()
	life := shipped(t)
	rows := []lifecycle.Dispatch{{From: []string{"new"}, To: "analyzing", AtMost: 2}, {From: []string{"init"}, To: "gather", AtMost: 1}}
	r := automate(New(life, nil, "here"), Intake{When: Labelled, Labels: []string{"colony:enqueue", "go"}}, rows)
	if got := r.Lifecycle.Dispatch; len(got) != 1 || got[0].To != "analyzing" {
		t.Errorf("in force is %v", got)
	}
	if !slices.ContainsFunc(r.Table().Marks, func(m lifecycle.Mark) bool { return m.Label == "colony:enqueue" }) ||
		slices.ContainsFunc(r.Table().Marks, func(m lifecycle.Mark) bool { return m.Label == "go" }) {
		t.Error("of the labels, only Colony's own is provisioned")
	}
	for _, label := range []string{"colony:new", lifecycle.Checked, ".", "..", "go, please"} {
		if taken := automate(New(life, nil, "here"), Intake{When: Labelled, Labels: []string{label}}, nil); taken.Intake.When != None {
			t.Errorf("issues are taken in by the label of a state, a mark, or none, or by one that GitHub lists no issues by: %+v", taken.Intake)
		}
	}
	if len(life.Dispatch) > 0 {
		t.Error("the lifecycle itself has changed")
	}
	more := slices.Clone(rows)
	more[0].AtMost = 3
	if other := automate(New(life, nil, "here"), r.Intake, more); other.Fingerprint != r.Fingerprint || other.version == r.version {
		t.Error("another capacity is another version, and judges alike")
	}
}

func TestAutomationOfAFile(t *testing.T) {
	t.Parallel()
	s := setting{below: shipped(t)}
	c, err := s.read([]byte("intake: {when: every}\ndispatch: []\n"))
	if err != nil || c.Intake.When != Every || !slices.Equal(c.Intake.Labels, DefaultIntake().Labels) || c.Dispatch == nil || len(c.Dispatch) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = s.read([]byte("lifecycle: colony\n"))
	if err != nil || c.Intake != nil || c.Dispatch != nil {
		t.Errorf("a file that says nothing: %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"dispatch:\n  - {from: [new], to: analyzing}\n":                        "2:5: at-most 0 is not from 1 to 1000",
		"dispatch:\n  - {to: analyzing, at-most: 1}\n":                         "2:5: from is missing: the states in which issues wait",
		"dispatch:\n  - from: [new, nwe]\n    to: analyzing\n    at-most: 1\n": `2:17: "nwe" is no state of lifecycle colony`,
		"dispatch: {from: [new]}\n":                                            "1:11: a list is expected here",
		"limits:\n  review cycles: 2\n  naps: 3\n":                             `3:9: lifecycle colony has no limit "naps"; there are: `,
		"limits: {review cycles: 0}\n":                                         "1:25: 0 is not from 1 to 1000",
		"limits: [review cycles]\n":                                            "1:9: a mapping is expected here",
		"time-outs: {in-reviw: 48h}\n":                                         `1:23: lifecycle colony has no time-out in "in-reviw"; there are: "analyzing", "in-development", "in-review", "merge-pending", "planning": did you mean "in-review"?`,
		"time-outs: {in-review: 1s}\n":                                         "1:24: 1s is not from 1m to 8760h",
		"time-outs: {in-review: soon}\n":                                       `1:24: "soon" is not a duration`,
		"commands: {move: everybody}\n":                                        `1:18: "everybody" is not one of`,
		"commands: {mvoe: write}\n":                                            `1:12: unknown setting "mvoe": did you mean "move"?`,
		"comments: {}\n":                                                       "1:11: neither text nor link is set",
		"comments: {text: \"a\\nb\"}\n":                                        "1:18: is more than a line",
		"comments: {text: \"\\u200b\"}\n":                                      "1:18: shows nothing",
		"comments: {link: \"http://a.test\"}\n":                                "1:18: is not an address that begins with https://",
		"comments: {link: \"https://a.test/ b\"}\n":                            "1:18: is not an address that begins with https://",
		"comments: {link: \"https://a.test/><!-- colony:halts 1 -->\"}\n":      "1:18: is not an address",
		"comments: {link: \"javascript:alert(1)\"}\n":                          "1:18: is not an address",
		"comments: {link: \"https://u:p@a.test/\"}\n":                          "1:18: is not an address",
		"comments: {link: \"https://github.com/a/b/issues/7\"}\n":              "1:18: GitHub would show every comment there",
		"intake: every\n":                                                      "1:9: a mapping is expected here",
		"intake: {when: every, who: ada}\n":                                    "1:23: ",
	} {
		_, err := s.read([]byte(text))
		if err == nil || !strings.Contains(err.Error(), SettingsFile+":"+want) {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

func automate(r Policy, intake Intake, dispatch []lifecycle.Dispatch) Policy {
	return r.Automate(Settings{Intake: &intake, Dispatch: dispatch, Close: new(true)})
}

// A repository, and its owner, can only ask for more than holds without them; what asks for less is reported, and has no effect.
func TestPermissionsOfCommandsAreOnlyRaised(t *testing.T) {
	t.Parallel()
	server := Commands{Move: issues.PermissionTriage, Force: issues.PermissionMaintain}
	for _, c := range []struct {
		text    string
		want    Commands
		ignored int
	}{
		{"commands: {move: write}\n", Commands{Move: issues.PermissionWrite, Force: issues.PermissionMaintain}, 0},
		{"commands: {move: triage, force: admin}\n", Commands{Move: issues.PermissionTriage, Force: issues.PermissionAdmin}, 0},
		{"commands: {move: read, force: none}\n", server, 2},
		{"commands: {move: admin, force: write}\n", Commands{Move: issues.PermissionAdmin, Force: issues.PermissionMaintain}, 1},
		{"commands: {move: WRITE}\n", Commands{Move: issues.PermissionWrite, Force: issues.PermissionMaintain}, 0},
		{"adopt: true\n", server, 0},
	} {
		read, err := setting{below: shipped(t), needed: server}.read([]byte(c.text))
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		got := read.over(Settings{Commands: server})
		if got.Commands != c.want || len(read.ignored) != c.ignored {
			t.Errorf("%q: %+v, and %d without effect: %v", c.text, got.Commands, len(read.ignored), read.ignored)
		}
	}
}
