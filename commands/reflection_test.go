package commands_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/commands"
)

func TestReflects(t *testing.T) {
	for text, want := range map[string]bool{
		"Reflection: it went well":                                         true,
		"  reflection: it went well":                                       true,
		"REFLECTION:\nit went well":                                        true,
		"REFLECTION:\n\nit went well":                                      true,
		"\n\nReflection: it went well":                                     true,
		"**Reflection:** it went well":                                     true,
		"_Reflection: it went well_":                                       true,
		"> what was said\n\nReflection: it went well":                      true,
		"```\ncode\n```\nReflection: it went well":                         true,
		"<!-- a remark -->\n\nReflection: it went well":                    true,
		"# A heading\n\nReflection: it went well":                          true,
		"/colony:move done\n\nReflection: it went well":                    true,
		"/colony:move done\nReflection: it went well":                      true,
		"Reflection:\r\nit went well":                                      true,
		"Reflection":                                                       false,
		"Reflection:":                                                      false,
		"Reflection: \u200b":                                               false,
		"**Reflection:**":                                                  false,
		"Reflection: <!-- it went well -->":                                false,
		"Reflection:\n\n/colony:status":                                    false,
		"Reflection:\n\n> it went well":                                    false,
		"My reflection: it went well":                                      false,
		"Text first\n\nReflection: it went well":                           false,
		"> Reflection: it went well":                                       false,
		"`Reflection: it went well`":                                       false,
		"```\nReflection: it went well\n```":                               false,
		"    Reflection: it went well":                                     false,
		"- Reflection: it went well":                                       false,
		"<!-- Reflection: it went well -->":                                false,
		"<details>\n\nReflection: it went well\n\n</details>":              false,
		"~~Reflection: it went well~~":                                     false,
		"\\/colony:x\nReflection: it went well":                            false,
		"":                                                                 false,
		"Reflection: " + strings.Repeat("it went well ", commands.MaxBody): false,
	} {
		if got := commands.Reflects(text, "Reflection:"); got != want {
			t.Errorf("%.80q: %t", text, got)
		}
	}
	if commands.Reflects("anything", "") || !commands.Reflects("RÜCKBLICK: gut", "Rückblick:") {
		t.Error("other words are not read as they are")
	}
}

func FuzzReflects(f *testing.F) {
	f.Add("**Reflection:** it went\n\n> well")
	f.Fuzz(func(t *testing.T, text string) {
		if commands.Reflects(text, "Reflection:") && !strings.Contains(strings.ToLower(text), "reflection:") && !strings.ContainsAny(text, "\u017f\u212a") {
			t.Errorf("%q is taken for a reflection", text)
		}
	})
}
