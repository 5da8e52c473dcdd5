package blackbox_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
)

const webhookPath = "/api/github/hook"

// delivery is one webhook.
type delivery struct {
	event, guid string
	body        []byte
	status      int // Colony's answer
	about       about
}

func newDelivery(event, guid string, body []byte) delivery {
	d := delivery{event: event, guid: guid, body: body}
	// A body that is no JSON is about nothing.
	_ = json.Unmarshal(body, &d.about)
	return d
}

// about is what the scenarios have to know of a payload.
type about struct {
	Action string `json:"action"`
	Issue  struct {
		Number int `json:"number"`
	} `json:"issue"`
	Label struct {
		Name string `json:"name"`
	} `json:"label"`
	Comment struct {
		ID int64 `json:"id"`
	} `json:"comment"`
}

func signature(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// header returns the headers that Colony reads, with this signature; none if it is empty.
func (d delivery) header(signed string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("X-GitHub-Event", d.event)
	h.Set("X-GitHub-Delivery", d.guid)
	if signed != "" {
		h.Set("X-Hub-Signature-256", signed)
	}
	return h
}

// send posts a webhook to Colony and returns its answer.
func send(ctx context.Context, colonyURL string, header http.Header, body []byte) (int, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, colonyURL+webhookPath, bytes.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("send a webhook: %w", err)
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, fmt.Errorf("send a webhook: %w", err)
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// newGUID makes an id as GitHub's deliveries have it.
func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// The orders in which deliveries that were held back are released.
func reversed(held []delivery) []delivery {
	order := slices.Clone(held)
	slices.Reverse(order)
	return order
}

func eachTwice(held []delivery) []delivery {
	var order []delivery
	for _, d := range held {
		order = append(order, d, d)
	}
	return order
}

// post is the way of webhooks from GitHub to Colony.
type post interface {
	// to says where Colony is.
	to(colonyURL string)
	// collect brings what is on the way; a post that is brought things does nothing.
	collect(ctx context.Context) error
	// arrived lists what Colony has answered, each delivery once.
	arrived() []delivery
	// hold keeps everything back that comes from now on; held lists it.
	hold()
	held(ctx context.Context) ([]delivery, error)
	// release delivers in this order what was held back.
	release(ctx context.Context, order func([]delivery) []delivery) error
}
