package blackbox_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"net/http"
	"os"
	"testing"

	"github.com/colony-app/colony/playground"
)

// realPayloads reads every payload of @octokit/webhooks-examples, as handlers/testdata/README.md says.
func realPayloads(t *testing.T) []delivery {
	t.Helper()
	packed, err := os.Open("../../handlers/testdata/webhooks-examples.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	unpacked, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	var examples []struct {
		Event   string
		Payload json.RawMessage
	}
	if err := json.NewDecoder(unpacked).Decode(&examples); err != nil {
		t.Fatal(err)
	}
	var all []delivery
	for _, e := range examples {
		all = append(all, newDelivery(e.Event, newGUID(), e.Payload))
	}
	if len(all) < 700 {
		t.Fatalf("only %d examples", len(all))
	}
	return all
}

// receiver starts a Colony that knows who it is on a GitHub where nothing happens.
func receiver(t *testing.T) (*playground.Playground, *colony) {
	t.Helper()
	p, tg := newPlayground(t)
	c := startColony(t, tg)
	eventually(t, tg.tick, tg.deadline, func() (bool, string) {
		r, err := c.ready(ctx)
		return err == nil && r.Ready, "a Colony that is ready"
	})
	if err := c.idle(ctx); err != nil { // the sweep at the start
		t.Fatal(err)
	}
	p.ResetCalls()
	return p, c
}

func answer(t *testing.T, c *colony, header http.Header, body []byte) int {
	t.Helper()
	status, err := send(ctx, c.url, header, body)
	if err != nil {
		t.Fatal(err)
	}
	return status
}

func TestEveryRealPayloadIsTaken(t *testing.T) {
	t.Parallel()
	_, c := receiver(t)
	for _, d := range realPayloads(t) {
		if status := answer(t, c, d.header(signature(secret, d.body)), d.body); status < 200 || status > 299 {
			t.Errorf("%s.%s was answered with %d", d.event, d.about.Action, status)
		}
	}
	if err := c.idle(ctx); err != nil {
		t.Fatal(err)
	}
	for _, line := range c.log.errors() {
		t.Errorf("Colony logged: %s", line)
	}
}

func TestForgedRealPayloadsDoNothing(t *testing.T) {
	t.Parallel()
	p, c := receiver(t)
	for _, d := range realPayloads(t) {
		half := d.body[:len(d.body)/2]
		for _, forgery := range []struct {
			name, signature string
			body            []byte
		}{
			{"a wrong signature", signature("another secret", d.body), d.body},
			{"the signature of an empty secret", signature("", d.body), d.body},
			{"no signature", "", d.body},
			{"a truncated body", signature(secret, d.body), half},
			{"an empty body", signature(secret, d.body), nil},
		} {
			status := answer(t, c, d.header(forgery.signature), forgery.body)
			if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
				t.Errorf("%s.%s with %s was answered with %d", d.event, d.about.Action, forgery.name, status)
			}
		}
	}
	doesNothing(t, p, c)
}

// Colony also refuses a body that was cut off before it was signed, for the events that Colony reads.
func TestSignedHalvesDoNothing(t *testing.T) {
	t.Parallel()
	p, c := receiver(t)
	read := map[string]bool{
		"issues": true, "issue_comment": true, "label": true, "installation": true, "installation_repositories": true, "repository": true,
	}
	tried := 0
	for _, d := range realPayloads(t) {
		if !read[d.event] {
			continue
		}
		tried++
		half := d.body[:len(d.body)/2]
		if status := answer(t, c, d.header(signature(secret, half)), half); status != http.StatusBadRequest {
			t.Errorf("half of %s.%s was answered with %d", d.event, d.about.Action, status)
		}
	}
	if tried < 100 {
		t.Errorf("only %d payloads were tried", tried)
	}
	doesNothing(t, p, c)
}

// https://docs.github.com/webhooks/webhook-events-and-payloads#payload-cap
const payloadCap = 25 << 20

func TestPayloadsAreBounded(t *testing.T) {
	t.Parallel()
	p, c := receiver(t)
	ping := []byte(`{"zen": "Anything added dilutes everything else."}`)
	ping = append(bytes.Repeat([]byte{' '}, payloadCap-len(ping)), ping...)
	d := delivery{event: "ping", guid: newGUID()}
	if status := answer(t, c, d.header(signature(secret, ping)), ping); status != http.StatusOK {
		t.Errorf("a body of 25 MiB was answered with %d", status)
	}
	ping = append(ping, ' ')
	status := answer(t, c, d.header(signature(secret, ping)), ping)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		t.Errorf("a body of more than 25 MiB was answered with %d", status)
	}
	doesNothing(t, p, c)
}

// doesNothing asserts that Colony has nothing to do and asked GitHub for nothing.
func doesNothing(t *testing.T, p *playground.Playground, c *colony) {
	t.Helper()
	if err := c.idle(ctx); err != nil {
		t.Fatal(err)
	}
	r, err := c.ready(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if r.Queue != (readiness{}.Queue) {
		t.Errorf("Colony has work: %+v", r.Queue)
	}
	for _, call := range p.Calls() {
		t.Errorf("Colony asked GitHub for %s %s", call.Method, call.Path)
	}
}
