package playground

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // GitHub still sends the older signature
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/colony-app/colony/playground/internal/wiretap"
)

const (
	// deliveryTimeout is how long GitHub waits for the answer to a webhook.
	deliveryTimeout = 10 * time.Second
	// keptDeliveries bounds the log of deliveries; when it is full, the oldest tenth goes.
	keptDeliveries = 10_000
	// maxRecordedResponse bounds what is kept of an answer, in bytes.
	maxRecordedResponse = 64 << 10
	hookshot            = "GitHub-Hookshot/044aadd"
)

// hook is an App's webhook: one line of deliveries, sent one after the other.
type hook struct {
	id      int64
	line    []*delivery
	running bool
}

// delivery is one attempt to deliver a webhook.
type delivery struct {
	id             int64
	guid           string
	app            *app
	event          string
	action         string
	installationID int64
	repositoryID   int64
	payload        []byte
	redelivery     bool
	held           bool
	dropped        bool
	done           bool
	deliveredAt    time.Time
	duration       time.Duration
	status         string
	statusCode     int
	sentTo         string
	requestHeader  http.Header
	responseHeader http.Header
	response       []byte
}

// Delivery is a webhook as a caller of the Go API sees it.
type Delivery struct {
	ID         int64           `json:"id"`
	GUID       string          `json:"guid"`
	AppID      int64           `json:"app_id"`
	Event      string          `json:"event"`
	Action     string          `json:"action"`
	Status     string          `json:"status"`       // "OK", the answer's status text, or why there was none
	StatusCode int             `json:"status_code"`  // 0 until it was tried
	At         time.Time       `json:"delivered_at"` // zero until it was tried
	Redelivery bool            `json:"redelivery"`
	Held       bool            `json:"held"`
	Dropped    bool            `json:"dropped"`
	Payload    json.RawMessage `json:"payload"`
}

// ReleaseOrder says in which order n held deliveries are sent: the indices of the held ones. An index that is left
// out, or out of range, is a mistake: ReleaseDeliveries panics.
type ReleaseOrder func(n int) []int

// InOrder releases as they came.
func InOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Reversed releases the last one first.
func Reversed(n int) []int {
	order := InOrder(n)
	slices.Reverse(order)
	return order
}

// Permutation releases in exactly this order of indices; it has to name each held delivery once.
func Permutation(order ...int) ReleaseOrder { return func(int) []int { return order } }

// HoldDeliveries keeps every further delivery back until ReleaseDeliveries.
func (p *Playground) HoldDeliveries() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holding = true
}

// ReleaseDeliveries sends what was held, in the order given (nil: InOrder), and holds no longer.
func (p *Playground) ReleaseDeliveries(order ReleaseOrder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.release(order); err != nil {
		panic("playground: " + err.Error())
	}
}

func (p *Playground) release(order ReleaseOrder) error {
	if order == nil {
		order = InOrder
	}
	indices := order(len(p.held))
	sorted := slices.Clone(indices)
	slices.Sort(sorted)
	if !slices.Equal(sorted, InOrder(len(p.held))) {
		return fmt.Errorf("release %d deliveries: %v is not an order of them", len(p.held), indices)
	}
	held := p.held
	p.held, p.holding = nil, false
	for _, at := range indices {
		held[at].held = false
		p.send(held[at])
	}
	return nil
}

// DropNext loses the next n deliveries: the App never sees them. Its delivery log has them as failed, so that they
// can be asked for again.
func (p *Playground) DropNext(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dropNext = n
}

// DoubleNext sends each of the next n deliveries twice, with the same GUID.
func (p *Playground) DoubleNext(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doubleNext = n
}

// Deliveries lists all deliveries, oldest first, held ones included.
func (p *Playground) Deliveries() []Delivery {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.listDeliveries()
}

func (p *Playground) listDeliveries() []Delivery {
	listed := make([]Delivery, 0, len(p.deliveries))
	for _, d := range p.deliveries {
		listed = append(listed, Delivery{
			ID: d.id, GUID: d.guid, AppID: d.app.ID, Event: d.event, Action: d.action, Status: d.status, StatusCode: d.statusCode,
			At: d.deliveredAt, Redelivery: d.redelivery, Held: d.held, Dropped: d.dropped, Payload: d.payload,
		})
	}
	return listed
}

// Redeliver sends a delivery again, with the same GUID, as GitHub does when it is asked to.
func (p *Playground) Redeliver(id int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, d := range p.deliveries {
		if d.id == id {
			p.redeliver(d)
			return nil
		}
	}
	return fmt.Errorf("redeliver: there is no delivery %d", id)
}

