package lifecycle

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/tools/txtar"

	"github.com/colony-app/colony/bounded/allocated"
)

func TestBrokenFiles(t *testing.T) {
	holdArchive(t, "broken.txtar", ".err", func(file string, text []byte) string {
		if _, err := Parse(file, text); err != nil {
			return err.Error() + "\n"
		}
		return ""
	})
}

// A repository's file must not keep Colony busy: Parse refuses each of these before
// it decodes it. A missing bound shows as a test that runs into its time limit.
func TestHostileFilesAreRefusedEarly(t *testing.T) {
	fill := func(piece string) string { return strings.Repeat(piece, (MaxFile-100)/len(piece)) }
	for name, c := range map[string]struct{ text, want string }{
		"too large":                   {strings.Repeat(" ", MaxFile+1), "x.yml:1:1: the file has 65537 bytes, more than 65536"},
		"brackets":                    {fill("["), "x.yml:1:1: exceeded max depth of 10000"},
		"braces":                      {"a: " + fill("{a: "), "x.yml:1:1: exceeded max depth of 10000"},
		"lists in lists":              {fill("- "), "x.yml:1:1: exceeded max depth of 10000"},
		"complex keys":                {fill("? "), "x.yml:1:1: exceeded max depth of 10000"},
		"UTF-16":                      {"\xff\xfen\x00a\x00m\x00e\x00", "x.yml:1:1: this is not UTF-8 text"},
		"bytes in a text":             {"name: a\nsummary: \xff\n", "x.yml:2:1: this is not UTF-8 text"},
		"just too deep":               {"a: " + strings.Repeat("[", 12) + strings.Repeat("]", 12), "x.yml:1:15: nested more than 12 levels deep"},
		"many values":                 {"a: [" + fill("1,") + "1]", "x.yml:1:39999: more than 20000 values"},
		"brackets in a second one":    {"a: b\n---\n" + fill("["), "x.yml:3:1: exceeded max depth of 10000"},
		"brackets after the end":      {"a: b\n...\n" + fill("["), "x.yml:3:1: did not find expected <document start>"},
		"a billion laughs":            {"a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n", "x.yml:1:4: anchors and aliases are not supported"},
		"an alias that holds itself":  {"a: &a [*a]\n", "x.yml:1:4: anchors and aliases are not supported"},
		"a list of one state, often":  {tiny + "transitions: [{kind: backward, pairs: [{why: w, from: [" + strings.Repeat("end,", 9000) + "], to: [" + strings.Repeat("end,", 6000) + "]}]}]\n", `x.yml:11:60: from names "end" twice`},
		"a limit, often":              {tiny + "limits:\n" + strings.Repeat("  - {count: c, to: end, from: [start, stuck]}\n", 201), "x.yml:12:3: 201 rows, more than 200"},
		"a time-out, often":           {tiny + "time-outs:\n" + strings.Repeat("  - {in: stuck}\n", 201), "x.yml:12:3: 201 rows, more than 200"},
		"a trigger, often":            {tiny + "triggers:\n" + strings.Repeat("  - {in: stuck}\n", 201), "x.yml:12:3: 201 rows, more than 200"},
		"a priority, often":           {tiny + "priority:\n" + strings.Repeat("  - [x]\n", 201), "x.yml:12:3: 201 rows, more than 200"},
		"more states than anyone has": {strings.Replace(tiny, "forward:", strings.Repeat("  - {name: a}\n", 200)+"forward:", 1), "x.yml:6:3: 203 states, more than 200"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("x.yml", []byte(c.text))
			if err == nil {
				t.Fatal("no error")
			}
			first, _, _ := strings.Cut(err.Error(), "\n")
			if first != c.want {
				t.Errorf("error %q, want %q", first, c.want)
			}
			var file *FileError
			if !errors.As(err, &file) || len(file.Problems) > maxProblems {
				t.Errorf("%T with too many problems", err)
			}
		})
	}
}

// tiny is the smallest right lifecycle of broken.txtar.
const tiny = `name: tiny
summary: A small lifecycle.
initial: start
bad-request: stuck
states:
  - {name: start, type: active, meaning: It begins.}
  - {name: stuck, type: blocked, recovery: manual, label: "colony:stuck", color: aaaaaa, description: Stuck., meaning: It is stuck.}
  - {name: end, type: terminal, label: "colony:end", color: bbbbbb, description: The end., meaning: It is over.}
forward:
  - {source: Test, order: [start, stuck, end]}
`

