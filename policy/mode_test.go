package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func TestTheNearestModeHoldsUpToTheCeiling(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mode Mode
		want lifecycle.Mode
	}{
		"nobody says anything":          {Mode{Ceiling: "enforce"}, "observe"},
		"somebody asked":                {Mode{Ceiling: "enforce", Asked: true}, "enforce"},
		"named":                         {Mode{Named: "warn", Ceiling: "enforce", Asked: true}, "warn"},
		"named without a file":          {Mode{Named: "enforce", Ceiling: "enforce"}, "enforce"},
		"capped":                        {Mode{Named: "enforce", Ceiling: "warn"}, "warn"},
		"asked and capped":              {Mode{Ceiling: "observe", Asked: true}, "observe"},
		"off stays below every ceiling": {Mode{Named: "off", Ceiling: "warn"}, "off"},
		"without a ceiling":             {Mode{Named: "enforce"}, "enforce"},
	} {
		if got, by := test.mode.Effective(); got != test.want || by == "" && test.mode.Named == "" {
			t.Errorf("%s: %s by %q instead of %s", name, got, by, test.want)
		}
	}
}

func TestAModeIsReadFromAFile(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range lifecycle.Modes {
		c, err := setting{below: life}.read([]byte("mode: " + string(mode) + "\n"))
		if err != nil || c.mode != mode {
			t.Errorf("mode: %s is read as %q: %v", mode, c.mode, err)
		}
		a, says := c.over(Automation{Mode: Mode{Named: "warn", By: "below"}}, "the file")
		if diff := cmp.Diff(Mode{Named: mode, By: "the file"}, a.Mode); diff != "" || !says {
			t.Errorf("mode: %s (-want +got):\n%s", mode, diff)
		}
	}
	if _, err := (setting{below: life}).read([]byte("mode: enforced\n")); err == nil || err.Error() == "" {
		t.Error("a mode that is none was taken")
	}
}

func TestOnlyEnforcingKeepsTheFingerprintFromBeforeThereWereModes(t *testing.T) {
	t.Parallel()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	before := New(life, nil, "").Fingerprint
	seen := map[string]lifecycle.Mode{}
	for _, mode := range lifecycle.Modes {
		p := New(life, nil, "").Automate(Automation{Close: true, Follow: DefaultFollow(), Mode: Mode{Named: mode}})
		if p.Mode != mode {
			t.Errorf("%s became %s", mode, p.Mode)
		}
		if other, there := seen[p.Fingerprint]; there {
			t.Errorf("%s and %s have the same fingerprint", mode, other)
		}
		seen[p.Fingerprint] = mode
	}
	if seen[before] != lifecycle.ModeEnforce {
		t.Error("the fingerprint of an enforcing repository changed")
	}
}

func TestASelectionHasWhatIsIncludedAndNotExcluded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		s    Selection
		want bool
	}{
		"everything":         {Selection{}, true},
		"included":           {Selection{Include: []string{"ACME/w*"}}, true},
		"not included":       {Selection{Include: []string{"acme/x*", "other/*"}}, false},
		"excluded":           {Selection{Exclude: []string{"*/Widgets"}}, false},
		"exclusion wins":     {Selection{Include: []string{"acme/widgets"}, Exclude: []string{"acme/*"}}, false},
		"others are not":     {Selection{Exclude: []string{"acme/gadgets"}}, true},
		"a star has no dash": {Selection{Include: []string{"*"}}, false},
	} {
		if got := test.s.Has("acme", "widgets"); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	for _, bad := range []string{"", "acme", "acme/", "/x", "a/b/c", "acme/[", " acme/x"} {
		if PatternMisfit(bad) == "" {
			t.Errorf("%q passes for a pattern", bad)
		}
	}
	if why := PatternMisfit("acme/web-*"); why != "" {
		t.Error(why)
	}
}
