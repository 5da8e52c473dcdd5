package policy

import (
	"testing"

	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func TestTheNearestModeHoldsUpToTheCeiling(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		says Settings
		want lifecycle.Mode
	}{
		"nobody says anything":          {Settings{ModeCeiling: "enforce"}, "observe"},
		"somebody asked":                {Settings{ModeCeiling: "enforce", Asked: true}, "enforce"},
		"named":                         {Settings{Mode: "warn", ModeCeiling: "enforce", Asked: true}, "warn"},
		"named without a file":          {Settings{Mode: "enforce", ModeCeiling: "enforce"}, "enforce"},
		"capped":                        {Settings{Mode: "enforce", ModeCeiling: "warn"}, "warn"},
		"asked and capped":              {Settings{ModeCeiling: "observe", Asked: true}, "observe"},
		"off stays below every ceiling": {Settings{Mode: "off", ModeCeiling: "warn"}, "off"},
		"without a ceiling":             {Settings{Mode: "enforce"}, "enforce"},
	} {
		if got, by := test.says.effectiveMode(); got != test.want || by == "" && test.says.Mode == "" {
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
		if err != nil || c.Mode != mode {
			t.Errorf("mode: %s is read as %q: %v", mode, c.Mode, err)
		}
		if got := c.over(Settings{Mode: "warn"}); got.Mode != mode {
			t.Errorf("mode: %s is %s over warn", mode, got.Mode)
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
		p := New(life, nil, "").Automate(Settings{Close: new(true), Follow: lifecycle.EveryReading(), Mode: mode})
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
