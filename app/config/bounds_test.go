package config_test

import (
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bounded/allocated"
	"github.com/colony-app/colony/lifecycle"
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
		"aliases of a long text": {
			"mode: &a " + strings.Repeat("x", 30_000) + "\nrepositories: {include: [" + strings.Repeat("*a,", 9_000) + "]}\n", "more than 65536 bytes of text, aliases included",
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

// No configuration makes Lint panic or take much memory, and every complaint names a place.
func FuzzConfiguration(f *testing.F) {
	for _, text := range []string{
		"mode: enforce\n", "judging: {settle: 0, lag: 1h}\n", "judging: {settle: &a [x]}\n", "log: {level: ~}\n", "\x00", "server: {<<: *a}\n",
		"a: &a [x, x]\nb: &b [*a, *a]\nrepositories: {include: *b, exclude: [*a]}\n", "a: &a [*a]\n", "mode: enforce\n---\nmode: [[\n",
		strings.Repeat("[", 60_000), "log: " + strings.Repeat("{a: ", 11_000) + strings.Repeat("}", 11_000),
		"mode: &a " + strings.Repeat("x", 3_000) + "\nrepositories: {include: [" + strings.Repeat("*a,", 19) + "]}\n",
		"log: &a {level: info}\nnotify: {webhooks: [" + strings.Repeat("*a,", 6_000) + "]}\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var problems []lifecycle.Problem
		if n := allocated.By(func() { problems = config.Lint("config.yml", text) }); n > allocated.Most {
			t.Errorf("Lint allocated %d bytes", n)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("a complaint about no place: %+v", p)
			}
		}
	})
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
