package lifecycle

import (
	"strings"
	"testing"
)

func TestForce(t *testing.T) {
	t.Parallel()
	base := `name: small
summary: A small one.
initial: idea
%s
states:
  - {name: idea, type: active, meaning: An idea.}
  - {name: work, type: active, label: "colony:work", color: "000000", description: d, meaning: Work.}
  - {name: stuck, type: active, label: "colony:stuck", color: "000000", description: d, meaning: Stuck.}
  - {name: done, type: terminal, label: "colony:done", color: "000000", description: d, meaning: Done.}
forward:
  - {order: [idea, work, stuck, done]}
`
	for name, c := range map[string]struct {
		force string
		by    string
		legal string // the moves of those below that may be forced
		wrong string
	}{
		"not said":           {legal: "idea>work idea>done done>work work>stuck"},
		"off":                {force: "force: off"},
		"off, in full":       {force: "force: {by: off}"},
		"a word":             {force: "force: maintain", by: "maintain", legal: "idea>work idea>done done>work work>stuck"},
		"into":               {force: "force: {into: [work, stuck]}", legal: "idea>work done>work work>stuck"},
		"into one, by":       {force: "force: {by: admin, into: stuck}", by: "admin", legal: "work>stuck"},
		"ends are for good":  {force: "terminal-is-final: true\nforce: write", by: "write", legal: "idea>work idea>done work>stuck"},
		"nothing said":       {force: "force: {}", wrong: "neither by whom nor into which states"},
		"by nobody known":    {force: "force: everybody", wrong: `"everybody", which is none of "triage", "write", "maintain", "admin", off`},
		"read is not enough": {force: "force: {by: read}", wrong: `by "read"`},
		"off, but into":      {force: "force: {by: off, into: work}", wrong: "leads nowhere"},
		"into what is none":  {force: "force: {into: [wrok]}", wrong: `"wrok"`},
		"into it twice":      {force: "force: {into: [work, work]}", wrong: "twice"},
		"into no label":      {force: "force: {into: idea}", wrong: "has no label"},
		"a setting unknown":  {force: "force: {by: admin, to: work}", wrong: `unknown setting "to"`},
		"a list":             {force: "force: [off]", wrong: "force"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, err := Parse("small.yml", []byte(strings.Replace(base, "%s", c.force, 1)))
			if c.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), c.wrong) {
					t.Errorf("error %v, want %q", err, c.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if l.Force.By != c.by {
				t.Errorf("by %q, want %q", l.Force.By, c.by)
			}
			var legal []string
			for _, move := range []string{"idea>work", "idea>done", "done>work", "work>stuck", "work>idea"} {
				if from, to, _ := strings.Cut(move, ">"); l.MayForce(from, to) {
					legal = append(legal, move)
				}
			}
			if got := strings.Join(legal, " "); got != c.legal {
				t.Errorf("may be forced: %q, want %q", got, c.legal)
			}
		})
	}
}

// What a lifecycle says of force does not change how its log is judged, unless nobody may use it at all or not everywhere.
func TestForceBySomebodyElseKeepsTheFingerprint(t *testing.T) {
	t.Parallel()
	l := colony(t)
	other := *l
	other.Force = Force{By: "admin"}
	if other.Fingerprint() != l.Fingerprint() {
		t.Error("who may force changed the fingerprint")
	}
}