func (p *Playground) redeliver(d *delivery) {
	again := &delivery{
		id: p.nextID(), guid: d.guid, app: d.app, event: d.event, action: d.action, installationID: d.installationID,
		repositoryID: d.repositoryID, payload: d.payload, redelivery: true,
	}
	p.deliver(again)
}

// Quiet returns when every delivery that is not held has been answered or has failed; an error only if ctx ends before. Calls that an answer caused
// in the background can still be under way.
func (p *Playground) Quiet(ctx context.Context) error {
	return p.Until(ctx, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.pending == 0
	})
}

// Ping sends an App the event ping, as GitHub does when a webhook is set up.
func (p *Playground) Ping(appID int64) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	a, err := p.findApp(appID)
	if err != nil {
		return fmt.Errorf("ping: %w", err)
	}
	if a.WebhookURL == "" {
		return fmt.Errorf("ping the App %s: it has no webhook URL", a.Slug)
	}
	p.enqueue(a, 0, "ping", "", 0, object{
		"zen": "Responsive is better than fast.", "hook_id": a.hook.id,
		"hook": object{
			"type": "App", "id": a.hook.id, "name": "web", "active": true, "events": append([]string{}, a.Events...), "app_id": a.ID,
			"config":     object{"content_type": "json", "insecure_ssl": "0", "url": a.WebhookURL, "secret": "********"},
			"updated_at": stamp(a.updated), "created_at": stamp(a.created), "deliveries_url": p.api("/app/hook/deliveries"),
		},
	})
	return nil
}

// eventPermissions is what an App must have been granted to receive an event (any of the list; metadata where the list names no permission):
// https://docs.github.com/en/webhooks/webhook-events-and-payloads.
var eventPermissions = map[string][]string{
	"check_run":           {"checks"},
	"check_suite":         {"checks"},
	"issues":              {"issues"},
	"issue_comment":       {"issues", "pull_requests"},
	"issue_dependencies":  {"issues"},
	"sub_issues":          {"issues"},
	"pull_request":        {"pull_requests"},
	"pull_request_review": {"pull_requests"},
	"push":                {"contents"},
	"status":              {"statuses"},
}

// emit sends a repository's event to every App that is installed there, subscribes to it and is allowed to see it.
func (p *Playground) emit(event, action string, by actor, r *repository, fields object) {
	p.emitTo(nil, event, action, by, r, fields)
}

// emitTo is emit for one App only; nil: for every one.
func (p *Playground) emitTo(only *app, event, action string, by actor, r *repository, fields object) {
	for _, i := range p.installations {
		if only != nil && i.app != only || !i.covers(r) || !i.suspended.IsZero() || !slices.Contains(i.events, event) {
			continue
		}
		needs := eventPermissions[event]
		if len(needs) > 0 && !slices.ContainsFunc(needs, func(name string) bool { return grants(i.permissions, name, "read") }) {
			continue
		}
		payload := object{"repository": p.repositoryPayload(r), "sender": orNil(p.userPayload(by.account))}
		if action != "" {
			payload["action"] = action
		}
		maps.Copy(payload, fields)
		payload["repository"].(object)["custom_properties"] = object{}
		payload["installation"] = object{"id": i.id, "node_id": nodeID("MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u", i.id)}
		if r.owner.kind == kindOrganization {
			payload["organization"] = p.organizationPayload(r.owner)
		}
		p.enqueue(i.app, i.id, event, action, r.id, payload)
	}
}

// emitInstallation tells the App of its own installation.
func (p *Playground) emitInstallation(action string, i *installation) {
	p.enqueue(i.app, i.id, "installation", action, 0, object{
		"action": action, "installation": p.installationPayload(i), "repositories": repositoryStubs(p.installedRepositories(i)),
		"sender": p.userPayload(i.account), "requester": nil,
	})
}

func (p *Playground) emitInstallationRepositories(i *installation, by actor, added, removed []*repository) {
	action := "added"
	if len(added) == 0 {
		action = "removed"
	}
	if len(added) == 0 && len(removed) == 0 {
		return
	}
	p.enqueue(i.app, i.id, "installation_repositories", action, 0, object{
		"action": action, "installation": p.installationPayload(i), "repository_selection": i.selection(),
		"repositories_added": repositoryStubs(added), "repositories_removed": repositoryStubs(removed),
		"requester": nil, "sender": p.userPayload(by.account),
	})
}

func (p *Playground) enqueue(a *app, installationID int64, event, action string, repositoryID int64, payload object) {
	mustBeListed(event, action)
	if a.WebhookURL == "" {
		return
	}
	body, err := json.Marshal(payload)
	if err != nil {
		panic("playground: a payload that is not JSON: " + err.Error())
	}
	p.deliver(&delivery{
		id: p.nextID(), guid: newGUID(), app: a, event: event, action: action, installationID: installationID,
		repositoryID: repositoryID, payload: body,
	})
}

