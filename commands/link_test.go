package commands_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/commands"
)

var here = commands.Home{Reference: commands.Reference{Owner: "Acme", Name: "Widgets", Number: 12}, Web: "https://github.example"}

func to(owner, name string, number int) commands.Reference {
	return commands.Reference{Owner: owner, Name: name, Number: number}
}

func TestHomeRefers(t *testing.T) {
	near, far := to("acme", "widgets", 5), to("other", "gears.js", 5)
	for word, want := range map[string]commands.Reference{
		"#5": near, "Acme/widgets#5": near, "OTHER/gears.js#5": far, "https://github.example/acme/widgets/issues/5": near,
		"HTTPS://GitHub.example/other/Gears.js/issues/5#issuecomment-7": far, "https://github.example/other/gears.js/pull/5?x=1": far,
		"https://github.com/acme/widgets/issues/5": {}, "https://github.example/acme/widgets/issues": {}, "https://github.example@evil.test/a/b/issues/5": {},
		"#0": {}, "#": {}, "@octocat": {}, "": {}, "https://%": {}, "acme/widgets": {}, "#123456789012": {},
	} {
		got, ok := here.Refers(word)
		if ok != (want != commands.Reference{}) || ok && got != want {
			t.Errorf("%q names %v, %t; want %v", word, got, ok, want)
		}
	}
	if got := here.Shows(near) + " " + here.Shows(far); got != "#5 other/gears.js#5" {
		t.Errorf("they are shown as %q", got)
	}
}

func TestLinksFollowTheCommands(t *testing.T) {
	five, six, far := to("acme", "widgets", 5), to("acme", "widgets", 6), to("other", "gears", 5)
	for name, test := range map[string]struct {
		comments []string
		on, off  []commands.Reference
	}{
		"none":                       {[]string{"nothing", "/colony:next"}, nil, nil},
		"one":                        {[]string{"/colony:depends-on #5"}, []commands.Reference{five}, nil},
		"several":                    {[]string{"/colony:depends-on #5, #6; other/gears#5."}, []commands.Reference{five, six, far}, nil},
		"twice":                      {[]string{"/colony:depends-on #5 acme/widgets#5", "/colony:depends-on `#5`"}, []commands.Reference{five}, nil},
		"quotes and a backslash":     {[]string{`/colony:depends-on "#5" '#6' \#5`}, []commands.Reference{five, six}, nil},
		"not any more":               {[]string{"/colony:depends-on #5 #6", "/colony:independent-of #5"}, []commands.Reference{six}, []commands.Reference{five}},
		"again":                      {[]string{"/colony:independent-of #5", "/colony:depends-on #5"}, []commands.Reference{five}, nil},
		"of the text, not any more":  {[]string{"/colony:independent-of #5"}, nil, []commands.Reference{five}},
		"in one comment, in order":   {[]string{"/colony:depends-on #5\n/colony:independent-of #5"}, nil, []commands.Reference{five}},
		"quoted":                     {[]string{"> /colony:depends-on #5"}, nil, nil},
		"words beside the reference": {[]string{"/colony:depends-on #5 because"}, nil, nil},
	} {
		var links commands.Links
		for _, comment := range test.comments {
			links = links.Then(here, commands.Parse(comment), time.Time{})
		}
		if !slices.Equal(links.On, test.on) || !slices.Equal(links.Off, test.off) {
			t.Errorf("%s: depends on %v, not on %v", name, links.On, links.Off)
		}
	}
}

