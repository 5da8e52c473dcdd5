package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/jonboulle/clockwork"

	"github.com/colony-app/colony/app/queue"
)

const (
	// timeout bounds one attempt: a receiver is to take an event, and to work on it later.
	timeout = 5 * time.Second
	// mostRead bounds what is read of an answer. It tells nothing but its status.
	mostRead = 4 << 10
	// attempts is how often an event is tried, over an hour and a half.
	attempts = 12
	// longestWait bounds the time between two attempts, which doubles, and what a receiver can ask for.
	firstWait, longestWait = 5 * time.Second, 20 * time.Minute
	// oldest is how old an event can be that is tried again: behind others it can wait for longer than its own attempts take.
	oldest = 24 * time.Hour
)

// The headers in addition to the usual ones.
const (
	HeaderEvent     = "X-Colony-Event"
	HeaderDelivery  = "X-Colony-Delivery"      // the event's ID, by which a receiver recognises what came before
	HeaderSignature = "X-Colony-Signature-256" // "sha256=" and the HMAC of the body, as GitHub signs
)

// Message is an event on its way to a webhook, as the queue keeps it. Its JSON is on disks: keys can be added, but never removed or changed.
type Message struct {
	Webhook string `json:"webhook"` // its name
	Event   Event  `json:"event"`
	// Digest is what is sent instead of an event.
	Digest *Digest `json:"digest,omitempty"`
	Tries  int     `json:"tries,omitempty"`
}

// ID names what is sent: a receiver that had it drops it.
func (m Message) ID() string {
	id, _, _ := m.head()
	return id
}

// head is the message's ID, what is sent, of the header X-Colony-Event, and when it was made.
func (m Message) head() (id, event string, at time.Time) {
	if m.Digest != nil {
		return m.Digest.ID, m.Digest.Event, m.Digest.At
	}
	return m.Event.ID, m.Event.Event, m.Event.At
}

// Sender sends events to the webhooks of a configuration. It is safe for concurrent use.
type Sender struct {
	webhooks []Webhook
	client   *http.Client
	clock    clockwork.Clock

	mu   sync.Mutex
	down map[string]time.Time // until when nothing is sent to a webhook, by its name
}

// NewSender returns a sender; nil if there is no webhook.
func NewSender(webhooks []Webhook, clock clockwork.Clock) *Sender {
	if len(webhooks) == 0 {
		return nil
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxResponseHeaderBytes = 16 << 10
	return &Sender{
		webhooks: webhooks, clock: clock, down: map[string]time.Time{},
		client: &http.Client{
			Timeout: timeout, Transport: transport,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Webhooks lists where events are sent.
func (s *Sender) Webhooks() []Webhook { return s.webhooks }

// Later says that a message has to wait, and whether it was tried.
type Later struct {
	After time.Duration
	Tried error // why the attempt failed; nil: there was none
}

// Send sends a message. later says that it is to be sent again after a while. An error says that it is given up; it never shows the address,
// which might be a secret.
func (s *Sender) Send(ctx context.Context, m Message) (later *Later, err error) {
	n := slices.IndexFunc(s.webhooks, func(h Webhook) bool { return h.Name == m.Webhook })
	if n < 0 {
		return nil, nil // no one wants it now
	}
	hook := s.webhooks[n]
	_, _, at := m.head()
	old := s.clock.Since(at) > oldest
	if wait := s.waitOf(hook.Name); wait > 0 && old {
		return nil, queue.Permanent(fmt.Errorf("send to webhook %s: it took nothing since the event, for %s", hook.Name, oldest))
	} else if wait > 0 {
		return &Later{After: wait}, nil
	}
	asked, err := s.post(ctx, hook, m)
	if err == nil {
		return nil, nil
	}
	err = fmt.Errorf("send to webhook %s: %w", hook.Name, err)
	if queue.IsPermanent(err) || old || m.Tries+1 >= attempts {
		return nil, queue.Permanent(err)
	}
	wait := min(max(firstWait<<m.Tries, asked), longestWait)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down[hook.Name] = s.clock.Now().Add(wait)
	return &Later{After: wait, Tried: err}, nil
}

// waitOf returns how long a webhook is left alone because the last attempt failed: what waits for it does not ask again, one by one.
func (s *Sender) waitOf(name string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.down[name].Sub(s.clock.Now())
}

// post makes one attempt. asked is how long the receiver asks to be left alone.
func (s *Sender) post(ctx context.Context, hook Webhook, m Message) (asked time.Duration, err error) {
	body, err := render(hook.Format, m)
	if err != nil {
		return 0, queue.Permanent(err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, hook.URL, bytes.NewReader(body))
	if err != nil {
		return 0, queue.Permanent(errors.New("its url cannot be used"))
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Colony")
	id, event, _ := m.head()
	request.Header.Set(HeaderEvent, event)
	request.Header.Set(HeaderDelivery, id)
	if hook.Secret != "" {
		request.Header.Set(HeaderSignature, Sign(hook.Secret, body))
	}
	answer, err := s.client.Do(request)
	if err != nil {
		return 0, withoutAddress(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, mostRead)) // so that the connection can be used again
	return verdictOf(answer)
}

// verdictOf says whether an answer means that the event arrived, and whether it might arrive later. What the receiver refuses, it refuses again;
// an address that leads elsewhere is to be corrected.
func verdictOf(answer *http.Response) (asked time.Duration, err error) {
	status := answer.StatusCode
	if status >= 200 && status < 300 {
		return 0, nil
	}
	err = fmt.Errorf("it answers %d %s", status, http.StatusText(status))
	switch {
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests, status >= 500:
		if seconds, parseErr := strconv.Atoi(answer.Header.Get("Retry-After")); parseErr == nil && seconds > 0 {
			asked = min(time.Duration(seconds)*time.Second, longestWait)
		}
		return asked, err
	}
	return 0, queue.Permanent(err)
}

func withoutAddress(err error) error {
	if of, ok := errors.AsType[*url.Error](err); ok {
		if of.Timeout() {
			return fmt.Errorf("it does not answer within %s", timeout)
		}
		return of.Err
	}
	return err
}

func render(format Format, m Message) ([]byte, error) {
	var what any = m.Event
	switch {
	case m.Digest != nil && format == Slack:
		what = slackMessage{Text: digestText(*m.Digest)}
	case m.Digest != nil:
		what = m.Digest
	case format == Slack:
		what = slackMessage{Text: slackText(m.Event)}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(what); err != nil {
		return nil, fmt.Errorf("encode an event: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Sign returns the signature of a body.
func Sign(secret string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(body)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}