// deliver takes a delivery into the log and drops, doubles, holds or sends it.
func (p *Playground) deliver(d *delivery) {
	if len(p.deliveries) >= keptDeliveries {
		p.deliveries = slices.Delete(p.deliveries, 0, keptDeliveries/10)
	}
	copies := []*delivery{d}
	switch {
	case p.dropNext > 0:
		p.dropNext--
		d.dropped, d.done, d.deliveredAt = true, true, p.now()
		d.status, d.statusCode = "failed to connect to host", http.StatusBadGateway
		d.sentTo, d.requestHeader = d.app.WebhookURL, d.headers()
		p.deliveries = append(p.deliveries, d)
		return
	case p.doubleNext > 0:
		p.doubleNext--
		twin := *d
		twin.id = p.nextID()
		copies = append(copies, &twin)
	}
	for _, each := range copies {
		p.deliveries = append(p.deliveries, each)
		if p.holding {
			each.held = true
			p.held = append(p.held, each)
			continue
		}
		p.send(each)
	}
}

// send puts a delivery into its App's line and sees that something works it off.
func (p *Playground) send(d *delivery) {
	h := &d.app.hook
	h.line = append(h.line, d)
	p.pending++
	if !h.running {
		h.running = true
		go p.workOff(h)
	}
}

func (p *Playground) workOff(h *hook) {
	for {
		p.mu.Lock()
		if len(h.line) == 0 {
			h.running = false
			p.mu.Unlock()
			return
		}
		d := h.line[0]
		h.line = h.line[1:]
		d.deliveredAt = p.now()
		d.sentTo, d.requestHeader = d.app.WebhookURL, d.headers()
		sent := wiretap.Webhook{Event: d.event, Action: d.action, Header: d.requestHeader, Payload: d.payload}
		p.mu.Unlock()
		wiretap.Sent(func() wiretap.Webhook { return sent })

		began := p.clock.Now()
		status, code, header, body := p.post(d)

		p.mu.Lock()
		d.duration = p.clock.Since(began)
		d.status, d.statusCode, d.responseHeader, d.response, d.done = status, code, header, body, true
		p.pending--
		p.notify()
		p.mu.Unlock()
		p.log.Debug().Str("event", d.event).Str("action", d.action).Str("delivery", d.guid).Int("status", code).Msg("delivered")
	}
}

// post sends one webhook and words the outcome as GitHub's delivery log does.
func (p *Playground) post(d *delivery) (status string, code int, header http.Header, body []byte) {
	request, err := http.NewRequestWithContext(p.ctx, http.MethodPost, d.sentTo, bytes.NewReader(d.payload))
	if err != nil {
		return "invalid webhook URL", http.StatusBadGateway, nil, nil
	}
	request.Header = d.requestHeader.Clone()
	response, err := p.client.Do(request)
	if err != nil {
		if wait := net.Error(nil); errors.As(err, &wait) && wait.Timeout() {
			return "timed out", http.StatusGatewayTimeout, nil, nil
		}
		return "failed to connect to host", http.StatusBadGateway, nil, nil
	}
	defer response.Body.Close()
	body, err = io.ReadAll(io.LimitReader(response.Body, maxRecordedResponse))
	if err != nil {
		return "failed to read the response", http.StatusBadGateway, response.Header, nil
	}
	if response.StatusCode >= 200 && response.StatusCode < 300 {
		return "OK", response.StatusCode, response.Header, body
	}
	return fmt.Sprintf("Invalid HTTP Response: %d", response.StatusCode), response.StatusCode, response.Header, body
}

// headers are those of a webhook
// (https://docs.github.com/en/webhooks/webhook-events-and-payloads#delivery-headers).
func (d *delivery) headers() http.Header {
	h := http.Header{}
	for name, value := range map[string]string{
		"Accept": "*/*", "Content-Type": "application/json", "User-Agent": hookshot, "X-GitHub-Event": d.event,
		"X-GitHub-Delivery": d.guid, "X-GitHub-Hook-ID": strconv.FormatInt(d.app.hook.id, 10),
		"X-GitHub-Hook-Installation-Target-ID":   strconv.FormatInt(d.app.ID, 10),
		"X-GitHub-Hook-Installation-Target-Type": "integration",
	} {
		h.Set(name, value)
	}
	if secret := d.app.WebhookSecret; secret != "" {
		h.Set("X-Hub-Signature", "sha1="+sign(sha1.New, secret, d.payload))
		h.Set("X-Hub-Signature-256", "sha256="+sign(sha256.New, secret, d.payload))
	}
	return h
}

func sign(hash func() hash.Hash, secret string, body []byte) string {
	mac := hmac.New(hash, []byte(secret))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}

// newGUID is a random UUID, version 4.
func newGUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
