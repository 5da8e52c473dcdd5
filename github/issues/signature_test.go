package issues

import (
	"crypto/rand"
	"crypto/rsa"
	"strings"
	"testing"

	"github.com/colony-app/colony/commands/wording"
	"github.com/colony-app/colony/lifecycle"
)

func newTestSigner(t *testing.T) Signer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewSigner(key)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// trailOf is a trail with one move, for a reason.
func trailOf(number int, why string) string {
	return wording.RenderTrail(number, []wording.RecordedMove{{Outcome: wording.AutomaticMove, Kind: lifecycle.Colony, From: "a", To: "b", Why: why}})
}

// A signature is right for the hidden words of one issue, by one key. What only people read may change.
func TestSignature(t *testing.T) {
	t.Setenv("GODEBUG", "rsa1024min=0")
	s, on := newTestSigner(t), Ref{Repository: Repository{ID: 7, Owner: "acme", Name: "widgets"}, Number: 12}
	comment := s.sign(on, trailOf(12, "it is merged"))
	of := func(owner, name string, number int) Ref {
		return Ref{Repository: Repository{ID: 7, Owner: owner, Name: name}, Number: number}
	}
	for name, c := range map[string]struct {
		signer  Signer
		on      Ref
		comment string
		want    bool
	}{
		"as it was written":              {s, on, comment, true},
		"the name in capitals":           {s, of("Acme", "Widgets", 12), comment, true},
		"the repository's id is unknown": {s, Ref{Repository: Repository{Owner: "acme", Name: "widgets"}, Number: 12}, comment, true},
		"other words for people":         {s, on, "Hello. " + comment + "\n\nRead our rules.", true},
		"on another issue":               {s, of("acme", "widgets", 13), comment, false},
		"in another repository":          {s, of("evil", "widgets", 12), comment, false},
		"by another key":                 {newTestSigner(t), on, comment, false},
		"without a key":                  {Signer{}, on, comment, false},
		"another reason":                 {s, on, strings.Replace(comment, `"why":"it is merged"`, `"why":"it is good"`, 1), false},
		"another marker":                 {s, on, wording.Marker(wording.Explains, 5) + comment, false},
		"another record before it":       {s, on, strings.Replace(trailOf(12, "it is good"), "\n\n", "\n", 1) + comment, false},
		"without its marker":             {s, on, strings.Replace(comment, wording.Marker(wording.Trail, 12), "", 1), false},
		"two signatures":                 {s, on, comment + "\n<!-- colony:signed AAAA -->", false},
		"a signature that is no text":    {s, on, trailOf(12, "it is merged") + "\n<!-- colony:signed !! -->", false},
		"an empty signature":             {s, on, trailOf(12, "it is merged") + "\n<!-- colony:signed  -->", false},
		"without a signature":            {s, on, trailOf(12, "it is merged"), false},
	} {
		if got := c.signer.signed(c.on, c.comment); got != c.want {
			t.Errorf("%s: signed is %t\n%s", name, got, c.comment)
		}
	}
	if got := s.sign(on, "Hello."); got != "Hello." {
		t.Errorf("what programs do not read is signed: %s", got)
	}
	if got := (Signer{}).sign(on, trailOf(12, "it is merged")); got != trailOf(12, "it is merged") {
		t.Errorf("it is signed without a key: %s", got)
	}
}
