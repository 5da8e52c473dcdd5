package config_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
)

// The strict decoder needs gigabytes for such files, and must never see them.
func TestAConfigurationHasBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"brackets that never close": {strings.Repeat("[", 60_000), "exceeded max depth"},
		"lists within lists":        {"mode: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000) + "\n", "nested more than 12 levels deep"},
		"a large file":              {"# " + strings.Repeat("x", 64<<10) + "\n", "more than 65536"},
		"aliases that multiply": {
			"a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n" +
				"d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\n", "more than 20000 values",
		},
		"a second document": {"mode: enforce\n---\nmode: " + strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), "a second document begins here"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := config.Lint("config.yml", []byte(c.text))
			if len(problems) != 1 || !strings.Contains(problems[0].Message, c.want) {
				t.Errorf("%v\nmust say %q", problems, c.want)
			}
		})
	}
}

func TestEveryLineEndCountsInAConfiguration(t *testing.T) {
	t.Parallel()
	for ends, text := range map[string]string{
		"LF":    "mode: enforce\n\nlog:\n  levle: info\n",
		"CRLF":  "mode: enforce\r\n\r\nlog:\r\n  levle: info\r\n",
		"CR":    "mode: enforce\r\rlog:\r  levle: info\r",
		"mixed": "mode: enforce\r\n\rlog:\n  levle: info\r",
		"BOM":   "\ufeffmode: enforce\r\n\rlog:\n  levle: info\r",
	} {
		problems := config.Lint("config.yml", []byte(text))
		if len(problems) != 1 || problems[0].Line != 4 || problems[0].Column != 3 {
			t.Errorf("%s: %+v, want line 4, column 3", ends, problems)
		}
	}
}
