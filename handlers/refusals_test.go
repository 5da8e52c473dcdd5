package handlers_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jonboulle/clockwork"
	"github.com/rs/zerolog"

	"github.com/colony-app/colony/handlers"
)

func TestTheLogSaysWhichSecretsToCompareOnceInAMinute(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	clock, counted := clockwork.NewFakeClock(), map[handlers.Answer]int{}
	gate := handlers.Webhook(webhookSecret, nil, func(a handlers.Answer) { counted[a]++ }, clock, zerolog.New(&log))
	send := func(signature string) {
		request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}"))
		request.Header.Set("X-GitHub-Event", "issues")
		if signature != "" {
			request.Header.Set("X-Hub-Signature-256", signature)
		}
		gate.ServeHTTP(httptest.NewRecorder(), request)
	}
	forged := "sha256=" + strings.Repeat("00", 32)
	for range 100 {
		send(forged)
	}
	send("")
	clock.Advance(59 * time.Second)
	send(forged)
	clock.Advance(time.Second)
	send(forged)

	type line struct {
		Because, Do string
		More        int
	}
	var got []line
	for text := range strings.Lines(log.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatal(err)
		}
		l.Do, _, _ = strings.Cut(l.Do, ";")
		got = append(got, l)
	}
	const compare = "compare github.app.webhook_secret with the secret of the App's settings, General, Webhook"
	want := []line{
		{"forged", compare, 0},
		{"unsigned", "set the secret of the App's settings, General, Webhook, to that of github.app.webhook_secret", 0},
		{"forged", compare, 100},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[handlers.Answer]int{handlers.AnswerForged: 102, handlers.AnswerUnsigned: 1}, counted); diff != "" {
		t.Errorf("not each is counted (-want +got):\n%s", diff)
	}
}