func TestWindowsLineEndsAndWordsOrListsAreTheSame(t *testing.T) {
	more := "executors:\n  - {role: worker, works-in: stuck, requests: end}\n"
	one, err := Parse("x.yml", []byte(tiny+more))
	if err != nil {
		t.Fatal(err)
	}
	other, err := Parse("x.yml", []byte(strings.ReplaceAll(tiny+strings.NewReplacer("stuck,", "[stuck],", "end}", "[end]}").Replace(more), "\n", "\r\n")))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(one, other, cmpopts.IgnoreUnexported(Lifecycle{})); diff != "" {
		t.Errorf("(-words +lists)\n%s", diff)
	}
}

// A mark that an editor puts before the text, and a colour that is a number, are no mistakes.
func TestAByteOrderMarkAndBlackAreTaken(t *testing.T) {
	for _, color := range []string{"000000", "012345", "1e1000"} {
		text := "\ufeff# A comment.\n" + strings.Replace(tiny, "bbbbbb", color, 1)
		life, err := Parse("x.yml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if end, _ := life.State("end"); end.Color != color {
			t.Errorf("the colour %s became %s", color, end.Color)
		}
		if problems, err := Lint("x.yml", []byte(text)); err != nil || len(problems) > 0 && problems[0].Column == 0 {
			t.Errorf("lint: %v %v", problems, err)
		}
	}
}

// No text makes Parse panic or take much memory, and a lifecycle that parses keeps what the engine relies on.
func FuzzParse(f *testing.F) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "broken.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		f.Add(archive.Files[i].Data)
	}
	f.Add([]byte(strings.Repeat("[", 60_000)))
	f.Add([]byte("states: " + strings.Repeat("{a: ", 11_000) + strings.Repeat("}", 11_000)))
	f.Add([]byte("states: &a [x, x]\nroles: &b [" + strings.Repeat("*a,", 9_000) + "]\nlimits: [" + strings.Repeat("*b,", 9_000) + "]\n"))
	f.Add([]byte("states:\n" + strings.Repeat("- - - - - - - - x\n", 2_200)))
	f.Add([]byte("name: x\r\n\rstates:\r- {"))
	for _, name := range ShippedNames() {
		text, err := ShippedFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var life *Lifecycle
		var err error
		if n := allocated.By(func() { life, err = Parse("fuzz.yml", text) }); n > allocated.Most {
			t.Errorf("Parse allocated %d bytes", n)
		}
		if err != nil {
			checkFileError(t, text, err)
			return
		}
		checkInvariants(t, life)
	})
}

func checkFileError(t *testing.T, text []byte, err error) {
	t.Helper()
	var file *FileError
	if !errors.As(err, &file) || len(file.Problems) == 0 {
		t.Fatalf("error %v of type %T does not say where", err, err)
	}
	for _, p := range file.Problems {
		if p.Line < 1 || p.Line > 1+strings.Count(lineEnds.Replace(string(text)), "\n") || p.Column < 1 || p.Column > len(text)+1 || p.Message == "" || p.File != "fuzz.yml" {
			t.Errorf("problem %+v", p)
		}
	}
}

func checkInvariants(t *testing.T, life *Lifecycle) {
	t.Helper()
	var labels []string
	for _, m := range life.Labels() {
		if HasLabel(labels, m.Label) {
			t.Errorf("label %q is there twice", m.Label)
		}
		labels = append(labels, m.Label)
	}
	for _, s := range life.States {
		if got, ok := life.StateOf(s.Label); s.Label != "" && (!ok || !cmp.Equal(got, s)) {
			t.Errorf("label %q does not store state %q", s.Label, s.Name)
		}
		if ways := len(life.Next(Actor{Kind: Operator}, s.Name)); (ways == 0) != (s.Type == Terminal) {
			t.Errorf("state %q of type %s has %d ways out", s.Name, s.Type, ways)
		}
	}
	for _, p := range life.Pairs {
		if life.Judge(Actor{Kind: Operator}, p.From, p.To) != Legal || p.To == life.Initial {
			t.Errorf("pair %+v", p)
		}
	}
	if _, ok := life.State(life.BadRequest); !ok && life.BadRequest != "" {
		t.Errorf("bad requests lead to %q", life.BadRequest)
	}
	for _, r := range life.Roles {
		for _, c := range r.Claims {
			if _, ok := life.Pair(c.From, c.To); !ok {
				t.Errorf("role %q claims %+v", r.Name, c)
			}
		}
	}
}
