package policy

import (
	"errors"
	"strings"
	"testing"

	"github.com/colony-app/colony/bounded/allocated"
	"github.com/colony-app/colony/lifecycle"
	"github.com/colony-app/colony/statemachine"
)

func shipped(t testing.TB) *statemachine.Table {
	t.Helper()
	life, err := statemachine.Shipped("colony")
	if err != nil {
		t.Fatal(err)
	}
	return life
}

func TestSettingsWidenOnlyWhereTheyStand(t *testing.T) {
	t.Parallel()
	life := shipped(t)
	widened := []byte("executors:\n  widen: [{role: reviewer, from: in-review, to: merge-pending}]\n")
	c, err := setting{below: life}.read(widened)
	if err != nil {
		t.Fatal(err)
	}
	reviewer := lifecycle.Actor{Kind: lifecycle.Executor, Roles: []string{"reviewer"}}
	if c.named || c.life.Judge(reviewer, "in-review", "merge-pending") != lifecycle.Legal {
		t.Error("the reviewer may not ask for more")
	}
	if life.Judge(reviewer, "in-review", "merge-pending") == lifecycle.Legal {
		t.Error("the reviewer may ask for more everywhere")
	}
	// A file that names a lifecycle begins with it as it is shipped.
	again, err := setting{below: c.life}.read([]byte("lifecycle: colony\n"))
	if err != nil || !again.named || again.life.Fingerprint() != life.Fingerprint() {
		t.Errorf("the named lifecycle is not as shipped: %v", err)
	}
	own, err := setting{own: life, ownFile: true, below: c.life}.read([]byte("lifecycle: colony\n"))
	if err != nil || own.named || len(own.ignored) != 1 || own.life != life {
		t.Errorf("a name beside a lifecycle: %+v, %v", own, err)
	}
}

func TestUnknownRolesBindNobody(t *testing.T) {
	t.Parallel()
	r := New(shipped(t), map[string][]string{"carl": {"king", "developer"}, "Dora": {"king"}}, "here")
	if got := r.Executors; len(got["carl"]) != 1 || got["carl"][0] != "developer" || got["Dora"] == nil || len(got["Dora"]) != 0 {
		t.Errorf("the executors are %v", got)
	}
	same := New(shipped(t), map[string][]string{"CARL": {"developer"}, "dora": {}}, "there")
	if same.Fingerprint != r.Fingerprint {
		t.Errorf("what judges the same has the fingerprints %s and %s", r.Fingerprint, same.Fingerprint)
	}
	if other := New(shipped(t), map[string][]string{"carl": {"reviewer"}, "dora": {}}, "here"); other.Fingerprint == r.Fingerprint {
		t.Error("another role makes no difference")
	}
}

// GitHub's logins have no case. A bot in two spellings would have the roles of the one here and those of the other there. What is no login
// would bind nobody, and nothing those whose accounts are deleted.
func TestLoginsThatBindNobody(t *testing.T) {
	t.Parallel()
	for logins, want := range map[string]string{
		"{\"dev[bot]\": [developer], \"Dev[bot]\": [reviewer]}": "dev[bot] is listed as Dev[bot] already: logins have no case",
		"{\"@dev\": [developer]}":                               `"@dev" is not a login`,
		"{\"dev [bot]\": [developer]}":                          `"dev [bot]" is not a login`,
		"{\"\": [developer]}":                                   `"" is not a login`,
	} {
		_, err := setting{below: shipped(t)}.read([]byte("executors:\n  logins: " + logins + "\n"))
		if err == nil {
			t.Errorf("nothing is wrong with %s", logins)
			continue
		}
		if got := problemsOf(SettingsFile, err); len(got) != 1 || got[0].Line != 2 || got[0].Message != want {
			t.Errorf("%s: %v", logins, got)
		}
	}
}

// Reading any text of a repository ends without taking much memory, and every complaint names a place.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{
		"lifecycle: colony\n", "lifecycle: kanban\n", "", "a: &a [x]\nb: *a\n", "---\n---\n", "executors: {logins: {a: [developer], b: [], c: [king]}}\n",
		"executors:\n  widen:\n    - {role: reviewer, from: in-review, to: merge-pending}\n    - {role: reviewer, from: done, to: new}\n",
		"executors: " + strings.Repeat("[", 100), strings.Repeat("[", 60_000), "limits: " + strings.Repeat("{a: ", 11_000) + strings.Repeat("}", 11_000), "commands: {force: read}\n", "lifecycle: [colony]\n", "executors: {logins: {? [a] : [b]}}\n", "\x00", "lifecycle: \"\xff\"\n",
		"intake: {when: labelled, labels: [go, \"\"], authors: [ada, \"@b\"]}\n", "intake: ~\ndispatch: ~\n", "dispatch: [{from: [new, nwe], to: analyzing, at-most: 1}, {}, ~]\n",
	} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	life := shipped(f)
	f.Fuzz(func(t *testing.T, text []byte, own bool) {
		s := setting{below: life, ownFile: own}
		if own {
			s.own = life
		}
		var c chosen
		var err error
		if n := allocated.By(func() { c, err = s.read(text) }); n > allocated.Most {
			t.Errorf("reading allocated %d bytes", n)
		}
		var problems []lifecycle.Problem
		switch wrong := (*lifecycle.FileError)(nil); {
		case err == nil && c.life == nil:
			t.Fatal("neither a lifecycle nor an error")
		case err == nil:
			problems = c.ignored
			New(c.life, c.Executors.Logins, "here")
		case !errors.As(err, &wrong) || len(wrong.Problems) == 0:
			t.Fatalf("an error without a place: %v", err)
		default:
			problems = wrong.Problems
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Errorf("a complaint about no place: %+v", p)
			}
		}
	})
}