func TestRunLinks(t *testing.T) {
	five, six := to("acme", "widgets", 5), to("acme", "widgets", 6)
	targets := map[commands.Reference]commands.Target{
		five:                      {ID: 500, There: true},
		six:                       {ID: 600, There: true, Route: []commands.Reference{six, to("acme", "widgets", 7)}},
		to("acme", "widgets", 8):  {ID: 800, There: true, PullRequest: true},
		to("acme", "widgets", 10): {ID: 1000, There: true, Route: []commands.Reference{to("acme", "widgets", 10), to("acme", "secret", 3)}},
		to("acme", "widgets", 11): {ID: 1100, There: true, Route: []commands.Reference{to("acme", "widgets", 11)}},
	}
	const ok, no, bad = commands.Accepted, commands.NotPermitted, commands.Refused
	many := strings.Repeat(" #5", commands.MaxReferences) + " #15 #16 #17 #18 #19 #20 #21 #22 #23 #24"
	for text, test := range map[string]struct {
		asker  commands.Requester
		answer commands.Answer
		links  []commands.Link
		says   string
	}{
		"/colony:depends-on #5":                               {triager, ok, []commands.Link{{To: five, On: true, ID: 500}}, ""},
		"/colony:independent-of #5":                           {triager, ok, []commands.Link{{To: five, ID: 500}}, ""},
		"/colony:independent-of #99":                          {triager, ok, []commands.Link{{To: to("acme", "widgets", 99)}}, ""},
		"/colony:depends-on #5\n/colony:status":               {anyBot, ok, []commands.Link{{To: five, On: true, ID: 500}}, "**`new`**"},
		"/colony:depends-on #5\n/colony:independent-of #5":    {triager, ok, []commands.Link{{To: five, On: true, ID: 500}, {To: five, ID: 500}}, ""},
		"/colony:depends-on":                                  {triager, bad, nil, "it needs an issue. Write it like this: `/colony:depends-on <issue> [issue …]`."},
		"/colony:depends-on @octocat":                         {triager, bad, nil, "`@octocat` does not name an issue"},
		"/colony:depends-on #99":                              {triager, bad, nil, "There is no issue `#99` that both Colony and `tara` can read"},
		"/colony:depends-on #8":                               {triager, bad, nil, "`#8` is a pull request"},
		"/colony:depends-on #12":                              {triager, bad, nil, "An issue cannot depend on itself"},
		"/colony:depends-on #6":                               {triager, bad, nil, "(`#6` → `#7` → this one)"},
		"/colony:depends-on #10":                              {triager, bad, nil, "`#10` already depends on this issue, by way of another repository"},
		"/colony:depends-on #11":                              {triager, bad, nil, "write on `#11` first:\n\n```\n/colony:independent-of #12"},
		"/colony:depends-on #5 #8":                            {triager, bad, nil, "`#8` is a pull request"},
		"/colony:depends-on" + many:                           {triager, bad, nil, "at most 10 issues"},
		"/colony:depends-on #5\n/colony:nonsense":             {triager, bad, nil, "Colony linked nothing from this comment"},
		"/colony:nonsense\n/colony:depends-on #5":             {triager, bad, nil, "Colony linked nothing from this comment"},
		"/colony:depends-on #5\n/colony:force done it burns":  {triager, no, nil, "Colony linked nothing from this comment"},
		"/colony:depends-on #5 ":                              {reader, no, nil, ""},
		"/colony:independent-of #5\n/colony:depends-on #5 #6": {triager, bad, nil, "Colony linked nothing from this comment"},
	} {
		env := commands.Env{Lifecycle: colonyLifecycle(t), Standing: trail("new"), Now: second(50), Home: here, Targets: targets}
		r := commands.Run(env, test.asker, commands.Parse(text))
		if r.Answer != test.answer {
			t.Errorf("%q is answered with %v", text, r.Answer)
		}
		if diff := cmp.Diff(test.links, r.Links); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if said := strings.Join(r.Replies, "\n"); !strings.Contains(said, test.says) || (said == "") != (test.says == "") {
			t.Errorf("%q says %q", text, said)
		}
		if len(r.Moves) > 0 || r.NeedsHuman {
			t.Errorf("%q moves the issue", text)
		}
	}
}

func TestLinksOfACommentThatWasBegunCountTogether(t *testing.T) {
	five := to("acme", "widgets", 5)
	env := commands.Env{
		Lifecycle: colonyLifecycle(t), Standing: trail("in-review"), Now: second(50), Home: here,
		Targets: map[commands.Reference]commands.Target{five: {ID: 500, There: true}},
	}
	for text, want := range map[string]int{
		"/colony:depends-on #5\n/colony:status": 1, "/colony:depends-on #5\n/colony:nonsense": 0, "/colony:nonsense\n/colony:depends-on #5": 0,
	} {
		r := commands.Continue(env, triager, 1, commands.Parse(text), 1)
		if said := strings.Join(r.Replies, "\n"); len(r.Links) != want || strings.Count(said, "Colony linked nothing from this comment") != 1-want {
			t.Errorf("%q links %v and says %q", text, r.Links, said)
		}
	}
}
