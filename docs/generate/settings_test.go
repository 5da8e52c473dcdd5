package main

import (
	"testing"

	"github.com/colony-app/colony/policy"
)

// Readers copy the settings that the pages show: colony lint finds nothing in them.
func TestSettingsOfThePagesAreRight(t *testing.T) {
	t.Parallel()
	life, err := shown()
	if err != nil {
		t.Fatal(err)
	}
	for page, least := range map[string]int{"repositories.md": 4, "roll-out.md": 1, "write-an-executor.md": 1} {
		shows := snippet.FindAllStringSubmatch(read(t, root(t), "docs", page), -1)
		if len(shows) < least {
			t.Errorf("%s shows only %d pieces of YAML", page, len(shows))
		}
		for _, s := range shows {
			for _, p := range policy.Lint(page, []byte(s[1]), policy.Beside{Below: life}) {
				t.Errorf("%s:%d: %s, in\n%s", page, p.Line, p.Message, s[1])
			}
		}
	}
}
