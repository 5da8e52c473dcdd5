package labels

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/github/issues"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/policy"
)

func TestAStepInALine(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Step{
		"note    acme/widgets: its mode is warn":              {"acme/widgets", Note, "", "its mode is warn"},
		"create  acme/widgets: colony:new":                    {"acme/widgets", Create, "colony:new", ""},
		"delete  acme/widgets: colony:new, which it had":      {"acme/widgets", Delete, "colony:new", "which it had"},
		`delete  acme/widgets: "a\x1b[31m\x7f", which it had`: {"acme/widgets", Delete, "a\x1b[31m\x7f", "which it had"},
	} {
		if got := s.String(); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	for action, done := range map[Action]string{Create: "created", Repair: "repaired", Rename: "renamed", Swap: "swapped", Delete: "deleted", Keep: "kept", Note: ""} {
		if got := action.Done(); got != done {
			t.Errorf("%s is %q, want %q", action, got, done)
		}
	}
}

func TestWhatIsPrintable(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{"a b é": "a b é", "a\x1fb": `"a\x1fb"`, "a\x7fb": `"a\x7fb"`, "a\nb": `"a\nb"`, "": ""} {
		if got := printable(label); got != want {
			t.Errorf("%q is %s, want %s", label, got, want)
		}
	}
}

func TestHowManyIssues(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]issues.Count{"0 open issues": {}, "1 open issue": {N: 1}, "2 open issues": {N: 2}, "more than 1 open issues": {N: 1, More: true}} {
		if got := counted(c, "open"); got != want {
			t.Errorf("%+v is %q, want %q", c, got, want)
		}
	}
}

func TestHowALabelDiffers(t *testing.T) {
	t.Parallel()
	want := lifecycle.Mark{Label: "colony:new", Color: "c5def5", Description: "New."}
	for says, is := range map[string]lifecycle.Mark{
		"":                                 {Color: "C5DEF5", Description: "New."},
		"colour 000000 instead of c5def5":  {Color: "000000", Description: "New."},
		`description "" instead of "New."`: {Color: "c5def5"},
		`colour 000000 instead of c5def5, description "Old." instead of "New."`: {Color: "000000", Description: "Old."},
	} {
		if got := difference(issues.Differing{Is: is, Want: want}); got != says {
			t.Errorf("got %q, want %q", got, says)
		}
	}
}

func TestWhatIsWell(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		listed   Listed
		enforced bool // well where Colony writes
		observed bool // and where it does not
	}{
		"nothing": {Listed{}, true, true}, "there": {Listed{There: []string{"a"}}, true, true}, "missing": {Listed{Missing: []string{"a"}}, false, true},
		"differing": {Listed{Differing: []Differing{{}}}, false, true}, "left over": {Listed{LeftOver: []LeftOver{{}}}, false, false}, "adopted": {Listed{Adopted: []Adopted{{}}}, false, true},
	} {
		for mode, want := range map[lifecycle.Mode]bool{lifecycle.ModeEnforce: c.enforced, lifecycle.ModeObserve: c.observed} {
			c.listed.Mode = mode
			if got := c.listed.Well(); got != want {
				t.Errorf("%s, in mode %s: %t", name, mode, got)
			}
		}
	}
}

func TestAListForPeople(t *testing.T) {
	t.Parallel()
	l := Listed{
		Repository: "acme/widgets", Lifecycle: "prp", From: "a file", Mode: lifecycle.ModeEnforce,
		There: []string{"a", "b"}, Missing: []string{"colony:new"}, Differing: []Differing{{"colony:done", "colour\x1b"}},
		Adopted: []Adopted{{Label: "old", Now: "New", Open: issues.Count{N: 1}}, {Label: "older", Now: "A", Both: true}},
		LeftOver: []LeftOver{
			{Label: "colony:x", Of: []string{"autoralph", "colony"}, Open: issues.Count{N: 2}, Link: "http://x"}, {Label: "colony:y"}, {Label: "colony:z", Open: issues.Count{N: 1}, Stamped: true},
		},
		Doubts: []string{"a doubt\n"},
	}
	want := `acme/widgets: lifecycle prp, from a file
  there      2 of the 5 labels that it needs
  missing    colony:new
  differs    colony:done: "colour\x1b"
  old name   old, now New: on 1 open issue (colony labels apply takes it over)
  old name   older, now A: on 0 open issues (colony labels apply takes it over)
  left over  colony:x (of lifecycle autoralph, colony): on 2 open issues, http://x
  left over  colony:y: on no open issue
  left over  colony:z: its description says since when Colony judges this repository
  note       "a doubt\n"
`
	if diff := cmp.Diff(want, l.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	observed := Listed{Repository: "acme/widgets", Lifecycle: "prp", From: "a file", Mode: lifecycle.ModeObserve, Missing: []string{"colony:new"}, decided: policy.Decision{By: "nobody", Change: "commit it"}}
	want = `acme/widgets: lifecycle prp, from a file
  there      0 of the 1 labels that it needs
  mode       observe (nobody), so Colony makes no label here -> commit it
`
	if diff := cmp.Diff(want, observed.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhichLifecyclesHaveALabel(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"autoralph", "colony"}, shippedWith("Colony:In-Review")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := shippedWith("colony:nonsense"); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
