package handlers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/palantir/go-githubapp/githubapp"
	"github.com/rs/zerolog"
)

// readsTwice is a handler that reads a payload as it does and as encoding/json does.
type readsTwice interface {
	readTwice(body []byte) (here, there any, errHere, errThere error)
}

func (h handler[E]) readTwice(body []byte) (here, there any, errHere, errThere error) {
	var a, b E
	errHere = delivery{event: h.name, body: body}.read(&a)
	errThere = json.Unmarshal(body, &b)
	return a, b, errHere, errThere
}

// readAlike asserts that what a handler reads is what encoding/json reads, and that it refuses what that refuses.
func readAlike(t *testing.T, h githubapp.EventHandler, body []byte) {
	t.Helper()
	here, there, errHere, errThere := h.(readsTwice).readTwice(body) //nolint:forcetypeassert // all are
	if (errHere == nil) != (errThere == nil) {
		t.Errorf("%T: error %v, encoding/json says %v, of %.300q", here, errHere, errThere, body)
	} else if errHere == nil && !reflect.DeepEqual(here, there) {
		t.Errorf("%T (-encoding/json +here):\n%s", here, cmp.Diff(fmt.Sprintf("%+v", there), fmt.Sprintf("%+v", here)))
	}
}

// Payloads are read as encoding/json reads them, be they GitHub's, cut off, damaged, or written by somebody who knows where readers differ.
func TestPayloadsAreReadAsByEncodingJSON(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	names := regexp.MustCompile(`"\w+":`)
	all := All(nil, nil, nil, News{}, zerolog.Nop())
	for _, e := range examples(t) {
		for _, h := range all {
			if h.Handles()[0] != e.Event && rng.IntN(10) > 0 {
				continue
			}
			readAlike(t, h, e.Payload)
			damaged := bytes.Clone(e.Payload)
			damaged[rng.IntN(len(damaged))] = "\"{}[]:,\\x0e\x00\xff "[rng.IntN(14)]
			readAlike(t, h, damaged)
			readAlike(t, h, e.Payload[:rng.IntN(len(e.Payload))])
			readAlike(t, h, names.ReplaceAllFunc(e.Payload, bytes.ToUpper))
		}
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, body := range []string{
		``, ` `, `null`, `{}`, `{} `, `{},`, `{}{}`, `{}x`, `[]`, `"x"`, `1`, "\ufeff{}",
		`{"action": "a", "action": "b"}`, `{"action": "a", "action": null}`, `{"Action": "a", "ACTION": "b", "action": "c"}`, `{"\u0061ction": "a"}`, `{"aCt\u0069on": "a"}`,
		"{\"i\u017f\u017fue\": {\"number\": 3}}", "{\"\u212aey\": 1}", "{\"action\xff\": \"a\"}", "{\"action\": \"\xff\xfe\"}", `{"action": "\ud800"}`, `{"action": "\ud83d\ude00"}`, `{"action": "\x"}`, "{\"action\": \"\n\"}",
		`{"issue": {"number": 1}, "issue": {"user": {"login": "a"}}}`, `{"issue": {"number": 1}, "issue": null}`, `{"issue": {"labels": [{"name": "a"}, {"name": "b"}], "labels": [{"x": 1}]}}`,
		`{"issue": {"labels": [{"name": "a"}, null, {}]}}`, `{"issue": {"labels": []}}`, `{"issue": {"labels": null}}`, `{"issue": {"labels": {"name": "a"}}}`, `{"issue": [{"number": 1}]}`,
		`{"issue": {"pull_request": {"url": "x"}}}`, `{"issue": {"pull_request": {}}}`, `{"issue": {"pull_request": null}}`, `{"issue": {"pull_request": []}}`, `{"issue": {"pull_request": {"a": }}}`, `{"issue": {"pull_request": {"a": 1}, "pull_request": null}}`,
		`{"issue": {"number": 1.0}}`, `{"issue": {"number": 1e2}}`, `{"issue": {"number": -1}}`, `{"issue": {"number": 01}}`, `{"issue": {"number": 9223372036854775808}}`, `{"issue": {"number": true}}`,
		`{"issue": {"updated_at": "2026-03-04T05:06:07Z"}}`, `{"issue": {"updated_at": "2026-03-04T05:06:07.123+02:00"}}`, `{"issue": {"updated_at": "2026-03-04T5:06:07Z"}}`, `{"issue": {"updated_at": null}}`, `{"issue": {"updated_at": ""}}`,
		`{"x": ` + deep(9_999) + `}`, `{"x": ` + deep(10_000) + `}`, `{"issue": ` + deep(9_998) + `}`, `{"x": tru}`, `{"x": NaN}`, `{"x": 1,}`, `{"x" 1}`, `{x: 1}`, `{'x': 1}`, `{"x": 1 /* y */}`, `{"x": .5}`, `{"x": +1}`, `{"x": 1.}`, `{"": 1}`,
		`{"comment": {"body": "a\/colony"}}`, `{"comment": {"user": {"LOGIN": "a", "Type": "Bot"}}}`, `{"commits": [{"added": ["a", null, "b"]}, null, {"added": [1]}]}`, `{"repositories_added": [null, {"id": 1, "owner": {"login": "a"}}]}`,
	} {
		for _, h := range all {
			readAlike(t, h, []byte(body))
		}
	}
}

func FuzzDecode(f *testing.F) {
	all := All(nil, nil, nil, News{}, zerolog.Nop())
	seeded := map[string]bool{}
	for _, e := range examples(f) {
		if !seeded[e.Event] {
			seeded[e.Event] = true
			f.Add([]byte(e.Payload))
		}
	}
	f.Add([]byte(`{"Action": "a", "\u0061ction": null, "issue": {"labels": [{"name": "a"}, null], "pull_request": {"x": 1}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, h := range all {
			readAlike(t, h, body)
		}
	})
}
