package app_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/colony-app/colony/app/config"
	"github.com/colony-app/colony/bench/acme"
	"github.com/colony-app/colony/playground"
)

// deliver posts a webhook to Colony, signed with a secret, and returns its answer.
func (w *world) deliver(d playground.Delivery, guid, secret string) *httptest.ResponseRecorder {
	w.t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(d.Payload)
	request := httptest.NewRequest(http.MethodPost, "/api/github/hook", strings.NewReader(string(d.Payload)))
	for name, value := range map[string]string{
		"Content-Type": "application/json", "X-GitHub-Event": d.Event, "X-GitHub-Delivery": guid, "X-Hub-Signature-256": "sha256=" + hex.EncodeToString(mac.Sum(nil)),
	} {
		request.Header.Set(name, value)
	}
	if secret == "" {
		request.Header.Del("X-Hub-Signature-256")
	}
	answer := httptest.NewRecorder()
	w.colony.server.Handler().ServeHTTP(answer, request)
	return answer
}

// A full queue answers 503, so GitHub records a failed delivery.
func TestAFullQueueRefusesWebhooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, onDisk(t), func(c *config.Config) { c.Queue.MaxBytes = 128 << 10 })
	w.open("olivia", "", "colony:new")
	w.Settle()
	all := w.github.Deliveries()
	code := http.StatusOK
	for n := 0; code == http.StatusOK && n < 1000; n++ {
		code = w.deliver(all[len(all)-1], strconv.Itoa(n), webhookSecret).Code
	}
	if code != http.StatusServiceUnavailable {
		t.Errorf("answered %d", code)
	}
	if n := acme.Value(w.metrics(), "colony_webhooks_total", "answer=full"); n != 1 {
		t.Errorf("%v are counted as full", n)
	}
}

func TestWhatIsNotSignedMovesNothingAndIsCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	i := w.open("olivia", "", "colony:new")
	w.Settle()
	w.github.DropNext(1)
	i.Label("olivia", "colony:planning")
	w.Quiet()
	all := w.github.Deliveries()
	lost := all[len(all)-1]
	for _, secret := range []string{"guess", "", "another guess"} {
		if answer := w.deliver(lost, lost.GUID, secret); answer.Code != http.StatusBadRequest {
			t.Errorf("signed with %q: %d %s", secret, answer.Code, answer.Body)
		}
	}
	w.Settle()
	i.Has("colony:new", "colony:planning")
	got := w.metrics()
	for answer, want := range map[string]float64{"forged": 2, "unsigned": 1, "busy": 0, "full": 0, "failed": 0} {
		if n := acme.Value(got, "colony_webhooks_total", "answer="+answer); n != want {
			t.Errorf("%v are counted as %s, want %v", n, answer, want)
		}
	}
	w.boundedAndDocumented(got)
}

// The id of a delivery becomes part of ids and subjects in the queue, where a long one, and one with wildcards, is none.
func TestAnyDeliveryIDIsTakenAndTakenOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, guid := range map[string]string{"long": strings.Repeat("x", 5000), "all": "*", "rest": ">", "a subject": "a.*.b >", "a line": "a\tb", "none": ""} {
		i := w.open("olivia", "", "colony:new")
		w.Settle()
		w.github.DropNext(1)
		i.Label("olivia", "colony:planning")
		w.Quiet()
		i.Has("colony:new", "colony:planning") // no webhook reported it yet
		all := w.github.Deliveries()
		duplicates := acme.Value(w.metrics(), "colony_queue_duplicates_total")
		for range 2 {
			if answer := w.deliver(all[len(all)-1], guid, webhookSecret); answer.Code != http.StatusOK {
				t.Errorf("%s: %d %s", name, answer.Code, answer.Body)
			}
		}
		w.Settle()
		i.Has("colony:planning")
		if n := acme.Value(w.metrics(), "colony_queue_duplicates_total"); n != duplicates+1 {
			t.Errorf("%s: %v duplicates, want %v", name, n, duplicates+1)
		}
	}
}
