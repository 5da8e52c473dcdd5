package manual

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/colony-app/colony/playground"
)

const document = "../../../docs/playground.md"

func TestTheDocumentIsAsTheCode(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	renewed, err := Renew(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), renewed); diff != "" {
		t.Errorf("go generate ./playground makes it anew: %s", diff)
	}
	for _, r := range playground.Routes() {
		if !strings.Contains(renewed, "`"+r.Method+" "+r.Pattern+"`") {
			t.Errorf("%s %s is not in the document", r.Method, r.Pattern)
		}
	}
}

// What the document shows of the control API and of the faults is there.
func TestTheDocumentsExamplesAreOfControlsThatExist(t *testing.T) {
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile(`(?m)curl (?:-X (\w+) )?\S*?(/playground/\S+)`).FindAllStringSubmatch(string(text), -1)
	if len(examples) < 5 {
		t.Errorf("only %d examples", len(examples))
	}
	for _, example := range examples {
		method, path := example[1], strings.Trim(example[2], `"'`)
		if method == "" {
			method = "GET"
		}
		found := false
		for _, c := range playground.Controls() {
			found = found || c.Method == method && c.Pattern == path
		}
		if !found {
			t.Errorf("there is no control %s %s", method, path)
		}
	}
}

func TestRenewRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, text := range []string{"", "<!-- table: nonsense -->\n<!-- end -->", "<!-- table: routes -->\n"} {
		if _, err := Renew(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
